// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/planning/swap_walk.h"

#include "core/engine/memory/disk_tier.h"
#include "core/engine/optim/gradient_return.h"
#include "core/engine/optim/optimizer.h"

#include <algorithm>
#include <optional>
#include <set>

namespace homebooth::core {
namespace {

int64_t aligned(int64_t bytes) {
    return (bytes + kParameterAlignment - 1) / kParameterAlignment * kParameterAlignment;
}

/// One tensor of a parameter on a disk.
struct Place {
    int64_t begin = 0;
    int64_t elements = 0;
    int64_t elementBytes = 0;

    /// @param from, count  elements of a parameter that has `all`
    [[nodiscard]] SwapStretch of(int64_t from, int64_t count, int64_t all) const {
        const int64_t unit = std::max<int64_t>(1, (all + elements - 1) / std::max<int64_t>(1, elements));
        const int64_t first = std::min(from / unit, elements);
        const int64_t last = std::min((from + count + unit - 1) / unit, elements);
        return {begin + first * elementBytes, (last - first) * elementBytes};
    }
};

struct Parameter {
    int index = 0;
    int64_t elements = 0; ///< that are updated here
    int64_t elementBytes = 0;
    std::optional<Place> home; ///< none: it lies in memory
    std::vector<Place> states; ///< in the order of an update; none: they do
};

/// One network with its pages.
struct Network {
    std::vector<std::vector<Parameter>> blocks; ///< those that learn
    std::vector<int64_t> homeBegins;            ///< by block
    std::optional<SwapPages> homes;
    bool inPieces = false; ///< how its optimizer updates
    int64_t nodes = 0;
    const RehearsedStream* stream = nullptr;
};

class Walk {
public:
    Walk(const TrainConfig& config, const TrialStep& trial, const StepPlacement& placement,
         const Rehearsal& found)
        : m_microSteps(config.optimizer.accumulationSteps)
        , m_flow(flowOptionsOf(config))
        , m_landing(GradientReturn::landing(computesOnGpu(config.memory)).pageBytes) {
        if (found.swappedBytes > 0) {
            const SwapShape shape = swapShapeFor(found.swappedBytes);
            m_states.emplace(found.swappedBytes, shape.pageBytes, shape.windowBytes);
        }
        for (size_t part = 0; part < trial.parts().size(); ++part) addNetwork(trial, part, placement, found);
    }

    /// Of one step behind others.
    SwapExtra steady() {
        step();
        const SwapExtra before = m_sum;
        const SwapExtra moved = counted();
        step();
        const SwapExtra after = counted();
        return {after.readBytes - moved.readBytes - (m_sum.readBytes - before.readBytes),
                after.writtenBytes - moved.writtenBytes - (m_sum.writtenBytes - before.writtenBytes)};
    }

private:
    void addNetwork(const TrialStep& trial, size_t part, const StepPlacement& placement,
                    const Rehearsal& found);
    void addStates(const Optimizer& optimizer, const StepPlacement& placement, Network& network);
    [[nodiscard]] SwapExtra counted() const;
    void step();
    void pass(Network& network, bool updates);
    void fetch(Network& network, int block);
    void update(Network& network, int block, int direction);
    void want(const Network& network, int block);
    void updatePiece(Network& network, const Parameter& parameter, int64_t begin, int64_t count);
    [[nodiscard]] int64_t pieceOf(const Network& network, const Parameter& parameter) const;

