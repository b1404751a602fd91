// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The index of generated pictures: everything in it but favourites can be read from the pictures' own
// `parameters` again. Free functions on the library's thread.
#pragma once

#include "core/library/library.h"

#include <cstdint>
#include <string>
#include <vector>

namespace homebooth::core {

struct PictureRecord {
    int64_t id = 0;
    std::string path;
    int64_t createdMs = 0;
    int64_t widthPixels = 0;
    int64_t heightPixels = 0;
    std::string prompt;
    std::string model;      ///< its name for people
    std::string modelPath;  ///< to use the settings again; may be gone
    std::string parameters; ///< the text of the PNG file
    bool favourite = false;
    friend bool operator==(const PictureRecord&, const PictureRecord&) = default;
};

struct PictureFilter {
    std::string words; ///< all of them must be in prompt, model or names of LoRAs
    std::string model; ///< empty: all
    bool favourites = false;
    int64_t subject = 0;        ///< made with what a run learned of this subject, or by its words; 0: all
    std::string subjectWords{}; ///< "ohwx toy"; empty: runs alone count
    std::vector<std::string> otherNames{}; ///< of `model`, whose pictures count, too
};

/// Newest first. @param limit  at most so many, after `offset`
[[nodiscard]] Result<std::vector<PictureRecord>>
findPictures(const Library& library, const PictureFilter& filter, int64_t offset, int64_t limit);

/// Those of these pictures that match a filter.
[[nodiscard]] Result<std::vector<PictureRecord>>
findPicturesOf(const Library& library, const PictureFilter& filter, const std::vector<int64_t>& ids);

[[nodiscard]] Result<int64_t> countPictures(const Library& library, const PictureFilter& filter);

/// The models that pictures were made with, by name. @param path  of a model, whose names alone are asked
/// for; empty: of all
[[nodiscard]] Result<std::vector<std::string>> pictureModels(const Library& library,
                                                             const std::string& path = {});

/// Adds pictures in one transaction; known paths stay as they are.
[[nodiscard]] Result<void> addPictures(Library& library, const std::vector<PictureRecord>& pictures);

/// Adds a picture that was just written. One of the same path goes: its file is no more.
[[nodiscard]] Result<void> takeUpPicture(Library& library, const PictureRecord& picture);

/// Marks pictures, or takes the mark back, in one transaction.
[[nodiscard]] Result<void> setFavourite(Library& library, const std::vector<int64_t>& ids, bool favourite);

/// How the library has a picture file.
struct PictureState {
    int64_t id = 0; ///< 0: it is not in the library
    bool favourite = false;
    bool trashed = false;
    std::string model = {}; ///< its name for people, which the file does not know
    friend bool operator==(const PictureState&, const PictureState&) = default;
};

/// The states of these files, in their order.
[[nodiscard]] Result<std::vector<PictureState>> pictureStates(const Library& library,
                                                              const std::vector<std::string>& paths);

/// Hides pictures or brings them back.
[[nodiscard]] Result<void> setTrashed(Library& library, const std::vector<int64_t>& ids, bool trashed);

/// The hidden ones.
[[nodiscard]] Result<std::vector<PictureRecord>> trashedPictures(const Library& library);

/// Notes that pictures begin from this one.
[[nodiscard]] Result<void> noteStart(Library& library, const std::string& path);

/// The paths of a picture that others began from by its file name, the latest first. Some may be gone.
[[nodiscard]] Result<std::vector<std::string>> findStarts(const Library& library, const std::string& name);

/// A picture whose file lies elsewhere now.
struct MovedPicture {
    int64_t id = 0;
    std::string path;
};

/// Writes where files lie now, in one transaction. Where the library has a picture of that path already, that
/// one stays, with the mark and the model of the one that moved, which goes.
[[nodiscard]] Result<void> movePictures(Library& library, const std::vector<MovedPicture>& moved);

/// Drops rows for good, e.g. of files that were deleted.
[[nodiscard]] Result<void> forgetPictures(Library& library, const std::vector<int64_t>& ids);

} // namespace homebooth::core
