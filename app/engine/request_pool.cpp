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
    explicit Pool(int threads) { setMaxThreadCount(threads); }
    Pool(int threads, int expiryMs)
        : Pool(threads) {
        setExpiryTimeout(expiryMs);
    }
};

} // namespace

QThreadPool& requestPool() {
    static Pool pool(kRequests);
    return pool;
}

QThreadPool& queueThread() {
    constexpr int kNever = -1;
    static Pool pool(1, kNever); // letting the turn go must not need a new thread, which may not be had
    return pool;
}

QThreadPool& lifeThread() {
    static Pool pool(1);
    return pool;
}

} // namespace homebooth::app
