// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Pictures as jobs read and write them. The engine decodes no files; the worker implements both
// interfaces with the picture library. Called by one thread at a time, which is the job's or works for it.
// Paths name files or members of shards (core/base/formats/packed_files.h).
#pragma once

#include "core/base/util/picture.h"
#include "core/base/util/picture_size.h"
#include "core/base/util/result.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace homebooth::core {

class PictureSource {
public:
    virtual ~PictureSource() = default;

    /// Paths of the pictures directly inside `folder`, in a fixed order.
    /// Errors: BadInput if the folder cannot be read; a folder without pictures is empty, not an error
    [[nodiscard]] virtual Result<std::vector<std::string>> list(const std::string& folder) = 0;

    /// Whether a name ends as those of pictures do.
    [[nodiscard]] virtual bool isPictureName(const std::string& name) const = 0;

    /// The upright size of a picture, without decoding it. Errors: BadInput
    [[nodiscard]] virtual Result<PictureSize> size(const std::string& path) = 0;

    /// Reads a picture, scales it so that it covers `size` and cuts what sticks out, equally on both sides.
    /// Errors: BadInput for a picture that cannot be decoded
    [[nodiscard]] virtual Result<Picture> load(const std::string& path, PictureSize size) = 0;

    /// Looks whether a picture can be loaded; of a file that has check sums without decoding it.
    /// Errors: BadInput
    [[nodiscard]] virtual Result<void> expectWhole(const std::string& path) {
        HOMEBOOTH_ASSIGN(const PictureSize whole, size(path));
        const auto picture = load(path, whole);
        return picture ? Result<void>() : Result<void>(picture.error());
    }
};

class PictureWriter {
public:
    virtual ~PictureWriter() = default;

    /// Writes a PNG file atomically. @param text  text chunks by keyword
    /// Errors: BadInput, OutOfResources
    [[nodiscard]] virtual Result<void> write(const std::string& path, const Picture& picture,
                                             const std::map<std::string, std::string>& text) = 0;
};

} // namespace homebooth::core
