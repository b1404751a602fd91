// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// One file of tensors, whatever its format: the names and ranges that every reader checks alike.
// As a TensorSource: immutable once it is open, any thread. Readers own the open file.
#pragma once

#include "core/base/files/file_reader.h"
#include "core/base/formats/tensor_source.h"

namespace homebooth::core {

class TensorReader : public TensorSource {
public:
    /// In the order of their bytes in the file.
    [[nodiscard]] const std::vector<TensorInfo>& tensors() const override { return m_tensors; }
    [[nodiscard]] const TensorInfo* find(std::string_view name) const override;
    [[nodiscard]] Result<void> read(std::string_view name, std::span<std::byte> destination) const override;
    void willRead(std::string_view name) const override;

    /// Reads `destination.size()` bytes of a tensor from `byteOffset` on: for tensors larger than a buffer.
    /// Errors: as `read`
    [[nodiscard]] Result<void> readPart(std::string_view name, int64_t byteOffset,
                                        std::span<std::byte> destination) const;
    /// Whether a tensor's numbers follow each other in the file; else reading a part of it reads all of it.
    [[nodiscard]] bool liesTogether(std::string_view name) const;
    /// Whether two tensors of the same shape are the same bytes of the file.
    [[nodiscard]] bool areOne(std::string_view name, std::string_view other) const;

    /// What the file says beside its tensors; empty where it says nothing.
    [[nodiscard]] const std::map<std::string, std::string>& metadata() const { return m_metadata; }
    /// The type of numbers for which tensors were left out, since models do not have it; empty: none were.
    [[nodiscard]] virtual std::string_view leftOut() const { return {}; }
    [[nodiscard]] const std::string& path() const { return m_path; }
    [[nodiscard]] int64_t fileBytes() const { return m_file.identity().bytes; }

protected:
    TensorReader(std::string path, FileReader file);
    /// Once, while the file is opened. @param tensors  in the order of their bytes
    void setContents(std::vector<TensorInfo> tensors, std::map<std::string, std::string> metadata);
    [[nodiscard]] const FileReader& file() const { return m_file; }

private:
    /// @param tensor  its place in `tensors`; the range lies within it
    [[nodiscard]] virtual Result<void> readStored(size_t tensor, int64_t byteOffset,
                                                  std::span<std::byte> destination) const = 0;
    /// Of its first byte in the file.
    [[nodiscard]] virtual int64_t offsetOf(size_t tensor) const = 0;
    [[nodiscard]] virtual bool isTogether(size_t /*tensor*/) const { return true; }

    std::string m_path;
    FileReader m_file;
    std::vector<TensorInfo> m_tensors;
    std::map<std::string, size_t, std::less<>> m_index;
    std::map<std::string, std::string> m_metadata;
};

} // namespace homebooth::core
