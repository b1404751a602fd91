// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What tests of the engine beside a worker that ends as it is told share. Qt Test; one thread.
#pragma once

#include "core/base/run/journal/journal.h"
#include "core/base/run/run_folder.h"
#include "tests/cli/plain_engine.h"

#include <QtTest>

#include <filesystem>
#include <fstream>
#include <string>

namespace homebooth::test {

namespace fs = std::filesystem;

inline std::string readAll(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// What is loaded ahead of a program does not go with the sanitizers.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kPreloads = false;
#else
constexpr bool kPreloads = true;
#endif

/// The engine, a fake worker beside it, one good photo, and the folder of a run.
class Supervised : public QObject {
protected:
    /// In initTestCase.
    void makePrograms() {
        const QString bin = m_folder.filePath("bin");
        QVERIFY(QDir().mkpath(bin));
        m_engine = bin + "/homebooth-engine";
        QVERIFY(QFile::copy(HOMEBOOTH_BIN_DIR "/homebooth-engine", m_engine));
        QVERIFY(QFile::copy(HOMEBOOTH_FAKE_WORKER, bin + "/homebooth-worker"));
    }

    /// In init.
    void beginAgain() {
        m_run = m_folder.filePath("run");
        fs::remove_all(m_run.toStdString());
        fs::remove_all(m_folder.filePath("state").toStdString());
        fs::remove(m_folder.filePath("pid").toStdString());
        makePhotos();
    }

    QProcessEnvironment environment(const QString& how) const {
        QProcessEnvironment values = QProcessEnvironment::systemEnvironment();
        values.insert("FAKE_WORKER", how);
        values.insert("FAKE_WORKER_PID", m_folder.filePath("pid"));
        values.insert("XDG_STATE_HOME", m_folder.filePath("state"));
        values.insert("HOMEBOOTH_SLOTS", m_slots); // whatever this machine has
        return values;
    }

    /// The same with the test's own programs in front of the system's.
    QProcessEnvironment environmentWithTools(const QString& how) const {
        QProcessEnvironment values = environment(how);
        values.insert("PATH", m_folder.filePath("tools") + ":" + values.value("PATH"));
        return values;
    }

    /// Makes one of those.
    void writeTool(const QString& name, const char* text) const {
        QVERIFY(QDir().mkpath(m_folder.filePath("tools")));
        QFile program(m_folder.filePath("tools/" + name));
        QVERIFY(program.open(QIODevice::WriteOnly));
        program.write(text);
        program.close();
        QVERIFY(program.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    }

    void start(QProcess& process, const QStringList& arguments, const QString& how) const {
        process.setProcessEnvironment(environment(how));
        process.start(m_engine, arguments);
    }

    Finished run(const QStringList& arguments, const QString& how) const {
        QProcess process;
        start(process, arguments, how);
        return finish(process);
    }

    /// With a library loaded ahead of the engine, where kPreloads.
    Finished runWith(const char* library, const QStringList& arguments, const QString& how) const {
        const QString copy = m_folder.filePath("ahead.so");
        QFile::remove(copy);
        if (!QFile::copy(library, copy)) qFatal("%s cannot be copied", library);
        QProcess process;
        QProcessEnvironment values = environment(how);
        values.insert("LD_PRELOAD", "./ahead.so"); // of a whole path, a space would be the end
        process.setProcessEnvironment(values);
        process.setWorkingDirectory(m_folder.path());
        process.start(m_engine, arguments);
        return finish(process);
    }

    QString photos() const { return m_folder.filePath("photos"); }

    /// One good photo and nothing else.
    void makePhotos() const {
        fs::remove_all(photos().toStdString());
        QVERIFY(QDir().mkpath(photos()));
        writeOnePixel(photos() + "/good.png");
    }

    QStringList trainArguments() const {
        return {"train",        "--model", HOMEBOOTH_FIXTURES_DIR "/tiny-sd1",
                "--instance",   photos(),  "--prompt",
                "a photo of x", "--steps", "10",
                "--device",     "cpu",     "--output",
                m_run};
    }
    std::string queueFolder() const { return m_folder.filePath("state/homebooth/queue").toStdString(); }
    bool workerStarted() const { return QFile::exists(m_folder.filePath("pid")); }

    core::RunHistory history() const { return *core::readHistory(m_run.toStdString() + "/events.jsonl"); }

    bool waitForStep() const {
        return QTest::qWaitFor([this] { return !history().steps.empty(); }, kLongestMs);
    }

    bool lockIsFree() const {
        const auto owner = core::RunLock::owner(m_run.toStdString() + "/lock");
        return owner.has_value() && !owner->alive;
    }

    pid_t workerPid() const {
        return static_cast<pid_t>(std::atoi(readAll(m_folder.filePath("pid").toStdString()).c_str()));
    }

    QTemporaryDir m_folder;
    QString m_engine;
    QString m_run;
    QString m_slots = "GPU-1=The only one"; ///< see core/base/run/queue/job_slots.h
};

} // namespace homebooth::test
