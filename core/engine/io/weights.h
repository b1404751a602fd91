// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Between tensor files and parameter stores: loading, saving, and filling for training from scratch.
// A few tensors are on their way at a time; no second copy of a model exists, and of one that is spread over
// ranks each has a few whole tensors at a time, beside its part. One thread for each store.
#pragma once

#include "core/base/formats/tensor_source.h"
#include "core/base/util/cancel.h"
#include "core/engine/memory/parameter_store.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace homebooth::core {

/// Chooses parameters, e.g. all but those of adapters. Empty: all.
using ParameterFilter = std::function<bool(const ParameterSpec&)>;

struct LoadOptions {
    bool allowMissing = false; ///< leave parameters that the source lacks as they are
    ParameterFilter filter = {};
    CancelToken cancel = {}; ///< looked at between tensors
};

struct LoadReport {
    int64_t loadedCount = 0;
    int64_t readBytes = 0;
    std::vector<std::string> missing; ///< with allowMissing
    bool cancelled = false;           ///< the store is then filled in part and must not be used
};

/// Fills `store` from `source` by name, converting the type where it differs.
/// Errors: BadInput when parameters are missing, have another shape, hold NaN or infinity, or do not fit into
///         the store's type; every shape is checked before the first tensor is read
[[nodiscard]] Result<LoadReport> loadParameters(ParameterStore& store, const TensorSource& source,
                                                const LoadOptions& options = {});

/// Fills parameters as their specification says for a model trained from scratch. Each tensor has its own
/// random numbers, of `seed` and its name, so neither order nor layout matters; drawn in fp32, then cast.
void initialiseParameters(ParameterStore& store, uint64_t seed, const ParameterFilter& filter = {});

/// Whether a weight that LoRAs were added to can be had in a type.
/// @param weight  any floating type, dense, on the host
/// Errors: BadInput where it is NaN, infinite or too large for that
[[nodiscard]] Result<void> expectMerged(const at::Tensor& weight, at::ScalarType type,
                                        const std::string& name);

/// The tensor for a parameter; null if there is none. Some writers leave out a prefix that most have.
[[nodiscard]] const TensorInfo* findTensor(const TensorSource& source, const std::string& name);

[[nodiscard]] at::ScalarType scalarTypeOf(DataType type);
/// Throws c10::Error for a type that tensor files do not have.
[[nodiscard]] DataType dataTypeOf(at::ScalarType type);

/// The parameters of one or several stores as a source that writers can stream from; each tensor is cast
/// when it is read, quantized weights are made whole. Borrows the stores, which must not change while it is
/// read.
class StoreTensorSource : public TensorSource {
public:
    /// @param type  stored type; nothing: that of each parameter
    StoreTensorSource(std::vector<const ParameterStore*> stores, std::optional<DataType> type,
                      const ParameterFilter& filter = {});

    [[nodiscard]] const std::vector<TensorInfo>& tensors() const override { return m_tensors; }
    [[nodiscard]] const TensorInfo* find(std::string_view name) const override;
    [[nodiscard]] Result<void> read(std::string_view name, std::span<std::byte> destination) const override;

private:
    struct Origin {
        const ParameterStore* store;
        ParameterId id;
    };

    std::vector<TensorInfo> m_tensors;
    std::vector<Origin> m_origins; // of m_tensors
    std::map<std::string, size_t, std::less<>> m_byName;
};

} // namespace homebooth::core
