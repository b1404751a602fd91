// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// How far a wheel was turned. A mouse tells whole notches, a touchpad many small parts of one, and both tell
// of turns to the side. A function; any thread.
#pragma once

#include <QWheelEvent>

namespace homebooth::app {

/// Notches of an event away from the user; below 0 towards them, 0 for a turn to the side.
[[nodiscard]] inline double wheelSteps(const QWheelEvent& event) {
    return double(event.angleDelta().y()) / int(QWheelEvent::DefaultDeltasPerStep);
}

} // namespace homebooth::app
