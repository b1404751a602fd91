// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/sampling/lora_merge.h"

#include "core/base/model/value_check.h"
#include "core/engine/io/exact_tensor.h"
#include "core/engine/io/parameter_place.h"
#include "core/engine/io/weights.h"

#include <map>

namespace homebooth::core {

namespace {

Result<at::Tensor> readTensor(const LoraFile& lora, const std::string& name) {
    const TensorSource& source = *lora.tensors;
    const TensorInfo* info = source.find(name);
    if (info == nullptr) return badInput("the LoRA lacks the tensor " + name, lora.path);
    auto exact = readExact(source, *info);
    if (!exact) return Error{exact.error().code, exact.error().message, lora.path};
    return exact;
}

/// up [out, r] or [out, r, 1, 1] times down [r, in] or [r, in, kh, kw], flat: [out, in * kh * kw]
Result<at::Tensor> product(const LoraFile& lora, const LoraModule& module) {
    HOMEBOOTH_ASSIGN(const at::Tensor down, readTensor(lora, module.downTensor));
    HOMEBOOTH_ASSIGN(const at::Tensor up, readTensor(lora, module.upTensor));
    if (up.flatten(1).size(1) != down.size(0))
        return badInput("the two halves of the LoRA's module " + module.name.path +
                            " do not fit each other: " + shapeText(module.upShape) + " and " +
                            shapeText(module.downShape) + "; use another copy of the file",
                        lora.path);
    return up.flatten(1).matmul(down.flatten(1));
}

/// What one LoRA does to one weight.
struct Addition {
    const LoraFile* lora;
    const LoraModule* module;
    double weight;
};

/// The model's own, in fp32.
Result<at::Tensor> weightOf(const TensorSource& source, const std::string& name) {
    const TensorInfo* info = findTensor(source, name);
    if (info == nullptr)
        return badInput("adding a LoRA: the model's file lacks the tensor " + name +
                        "; it has changed since it was opened, choose the model once more");
    auto weight = readExact(source, *info);
    if (!weight) return Error{weight.error().code, weight.error().message, fileOfTensor(source, info->name)};
    return weight;
}

Result<void> add(const Addition& addition, at::Tensor& sum) {
    const LoraModule& module = *addition.module;
    HOMEBOOTH_ASSIGN(const at::Tensor delta, product(*addition.lora, module));
    if (delta.numel() != sum.numel() || delta.size(0) != sum.size(0))
        return badInput("the LoRA's module " + module.name.path + " gives " + shapeText(delta.sizes().vec()) +
                            " but the model has " + shapeText(sum.sizes().vec()) +
                            "; it belongs to another model",
                        addition.lora->path);
    const double scale = addition.weight * module.alpha / static_cast<double>(module.rank);
    sum.add_(delta.reshape(sum.sizes()), scale);
    return {};
}

} // namespace

Result<std::vector<LoraFile>> openLoras(const std::vector<LoraReference>& loras, const ModelSource& model) {
    std::vector<LoraFile> files;
    for (const LoraReference& lora : loras) {
        HOMEBOOTH_ASSIGN(LoraFile file, openLora(lora.file, model));
        HOMEBOOTH_CHECK(checkLoraFits(file, model));
        files.push_back(std::move(file));
    }
    return files;
}

Result<std::vector<std::string>> mergeLoras(const std::vector<LoraFile>& loras,
                                            const std::vector<LoraReference>& weights,
                                            const std::string& component, const TensorSource& source,
                                            ParameterStore& store, const CancelToken& cancel) {
    std::map<std::string, std::vector<Addition>> additions;
    for (size_t index = 0; index < loras.size(); ++index)
        for (const LoraModule& module : loras[index].modules)
            if (module.name.component == component && store.find(module.name.path + ".weight").block >= 0)
                additions[module.name.path + ".weight"].push_back(
                    {&loras[index], &module, weights.at(index).weight});
    std::vector<std::string> changed;
    store.forgetNextPass();
    for (const auto& [name, all] : additions) {
        if (cancel.requested()) break;
        HOMEBOOTH_ASSIGN(at::Tensor sum, weightOf(source, name));
        for (const Addition& one : all) HOMEBOOTH_CHECK(add(one, sum));
        HOMEBOOTH_CHECK(expectMerged(sum, store.options().type, name));
        putContents(store, store.find(name), sum);
        changed.push_back(name);
    }
    return changed;
}

} // namespace homebooth::core
