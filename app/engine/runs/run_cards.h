// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The graphics cards that a training was given: in its settings, among the queue's slots, in words.
// Free functions; any thread.
#pragma once

#include "core/base/config/train_config.h"
#include "core/base/run/queue/job_queue.h"

#include <QList>
#include <QString>
#include <QStringList>

#include <string>
#include <vector>

namespace homebooth::app {

/// Where run.json has them, as a list of their ids (core/base/system/gpu_facts.h).
inline constexpr const char* kCardsPath = "parallel.gpus";

/// Whether the engine can be told which cards to use.
[[nodiscard]] bool engineTakesCards();

/// The ids in a text with commas, as the engine's option has them.
[[nodiscard]] QStringList cardsOfText(const QString& text);

/// The ids that a configuration names; none: the engine finds one.
[[nodiscard]] QStringList cardsOf(const core::TrainConfig& config);

/// Whether several cards train together, and not several processes on processors.
[[nodiscard]] inline bool trainsOnCards(const core::TrainConfig& config) {
    return config.parallel.processes > 1 && config.memory.device == core::ComputeDevice::Gpu;
}

/// The slots that a waiting run needs, all at once; none: any one will do. So it is, too, where one of its
/// cards is not there: it begins, and the engine says which. The supervisor has the same rule.
[[nodiscard]] QList<int> slotsWanted(const std::string& runDir, const std::vector<core::JobSlot>& places);

/// The slots in which a running job computes.
[[nodiscard]] QList<int> slotsUsed(const core::QueuedJob& job, const std::vector<core::JobSlot>& places);

/// "GPU 0 and 1", as the queue counts them, the fastest first. @param slots  at least one
[[nodiscard]] QString cardsText(const QList<int>& slots);

} // namespace homebooth::app
