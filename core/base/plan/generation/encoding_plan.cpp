// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/plan/generation/encoding_plan.h"

#include <algorithm>

namespace homebooth::core {
namespace {

constexpr const char* kEncodingBytes = "encodingBytes";

} // namespace

EncodingWish encodingWish(const TrainConfig& config, bool gpu, bool many) {
    const EncodeTime when = config.data.encode;
    if (config.mode == TrainMode::DreamBooth || config.mode == TrainMode::Language)
        return EncodingWish::First;
    if (when == EncodeTime::Ahead) return EncodingWish::WhateverElse;
    // Where memory is short or a GPU's, encoding beside steps has not been tried enough to happen by
    // itself.
    const MemoryConfig& memory = config.memory;
    const bool plenty =
        !gpu && memory.deviceBytes == 0 && memory.swapDir.empty() && memory.policy != PlacementPolicy::Cpu;
    return when == EncodeTime::Auto && many && plenty ? EncodingWish::WhereItFits : EncodingWish::First;
}

PlanDecision aboutEncoding(int64_t besideBytes, EncodingWish wish) {
    const std::map<std::string, double> facts{{kEncodingBytes, static_cast<double>(besideBytes)}};
    if (besideBytes == 0 && wish == EncodingWish::WhateverElse)
        return {
            "encoding: pictures and captions are all encoded before the first step, though --encode ahead "
            "is set: there is no memory to do so beside the steps",
            kEncodeFirst, facts};
    return {besideBytes > 0 ? "encoding: beside the steps" : "encoding: before the first step", kEncodeBeside,
            facts};
}

std::optional<int64_t> takeEncoding(std::vector<PlanDecision>& decisions) {
    const auto found = std::find_if(decisions.begin(), decisions.end(), [](const PlanDecision& one) {
        return one.code == kEncodeBeside || one.code == kEncodeFirst;
    });
    if (found == decisions.end()) return std::nullopt;
    const auto bytes = found->facts.find(kEncodingBytes);
    if (bytes == found->facts.end()) return std::nullopt;
    const auto besideBytes = static_cast<int64_t>(bytes->second);
    if (found->code == kEncodeBeside) decisions.erase(found);
    return besideBytes;
}

} // namespace homebooth::core
