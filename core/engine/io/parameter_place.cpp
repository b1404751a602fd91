// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/io/parameter_place.h"

#include "core/base/schedule/quantized_weights.h"
#include "core/engine/nn/stored_weight.h"

namespace homebooth::core {
namespace {

void copyInto(ParameterStore& store, ParameterId id, const at::Tensor& contents) {
    static_cast<void>(fillParameter(store, id, [&](const at::Tensor& target) {
        target.copy_(contents);
        return Result<void>();
    }));
}

} // namespace

Result<void> fillParameter(ParameterStore& store, ParameterId id,
                           const std::function<Result<void>(const at::Tensor&)>& fill) {
    const auto held = store.hold(id, true);
    const at::Tensor parameter = store.parameter(id);
    if (!store.isSpread()) return fill(parameter);
    const at::Tensor whole = at::empty_strided(parameter.sizes(), parameter.strides(), parameter.options());
    HOMEBOOTH_CHECK(fill(whole));
    store.put(id, whole);
    return {};
}

bool isQuantized(const ParameterStore& store, ParameterId id) {
    return store.spec(id).storage == StorageType::Int8;
}

ParameterId scalesOf(const ParameterStore& store, ParameterId weight) {
    return store.find(scaleName(store.spec(weight).name));
}

void putContents(ParameterStore& store, ParameterId id, const at::Tensor& contents) {
    if (!isQuantized(store, id)) return copyInto(store, id, contents);
    const StoredWeight found = quantized(contents);
    copyInto(store, id, found.values);
    copyInto(store, scalesOf(store, id), found.scales);
}

} // namespace homebooth::core
