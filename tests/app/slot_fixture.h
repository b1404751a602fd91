// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the tests of the queue on a machine with several GPUs share. The test stands for the supervisor and
// for the workers; the GPUs are names. One a test program; GUI thread.
#pragma once

#include "queue_fixture.h"

namespace homebooth::app {

inline const std::vector<core::JobSlot> kTwo{{"GPU-1", "The first"}, {"GPU-2", "The second"}};

/// A job that the test works on.
struct Worked {
    QString folder;
    core::QueuedJob job;
    std::unique_ptr<core::Result<core::RunLock>> lock;
};

class SlotFixture : public QueueFixture {
protected:
    using QueueFixture::QueueFixture;

    /// In cleanup.
    void end() {
        m_supervisor.reset();
        m_services.reset();
        qunsetenv("HOMEBOOTH_SLOTS");
    }

    /// From now on the test is the supervisor of two GPUs.
    void supervise() {
        m_supervisor = std::make_unique<core::Result<core::RunLock>>(m_queue.supervise());
        QVERIFY(m_supervisor->ok());
        QVERIFY(m_queue.setKnownSlots(kTwo).ok());
    }

    /// A training that works in a slot.
    Worked worked(const QString& name, int slot) { return workedOn(makeRun(name, "running"), slot); }

    Worked workedOn(const QString& run, int slot) {
        Worked one{run, {}, {}};
        const std::string folder = one.folder.toStdString();
        if (!m_queue.add(folder)) qFatal("no queue");
        one.job = **m_queue.take([&folder](const core::QueuedJob& job) { return job.runDir == folder; });
        one.job.slot = slot;
        one.job.device = kTwo[static_cast<size_t>(slot)].name;
        if (!m_queue.tellSlot(one.job)) qFatal("no queue");
        one.lock = std::make_unique<core::Result<core::RunLock>>(work(one.folder));
        return one;
    }

    void endOf(Worked& one) const {
        writeEvents(one.folder, {outcome("done")});
        one.lock.reset();
        QVERIFY(*m_queue.remove(one.job.id, core::JobState::Running));
    }

    [[nodiscard]] size_t atWork() const { return m_services->runs.allWorking().size(); }

    static QString textOf(const QueueModel& model, const QString& folder, int role) {
        return model.index(rowOf(model, folder), 0).data(role).toString();
    }

    [[nodiscard]] bool isFree(int slot) const { return m_queue.takeTurn(slot)->has_value(); }

    std::unique_ptr<core::Result<core::RunLock>> m_supervisor;
};

} // namespace homebooth::app
