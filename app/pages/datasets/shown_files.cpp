// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/datasets/shown_files.h"

#include "core/base/text/unicode.h"

#include <system_error>

namespace homebooth::app {

namespace fs = std::filesystem;

const ShownFiles::Names& ShownFiles::namesIn(const fs::path& folder) {
    const QString key = QString::fromStdString(folder.string());
    if (const auto listed = m_folders.constFind(key); listed != m_folders.cend()) return *listed;
    Names& names = *m_folders.insert(key, {});
    std::error_code code;
    fs::directory_iterator entry(folder, code);
    for (; !code && entry != fs::directory_iterator(); entry.increment(code)) {
        const std::string name = entry->path().filename().native();
        if (!core::isUtf8(name)) names.insert(QString::fromStdString(name), entry->path());
    }
    return names;
}

std::vector<fs::path> ShownFiles::all(const QString& path) {
    const fs::path shown = path.toStdString();
    if (!path.contains(QChar::ReplacementCharacter)) return {shown};
    const QList<fs::path> found =
        namesIn(shown.parent_path()).values(QString::fromStdString(shown.filename().string()));
    if (found.isEmpty()) return {shown};
    return {found.begin(), found.end()};
}

core::Result<fs::path> ShownFiles::one(const QString& path) {
    const std::vector<fs::path> files = all(path);
    const fs::path shown = path.toStdString();
    std::error_code ignored;
    const bool another = files.front() != shown && fs::exists(fs::symlink_status(shown, ignored));
    if (files.size() == 1 && !another) return files.front();
    return core::badInput(
        "finding a picture by its name: expected one that is shown so, found several, whose "
        "names are in another coding; rename them",
        path.toStdString());
}

} // namespace homebooth::app
