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
/// The subject stays what it is, and edges become sharp.
constexpr double kStrength = 0.35;
/// Of which a third counts; models for few steps have fewer.
constexpr int64_t kLeastSteps = 12;

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

core::SampleConfig enlarging(core::SampleConfig made, const std::string& picture, QSize size) {
    made.initImage = picture;
    made.strength = kStrength;
    made.widthPixels = size.width();
    made.heightPixels = size.height();
    made.steps = std::max(made.steps, kLeastSteps);
    made.count = 1;
    return made;
}

} // namespace homebooth::app
