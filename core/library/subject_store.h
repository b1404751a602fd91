// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Subjects and their photos in the library. Photos stay where the user has them; edits are kept beside their
// paths and never touch the files. Free functions on the library's thread.
#pragma once

#include "core/base/config/colour.h"
#include "core/library/library.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace homebooth::core {

/// What to show of a photo: turned first, then cut. Fractions of the turned photo; 0,0,1,1 is all of it.
/// Behind transparent parts stands a colour.
struct PhotoEdit {
    int quarterTurns = 0; ///< clockwise, 0-3
    double cropLeft = 0.0;
    double cropTop = 0.0;
    double cropWidth = 1.0;
    double cropHeight = 1.0;
    uint32_t backgroundRgb = kWhite; ///< 0xRRGGBB, sRGB; of opaque photos it means nothing
    [[nodiscard]] bool empty() const { return *this == PhotoEdit{}; }
    /// Red, green and blue of what stands behind transparent parts.
    [[nodiscard]] std::array<uint8_t, 3> background() const { return colourParts(backgroundRgb); }
    friend bool operator==(const PhotoEdit&, const PhotoEdit&) = default;
};

/// A further quarter turn clockwise: what was cut out turns with the photo.
[[nodiscard]] PhotoEdit turnedOnce(const PhotoEdit& edit);

struct Photo {
    int64_t id = 0;
    std::string path;
    std::string caption; ///< empty: the subject's own sentence
    bool leftOut = false;
    PhotoEdit edit;
    friend bool operator==(const Photo&, const Photo&) = default;
};

struct Subject {
    int64_t id = 0;
    std::string name;
    std::string classNoun;
    bool classGuessed = false; ///< nobody has confirmed it yet
    std::string triggerWord;
    int64_t createdMs = 0;
    std::vector<Photo> photos; ///< in their order
    friend bool operator==(const Subject&, const Subject&) = default;
};

/// All subjects in their order, with their photos.
[[nodiscard]] Result<std::vector<Subject>> loadSubjects(const Library& library);

/// Writes a subject with all its photos, new or known; photos that it no longer has are dropped.
/// @param position  its place in the list
[[nodiscard]] Result<void> saveSubject(Library& library, const Subject& subject, int64_t position);

/// Removes a subject with its photos' rows. The photos' files stay.
[[nodiscard]] Result<void> removeSubject(Library& library, int64_t id);

} // namespace homebooth::core
