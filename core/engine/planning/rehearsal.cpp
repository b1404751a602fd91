// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/planning/rehearsal.h"

#include "core/base/arch/vae_layout.h"
#include "core/base/model/configs/text_schedule.h"
#include "core/base/plan/generation/preview_plan.h"
#include "core/base/plan/training/learning_schedule.h"
#include "core/engine/io/precision.h"
#include "core/engine/jobs/cuda_libraries.h"
#include "core/engine/memory/disk_space.h"
#include "core/engine/models/vae_model.h"
#include "core/engine/planning/swap_walk.h"
#include "core/engine/planning/trial_step.h"

#include <algorithm>
#include <map>

namespace homebooth::core {
namespace {

/// Of a block's parameters, what other ranks have.
int64_t bytesOfOthers(const ParameterStore& store, int block) {
    if (!store.isSpread()) return 0;
    std::vector<at::Tensor> parameters;
    int64_t bytes = 0;
    const size_t count = store.schedule().blocks()[static_cast<size_t>(block)].parameters.size();
    for (size_t index = 0; index < count; ++index) {
        parameters.push_back(store.parameter({block, static_cast<int>(index)}));
        bytes += static_cast<int64_t>(parameters.back().nbytes());
    }
    return std::max<int64_t>(0, bytes - store.options().spread->partBytes(block, parameters));
}

RehearsedBlock blockOf(const Learner& learner, size_t part, int block) {
    const ParameterStore& store = learner.part(part).component->store();
    RehearsedBlock found;
    found.part = part;
    found.partName = learner.part(part).name;
    found.block = block;
    const BlockSpec& spec = store.schedule().blocks()[static_cast<size_t>(block)];
    found.name = spec.name.empty() ? spec.kind : spec.name;
    found.streamed = store.streams(block);
    found.parameterBytes = store.paddedBytes(block);
    found.gatheredBytes = bytesOfOthers(store, block);
    const std::vector<ParameterSpec>& parameters = spec.parameters;
    for (size_t index = 0; index < parameters.size(); ++index) {
        if (!parameters[index].trainable) continue;
        const ParameterId id{block, static_cast<int>(index)};
        const at::Tensor parameter = store.parameter(id);
        const int64_t updated = learner.updatedRange(part, id).count;
        found.trainedElements += parameter.numel();
        found.trainedBytes += static_cast<int64_t>(parameter.nbytes());
        found.updatedElements += updated;
        found.updatedBytes += updated * static_cast<int64_t>(parameter.element_size());
        const Optimizer::Visit visit = learner.visit(part, id);
        found.visitFetchedBytes += visit.fetchedBytes;
        found.visitReturnedBytes += visit.returnedBytes;
        found.visitCopiedBytes += visit.copiedBytes;
    }
    found.visitTransfers = learner.visitCopies(part, block);
    return found;
}

/// A plan of some uses told by their places among all uses.
ResidencyPlan amongAllUses(ResidencyPlan plan, const std::vector<int>& places, size_t useCount) {
    const auto placeOf = [&](int use) { return use < 0 ? use : places.at(static_cast<size_t>(use)); };
    for (Stay& stay : plan.stays) {
        const std::optional<int> before = stay.fetchInPassBefore(static_cast<int>(places.size()));
        stay.fetchAt = before ? placeOf(*before) - static_cast<int>(useCount) - 1 : placeOf(stay.fetchAt);
        stay.firstUse = placeOf(stay.firstUse);
        stay.lastUse = placeOf(stay.lastUse);
    }
    std::vector<int> stayOfUse(useCount, -1);
    for (size_t use = 0; use < plan.stayOfUse.size(); ++use) stayOfUse[places.at(use)] = plan.stayOfUse[use];
    plan.stayOfUse = std::move(stayOfUse);
    return plan;
}

RehearsedStream streamOf(const ParameterStore& store, size_t part) {
    const std::vector<int>& order = store.passOrder();
    RehearsedStream stream;
    stream.part = part;
    std::vector<int> streamedUses;
    for (size_t use = 0; use < order.size(); ++use)
        if (store.streams(order[use])) streamedUses.push_back(static_cast<int>(use));
    stream.residency = amongAllUses(store.residency(), streamedUses, order.size());
    stream.order = order;
    for (int block = 0; block < static_cast<int>(store.schedule().blocks().size()); ++block)
        stream.fetchBytes.push_back(store.fetchBytes(block));
    return stream;
}

/// Notes what each block's turn takes while a step goes on.
class Notes {
public:
    Notes(RehearsedMemory& memory, const TrialStep& trial)
        : m_memory(memory) {
        for (size_t part = trial.parts().size(); part-- > 0;) { // the text encoder comes first
            Component& component = *trial.parts()[part].component;
            const size_t first = m_blocks.size();
            for (const Node& node : component.schedule().nodes())
                m_blocks.push_back(blockOf(trial.learner(), part, node.block));
            const ShelfTraffic& values = component.executor().shelfTraffic();
            component.executor().setObserver(
                [this, first, &values](int done, int count) { note(first, done, count, values); });
        }
    }

