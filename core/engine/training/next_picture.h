// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Decodes the picture that is needed next while the one before it is computed with. Borrows the source, which
// nobody else asks meanwhile. One thread asks; one of its own decodes.
#pragma once

#include "core/engine/jobs/picture_source.h"

#include <future>
#include <string>

namespace homebooth::core {

class NextPicture {
public:
    explicit NextPicture(PictureSource& source)
        : m_source(source) {}
    NextPicture(const NextPicture&) = delete;
    NextPicture& operator=(const NextPicture&) = delete;

    /// Begins to decode. What was begun before and not taken is given up.
    void begin(const std::string& path, PictureSize size);
    /// The picture, decoded meanwhile if it was begun. Errors: as PictureSource::load
    [[nodiscard]] Result<Picture> take(const std::string& path, PictureSize size);

private:
    PictureSource& m_source;
    std::string m_path;
    PictureSize m_size;
    std::future<Result<Picture>> m_decoded;
};

} // namespace homebooth::core
