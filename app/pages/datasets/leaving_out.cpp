// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/datasets/leaving_out.h"

#include "app/library/drive_pools.h"
#include "app/pages/datasets/dataset_metadata.h"
#include "app/pages/datasets/dataset_reading.h"
#include "app/pages/datasets/datasets_page.h"
#include "app/pages/datasets/other_disk.h"
#include "core/base/util/regular_file.h"
#include "core/media/picture_list.h"

#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

namespace homebooth::app {
namespace {

namespace fs = std::filesystem;

bool isPresent(const fs::path& path) {
    std::error_code ignored;
    return fs::exists(fs::symlink_status(path, ignored));
}

/// Errors: OutOfResources, BadInput
core::Result<void> putBack(const LeftOut::File& file) {
    if (!isPresent(file.to) || isPresent(file.from)) return {};
    std::error_code code;
    fs::create_directories(file.from.parent_path(), code);
    if (!code) fs::rename(file.to, file.from, code);
    if (code == std::errc::cross_device_link)
        return moveToOtherDisk("taking a file back", file.to, file.from);
    if (!code) return {};
    return core::badInput("taking a file back: it could not be moved out of \"left out\" (" + code.message() +
                              "); make its folder and \"left out\" writable, and move it yourself",
                          core::displayName(file.to));
}

/// Nothing is done where a folder is not there, as when its drive is away: it would only look done.
/// Errors: BadInput
core::Result<void> checkFolder(const char* operation, const fs::path& folder) {
    std::error_code ignored;
    if (fs::is_directory(folder, ignored)) return {};
    std::string message = operation;
    message.append(": expected this folder, found none of its name; connect its drive, or put the folder "
                   "back, and try again");
    return core::badInput(message, core::displayName(folder));
}

} // namespace

core::Result<void> takeBack(const QString& folder, LeftOut& out) {
    if (out.files.empty() && out.lines.empty()) return {};
    const fs::path aside = fs::path(folder.toStdString()) / core::kLeftOutFolder;
    HOMEBOOTH_CHECK(checkFolder("taking pictures back", aside));
    core::Result<void> done;
    std::vector<LeftOut::File> stay;
    for (auto file = out.files.rbegin(); file != out.files.rend(); ++file) {
        core::Result<void> moved = putBack(*file);
        if (!moved) stay.insert(stay.begin(), *file);
        if (!moved && done) done = std::move(moved);
        tellWriting();
    }
    out.files = std::move(stay);
    HOMEBOOTH_CHECK(returnToMetadata(folder, out.lines));
    out.lines.clear();
    std::error_code ignored;
    fs::remove(aside, ignored); // where nothing is in it
    return done;
}

LeavingOut::LeavingOut(QObject* owner, const QString& folder, const std::vector<DatasetItem>& items,
                       After after)
    : QUndoCommand(DatasetsPage::tr("leave out pictures"))
    , m_back(owner)
    , m_folder(folder)
    , m_items(std::make_shared<const std::vector<DatasetItem>>(items))
    , m_out(std::make_shared<LeftOut>())
    , m_after(std::move(after)) {}

void LeavingOut::redo() {
    const bool again = std::exchange(m_done, true);
    const auto leave = [folder = m_folder, items = m_items, out = m_out, again]() -> core::Result<void> {
        HOMEBOOTH_CHECK(checkFolder("leaving pictures out", folder.toStdString()));
        if (!again) return leaveOutProblems(folder, *items, out.get());
        // Those alone: to read a whole data set here would keep captions from the disk.
        return leaveOutProblems(folder, problemsNow(folder, *items), out.get());
    };
    work(leave, /*out=*/true);
}

void LeavingOut::undo() {
    work([folder = m_folder, out = m_out] { return takeBack(folder, *out); }, /*out=*/false);
}

void LeavingOut::work(const std::function<core::Result<void>()>& what, bool out) const {
    const auto done = [after = m_after, out](const core::Result<void>& result) { after(result, out); };
    writeDrives().start(m_folder, [back = m_back, what, done]() mutable { workAndReturn(back, what, done); });
}

} // namespace homebooth::app
