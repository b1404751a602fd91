// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Threads for what people wait for with a finger on the button: pause, stop, "is somebody at work?", the
// folder of a new run. Done in a blink or after a time limit. Everything that may take long (hashing,
// importing, pictures) works on Qt's own pool, so that no request ever stands behind it. Any thread; lives as
// long as the program.
#pragma once

class QThreadPool;

namespace homebooth::app {

[[nodiscard]] QThreadPool& requestPool();

} // namespace homebooth::app
