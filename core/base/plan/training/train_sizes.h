// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What the networks of a training take, from schedules and settings alone. Private to core/base/plan.
// Borrows the settings; one thread.
#pragma once

#include "core/base/config/train_config.h"
#include "core/base/plan/training/kept_activations.h"
#include "core/base/plan/value_sizes.h"
#include "core/base/run/journal/event.h"
#include "core/base/schedule/schedule.h"

#include <cstdint>

namespace homebooth::core {

inline constexpr int64_t kFloatBytes = 4;

/// The program with its libraries and their buffers, as far as they are resident: on the CPU as measured,
/// and with LibTorch's CUDA half, which is opened for a GPU only.
[[nodiscard]] int64_t programBytes(bool gpu);

/// Of one element of a model's weights.
[[nodiscard]] int64_t bytesOf(Precision precision);

/// Bytes of parameters: the model's in its type, adapters always in fp32.
[[nodiscard]] int64_t parameterBytes(const Schedule& schedule, int64_t elementBytes);

/// What the padding of chunks takes at most (core/base/memory/chunk_bytes.h). On the CPU
/// nobody touches it, so it takes no memory there.
[[nodiscard]] int64_t paddingBytes(const Schedule& schedule, int64_t ofParameters, bool gpu);

/// Adds up what the networks of a training take.
class TrainSizes {
public:
    TrainSizes(const TrainConfig& config, bool gpu)
        : m_config(config)
        , m_gpu(gpu)
        , m_elementBytes(bytesOf(config.precision)) {}

    /// A network that learns, run forward and backward.
    void addLearning(const Schedule& schedule, const InputShape& shape);
    /// Takes as much into memory as there is room for, as the trainer does.
    void chooseRecomputation(int64_t memoryBytes);

    [[nodiscard]] bool gradientsRest() const;

    TierMemory tier;
    int64_t gradients = 0;
    int64_t workspace = 0;
    int64_t trained = 0;
    int64_t replaced = 0;     ///< of it, what a checkpoint holds a master instead of
    int64_t resultBytes = 0;  ///< parameters without padding
    int64_t largestSaved = 0; ///< of a checkpoint's files
    int64_t wholeGraphs = 0;  ///< activations when nothing is computed again, at most
    KeptForBackward kept = KeptForBackward::Inputs;

private:
    [[nodiscard]] int64_t gradientElementBytes() const {
        return m_config.optimizer.accumulationSteps > 1 ? kFloatBytes : m_elementBytes;
    }

    const TrainConfig& m_config;
    bool m_gpu;
    int64_t m_elementBytes;
};

} // namespace homebooth::core
