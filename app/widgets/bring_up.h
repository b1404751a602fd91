// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Brings a window that is open before the others. Free functions; GUI thread.
#pragma once

#include <QByteArray>

class QWidget;

namespace homebooth::app {

/// The variable in which a program that is started finds the token.
constexpr const char* kActivationToken = "XDG_ACTIVATION_TOKEN";

/// Also one that was minimised.
/// @param token  what a Wayland compositor gave whoever asks for it: without one it lets no window come up
void bringUp(QWidget& window, const QByteArray& token = {});

} // namespace homebooth::app
