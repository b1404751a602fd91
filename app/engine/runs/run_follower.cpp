// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/runs/run_follower.h"

#include "app/engine/runs/moments.h"
#include "app/engine/runs/run_end.h"
#include "app/engine/runs/run_files.h"
#include "core/base/run/journal/journal.h"
#include "core/base/run/run_folder.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QDeadlineTimer>
#include <QFileInfo>
#include <QSet>
#include <QTimer>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

namespace homebooth::app {
namespace {

constexpr int kPollMs = 250;
constexpr size_t kMostEntries = 4000;  // in one piece
constexpr size_t kMostFollowed = 8000; // held at a time
constexpr int kPieceMs = 10;
constexpr int kPatienceMs = 2000; // at the program's end, for all of them

/// Threads whose followers are gone, until these are. GUI thread.
QSet<QThread*>& leaving() {
    static QSet<QThread*> threads;
    return threads;
}

/// Before what they use is gone. Where a disk never answers, its thread is left behind.
void waitForLeaving() {
    const QDeadlineTimer longest(kPatienceMs);
    const QSet<QThread*> threads = std::exchange(leaving(), {});
    for (QThread* thread : threads)
        if (thread->wait(longest)) delete thread;
}

/// Lets a thread end by itself: its disk may take seconds to wake up, and the window goes on meanwhile.
void leave(QThread* thread) {
    static const bool waits = [] {
        qAddPostRoutine(waitForLeaving);
        return true;
    }();
    Q_UNUSED(waits)
    leaving().insert(thread);
    QObject::connect(thread, &QObject::destroyed, thread, [thread] { leaving().remove(thread); });
    QObject::connect(thread, &QThread::finished, thread, &QObject::deleteLater);
    thread->quit();
}

/// When a line was written, as it says itself; 0 where that is still to come: its clock was another one.
int64_t writtenMs(const core::JournalEntry& entry) {
    const QDateTime when = QDateTime::fromString(QString::fromStdString(entry.time), Qt::ISODateWithMs);
    return when.isValid() && when <= QDateTime::currentDateTime() ? when.toMSecsSinceEpoch() : 0;
}

/// Lives on the follower's thread.
class Tail : public QObject {
    Q_OBJECT
public:
    explicit Tail(QString folder)
        : m_folder(std::move(folder))
        , m_reader((m_folder + QStringLiteral("/events.jsonl")).toStdString()) {}

    void start() {
        auto* timer = new QTimer(this);
        connect(timer, &QTimer::timeout, this, &Tail::poll);
        timer->start(kPollMs);
        poll();
    }

Q_SIGNALS:
    void found(const homebooth::app::RunUpdate& update);
    void failed(const QString& message);

private:
    void poll();
    void sendPiece();
    void readConfig();
    void readMoments();
    [[nodiscard]] bool folderGone() const;
    /// Previews lie within the run, wherever its journal says that was.
    void bringPreviewsAlong(RunUpdate& update) const;
    /// Whether somebody works there. A lock that cannot be opened for a moment tells nothing new.
    [[nodiscard]] bool alive(bool gone) const {
        if (isMoving(m_folder)) return false;
        const std::string lock = (m_folder + QStringLiteral("/lock")).toStdString();
        if (const auto owner = core::RunLock::owner(lock)) return owner->alive && !isMoving(m_folder);
        std::error_code ignored; // where nobody can tell, it may be there
        const auto type = std::filesystem::symlink_status(lock, ignored).type();
        return m_wasAlive && !gone && type != std::filesystem::file_type::not_found;
    }

