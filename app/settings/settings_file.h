// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Keys and values in an ini file. What is read comes from memory; what is set is written beside, by a thread
// of its own that gathers what comes quickly one after the other: typing never waits for a disk or a lock.
// One thread uses it. Invariants: a value that is read is the newest one; what others wrote into the file
// under other keys stays; what could not be written is tried again every few seconds, and at the end.
#pragma once

#include <QHash>
#include <QString>
#include <QVariant>

#include <functional>
#include <memory>

class QThread;

namespace homebooth::app {

class SettingsFile {
public:
    static constexpr int kLongestMs = 5000; ///< a disk that does not answer holds no program

    /// What becomes of a file that is damaged. Of several that read one file, the one that can tell somebody
    /// puts it aside.
    enum class Damaged { PutAside, Leave };

    /// Reads the file; one that is not there is empty. One that is damaged is put aside, and written anew
    /// with what could be read of it.
    /// @param tell  called by the thread that writes: with false when the file cannot be written, with true
    ///              once it could be again
    explicit SettingsFile(QString path, std::function<void(bool)> tell = {},
                          Damaged damaged = Damaged::PutAside);
    /// Has everything written, unless that takes longer than kLongestMs.
    ~SettingsFile();
    SettingsFile(const SettingsFile&) = delete;
    SettingsFile& operator=(const SettingsFile&) = delete;

    [[nodiscard]] const QString& path() const { return m_path; }
    /// Where a damaged one lies now, as it was; empty where it was whole, or could not be put aside.
    [[nodiscard]] const QString& damagedFile() const { return m_damagedFile; }
    /// Invalid for a key that has none.
    [[nodiscard]] QVariant value(const QString& key) const { return m_values.value(key); }
    void set(const QString& key, const QVariant& value);
    void remove(const QString& key);

private:
    struct Pending;
    void hand(const QString& key, const QVariant& value);
    void putAside();

    QString m_path;
    QString m_damagedFile;
    QHash<QString, QVariant> m_values;
    std::shared_ptr<Pending> m_pending;
    std::unique_ptr<QThread> m_writer; ///< begun with the first change
};

} // namespace homebooth::app
