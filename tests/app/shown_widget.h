// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A widget of a size that is seen. Free function; GUI thread.
#pragma once

#include <QTest>
#include <QWidget>

namespace homebooth::app {

/// @returns whether it is seen by now
[[nodiscard]] inline bool isShown(QWidget& widget, QSize size) {
    widget.resize(size);
    widget.show();
    return QTest::qWaitForWindowExposed(&widget);
}

} // namespace homebooth::app
