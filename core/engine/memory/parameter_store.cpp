// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/memory/parameter_store.h"

#include <algorithm>
#include <numeric>

namespace homebooth::core {
namespace {

constexpr int64_t kAlignmentBytes = 64;

int64_t alignUp(int64_t bytes) {
    return (bytes + kAlignmentBytes - 1) / kAlignmentBytes * kAlignmentBytes;
}

at::ScalarType storageType(const ParameterSpec& parameter, const ParameterStore::Options& options) {
    return parameter.storage == StorageType::Float32 ? at::kFloat : options.type;
}

int64_t storageBytes(const ParameterSpec& parameter, const ParameterStore::Options& options) {
    return parameter.elementCount() * static_cast<int64_t>(c10::elementSize(storageType(parameter, options)));
}

/// A view with a version counter of its own: views sliced from one tensor would share the arena's counter,
/// and an update of one parameter would invalidate the kept autograd graphs of all others.
/// Convolution weights lie in channels-last order, which is what convolutions on channels-last input read.
at::Tensor viewInto(const at::Tensor& arena, int64_t offsetBytes, const ParameterSpec& parameter,
                    const ParameterStore::Options& options) {
    const at::IntArrayRef shape(parameter.shape);
    std::vector<int64_t> strides(shape.size(), 1);
    if (shape.size() == 4) {
        strides = {shape[1] * shape[2] * shape[3], 1, shape[3] * shape[1], shape[1]};
    } else {
        for (int i = static_cast<int>(shape.size()) - 2; i >= 0; --i)
            strides[i] = strides[i + 1] * shape[i + 1];
    }
    auto* data = static_cast<uint8_t*>(arena.data_ptr()) + offsetBytes;
    const auto keepArena = [arena](void*) {};
    return at::from_blob(data, shape, strides, keepArena,
                         at::TensorOptions().dtype(storageType(parameter, options)).device(arena.device()));
}

/// Where each parameter of a block begins within it; the block's size comes last.
std::vector<int64_t> offsetsIn(const BlockSpec& block, const ParameterStore::Options& options) {
    std::vector<int64_t> offsets = {0};
    for (const ParameterSpec& parameter : block.parameters)
        offsets.push_back(offsets.back() + alignUp(storageBytes(parameter, options)));
    return offsets;
}

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
    , m_options(options) {
    TORCH_CHECK(options.chunkBytes >= 0 && options.chunkBytes % kAlignmentBytes == 0,
                "chunks must have a multiple of ", kAlignmentBytes, " bytes, got ", options.chunkBytes);
    layOut();
}

void ParameterStore::layOut() {
    const std::vector<BlockSpec>& blocks = m_schedule->blocks();
    std::vector<std::vector<int64_t>> offsets;
    std::vector<int64_t> sizes;
    for (const BlockSpec& block : blocks) {
        offsets.push_back(offsetsIn(block, m_options));
        sizes.push_back(offsets.back().back());
    }
    if (m_options.chunkBytes == 0) m_options.chunkBytes = chunkBytesFor(sizes);
    const int64_t chunkBytes = m_options.chunkBytes;
    std::vector<int64_t> begins;
    for (size_t block = 0; block < blocks.size(); ++block) {
        const auto firstChunk = static_cast<int64_t>(m_chunks.size());
        begins.push_back(firstChunk * chunkBytes);
        for (int64_t done = 0; done < sizes[block]; done += chunkBytes)
            m_chunks.push_back({static_cast<int>(block), begins[block] + done,
                                std::min(chunkBytes, sizes[block] - done), ChunkState::Hold});
        m_blockChunks.emplace_back(static_cast<int>(firstChunk),
                                   static_cast<int>(static_cast<int64_t>(m_chunks.size()) - firstChunk));
    }
    m_arena = at::empty({static_cast<int64_t>(m_chunks.size()) * chunkBytes},
                        at::TensorOptions().dtype(at::kByte).device(m_options.device));
    makeViews(begins, offsets);
}

void ParameterStore::makeViews(const std::vector<int64_t>& begins,
                               const std::vector<std::vector<int64_t>>& offsets) {
    const std::vector<BlockSpec>& blocks = m_schedule->blocks();
    m_views.resize(blocks.size());
    for (size_t block = 0; block < blocks.size(); ++block) {
        for (size_t index = 0; index < blocks[block].parameters.size(); ++index) {
            const ParameterSpec& parameter = blocks[block].parameters[index];
            m_views[block].push_back(
                viewInto(m_arena, begins[block] + offsets[block][index], parameter, m_options));
            const bool isNew =
                m_byName
                    .emplace(parameter.name, ParameterId{static_cast<int>(block), static_cast<int>(index)})
                    .second;
            TORCH_CHECK(isNew, "parameter named twice in one schedule: ", parameter.name);
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

const std::vector<at::Tensor>& ParameterStore::acquire(int block) {
    setState(block, ChunkState::Hold, ChunkState::Compute);
    return m_views[block];
}

void ParameterStore::release(int block) {
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
