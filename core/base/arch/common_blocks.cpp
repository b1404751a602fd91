// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/arch/common_blocks.h"

#include "core/base/arch/block_builder.h"

namespace homebooth::core {

BlockSpec resnetBlock(const std::string& name, const ResnetOptions& options) {
    BlockBuilder block("resnet", name);
    block.attribute("groups", static_cast<double>(options.groups))
        .attribute("epsilon", options.epsilon)
        .attribute("outputScale", options.outputScale)
        .attribute("joinsSkip", options.joinsSkip)
        .attribute("scaleShift", options.scaleShift)
        .label("activation", options.activation);
    block.norm("norm1", options.in).convolution("conv1", options.in, options.out, 3);
    if (options.timeChannels > 0)
        block.linear("time_emb_proj", options.timeChannels, options.out * (options.scaleShift ? 2 : 1));
    block.norm("norm2", options.out).convolution("conv2", options.out, options.out, 3);
    if (options.in != options.out) block.convolution("conv_shortcut", options.in, options.out, 1);
    return block.take();
}

BlockSpec convolutionBlock(const std::string& name, int64_t in, int64_t out, int64_t kernel) {
    // The key of the convolution is split so that the block's name is a true prefix.
    const size_t dot = name.rfind('.');
    const std::string prefix = dot == std::string::npos ? "" : name.substr(0, dot);
    const std::string relative = dot == std::string::npos ? name : name.substr(dot + 1);
    return BlockBuilder("conv", prefix)
        .label("convolution", relative)
        .attribute("padding", static_cast<double>((kernel - 1) / 2))
        .convolution(relative, in, out, kernel)
        .take();
}

BlockSpec downsampleBlock(const std::string& name, int64_t channels, int64_t padding) {
    return BlockBuilder("downsample", name)
        .attribute("padding", static_cast<double>(padding))
        .convolution("conv", channels, channels, 3)
        .take();
}

BlockSpec upsampleBlock(const std::string& name, int64_t channels, bool sizeFromInput) {
    return BlockBuilder("upsample", name)
        .attribute("sizeFromInput", sizeFromInput)
        .convolution("conv", channels, channels, 3)
        .take();
}

BlockSpec headBlock(const std::string& prefix, int64_t in, int64_t out, int64_t kernel, int64_t groups,
                    double epsilon, const std::string& activation) {
    return BlockBuilder("head", prefix)
        .attribute("groups", static_cast<double>(groups))
        .attribute("epsilon", epsilon)
        .attribute("padding", static_cast<double>((kernel - 1) / 2))
        .label("activation", activation)
        .norm("conv_norm_out", in)
        .convolution("conv_out", in, out, kernel)
        .take();
}

} // namespace homebooth::core
