// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads .safetensors files, trusting nothing in them. The header is checked as a whole when the file is
// opened. Owns the open file. Immutable; any thread.
//
// What is checked (a file that breaks one rule is refused):
//   1. header length: at most 100 MB and within the file; the header is UTF-8 JSON and begins with '{';
//   2. no key twice; `__metadata__` maps strings to strings;
//   3. names: not empty, at most 1,024 bytes, no control characters; at most 200,000 tensors of rank 16;
//   4. shape times element width equals the range of bytes, without overflow;
//   5. ranges lie back to back from 0 to exactly the end of the file: no hole, no overlap.
// Source: safetensors format, version 0.4 (huggingface/safetensors, README).
#pragma once

#include "core/base/formats/tensor_reader.h"

namespace homebooth::core {

class SafetensorsReader final : public TensorReader {
public:
    /// Opens and checks a file; reads only its header.
    /// Errors: BadInput, naming the rule that was broken or what the file is instead
    [[nodiscard]] static Result<std::shared_ptr<SafetensorsReader>> open(const std::string& path);

private:
    SafetensorsReader(const std::string& path, FileReader file)
        : TensorReader(path, std::move(file)) {}
    [[nodiscard]] Result<void> readHeader();
    [[nodiscard]] Result<void> readStored(size_t tensor, int64_t byteOffset,
                                          std::span<std::byte> destination) const override;
    [[nodiscard]] int64_t offsetOf(size_t tensor) const override;

    int64_t m_dataOffset = 0;       ///< of byte 0 of the tensors in the file
    std::vector<int64_t> m_offsets; ///< of each tensor, from m_dataOffset
};

} // namespace homebooth::core
