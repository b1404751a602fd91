// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the tests of the queue share. An engine of a few lines writes down how it was called; the test itself
// stands for the worker by holding a run's lock and writing its journal. One a test program; GUI thread.
#pragma once

#include "app/engine/request_pool.h"
#include "app/pages/queue/queue_model.h"
#include "app_files.h"
#include "core/base/run/journal/journal.h"
#include "core/base/run/queue/job_queue.h"
#include "core/base/run/run_folder.h"

#include <QThreadPool>

namespace homebooth::app {

/// `supervise` says what it was called with; `sample` answers as the real one does and says when it is gone,
/// and beside that on which GPU it is. Its pictures take half a second, or until they are let go.
inline constexpr const char* kEngine = R"sh(#!/bin/bash
[ "$2" = --logs-in-runs ] && set -- "$1"
if [ "$1" = supervise ]; then echo "supervise${2:+ $(basename "$2")}" >>"$CALLS"; exit 0; fi
if [ "$1" = doctor ]; then
    echo '{"gpu":{"state":"no driver","devices":[]},"cpu":{"model":"one","threads":2,"features":[]},' \
        '"memory":{"totalBytes":8589934592,"usableBytes":8589934592},"disks":[]}'
    exit
fi
echo "${CUDA_VISIBLE_DEVICES-none}" >"$CALLS.gpu"
say() { printf '{"v":1,"seq":1,"time":"2026-11-21T10:00:00.000Z",%s}\n' "$1"; }
trap 'echo "sample ended" >>"$CALLS"' EXIT
say '"type":"state","state":"ready","detail":"","done":0,"total":0'
while read -r line; do
    case "$line" in *'"stop"'*) continue ;; esac
    while [ -e "$HELD" ]; do sleep 0.05; done
    sleep 0.5
    say '"type":"outcome","outcome":"done","measured":{},"result":[],"code":0,"message":"","kept":""'
    say '"type":"state","state":"ready","detail":"","done":0,"total":0'
done
sleep 0.3
)sh";

/// The row of the training in this folder; -1 if there is none.
inline int rowOf(const QAbstractItemModel& model, const QString& folder) {
    for (int row = 0; row < model.rowCount(); ++row)
        if (model.index(row, 0).data(QueueModel::FolderRole).toString() == folder) return row;
    return -1;
}

inline QueueModel::Kind kindOf(const QAbstractItemModel& model, const QString& folder) {
    return static_cast<QueueModel::Kind>(
        model.index(rowOf(model, folder), 0).data(QueueModel::KindRole).toInt());
}

inline core::Result<core::RunLock> work(const QString& folder) {
    return core::RunLock::acquire((folder + u"/lock"_s).toStdString());
}

inline void writeEvents(const QString& folder, const std::vector<core::Event>& events) {
    auto journal = core::JournalWriter::open((folder + u"/events.jsonl"_s).toStdString());
    for (const core::Event& event : events) (*journal)->emit(event);
}

inline core::Event step(int64_t number) {
    return core::StepEvent{number, 1, 0.5, 1e-4, 0.5, 2.0, {}, {}, {}, {}};
}

inline core::Event outcome(const char* result) {
    core::OutcomeEvent event;
    event.result = result;
    return event;
}

class QueueFixture : public QObject {
protected:
    explicit QueueFixture(const TestPlace& place)
        : m_place(place) {}

    /// In initTestCase.
    void useFakeEngine() {
        QVERIFY(useEngine(m_place, kEngine));
        qputenv("CALLS", m_place.path("calls").toUtf8());
        qputenv("HELD", m_place.path("held").toUtf8());
    }

    /// In init.
    void beginAgain() {
        failOnAnyWarning();
        for (const char* name : {"calls", "calls.gpu", "held"})
            QFile::remove(m_place.path(QString::fromLatin1(name)));
        QDir(QString::fromStdString(m_queue.folder())).removeRecursively();
        QDir(m_place.path("Homebooth")).removeRecursively();
        m_place.removeLibrary();
        m_services = std::make_unique<TestServices>(m_place);
    }

    /// No picture is ready until they are let go, however long that takes.
    void holdPictures() const { writeBytes(m_place.path("held"), {}); }
    void letPicturesGo() const { QFile::remove(m_place.path("held")); }

    [[nodiscard]] QStringList calls() const {
        QFile file(m_place.path("calls"));
        if (!file.open(QIODevice::ReadOnly)) return {};
        return QString::fromUtf8(file.readAll()).split('\n', Qt::SkipEmptyParts);
    }

    /// The GPU that the last engine for pictures was started on; "none" where it was told of none.
    [[nodiscard]] QString pictureGpu() const {
        QFile file(m_place.path("calls.gpu"));
        return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()).trimmed() : QString();
    }

    /// A run on the disk and in the library, with one step in its journal unless it never began.
    QString makeRun(const QString& name, const char* state, bool begun = true) {
        const QString folder = makeRunFolder(m_services->settings.runsFolder(), name, 100);
        if (folder.isEmpty()) qFatal("the run %s could not be made", qPrintable(name));
        if (begun) writeEvents(folder, {core::StateEvent{"training", "", 0, 0}, step(1)});
        core::RunRecord record;
        record.id = core::newRecordId();
        record.folder = folder.toStdString();
        record.title = name.toStdString();
        record.state = state;
        record.steps = 100;
        record.createdMs = core::nowMs();
        const bool ended = record.state == "done" || record.state == "cancelled" || record.state == "failed";
        if (ended) {
            record.endedMs = core::nowMs();
            writeEvents(folder, {outcome(state)});
        }
        m_services->library.write(
            [record](core::Library& library) { return core::saveRun(library, record); });
        return folder;
    }

    /// A run that never began and waits in the queue. @returns its folder
    QString queued(const QString& name) {
        const QString folder = makeRun(name, "waiting", false);
        if (const auto added = m_queue.add(folder.toStdString()); !added)
            qFatal("%s", added.error().text().c_str());
        return folder;
    }

    void openRuns() {
        QSignalSpy changed(&m_services->runs, &RunCentre::runsChanged);
        m_services->runs.open(m_services->settings.runsFolder());
        QVERIFY(changed.wait(kLongestMs));
        queueThread().waitForDone();
        QCoreApplication::processEvents(); // the queue was read, too
    }

    [[nodiscard]] core::SampleConfig pictures(int64_t count) const { return pictureOrder(m_place, count); }

    const TestPlace& m_place;
    std::unique_ptr<TestServices> m_services;
    const core::JobQueue m_queue;
};

} // namespace homebooth::app
