// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// A folder of captioned pictures: metadata.jsonl, a .txt or .caption file beside each picture, or
// WebDataset shards; and the photos of one subject, whose captions are optional.
// Free functions without state; any thread.
#pragma once

#include "core/engine/data/broken_pictures.h"
#include "core/engine/jobs/picture_source.h"

#include <string>
#include <vector>

namespace homebooth::core {

struct CaptionedPicture {
    std::string path; ///< of a file, or of a member of a shard (core/base/formats/packed_files.h)
    std::vector<std::string> captions; ///< one or more; a training step takes one of them at random
};

/// The names in a text with commas between, without blanks around them and without empty ones.
[[nodiscard]] std::vector<std::string> captionColumns(const std::string& text);

/// Reads the captions of a data set. With metadata.jsonl, each of its lines names a picture and has `text`, a
/// list `texts` or both (then the list counts); else every picture of the folder needs NAME.txt or
/// NAME.caption beside it. A folder without pictures of its own may hold shards, also in folders within.
/// @param broken  receives damaged shards and captions that cannot be read or are not UTF-8; where it may
///                leave out, also pictures without a caption and lines that are not understood, instead of an
///                error
/// @param columns names of what holds captions in metadata.jsonl and in the JSON of shards; all of them
/// count,
///                in this order, and nothing else. None: as above
/// Errors: BadInput naming the line or the pictures without a caption; columns and nothing that could have
/// them
[[nodiscard]] Result<std::vector<CaptionedPicture>>
readCaptions(const std::string& folder, PictureSource& pictures, BrokenPictures& broken,
             const std::vector<std::string>& columns = {});

/// The photos of one subject: NAME.txt or NAME.caption beside a photo is its caption, `sentence` that of
/// all others. An empty file counts as none.
/// @param broken  receives captions that cannot be read or are not UTF-8; their photos are left out
/// Errors: BadInput for a folder that cannot be read
[[nodiscard]] Result<std::vector<CaptionedPicture>> readPhotos(const std::string& folder,
                                                               const std::string& sentence,
                                                               PictureSource& pictures,
                                                               BrokenPictures& broken);

} // namespace homebooth::core
