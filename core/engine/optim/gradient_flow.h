// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The way of gradients from the executor's backward to the optimizers, over all networks that learn together
// (one norm, one loss scale).
//
//   immediate  no clipping, no loss scaling: a gradient updates its parameter inside backward and is gone.
//              With accumulation only the last micro-step does so; the ones before rest as fp32 sums.
//   resting    clipping or loss scaling need every gradient before the first update: they rest until endStep,
//              in their own type for one micro-step, as fp32 sums for several (a sum in 16 bits would not be
//              the gradient of the big batch).
//
// Gradients of streamed blocks are sent home first (gradient_return.h): they update or rest there, on a
// thread of its own, while backward goes on. Or, of what need not rest, states come to them
// (device_update.h). A step is over when all of them have arrived.
//
// Use, once for each optimizer step:
//   flow.beginStep(step, rates);
//   for each micro-step: executor.forward;
//                        executor.backward(gradient of loss * flow.lossFactor(), flow.sink(i));
//                        flow.endMicroStep();
//   outcome = flow.endStep();
// Borrowed: the optimizers, which nobody else may touch within a micro-step. One thread.
#pragma once

#include "core/engine/memory/executor.h"
#include "core/engine/memory/stall_clock.h"
#include "core/engine/optim/device_update.h"
#include "core/engine/optim/gradient_return.h"
#include "core/engine/optim/loss_scaler.h"
#include "core/engine/optim/optimizer.h"
#include "core/engine/optim/resting_gradients.h"

#include <optional>
#include <span>
#include <vector>

namespace homebooth::core {

/// How several ranks, each with its part of the gradients, find the norm of all.
struct NormOverRanks {
    RestingGradients::RangeOf own;     ///< the elements that this rank counts
    std::function<double(double)> sum; ///< over all ranks
};

struct GradientFlowOptions {
    int64_t accumulationSteps = 1;
    double maxGradientNorm = 0.0; ///< 0: no clipping
    bool lossScaling = false;     ///< for fp16
    NormOverRanks norm = {};      ///< empty: this process has all gradients

    /// Whether the first update needs every gradient.
    [[nodiscard]] bool needsAll() const { return lossScaling || maxGradientNorm > 0.0; }
    /// Whether any gradient rests.
    [[nodiscard]] bool letsRest() const { return needsAll() || accumulationSteps > 1; }
};

/// What an optimizer step came to.
struct StepOutcome {
    std::optional<double> gradientNorm; ///< before clipping, unscaled; none where gradients did not rest
    /// The norm is not finite and nothing was updated: with loss scaling an overflow, which is part of the
    /// game; without it the training has failed.
    bool skipped = false;
};

/// What a checkpoint keeps of a GradientFlow.
struct GradientFlowState {
    LossScalerState scaler;
    int64_t skippedSteps = 0;
    int64_t statesBegin = 0; ///< step, without skipped ones, before which the optimizer states were zero
};

class GradientFlow {
public:
    /// @param resting  where gradients rest, for each optimizer; empty: beside their parameters
    GradientFlow(GradientFlowOptions options, std::vector<Optimizer*> optimizers,
                 std::vector<StateMemory> resting = {});

    /// Reserves what gradients and updates of streamed blocks will want, since these have got their homes.
    /// Between steps. Errors: throws c10::OutOfMemoryError, std::system_error
    void reserve();
    /// Gives back what of that is on the device.
    void release() { m_visits.reserve({}); }

    /// Starts optimizer step `step` (1-based; the flow itself subtracts skipped ones for the optimizers).
    /// @param learningRates  one per optimizer
    void beginStep(int64_t step, std::span<const double> learningRates);

    /// What the loss of each micro-step is to be multiplied with: loss scale / accumulation steps.
    [[nodiscard]] double lossFactor() const;
    /// The present loss scale; none without loss scaling.
    [[nodiscard]] std::optional<double> lossScale() const;

