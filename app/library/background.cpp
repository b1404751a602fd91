// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/library/background.h"

#include "app/library/drive_pools.h"

#include <QCoreApplication>
#include <QDeadlineTimer>
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

using Clock = std::chrono::steady_clock;

constexpr int kLongestMs = 10'000;
constexpr int kLooks = 4;      // one may wait for a drive; the others go past it
constexpr int kModelLooks = 2; // for a drive

std::atomic<Clock::time_point> g_answered; // when the disk that is written to did last

/// Never destroyed: at the program's very end libraries that work uses are gone already. Waited for while
/// they are there, as Qt does with its own pool; but a disk that does not answer holds no program: that of
/// what is written is left to endInTime.
struct Pools {
    Pools() {
        look.setMaxThreadCount(kLooks);
        qAddPostRoutine([] {
            const QDeadlineTimer longest(kLongestMs);
            bool done = true;
            for (QThreadPool* pool : {&workPool(), &lookPool()})
                done = pool->waitForDone(static_cast<int>(longest.remainingTime())) && done;
            for (DrivePools* drives : {&modelDrives(), &resultDrives(), &journalDrives()})
                done = drives->leave(longest) && done;
            writeDrives().finish();
            if (!done) std::_Exit(EXIT_SUCCESS);
        });
    }
    QThreadPool work;
    QThreadPool look;
    DrivePools models{kModelLooks};
    DrivePools results{kModelLooks};
    DrivePools journals{1};
    DrivePools writes{1};
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

QThreadPool& lookPool() {
    return pools().look;
}

DrivePools& modelDrives() {
    return pools().models;
}

DrivePools& resultDrives() {
    return pools().results;
}

DrivePools& journalDrives() {
    return pools().journals;
}

DrivePools& writeDrives() {
    return pools().writes;
}

void tellWriting() {
    g_answered = Clock::now();
}

void endInTime(std::chrono::milliseconds silence) {
    tellWriting(); // it is counted from here
    const auto watch = [silence] {
        Clock::time_point last;
        do {
            last = g_answered;
            std::this_thread::sleep_until(last + silence);
        } while (last != g_answered.load());
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
