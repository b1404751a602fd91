// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/training/recomputation.h"

#include "core/base/system/memory_facts.h"

namespace homebooth::core {
namespace {

/// Tensors that autograd keeps inside a block for each of its outputs: norm, activation, product, columns.
constexpr int64_t kKeptPerValue = 12;

} // namespace

int64_t keptActivationBytes(const Component& component, int64_t batch, int64_t heightUnits,
                            int64_t widthUnits) {
    int64_t elements = 0;
    for (const ValueSpec& value : component.schedule().values()) {
        int64_t places = 1;
        if (value.downscale > 0)
            places = (heightUnits / value.downscale + 1) * (widthUnits / value.downscale + 1);
        else if (value.tokens > 0)
            places = value.tokens;
        elements += value.channels * places;
    }
    return elements * batch * kKeptPerValue * static_cast<int64_t>(c10::elementSize(component.type()));
}

void chooseRecomputation(Component& component, int64_t keptBytes, int64_t budgetBytes) {
    const Recompute choice = keptBytes <= budgetBytes ? Recompute::Never : Recompute::Always;
    for (size_t block = 0; block < component.schedule().blocks().size(); ++block)
        component.executor().setRecompute(static_cast<int>(block), choice);
}

int64_t freeRamBytes() {
    return memoryFacts().usableBytes();
}

} // namespace homebooth::core
