// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/memory/parameter_store.h"

#include "core/base/memory/chunk_bytes.h"
#include "core/base/memory/place.h"
#include "core/engine/jobs/expected_failure.h"
#include "core/engine/memory/ram_tensor.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <iterator>
#include <utility>

namespace homebooth::core {
namespace {

/// Whatever they were in. @param range  first chunk, count
void putState(std::vector<Chunk>& chunks, std::pair<int, int> range, ChunkState state) {
    for (int i = range.first; i < range.first + range.second; ++i) chunks[i].state = state;
}

} // namespace

ParameterStore::ParameterStore(const Schedule& schedule, Options options)
    : m_schedule(&schedule)
    , m_options(std::move(options))
    , m_layout(schedule, m_options.type) {
    TORCH_CHECK(m_options.chunkBytes >= 0 && m_options.chunkBytes % kParameterAlignment == 0,
                "chunks must have a multiple of ", kParameterAlignment, " bytes, got ", m_options.chunkBytes);
    if (m_options.chunkBytes == 0) m_options.chunkBytes = chunkBytesFor(m_layout.blockBytes());
    m_chunks = m_layout.chunks(m_options.chunkBytes);
    findParameters();
    if (m_options.streaming && m_options.streaming->homeOnDisk && !m_chunks.empty()) openDisk();
    for (int block = 0; block < static_cast<int>(m_blockChunks.size()); ++block) {
        m_resident.push_back(shouldBeResident(block));
        m_homes.push_back(newHome(block, m_resident.back()));
        m_views.push_back(
            m_layout.of(block, static_cast<uint8_t*>(m_homes.back().data_ptr()), m_homes.back()));
        if (m_resident.back()) setState(block, ChunkState::Free, ChunkState::Hold);
        if (m_options.spread) m_homes.back() = at::Tensor(); // its tensors keep what there is of it
        // At once, so that never more than one block of what others have counts as being here.
        if (m_options.spread && !m_options.startsWhole) m_options.spread->drop(block, m_views.back());
    }
    m_isWhole = m_options.startsWhole;
    m_visits.resize(m_homes.size());
    makeStream();
}

bool ParameterStore::shouldBeResident(int block) const {
    const auto place = static_cast<size_t>(block);
    return !m_options.streaming || (place < m_options.resident.size() && m_options.resident[place]);
}

/// Where this rank's part of each block begins on its disk, and where the last one ends.
std::vector<int64_t> ParameterStore::partsOnDisk() const {
    const at::Tensor nowhere = at::empty({0}, at::TensorOptions().dtype(at::kByte).device(at::kMeta));
    std::vector<int64_t> begins{0};
    for (int block = 0; block < static_cast<int>(m_blockChunks.size()); ++block)
        begins.push_back(begins.back() +
                         m_options.spread->partBytes(block, m_layout.of(block, nullptr, nowhere)));
    return begins;
}

void ParameterStore::openDisk() {
    const std::vector<int64_t> parts = isSpread() ? partsOnDisk() : std::vector<int64_t>();
    const int64_t bytes =
        isSpread() ? parts.back() : static_cast<int64_t>(m_chunks.size()) * m_options.chunkBytes;
    if (isSpread()) m_options.spread->useDisk(nullptr, parts);
    if (m_options.device.is_meta()) { // a rehearsal counts what LibTorch allocates; the home itself is not
        const TierScope beside(Tier::Ram);
        m_rehearsedWindow = at::empty({swapShapeFor(bytes).windowBytes},
                                      at::TensorOptions().dtype(at::kByte).device(m_options.device));
        return;
    }
    auto swap = makeDiskTier(m_options.disk, bytes, "parameters");
    if (!swap) throw ExpectedFailure(swap.error());
    m_swap = std::move(swap).value();
    if (isSpread()) m_options.spread->useDisk(m_swap.get(), parts);
}

/// Memory for a block's parameters. Shapes: uint8 [bytes]
at::Tensor ParameterStore::newHome(int block, bool resident) const {
    const int64_t bytes = paddedBytes(block);
    if (m_options.spread) return m_options.spread->home(block, bytes, resident ? Tier::Device : Tier::Ram);
    const auto options = at::TensorOptions().dtype(at::kByte).device(m_options.device);
    const bool rehearsed = m_options.device.is_meta();
    if (!resident && homeOnDisk() && rehearsed)
        return at::for_blob(nullptr, {bytes}).options(options).target_device(at::kMeta).make_tensor();
    if (!resident && m_swap) {
        std::byte* home = m_swap->bytes().data() + m_blockChunks[block].first * m_options.chunkBytes;
        return at::from_blob(home, {bytes}, options.device(at::kCPU));
    }
    if (!resident && !rehearsed && bytes > 0) return ramTensor(bytes, m_options.device);
    const TierScope besideTheOptimizer(resident ? Tier::Device : Tier::Ram);
    return at::empty({bytes}, options);
}

void ParameterStore::makeStream() {
    if (!m_options.streaming || m_chunks.empty()) return;
    StreamedDevice::Blocks blocks;
    blocks.chunks = m_chunks;
    for (Chunk& chunk : blocks.chunks) chunk.state = ChunkState::Free;
    for (const BlockSpec& block : m_schedule->blocks()) {
        const at::Tensor& home = m_homes[blocks.homes.size()];
        const bool streamed = usesArena(static_cast<int>(blocks.homes.size()));
        blocks.homes.push_back(streamed ? static_cast<const uint8_t*>(home.const_data_ptr()) : nullptr);
        blocks.writable.push_back(
            m_options.changes ||
            std::any_of(block.parameters.begin(), block.parameters.end(),
                        [](const ParameterSpec& parameter) { return parameter.trainable; }));
    }
    m_streamed = std::make_unique<StreamedDevice>(m_layout, std::move(blocks), m_options.device,
                                                  *m_options.streaming, m_options.link, m_swap.get());
    fetchForNextPass(m_isFinal);
}

void ParameterStore::fetchForNextPass(IsFinal isFinal) {
    m_isFinal = std::move(isFinal);
    // A rehearsal has a single pass, and to that nothing comes from one before.
    if (m_streamed && !m_options.device.is_meta()) m_streamed->fetchForNextPass(m_isFinal);
}

void ParameterStore::place(std::optional<StreamingOptions> streaming, std::vector<bool> resident) {
    TORCH_CHECK(!streaming || !streaming->homeOnDisk || homeOnDisk(),
                "parameters cannot move to a disk that nothing was reserved on");
    const bool sameWay = streaming == m_options.streaming;
    m_options.streaming = std::move(streaming);
    m_options.resident = std::move(resident);
    std::vector<int> moving;
    for (int block = 0; block < static_cast<int>(m_homes.size()); ++block)
        if (shouldBeResident(block) != m_resident[block]) moving.push_back(block);
    if (moving.empty() && sameWay) return;
    m_trafficBefore = streamTraffic();
    forgetVisits();
    m_mostVisitBytes = 0; // of the homes that were
    m_streamed.reset();
    // Those that leave the device first: the others need their room.
    std::stable_partition(moving.begin(), moving.end(), [&](int block) { return m_resident[block]; });
    try {
        for (const int block : moving) moveHome(block);
    } catch (...) {
        if (!m_options.streaming) m_options.streaming.emplace(); // what could not come is streamed on
        m_options.resident = m_resident;
        makeStream();
        throw;
    }
    makeStream();
}

void ParameterStore::moveHome(int block) {
    const bool resident = !m_resident[block];
    if (m_options.spread)
        m_options.spread->moveTo(block, resident ? Tier::Device : Tier::Ram, m_views[block]);
    else
        copyHome(block, resident);
    m_resident[block] = resident;
    putState(m_chunks, m_blockChunks[block], resident ? ChunkState::Hold : ChunkState::Free);
}

void ParameterStore::copyHome(int block, bool resident) {
    const at::Tensor home = newHome(block, resident);
    std::vector<at::Tensor> views = m_layout.of(block, static_cast<uint8_t*>(home.data_ptr()), home);
    for (size_t index = 0; index < views.size(); ++index) {
        const auto held = holdPart(resident ? m_views[block][index] : views[index], !resident);
        views[index].copy_(m_views[block][index]);
    }
    m_homes[block] = home;
    m_views[block] = std::move(views);
}

std::optional<SwapHold> ParameterStore::hold(ParameterId id, bool changes) const {
    return isSpread() ? std::nullopt : holdPart(parameter(id), changes);
}

std::optional<SwapHold> ParameterStore::holdPart(const at::Tensor& part, bool changes) const {
    if (m_swap == nullptr || !isOnDisk(part)) return std::nullopt;
    auto hold = SwapHold::take(*m_swap, {static_cast<const std::byte*>(part.const_data_ptr()), part.nbytes()},
                               changes);
    if (!hold) throw ExpectedFailure(hold.error());
    return std::optional<SwapHold>(std::move(hold).value());
}

bool ParameterStore::isOnDisk(const at::Tensor& part) const {
    const auto* begin = static_cast<const std::byte*>(part.const_data_ptr());
    const std::span<const std::byte> disk = m_swap->bytes();
    return std::greater_equal<>()(begin, disk.data()) && std::less<>()(begin, disk.data() + disk.size());
}

void ParameterStore::findParameters() {
    const std::vector<BlockSpec>& blocks = m_schedule->blocks();
    int next = 0;
    for (size_t block = 0; block < blocks.size(); ++block) {
        const int first = next;
        while (next < static_cast<int>(m_chunks.size()) && m_chunks[next].block == static_cast<int>(block))
            ++next;
        m_blockChunks.emplace_back(first, next - first);
        for (size_t index = 0; index < blocks[block].parameters.size(); ++index) {
            const ParameterId id{static_cast<int>(block), static_cast<int>(index)};
            const std::string& name = blocks[block].parameters[index].name;
            TORCH_CHECK(m_byName.emplace(name, id).second, "parameter named twice in one schedule: ", name);
        }
    }
}

void ParameterStore::setState(int block, ChunkState from, ChunkState to) {
    const auto [first, count] = m_blockChunks[block];
    for (int i = first; i < first + count; ++i) {
        TORCH_CHECK(m_chunks[i].state == from, "chunk ", i, " of block ", m_schedule->blocks()[block].name,
                    " is in state ", static_cast<int>(m_chunks[i].state), ", expected ",
                    static_cast<int>(from));
        m_chunks[i].state = to;
    }
}

void ParameterStore::beginPass(const std::vector<int>& order) {
    forgetVisits();
    m_passOrder = order;
    m_passAt = 0;
    if (!m_streamed) return;
    std::vector<int> streamed;
    std::copy_if(order.begin(), order.end(), std::back_inserter(streamed),
                 [this](int block) { return usesArena(block); });
    m_streamed->beginPass(streamed);
}

const std::vector<at::Tensor>& ParameterStore::acquire(int block) {
    if (isSpread()) return acquireSpread(block);
    if (streams(block)) return m_streamed->acquire(block);
    setState(block, ChunkState::Hold, ChunkState::Compute);
    return m_views[block];
}

void ParameterStore::release(int block) {
    if (isSpread())
        releaseSpread(block);
    else if (streams(block))
        m_streamed->release(block);
    else
        setState(block, ChunkState::Compute, ChunkState::Hold);
}

at::Tensor ParameterStore::copyInUse(ParameterId id) const {
    return usesArena(id.block) ? m_streamed->copyInUse(id.block, id.index) : at::Tensor();
}

/// Whether a block is resident here says nothing of the other ranks, and may not change what they are asked.
/// It is in use once nothing can fail any more: nobody would release it then.
const std::vector<at::Tensor>& ParameterStore::acquireSpread(int block) {
    ++m_passAt;
    if (!visits(block)) {
        m_options.spread->gather(block, m_views[block]);
        m_askedFor = -1;
    }
    const std::vector<at::Tensor>& parameters = visits(block) ? visit(block) : m_views[block];
    const int next = nextInPass();
    if (next >= 0 && next != block) askFor(next);
    setState(block, ChunkState::Hold, ChunkState::Compute);
    return parameters;
}

/// Sends this rank's part of a block to the others and has theirs sent here.
void ParameterStore::askFor(int block) {
    using Clock = std::chrono::steady_clock;
    const auto begin = Clock::now();
    m_options.spread->ask(block, m_views[block]);
    m_askedFor = block;
    if (!streams(block)) return; // it stays in HOLD: its home is the device
    setState(block, ChunkState::Free, ChunkState::Fetching);
    LinkTraffic sent{fetchBytes(block), 1, 0.0, 0.0}; // to the device, from where it goes to the others
    // From RAM a GPU copies beside this thread. How long that takes is not known here, and bytes without
    // their time would make the store's own links seem faster than they are.
    if (m_options.device.is_cuda() && !m_swap) return addTraffic(sent);
    sent.busySeconds = std::chrono::duration<double>(Clock::now() - begin).count();
    m_trafficBefore += sent;
}

/// Puts a block together on the device, unless it has stayed there since its last use.
const std::vector<at::Tensor>& ParameterStore::visit(int block) {
    Visit& here = m_visits[block];
    if (here.memory.defined()) return here.parameters;
    if (m_askedFor != block) askFor(block);
    m_askedFor = -1;
    const int64_t bytes = m_layout.blockBytes()[block];
    at::Tensor memory;
    {
        const TierScope whereItComputes(Tier::Device);
        memory = at::empty({bytes}, at::TensorOptions().dtype(at::kByte).device(m_options.device));
    }
    std::vector<at::Tensor> parameters =
        m_layout.of(block, bytes > 0 ? static_cast<uint8_t*>(memory.data_ptr()) : nullptr, memory);
    m_options.spread->gatherInto(block, m_views[block], parameters);
    if (streams(block)) {
        setState(block, ChunkState::Fetching, ChunkState::Hold);
        m_visitBytes += bytes; // of others that is as short as what they compute with
    }
    m_mostVisitBytes = std::max(m_mostVisitBytes, m_visitBytes);
    here = {std::move(memory), std::move(parameters)};
    return here.parameters;
}

/// Lets go of what a pass that ended early has kept, or asked for, for a use that never came.
void ParameterStore::forgetVisits() {
    if (!isSpread()) return;
    m_passOrder.clear();
    m_passAt = 0;
    m_askedFor = -1;
    m_options.spread->forget();
    for (int block = 0; block < static_cast<int>(m_visits.size()); ++block) {
        if (m_visits[block].memory.defined() && streams(block)) m_visitBytes -= m_layout.blockBytes()[block];
        m_visits[block] = {};
        if (streams(block)) putState(m_chunks, m_blockChunks[block], ChunkState::Free);
        if (!m_isWhole) m_options.spread->drop(block, m_views[block]);
    }
}

void ParameterStore::releaseSpread(int block) {
    setState(block, ChunkState::Compute, ChunkState::Hold);
    if (nextInPass() == block) return;
    if (visits(block)) {
        if (streams(block)) {
            setState(block, ChunkState::Hold, ChunkState::Free);
            m_visitBytes -= m_layout.blockBytes()[block];
        }
        m_visits[block] = {};
    } else if (!m_isWhole) {
        m_options.spread->drop(block, m_views[block]);
    }
}

void ParameterStore::put(ParameterId id, const at::Tensor& whole) const {
    if (isSpread())
        m_options.spread->put(id.block, id.index, parameter(id), whole);
    else
        parameter(id).copy_(whole);
}

void ParameterStore::becomeSpread() {
    if (!m_options.spread || !std::exchange(m_isWhole, false)) return;
    for (size_t block = 0; block < m_views.size(); ++block)
        m_options.spread->drop(static_cast<int>(block), m_views[block]);
}

int64_t ParameterStore::fetchBytes(int block) const {
    return isSpread() ? m_options.spread->heldBytesOf(block) : m_layout.blockBytes().at(block);
}

int64_t ParameterStore::residentBytes() const {
    if (m_options.spread) return m_options.spread->heldBytes(Tier::Device) + m_mostVisitBytes;
    int64_t bytes = m_streamed ? m_streamed->arenaBytes() : 0;
    for (size_t block = 0; block < m_homes.size(); ++block)
        if (m_resident[block]) bytes += m_homes[block].numel();
    return bytes;
}

int64_t ParameterStore::streamedBytes() const {
    if (m_options.spread) return m_options.spread->heldBytes(Tier::Ram);
    int64_t bytes = 0;
    for (size_t block = 0; block < m_homes.size(); ++block)
        if (!m_resident[block]) bytes += m_homes[block].numel();
    return bytes;
}

LinkTraffic ParameterStore::traffic() const {
    LinkTraffic sum = streamTraffic();
    return sum += m_otherTraffic;
}

LinkTraffic ParameterStore::streamTraffic() const {
    LinkTraffic sum = m_trafficBefore;
    if (m_streamed) sum += m_streamed->traffic();
    return sum;
}

void ParameterStore::addTraffic(const LinkTraffic& other) {
    m_otherTraffic += other;
}

at::Tensor ParameterStore::parameter(ParameterId id) const {
    return m_views.at(id.block).at(id.index);
}

ParameterId ParameterStore::find(const std::string& name) const {
    const auto found = m_byName.find(name);
    return found == m_byName.end() ? ParameterId{} : found->second;
}

const ParameterSpec& ParameterStore::spec(ParameterId id) const {
    return m_schedule->blocks().at(id.block).parameters.at(id.index);
}

} // namespace homebooth::core
