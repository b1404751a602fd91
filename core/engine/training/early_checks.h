// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What takes moments and comes before gigabytes are hashed and read. Free functions; the run's one writer.
#pragma once

#include "core/engine/training/job_context.h"

namespace homebooth::core {

/// Removes what killed attempts left half-written in the run's folders. What cannot be removed is a warning.
void removeLeftOvers(const JobContext& job);

/// Whether the headers of all photos can be read, and whether of the run's checkpoints, if it has any, at
/// least one has all its files at their full size.
/// Errors: BadInput naming every photo, or every checkpoint with what is wrong with it
[[nodiscard]] Result<void> checkBeforeLoading(const JobContext& job);

} // namespace homebooth::core
