// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What can be done with a moment of a run wherever its picture is shown. GUI thread.
#pragma once

#include <QString>

#include <cstdint>
#include <functional>

class QPoint;
class QWidget;

namespace homebooth::app {

class RunSession;

/// What a favourite among the moments is good for.
[[nodiscard]] QString keptAsFavouriteText();

/// Opens a menu at a place on the screen; it goes by itself. Of a moment that was not saved the picture alone
/// is there, and can be no favourite. @param larger  shows its picture
void openMomentMenu(QWidget& owner, const QPoint& place, RunSession& run, int64_t step,
                    const std::function<void()>& larger);

} // namespace homebooth::app
