// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/settings/settings_file.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QEvent>
#include <QFile>
#include <QSettings>
#include <QThread>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <utility>

namespace homebooth::app {
namespace {

constexpr std::chrono::milliseconds kGather(100);

using Values = QHash<QString, QVariant>;

/// @param values  an invalid one takes its key out. @returns whether the file could be written
bool writeTo(QSettings& file, const Values& values) {
    for (auto it = values.cbegin(); it != values.cend(); ++it) {
        if (it->isValid())
            file.setValue(it.key(), *it);
        else
            file.remove(it.key());
    }
    file.sync(); // what this could not write it has in mind for the next time
    QCoreApplication::removePostedEvents(&file, QEvent::UpdateRequest); // no event loop takes them
    return file.status() != QSettings::AccessError;                     // what was damaged is written anew
}

} // namespace

/// What both threads know.
struct SettingsFile::Pending {
    std::mutex mutex;
    std::condition_variable changed;
    Values values;                    ///< to be written
    std::function<void()> notWritten; ///< until it was called; never once its file is gone
    bool ending = false;

    /// The work of the thread that writes, until nothing more comes.
    void writeAll(const QString& path);
};

void SettingsFile::Pending::writeAll(const QString& path) {
    std::optional<QSettings> file; // touched without the lock alone: it may wait for long
    std::unique_lock held(mutex);
    bool written = true;
    for (;;) {
        changed.wait(held, [this] { return ending || !values.isEmpty(); });
        if (values.isEmpty()) break;
        changed.wait_for(held, kGather, [this] { return ending; });
        const Values now = std::exchange(values, {});
        held.unlock();
        if (!file) file.emplace(path, QSettings::IniFormat);
        written = writeTo(*file, now);
        held.lock();
        if (!written && notWritten) std::exchange(notWritten, {})();
    }
    held.unlock();
    if (!written) file->sync(); // by now there may be room
}

SettingsFile::SettingsFile(QString path, std::function<void()> notWritten)
    : m_path(std::move(path))
    , m_pending(std::make_shared<Pending>()) {
    m_pending->notWritten = std::move(notWritten);
    const QSettings file(m_path, QSettings::IniFormat);
    for (const QString& key : file.allKeys()) m_values.insert(key, file.value(key));
    if (file.status() == QSettings::FormatError) putAside();
}

void SettingsFile::putAside() {
    const QString aside =
        QStringLiteral("%1.damaged-%2").arg(m_path).arg(QDateTime::currentMSecsSinceEpoch());
    // What could be read stays there until it is written anew: there may be no room for that now.
    if (!(m_values.isEmpty() ? QFile::rename(m_path, aside) : QFile::copy(m_path, aside))) return;
    m_damagedFile = aside;
    for (auto it = m_values.cbegin(); it != m_values.cend(); ++it) hand(it.key(), *it);
}

SettingsFile::~SettingsFile() {
    if (!m_writer) return;
    {
        const std::lock_guard held(m_pending->mutex);
        m_pending->ending = true;
        m_pending->notWritten = {};
    }
    m_pending->changed.notify_one();
    if (!m_writer->wait(kLongestMs))
        (void)m_writer.release(); // a thread that runs must not be destroyed
    else
        m_pending->writeAll(m_path); // what is left where no thread could be had
}

void SettingsFile::set(const QString& key, const QVariant& value) {
    m_values.insert(key, value);
    hand(key, value);
}

void SettingsFile::remove(const QString& key) {
    m_values.remove(key);
    hand(key, {});
}

void SettingsFile::hand(const QString& key, const QVariant& value) {
    if (!m_writer || !m_writer->isRunning()) { // none yet, or none could be had
        m_writer.reset(QThread::create([pending = m_pending, path = m_path] { pending->writeAll(path); }));
        m_writer->start();
    }
    {
        const std::lock_guard held(m_pending->mutex);
        m_pending->values.insert(key, value);
    }
    m_pending->changed.notify_one();
}

} // namespace homebooth::app
