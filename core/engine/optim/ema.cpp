// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/optim/ema.h"

#include "core/base/run/journal/averages.h"
#include "core/engine/jobs/expected_failure.h"
#include "core/engine/optim/memory_order.h"

#include <algorithm>

namespace homebooth::core {
namespace {

/// Has elements that lie on a disk read ahead.
void want(const NamedTensor& named) {
    if (named.swap != nullptr) named.swap->want(memoryBehind(named.tensor));
}

/// Where the elements of a range begin in a parameter's exact values, which may be those of the range alone.
int64_t firstOf(const NamedTensor& exact, const ElementRange& range) {
    return exact.part ? 0 : range.begin;
}

} // namespace

Ema::Ema(const Optimizer& optimizer, double decay, StateMemory memory)
    : m_optimizer(optimizer)
    , m_store(optimizer.store())
    , m_decay(decay)
    , m_parameters(optimizer.trainable())
    , m_memory(std::move(memory)) {
    makePlaces();
    if (!m_memory.counts()) restart();
}

void Ema::makePlaces() {
    for (const ParameterId id : m_parameters) {
        m_averages.push_back(m_memory.zerosLike(id, at::kFloat));
        m_tiers.push_back(m_store.homeTier(id.block));
    }
    if (!m_memory.hasDisk()) return;
    for (size_t i = 0; i < m_parameters.size(); ++i)
        m_originalPlaces.push_back(
            m_memory.place({replaced(i).count}, m_store.parameter(m_parameters[i]).scalar_type()));
}

/// Calls work(average, exact) for pieces of a parameter's average and its exact values.
/// Shapes: [n], in the parameter's memory order; the average is held, to be changed
template <class Work>
void Ema::forPieces(size_t position, const Work& work) const {
    const NamedTensor whole = m_optimizer.exact(m_parameters[position]);
    const ElementRange range = m_memory.range(m_parameters[position]);
    const int64_t first = firstOf(whole, range);
    m_memory.forPieces(m_parameters[position], range.count, [&](int64_t begin, int64_t count) {
        const at::Tensor average = stretchOf(m_averages[position], begin, count);
        const NamedTensor exact{whole.name, stretchOf(whole.tensor, first + begin, count), whole.swap};
        const auto held = m_memory.hold({average}, true);
        const auto heldExact = required(holdTensor(exact, false));
        work(average, exact.tensor);
    });
}

void Ema::restart() {
    TORCH_CHECK(!swappedIn(), "the moving average cannot begin anew while it is swapped in");
    for (size_t i = 0; i < m_parameters.size(); ++i)
        forPieces(i, [](const at::Tensor& average, const at::Tensor& exact) { average.copy_(exact); });
}

int64_t Ema::stateBytesIn(Tier tier) const {
    int64_t bytes = 0;
    for (size_t i = 0; i < m_parameters.size(); ++i)
        if (!m_memory.onDisk(m_parameters[i]) && m_store.homeTier(m_parameters[i].block) == tier)
            bytes += static_cast<int64_t>(m_averages[i].nbytes());
    return bytes;
}

double Ema::decayAt(int64_t step, double decay) {
    if (step <= 1) return 0.0;
    return std::min(decay, static_cast<double>(step) / static_cast<double>(step + 9));
}

/// Has what lies on a disk read ahead, in the order in which it will be needed.
void Ema::wantAll() const {
    for (size_t i = 0; i < m_parameters.size(); ++i) {
        const NamedTensor exact = m_optimizer.exact(m_parameters[i]);
        const ElementRange range = m_memory.range(m_parameters[i]);
        const int64_t first = firstOf(exact, range);
        m_memory.forPieces(m_parameters[i], range.count, [&](int64_t begin, int64_t count) {
            m_memory.want({stretchOf(m_averages[i], begin, count)});
            want({exact.name, stretchOf(exact.tensor, first + begin, count), exact.swap});
        });
    }
}

void Ema::update(int64_t step) {
    TORCH_CHECK(!swappedIn(), "the moving average cannot learn while it is swapped in");
    const double weight = 1.0 - decayAt(step, m_decay);
    wantAll();
    for (size_t i = 0; i < m_parameters.size(); ++i)
        forPieces(i, [weight](const at::Tensor& average, const at::Tensor& exact) {
            at::Tensor difference = average - exact;
            average.sub_(difference.mul_(weight));
        });
}

/// The elements of a parameter that averages will stand for: all, unless only this rank's are there.
ElementRange Ema::replaced(size_t position) const {
    const ParameterId id = m_parameters[position];
    return m_store.isSpread() ? m_memory.range(id) : ElementRange{0, m_store.parameter(id).numel()};
}

/// All of them before the first parameter changes: whoever lacks the memory keeps the weights as they are.
void Ema::keepOriginals() {
    if (!m_originals.empty()) return;
    std::vector<at::Tensor> originals;
    for (size_t i = 0; i < m_parameters.size(); ++i) {
        const at::Tensor parameter = m_store.parameter(m_parameters[i]);
        const ElementRange range = replaced(i);
        originals.push_back(
            m_memory.onDisk(m_parameters[i])
                ? m_originalPlaces[i]
                : emptyBeside(m_store, m_parameters[i], {range.count}, {1}, parameter.scalar_type()));
        m_memory.forPieces(m_parameters[i], range.count, [&](int64_t begin, int64_t count) {
            const at::Tensor original = stretchOf(originals[i], begin, count);
            const at::Tensor part = stretchOf(parameter, range.begin + begin, count);
            const auto held = m_memory.hold({original}, true);
            const auto heldPart = m_store.holdPart(part, false);
            original.copy_(part);
        });
    }
    m_originals = std::move(originals);
}

void Ema::swapIn() {
    TORCH_CHECK(!swappedIn(), "the moving average is swapped in already");
    keepOriginals();
    m_swappedIn = true;
    for (size_t i = 0; i < m_parameters.size(); ++i) {
        const at::Tensor parameter = m_store.parameter(m_parameters[i]);
        const ElementRange range = m_memory.range(m_parameters[i]);
        m_memory.forPieces(m_parameters[i], range.count, [&](int64_t begin, int64_t count) {
            const at::Tensor average = stretchOf(m_averages[i], begin, count);
            const at::Tensor part = stretchOf(parameter, range.begin + begin, count);
            const auto held = m_memory.hold({average}, false);
            const auto heldPart = m_store.holdPart(part, true);
            part.copy_(average);
        });
    }
}

void Ema::putBack(size_t position) const {
    const at::Tensor parameter = m_store.parameter(m_parameters[position]);
    const ElementRange range = replaced(position);
    m_memory.forPieces(m_parameters[position], range.count, [&](int64_t begin, int64_t count) {
        const at::Tensor original = stretchOf(m_originals[position], begin, count);
        const at::Tensor part = stretchOf(parameter, range.begin + begin, count);
        const auto held = m_memory.hold({original}, false);
        const auto heldPart = m_store.holdPart(part, true);
        part.copy_(original);
    });
}

void Ema::swapOut() {
    for (size_t i = 0; i < m_originals.size(); ++i) {
        if (m_swappedIn) putBack(i);
        m_memory.discard(m_originals[i]);
    }
    m_originals.clear();
    m_swappedIn = false;
}

void Ema::followParameters() {
    TORCH_CHECK(!swappedIn(), "the moving average cannot move while it is swapped in");
    if (!m_memory.followsHomes()) return;
    for (const Tier leaves : {Tier::Device, Tier::Ram})
        for (size_t i = 0; i < m_parameters.size(); ++i) {
            const Tier home = m_store.homeTier(m_parameters[i].block);
            if (m_tiers[i] != leaves || home == leaves) continue;
            m_memory.moveTo(m_averages[i], m_memory.elsewhere(m_parameters[i], m_averages[i]));
            m_tiers[i] = home;
        }
}

std::vector<NamedTensor> Ema::stateTensors() const {
    std::vector<NamedTensor> states;
    for (size_t i = 0; i < m_parameters.size(); ++i)
        states.push_back({m_store.spec(m_parameters[i]).name + std::string(kAverageEnding), m_averages[i],
                          m_memory.swapOf(m_averages[i]), m_memory.part(m_parameters[i], 1)});
    return states;
}

int64_t Ema::stateBytes() const {
    int64_t bytes = 0;
    for (const at::Tensor& average : m_averages) bytes += static_cast<int64_t>(average.nbytes());
    return bytes;
}

} // namespace homebooth::core
