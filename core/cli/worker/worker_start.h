// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Starts homebooth-worker as a child. Free functions; main thread (the child is told when that one dies).
#pragma once

#include "core/base/files/descriptor.h"
#include "core/cli/worker/worker_process.h"

#include <memory>
#include <sys/types.h>

namespace homebooth::core {

/// A child that runs. Whoever started it waits for it.
struct StartedWorker {
    pid_t process = -1;
    std::unique_ptr<Descriptor> events; ///< its journal lines; null: it has no pipe for them
};

/// Stop signals are held back meanwhile. Errors: Internal, OutOfResources if it cannot be started
[[nodiscard]] Result<StartedWorker> startWorker(const WorkerOptions& options);

} // namespace homebooth::core
