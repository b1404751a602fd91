// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which GPUs this computer has, as the engine's doctor says. The window never initialises NVIDIA's
// driver itself: one in disorder may hang or crash the program that does, and what it answered once it
// answers for that program's life. Figures of a card that answers come from the driver's management
// library, which touches no device (core/base/system/gpu_facts.h). Free functions; GUI thread.
#pragma once

#include "core/base/run/job_slots.h"
#include "core/base/system/gpu_facts.h"

#include <QByteArray>

#include <functional>
#include <optional>
#include <vector>

class QObject;

namespace homebooth::app {

/// Receives nothing where the engine had no answer in time: then nobody knows.
using TakeGpus = std::function<void(const std::optional<core::GpuFacts>&)>;
using TakeSlots = std::function<void(const std::optional<std::vector<core::JobSlot>>&)>;

/// Asks for them, and calls `take` once, later, unless `receiver` is gone by then. Without a driver no
/// program is started.
void askGpus(QObject* receiver, const TakeGpus& take);

/// The same of what jobs compute on, as core::jobSlots has it: also what $HOMEBOOTH_SLOTS says.
void askSlots(QObject* receiver, const TakeSlots& take);

/// What `doctor --json` says of GPUs; nothing where it is no such report.
[[nodiscard]] std::optional<core::GpuFacts> gpuFactsOf(const QByteArray& report);

/// One for each of several GPUs that can be named, in their order, else a single one that names none.
[[nodiscard]] std::vector<core::JobSlot> slotsOfGpus(const std::vector<core::GpuDevice>& gpus);

} // namespace homebooth::app
