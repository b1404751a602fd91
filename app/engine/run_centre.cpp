// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/run_centre.h"

#include "app/engine/photo_folder.h"
#include "app/engine/places.h"
#include "app/engine/run_session.h"
#include "app/library/background.h"
#include "app/library/library_service.h"
#include "core/base/files/atomic_file.h"
#include "core/base/run/journal.h"
#include "core/base/run/run_folder.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>

namespace homebooth::app {
namespace {

constexpr int kLifeMs = 2000;
constexpr const char* kPhotos = "/photos";
// A job with another ending is none for the supervisor, which so stops after the present one.
constexpr const char* kJobEnding = ".json";
constexpr const char* kHeldEnding = ".held";

bool worksOn(const QString& folder) {
    const auto owner = core::RunLock::owner((folder + QStringLiteral("/lock")).toStdString());
    return owner && owner->alive;
}

/// Makes folder, photos and journal; what was made goes again when something fails.
core::Result<void> makeRun(const RunOrder& order, const QString& folder) {
    core::TrainConfig config = order.config;
    config.output.runDir = folder.toStdString();
    const QString photos = folder + QLatin1String(kPhotos);
    const bool captions = config.mode == core::TrainMode::Dataset;
    if (!order.subjects.empty())
        (captions ? config.data.datasetDir : config.data.instanceDir) = photos.toStdString();
    HOMEBOOTH_ASSIGN(const core::RunFolder run, core::RunFolder::create(folder.toStdString(), config));
    auto filled =
        order.subjects.empty() ? core::Result<void>() : preparePhotos(order.subjects, photos, captions);
    if (filled && !order.plan.decisions.empty()) {
        const auto journal = core::JournalWriter::open(run.journalFile());
        if (journal) (*journal)->emit(order.plan);
        if (!journal) filled = journal.error();
    }
    if (!filled) QDir(folder).removeRecursively();
    return filled;
}

core::Result<void> changeConfig(const QString& folder, const ResumeOptions& options,
                                const core::ResourceUse& seen) {
    HOMEBOOTH_ASSIGN(const core::RunFolder run, core::RunFolder::open(folder.toStdString()));
    HOMEBOOTH_ASSIGN(core::TrainConfig config, run.config());
    if (options.steps > 0) config.steps = options.steps;
    if (options.lessMemory) config = withLessMemory(config, seen);
    return run.setConfig(config);
}

} // namespace

namespace {

/// The files of the queue in their order.
QStringList jobFiles() {
    const QStringList names{'*' + QString::fromLatin1(kJobEnding), '*' + QString::fromLatin1(kHeldEnding)};
    return QDir(queueFolder()).entryList(names, QDir::Files, QDir::Name);
}

/// The run that a job's file names; empty if it is none.
QString runIn(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return {};
    return QJsonDocument::fromJson(file.readAll()).object().value(QLatin1String("run")).toString();
}

} // namespace

QString queueFolder() {
    const QString state = qEnvironmentVariable("XDG_STATE_HOME");
    return (state.startsWith('/') ? state : QDir::homePath() + QStringLiteral("/.local/state")) +
           QStringLiteral("/homebooth/queue");
}

RunCentre::RunCentre(LibraryService& library, QObject* parent)
    : QObject(parent)
    , m_library(library) {
    m_life.setInterval(kLifeMs);
    connect(&m_life, &QTimer::timeout, this, &RunCentre::lookForLife);
}

RunCentre::~RunCentre() = default;

void RunCentre::open(const QString& runsFolder) {
    m_runsFolder = runsFolder;
    readQueue();
    m_library.work(
        this,
        [folder = runsFolder.toStdString()](core::Library& library) {
            return core::rebuildRuns(library, folder);
        },
        [this](const core::Result<int>& rebuilt) {
            if (!rebuilt) Q_EMIT failed(QString::fromStdString(rebuilt.error().text()));
            reloadRuns();
        });
    m_life.start();
}

const core::RunRecord* RunCentre::find(const QString& folder) const {
    for (const core::RunRecord& run : m_runs)
        if (run.folder == folder.toStdString()) return &run;
    return nullptr;
}

bool RunCentre::busy() const {
    return m_current && m_current->active();
}

void RunCentre::reloadRuns() {
    m_library.ask<std::vector<core::RunRecord>>(
        this, [](core::Library& library) { return core::loadRuns(library); },
        [this](const std::vector<core::RunRecord>& runs) {
            m_runs = runs;
            Q_EMIT runsChanged();
            if (std::exchange(m_first, false)) lookForLife();
        });
}

void RunCentre::lookForLife() {
    if (busy() || m_runs.empty()) return;
    QStringList folders;
    for (const core::RunRecord& run : m_runs)
        if (run.endedMs == 0 || run.state != "done") folders.append(QString::fromStdString(run.folder));
    const auto firstAlive = [folders] {
        for (const QString& folder : folders)
            if (worksOn(folder)) return folder;
        return QString();
    };
    inBackground(this, firstAlive, [this](const QString& folder) {
        if (folder.isEmpty() || busy()) return;
        readQueue();
        show(folder);
    });
}

void RunCentre::begin(const RunOrder& order) {
    const QString folder = freeFolder(m_runsFolder, safeFileName(order.title));
    inBackground(
        this, [order, folder] { return makeRun(order, folder); },
        [this, order, folder](const core::Result<void>& result) {
            if (!result) return Q_EMIT failed(QString::fromStdString(result.error().text()));
            made(order, folder);
        });
}

void RunCentre::made(const RunOrder& order, const QString& folder) {
    core::RunRecord record;
    record.id = core::newRecordId();
    record.folder = folder.toStdString();
    record.title = order.title.toStdString();
    record.prompt = order.config.data.instancePrompt.empty() ? order.config.output.previewPrompt
                                                             : order.config.data.instancePrompt;
    record.model = order.config.model;
    record.state = "waiting";
    record.steps = order.config.steps;
    record.createdMs = core::nowMs();
    for (const core::Subject& subject : order.subjects) record.subjects.push_back(subject.id);
    m_runs.insert(m_runs.begin(), record);
    m_library.write([record](core::Library& library) { return core::saveRun(library, record); });
    Q_EMIT runsChanged();
    if (busy()) {
        m_queue.append(folder);
        writeQueue();
        Q_EMIT begun(folder, true);
        return;
    }
    attach(folder, order.title);
    m_current->launch();
    Q_EMIT begun(folder, false);
}

void RunCentre::show(const QString& folder) {
    if (m_current && m_current->folder() == folder) return Q_EMIT currentChanged();
    const core::RunRecord* record = find(folder);
    attach(folder, record != nullptr ? QString::fromStdString(record->title) : QFileInfo(folder).fileName());
}

void RunCentre::resume(const QString& folder, const ResumeOptions& options) {
    if (busy()) return Q_EMIT failed(tr("Another training works. Wait until it ended, or stop it."));
    const bool shown = m_current && m_current->folder() == folder;
    const core::ResourceUse seen = shown ? mostUsed(m_current->data()) : core::ResourceUse{};
    if (options.steps > 0 || options.lessMemory)
        if (const auto changed = changeConfig(folder, options, seen); !changed)
            return Q_EMIT failed(QString::fromStdString(changed.error().text()));
    show(folder);
    m_current->launch();
}

void RunCentre::remove(const QString& folder) {
    const bool shown = m_current && m_current->folder() == folder;
    if (shown && busy()) return Q_EMIT failed(tr("This training works. Stop it first."));
    if (shown) dismiss();
    unqueue(folder);
    inBackground(
        this, [folder] { return QFile::moveToTrash(folder) || !QFileInfo::exists(folder); },
        [this, folder](bool gone) {
            if (!gone) return Q_EMIT failed(tr("%1 could not be moved into the trash.").arg(folder));
            forget(folder.toStdString());
        });
}

void RunCentre::forget(const std::string& folder) {
    std::erase_if(m_runs, [&folder](const core::RunRecord& run) { return run.folder == folder; });
    m_library.write([folder](core::Library& library) { return core::removeRun(library, folder); });
    Q_EMIT runsChanged();
}

void RunCentre::dismiss() {
    if (busy()) return;
    m_current.reset();
    Q_EMIT currentChanged();
}

void RunCentre::attach(const QString& folder, const QString& title) {
    auto session = std::make_unique<RunSession>(folder, title);
    RunSession* run = session.get();
    const std::unique_ptr<RunSession> before = std::exchange(m_current, std::move(session));
    connect(run, &RunSession::phaseChanged, this, [this, run] { note(*run); });
    connect(run, &RunSession::commandFailed, this, &RunCentre::failed);
    Q_EMIT currentChanged();
}

void RunCentre::note(RunSession& session) {
    core::RunRecord record;
    if (const core::RunRecord* known = find(session.folder())) record = *known;
    if (record.folder.empty()) return;
    const RunPhase phase = session.phase();
    const bool ended = phase == RunPhase::Done || phase == RunPhase::Cancelled || phase == RunPhase::Failed;
    record.state = phase == RunPhase::Done        ? "done"
                   : phase == RunPhase::Cancelled ? "cancelled"
                   : phase == RunPhase::Failed    ? "failed"
                                                  : "running";
    record.steps = session.config().steps;
    record.stepsDone = session.data().step();
    const bool news = ended && record.endedMs == 0;
    record.endedMs = !ended ? 0 : record.endedMs == 0 ? core::nowMs() : record.endedMs;
    for (core::RunRecord& run : m_runs)
        if (run.folder == record.folder) run = record;
    m_library.write([record](core::Library& library) { return core::saveRun(library, record); });
    if (m_queue.removeAll(session.folder()) > 0) Q_EMIT queueChanged();
    Q_EMIT runsChanged();
    if (news) Q_EMIT finished(session.folder());
}

void RunCentre::readQueue() {
    QStringList found;
    const QDir dir(queueFolder());
    m_held = QFile::exists(dir.filePath(QStringLiteral("hold")));
    for (const QString& name : jobFiles())
        if (const QString run = runIn(dir.filePath(name)); !run.isEmpty()) found.append(run);
    if (found == m_queue) return;
    m_queue = found;
    Q_EMIT queueChanged();
}

void RunCentre::writeQueue() {
    const QDir dir(queueFolder());
    QDir().mkpath(dir.path());
    QStringList stale = jobFiles();
    int number = 0;
    // The supervisor takes the file of the run at work away itself: it keeps its name and its place.
    for (const QString& name : QStringList(stale)) {
        if (!busy() || runIn(dir.filePath(name)) != m_current->folder()) continue;
        number = name.section('.', 0, 0).toInt();
        stale.removeAll(name);
    }
    for (const QString& run : m_queue) {
        const QString name = QStringLiteral("%1%2")
                                 .arg(++number, 6, 10, QLatin1Char('0'))
                                 .arg(QLatin1String(m_held ? kHeldEnding : kJobEnding));
        const QByteArray text = QJsonDocument(QJsonObject{{QStringLiteral("run"), run}}).toJson();
        const auto written = core::writeFileAtomically(dir.filePath(name).toStdString(), text.toStdString());
        if (!written) Q_EMIT failed(QString::fromStdString(written.error().text()));
        stale.removeAll(name);
    }
    for (const QString& name : stale) QFile::remove(dir.filePath(name));
    Q_EMIT queueChanged();
}

void RunCentre::unqueue(const QString& folder) {
    if (m_queue.removeAll(folder) > 0) writeQueue();
}

void RunCentre::setHeld(bool held) {
    if (held == m_held) return;
    m_held = held;
    const QString sign = queueFolder() + QStringLiteral("/hold");
    QDir().mkpath(queueFolder());
    if (held) {
        QFile file(sign);
        if (!file.open(QIODevice::WriteOnly)) Q_EMIT failed(tr("Cannot write %1.").arg(sign));
    } else {
        QFile::remove(sign);
    }
    writeQueue();
    if (!held) beginQueue();
}

void RunCentre::beginQueue() {
    if (busy() || m_queue.isEmpty()) return;
    const QString folder = m_queue.takeFirst(); // a run that is begun by name is no job any more
    writeQueue();
    show(folder);
    m_current->launch();
}

void RunCentre::moveInQueue(int from, int to) {
    if (from < 0 || to < 0 || from >= m_queue.size() || to >= m_queue.size()) return;
    m_queue.move(from, to);
    writeQueue();
}

} // namespace homebooth::app
