// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/model/mapped_source.h"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace homebooth::core {

namespace {

/// File by file in the order of their names, within a file by place; reading on then never seeks.
bool liesBefore(const MappedTensor& a, const MappedTensor& b) {
    if (a.file != b.file) return a.file->path() < b.file->path();
    const TensorInfo* first = a.file->find(a.fileName);
    const TensorInfo* second = b.file->find(b.fileName);
    return first != second ? first < second : a.part < b.part; // both in the file's own list
}

} // namespace

MappedSource::MappedSource(std::vector<MappedTensor> tensors)
    : m_tensors(std::move(tensors)) {
    std::stable_sort(m_tensors.begin(), m_tensors.end(), liesBefore);
    for (size_t i = 0; i < m_tensors.size(); ++i) {
        m_infos.push_back(m_tensors[i].info);
        m_index.emplace(m_tensors[i].info.name, i);
    }
}

const TensorInfo* MappedSource::find(std::string_view name) const {
    const auto found = m_index.find(name);
    return found == m_index.end() ? nullptr : &m_infos[found->second];
}

std::string MappedSource::fileOf(std::string_view name) const {
    const auto found = m_index.find(name);
    return found == m_index.end() ? std::string() : m_tensors[found->second].file->path();
}

Result<void> MappedSource::read(std::string_view name, std::span<std::byte> destination) const {
    const auto found = m_index.find(name);
    if (found == m_index.end()) return badInput("the model has no tensor \"" + std::string(name) + "\"");
    const MappedTensor& tensor = m_tensors[found->second];
    if (static_cast<int64_t>(destination.size()) != tensor.info.byteCount) {
        return badInput("tensor \"" + tensor.info.name + "\" has " + std::to_string(tensor.info.byteCount) +
                            " bytes, the buffer " + std::to_string(destination.size()),
                        tensor.file->path());
    }
    switch (tensor.change) {
    case TensorChange::None:
        return tensor.file->read(tensor.fileName, destination);
    case TensorChange::PartOf3:
        return tensor.file->readPart(tensor.fileName, tensor.part * tensor.info.byteCount, destination);
    case TensorChange::Transposed:
        break;
    }
    std::vector<std::byte> stored(destination.size());
    HOMEBOOTH_CHECK(tensor.file->read(tensor.fileName, stored));
    transposeElements(stored, destination, tensor.info.shape[1], tensor.info.shape[0],
                      byteWidth(tensor.info.type));
    return {};
}

void MappedSource::willRead(std::string_view name) const {
    const auto found = m_index.find(name);
    if (found == m_index.end()) return;
    const MappedTensor& tensor = m_tensors[found->second];
    tensor.file->willRead(tensor.fileName);
}

void transposeElements(std::span<const std::byte> from, std::span<std::byte> to, int64_t rows,
                       int64_t columns, int64_t width) {
    assert(from.size() == to.size() && static_cast<int64_t>(from.size()) == rows * columns * width);
    for (int64_t row = 0; row < rows; ++row) {
        for (int64_t column = 0; column < columns; ++column) {
            std::memcpy(to.data() + (column * rows + row) * width,
                        from.data() + (row * columns + column) * width, static_cast<size_t>(width));
        }
    }
}

} // namespace homebooth::core