    void begin() { startTurn(); }
    [[nodiscard]] int64_t peakBytes() const {
        return std::max(m_peakBytes, m_memory.use(Tier::Device).peakBytes);
    }
    [[nodiscard]] std::vector<RehearsedBlock> take() { return std::move(m_blocks); }

private:
    /// @param done, count  blocks, as the executor counts those of a training pass: its first half is forward
    /// @param values  of the part, up to now
    void note(size_t first, int done, int count, const ShelfTraffic& values) {
        const int nodes = count / 2;
        const TierUse use = m_memory.use(Tier::Device);
        ShelfTraffic& before = m_values[first];
        const ShelfTraffic since{values.leftBytes - before.leftBytes,
                                 values.fetchedBytes - before.fetchedBytes};
        before = values;
        const RehearsedTurn turn{m_heldBytes, use.peakBytes, use.currentBytes, since,
                                 m_memory.work().since(m_work)};
        if (done <= nodes)
            m_blocks[first + static_cast<size_t>(done - 1)].forward = turn;
        else
            m_blocks[first + static_cast<size_t>(count - done)].backward = turn;
        startTurn();
    }

    void startTurn() {
        const TierUse use = m_memory.use(Tier::Device);
        m_peakBytes = std::max(m_peakBytes, use.peakBytes);
        m_heldBytes = use.currentBytes;
        m_work = m_memory.work();
        m_memory.restartPeak(Tier::Device);
    }

