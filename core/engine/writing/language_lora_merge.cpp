// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/writing/language_lora_merge.h"

#include "core/base/schedule/adapters.h"
#include "core/engine/io/exact_tensor.h"
#include "core/engine/io/parameter_place.h"
#include "core/engine/io/weights.h"

#include <set>
#include <string>

namespace homebooth::core {
namespace {

Result<at::Tensor> read(const TensorSource& source, const std::string& name) {
    const TensorInfo* info = findTensor(source, name);
    if (info == nullptr)
        return badInput("adding a LoRA: expected the tensor " + name +
                        ", found none; take another copy of the LoRA, or choose its model");
    return readExact(source, *info);
}

/// Of all LoRAs.
std::set<std::string> modulesOf(const std::vector<LanguageLora>& loras) {
    std::set<std::string> modules;
    for (const LanguageLora& lora : loras)
        for (const TensorInfo& info : lora.tensors->tensors())
            if (info.name.ends_with(kAdapterDown))
                modules.insert(info.name.substr(0, info.name.size() - kAdapterDown.size()));
    return modules;
}

Result<void> add(const LanguageLora& lora, double weight, const std::string& module, at::Tensor& sum) {
    if (lora.tensors->find(module + std::string(kAdapterDown)) == nullptr) return {};
    HOMEBOOTH_ASSIGN(const at::Tensor down, read(*lora.tensors, module + std::string(kAdapterDown)));
    HOMEBOOTH_ASSIGN(const at::Tensor up, read(*lora.tensors, module + std::string(kAdapterUp)));
    const at::Tensor delta = up.matmul(down);
    if (delta.sizes() != sum.sizes())
        return badInput("adding a LoRA: its matrices for " + module +
                        " do not fit this model's; choose the "
                        "model that it belongs to");
    sum.add_(delta, weight * lora.alpha / static_cast<double>(lora.rank));
    return {};
}

} // namespace

Result<void> mergeLanguageLoras(const std::vector<LanguageLora>& loras, const std::vector<double>& weights,
                                const LanguagePart& model, ParameterStore& store, const CancelToken& cancel) {
    store.forgetNextPass();
    for (const std::string& module : modulesOf(loras)) {
        if (cancel.requested()) return {};
        const std::string name = module + ".weight";
        const ParameterId id = store.find(name);
        if (id.block < 0)
            return badInput("adding a LoRA: this model has no weight " + name +
                            "; choose the model that the LoRA belongs to");
        HOMEBOOTH_ASSIGN(at::Tensor sum, read(*model.tensors, name));
        for (size_t index = 0; index < loras.size(); ++index)
            HOMEBOOTH_CHECK(add(loras[index], weights.at(index), module, sum));
        HOMEBOOTH_CHECK(expectMerged(sum, store.options().type, name));
        putContents(store, id, sum);
    }
    return {};
}

} // namespace homebooth::core
