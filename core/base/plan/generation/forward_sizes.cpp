// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/plan/generation/forward_sizes.h"

#include "core/base/plan/convolution_sizes.h"
#include "core/base/plan/training/train_sizes.h"
#include "core/base/system/cpu_facts.h"

#include <algorithm>
#include <string>
#include <vector>

namespace homebooth::core {
namespace {

constexpr int64_t kMiB = int64_t{1} << 20;

/// A convolution in bf16 on the host by tiles of 2x2, as core/engine/nn/winograd takes it.
class TiledConvolution : TileSizes {
public:
    /// @param pixels  of the whole batch
    TiledConvolution(int64_t outputs, int64_t channels, int64_t pixels)
        : m_outputs(outputs)
        , m_channels(channels)
        , m_pixels(pixels) {}

    [[nodiscard]] bool serves() const {
        return m_outputs % kLanes == 0 && m_channels % kLanes == 0 && m_pixels >= kLeastPixels;
    }

    /// The transformed weight is 16/9 of the weight: of pictures with few pixels and many channels most of
    /// all.
    [[nodiscard]] int64_t bytes(bool widens) const {
        constexpr int64_t kHalf = 2;
        const int64_t weight = kPlaces * m_outputs * m_channels;
        const int64_t perTile = kPlaces * (m_channels + m_outputs);
        const int64_t tiles = std::clamp<int64_t>(kPieceBytes / (perTile * kHalf), 1, tilesAtMost());
        const int64_t plain = weight * kHalf + tiles * perTile * kHalf;
        return plain + (widens ? (weight + tiles * perTile) * kFloatBytes : 0);
    }

private:
    static constexpr int64_t kPixelsOfTile = 4;

    [[nodiscard]] int64_t tilesAtMost() const { // sides may be odd
        return std::max<int64_t>(m_pixels / kPixelsOfTile + m_pixels / kPixelsOfTile / 8, 1);
    }

    int64_t m_outputs;
    int64_t m_channels;
    int64_t m_pixels;
};

/// One node of a network with what its block computes.
class NodeSizes {
public:
    NodeSizes(const Schedule& schedule, const Node& node, const InputShape& shape, const ForwardWays& ways)
        : m_block(schedule.blocks()[static_cast<size_t>(node.block)])
        , m_ways(ways)
        , m_elementBytes(bytesOf(ways.precision)) {
        for (const ValueId input : node.inputs) {
            const ValueSpec& value = schedule.values()[static_cast<size_t>(input)];
            if (value.downscale > 0) m_in += elementCount(value, shape);
        }
        const ValueSpec& output = schedule.values()[static_cast<size_t>(node.outputs.front())];
        m_out = elementCount(output, shape);
        m_pixels = m_out / std::max<int64_t>(output.channels, 1);
    }

    /// What the block holds at its fullest, beside its inputs and its output.
    [[nodiscard]] int64_t bytes() const {
        constexpr int64_t kCopies = 3; // in other forms: normalised, activated, resized
        if (m_block.kind == "resnet") return resnetBytes() + packedBytes();
        if (m_block.kind == "transformer" || m_block.kind == "transformer_layer")
            return layerBytes() + packedBytes();
        return kCopies * std::max(m_in, m_out) * m_elementBytes + productBytes("") + packedBytes();
    }

private:
    /// What each thread packs of the factors of a product in bf16, at most: never more than there is.
    [[nodiscard]] int64_t packedBytes() const {
        constexpr int64_t kThreadBytes = kMiB;
        if (m_ways.gpu || m_ways.precision != Precision::Bf16) return 0;
        int64_t largest = 0;
        for (const ParameterSpec& parameter : m_block.parameters)
            largest = std::max(largest, parameter.elementCount());
        return std::min(m_ways.threads * kThreadBytes, (largest + m_in + m_out) * m_elementBytes);
    }

    /// Of the parameters whose names end so, most that one of the products with them works in.
    [[nodiscard]] int64_t productBytes(const std::string& ending) const {
        int64_t most = 0;
        for (const ParameterSpec& parameter : m_block.parameters) {
            if (!parameter.name.ends_with(ending)) continue;
            if (parameter.shape.size() == 4) most = std::max(most, convolutionBytes(parameter));
            if (parameter.shape.size() == 2 && m_ways.widens)
                most = std::max(most, parameter.elementCount() * kFloatBytes + kWidenedPieceBytes);
        }
        return most;
    }

