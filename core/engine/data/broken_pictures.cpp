// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/data/broken_pictures.h"

#include "core/base/run/middle_of_run.h"
#include "core/base/util/regular_file.h"
#include "core/engine/data/job_context.h"

#include <algorithm>

namespace homebooth::core {
namespace {
constexpr size_t kMostNamed = 20; // in an error; a list that is longer is read by nobody
} // namespace

Result<void> BrokenPictures::settle(bool skip, EventSink& events) {
    if (m_found.empty()) return {};
    if (skip) {
        const std::string all = " of " + std::to_string(m_found.size()) + ")";
        for (size_t i = 0; i < m_found.size(); ++i) {
            const std::string count = m_found.size() > 1 ? " (" + std::to_string(i + 1) + all : "";
            events.emit(WarningEvent{"broken-picture", "left out " + displayName(m_found[i].path) + ": " +
                                                           m_found[i].reason + count});
        }
        m_found.clear();
        return {};
    }
    return unusable("replace them, or go on without them by --skip-broken-images");
}

Result<void> BrokenPictures::settleAtStart(const JobContext& job) {
    const bool skip = job.config.data.skipBrokenImages;
    if (m_found.empty() || skip || !inTheMiddle(job.run, job.config.steps)) return settle(skip, job.events);
    return unusable(kPutPicturesBack);
}

Error BrokenPictures::unusable(const char* advice) const {
    std::string list;
    const size_t named = std::min(m_found.size(), kMostNamed);
    for (size_t i = 0; i < named; ++i)
        list += (i == 0 ? "" : "; ") + displayName(m_found[i].path) + ": " + m_found[i].reason;
    if (named < m_found.size()) list += "; and " + std::to_string(m_found.size() - named) + " more";
    return badInput("reading pictures: " + std::to_string(m_found.size()) + " cannot be used (" + list +
                    "); " + advice);
}

} // namespace homebooth::core
