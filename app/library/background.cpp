// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/library/background.h"

#include <QCoreApplication>
#include <QObject>

#include <cstdlib>
#include <mutex>

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
    // Never destroyed: at the program's very end libraries that work uses are gone already. Waited for while
    // they are there, as Qt does with its own pool; but a disk that does not answer holds no program.
    static constexpr int kLongestMs = 10'000;
    static QThreadPool* const pool = [] {
        qAddPostRoutine([] {
            if (!workPool().waitForDone(kLongestMs)) std::_Exit(EXIT_SUCCESS);
        });
        return new QThreadPool;
    }();
    return *pool;
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
