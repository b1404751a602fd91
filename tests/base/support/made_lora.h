// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Adapters made in a test, to be written as a LoRA file.
#pragma once

#include "core/base/model/lora/lora_file.h"
#include "tests/base/support/tiny_model.h"

namespace homebooth::core::test {

class MadeLora {
public:
    std::vector<LoraModule> modules;
    MemorySource source;

    /// Shapes: down [rank, in] or [rank, in, kh, kw], up [out, rank] or [out, rank, 1, 1]
    void add(const LoraModuleName& name, std::vector<int64_t> down, std::vector<int64_t> up, double alpha) {
        const std::string stem = name.component + "/" + name.path;
        LoraModule module{name, down[0], alpha, stem + ".lora_down.weight", stem + ".lora_up.weight",
                          down, up};
        source.addRandom(makeTensorInfo(module.downTensor, DataType::F32, down), m_random);
        source.addRandom(makeTensorInfo(module.upTensor, DataType::F32, up), m_random);
        modules.push_back(std::move(module));
    }

    /// The bytes of a module's `up` in diffusers' form, which has alpha / rank in it.
    [[nodiscard]] std::vector<std::byte> scaledUp(const LoraModule& module) const {
        std::vector<float> values(static_cast<size_t>(source.find(module.upTensor)->elementCount()));
        const auto bytes = std::as_writable_bytes(std::span(values));
        if (!source.read(module.upTensor, bytes)) return {};
        const double scale = module.alpha / static_cast<double>(module.rank);
        for (float& value : values) value = static_cast<float>(scale * static_cast<double>(value));
        return {bytes.begin(), bytes.end()};
    }

private:
    std::mt19937 m_random{5};
};

} // namespace homebooth::core::test
