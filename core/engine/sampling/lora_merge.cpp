// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/sampling/lora_merge.h"

#include "core/engine/io/exact_tensor.h"

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

Result<std::vector<std::string>> mergeLora(const LoraFile& lora, const std::string& component, double weight,
                                           ParameterStore& store, const CancelToken& cancel) {
    std::vector<std::string> changed;
    store.forgetNextPass();
    for (const LoraModule& module : lora.modules) {
        if (cancel.requested()) break;
        const std::string name = module.name.path + ".weight";
        const ParameterId id = store.find(name);
        if (module.name.component != component || id.block < 0) continue;
        HOMEBOOTH_ASSIGN(const at::Tensor delta, product(lora, module));
        const auto held = store.hold(id, true);
        at::Tensor parameter = store.parameter(id);
        if (delta.numel() != parameter.numel() || delta.size(0) != parameter.size(0))
            return badInput("the LoRA's module " + module.name.path + " gives " +
                                shapeText(delta.sizes().vec()) + " but the model has " +
                                shapeText(parameter.sizes().vec()) + "; it belongs to another model",
                            lora.path);
        const double scale = weight * module.alpha / static_cast<double>(module.rank);
        const at::Tensor sum =
            parameter.to(at::kFloat) + scale * delta.reshape(parameter.sizes()).to(parameter.device());
        parameter.copy_(sum);
        changed.push_back(name);
    }
    return changed;
}

} // namespace homebooth::core
