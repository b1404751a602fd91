// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/request_pool.h"

#include <QThreadPool>

namespace homebooth::app {
namespace {

/// One request may wait for a worker that hangs; the others go past it.
constexpr int kRequests = 4;

class Pool : public QThreadPool {
public:
    Pool() { setMaxThreadCount(kRequests); }
};

} // namespace

QThreadPool& requestPool() {
    static Pool pool;
    return pool;
}

} // namespace homebooth::app
