// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What was found of files when they were read, so that those that are as they were need not be opened
// again. A value; copies share what they hold. Invariant: a file that could not be read, or that had just
// changed when it was, is not among them.
#pragma once

#include "core/base/files/file_look.h"
#include "core/base/util/result.h"

#include <QHash>
#include <QString>

#include <optional>

namespace homebooth::app {

template <class Found>
class KnownFiles {
public:
    /// What a file says: what was found of it `before`, where it is the same since, else what `read`
    /// finds. It is known from then on. @param read  returns core::Result<Found>
    template <class Read>
    [[nodiscard]] core::Result<Found> find(const QString& path, const KnownFiles& before, const Read& read) {
        // Looked at before it is read: what changes meanwhile has another identity the next time.
        const std::optional<core::FileIdentity> now = core::identityAt(path.toStdString());
        const bool settled = now && core::hasSettled(*now);
        const auto known = before.m_files.constFind(path);
        if (now && known != before.m_files.cend() && known->file == *now) {
            m_files.insert(path, *known);
            return known->found;
        }
        core::Result<Found> found = read();
        if (settled && found) m_files.insert(path, {*now, *found});
        return found;
    }

private:
    struct Known {
        core::FileIdentity file;
        Found found;
    };
    QHash<QString, Known> m_files;
};

} // namespace homebooth::app