    QString m_folder;
    core::JournalReader m_reader;
    WorkedTime m_worked;
    std::optional<core::TrainConfig> m_config; // read, but not handed over yet
    QDateTime m_configTime;
    std::optional<std::vector<Moment>> m_moments; // the same
    QDateTime m_momentsTime;
    std::vector<core::JournalEntry> m_pending; // read, but not handed over yet
    size_t m_sent = 0;
    int64_t m_lastLineMs = 0;
    bool m_more = false; // the journal goes on behind what is pending
    bool m_wasAlive = false;
    bool m_gone = false;
    bool m_first = true;
    bool m_failed = false;
};

void Tail::poll() {
    if (!m_pending.empty()) return; // the next piece is on its way
    // Who works is asked first: what it wrote last is then read for certain.
    const bool nowGone = folderGone();
    const bool nowAlive = alive(nowGone);
    auto entries = m_reader.poll(kMostFollowed);
    if (!entries) {
        if (!m_failed) Q_EMIT failed(QString::fromStdString(entries.error().text()));
        m_failed = true;
        return;
    }
    m_failed = false;
    readConfig();
    readMoments();
    const bool changed = m_first || nowAlive != m_wasAlive || nowGone != m_gone || m_config || m_moments;
    if (entries->empty() && !changed && !m_more) return;
    m_first = false;
    m_wasAlive = nowAlive;
    m_gone = nowGone;
    m_pending = std::move(*entries);
    m_more = m_pending.size() >= kMostFollowed;
    sendPiece();
}

bool Tail::folderGone() const {
    // Whoever works on a run that was moved may make its folder anew, for what is saved next.
    return m_configTime.isValid() ? !QFileInfo::exists(m_folder + QStringLiteral("/run.json"))
                                  : !QFileInfo::exists(m_folder);
}

void Tail::bringPreviewsAlong(RunUpdate& update) const {
    const std::string place = m_folder.toStdString() + "/samples/";
    for (core::PreviewEvent& preview : update.previews) {
        const size_t name = preview.path.rfind("/samples/");
        if (name != std::string::npos) preview.path = place + preview.path.substr(name + 9);
    }
}

void Tail::readConfig() {
    const QDateTime time = QFileInfo(m_folder + QStringLiteral("/run.json")).lastModified();
    if (time == m_configTime || !time.isValid()) return; // away for a while, it is what it was
    m_configTime = time;
    const auto run = core::RunFolder::open(m_folder.toStdString());
    if (!run) return;
    if (const auto config = run->config()) m_config = *config;
}

void Tail::readMoments() {
    const QDateTime time = QFileInfo(m_folder + QStringLiteral("/checkpoints")).lastModified();
    if (time == m_momentsTime) return; // they may also have gone
    m_momentsTime = time;
    m_moments = momentsOf(m_folder);
}

void Tail::sendPiece() {
    RunUpdate update;
    update.moments = std::exchange(m_moments, std::nullopt);
    update.config = std::exchange(m_config, std::nullopt);
    const size_t end = std::min(m_pending.size(), m_sent + kMostEntries);
    for (; m_sent < end; ++m_sent) {
        update.take(m_pending[m_sent]);
        m_worked.take(m_pending[m_sent]);
    }
    update.workedSeconds = m_worked.seconds();
    bringPreviewsAlong(update);
    update.workerAlive = m_wasAlive;
    update.folderGone = m_gone;
    const bool last = m_sent == m_pending.size();
    update.more = !last || m_more;
    if (last && !m_pending.empty()) m_lastLineMs = writtenMs(m_pending.back());
    if (last && m_more) {
        m_pending.clear();
        m_sent = 0;
    } else if (last) {
        const QFileInfo journal(m_folder + QStringLiteral("/events.jsonl"));
        update.lastSignMs = journal.lastModified().toMSecsSinceEpoch();
        update.lastLineMs = m_lastLineMs;
        update.modelThere = QFileInfo::exists(m_folder + QStringLiteral("/result/model/model_index.json"));
        m_pending.clear();
        m_sent = 0;
    }
    Q_EMIT found(update);
    // Between two pieces the window lives: it draws and answers.
    if (!last)
        QTimer::singleShot(kPieceMs, this, &Tail::sendPiece);
    else if (m_more)
        QTimer::singleShot(kPieceMs, this, &Tail::poll);
}

} // namespace

RunFollower::RunFollower(const QString& runFolder, QObject* parent)
    : QObject(parent)
    , m_folder(runFolder)
    , m_thread(new QThread) {
    qRegisterMetaType<RunUpdate>();
    m_thread->setObjectName(QStringLiteral("follower"));
}

RunFollower::~RunFollower() {
    if (m_thread->isRunning())
        leave(m_thread);
    else
        delete m_thread;
}

void RunFollower::start() {
    auto* tail = new Tail(m_folder);
    tail->moveToThread(m_thread);
    connect(m_thread, &QThread::finished, tail, &QObject::deleteLater);
    connect(m_thread, &QThread::started, tail, &Tail::start);
    connect(tail, &Tail::found, this, &RunFollower::updated);
    connect(tail, &Tail::failed, this, &RunFollower::failed);
    m_thread->start();
}

} // namespace homebooth::app

#include "run_follower.moc"
