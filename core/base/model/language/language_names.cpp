// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/model/language/language_names.h"

#include "core/base/arch/language_layout.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace homebooth::core {

ComponentLayout languageLayout(const LanguageConfig& config) {
    ComponentLayout layout;
    const Schedule schedule = languageSchedule(config, /*contextLength=*/1);
    for (const BlockSpec& block : schedule.blocks())
        for (const ParameterSpec& spec : block.parameters) layout.push_back({spec.name, spec.shape});
    return layout;
}

bool isTurnedInFiles(const std::string& name, LanguageFamily family) {
    constexpr std::array<std::string_view, 3> kTurned{".c_attn.weight", ".c_proj.weight", ".c_fc.weight"};
    return family == LanguageFamily::Gpt2 &&
           std::any_of(kTurned.begin(), kTurned.end(),
                       [&](std::string_view ending) { return name.ends_with(ending); });
}

std::vector<CompVisTensor> languageNames(const LayoutEntry& entry, LanguageFamily family) {
    const std::string_view prefix = family == LanguageFamily::Opt ? "model." : "transformer.";
    CompVisTensor place{entry.name, entry.shape};
    if (isTurnedInFiles(entry.name, family)) {
        std::reverse(place.shape.begin(), place.shape.end());
        place.change = TensorChange::Transposed;
    }
    std::vector<CompVisTensor> places{place};
    if (entry.name.starts_with(prefix)) {
        place.name = entry.name.substr(prefix.size());
        places.push_back(place);
    }
    return places;
}

bool isIgnoredTensor(const std::string& name, const LanguageConfig& config) {
    if (name == kHeadName) return config.tiedHead;
    if (config.family == LanguageFamily::Opt) return name.ends_with("decoder.version");
    return config.family == LanguageFamily::Gpt2 &&
           (name.ends_with(".attn.bias") || name.ends_with(".attn.masked_bias"));
}

} // namespace homebooth::core
