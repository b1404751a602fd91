// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What trainings held out of a data set. Free function; any thread.
#pragma once

#include <QStringList>

#include <cstdint>
#include <optional>

namespace homebooth::app {

/// What a training did not learn of a data set.
struct HeldOut {
    double share = 0.0; ///< of the pictures, as it was asked for; 0: none
    /// How many that were; nothing where the run does not tell, as older ones.
    std::optional<int64_t> pictures = {};

    bool operator==(const HeldOut&) const = default;
};

/// What the last training on a data set that made a step held out; nothing held out where there was none.
/// @param runs  folders of runs, the last one first
[[nodiscard]] HeldOut heldOutOf(const QStringList& runs, const QString& dataset);

} // namespace homebooth::app
