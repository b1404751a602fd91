// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What comes before gigabytes are hashed and read: it takes moments, but for a data set that no run has seen.
// Free functions; the run's one writer.
#pragma once

#include "core/engine/data/job_context.h"

namespace homebooth::core {

/// Removes what killed attempts left half-written in the run's folders. What cannot be removed is a warning.
void removeLeftOvers(const JobContext& job);

/// Warns an administrator that what is written from here on is not the user's whose run it is.
void warnOfAnothersRun(const JobContext& job);

/// Whether the headers of all photos can be read (told as state "reading"; what the cache keeps of it need
/// not be read again for samples), and whether of the run's checkpoints, if it has any, at least one has all
/// its files at their full size. When stop is requested, the rest is passed over. Errors: BadInput naming
/// every photo, or every checkpoint with what is wrong with it
[[nodiscard]] Result<void> checkBeforeLoading(const JobContext& job);

} // namespace homebooth::core
