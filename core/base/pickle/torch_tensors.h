// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The tensors that a pickle of torch.save describes. Their numbers lie beside it, in storages.
// Free function without state; any thread. Private to core/base/pickle.
//
// Dicts within dicts are followed: "state_dict" in place of what it lies in, others with their key and a dot
// in front. What is no tensor is passed over. Sources: PyTorch, torch/serialization.py, torch/_utils.py.
#pragma once

#include "core/base/formats/tensor_source.h"
#include "core/base/pickle/pickle_value.h"

namespace homebooth::core {

struct TorchStorage {
    std::optional<DataType> type; ///< none: of numbers that models do not have
    int64_t width = 1;            ///< bytes of one
    int64_t elements = 0;
    [[nodiscard]] int64_t bytes() const { return elements * width; }
    friend bool operator==(const TorchStorage&, const TorchStorage&) = default;
};

struct TorchTensor {
    TensorInfo info;
    std::string storage;
    int64_t begin = 0;            ///< element of the storage that is its first
    std::vector<int64_t> strides; ///< elements, by axis
};

struct TorchContent {
    std::vector<TorchTensor> tensors;
    std::map<std::string, TorchStorage> storages; ///< all that the pickle names, by name
    std::map<std::string, std::string> metadata;  ///< "global_step", where a trainer wrote it
};

/// What the pickle wants imported besides what weights are made of, such as "os.system"; empty: nothing.
[[nodiscard]] std::string commandIn(const Pickle& pickle);

/// @param mostBytes  of a tensor: those of its file, for one that repeats its numbers
/// Errors: BadInput, without the file's name: a tensor that reaches beyond its storage, is of an unknown
/// type,
///         or has the name of another one
[[nodiscard]] Result<TorchContent> findTensors(const Pickle& pickle, int64_t mostBytes);

} // namespace homebooth::core