    int64_t m_microSteps;
    GradientFlowOptions m_flow;
    int64_t m_landing;
    int64_t m_begin = 0; // of the next states
    std::optional<SwapPages> m_states;
    std::vector<Network> m_networks;
    std::set<int> m_expected;
    SwapExtra m_sum; // of what steps are about
};

void Walk::addNetwork(const TrialStep& trial, size_t part, const StepPlacement& placement,
                      const Rehearsal& found) {
    const ParameterStore& store = trial.parts()[part].component->store();
    const Optimizer& optimizer = trial.learner().optimizer(part);
    Network network;
    network.inPieces = optimizer.updatesRanges();
    network.nodes = static_cast<int64_t>(store.schedule().nodes().size());
    for (const RehearsedStream& stream : found.streams)
        if (stream.part == part) network.stream = &stream;
    const bool onDisk = store.swappedBytes() > 0;
    const std::vector<BlockSpec>& blocks = store.schedule().blocks();
    int64_t begin = 0;
    for (int block = 0; block < static_cast<int>(blocks.size()); ++block) {
        network.homeBegins.push_back(begin);
        auto& learning = network.blocks.emplace_back();
        int64_t at = begin;
        const auto count = static_cast<int>(blocks[static_cast<size_t>(block)].parameters.size());
        for (int index = 0; index < count; ++index) {
            const at::Tensor tensor = store.parameter({block, index});
            if (store.spec({block, index}).trainable) {
                Parameter one{index, optimizer.range({block, index}).count, tensor.element_size(), {}, {}};
                if (onDisk && store.streams(block)) one.home = {at, tensor.numel(), tensor.element_size()};
                learning.push_back(std::move(one));
            }
            at += aligned(static_cast<int64_t>(tensor.nbytes()));
        }
        begin += store.paddedBytes(block);
    }
    if (onDisk) {
        const SwapShape shape = swapShapeFor(begin);
        network.homes.emplace(begin, shape.pageBytes, shape.windowBytes);
    }
    if (m_states) addStates(optimizer, placement, network);
    m_networks.push_back(std::move(network));
}

/// In the order in which StateMemory hands places out: masters of all parameters, then their moments.
void Walk::addStates(const Optimizer& optimizer, const StepPlacement& placement, Network& network) {
    const auto take = [this](int64_t elements, int64_t elementBytes) {
        const Place place{m_begin, elements, elementBytes};
        m_begin += aligned(elements * elementBytes);
        return place;
    };
    const std::vector<NamedTensor> moments = optimizer.stateTensors();
    const auto takes = [&](int block) {
        return !placement.diskOfStreamed || optimizer.store().streams(block);
    };
    for (size_t block = 0; block < network.blocks.size(); ++block)
        for (Parameter& one : network.blocks[block]) {
            if (!optimizer.hasMaster({static_cast<int>(block), one.index})) continue;
            const Place master = take(one.elements, sizeof(float));
            if (takes(static_cast<int>(block))) one.states.push_back(master);
        }
    auto moment = moments.begin();
    for (size_t block = 0; block < network.blocks.size(); ++block)
        for (Parameter& one : network.blocks[block]) {
            const std::string name = optimizer.store().spec({static_cast<int>(block), one.index}).name + ".";
            for (; moment != moments.end() && moment->name.starts_with(name); ++moment) {
                const Place place = take(moment->tensor.numel(), moment->tensor.element_size());
                if (takes(static_cast<int>(block))) one.states.push_back(place);
            }
        }
}

SwapExtra Walk::counted() const {
    SwapExtra sum;
    const auto add = [&sum](const std::optional<SwapPages>& pages) {
        if (!pages) return;
        sum.readBytes += pages->readBytes();
        sum.writtenBytes += pages->writtenBytes();
    };
    add(m_states);
    for (const Network& network : m_networks) add(network.homes);
    return sum;
}

void Walk::step() {
    for (int64_t micro = 1; micro <= m_microSteps; ++micro) {
        for (Network& network : m_networks) pass(network, micro == m_microSteps && !m_flow.needsAll());
        m_expected.clear();
        if (m_states) m_states->forgetWanted();
    }
    if (!m_flow.needsAll()) return;
    for (Network& network : m_networks) {
        m_expected.clear();
        for (int block = 0; block < static_cast<int>(network.blocks.size()); ++block)
            update(network, block, 1);
    }
    m_expected.clear();
    if (m_states) m_states->forgetWanted();
}

/// Fetches end before what they are fetched beside does, and gradients come home behind it.
void Walk::pass(Network& network, bool updates) {
    m_expected.clear();
    const RehearsedStream* stream = network.stream;
    if (stream == nullptr) {
        for (auto block = static_cast<int>(network.blocks.size()) - 1; updates && block >= 0; --block)
            update(network, block, -1);
        return;
    }
    size_t next = 0;
    const std::vector<Stay>& stays = stream->residency.stays;
    const auto fetchUntil = [&](int use) {
        for (; next < stays.size() && stays[next].fetchAt <= use; ++next)
            if (!stays[next].permanent) fetch(network, stays[next].block);
    };
    fetchUntil(-1);
    for (size_t use = 0; use < stream->order.size(); ++use) {
        fetchUntil(static_cast<int>(use));
        if (updates && static_cast<int64_t>(use) >= network.nodes) update(network, stream->order[use], -1);
    }
}

void Walk::fetch(Network& network, int block) {
    constexpr int64_t kPieceBytes = int64_t{2} << 20; // base/memory/link
    if (!network.homes) return;
    const auto place = static_cast<size_t>(block);
    const int64_t bytes = network.stream->fetchBytes[place];
    for (int64_t done = 0; done < bytes; done += kPieceBytes) {
        const SwapStretch piece{network.homeBegins[place] + done, std::min(kPieceBytes, bytes - done)};
        network.homes->hold(piece);
        network.homes->release(piece, false);
    }
    m_sum.readBytes += bytes;
}

/// Has the states of a block read ahead, and those of the next one that learns.
void Walk::want(const Network& network, int block) {
    if (!m_states || !network.inPieces || !m_expected.insert(block).second) return;
    for (const Parameter& parameter : network.blocks[static_cast<size_t>(block)])
        for (int64_t begin = 0; begin < parameter.elements; begin += kSwappedElements)
            for (const Place& state : parameter.states)
                m_states->want(state.of(begin, std::min(kSwappedElements, parameter.elements - begin),
                                        parameter.elements));
}

void Walk::update(Network& network, int block, int direction) {
    const auto learns = [&](int at) { return !network.blocks[static_cast<size_t>(at)].empty(); };
    const auto count = static_cast<int>(network.blocks.size());
    if (!learns(block)) return;
    want(network, block);
    int beside = block + direction;
    while (beside >= 0 && beside < count && !learns(beside)) beside += direction;
    if (beside >= 0 && beside < count) want(network, beside);
    for (const Parameter& parameter : network.blocks[static_cast<size_t>(block)]) {
        const int64_t most = pieceOf(network, parameter);
        for (int64_t begin = 0; begin < parameter.elements; begin += most)
            updatePiece(network, parameter, begin, std::min(most, parameter.elements - begin));
    }
}

/// Elements that are updated at a time.
int64_t Walk::pieceOf(const Network& network, const Parameter& parameter) const {
    if (!network.inPieces) return std::max<int64_t>(parameter.elements, 1);
    const bool lands = network.stream != nullptr && !m_flow.letsRest();
    return lands ? std::min(kSwappedElements, m_landing / parameter.elementBytes) : kSwappedElements;
}

void Walk::updatePiece(Network& network, const Parameter& parameter, int64_t begin, int64_t count) {
    std::vector<SwapStretch> held;
    for (const Place& state : parameter.states) held.push_back(state.of(begin, count, parameter.elements));
    for (const SwapStretch& stretch : held) m_states->hold(stretch);
    if (network.homes && parameter.home) {
        const SwapStretch own = parameter.home->of(begin, count, parameter.elements);
        network.homes->hold(own);
        network.homes->release(own, true);
        m_sum.writtenBytes += own.bytes;
        if (m_flow.needsAll()) m_sum.readBytes += own.bytes;
    }
    for (const SwapStretch& stretch : held) {
        m_states->release(stretch, true);
        m_sum.readBytes += stretch.bytes;
        m_sum.writtenBytes += stretch.bytes;
    }
}

} // namespace

SwapExtra walkSwap(const TrainConfig& config, const TrialStep& trial, const StepPlacement& placement,
                   const Rehearsal& found) {
    const bool onDisk = found.swappedBytes > 0 || found.homeOnDiskBytes > 0;
    if (!onDisk || config.parallel.processes > 1) return {};
    return Walk(config, trial, placement, found).steady();
}

} // namespace homebooth::core
