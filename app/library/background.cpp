// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/library/background.h"

#include <QCoreApplication>
#include <QObject>

#include <atomic>
#include <cstdlib>
#include <mutex>
#include <system_error>
#include <thread>

namespace homebooth::app {
namespace {

/// What both ends know: the object that calls are posted to, null once it is gone.
struct Link {
    std::mutex mutex;
    QObject* relay = nullptr;
};

/// A child of the owner, so that it goes with it; what was posted to it and not yet called goes, too.
class Relay : public QObject {
public:
    Relay(QObject* owner, std::shared_ptr<Link> link)
        : QObject(owner)
        , m_link(std::move(link)) {
        m_link->relay = this;
    }
    ~Relay() override {
        const std::lock_guard held(m_link->mutex);
        m_link->relay = nullptr;
    }

private:
    std::shared_ptr<Link> m_link;
};

constexpr int kLongestMs = 10'000;
constexpr int kSilentMs = 30'000; // one large file on a slow drive
std::atomic<int> g_answers{0};    // of the disk that is written to

/// Waits as long as something is written. @returns whether all is
bool allWritten() {
    for (;;) {
        const int before = g_answers;
        if (writeThread().waitForDone(kSilentMs)) return true;
        if (g_answers == before) return false;
    }
}

/// Never destroyed: at the program's very end libraries that work uses are gone already. Waited for while
/// they are there, as Qt does with its own pool; but a disk that does not answer holds no program.
struct Pools {
    Pools() {
        write.setMaxThreadCount(1);
        qAddPostRoutine([] {
            const bool worked = workPool().waitForDone(kLongestMs);
            if (!allWritten() || !worked) std::_Exit(EXIT_SUCCESS);
        });
    }
    QThreadPool work;
    QThreadPool write;
};

Pools& pools() {
    static Pools* const all = new Pools;
    return *all;
}

} // namespace

struct WayBack::Handle {
    std::shared_ptr<Link> link = std::make_shared<Link>();
    ~Handle() {
        const std::lock_guard held(link->mutex);
        // By a call of its own, behind those that wait: posted events of deletion may overtake them.
        if (link->relay != nullptr)
            QMetaObject::invokeMethod(link->relay, &QObject::deleteLater, Qt::QueuedConnection);
    }
};

QThreadPool& workPool() {
    return pools().work;
}

QThreadPool& writeThread() {
    return pools().write;
}

void tellWriting() {
    ++g_answers;
}

void endInTime(std::chrono::milliseconds silence) {
    const auto watch = [silence] {
        for (int before = g_answers - 1; before != g_answers;) {
            before = g_answers;
            std::this_thread::sleep_for(silence);
        }
        std::_Exit(EXIT_SUCCESS);
    };
    try {
        std::thread(watch).detach();
    } catch (const std::system_error&) {
        return; // the program ends as soon as its work does
    }
}

WayBack::WayBack(QObject* owner)
    : m_handle(std::make_shared<Handle>()) {
    new Relay(owner, m_handle->link);
}

void WayBack::call(std::function<void()> what) const {
    const std::lock_guard held(m_handle->link->mutex);
    if (m_handle->link->relay == nullptr) return;
    QMetaObject::invokeMethod(
        m_handle->link->relay, [what = std::move(what)] { what(); }, Qt::QueuedConnection);
}

} // namespace homebooth::app
