// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// A training run from its configuration to its result. The one place that catches exceptions.
// Of a job with several ranks each runs it. Those of a machine encode a part each of pictures and captions
// and find the rest in the cache. One thread; the control may be used from others.
#pragma once

#include "core/engine/data/job_context.h"

namespace homebooth::core {

/// Trains as `config` says; begins at the newest valid checkpoint of the run if it has any. Emits every event
/// but the outcome, which the caller writes.
/// States: loading, class-images, caching, training, sampling, saving, paused.
/// @param run  exists already; its journal belongs to the caller
/// @returns    how it ended: done, cancelled or failed with the exit code (kExitRankLost where another rank
///             was lost, which can say more), what to do and what is kept. Never throws.
[[nodiscard]] OutcomeEvent runTrainJob(const TrainConfig& config, const RunFolder& run, EventSink& events,
                                       TrainControl& control, PictureSource& pictures, PictureWriter& writer,
                                       const JobOptions& options);

/// The same with the configuration in the run's folder. A finished run goes on when its configuration asks
/// for more steps by now.
[[nodiscard]] OutcomeEvent resumeTrainJob(const RunFolder& run, EventSink& events, TrainControl& control,
                                          PictureSource& pictures, PictureWriter& writer,
                                          const JobOptions& options);

} // namespace homebooth::core
