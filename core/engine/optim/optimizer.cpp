// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/optim/optimizer.h"

#include "core/engine/optim/adafactor.h"
#include "core/engine/optim/adamw.h"
#include "core/engine/optim/adamw8bit.h"

#include <algorithm>

namespace homebooth::core {
namespace {

std::string describe(at::ScalarType type, at::IntArrayRef sizes) {
    std::ostringstream text;
    text << type << ' ' << sizes;
    return text.str();
}

std::unique_ptr<Optimizer> ofKind(const OptimizerConfig& config, ParameterStore& store, uint64_t seed,
                                  StateMemory& memory) {
    switch (config.kind) {
    case OptimizerKind::AdamW:
        return std::make_unique<AdamW>(config, store, seed, memory);
    case OptimizerKind::AdamW8bit:
        return std::make_unique<AdamW8bit>(config, store, seed, memory);
    case OptimizerKind::Adafactor:
        return std::make_unique<Adafactor>(config, store, seed, memory);
    }
    TORCH_CHECK(false, "unknown optimizer kind ", static_cast<int>(config.kind));
}

} // namespace

at::Tensor ownOf(const NamedTensor& named, const at::Tensor& whole) {
    if (!named.part) return whole;
    at::Tensor ordered = whole;
    if (whole.strides() != at::IntArrayRef(named.part->strides))
        ordered = at::empty_strided(named.part->sizes, named.part->strides, whole.options()).copy_(whole);
    return stretchOf(ordered, named.part->begin, named.tensor.numel());
}

Result<void> copyState(const NamedTensor& state, const TensorLookup& lookup) {
    const at::Tensor found = lookup(state.name);
    if (!found.defined())
        return badInput("loading the optimizer: the checkpoint has no state of this name; resume with the "
                        "optimizer and the trainable parts that the run was started with",
                        state.name);
    const std::vector<int64_t> sizes = state.sizes();
    const at::ScalarType type = state.tensor.scalar_type();
    if (found.sizes() != at::IntArrayRef(sizes) || found.scalar_type() != type)
        return badInput("loading the optimizer: expected " + describe(type, sizes) + ", found " +
                            describe(found.scalar_type(), found.sizes()) +
                            "; resume with the model and settings of the run",
                        state.name);
    HOMEBOOTH_ASSIGN(const auto held, holdTensor(state, true));
    at::Tensor target = state.tensor;
    target.copy_(ownOf(state, found));
    return {};
}

Result<std::optional<SwapHold>> holdTensor(const NamedTensor& named, bool changes) {
    if (named.swap == nullptr) return std::optional<SwapHold>();
    HOMEBOOTH_ASSIGN(SwapHold hold, SwapHold::take(*named.swap, memoryBehind(named.tensor), changes));
    return std::optional<SwapHold>(std::move(hold));
}

Workers workersBesideBackward(const ParameterStore& store) {
    return store.options().device.is_cpu() ? Workers::Caller : Workers::Most;
}

Optimizer::Optimizer(const OptimizerConfig& config, ParameterStore& store, uint64_t seed, StateMemory& memory)
    : m_store(store)
    , m_config(config)
    , m_seed(seed)
    , m_memory(memory) {
    findTrainable();
    for (const ParameterId id : m_trainable) makeMaster(id, memory);
}

Optimizer::Optimizer(ParameterStore& store)
    : m_store(store)
    , m_seed(0)
    , m_memory(StateMemory::beside(store)) {
    findTrainable();
    m_masters.resize(m_trainable.size());
}

void Optimizer::findTrainable() {
    const std::vector<BlockSpec>& blocks = m_store.schedule().blocks();
    m_positions.resize(blocks.size());
    for (size_t block = 0; block < blocks.size(); ++block) {
        for (size_t index = 0; index < blocks[block].parameters.size(); ++index) {
            const bool trainable = blocks[block].parameters[index].trainable;
            m_positions[block].push_back(trainable ? static_cast<int64_t>(m_trainable.size()) : -1);
            if (!trainable) continue;
            m_trainable.push_back({static_cast<int>(block), static_cast<int>(index)});
            m_places.push_back(placeOf(static_cast<int>(block)));
        }
    }
}

void Optimizer::makeMaster(ParameterId id, StateMemory& memory) {
    const at::Tensor parameter = m_store.parameter(id);
    const bool wanted = m_config.master == MasterWeights::Fp32 && parameter.scalar_type() != at::kFloat;
    m_masters.push_back(wanted ? memory.zerosLike(id, at::kFloat) : at::Tensor());
    if (!wanted || memory.counts()) return;
    const ElementRange range = memory.range(id);
    m_memory.forPieces(id, range.count, [&](int64_t begin, int64_t count) {
        const at::Tensor master = stretchOf(m_masters.back(), begin, count);
        const at::Tensor from = stretchOf(parameter, range.begin + begin, count);
        const auto held = m_memory.hold({master}, true);
        const auto heldParameter = m_store.holdPart(from, false);
        master.copy_(from);
    });
}

void Optimizer::followMaster(ParameterId id) {
    const at::Tensor& whole = m_masters[position(id)];
    if (!whole.defined()) return;
    const at::Tensor parameter = m_store.parameter(id);
    m_memory.forPieces(id, range(id).count, [&](int64_t begin, int64_t count) {
        const at::Tensor master = stretchOf(whole, begin, count);
        const at::Tensor to = stretchOf(parameter, range(id).begin + begin, count);
        const auto held = m_memory.hold({master}, false);
        const auto heldParameter = m_store.holdPart(to, true);
        to.copy_(master);
    });
}

NamedTensor Optimizer::exact(ParameterId id) const {
    const std::string& name = m_store.spec(id).name;
    if (hasMaster(id)) {
        const at::Tensor& master = m_masters[position(id)];
        return {name, master, m_memory.swapOf(master), m_memory.part(id, 1)};
    }
    if (!m_store.isSpread()) return {name, m_store.parameter(id), m_store.swapOf(id)};
    const ElementRange own = range(id);
    return {name, stretchOf(m_store.parameter(id), own.begin, own.count), m_store.swapOf(id),
            m_memory.part(id, 1)};
}

std::vector<NamedTensor> Optimizer::stateTensors() const {
    std::vector<NamedTensor> states;
    for (size_t i = 0; i < m_trainable.size(); ++i)
        for (const Moment& moment : momentsAt(i))
            states.push_back({m_store.spec(m_trainable[i]).name + "." + moment.name, moment.tensor,
                              m_memory.swapOf(moment.tensor), m_memory.part(m_trainable[i], moment.unit)});
    return states;
}

std::vector<at::Tensor> Optimizer::statesAt(size_t position) const {
    std::vector<at::Tensor> states;
    for (const Moment& moment : momentsAt(position)) states.push_back(moment.tensor);
    if (m_masters[position].defined()) states.push_back(m_masters[position]);
    return states;
}

void Optimizer::beginStep(int64_t step, double learningRate) {
    TORCH_CHECK(step > m_statesBegin, "optimizer steps count from ", m_statesBegin + 1, ", got ", step);
    m_step = step;
    m_learningRate = learningRate;
}

void Optimizer::updateRange(ParameterId id, const at::Tensor& gradient, int64_t begin, double gradientScale,
                            Workers workers) {
    m_memory.changePieces(id, gradient.numel(), [&](int64_t at, int64_t count) {
        const std::vector<at::Tensor> own = touched(id, begin + at, count);
        const auto held = m_memory.hold(at::TensorList(own).slice(1), true);
        const auto heldPart = m_store.holdPart(own.front(), true);
        updateCopies(id, gradient.narrow(0, at, count), begin + at, gradientScale, own, workers);
    });
}

bool Optimizer::visitsDevice(int block) const {
    return updatesRanges() && m_store.updatesOnDevice(block) && !isSharded() && swap() == nullptr &&
           m_store.swap() == nullptr;
}

Optimizer::Visit Optimizer::visit(ParameterId id) const {
    Visit all;
    if (!visitsDevice(id.block)) return all;
    for (const at::Tensor& one : touched(id, 0, range(id).count))
        if (one.defined()) all.returnedBytes += static_cast<int64_t>(one.nbytes());
    const auto parameterBytes = static_cast<int64_t>(m_store.parameter(id).nbytes());
    all.fetchedBytes = all.returnedBytes - parameterBytes;
    all.copiedBytes = hasMaster(id) ? 0 : parameterBytes;
    return all;
}

std::vector<at::Tensor> Optimizer::touched(ParameterId id, int64_t /*begin*/, int64_t /*count*/) const {
    TORCH_CHECK(false, "this optimizer takes the gradient of ", m_store.spec(id).name, " as a whole");
}

void Optimizer::updateCopies(ParameterId id, const at::Tensor& /*gradient*/, int64_t /*begin*/,
                             double /*gradientScale*/, const std::vector<at::Tensor>& /*copies*/,
                             Workers /*workers*/) const {
    TORCH_CHECK(false, "this optimizer takes the gradient of ", m_store.spec(id).name, " as a whole");
}

void Optimizer::wantStates(ParameterId id) {
    if (!updatesRanges()) return;
    const ElementRange all = range(id);
    m_memory.forPieces(id, all.count, [&](int64_t at, int64_t count) {
        m_memory.want(at::TensorList(touched(id, all.begin + at, count)).slice(1));
    });
}

std::vector<int> Optimizer::expect(int block, int direction) {
    std::vector<int> unknown;
    if (swap() == nullptr) return unknown;
    const auto& blocks = m_store.schedule().blocks();
    const auto trains = [&](int at) {
        const auto& positions = m_positions[static_cast<size_t>(at)];
        return std::any_of(positions.begin(), positions.end(),
                           [](int64_t position) { return position >= 0; });
    };
    const auto readAhead = [&](int at) {
        if (!m_expected.insert(at).second) return;
        unknown.push_back(at);
        for (size_t index = 0; index < m_positions[static_cast<size_t>(at)].size(); ++index)
            if (m_positions[static_cast<size_t>(at)][index] >= 0) wantStates({at, static_cast<int>(index)});
    };
    readAhead(block);
    int next = block + direction;
    while (next >= 0 && next < static_cast<int>(blocks.size()) && !trains(next)) next += direction;
    if (next >= 0 && next < static_cast<int>(blocks.size())) readAhead(next);
    return unknown;
}

void Optimizer::forgetExpected() {
    m_expected.clear();
    if (swap() != nullptr) swap()->forgetWanted();
}

Result<void> Optimizer::loadState(const TensorLookup& lookup) {
    for (const NamedTensor& state : stateTensors()) HOMEBOOTH_CHECK(copyState(state, lookup));
    return {};
}

int64_t Optimizer::stateBytes() const {
    int64_t bytes = 0;
    for (size_t i = 0; i < m_trainable.size(); ++i)
        for (const at::Tensor& state : statesAt(i)) bytes += static_cast<int64_t>(state.nbytes());
    return bytes;
}

int64_t Optimizer::stateBytesIn(Tier tier) const {
    int64_t bytes = 0;
    for (size_t i = 0; i < m_trainable.size(); ++i) {
        const ParameterId id = m_trainable[i];
        if (m_memory.onDisk(id) || m_store.homeTier(id.block) != tier) continue;
        for (const at::Tensor& state : statesAt(i)) bytes += static_cast<int64_t>(state.nbytes());
    }
    return bytes;
}

void Optimizer::followParameters() {
    if (!m_memory.followsHomes()) return;
    for (const Tier leaves : {Tier::Device, Tier::Ram}) // what leaves the device makes room for the others
        for (size_t i = 0; i < m_trainable.size(); ++i) {
            const ParameterId id = m_trainable[i];
            if (m_places[i].tier != leaves || m_places[i] == placeOf(id.block)) continue;
            std::vector<at::Tensor> states = statesAt(i);
            std::vector<at::Tensor> moved;
            for (const at::Tensor& state : states) moved.push_back(m_memory.elsewhere(id, state));
            for (size_t one = 0; one < states.size(); ++one) m_memory.moveTo(states[one], moved[one]);
            m_places[i] = placeOf(id.block);
        }
}

size_t Optimizer::position(ParameterId id) const {
    const int64_t found = m_positions.at(id.block).at(id.index);
    TORCH_CHECK(found >= 0, "a gradient came for ", m_store.spec(id).name, ", which is not trainable");
    return static_cast<size_t>(found);
}

std::unique_ptr<Optimizer> makeOptimizer(const OptimizerConfig& config, ParameterStore& store,
                                         uint64_t seed) {
    StateMemory memory = StateMemory::beside(store);
    return makeOptimizer(config, store, seed, memory);
}

std::unique_ptr<Optimizer> makeOptimizer(const OptimizerConfig& config, ParameterStore& store, uint64_t seed,
                                         StateMemory& memory) {
    if (config.kind != OptimizerKind::Adafactor && memory.mightVisit()) {
        StateMemory counted = StateMemory::counted(store);
        (void)ofKind(config, store, seed, counted);
        memory.mayVisit(counted);
    }
    return ofKind(config, store, seed, memory);
}

} // namespace homebooth::core
