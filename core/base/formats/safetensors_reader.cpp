// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/formats/safetensors_reader.h"

#include "core/base/formats/file_kind.h"
#include "core/base/formats/safetensors_header.h"

#include <array>
#include <utility>

namespace homebooth::core {

namespace {

constexpr int64_t kLengthBytes = 8;

} // namespace

Result<std::shared_ptr<SafetensorsReader>> SafetensorsReader::open(const std::string& path) {
    HOMEBOOTH_ASSIGN(const FileKind kind, detectFileKind(path));
    if (kind != FileKind::Safetensors) return wrongKindError(kind, "a .safetensors file", path);
    HOMEBOOTH_ASSIGN(FileReader file, FileReader::open(path));
    std::shared_ptr<SafetensorsReader> reader(new SafetensorsReader(path, std::move(file)));
    HOMEBOOTH_CHECK(reader->readHeader());
    return reader;
}

Result<void> SafetensorsReader::readHeader() {
    std::array<std::byte, kLengthBytes> lengthBytes{};
    HOMEBOOTH_CHECK(file().readInto(0, lengthBytes));
    uint64_t length = 0;
    for (size_t i = 0; i < lengthBytes.size(); ++i)
        length |= static_cast<uint64_t>(lengthBytes[i]) << (8 * i);
    if (length > static_cast<uint64_t>(kHeaderLimitBytes) ||
        static_cast<int64_t>(length) > fileBytes() - kLengthBytes) {
        return badInput("cannot read this .safetensors file: its header should have " +
                            std::to_string(length) + " bytes, but the file has " +
                            std::to_string(fileBytes()) + "; it is damaged or " + std::string(kCutOffWords) +
                            ", copy or download it again",
                        path());
    }
    std::string text(length, '\0');
    HOMEBOOTH_CHECK(file().readInto(kLengthBytes, std::as_writable_bytes(std::span(text))));
    m_dataOffset = kLengthBytes + static_cast<int64_t>(length);
    auto header = parseSafetensorsHeader(text, fileBytes() - m_dataOffset);
    if (!header) {
        const std::string& fault = header.error().message;
        const bool advised = fault.find(';') != std::string::npos;
        return badInput("cannot read this .safetensors file: " + fault +
                            (advised ? "" : "; the file is damaged, copy or download it again"),
                        path());
    }
    m_offsets = std::move(header->offsets);
    setContents(std::move(header->tensors), std::move(header->metadata));
    return {};
}

int64_t SafetensorsReader::offsetOf(size_t tensor) const {
    return m_dataOffset + m_offsets[tensor];
}

Result<void> SafetensorsReader::readStored(size_t tensor, int64_t byteOffset,
                                           std::span<std::byte> destination) const {
    return file().readInto(offsetOf(tensor) + byteOffset, destination);
}

} // namespace homebooth::core
