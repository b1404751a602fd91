// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/pictures/enlarging.h"

#include "app/engine/pictures/picture_sizes.h"

#include <algorithm>
#include <cmath>

namespace homebooth::app {
namespace {

constexpr double kFactor = 2;
constexpr double kLeastFactor = 1.2;
constexpr double kMostSide = 2048; // of self-attention the cost grows with the fourth power of a side
constexpr double kLeastSteps = 4;

/// So much that edges become sharp and the subject stays what it is. A model of small pictures knows parts of
/// things alone from seeing them whole, and makes others of them.
double strengthFor(qint64 modelPixels) {
    constexpr qint64 kUsual = 512;
    return modelPixels < kUsual ? 0.15 : 0.3;
}

} // namespace

std::optional<QSize> enlargedSize(QSize size, int64_t step) {
    if (size.isEmpty()) return std::nullopt;
    const double factor = std::min(kFactor, kMostSide / std::max(size.width(), size.height()));
    if (factor < kLeastFactor) return std::nullopt;
    const auto side = [factor, step](int pixels) {
        return static_cast<int>(nearestSize(std::llround(pixels * factor), step));
    };
    return QSize(side(size.width()), side(size.height()));
}

core::SampleConfig enlarging(core::SampleConfig made, const std::string& picture, QSize size,
                             qint64 modelPixels) {
    made.initImage = picture;
    made.strength = strengthFor(modelPixels);
    made.widthPixels = size.width();
    made.heightPixels = size.height();
    made.steps = std::max(made.steps, static_cast<int64_t>(std::ceil(kLeastSteps / made.strength)));
    made.count = 1;
    return made;
}

} // namespace homebooth::app
