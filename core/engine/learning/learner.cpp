// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/learning/learner.h"

#include "core/engine/io/weights.h"
#include "core/engine/learning/step_random.h"
#include "core/engine/learning/training_failure.h"
#include "core/engine/optim/learning_rate.h"
#include "core/engine/parallel/rank_disk.h"
#include "core/engine/parallel/shard_gather.h"

#include <c10/util/accumulate.h>

#include <array>
#include <cmath>

namespace homebooth::core {
namespace {

/// Calls `use` with the id of every parameter, in execution order.
template <class Use>
void forEachParameter(const ParameterStore& store, const Use& use) {
    const std::vector<BlockSpec>& blocks = store.schedule().blocks();
    for (size_t block = 0; block < blocks.size(); ++block)
        for (size_t index = 0; index < blocks[block].parameters.size(); ++index)
            use(ParameterId{static_cast<int>(block), static_cast<int>(index)});
}

/// Reads tensors of a checkpoint file into live ones of the same name, shape and type.
Result<void> loadTensors(const std::string& path, const std::vector<NamedTensor>& targets) {
    HOMEBOOTH_ASSIGN(auto reader, SafetensorsReader::open(path));
    const TensorLookup lookup = lookupIn(reader);
    for (const NamedTensor& target : targets) HOMEBOOTH_CHECK(copyState(target, lookup));
    return {};
}

std::vector<ParameterStore*> storesOf(const std::vector<LearningPart>& parts) {
    std::vector<ParameterStore*> stores;
    for (const LearningPart& part : parts) stores.push_back(&part.component->store());
    return stores;
}

DiskContents contentsOf(const StepPlacement& placement) {
    return {placement.allStatesOnDisk, placement.diskOfStreamed ? DiskTakes::OfStreamed : DiskTakes::All};
}

std::vector<ShardLayout> layoutsOf(const std::vector<LearningPart>& parts, int ranks) {
    std::vector<ShardLayout> layouts;
    for (const LearningPart& part : parts) layouts.emplace_back(part.component->schedule(), ranks);
    return layouts;
}

/// Whether ranks that update everything may round differently: where each places its blocks as it likes, one
/// may update on its GPU what another does on a processor.
bool mayDrift(const TrainConfig& config, const std::vector<LearningPart>& parts, const Ranks& ranks) {
    return ranks.count() > 1 && config.memory.policy == PlacementPolicy::Auto &&
           parts.front().component->store().options().device.is_cuda();
}

} // namespace

Learner::Learner(const TrainConfig& config, std::vector<LearningPart> parts, const StepPlacement& placement,
                 SwapDevice& swapDevice, const Ranks& ranks)
    : m_config(config)
    , m_parts(std::move(parts))
    , m_ranks(ranks)
    , m_shardsStates(ranks.count() > 1 && config.parallel.zero > 0)
    , m_gathersParameters(m_shardsStates || mayDrift(config, m_parts, ranks))
    , m_layouts(layoutsOf(m_parts, ranks.count()))
    , m_disk(config, storesOf(m_parts), contentsOf(placement), diskOf(config.memory, ranks, swapDevice),
             m_shardsStates ? StateShards{m_layouts, ranks.rank()} : StateShards{}) {
    for (size_t i = 0; i < m_parts.size(); ++i) {
        const uint64_t seed = mixedSeed(config.seed, DrawPurpose::Rounding, i);
        m_optimizers.push_back(
            makeOptimizer(config.optimizer, m_parts[i].component->store(), seed, m_disk.of(i).states));
        if (config.optimizer.emaDecay > 0.0)
            m_averages.push_back(std::make_unique<Ema>(*m_optimizers.back(), config.optimizer.emaDecay,
                                                       m_disk.of(i).averages));
    }
    makeFlow();
    m_flow->reserve();
    m_rates.assign(m_parts.size(), 0.0);
}

/// Gradients go to the optimizers; of several ranks by way of the others.
void Learner::makeFlow() {
    std::vector<Optimizer*> optimizers;
    for (const auto& optimizer : m_optimizers) optimizers.push_back(optimizer.get());
    GradientFlowOptions options = flowOptionsOf(m_config);
    if (m_ranks.count() > 1)
        options.norm = {[this](const RestingGradients::Key& key) {
                            return m_layouts[key.optimizer].range(m_ranks.rank(), key.id);
                        },
                        [this](double own) { return m_ranks.sum(own); }};
    m_flow = std::make_shared<GradientFlow>(options, optimizers, m_disk.gradientMemories());
    if (m_ranks.count() == 1) { // else homes change when ranks have exchanged what they updated
        for (size_t part = 0; part < m_parts.size(); ++part)
            m_parts[part].component->store().fetchForNextPass(
                [flow = std::weak_ptr(m_flow), part](int block) {
                    const auto held = flow.lock(); // the store may outlive it
                    return held && held->isFinal(static_cast<int>(part), block);
                });
        return;
    }
    std::vector<GradientExchange::Part> parts;
    for (size_t part = 0; part < m_parts.size(); ++part)
        parts.push_back(
            {&m_parts[part].component->store(), &m_layouts[part], m_flow->sink(static_cast<int>(part))});
    m_exchange = std::make_unique<GradientExchange>(m_ranks, std::move(parts), m_shardsStates);
}

/// Brings what the ranks have changed of their parts to all of them.
void Learner::gatherParameters() const {
    if (!m_gathersParameters) return;
    for (size_t part = 0; part < m_parts.size(); ++part) {
        const ParameterStore& store = m_parts[part].component->store();
        if (!store.isSpread()) // else each block is gathered before it is used
            core::gatherParameters(m_ranks, store, m_layouts[part]);
    }
}

Result<void> Learner::beginMasters(size_t part, const TensorSource& source) {
    Optimizer& optimizer = *m_optimizers.at(part);
    for (const ParameterId id : optimizer.trainable()) {
        if (!optimizer.hasMaster(id)) continue;
        const NamedTensor master = optimizer.exact(id);
        const TensorInfo* info = findTensor(source, master.name);
        if (info == nullptr) continue;
        HOMEBOOTH_ASSIGN(const at::Tensor values, readWholeTensor(source, info->name));
        HOMEBOOTH_ASSIGN(const auto held, holdTensor(master, true));
        master.tensor.copy_(ownOf(master, values));
    }
    if (!m_averages.empty()) m_averages[part]->restart();
    return {};
}

void Learner::moveHomes(const StepPlacement& placement) {
    for (size_t part = 0; part < m_parts.size(); ++part)
        m_parts[part].component->store().place(placement.streamingOf(part), placement.residentOf(part));
    for (const auto& optimizer : m_optimizers) optimizer->followParameters();
    for (const auto& average : m_averages) average->followParameters();
}

/// Keeps a part's blocks from computing while gradients still take room that they need.
BackwardGate Learner::gateOf(const StepPlacement& placement, size_t part) {
    if (!placement.streaming) return {};
    std::vector<int64_t> room;
    for (size_t block = 0; block < m_parts[part].component->schedule().blocks().size(); ++block)
        room.push_back(placement.gradientRoomOf(part, static_cast<int>(block)));
    return [this, room = std::move(room)](int block) { m_flow->waitForRoom(room.at(block)); };
}

void Learner::place(const StepPlacement& placement) {
    for (const LearningPart& part : m_parts) {
        Executor& executor = part.component->executor();
        executor.setValuesInRam(false); // it holds on to the ways to RAM
        for (size_t block = 0; block < part.component->schedule().blocks().size(); ++block)
            executor.setRecompute(static_cast<int>(block), Recompute::Always); // until all have their homes
    }
    // In between, only what lies on the device before and after does: everything that leaves goes first.
    StepPlacement leaving = placement;
    leaving.resident.assign(m_parts.size(), {});
    for (size_t part = 0; part < m_parts.size(); ++part) {
        const ParameterStore& store = m_parts[part].component->store();
        for (int block = 0; block < static_cast<int>(store.schedule().blocks().size()); ++block)
            leaving.resident[part].push_back(!store.streams(block) && !placement.streams(part, block));
    }
    m_flow->release();
    if (placement.streaming) moveHomes(leaving);
    moveHomes(placement);
    m_flow->reserve();
    for (size_t part = 0; part < m_parts.size(); ++part) {
        Executor& executor = m_parts[part].component->executor();
        executor.setValuesInRam(placement.valuesInRam);
        executor.setBackwardGate(gateOf(placement, part));
        executor.setDrain([this] { m_flow->waitForRoom(0); });
        if (part >= placement.recompute.size()) continue;
        for (size_t block = 0; block < placement.recompute[part].size(); ++block) {
            Recompute recompute = placement.recompute[part][block];
            // Ranks may keep different things, but each must ask for a block as often as the others.
            if (m_parts[part].component->store().isSpread() && recompute == Recompute::Never)
                recompute = Recompute::CheapParts;
            executor.setRecompute(static_cast<int>(block), recompute);
        }
    }
}

void Learner::beginStep(int64_t step) {
    m_step = step;
    const double factor =
        learningRateFactor(m_config.optimizer.schedule, step, m_config.steps, m_config.optimizer.warmupSteps);
    for (size_t i = 0; i < m_parts.size(); ++i) m_rates[i] = m_parts[i].learningRate * factor;
    m_flow->beginStep(step, m_rates);
}

void Learner::requireFinite(double loss) const {
    if (!std::isfinite(loss) && !lossScale()) throw TrainingFailure(notFinite(m_step));
}

void Learner::endMicroStep() {
    if (m_exchange) m_exchange->flush();
    m_flow->endMicroStep();
}

StepOutcome Learner::endStep() {
    const StepOutcome outcome = m_flow->endStep();
    if (outcome.skipped) return outcome;
    gatherParameters();
    for (const auto& average : m_averages) average->update(m_step);
    return outcome;
}

/// Before parameters change outside the steps: what has come for the next pass leaves.
void Learner::forgetNextPass() const {
    for (const LearningPart& part : m_parts) part.component->store().forgetNextPass();
}

void Learner::discardStep() {
    forgetNextPass();
    for (const LearningPart& part : m_parts) part.component->executor().discard();
    if (m_exchange) m_exchange->discard();
    m_flow->discard();
}

void Learner::keepOriginals() {
    if (!m_averages.empty()) forgetNextPass(); // and its memory is there for them
    for (const auto& average : m_averages) average->keepOriginals();
}

void Learner::swapInAverages() {
    if (!m_averages.empty()) forgetNextPass();
    for (const auto& average : m_averages) average->swapIn();
    if (!m_averages.empty()) gatherParameters();
}

void Learner::swapOutAverages() {
    if (!m_averages.empty()) forgetNextPass();
    for (const auto& average : m_averages) average->swapOut();
}

std::vector<NamedTensor> Learner::trainedTensors(size_t part) const {
    const Optimizer& optimizer = *m_optimizers[part];
    std::vector<NamedTensor> tensors;
    for (const ParameterId id : optimizer.trainable()) tensors.push_back(optimizer.exact(id));
    return tensors;
}

NamedTensor Learner::frozenTensor(size_t part, ParameterId id) const {
    const ParameterStore& store = m_parts[part].component->store();
    const std::string& name = store.spec(id).name;
    if (!store.isSpread()) return {name, store.parameter(id), store.swapOf(id)};
    const ShardLayout layout(store.schedule(), m_ranks.count(), ShardedParameters::Frozen);
    StateMemory memory = StateMemory::beside(store);
    memory.shard(layout, m_ranks.rank());
    const ElementRange own = memory.range(id);
    return {name, stretchOf(store.parameter(id), own.begin, own.count), store.swapOf(id), memory.part(id, 1)};
}

std::vector<NamedTensor> Learner::resultTensors(size_t part) const {
    const ParameterStore& store = m_parts[part].component->store();
    std::vector<NamedTensor> averages;
    if (!m_averages.empty()) averages = m_averages[part]->stateTensors();
    std::vector<NamedTensor> tensors;
    size_t next = 0; // averages come in the order of the trainable parameters
    forEachParameter(store, [&](ParameterId id) {
        const ParameterSpec& spec = store.spec(id);
        if (spec.trainable && !averages.empty()) {
            tensors.push_back(averages[next++]);
            tensors.back().name = spec.name;
        } else if (spec.trainable)
            tensors.push_back(m_optimizers[part]->exact(id));
        else if (m_config.method == TrainMethod::Full || !store.isSpread()) // else nobody asks for them
            tensors.push_back(frozenTensor(part, id));
    });
    for (NamedTensor& named : tensors) {
        const at::Tensor whole = gatherState(m_ranks, named);
        if (!named.part || !m_ranks.isFirst()) continue;
        named = {named.name, whole};
    }
    return tensors;
}

/// What is saved of a part: trainable parameters or their masters, moments, and averages where there are any.
std::vector<std::vector<NamedTensor>> Learner::savedTensors(size_t part) const {
    std::vector<std::vector<NamedTensor>> files{trainedTensors(part), m_optimizers[part]->stateTensors()};
    if (!m_averages.empty()) files.push_back(m_averages[part]->stateTensors());
    return files;
}

std::vector<TensorFile> Learner::savedFiles() const {
    constexpr std::array<const char*, 3> kPrefixes = {"", "optimizer-", kAveragesPrefix};
    std::vector<TensorFile> saved;
    for (size_t i = 0; i < m_parts.size(); ++i) {
        std::vector<std::vector<NamedTensor>> files = savedTensors(i);
        for (size_t file = 0; file < files.size(); ++file)
            saved.push_back({kPrefixes.at(file) + m_parts[i].name + ".safetensors", std::move(files[file])});
    }
    return saved;
}

int64_t Learner::savedBytes() const {
    int64_t bytes = 0;
    for (const TensorFile& file : savedFiles())
        for (const NamedTensor& named : file.tensors)
            bytes += c10::multiply_integers(named.sizes()) *
                     static_cast<int64_t>(c10::elementSize(named.tensor.scalar_type()));
    return bytes;
}

/// @param gathered  counts the tensors that all ranks have put together
Result<FileHashes> Learner::write(const std::string& folder, size_t& gathered) const {
    const auto whole = [this, &gathered](const NamedTensor& named) {
        ++gathered;
        return gatherState(m_ranks, named);
    };
    FileHashes hashes;
    for (TensorFile& file : savedFiles()) {
        Sha256 hash;
        HOMEBOOTH_CHECK(writeTensorFile(folder + "/" + file.name,
                                        TensorListSource(std::move(file.tensors), {}, whole), {}, &hash));
        hashes[file.name] = hash.finish();
    }
    return hashes;
}

Result<FileHashes> Learner::save(const std::string& folder) const {
    size_t gathered = 0;
    auto written = write(folder, gathered);
    if (!written) gatherFrom(gathered); // the others send what they have to the end
    return written;
}

/// Puts together what is saved of all ranks, beginning with so many-th tensor; what comes of it is dropped.
void Learner::gatherFrom(size_t first) const {
    size_t place = 0;
    for (const TensorFile& file : savedFiles())
        for (const NamedTensor& named : file.tensors)
            if (place++ >= first) static_cast<void>(gatherState(m_ranks, named));
}

Result<void> Learner::load(const std::string& folder, const CheckpointParts& parts) {
    forgetNextPass();
    for (size_t i = 0; i < m_parts.size(); ++i) {
        const std::string file = m_parts[i].name + ".safetensors";
        HOMEBOOTH_CHECK(loadTensors(folder + "/" + file, trainedTensors(i)));
        for (const ParameterId id : m_optimizers[i]->trainable()) m_optimizers[i]->followMaster(id);
        if (parts.optimizer) {
            HOMEBOOTH_ASSIGN(auto reader, SafetensorsReader::open(folder + "/optimizer-" + file));
            HOMEBOOTH_CHECK(m_optimizers[i]->loadState(lookupIn(reader)));
        }
        if (m_averages.empty()) continue;
        if (parts.averages)
            HOMEBOOTH_CHECK(
                loadTensors(folder + "/" + kAveragesPrefix + file, m_averages[i]->stateTensors()));
        else
            m_averages[i]->restart();
    }
    gatherParameters(); // those that follow masters of other ranks
    return {};
}

int64_t Learner::changingSwappedBytes() const {
    if (!m_disk.takesOfStreamed()) return m_disk.changingBytes();
    return stateBytes() + averageBytes() - stateBytesIn(Tier::Ram) - stateBytesIn(Tier::Device);
}

int64_t Learner::stateBytes() const {
    int64_t bytes = 0;
    for (const auto& optimizer : m_optimizers) bytes += optimizer->stateBytes();
    return bytes;
}

std::vector<std::string> Learner::swapNotes() const {
    return m_disk.swap() != nullptr ? m_disk.swap()->facts().notes : std::vector<std::string>();
}

SwapTraffic Learner::swapTraffic() const {
    SwapTraffic sum;
    const auto add = [&sum](const SwappedMemory* swap) {
        if (swap == nullptr) return;
        const SwapCounters counters = swap->counters();
        sum.bytes.bytesRead += counters.bytesRead;
        sum.bytes.bytesWritten += counters.bytesWritten;
        sum.waitedSeconds += swap->waitedSeconds();
    };
    add(m_disk.swap());
    for (const LearningPart& part : m_parts) add(part.component->store().swap());
    return sum;
}

int64_t Learner::averageBytes() const {
    int64_t bytes = 0;
    for (const auto& average : m_averages) bytes += average->stateBytes();
    return bytes;
}

int64_t Learner::stateBytesIn(Tier tier) const {
    int64_t bytes = 0;
    for (const auto& optimizer : m_optimizers) bytes += optimizer->stateBytesIn(tier);
    for (const auto& average : m_averages) bytes += average->stateBytesIn(tier);
    return bytes;
}

} // namespace homebooth::core