    /// Takes the gradients of optimizer `index` in the running micro-step. Undefined gradients are left out.
    /// Where resting gradients are spread over ranks, and states with them: this rank's elements, flat.
    [[nodiscard]] GradientSink sink(int index);
    /// Waits until no more than `bytes` of gradients, and of what waits beside them, are still on the device
    /// because they are on their way to RAM, or used there, so that what computes next has room.
    void waitForRoom(int64_t bytes);
    /// Whether a streamed block's parameters at home will not change any more before the next micro-step. Of
    /// gradients that were dropped it knows nothing: a step in which that happened is discarded.
    [[nodiscard]] bool isFinal(int index, int block) const;
    /// Waits for the gradients that are on their way. Errors: throws what an update threw
    void endMicroStep();

    /// Ends the step: clips and updates what rests. Asserts that every micro-step took place.
    [[nodiscard]] StepOutcome endStep();

    /// Whether the running step has changed a parameter.
    [[nodiscard]] bool hasUpdated() const { return m_updated; }

    /// Drops resting gradients, e.g. after a cancelled step.
    void discard();

    /// How long backward has stood still until gradients were used up: of a GPU, not as long as it had
    /// earlier work to do.
    [[nodiscard]] double waitedSeconds();

    /// How long the ends of micro-steps have waited for updates, where any are on the device: of the others,
    /// too.
    [[nodiscard]] double visitTailSeconds() const { return m_visits.tailSeconds() + m_returnTailSeconds; }

    /// Copies over the link that the update of a block on the device takes; 0: it is not there.
    [[nodiscard]] int64_t visitCopies(int index, int block) const {
        return m_visits.copiesOf(*m_optimizers.at(static_cast<size_t>(index)), block);
    }

    /// As DeviceUpdate counts them.
    [[nodiscard]] int64_t refusedCopies() const { return m_visits.refusedCopies(); }

    /// Gradients that rest, with how many there have been.
    [[nodiscard]] const RestingGradients& resting() const { return m_resting; }

    [[nodiscard]] GradientFlowState state() const {
        return {m_scaler.state(), m_skippedSteps, m_statesBegin};
    }
    void restore(const GradientFlowState& state);

private:
    using Key = RestingGradients::Key;

    void take(const Key& key, const at::Tensor& gradient);
    void takeStreamed(const Key& key, const at::Tensor& gradient, bool isLast);
    [[nodiscard]] GradientReturn::Use arrival(const Key& key, bool isLast);
    void standForOthers(int64_t mostBytes);
    [[nodiscard]] int64_t bytesOnDevice() const;
    [[nodiscard]] at::Device device() const;
    [[nodiscard]] bool updatesIn(bool lastMicroStep) const { return lastMicroStep && !m_options.needsAll(); }
    void expect(const Key& key, int direction);
    void forgetExpected();
    void updateAll(double gradientScale);

    GradientFlowOptions m_options;
    std::vector<Optimizer*> m_optimizers;
    RestingGradients m_resting;
    LossScaler m_scaler;
    int64_t m_skippedSteps = 0;
    int64_t m_statesBegin = 0;
    int64_t m_microStep = 0;
    /// The numbers of gradients that went each of the two ways.
    struct LastSent {
        uint64_t home = 0;
        uint64_t visiting = 0;
    };
    std::vector<std::vector<LastSent>> m_lastSent; // of each optimizer's blocks
    bool m_updated = false;                        // in the running step
    /// Of a gradient that has been added, but whose update lacked memory: who hands it over again adds
    /// nothing.
    std::optional<Key> m_added;
    StallClock m_stalls;       // of a GPU
    bool m_goBothWays = false; // gradients: home, and where states come to them
    double m_returnTailSeconds = 0.0;
    at::Tensor m_mayBeThere; // uint8 [bytes], in a rehearsal: stands for gradients
    GradientReturn m_return; // last, and the next: what is on its way uses the others
    DeviceUpdate m_visits;
};

} // namespace homebooth::core
