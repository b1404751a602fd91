// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Pictures that a file names one by one, for a plan: those of a training whose folder is not made so far.
// Free function; any thread.
#pragma once

#include "core/engine/data/captions.h"

#include <string>
#include <vector>

namespace homebooth::core {

/// A JSON object a line: the picture's whole path as file_name, and as text the caption of one that has its
/// own. Looks at no picture. @param sentence  the caption of all others
/// Errors: BadInput naming the file, or the line that is none of these
[[nodiscard]] Result<std::vector<CaptionedPicture>> readListedPictures(const std::string& file,
                                                                       const std::string& sentence);

} // namespace homebooth::core
