// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/bring_up.h"

#include <QWidget>

namespace homebooth::app {

void bringUp(QWidget& window, const QByteArray& token) {
    window.setWindowState(window.windowState() & ~Qt::WindowMinimized); // which showing it leaves as it is
    window.show();
    window.raise();
    if (!token.isEmpty()) qputenv(kActivationToken, token); // Qt hands it to the compositor
    window.activateWindow();
    qunsetenv(kActivationToken); // it counts once
}

} // namespace homebooth::app
