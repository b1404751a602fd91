// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Tensors under other names than in their files: translated while they are read, one at a time.
// Shares the readers of its files; immutable, any thread.
#pragma once

#include "core/base/formats/tensor_reader.h"
#include "core/base/model/compvis_names.h"

namespace homebooth::core {

struct MappedTensor {
    TensorInfo info; ///< as this source shows it
    std::shared_ptr<const TensorReader> file;
    std::string fileName; ///< of the tensor in the file
    TensorChange change = TensorChange::None;
    int part = 0;
};

class MappedSource final : public TensorSource {
public:
    explicit MappedSource(std::vector<MappedTensor> tensors);

    /// In the order of their bytes in the files, whatever order they were given in.
    [[nodiscard]] const std::vector<TensorInfo>& tensors() const override { return m_infos; }
    [[nodiscard]] const TensorInfo* find(std::string_view name) const override;
    [[nodiscard]] Result<void> read(std::string_view name, std::span<std::byte> destination) const override;
    void willRead(std::string_view name) const override;

    /// The file that a tensor lies in; empty if there is no such tensor.
    [[nodiscard]] std::string fileOf(std::string_view name) const;

private:
    std::vector<MappedTensor> m_tensors;
    std::vector<TensorInfo> m_infos;
    std::map<std::string, size_t, std::less<>> m_index;
};

/// Writes the rows of `from` [rows, columns] as the columns of `to`.
/// @param width bytes of one element
void transposeElements(std::span<const std::byte> from, std::span<std::byte> to, int64_t rows,
                       int64_t columns, int64_t width);

} // namespace homebooth::core
