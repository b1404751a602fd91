// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Threads for what people wait for with a finger on the button: pause, stop, "is somebody at work?", the
// folder of a new run. Done in a blink or after a time limit. Everything that may take long (hashing,
// importing, pictures) works on another pool (library/background.h), so that no request ever stands behind
// it. Any thread; both live as long as the program.
#pragma once

class QThreadPool;

namespace homebooth::app {

[[nodiscard]] QThreadPool& requestPool();

/// One thread for the queue's folder: what is asked of it is done in its order.
[[nodiscard]] QThreadPool& queueThread();

} // namespace homebooth::app
