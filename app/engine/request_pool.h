// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Threads for what people wait for with a finger on the button: pause, stop, the folder of a new run. Done in
// a blink or after a time limit. Everything that may take long (hashing, importing, pictures) works on
// another pool (library/background.h), so that no request ever stands behind it. Any thread; all live as long
// as the program.
#pragma once

class QThreadPool;

namespace homebooth::app {

[[nodiscard]] QThreadPool& requestPool();

/// One thread for the queue's folder: what is asked of it is done in its order.
[[nodiscard]] QThreadPool& queueThread();

/// One thread for "is somebody at work?", which is asked of every run time and again: a run on a drive that
/// does not answer holds no request.
[[nodiscard]] QThreadPool& lifeThread();

} // namespace homebooth::app
