// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/memory/value_shelf.h"

#include "core/base/util/log.h"
#include "core/engine/memory/memory_relief.h"
#include "core/engine/memory/ram_tensor.h"

#include <utility>

namespace homebooth::core {
namespace {

bool isDense(const at::Tensor& value) {
    return value.is_non_overlapping_and_dense() && value.numel() > 0;
}

/// What can be done without degrades, and is logged.
template <class Work>
void unlessMemoryRunsOut(const Work& work) {
    try {
        work();
    } catch (const std::exception& error) {
        if (!memoryRanOut()) throw;
        log(LogLevel::Warning, std::string("a value between two blocks: ") + error.what());
    }
}

} // namespace

std::vector<std::vector<int>> turnsOfValues(const Schedule& schedule,
                                            const std::vector<bool>& needsBackward) {
    const std::vector<Node>& nodes = schedule.nodes();
    const size_t count = nodes.size();
    std::vector<std::vector<int>> turns(schedule.values().size());
    for (size_t turn = 0; turn < 2 * count; ++turn) {
        const size_t node = turn < count ? turn : 2 * count - 1 - turn;
        if (turn >= count && !needsBackward[node]) continue;
        for (const ValueId input : nodes[node].inputs) turns[input].push_back(static_cast<int>(turn));
    }
    for (const std::vector<ValueId>* outside : {&schedule.inputs(), &schedule.outputs()})
        for (const ValueId value : *outside) turns[value].clear();
    return turns;
}

at::Tensor ShelfMemory::take(int64_t bytes, at::Device beside) {
    if (const auto found = m_free.find(bytes); found != m_free.end()) {
        at::Tensor memory = std::move(found->second);
        m_free.erase(found);
        return memory;
    }
    if (!beside.is_meta()) return ramTensor(bytes, beside);
    const TierScope asOnAMachine(Tier::Ram);
    return at::empty({bytes}, at::TensorOptions().dtype(at::kByte).device(beside));
}

void ShelfMemory::giveBack(at::Tensor memory) {
    const int64_t bytes = memory.numel();
    m_returned.emplace(bytes, std::move(memory));
}

void ShelfMemory::endPass() {
    m_free = std::exchange(m_returned, {});
}

int64_t ShelfMemory::bytes() const {
    int64_t bytes = 0;
    for (const BySize* places : {&m_free, &m_returned})
        for (const auto& [size, memory] : *places) bytes += size;
    return bytes;
}

ValueShelf::ValueShelf(ParameterStore& store, ShelfMemory& memory, ShelfTraffic& traffic,
                       std::vector<std::vector<int>> uses)
    : m_store(store)
    , m_memory(memory)
    , m_traffic(traffic)
    , m_places(uses.size()) {
    for (size_t value = 0; value < uses.size(); ++value) {
        for (const int turn : uses[value]) {
            if (turn >= static_cast<int>(m_readAt.size())) m_readAt.resize(static_cast<size_t>(turn) + 1);
            m_readAt[static_cast<size_t>(turn)].push_back(static_cast<int>(value));
        }
        m_places[value].uses = std::move(uses[value]);
    }
}

ValueShelf::~ValueShelf() {
    for (Place& place : m_places) {
        try {
            if (place.onTheWay.defined()) {
                m_store.returnLink().wait(place.leaving ? place.ticket : 0);
                m_store.fetchLink().wait(place.leaving ? 0 : place.ticket);
            }
        } catch (...) { // the copy has ended all the same
        }
        if (place.inRam.defined()) m_memory.giveBack(std::move(place.inRam));
    }
    try {
        m_store.fetchLink().settle(); // also behind a pass that ended early
    } catch (...) {
    }
    m_memory.endPass();
}

const std::vector<int>& ValueShelf::readAt(int turn) const {
    static const std::vector<int> none;
    return turn < static_cast<int>(m_readAt.size()) ? m_readAt[static_cast<size_t>(turn)] : none;
}

void ValueShelf::fetch(Place& place) {
    at::Tensor target = at::empty_strided(place.sizes, place.strides, place.options);
    const auto bytes = static_cast<int64_t>(target.nbytes());
    place.ticket = m_store.fetchLink().copy(target.data_ptr(), place.inRam.const_data_ptr(), bytes);
    place.onTheWay = std::move(target);
    m_traffic.fetchedBytes += bytes;
}

void ValueShelf::beginTurn(int turn, std::vector<at::Tensor>& values) {
    const auto absent = [&](int value) {
        return !values[static_cast<size_t>(value)].defined() &&
               m_places[static_cast<size_t>(value)].inRam.defined();
    };
    for (const int value : readAt(turn)) {
        if (!absent(value)) continue;
        Place& place = m_places[static_cast<size_t>(value)];
        if (!place.onTheWay.defined()) fetch(place);
        m_store.fetchLink().wait(place.ticket);
        values[static_cast<size_t>(value)] = std::exchange(place.onTheWay, {});
    }
    for (const int value : readAt(turn + 1))
        if (Place& place = m_places[static_cast<size_t>(value)]; absent(value) && !place.onTheWay.defined())
            unlessMemoryRunsOut([&] { fetch(place); }); // its own turn asks again
}

void ValueShelf::finishLeaving() {
    for (const int value : std::exchange(m_leaving, {})) {
        Place& place = m_places[static_cast<size_t>(value)];
        m_store.returnLink().wait(place.ticket);
        place.leaving = false;
        place.onTheWay.reset();
    }
}

void ValueShelf::leave(int value, Place& place, at::Tensor& tensor) {
    if (place.inRam.defined()) { // what is there holds still
        tensor.reset();
        return;
    }
    const auto bytes = static_cast<int64_t>(tensor.nbytes());
    at::Tensor inRam;
    unlessMemoryRunsOut([&] { inRam = m_memory.take(bytes, tensor.device()); });
    if (!inRam.defined()) return; // it stays
    place.sizes = tensor.sizes().vec();
    place.strides = tensor.strides().vec();
    place.options = tensor.options();
    place.ticket = m_store.returnLink().copy(inRam.data_ptr(), tensor.const_data_ptr(), bytes);
    place.inRam = std::move(inRam);
    place.onTheWay = std::exchange(tensor, {});
    place.leaving = true;
    m_leaving.push_back(value);
    m_traffic.leftBytes += bytes;
}

void ValueShelf::endTurn(int turn, std::vector<at::Tensor>& values) {
    finishLeaving();
    for (const int value : readAt(turn)) {
        Place& place = m_places[static_cast<size_t>(value)];
        at::Tensor& tensor = values[static_cast<size_t>(value)];
        ++place.nextUse;
        if (place.nextUse == place.uses.size()) {
            if (place.inRam.defined()) m_memory.giveBack(std::exchange(place.inRam, {}));
        } else if (tensor.defined() && isDense(tensor) && place.uses[place.nextUse] - turn > kFarTurns) {
            leave(value, place, tensor);
        }
    }
}

} // namespace homebooth::core
