// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/models/convolution_blocks.h"

#include <limits>

namespace homebooth::core {

ConvolutionBlock::ConvolutionBlock(const BlockSpec& spec)
    : Block(spec)
    , m_convolution(spec, spec.labels.at("convolution"), spec.integer("padding"))
    , m_centerInput(spec.flag("centerInput")) {}

std::vector<at::Tensor> ConvolutionBlock::forward(const BlockContext& context,
                                                  std::span<const at::Tensor> inputs) const {
    return {m_convolution.last(context, m_centerInput ? 2 * inputs[0] - 1.0 : inputs[0])};
}

HeadBlock::HeadBlock(const BlockSpec& spec)
    : Block(spec)
    , m_norm(spec, "conv_norm_out", spec.integer("groups"), spec.attribute("epsilon"))
    , m_convolution(spec, "conv_out", spec.integer("padding"))
    , m_activation(activationNamed(spec.labels.at("activation"))) {}

std::vector<at::Tensor> HeadBlock::forward(const BlockContext& context,
                                           std::span<const at::Tensor> inputs) const {
    return {m_convolution.last(context, m_norm(context, inputs[0], m_activation))};
}

DownsampleBlock::DownsampleBlock(const BlockSpec& spec)
    : Block(spec)
    , m_convolution(spec, "conv", spec.integer("padding"), /*stride=*/2)
    , m_padsFarEnd(spec.integer("padding") == 0) {}

std::vector<at::Tensor> DownsampleBlock::forward(const BlockContext& context,
                                                 std::span<const at::Tensor> inputs) const {
    if (!m_padsFarEnd) return {m_convolution.last(context, inputs[0])};
    return {m_convolution.last(context, at::constant_pad_nd(inputs[0], {0, 1, 0, 1}))};
}

UpsampleBlock::UpsampleBlock(const BlockSpec& spec)
    : Block(spec)
    , m_convolution(spec, "conv", /*padding=*/1)
    , m_sizeFromInput(spec.flag("sizeFromInput")) {}

std::vector<at::Tensor> UpsampleBlock::forward(const BlockContext& context,
                                               std::span<const at::Tensor> inputs) const {
    at::Tensor x = inputs[0];
    const std::vector<int64_t> size = m_sizeFromInput
                                          ? std::vector<int64_t>{inputs[1].size(2), inputs[1].size(3)}
                                          : std::vector<int64_t>{2 * x.size(2), 2 * x.size(3)};
    // LibTorch's channels-last kernel on CUDA counts in 32 bits.
    const int64_t resultCount = x.size(0) * x.size(1) * size[0] * size[1];
    if (x.is_cuda() && resultCount > std::numeric_limits<int32_t>::max()) x = x.contiguous();
    return {m_convolution.last(context, at::upsample_nearest2d(x, size))};
}

} // namespace homebooth::core
