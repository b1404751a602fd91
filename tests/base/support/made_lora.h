// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Adapters made in a test, to be written as a LoRA file.
#pragma once

#include "core/base/model/lora_file.h"
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

private:
    std::mt19937 m_random{5};
};

} // namespace homebooth::core::test
