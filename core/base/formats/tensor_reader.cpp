// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The file stays open and is read by pread: a mapping would count as resident memory, and a file cut short by
// somebody else would then kill the process by SIGBUS instead of giving an error.
#include "core/base/formats/tensor_reader.h"

#include "core/base/formats/safetensors_header.h"

#include <utility>

namespace homebooth::core {

TensorReader::TensorReader(std::string path, FileReader file)
    : m_path(std::move(path))
    , m_file(std::move(file)) {}

void TensorReader::setContents(std::vector<TensorInfo> tensors, std::map<std::string, std::string> metadata) {
    m_tensors = std::move(tensors);
    m_metadata = std::move(metadata);
    for (size_t i = 0; i < m_tensors.size(); ++i) m_index.emplace(m_tensors[i].name, i);
}

const TensorInfo* TensorReader::find(std::string_view name) const {
    const auto found = m_index.find(name);
    return found == m_index.end() ? nullptr : &m_tensors[found->second];
}

Result<void> TensorReader::read(std::string_view name, std::span<std::byte> destination) const {
    const TensorInfo* info = find(name);
    if (info != nullptr && static_cast<int64_t>(destination.size()) != info->byteCount) {
        return badInput("tensor \"" + printable(name) + "\" has " + std::to_string(info->byteCount) +
                            " bytes, the buffer " + std::to_string(destination.size()),
                        m_path);
    }
    return readPart(name, 0, destination);
}

Result<void> TensorReader::readPart(std::string_view name, int64_t byteOffset,
                                    std::span<std::byte> destination) const {
    const auto found = m_index.find(name);
    if (found == m_index.end()) return badInput("there is no tensor \"" + printable(name) + "\"", m_path);
    const int64_t available = m_tensors[found->second].byteCount;
    const auto wanted = static_cast<int64_t>(destination.size());
    if (byteOffset < 0 || byteOffset > available || wanted > available - byteOffset)
        return badInput("read past the end of tensor \"" + printable(name) + "\"", m_path);
    return readStored(found->second, byteOffset, destination);
}

bool TensorReader::liesTogether(std::string_view name) const {
    const auto found = m_index.find(name);
    return found != m_index.end() && isTogether(found->second);
}

bool TensorReader::areOne(std::string_view name, std::string_view other) const {
    if (!liesTogether(name) || !liesTogether(other)) return false;
    const size_t one = m_index.find(name)->second;
    const size_t second = m_index.find(other)->second;
    return offsetOf(one) == offsetOf(second) && m_tensors[one].type == m_tensors[second].type;
}

void TensorReader::willRead(std::string_view name) const {
    const auto found = m_index.find(name);
    if (found != m_index.end()) m_file.willRead(offsetOf(found->second), m_tensors[found->second].byteCount);
}

} // namespace homebooth::core
