// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads .safetensors files, trusting nothing in them. The header is checked as a whole when the file is
// opened; tensors are read by pread into the caller's memory, so that no page of the file stays mapped.
// Owns one file descriptor, closed with the last owner. Immutable; any thread.
//
// What is checked (a file that breaks one rule is refused):
//   1. header length: at most 100 MB and within the file; the header is UTF-8 JSON and begins with '{';
//   2. no key twice; `__metadata__` maps strings to strings;
//   3. names: not empty, at most 1,024 bytes, no control characters; at most 200,000 tensors of rank 16;
//   4. shape times element width equals the range of bytes, without overflow;
//   5. ranges lie back to back from 0 to exactly the end of the file: no hole, no overlap.
// Source: safetensors format, version 0.4 (huggingface/safetensors, README).
#pragma once

#include "core/base/formats/tensor_source.h"

namespace homebooth::core {

class SafetensorsReader final : public TensorSource {
public:
    /// Opens and checks a file; reads only its header.
    /// Errors: BadInput, naming the rule that was broken or what the file is instead
    [[nodiscard]] static Result<std::shared_ptr<SafetensorsReader>> open(const std::string& path);

    ~SafetensorsReader() override;
    SafetensorsReader(const SafetensorsReader&) = delete;
    SafetensorsReader& operator=(const SafetensorsReader&) = delete;

    /// In the order of their bytes in the file.
    [[nodiscard]] const std::vector<TensorInfo>& tensors() const override { return m_tensors; }
    [[nodiscard]] const TensorInfo* find(std::string_view name) const override;
    [[nodiscard]] Result<void> read(std::string_view name, std::span<std::byte> destination) const override;

    void willRead(std::string_view name) const override;

    /// Reads `destination.size()` bytes of a tensor from `byteOffset` on: for tensors larger than a buffer.
    [[nodiscard]] Result<void> readPart(std::string_view name, int64_t byteOffset,
                                        std::span<std::byte> destination) const;

    /// The header's `__metadata__`; empty when there is none.
    [[nodiscard]] const std::map<std::string, std::string>& metadata() const { return m_metadata; }
    [[nodiscard]] const std::string& path() const { return m_path; }
    [[nodiscard]] int64_t fileBytes() const { return m_fileBytes; }

private:
    SafetensorsReader() = default;
    [[nodiscard]] Result<void> readHeader();

    std::string m_path;
    int m_descriptor = -1;
    int64_t m_fileBytes = 0;
    int64_t m_dataOffset = 0; ///< of byte 0 of the tensors in the file
    std::vector<TensorInfo> m_tensors;
    std::vector<int64_t> m_offsets; ///< of each tensor, from m_dataOffset
    std::map<std::string, size_t, std::less<>> m_index;
    std::map<std::string, std::string> m_metadata;
};

} // namespace homebooth::core
