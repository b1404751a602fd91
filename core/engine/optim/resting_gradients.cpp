// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/optim/resting_gradients.h"

#include "core/engine/memory/rehearsed_memory.h"
#include "core/engine/optim/gradient_norm.h"

#include <algorithm>

namespace homebooth::core {

RestingGradients::RestingGradients(std::vector<Optimizer*> optimizers, bool sums,
                                   std::vector<StateMemory> memories)
    : m_optimizers(std::move(optimizers))
    , m_sums(sums)
    , m_memories(std::move(memories)) {
    for (size_t i = 0; i < m_optimizers.size(); ++i) {
        const std::vector<ParameterId>& trainable = m_optimizers[i]->trainable();
        m_places.emplace_back(trainable.size());
        m_slots.emplace_back(trainable.size());
        if (!m_memories[i].hasDisk()) continue;
        for (size_t position = 0; position < trainable.size(); ++position)
            m_slots[i][position] = m_memories[i].placeLike(trainable[position], at::kFloat);
    }
}

const at::Tensor& RestingGradients::placeOf(const Key& key) const {
    return m_places[key.optimizer][m_optimizers[key.optimizer]->position(key.id)];
}

at::Tensor& RestingGradients::placeOf(const Key& key) {
    return m_places[key.optimizer][m_optimizers[key.optimizer]->position(key.id)];
}

/// Memory for a gradient in its parameter's order: on the disk, or in the tier of the present scope.
at::Tensor RestingGradients::emptyPlace(const Key& key, at::ScalarType type) const {
    const Optimizer& optimizer = *m_optimizers[key.optimizer];
    const at::Tensor& slot = m_slots[key.optimizer][optimizer.position(key.id)];
    if (memoryOf(key).onDisk(key.id)) return StateMemory::seenAs(slot, type);
    const at::Tensor parameter = optimizer.store().parameter(key.id);
    if (memoryOf(key).isSharded()) return at::empty({range(key).count}, parameter.options().dtype(type));
    return at::empty_strided(parameter.sizes(), parameter.strides(), parameter.options().dtype(type));
}

/// From now on a gradient rests there.
void RestingGradients::open(const Key& key, const at::Tensor& place) {
    placeOf(key) = place;
    count(key, static_cast<int64_t>(place.nbytes()));
}

/// From now on a sum rests there, in fp32.
void RestingGradients::widen(const Key& key) {
    at::Tensor& place = placeOf(key);
    if (place.scalar_type() == at::kFloat) return;
    const StateMemory& memory = memoryOf(key);
    at::Tensor sum;
    {
        const auto held = memory.hold({place}, false);
        sum = place.to(at::kFloat);
    }
    const int64_t grown = static_cast<int64_t>(sum.nbytes()) - static_cast<int64_t>(place.nbytes());
    if (memory.onDisk(key.id)) {
        const at::Tensor wide = emptyPlace(key, at::kFloat);
        const auto held = memory.hold({wide}, true);
        place = wide.copy_(sum);
    } else {
        place = std::move(sum);
    }
    count(key, grown);
}

void RestingGradients::add(const Key& key, const at::Tensor& gradient) {
    const bool adds = has(key);
    const StateMemory& memory = memoryOf(key);
    if (!adds && !m_sums && !memory.onDisk(key.id)) { // it may stay where it is
        open(key, gradient);
        return;
    }
    const at::Tensor flat = flatAlias(gradient);
    memory.changePieces(key.id, flat.numel(), [&](int64_t begin, int64_t count) {
        addPiece(key, flat.narrow(0, begin, count), begin, adds);
    });
}

void RestingGradients::addPiece(const Key& key, const at::Tensor& piece, int64_t begin, bool adds) {
    const bool opens = begin == 0 && !adds;
    if (begin == 0 && adds) widen(key);
    const at::Tensor place =
        opens ? emptyPlace(key, m_sums ? at::kFloat : piece.scalar_type()) : placeOf(key);
    at::Tensor part = stretchOf(place, begin, piece.numel());
    const auto held = memoryOf(key).hold({part}, true);
    if (adds)
        part.add_(piece);
    else
        part.copy_(piece);
    if (opens) open(key, place); // last: where memory was refused nothing rests
}

void RestingGradients::update(const Key& key, double scale, Workers workers) {
    Optimizer& optimizer = *m_optimizers[key.optimizer];
    const at::Tensor place = placeOf(key);
    const StateMemory& memory = memoryOf(key);
    const int64_t first = range(key).begin;
    if (!optimizer.updatesRanges()) {
        const auto held = memory.hold({place}, false);
        optimizer.update(key.id, place, scale);
    } else {
        memory.changePieces(key.id, place.numel(), [&](int64_t begin, int64_t count) {
            const at::Tensor piece = stretchOf(place, begin, count);
            const auto held = memory.hold({piece}, false);
            optimizer.updateRange(key.id, piece, first + begin, scale, workers);
        });
    }
    release(key);
}

/// Partial sums in the order of the parameter, however it is cut.
void RestingGradients::addSquares(const Key& key, const RangeOf& among, SquaredNorms& norms) const {
    const at::Tensor& place = placeOf(key);
    const ElementRange here = range(key);
    const ElementRange meant = among ? among(key) : here;
    const int64_t first = meant.begin - here.begin;
    const Tier home = m_optimizers[key.optimizer]->store().homeTier(key.id.block);
    // Rehearsed for the memory that a GPU takes for it; the processor takes none.
    if (place.is_meta() && (home != Tier::Device || computedOnHost(place.device()))) return;
    if (!place.is_cpu()) return norms.add(stretchOf(place, first, meant.count));
    double sum = 0.0;
    const TierScope whereItRests(home);
    memoryOf(key).forPieces(key.id, meant.count, [&](int64_t begin, int64_t count) {
        const at::Tensor piece = stretchOf(place, first + begin, count);
        const auto held = memoryOf(key).hold({piece}, false);
        sum = squaredNorm(piece, sum);
    });
    norms.add(sum);
}

double RestingGradients::squaredSum(const RangeOf& among) const {
    for (size_t i = 0; i < m_places.size(); ++i)
        for (const at::Tensor& place : m_places[i])
            if (place.defined()) m_memories[i].want({place});
    SquaredNorms norms;
    for (size_t i = 0; i < m_places.size(); ++i)
        for (const ParameterId id : m_optimizers[i]->trainable())
            if (has({i, id})) addSquares({i, id}, among, norms);
    const TierScope whereItComputes(Tier::Device);
    return norms.sum();
}

void RestingGradients::want(size_t optimizer, const std::vector<int>& blocks) const {
    const auto& trainable = m_optimizers[optimizer]->trainable();
    for (const int block : blocks)
        for (size_t position = 0; position < trainable.size(); ++position)
            if (trainable[position].block == block && m_places[optimizer][position].defined())
                m_memories[optimizer].want({m_places[optimizer][position]});
}

void RestingGradients::discard() {
    for (size_t i = 0; i < m_places.size(); ++i)
        for (const ParameterId id : m_optimizers[i]->trainable())
            if (has({i, id})) release({i, id});
}

void RestingGradients::release(const Key& key) {
    at::Tensor& place = placeOf(key);
    count(key, -static_cast<int64_t>(place.nbytes()));
    memoryOf(key).discard(place);
    place.reset();
}

void RestingGradients::count(const Key& key, int64_t bytes) {
    const Tier home = m_optimizers[key.optimizer]->store().homeTier(key.id.block);
    const std::scoped_lock lock(m_mutex);
    Count& count = m_counts[memoryOf(key).onDisk(key.id) ? kDisk : static_cast<size_t>(home)];
    count.bytes += bytes;
    count.peakBytes = std::max(count.peakBytes, count.bytes);
}

int64_t RestingGradients::reservedBytes() const {
    int64_t bytes = 0;
    for (const StateMemory& memory : m_memories) bytes += memory.bytes();
    return bytes;
}

int64_t RestingGradients::bytes() const {
    const std::scoped_lock lock(m_mutex);
    int64_t bytes = 0;
    for (const Count& count : m_counts) bytes += count.bytes;
    return bytes;
}

int64_t RestingGradients::peakOf(size_t where) const {
    const std::scoped_lock lock(m_mutex);
    return m_counts[where].peakBytes;
}

} // namespace homebooth::core
