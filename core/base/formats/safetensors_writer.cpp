// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Header first, then the tensors in the declared order: the file is written once, front to back.
#include "core/base/formats/safetensors_writer.h"

#include "core/base/formats/safetensors_header.h"
#include "core/base/text/unicode.h"

#include <set>

namespace homebooth::core {

Result<std::string> safetensorsHead(const std::string& path, const std::vector<TensorInfo>& tensors,
                                    std::map<std::string, std::string> metadata) {
    std::set<std::string_view> names;
    for (const TensorInfo& tensor : tensors) {
        if (const auto why = nameFault(tensor.name)) return badInput("cannot write tensors: " + *why, path);
        if (!names.insert(tensor.name).second)
            return badInput("cannot write two tensors called \"" + tensor.name + "\"", path);
        if (tensor.byteCount != tensor.elementCount() * byteWidth(tensor.type))
            return badInput("tensor \"" + tensor.name + "\" declares a size that is not its shape's", path);
    }
    for (const auto& [key, text] : metadata)
        if (!isUtf8(text))
            return badInput(
                "cannot write \"" + key +
                    "\" into the file: expected UTF-8 text, found other bytes; what it comes from is "
                    "damaged, take another copy of the model",
                path);
    metadata["format"] = "pt";
    return makeSafetensorsHeader(tensors, metadata);
}

Result<SafetensorsWriter> SafetensorsWriter::create(const std::string& path, std::vector<TensorInfo> tensors,
                                                    std::map<std::string, std::string> metadata,
                                                    Sha256* hash) {
    HOMEBOOTH_ASSIGN(const std::string header, safetensorsHead(path, tensors, std::move(metadata)));
    int64_t dataBytes = 0;
    for (const TensorInfo& tensor : tensors) dataBytes += tensor.byteCount;
    HOMEBOOTH_ASSIGN(AtomicFile file, AtomicFile::create(path));
    HOMEBOOTH_CHECK(file.reserve(static_cast<int64_t>(header.size()) + dataBytes));
    HOMEBOOTH_CHECK(file.write(header));
    if (hash != nullptr) hash->update(header);
    return SafetensorsWriter(std::move(file), std::move(tensors), hash);
}

SafetensorsWriter::SafetensorsWriter(AtomicFile file, std::vector<TensorInfo> tensors, Sha256* hash)
    : m_file(std::move(file))
    , m_hash(hash)
    , m_tensors(std::move(tensors)) {}

Result<void> SafetensorsWriter::write(std::string_view name, std::span<const std::byte> data) {
    const bool complete = m_next < m_tensors.size() && m_written == 0 &&
                          static_cast<int64_t>(data.size()) == m_tensors[m_next].byteCount;
    if (!complete)
        return Error{ErrorCode::Internal,
                     "tensor \"" + std::string(name) + "\" has another size than declared", m_file.path()};
    return writePart(name, data);
}

Result<void> SafetensorsWriter::writePart(std::string_view name, std::span<const std::byte> data) {
    if (m_next >= m_tensors.size() || m_tensors[m_next].name != name ||
        static_cast<int64_t>(data.size()) > m_tensors[m_next].byteCount - m_written) {
        return Error{ErrorCode::Internal, "tensor \"" + std::string(name) + "\" is written out of its turn",
                     m_file.path()};
    }
    HOMEBOOTH_CHECK(m_file.write(data));
    if (m_hash != nullptr) m_hash->update(data);
    m_written += static_cast<int64_t>(data.size());
    if (m_written == m_tensors[m_next].byteCount) {
        ++m_next;
        m_written = 0;
    }
    return {};
}

Result<void> SafetensorsWriter::commit() {
    if (m_next != m_tensors.size())
        return Error{ErrorCode::Internal, "tensor \"" + m_tensors[m_next].name + "\" was not written",
                     m_file.path()};
    return m_file.commit();
}

} // namespace homebooth::core
