// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The files that paths stand for as they are shown: what is shown of a name in another coding than UTF-8
// does not lead to its file, and may be the same of several.
// A value for one thread and one piece of work: each folder in which such a name is sought is listed once.
#pragma once

#include "core/base/util/result.h"

#include <QHash>
#include <QString>

#include <filesystem>
#include <vector>

namespace homebooth::app {

class ShownFiles {
public:
    /// Those in another coding that are shown so; the path itself where there are none.
    [[nodiscard]] std::vector<std::filesystem::path> all(const QString& path);

    /// The only file that is shown so; the path itself where nothing is. Errors: BadInput where several are
    [[nodiscard]] core::Result<std::filesystem::path> one(const QString& path);

private:
    using Names = QMultiHash<QString, std::filesystem::path>; // of those in another coding, as shown
    [[nodiscard]] const Names& namesIn(const std::filesystem::path& folder);

    QHash<QString, Names> m_folders;
};

} // namespace homebooth::app