    [[nodiscard]] int64_t convolutionBytes(const ParameterSpec& weight) const {
        const int64_t outputs = weight.shape[0];
        const int64_t wide = weight.elementCount() * kFloatBytes;
        if (m_ways.gpu) return gpuConvolutionBytes(wide);
        const bool pointwise = weight.shape[2] == 1 && weight.shape[3] == 1;
        const TiledConvolution tiled(outputs, weight.shape[1], m_pixels);
        if (m_ways.precision == Precision::Bf16 && weight.shape[2] == 3 && weight.shape[3] == 3 &&
            m_block.kind != "downsample" && tiled.serves())
            return tiled.bytes(m_ways.widens);
        if (m_ways.widens) return wide + 2 * kWidenedPieceBytes;
        if (pointwise) return 0;
        const int64_t patch = weight.elementCount() / std::max<int64_t>(outputs, 1);
        return std::min(kMostPatchBytes, m_pixels * patch * m_elementBytes);
    }

    /// Two convolutions, each behind a norm and an activation; what a skip is joined to lives as long.
    [[nodiscard]] int64_t resnetBytes() const {
        const bool fused = !m_ways.gpu && m_ways.precision == Precision::Bf16;
        const int64_t normed = m_ways.gpu ? 3 : fused ? 1 : 2; // GPUs normalise another order of memory
        const int64_t convolved = m_ways.gpu ? 2 : 1;
        const int64_t shifted = m_block.flag("scaleShift") ? 2 : 0;
        const int64_t adapted = m_block.adapters.empty() ? 0 : 2 * m_out;
        const int64_t joined = m_block.flag("joinsSkip") ? m_in : 0;
        const auto around = [&](int64_t elements, const char* convolution) {
            return std::max((joined + (normed + shifted) * elements) * m_elementBytes,
                            (joined + convolved * elements + adapted) * m_elementBytes +
                                productBytes(convolution));
        };
        return std::max({around(m_in, "conv1.weight"), around(m_out, "conv2.weight"),
                         around(m_out, "conv_shortcut.weight")});
    }

    /// The feed-forward part is widest: the running form and two that are normalised, value and gate of eight
    /// times the width, the activated gate of four. Attention in fp32 comes to as much.
    [[nodiscard]] int64_t layerBytes() const {
        constexpr int64_t kCopies = 15;
        constexpr int64_t kAdaptedCopies = 27; // what an adapter adds is as wide, and so is the sum
        const int64_t copies = m_block.adapters.empty() ? kCopies : kAdaptedCopies;
        return copies * m_out * m_elementBytes + productBytes("");
    }

    const BlockSpec& m_block;
    const ForwardWays& m_ways;
    int64_t m_elementBytes;
    int64_t m_in = 0; // elements of all pictures that come in
    int64_t m_out = 0;
    int64_t m_pixels = 0; // of the output, in the whole batch
};

bool has(const std::vector<std::string>& features, const char* name) {
    return std::find(features.begin(), features.end(), name) != features.end();
}

} // namespace

ForwardWays forwardWays(Precision precision, bool gpu, int64_t threads) {
    ForwardWays ways{precision, gpu, false, threads > 0 ? threads : usableThreads()};
    if (gpu || precision == Precision::Fp32) return ways;
    const CpuFacts cpu = cpuFacts();
    ways.widens =
        !has(cpu.features, "avx512f") || (precision == Precision::Fp16 && !has(cpu.features, "avx512_fp16"));
    return ways;
}

int64_t peakForwardBytes(const Schedule& schedule, const InputShape& shape, const ForwardWays& ways) {
    const int64_t elementBytes = bytesOf(ways.precision);
    const std::vector<int> last = schedule.lastUses();
    const auto bytesOfValue = [&](size_t value) {
        return elementCount(schedule.values()[value], shape) * elementBytes;
    };
    int64_t live = 0;
    int64_t peak = 0;
    for (const ValueId input : schedule.inputs()) live += bytesOfValue(static_cast<size_t>(input));
    for (size_t index = 0; index < schedule.nodes().size(); ++index) {
        const Node& node = schedule.nodes()[index];
        for (const ValueId output : node.outputs) live += bytesOfValue(static_cast<size_t>(output));
        peak = std::max(peak, live + NodeSizes(schedule, node, shape, ways).bytes());
        for (size_t value = 0; value < last.size(); ++value)
            if (last[value] == static_cast<int>(index)) live -= bytesOfValue(value);
    }
    return peak;
}

} // namespace homebooth::core
