// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What the tests of a queue with several slots share: runs whose workers end when the test says so, on GPUs
// that are names. Qt Test; one thread.
#pragma once

#include "core/base/run/queue/job_queue.h"
#include "tests/cli/supervised.h"

#include <array>

namespace homebooth::test {

class Slotted : public Supervised {
protected:
    /// A run that was made and is done, and whose next worker does what the test says.
    std::string makeRun(const QString& name, const char* how = "until told") {
        m_run = m_folder.filePath(name);
        fs::remove_all(m_run.toStdString());
        const Finished made = run(trainArguments(), "done");
        if (made.code != 0) qFatal("%s", made.err.c_str());
        const std::string folder = m_run.toStdString();
        std::ofstream(folder + "/how") << how << "\n";
        return folder;
    }

    /// Runs "a", "b" and so on, as many as are asked for, in the queue.
    template <size_t kCount>
    std::array<std::string, kCount> queued(const core::JobQueue& queue) {
        std::array<std::string, kCount> runs;
        char name = 'a';
        for (std::string& one : runs) one = makeRun(QString(QLatin1Char(name++)));
        for (const std::string& one : runs)
            if (const auto added = queue.add(one); !added) qFatal("%s", added.error().text().c_str());
        return runs;
    }

    /// "PID GPU LIMIT" of the worker that was started last; empty before.
    static QStringList startOf(const std::string& run) {
        const QString text = QString::fromStdString(readAll(run + "/started"));
        return text.endsWith(".\n") ? text.split(' ') : QStringList{"", "", ""};
    }
    static bool started(const std::string& run) { return !startOf(run)[0].isEmpty(); }
    static QString gpuOf(const std::string& run) { return startOf(run)[1]; }
    static pid_t workerOf(const std::string& run) { return static_cast<pid_t>(startOf(run)[0].toInt()); }

    static void tell(const std::string& run, const char* how) { std::ofstream(run + "/end") << how << "\n"; }

    static core::RunHistory historyOf(const std::string& run) {
        return *core::readHistory(run + "/events.jsonl");
    }

    static QStringList runsOf(const core::JobQueue& queue, core::JobState state) {
        QStringList names;
        const auto jobs = queue.jobs(state);
        for (const core::QueuedJob& job : *jobs)
            names.append(QFileInfo(QString::fromStdString(job.runDir)).fileName());
        return names;
    }

    void beginInSlots(QProcess& process, const QString& how = "done",
                      const QStringList& arguments = {"supervise"}) const {
        process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        start(process, arguments, how);
    }

    /// In init.
    void beginWithTwo() {
        beginAgain();
        m_slots = "GPU-1=The first;GPU-2=The second";
    }
};

} // namespace homebooth::test
