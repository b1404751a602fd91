// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Tensors of the engine in safetensors files, one at a time: a checkpoint never lies in memory twice.
// One thread.
#pragma once

#include "core/base/files/sha256.h"
#include "core/base/formats/safetensors_reader.h"
#include "core/engine/optim/optimizer.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace homebooth::core {

/// SHA-256 of files, by name.
using FileHashes = std::map<std::string, std::string>;

/// Tensors and the name of the file that they are saved in.
struct TensorFile {
    std::string name;
    std::vector<NamedTensor> tensors;
};

/// Whether every number is finite, in words where not: BadInput. @param name  of the tensor that they are of
[[nodiscard]] Result<void> expectFinite(const at::Tensor& numbers, const std::string& name);

/// Named tensors as a source that writers can stream from; each is cast when it is read, and checked then: a
/// tensor with NaN or infinity in it, or that the cast makes infinite, is BadInput. So nothing of that kind
/// ever gets into a file, at the price of one more pass over what is written anyway.
class TensorListSource : public TensorSource {
public:
    /// Puts a state that is spread over ranks together.
    using WholeOf = std::function<at::Tensor(const NamedTensor&)>;

    /// @param type   of floating-point tensors in the file; nothing: each one's own
    /// @param whole  called at every read; empty: nothing is spread over ranks
    explicit TensorListSource(std::vector<NamedTensor> tensors, std::optional<DataType> type = {},
                              WholeOf whole = {});

    [[nodiscard]] const std::vector<TensorInfo>& tensors() const override { return m_infos; }
    [[nodiscard]] const TensorInfo* find(std::string_view name) const override;
    [[nodiscard]] Result<void> read(std::string_view name, std::span<std::byte> destination) const override;

private:
    std::vector<NamedTensor> m_tensors;
    WholeOf m_whole;
    std::vector<TensorInfo> m_infos;
    std::map<std::string, size_t, std::less<>> m_byName;
};

/// Writes a .safetensors file atomically. Errors: BadInput, OutOfResources
/// @param hash  fed with the file's bytes; null: not wanted
[[nodiscard]] Result<void> writeTensorFile(const std::string& path, const TensorSource& source,
                                           const std::map<std::string, std::string>& metadata = {},
                                           Sha256* hash = nullptr);

/// Looks tensors up in an open file; an undefined tensor where there is none or it cannot be read.
[[nodiscard]] TensorLookup lookupIn(std::shared_ptr<const SafetensorsReader> reader);

/// Reads one tensor in its stored type. Errors: BadInput
[[nodiscard]] Result<at::Tensor> readWholeTensor(const TensorSource& source, const std::string& name);

} // namespace homebooth::core
