// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The training job's pictures by way of the picture library. Owned by a job; its thread.
#pragma once

#include "core/base/formats/packed_files.h"
#include "core/engine/jobs/picture_source.h"

#include <array>
#include <cstdint>

namespace homebooth::core {

class MediaPictureSource : public PictureSource {
public:
    /// @param background  sRGB colour behind transparent parts
    explicit MediaPictureSource(std::array<uint8_t, 3> background = {255, 255, 255})
        : m_background(background) {}
    [[nodiscard]] Result<std::vector<std::string>> list(const std::string& folder) override;
    [[nodiscard]] bool isPictureName(const std::string& name) const override;
    /// Also refuses animated pictures, those of a few pixels, and what `load` would refuse for its header.
    [[nodiscard]] Result<PictureSize> size(const std::string& path) override;
    [[nodiscard]] Result<Picture> load(const std::string& path, PictureSize size) override;
    [[nodiscard]] Result<void> expectWhole(const std::string& path) override;

private:
    /// What says how large a picture is: the head of a file, a member of a shard as it is.
    [[nodiscard]] Result<std::string> headOf(const std::string& path);

    PackedFiles m_files;
    std::array<uint8_t, 3> m_background;
};

class MediaPictureWriter : public PictureWriter {
public:
    [[nodiscard]] Result<void> write(const std::string& path, const Picture& picture,
                                     const std::map<std::string, std::string>& text) override;
};

} // namespace homebooth::core
