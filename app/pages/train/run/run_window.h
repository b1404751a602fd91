// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Windows beside the page Train that tell more of a run: each is open once. Free functions; GUI thread.
#pragma once

class QDialog;
class QString;
class QWidget;

namespace homebooth::app {

/// Makes a window that goes when it is closed, not shown so far.
/// @param key  what it tells of which run
[[nodiscard]] QDialog* makeRunWindow(QWidget* parent, const QString& key, const QString& title);

/// The window of this key that is open, brought before the others; nothing if there is none.
[[nodiscard]] QDialog* raisedRunWindow(const QWidget& parent, const QString& key);

} // namespace homebooth::app
