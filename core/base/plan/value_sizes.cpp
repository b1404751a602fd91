// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/plan/value_sizes.h"

#include <algorithm>
#include <vector>

namespace homebooth::core {
namespace {

/// Tensors of about the size of input or output that a block holds while it computes forward: the running
/// one, its normalised and activated form, and a convolution's columns are made in slices.
constexpr int64_t kForwardCopies = 3;
/// The same in backward, when the graph of the whole block is kept: a resnet keeps about ten, a transformer
/// layer with its four times wider feed-forward part about twenty-five.
constexpr int64_t kPlainCopies = 10;
constexpr int64_t kTransformerCopies = 25;

bool isTransformer(const BlockSpec& block) {
    return block.kind.find("transformer") != std::string::npos ||
           block.kind.find("layer") != std::string::npos;
}

} // namespace

int64_t elementCount(const ValueSpec& value, const InputShape& shape) {
    const auto divided = [](int64_t size, int64_t by) { return (size + by - 1) / by; };
    if (value.rows > 0) return value.rows * value.channels;
    if (value.downscale > 0)
        return shape.batch * value.channels * divided(shape.height, value.downscale) *
               divided(shape.width, value.downscale);
    if (value.tokens > 0) return shape.batch * value.tokens * value.channels;
    return shape.batch * std::max<int64_t>(value.channels, 1);
}

int64_t valueElements(const Schedule& schedule, const InputShape& shape) {
    int64_t total = 0;
    for (const ValueSpec& value : schedule.values()) total += elementCount(value, shape);
    return total;
}

int64_t keptElements(const Schedule& schedule, const InputShape& shape) {
    std::vector<bool> kept(schedule.values().size(), false);
    for (const Node& node : schedule.nodes())
        for (const ValueId input : node.inputs) kept[static_cast<size_t>(input)] = true;
    int64_t total = 0;
    for (size_t index = 0; index < kept.size(); ++index)
        if (kept[index]) total += elementCount(schedule.values()[index], shape);
    return total;
}

int64_t peakLiveElements(const Schedule& schedule, const InputShape& shape) {
    const std::vector<int> last = schedule.lastUses();
    int64_t live = 0;
    int64_t peak = 0;
    for (const ValueId input : schedule.inputs())
        live += elementCount(schedule.values()[static_cast<size_t>(input)], shape);
    for (size_t index = 0; index < schedule.nodes().size(); ++index) {
        for (const ValueId output : schedule.nodes()[index].outputs)
            live += elementCount(schedule.values()[static_cast<size_t>(output)], shape);
        peak = std::max(peak, live);
        for (size_t value = 0; value < last.size(); ++value)
            if (last[value] == static_cast<int>(index)) live -= elementCount(schedule.values()[value], shape);
    }
    return peak;
}

int64_t peakBlockElements(const Schedule& schedule, const InputShape& shape, bool backward) {
    int64_t peak = 0;
    for (const Node& node : schedule.nodes()) {
        int64_t widest = 0;
        for (const ValueId input : node.inputs)
            widest = std::max(widest, elementCount(schedule.values()[static_cast<size_t>(input)], shape));
        for (const ValueId output : node.outputs)
            widest = std::max(widest, elementCount(schedule.values()[static_cast<size_t>(output)], shape));
        const bool transformer = isTransformer(schedule.blocks()[static_cast<size_t>(node.block)]);
        const int64_t copies = !backward ? kForwardCopies : transformer ? kTransformerCopies : kPlainCopies;
        peak = std::max(peak, widest * copies);
    }
    return peak;
}

int64_t peakPatchBytes(const Schedule& schedule, const InputShape& shape, int64_t elementBytes) {
    int64_t peak = 0;
    for (const Node& node : schedule.nodes()) {
        int64_t longest = 0; // patch
        for (const ParameterSpec& parameter : schedule.blocks()[static_cast<size_t>(node.block)].parameters)
            if (parameter.shape.size() == 4)
                longest =
                    std::max(longest, parameter.elementCount() / std::max<int64_t>(parameter.shape[0], 1));
        for (const ValueId output : node.outputs) {
            const ValueSpec& value = schedule.values()[static_cast<size_t>(output)];
            const int64_t patches = elementCount(value, shape) / std::max<int64_t>(value.channels, 1);
            peak = std::max(peak, patches * longest * elementBytes);
        }
    }
    return std::min(peak, kMostPatchBytes);
}

int64_t largestTrainableBlock(const Schedule& schedule) {
    int64_t largest = 0;
    for (const BlockSpec& block : schedule.blocks()) {
        int64_t count = 0;
        for (const ParameterSpec& parameter : block.parameters)
            if (parameter.trainable) count += parameter.elementCount();
        largest = std::max(largest, count);
    }
    return largest;
}

} // namespace homebooth::core
