// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is in the folder of example pictures that somebody named. GUI thread; another one looks at the disk.
#pragma once

#include "app/engine/plans/setting_clashes.h"

#include <QObject>

#include <optional>

namespace homebooth::app {

class ExampleFolder : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    /// Names the folder, which is looked at where it is another one; empty: none.
    void setFolder(const QString& folder);
    /// Looks anew: a drive may have come, or pictures. What was found before counts until then.
    void look();
    /// Whether nothing was found out so far.
    [[nodiscard]] bool unknown() const { return m_found.state == State::Unknown; }
    /// How many pictures are in it; 0: none, or nobody knows.
    [[nodiscard]] int64_t pictures() const { return m_found.pictures; }
    /// Why it cannot be used, with a remedy.
    [[nodiscard]] std::optional<SettingClash> clash() const;

Q_SIGNALS:
    void changed();

private:
    enum class State { Unknown, There, Gone, File, Unreadable };
    struct Found {
        State state = State::Unknown;
        int64_t pictures = 0;
        bool operator==(const Found&) const = default;
    };
    [[nodiscard]] static Found lookInto(const QString& folder);
    void take(const QString& folder, const Found& found);

    QString m_folder;
    Found m_found;
    bool m_looking = false;
};

} // namespace homebooth::app
