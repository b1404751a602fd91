// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/datasets/masks_beside.h"

#include "app/pages/datasets/dataset_files.h"
#include "core/media/picture_list.h"

#include <system_error>

namespace homebooth::app {
namespace {

namespace fs = std::filesystem;

std::string withoutEnding(const fs::path& file) {
    return (file.parent_path() / file.stem()).native();
}

} // namespace

MasksBeside::MasksBeside(const std::vector<DatasetItem>& items) {
    for (const DatasetItem& item : items) {
        if (!item.problem.isEmpty()) continue;
        const fs::path picture = item.path.toStdString();
        m_whole.insert(withoutEnding(picture));
        if (!item.caption.isEmpty()) m_captioned.insert(picture.native());
    }
}

std::vector<fs::path> MasksBeside::of(const fs::path& picture) {
    std::vector<fs::path> masks;
    if (m_whole.contains(withoutEnding(picture))) return masks;
    const auto [begin, end] = masksIn(picture.parent_path()).equal_range(picture.stem().native());
    for (auto one = begin; one != end; ++one)
        if (!m_captioned.contains(one->second.native())) masks.push_back(one->second);
    return masks;
}

const MasksBeside::Masks& MasksBeside::masksIn(const fs::path& folder) {
    const auto [found, isNew] = m_folders.try_emplace(folder.native());
    if (!isNew) return found->second;
    std::error_code code;
    for (fs::directory_iterator entry(folder, code), last; !code && entry != last; entry.increment(code))
        if (const std::string stem = core::pictureOfMask(entry->path());
            !stem.empty() && core::hasPictureEnding(entry->path()))
            found->second.emplace(stem, entry->path());
    return found->second;
}

} // namespace homebooth::app
