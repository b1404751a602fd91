// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// A folder of captioned pictures: metadata.jsonl, or a .txt file beside each picture.
// Free functions without state; any thread.
#pragma once

#include "core/engine/training/picture_source.h"

#include <string>
#include <vector>

namespace homebooth::core {

struct CaptionedPicture {
    std::string path;
    std::vector<std::string> captions; ///< one or more; a training step takes one of them at random
};

/// Reads the captions of a data set. With metadata.jsonl, each of its lines names a picture and has `text`, a
/// list `texts` or both (then the list counts); else every picture of the folder needs NAME.txt beside it.
/// Errors: BadInput naming the line or the pictures without a caption
[[nodiscard]] Result<std::vector<CaptionedPicture>> readCaptions(const std::string& folder,
                                                                 PictureSource& pictures);

} // namespace homebooth::core