    RehearsedMemory& m_memory;
    std::vector<RehearsedBlock> m_blocks;
    int64_t m_peakBytes = 0; // of all turns before this one
    int64_t m_heldBytes = 0;
    RehearsedWork m_work;
    std::map<size_t, ShelfTraffic> m_values; // up to now, by the part's first block
};

/// What cuBLAS and cuBLASLt take of a GPU for good. With what cuDNN and attention work in, an H200's peaks
/// (SD 1.5 and the default model, batch 1 to 512) were foretold within 1.3 %; of one that streamed, 5 %.
at::Tensor workspaceOfLibraries(const MemoryConfig& memory) {
    constexpr int64_t kBytes = 2 * (int64_t{32} << 20);
    if (!computesOnGpu(memory)) return {};
    return at::empty({kBytes}, at::TensorOptions().dtype(at::kByte).device(at::kMeta));
}

/// What comes to the device once for all steps.
int64_t permanentBytes(const RehearsedStream& stream) {
    int64_t bytes = 0;
    for (const Stay& stay : stream.residency.stays)
        if (stay.permanent) bytes += stream.fetchBytes[static_cast<size_t>(stay.block)];
    return bytes;
}

/// Where a part's parameters lie, and what moved in the step.
void addPart(Rehearsal& found, Component& part) {
    found.parameterBytes += part.store().residentBytes();
    found.homeOnDiskBytes += part.store().swappedBytes();
    found.homeFileBytes += diskSpaceOf(part.store());
    if (part.store().swappedBytes() == 0) found.homeBytesInRam += part.store().streamedBytes();
    found.valueBytesInRam += part.executor().shelfBytes();
    found.linkBytesPerStep += part.store().traffic().bytes;
    const ShelfTraffic& values = part.executor().shelfTraffic();
    found.valueBytesPerStep += values.leftBytes + values.fetchedBytes;
}

/// What text encoders and autoencoder take of a disk where homes are there, in a file for each network, while
/// they are there beside the steps: for previews (training/model_bundle).
int64_t frozenFileBytes(const TrainConfig& config, const ModelSource& model) {
    if (!makesPreviews(config)) return 0;
    const at::ScalarType type = scalarTypeOf(config.precision);
    const at::ScalarType vaeType = safeVaeType(model.vae, type);
    int64_t bytes = diskSpaceOf(vaeEncoderSchedule(model.vae), vaeType) +
                    diskSpaceOf(vaeDecoderSchedule(model.vae), vaeType);
    if (learnsText(config)) return bytes;
    for (size_t part = 0; part < model.textParts().size(); ++part)
        bytes += diskSpaceOf(textSchedule(model, part), type);
    return bytes;
}

/// What lies where between steps and until a step's end.
void noteLearner(const Learner& learner, Rehearsal& found) {
    found.stateBytes = learner.stateBytes() + learner.averageBytes();
    found.stateBytesInRam = learner.stateBytesIn(Tier::Ram);
    found.stateBytesOnDevice = learner.stateBytesIn(Tier::Device);
    found.swappedBytes = learner.swappedBytes();
    found.stateFileBytes = diskSpaceFor(found.swappedBytes);
    found.changingSwappedBytes = learner.changingSwappedBytes();
    found.gradientPlaceBytes = learner.swappedSizes().gradients;
    found.originalPlaceBytes = learner.swappedSizes().originals;
    const RestingGradients& resting = learner.restingGradients();
    found.gradientBytesInRam = resting.peakBytes(Tier::Ram);
    found.gradientBytesOnDisk = resting.peakBytesOnDisk();
    found.gradientBytes =
        found.gradientBytesInRam + found.gradientBytesOnDisk + resting.peakBytes(Tier::Device);
}

Result<Rehearsal> rehearse(const TrainConfig& config, const ModelSource& model,
                           const StepPlacement& options) {
    ParameterStore::Options store;
    store.type = scalarTypeOf(config.precision);
    store.device = at::kMeta;
    const TierScope asInAStep(Tier::Device); // wherever the caller's allocations belong
    RehearsedMemory memory(computesOnGpu(config.memory) ? at::kCUDA : at::kCPU);
    const at::Tensor workspace = workspaceOfLibraries(config.memory);
    HOMEBOOTH_ASSIGN(const std::unique_ptr<TrialStep> trial, TrialStep::make(config, model, store, options));
    Notes notes(memory, *trial);
    memory.restartPeak(Tier::Device);
    memory.restartPeak(Tier::Ram);
    notes.begin();
    trial->run(1);

    Rehearsal found;
    found.devicePeakBytes = notes.peakBytes();
    found.ramPeakBytes = memory.use(Tier::Ram).peakBytes;
    noteLearner(trial->learner(), found);
    found.work = memory.work();
    found.blocks = notes.take();
    for (const LearningPart& part : trial->parts()) addPart(found, *part.component);
    for (RehearsedBlock& block : found.blocks) {
        block.gradientRoomBytes = options.gradientRoomOf(block.part, block.block);
        found.trainedBytes += block.trainedBytes;
        found.trainedElements += block.trainedElements;
    }
    if (options.streaming && options.streaming->homeOnDisk)
        found.frozenFileBytes = frozenFileBytes(config, model);
    if (options.streaming)
        for (size_t part = 0; part < trial->parts().size(); ++part) {
            found.streams.push_back(streamOf(trial->parts()[part].component->store(), part));
            found.linkBytesPerStep -= permanentBytes(found.streams.back());
        }
    found.swapExtra = walkSwap(config, *trial, options, found);
    return found;
}

} // namespace

bool computesOnGpu(const MemoryConfig& memory) {
    if (memory.device != ComputeDevice::Auto) return memory.device == ComputeDevice::Gpu;
    static const bool gpuIsThere = cudaIsUsable(); // opens the driver, and LibTorch's libraries for it
    return gpuIsThere;
}

Result<Rehearsal> rehearseStep(const TrainConfig& config, const ModelSource& model,
                               const StepPlacement& options) {
    try {
        return rehearse(config, model, options);
    } catch (const c10::OutOfMemoryError& error) { // a streamed block that does not fit into its arena
        return Error{ErrorCode::OutOfResources, error.what_without_backtrace(), {}};
    }
}

} // namespace homebooth::core
