// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/data/picture_examiner.h"

#include <utility>

namespace homebooth::core {

PictureExaminer::PictureExaminer(const JobContext& job, size_t total)
    : m_job(job)
    , m_total(static_cast<int64_t>(total))
    , m_known(job.options.cacheDir.empty() ? "" : job.options.cacheDir + "/pictures/known") {}

Result<KnownPicture> PictureExaminer::examined(const std::string& path) {
    const auto identity = PackedFiles::identity(path); // before anything is read
    if (identity)
        if (auto found = m_known.find(path, *identity)) return *std::move(found);
    KnownPicture picture;
    HOMEBOOTH_ASSIGN(picture.size, m_job.pictures.size(path));
    HOMEBOOTH_ASSIGN(picture.contentHash, m_files.sha256(path));
    if (identity) m_known.add(path, *identity, picture);
    return picture;
}

std::optional<KnownPicture> PictureExaminer::next(const std::string& path, BrokenPictures& broken) {
    if (m_interval.due()) m_job.events.emit(StateEvent{"reading", "pictures", m_done, m_total});
    ++m_done;
    auto picture = examined(path);
    if (picture) return std::move(picture).value();
    broken.add(path, picture.error().message);
    return std::nullopt;
}

void PictureExaminer::save() {
    if (m_job.ranks().leadsMachine()) m_known.save();
}

} // namespace homebooth::core
