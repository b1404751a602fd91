// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The parts of a model that learn: their optimizers, averages and the gradient flow between them, and how all
// of that goes into a checkpoint and comes back. Borrows the components. One thread.
//
// Of a job with several ranks each has a learner, and all call alike what says so: sinks, the ends of
// micro-steps and steps, averages, loading, and what is saved. Every rank's parameters are the same between
// steps, or its part of them (--zero 3); states may be spread over the ranks (--zero 1 and up).
//
// In a checkpoint: <part>.safetensors (trainable parameters, or their masters instead),
// optimizer-<part>.safetensors (moments), ema-<part>.safetensors, one of each for every part.
#pragma once

#include "core/base/config/train_config.h"
#include "core/base/run/journal/averages.h"
#include "core/engine/io/tensor_files.h"
#include "core/engine/learning/state_disk.h"
#include "core/engine/learning/step_placement.h"
#include "core/engine/models/component.h"
#include "core/engine/optim/ema.h"
#include "core/engine/optim/gradient_flow.h"
#include "core/engine/parallel/gradient_exchange.h"
#include "core/engine/parallel/ranks.h"
#include "core/engine/parallel/shard_layout.h"

#include <memory>
#include <string>
#include <vector>

namespace homebooth::core {

/// What of a checkpoint is there to be read beside the weights.
struct CheckpointParts {
    bool optimizer = true; ///< false: the states were pruned; moments start from zero
    bool averages = true;  ///< false: it has none; averages start from the weights
};

/// A component that learns.
struct LearningPart {
    std::string name; ///< "unet", "text_encoder", "encoder", "decoder"
    Component* component = nullptr;
    double learningRate = 0.0; ///< before the schedule
};

/// What states and parameters on a disk cost.
struct SwapTraffic {
    SwapCounters bytes;
    double waitedSeconds = 0.0; ///< of the threads that update and fetch
};

class Learner {
public:
    /// @param placement   says what lies on the disk of --swap, for good; `place` does the rest
    /// @param swapDevice  for tests
    /// @param ranks       borrowed
    /// Errors: throws c10::OutOfMemoryError when memory is refused, ExpectedFailure when states are to be
    ///         swapped and the disk is too small or fails
    Learner(const TrainConfig& config, std::vector<LearningPart> parts, const StepPlacement& placement = {},
            SwapDevice& swapDevice = SwapDevice::system(), const Ranks& ranks = Ranks::lone());

    /// Begins the masters of a part with a file's own numbers, which its parameters were rounded from. A
    /// tensor that is not there leaves its master as the parameter is. Errors: BadInput
    [[nodiscard]] Result<void> beginMasters(size_t part, const TensorSource& source);

    /// Gives parameters, with their states and averages, the homes that a placement says, and tells blocks
    /// what to keep. Between steps.
    /// Errors: throws c10::OutOfMemoryError when memory is refused, ExpectedFailure when a disk failed;
    /// nothing
    ///         is lost, but a step needs another placement first, e.g. the one before
    void place(const StepPlacement& placement);

    /// @param step  1 for the first
    void beginStep(int64_t step);
    /// What the loss of a micro-step is multiplied with before backward.
    [[nodiscard]] double lossFactor() const { return m_flow->lossFactor() / m_ranks.count(); }
    [[nodiscard]] std::optional<double> lossScale() const { return m_flow->lossScale(); }
    /// Ends the training, before backward spoils the weights, when the loss of a micro-step is NaN or
    /// infinite and no loss scaling may still find its factor. Errors: throws TrainingFailure
    void requireFinite(double loss) const;
    [[nodiscard]] GradientSink sink(size_t part) {
        return m_exchange ? m_exchange->sink(part) : m_flow->sink(static_cast<int>(part));
    }
    void endMicroStep();
    /// Ends the step and lets the averages learn.
    [[nodiscard]] StepOutcome endStep();
    /// Whether the running step has changed a parameter.
    [[nodiscard]] bool hasUpdated() const { return m_flow->hasUpdated(); }
    /// Drops what a step left that ended early without having changed anything.
    void discardStep();
    /// The learning rate of the first part in the running step.
    [[nodiscard]] double learningRate() const { return m_rates.front(); }

    /// Sets aside, on this rank alone, the weights that averages will stand for, and changes none.
    /// Errors: throws c10::Error or std::bad_alloc for want of memory
    void keepOriginals();
    /// Puts averaged weights into the components for a preview, and takes them out again, as far as they are
    /// in, with what was set aside. Swapping in may throw for want of memory where nothing was; swapping out
    /// then puts right what was done.
    void swapInAverages();
    void swapOutAverages();

    /// Parameters of a part as they belong into a result: averages where there are any, trained ones else,
    /// and frozen ones of the same component. Every rank calls it; for the first alone they are whole.
    [[nodiscard]] std::vector<NamedTensor> resultTensors(size_t part) const;

