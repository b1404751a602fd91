// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/settings/settings_file.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QEvent>
#include <QFile>
#include <QFileInfo>
#include <QSet>
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
constexpr std::chrono::seconds kTryAgain(3);

using Values = QHash<QString, QVariant>;

/// The files that were damaged when they were read, and that nobody has put aside yet. Qt keeps what it has
/// parsed: it tells the first one that reads a file of that, and no later one. Any thread.
class DamagedFiles {
public:
    void add(const QString& path) {
        const std::lock_guard held(m_mutex);
        m_paths.insert(path);
    }
    [[nodiscard]] bool has(const QString& path) {
        const std::lock_guard held(m_mutex);
        return m_paths.contains(path);
    }
    void remove(const QString& path) {
        const std::lock_guard held(m_mutex);
        m_paths.remove(path);
    }

private:
    std::mutex m_mutex;
    QSet<QString> m_paths;
};

DamagedFiles& damagedFiles() {
    static DamagedFiles files;
    return files;
}

/// @param values  an invalid one takes its key out. @returns whether the file could be written
bool writeTo(QSettings& file, const Values& values) {
    for (auto it = values.cbegin(); it != values.cend(); ++it) {
        if (it->isValid())
            file.setValue(it.key(), *it);
        else
            file.remove(it.key());
    }
    file.sync();
    // Else keys may be there that could not be read.
    const bool known = file.status() == QSettings::NoError && !damagedFiles().has(file.fileName());
    if (known && file.allKeys().isEmpty()) // an empty one is one that was lost
        QFile::remove(file.fileName());
    QCoreApplication::removePostedEvents(&file, QEvent::UpdateRequest); // no event loop takes them
    return file.status() != QSettings::AccessError;                     // what was damaged is written anew
}

/// As a power cut leaves it. A last line that lacks its break may be of an editor that writes none.
bool isEmptied(const QString& path) {
    const QFileInfo file(path);
    return file.isFile() && file.size() == 0;
}

} // namespace

/// What both threads know.
struct SettingsFile::Pending {
    std::mutex mutex;
    std::condition_variable changed;
    Values values;                  ///< to be written
    std::function<void(bool)> tell; ///< none once its file is gone
    bool ending = false;

    /// The work of the thread that writes, until nothing more comes.
    void writeAll(const QString& path);
};

void SettingsFile::Pending::writeAll(const QString& path) {
    std::optional<QSettings> file; // touched without the lock alone: it may wait for long
    std::unique_lock held(mutex);
    Values owed; // could not be written yet
    const auto comes = [this] { return ending || !values.isEmpty(); };
    for (bool last = false; !last;) {
        if (owed.isEmpty())
            changed.wait(held, comes);
        else
            changed.wait_for(held, kTryAgain, comes);
        if (!values.isEmpty()) changed.wait_for(held, kGather, [this] { return ending; });
        last = ending; // by now there may be room
        const bool couldBefore = owed.isEmpty();
        owed.insert(std::exchange(values, {}));
        if (owed.isEmpty()) continue;
        held.unlock();
        if (!file) file.emplace(path, QSettings::IniFormat);
        const bool written = writeTo(*file, owed);
        if (written)
            owed.clear();
        else
            file.reset(); // it would call that an error for ever
        held.lock();
        if (written != couldBefore && tell) tell(written);
    }
}

SettingsFile::SettingsFile(QString path, std::function<void(bool)> tell, Damaged damaged)
    : m_path(std::move(path))
    , m_pending(std::make_shared<Pending>()) {
    m_pending->tell = std::move(tell);
    const QSettings file(m_path, QSettings::IniFormat);
    for (const QString& key : file.allKeys()) m_values.insert(key, file.value(key));
    if (file.status() == QSettings::FormatError) damagedFiles().add(m_path);
    if (damaged == Damaged::Leave) return;
    if (damagedFiles().has(m_path) || isEmptied(m_path)) putAside();
}

void SettingsFile::putAside() {
    const QString aside =
        QStringLiteral("%1.damaged-%2").arg(m_path).arg(QDateTime::currentMSecsSinceEpoch());
    // What could be read stays there until it is written anew: there may be no room for that now.
    if (!(m_values.isEmpty() ? QFile::rename(m_path, aside) : QFile::copy(m_path, aside))) return;
    m_damagedFile = aside;
    damagedFiles().remove(m_path);
    for (auto it = m_values.cbegin(); it != m_values.cend(); ++it) hand(it.key(), *it);
}

SettingsFile::~SettingsFile() {
    if (!m_writer) return;
    {
        const std::lock_guard held(m_pending->mutex);
        m_pending->ending = true;
        m_pending->tell = {};
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
