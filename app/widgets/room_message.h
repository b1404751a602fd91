// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Says that a disk has no room for what is to be written, with the way to another folder. GUI thread.
#pragma once

#include "app/engine/runs/disk_use.h"
#include "app/widgets/message_bar.h"

namespace homebooth::app {

struct RoomMessage {
    QString folder; ///< that was to be written into
    Shortage shortage;
    QString kept;                      ///< what became of the work, plain; may be empty
    QString key;                       ///< of the message
    std::vector<Remedy> remedies = {}; ///< beside the other folder
    QString trouble = {};              ///< plain, instead of what is lacking; empty: it is room
};

/// Shows it on a bar; "Other folder" asks for one and calls `elsewhere` with it. The message goes with a
/// choice.
/// @param page  the bar's, which asks
void tellNoRoom(QWidget& page, MessageBar& bar, const RoomMessage& message,
                const std::function<void(const QString&)>& elsewhere);

/// The way that asks for another folder, and calls `elsewhere` with it.
[[nodiscard]] Remedy otherFolder(QWidget& page, const std::function<void(const QString&)>& elsewhere);

/// What is lacking in words, plain: "4.2 GB are needed, 0.6 GB are free."
[[nodiscard]] QString shortageText(const Shortage& shortage);

} // namespace homebooth::app
