// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/schedule/adapters.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace homebooth::core {
namespace {

/// Ends of module names that always get an adapter.
constexpr std::array<std::string_view, 21> kModules = {
    "to_q",     "to_k",   "to_v",   "to_out.0", "ff.net.0.proj", "ff.net.2",      "proj_in",
    "proj_out", "fc1",    "q_proj", "k_proj",   "v_proj",        "out_proj",      "fc2",
    "c_attn",   "c_proj", "c_fc",   "dense",    "dense_h_to_4h", "dense_4h_to_h", "query_key_value"};

/// Those that get one with AdapterOptions::convolutions.
constexpr std::array<std::string_view, 4> kConvolutionModules = {"conv1", "conv2", "conv_shortcut",
                                                                 "time_emb_proj"};

/// Whether `module` ends with the whole name components of `ending`.
bool endsWithModule(std::string_view module, std::string_view ending) {
    if (!module.ends_with(ending)) return false;
    return module.size() == ending.size() || module[module.size() - ending.size() - 1] == '.';
}

/// "....downsamplers.0.conv" or "....upsamplers.0.conv"
bool isSamplerConvolution(std::string_view module) {
    if (!endsWithModule(module, "conv")) return false;
    return module.find("downsamplers.") != std::string_view::npos ||
           module.find("upsamplers.") != std::string_view::npos;
}

bool isTarget(std::string_view module, const AdapterOptions& options) {
    const auto matches = [&](std::string_view ending) { return endsWithModule(module, ending); };
    if (std::any_of(kModules.begin(), kModules.end(), matches)) return true;
    if (!options.convolutions) return false;
    return isSamplerConvolution(module) ||
           std::any_of(kConvolutionModules.begin(), kConvolutionModules.end(), matches);
}

ParameterSpec lowRank(std::string name, std::vector<int64_t> shape, Initialisation initialisation,
                      double scale) {
    ParameterSpec parameter;
    parameter.name = std::move(name);
    parameter.shape = std::move(shape);
    parameter.initialisation = initialisation;
    parameter.initialisationScale = scale;
    parameter.trainable = true;
    parameter.storage = StorageType::Float32;
    return parameter;
}

/// Adds down [rank, in(, kh, kw)] and up [out, rank(, 1, 1)] for the weight with this index.
void attach(BlockSpec& block, int weight, const std::string& module, const AdapterOptions& options) {
    const std::vector<int64_t> shape = block.parameters[weight].shape;
    std::vector<int64_t> down = shape;
    down[0] = options.rank;
    std::vector<int64_t> up(shape.size(), 1);
    up[0] = shape[0];
    up[1] = options.rank;
    double fanIn = 1.0;
    for (size_t i = 1; i < shape.size(); ++i) fanIn *= static_cast<double>(shape[i]);

    AdapterSpec adapter;
    adapter.weight = weight;
    adapter.down = static_cast<int>(block.parameters.size());
    adapter.up = adapter.down + 1;
    adapter.scale = options.alpha / static_cast<double>(options.rank);
    adapter.dropout = options.dropout;
    block.parameters.push_back(
        lowRank(module + std::string(kAdapterDown), std::move(down), Initialisation::KaimingUniform, fanIn));
    block.parameters.push_back(
        lowRank(module + std::string(kAdapterUp), std::move(up), Initialisation::Zeros, 0.0));
    block.adapters.push_back(adapter);
}

int64_t attachToBlock(BlockSpec& block, const AdapterOptions& options) {
    const int count = static_cast<int>(block.parameters.size());
    const size_t before = block.adapters.size();
    for (int i = 0; i < count; ++i) {
        const ParameterSpec& parameter = block.parameters[i];
        const size_t dimensions = parameter.shape.size();
        if (!parameter.name.ends_with(kWeightSuffix) || (dimensions != 2 && dimensions != 4)) continue;
        const std::string module = parameter.name.substr(0, parameter.name.size() - kWeightSuffix.size());
        if (isTarget(module, options)) attach(block, i, module, options);
    }
    return static_cast<int64_t>(block.adapters.size() - before);
}

} // namespace

Result<int64_t> attachAdapters(Schedule& schedule, const AdapterOptions& options) {
    if (options.rank < 1)
        return badInput("attaching LoRA adapters: the rank must be 1 or more, found " +
                        std::to_string(options.rank));
    if (options.dropout < 0.0 || options.dropout >= 1.0)
        return badInput("attaching LoRA adapters: the dropout must be 0 or more and below 1, found " +
                        std::to_string(options.dropout));
    for (const BlockSpec& block : schedule.blocks())
        if (!block.adapters.empty())
            return badInput("attaching LoRA adapters: the model has adapters already; attach them once",
                            block.name);
    setTrainable(schedule, false);
    int64_t attached = 0;
    for (BlockSpec& block : schedule.blocks()) attached += attachToBlock(block, options);
    if (attached == 0)
        return badInput("attaching LoRA adapters: expected attention or feed-forward weights, found none; "
                        "train this model with --method full");
    return attached;
}

void setTrainable(Schedule& schedule, bool trainable) {
    for (BlockSpec& block : schedule.blocks())
        for (ParameterSpec& parameter : block.parameters) parameter.trainable = trainable;
}

} // namespace homebooth::core
