// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/memory/parameter_store.h"

#include "core/base/memory/place.h"
#include "core/engine/jobs/expected_failure.h"
#include "core/engine/memory/ram_tensor.h"

#include <algorithm>
#include <numeric>

namespace homebooth::core {
namespace {

int64_t paddedTo(int64_t bytes, int64_t chunkBytes) {
    return (bytes + chunkBytes - 1) / chunkBytes * chunkBytes;
}

} // namespace

int64_t chunkBytesFor(const std::vector<int64_t>& blockBytes) {
    constexpr int64_t kLargest = int64_t{16} << 20;
    constexpr int64_t kSmallest = int64_t{64} << 10;
    constexpr int64_t kShareOfPadding = 32;
    const int64_t used = std::accumulate(blockBytes.begin(), blockBytes.end(), int64_t{0});
    for (int64_t size = kLargest; size > kSmallest; size /= 2) {
        int64_t padded = 0;
        for (const int64_t bytes : blockBytes) padded += paddedTo(bytes, size);
        if (padded - used <= used / kShareOfPadding) return size;
    }
    return kSmallest;
}

ParameterStore::ParameterStore(const Schedule& schedule, Options options)
    : m_schedule(&schedule)
    , m_options(options)
    , m_layout(schedule, options.type) {
    TORCH_CHECK(options.chunkBytes >= 0 && options.chunkBytes % kParameterAlignment == 0,
                "chunks must have a multiple of ", kParameterAlignment, " bytes, got ", options.chunkBytes);
    if (m_options.chunkBytes == 0) m_options.chunkBytes = chunkBytesFor(m_layout.blockBytes());
    m_chunks = m_layout.chunks(m_options.chunkBytes);
    allocateHome();
    makeViews();
    if (!options.streaming || m_chunks.empty()) return;
    std::vector<bool> writable;
    for (const BlockSpec& block : schedule.blocks())
        writable.push_back(std::any_of(block.parameters.begin(), block.parameters.end(),
                                       [](const ParameterSpec& parameter) { return parameter.trainable; }));
    m_streamed = std::make_unique<StreamedDevice>(
        m_layout, m_chunks, static_cast<uint8_t*>(m_home.data_ptr()), std::move(writable), m_options.device,
        *options.streaming, m_swap.get());
}

void ParameterStore::allocateHome() {
    const int64_t bytes = static_cast<int64_t>(m_chunks.size()) * m_options.chunkBytes;
    if (homeOnDisk() && bytes > 0) return allocateOnDisk(bytes);
    if (m_options.streaming && !m_options.device.is_meta()) {
        m_home = ramTensor(bytes, m_options.device);
        return;
    }
    const TierScope besideTheOptimizer(homeTier());
    m_home = at::empty({bytes}, at::TensorOptions().dtype(at::kByte).device(m_options.device));
    if (m_options.streaming) return; // in a rehearsal
    for (Chunk& chunk : m_chunks) chunk.state = ChunkState::Hold;
}

void ParameterStore::allocateOnDisk(int64_t bytes) {
    const auto options = at::TensorOptions().dtype(at::kByte).device(m_options.device);
    if (m_options.device.is_meta()) { // a rehearsal counts what LibTorch allocates; the home itself is not
        const TierScope beside(Tier::Ram);
        m_rehearsedWindow = at::empty({swapShapeFor(bytes).windowBytes}, options);
        m_home = at::for_blob(nullptr, {bytes}).options(options).target_device(at::kMeta).make_tensor();
        return;
    }
    auto swap = makeDiskTier(m_options.disk, bytes, "parameters");
    if (!swap) throw ExpectedFailure(swap.error());
    m_swap = std::move(swap).value();
    m_home = at::from_blob(m_swap->bytes().data(), {bytes}, options);
}

std::optional<SwapHold> ParameterStore::hold(ParameterId id, bool changes) const {
    return holdPart(parameter(id), changes);
}

std::optional<SwapHold> ParameterStore::holdPart(const at::Tensor& part, bool changes) const {
    if (m_swap == nullptr) return std::nullopt;
    auto hold = SwapHold::take(*m_swap, {static_cast<const std::byte*>(part.const_data_ptr()), part.nbytes()},
                               changes);
    if (!hold) throw ExpectedFailure(hold.error());
    return std::optional<SwapHold>(std::move(hold).value());
}

void ParameterStore::makeViews() {
    const std::vector<BlockSpec>& blocks = m_schedule->blocks();
    auto* home = static_cast<uint8_t*>(m_home.data_ptr());
    int next = 0;
    for (size_t block = 0; block < blocks.size(); ++block) {
        const int first = next;
        while (next < static_cast<int>(m_chunks.size()) && m_chunks[next].block == static_cast<int>(block))
            ++next;
        m_blockChunks.emplace_back(first, next - first);
        m_views.push_back(
            m_layout.of(static_cast<int>(block), placeIn(home, first * m_options.chunkBytes), m_home));
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
    if (m_streamed) m_streamed->beginPass(order);
}

const std::vector<at::Tensor>& ParameterStore::acquire(int block) {
    if (m_streamed) return m_streamed->acquire(block);
    setState(block, ChunkState::Hold, ChunkState::Compute);
    return m_views[block];
}

void ParameterStore::release(int block) {
    if (m_streamed)
        m_streamed->release(block);
    else
        setState(block, ChunkState::Compute, ChunkState::Hold);
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
