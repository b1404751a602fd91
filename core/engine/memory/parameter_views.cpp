// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/memory/parameter_views.h"

#include "core/base/memory/place.h"

#include <algorithm>

namespace homebooth::core {
namespace {

int64_t alignUp(int64_t bytes) {
    return (bytes + kParameterAlignment - 1) / kParameterAlignment * kParameterAlignment;
}

at::ScalarType storageType(const ParameterSpec& parameter, at::ScalarType type) {
    switch (parameter.storage) {
    case StorageType::Model:
        return type;
    case StorageType::Float32:
        return at::kFloat;
    case StorageType::Int8:
        return at::kChar;
    }
    return type;
}

/// A view with a version counter of its own: views sliced from one tensor would share the arena's counter,
/// and an update of one parameter would invalidate the kept autograd graphs of all others.
at::Tensor viewAt(uint8_t* data, const ParameterSpec& parameter, at::ScalarType type,
                  const at::Tensor& owner) {
    const at::IntArrayRef shape(parameter.shape);
    std::vector<int64_t> strides(shape.size(), 1);
    if (shape.size() == 4) {
        strides = {shape[1] * shape[2] * shape[3], 1, shape[3] * shape[1], shape[1]};
    } else {
        for (int i = static_cast<int>(shape.size()) - 2; i >= 0; --i)
            strides[i] = strides[i + 1] * shape[i + 1];
    }
    const auto keepOwner = [owner](void*) {};
    const auto options = at::TensorOptions().dtype(storageType(parameter, type)).device(owner.device());
    return at::from_blob(data, shape, strides, keepOwner, options, owner.device());
}

} // namespace

ParameterViews::ParameterViews(const Schedule& schedule, at::ScalarType type)
    : m_schedule(schedule)
    , m_type(type) {
    for (const BlockSpec& block : schedule.blocks()) {
        std::vector<int64_t> offsets = {0};
        for (const ParameterSpec& parameter : block.parameters) {
            const auto elementBytes = static_cast<int64_t>(c10::elementSize(storageType(parameter, type)));
            offsets.push_back(offsets.back() + alignUp(parameter.elementCount() * elementBytes));
        }
        m_blockBytes.push_back(offsets.back());
        m_offsets.push_back(std::move(offsets));
    }
}

std::vector<Chunk> ParameterViews::chunks(int64_t chunkBytes) const {
    std::vector<Chunk> chunks;
    for (size_t block = 0; block < m_blockBytes.size(); ++block)
        for (int64_t done = 0; done < m_blockBytes[block]; done += chunkBytes)
            chunks.push_back({static_cast<int>(block), static_cast<int64_t>(chunks.size()) * chunkBytes, done,
                              std::min(chunkBytes, m_blockBytes[block] - done), ChunkState::Free});
    return chunks;
}

std::vector<at::Tensor> ParameterViews::of(int block, uint8_t* begin, const at::Tensor& owner) const {
    const std::vector<ParameterSpec>& parameters = m_schedule.blocks().at(block).parameters;
    std::vector<at::Tensor> views;
    for (size_t index = 0; index < parameters.size(); ++index)
        views.push_back(viewAt(placeIn(begin, m_offsets[block][index]), parameters[index], m_type, owner));
    return views;
}

} // namespace homebooth::core
