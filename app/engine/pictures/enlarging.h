// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A picture made once more at a larger size: the model draws over the enlarged one and fills in what it
// lacks. Pure functions; any thread.
#pragma once

#include "core/base/config/sample_config.h"

#include <QSize>

#include <optional>

namespace homebooth::app {

/// The size that a picture is enlarged to: twice its sides, or what a longer side of 2048 px leaves. None:
/// that would gain less than a fifth. Pixels
/// @param step  of which the model's sizes are multiples
[[nodiscard]] std::optional<QSize> enlargedSize(QSize size, int64_t step);

/// The job that enlarges a picture.
/// @param made  what it was made with
/// @param picture  its file
/// @param size  that it gets, pixels
/// @param modelPixels  side of the pictures that the model was made for
[[nodiscard]] core::SampleConfig enlarging(core::SampleConfig made, const std::string& picture, QSize size,
                                           qint64 modelPixels);

} // namespace homebooth::app
