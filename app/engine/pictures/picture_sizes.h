// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Sizes of pictures that a model takes: multiples of what its VAE makes one place of. Pure functions; any
// thread.
#pragma once

#include <QSize>
#include <QString>

#include <algorithm>
#include <cstdint>

namespace homebooth::app {

constexpr int64_t kLeastSizeStep = 8; // whatever the model

/// The nearest multiple of `step`, of two the larger; at least `step`. Pixels
[[nodiscard]] inline int64_t nearestSize(int64_t pixels, int64_t step) {
    return std::max(step, (pixels + step / 2) / step * step);
}

/// "768 x 512"
[[nodiscard]] inline QString sizeText(QSize size) {
    return QStringLiteral("%1 x %2").arg(size.width()).arg(size.height());
}

} // namespace homebooth::app
