// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes a .safetensors file tensor by tensor, so that a model never lies in memory as a whole.
// The file appears under its name only by `commit`; a writer that is destroyed before leaves nothing.
// One thread at a time.
#pragma once

#include "core/base/files/atomic_file.h"
#include "core/base/files/sha256.h"
#include "core/base/formats/tensor_source.h"

namespace homebooth::core {

/// What a file with these tensors has in front of their bytes, which follow in their order without gaps.
/// `format: pt` is added to the metadata, since loaders refuse files without it.
/// @param path  for messages
/// Errors: BadInput for a name twice or one that no reader would accept
[[nodiscard]] Result<std::string> safetensorsHead(const std::string& path,
                                                  const std::vector<TensorInfo>& tensors,
                                                  std::map<std::string, std::string> metadata = {});

class SafetensorsWriter {
public:
    /// Declares everything that will be written. The file keeps the order of `tensors`.
    /// @param hash  fed with everything that is written, so that nobody has to read it again; null: not
    ///              wanted
    /// Errors: as safetensorsHead; OutOfResources, disk full
    [[nodiscard]] static Result<SafetensorsWriter> create(const std::string& path,
                                                          std::vector<TensorInfo> tensors,
                                                          std::map<std::string, std::string> metadata = {},
                                                          Sha256* hash = nullptr);

    /// Writes the next tensor; `name` must be the next one declared and `data` have its byteCount.
    [[nodiscard]] Result<void> write(std::string_view name, std::span<const std::byte> data);

    /// Writes a piece of the next tensor; pieces add up to its byteCount.
    [[nodiscard]] Result<void> writePart(std::string_view name, std::span<const std::byte> data);

    /// Makes the file appear under its name. All declared tensors must have been written.
    [[nodiscard]] Result<void> commit();

private:
    SafetensorsWriter(AtomicFile file, std::vector<TensorInfo> tensors, Sha256* hash);

    AtomicFile m_file;
    Sha256* m_hash = nullptr; // borrowed
    std::vector<TensorInfo> m_tensors;
    size_t m_next = 0;
    int64_t m_written = 0; ///< bytes of the tensor m_next
};

} // namespace homebooth::core