    /// What is saved, file by file; every rank has the same names, and its own part of what is spread.
    [[nodiscard]] std::vector<TensorFile> savedFiles() const;
    /// What they take together, whoever has it.
    [[nodiscard]] int64_t savedBytes() const;
    /// Writes these files and says what it wrote, while the other ranks `contribute`, and with a failure
    /// until they have done so. Errors: BadInput (numbers not finite), OutOfResources
    [[nodiscard]] Result<FileHashes> save(const std::string& folder) const;
    /// Sends the first rank what it saves of this one's states.
    void contribute() const { gatherFrom(0); }
    [[nodiscard]] Result<void> load(const std::string& folder, const CheckpointParts& parts);

    [[nodiscard]] GradientFlowState flowState() const { return m_flow->state(); }
    void restoreFlow(const GradientFlowState& state) { m_flow->restore(state); }

    [[nodiscard]] size_t partCount() const { return m_parts.size(); }
    [[nodiscard]] const LearningPart& part(size_t index) const { return m_parts[index]; }
    [[nodiscard]] const Optimizer& optimizer(size_t part) const { return *m_optimizers[part]; }
    /// The elements of a trainable parameter that are updated here: all, or this rank's.
    [[nodiscard]] ElementRange updatedRange(size_t part, ParameterId id) const {
        return m_optimizers[part]->range(id);
    }
    /// What an update of a trainable parameter on the device takes.
    [[nodiscard]] Optimizer::Visit visit(size_t part, ParameterId id) const {
        return flowOptionsOf(m_config).letsRest() ? Optimizer::Visit() : m_optimizers[part]->visit(id);
    }
    /// Copies over the link that such updates of a block take.
    [[nodiscard]] int64_t visitCopies(size_t part, int block) const {
        return m_flow->visitCopies(static_cast<int>(part), block);
    }
    [[nodiscard]] int64_t stateBytes() const; ///< of optimizers, wherever they are
    /// Of the disk, what is set aside for states, averages and gradients; of it, what every step changes as a
    /// whole.
    [[nodiscard]] int64_t swappedBytes() const { return m_disk.bytes(); }
    [[nodiscard]] int64_t changingSwappedBytes() const;
    /// The same by what it is set aside for.
    [[nodiscard]] const StateDisk::Sizes& swappedSizes() const { return m_disk.sizes(); }
    /// What the disk's part of the states has to do without, one sentence each.
    [[nodiscard]] std::vector<std::string> swapNotes() const;
    /// What went to and from the disk up to now, and how long that was waited for.
    [[nodiscard]] SwapTraffic swapTraffic() const;
    [[nodiscard]] int64_t averageBytes() const; ///< of moving averages
    /// Of states and averages, those in one tier.
    [[nodiscard]] int64_t stateBytesIn(Tier tier) const;
    [[nodiscard]] const RestingGradients& restingGradients() const { return m_flow->resting(); }
    /// How long the ends of micro-steps have waited for updates on the device.
    [[nodiscard]] double visitTailSeconds() const { return m_flow->visitTailSeconds(); }
    /// How long backward has stood still until gradients of streamed parameters were used up.
    [[nodiscard]] double gradientWaitSeconds() const { return m_flow->waitedSeconds(); }
    /// How often an update on the device did without what it was planned to have.
    [[nodiscard]] int64_t refusedCopies() const { return m_flow->refusedCopies(); }

private:
    void makeFlow();
    void gatherParameters() const;
    void gatherFrom(size_t first) const;
    [[nodiscard]] Result<FileHashes> write(const std::string& folder, size_t& gathered) const;
    void forgetNextPass() const;
    [[nodiscard]] NamedTensor frozenTensor(size_t part, ParameterId id) const;
    [[nodiscard]] std::vector<std::vector<NamedTensor>> savedTensors(size_t part) const;
    void moveHomes(const StepPlacement& placement);
    [[nodiscard]] BackwardGate gateOf(const StepPlacement& placement, size_t part);
    [[nodiscard]] std::vector<NamedTensor> trainedTensors(size_t part) const;

    const TrainConfig& m_config;
    std::vector<LearningPart> m_parts;
    const Ranks& m_ranks;
    bool m_shardsStates;
    bool m_gathersParameters;           // after every step
    std::vector<ShardLayout> m_layouts; // by part
    StateDisk m_disk;
    std::vector<std::unique_ptr<Optimizer>> m_optimizers;
    std::vector<std::unique_ptr<Ema>> m_averages; // empty without averages
    std::shared_ptr<GradientFlow> m_flow;
    std::unique_ptr<GradientExchange> m_exchange; // null with one rank
    std::vector<double> m_rates;
    int64_t m_step = 0;
};

} // namespace homebooth::core
