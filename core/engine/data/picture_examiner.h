// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Looks at a data set's pictures, one behind the other: their sizes and their contents' hashes, of which what
// the job's cache knows is not read again. Borrows the job; one thread.
#pragma once

#include "core/base/formats/packed_files.h"
#include "core/base/run/journal/progress_interval.h"
#include "core/engine/data/broken_pictures.h"
#include "core/engine/data/job_context.h"
#include "core/engine/data/known_pictures.h"

#include <optional>
#include <string>

namespace homebooth::core {

class PictureExaminer {
public:
    /// @param total  pictures that will be asked for
    PictureExaminer(const JobContext& job, size_t total);

    /// The next picture; none where it went to `broken`. Progress goes out as state "reading".
    [[nodiscard]] std::optional<KnownPicture> next(const std::string& path, BrokenPictures& broken);
    /// Whether the caller should leave the rest alone.
    [[nodiscard]] bool stopped() const { return m_job.control.stop.requested(); }
    /// Keeps what was read for the next start, also where only a part was. Of a machine's ranks one does.
    void save();

private:
    [[nodiscard]] Result<KnownPicture> examined(const std::string& path);

    const JobContext& m_job;
    int64_t m_total;
    int64_t m_done = 0;
    KnownPictures m_known;
    PackedFiles m_files;
    ProgressInterval m_interval;
};

} // namespace homebooth::core
