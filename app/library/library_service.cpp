// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/library/library_service.h"

#include "core/base/util/log.h"

#include <chrono>
#include <deque>
#include <utility>
#include <vector>

namespace homebooth::app {
namespace {

constexpr std::chrono::seconds kTryAgain(3); // for room on the disk

} // namespace

/// Touched on the library's thread only.
struct LibraryService::Desk {
    std::unique_ptr<core::Library> library;
    std::vector<std::function<void(core::Library&)>> waiting; // until it is open
    std::deque<Change> kept;                                  // to be written, the oldest first
    bool full = false;                                        // they wait for room
    bool refused = false;
};

LibraryService::LibraryService(QObject* parent)
    : QObject(parent)
    , m_worker(new QObject)
    , m_desk(std::make_shared<Desk>())
    , m_back(this) {
    m_thread.setObjectName(QStringLiteral("library"));
    m_worker->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, m_worker, &QObject::deleteLater);
    m_thread.start();
    connect(&m_backUps, &QTimer::timeout, this, &LibraryService::backUpNowAndThen);
    m_backUps.start(std::chrono::hours(1));
    connect(&m_tries, &QTimer::timeout, this,
            [this] { run([this](core::Library& library) { (void)writeKept(library); }); });
}

LibraryService::~LibraryService() {
    const auto close = [this] {
        if (!m_desk->library) return;
        const auto note = [](const core::Result<void>& written) {
            if (!written) core::log(core::LogLevel::Warning, written.error().text()); // nobody else is told
            return written.ok();
        };
        if (note(writeKept(*m_desk->library)))
            for (const Change& change : m_last) note(change(*m_desk->library));
        m_desk->library.reset();
    };
    QMetaObject::invokeMethod(m_worker, close, Qt::BlockingQueuedConnection);
    m_thread.quit();
    m_thread.wait();
}

void LibraryService::open(const QString& path) {
    m_path = path;
    m_state = State::Closed;
    QMetaObject::invokeMethod(m_worker, [this, desk = m_desk, path] {
        desk->refused = false;
        auto result = core::Library::open(path.toStdString());
        if (!result) {
            desk->refused = true;
            desk->waiting.clear();
            const QString text = QString::fromStdString(result.error().text());
            return m_back.call([this, text] {
                m_state = State::Refused;
                Q_EMIT openFailed(text);
            });
        }
        desk->library = std::move(*result);
        m_back.call([this, recovery = desk->library->recovery()] {
            m_state = State::Open;
            Q_EMIT opened(recovery);
        });
        for (const auto& work : std::exchange(desk->waiting, {})) work(*desk->library);
    });
}

void LibraryService::run(std::function<void(core::Library&)> work) {
    QMetaObject::invokeMethod(m_worker, [desk = m_desk, work = std::move(work)] {
        if (desk->library) return work(*desk->library);
        if (!desk->refused) desk->waiting.push_back(work);
    });
}

void LibraryService::write(Change change) {
    if (m_state == State::Refused)
        return report(
            core::badInput("keeping a change: the library is not open, so it was not kept; open the "
                           "library first",
                           m_path.toStdString()));
    run([this, change = std::move(change)](core::Library& library) {
        m_desk->kept.push_back(change);
        const auto written = writeKept(library);
        if (written) return;
        m_back.call([this, text = QString::fromStdString(written.error().text())] {
            m_tries.start(kTryAgain);
            Q_EMIT waitsForRoom(text);
        });
    });
}

void LibraryService::write(QObject* receiver, const Change& change,
                           const std::function<void(const core::Result<void>&)>& take) {
    work(receiver, change, [this, change, take](const core::Result<void>& written) {
        const bool full = !written && written.error().code == core::ErrorCode::OutOfResources;
        if (full) write(change);
        take(full ? core::Result<void>() : written);
    });
}

core::Result<void> LibraryService::writeKept(core::Library& library) {
    std::deque<Change>& kept = m_desk->kept;
    while (!kept.empty()) {
        const auto written = kept.front()(library);
        if (!written && written.error().code == core::ErrorCode::OutOfResources) {
            m_desk->full = true;
            return written;
        }
        kept.pop_front();
        if (!written) report(written.error());
    }
    if (std::exchange(m_desk->full, false))
        m_back.call([this] {
            m_tries.stop();
            Q_EMIT roomCame();
        });
    return {};
}

void LibraryService::writeLast(Change change) {
    m_last.push_back(std::move(change));
}

void LibraryService::backUpNowAndThen() {
    if (m_state != State::Open) return;
    run([](core::Library& library) {
        // No change is lost by it, as `failed` would say.
        if (const auto copied = library.backUpDaily(); !copied)
            core::log(core::LogLevel::Warning, copied.error().text());
    });
}

void LibraryService::report(const core::Error& error) {
    m_back.call([this, text = QString::fromStdString(error.text())] { Q_EMIT failed(text); });
}

} // namespace homebooth::app
