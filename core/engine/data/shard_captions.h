// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Captioned pictures in WebDataset shards. Free functions without state; any thread. Captions are kept,
// pictures stay where they are. Source: the WebDataset format, "samples are files with the same key".
#pragma once

#include "core/engine/data/broken_pictures.h"
#include "core/engine/data/captions.h"
#include "core/engine/jobs/picture_source.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace homebooth::core {

/// Members of one shard whose names agree up to the first dot belong together. Their picture is KEY.jpg or of
/// another format, its caption KEY.txt, or `texts`, `caption` or `text` in KEY.json. Pictures come in the
/// order of the shards, and in a shard as they were packed.
/// @param broken  receives damaged shards; what they hold ahead of the damage is used, but for pictures whose
///                captions lie behind it; captions that are not UTF-8; where it may leave out, also pictures
///                without a caption
/// @param columns names of what holds captions in KEY.json, all that count then: neither KEY.txt nor other
/// names
///                are looked at. None: as above
/// Errors: BadInput naming pictures without a caption, or a name that a shard holds twice
[[nodiscard]] Result<std::vector<CaptionedPicture>>
readShards(const std::string& folder, const std::vector<std::string>& shards, const PictureSource& pictures,
           BrokenPictures& broken, const std::vector<std::string>& columns = {});

/// How many pictures of a shard have names by which they may be trained on; of a damaged one, of those ahead
/// of the damage. Headers alone are read.
/// @param mostMembers  how many it may have; afterwards, how many are left for other shards
/// @returns nothing for a shard that has more of them, or that cannot be opened
[[nodiscard]] std::optional<int64_t> picturesNamedIn(const std::string& shard, const PictureSource& pictures,
                                                     int64_t& mostMembers);

} // namespace homebooth::core
