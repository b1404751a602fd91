// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The file stays open and is read by pread: a mapping would count as resident memory, and a file cut short by
// somebody else would then kill the process by SIGBUS instead of giving an error.
#include "core/base/formats/safetensors_reader.h"

#include "core/base/files/atomic_file.h"
#include "core/base/formats/file_kind.h"
#include "core/base/formats/safetensors_header.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace homebooth::core {

namespace {

constexpr int64_t kLengthBytes = 8;

Result<void> readAt(int descriptor, int64_t offset, std::span<std::byte> destination,
                    const std::string& path) {
    constexpr size_t kLargestRead = size_t{1} << 30;
    while (!destination.empty()) {
        const ssize_t got = ::pread(descriptor, destination.data(),
                                    std::min(destination.size(), kLargestRead), static_cast<off_t>(offset));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return systemError("read", path, errno);
        if (got == 0) return badInput("the file became shorter while it was read; copy it again", path);
        destination = destination.subspan(static_cast<size_t>(got));
        offset += got;
    }
    return {};
}

} // namespace

Result<std::shared_ptr<SafetensorsReader>> SafetensorsReader::open(const std::string& path) {
    HOMEBOOTH_ASSIGN(const FileKind kind, detectFileKind(path));
    std::shared_ptr<SafetensorsReader> reader(new SafetensorsReader());
    reader->m_path = path;
    reader->m_descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (reader->m_descriptor < 0) return systemError("open", path, errno);
    if (kind != FileKind::Safetensors) return wrongKindError(kind, "a .safetensors file", path);
    HOMEBOOTH_CHECK(reader->readHeader());
    return reader;
}

SafetensorsReader::~SafetensorsReader() {
    if (m_descriptor >= 0) ::close(m_descriptor);
}

Result<void> SafetensorsReader::readHeader() {
    struct stat status {};
    if (::fstat(m_descriptor, &status) != 0) return systemError("examine", m_path, errno);
    if (!S_ISREG(status.st_mode)) return badInput("expected a file, found a folder or device", m_path);
    m_fileBytes = status.st_size;
    std::array<std::byte, kLengthBytes> lengthBytes{};
    HOMEBOOTH_CHECK(readAt(m_descriptor, 0, lengthBytes, m_path));
    uint64_t length = 0;
    for (size_t i = 0; i < lengthBytes.size(); ++i)
        length |= static_cast<uint64_t>(lengthBytes[i]) << (8 * i);
    if (length > static_cast<uint64_t>(kHeaderLimitBytes) ||
        static_cast<int64_t>(length) > m_fileBytes - kLengthBytes) {
        return badInput("cannot read this .safetensors file: its header should have " +
                            std::to_string(length) + " bytes, but the file has " +
                            std::to_string(m_fileBytes) + "; it is damaged or " + std::string(kCutOffWords) +
                            ", copy or download it again",
                        m_path);
    }
    std::string text(length, '\0');
    HOMEBOOTH_CHECK(readAt(m_descriptor, kLengthBytes, std::as_writable_bytes(std::span(text)), m_path));
    m_dataOffset = kLengthBytes + static_cast<int64_t>(length);
    auto header = parseSafetensorsHeader(text, m_fileBytes - m_dataOffset);
    if (!header) {
        const std::string& fault = header.error().message;
        const bool advised = fault.find(';') != std::string::npos;
        return badInput("cannot read this .safetensors file: " + fault +
                            (advised ? "" : "; the file is damaged, copy or download it again"),
                        m_path);
    }
    m_tensors = std::move(header->tensors);
    m_offsets = std::move(header->offsets);
    m_metadata = std::move(header->metadata);
    for (size_t i = 0; i < m_tensors.size(); ++i) m_index.emplace(m_tensors[i].name, i);
    return {};
}

const TensorInfo* SafetensorsReader::find(std::string_view name) const {
    const auto found = m_index.find(name);
    return found == m_index.end() ? nullptr : &m_tensors[found->second];
}

Result<void> SafetensorsReader::read(std::string_view name, std::span<std::byte> destination) const {
    const TensorInfo* info = find(name);
    if (info != nullptr && static_cast<int64_t>(destination.size()) != info->byteCount) {
        return badInput("tensor \"" + printable(name) + "\" has " + std::to_string(info->byteCount) +
                            " bytes, the buffer " + std::to_string(destination.size()),
                        m_path);
    }
    return readPart(name, 0, destination);
}

void SafetensorsReader::willRead(std::string_view name) const {
    constexpr int64_t kPieceBytes = int64_t{128}
                                    << 10; // the kernel shortens greater requests to its read-ahead
    const auto found = m_index.find(name);
    if (found == m_index.end()) return;
    const int64_t begin = m_dataOffset + m_offsets[found->second];
    const int64_t end = begin + m_tensors[found->second].byteCount;
    for (int64_t offset = begin; offset < end; offset += kPieceBytes)
        ::posix_fadvise(m_descriptor, offset, std::min(kPieceBytes, end - offset), POSIX_FADV_WILLNEED);
}

Result<void> SafetensorsReader::readPart(std::string_view name, int64_t byteOffset,
                                         std::span<std::byte> destination) const {
    const auto found = m_index.find(name);
    if (found == m_index.end()) return badInput("there is no tensor \"" + printable(name) + "\"", m_path);
    const int64_t available = m_tensors[found->second].byteCount;
    const auto wanted = static_cast<int64_t>(destination.size());
    if (byteOffset < 0 || byteOffset > available || wanted > available - byteOffset)
        return badInput("read past the end of tensor \"" + printable(name) + "\"", m_path);
    return readAt(m_descriptor, m_dataOffset + m_offsets[found->second] + byteOffset, destination, m_path);
}

} // namespace homebooth::core
