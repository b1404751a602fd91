// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What was asked of a training and changes nothing.
#include "core/cli/train/idle_settings.h"
#include "core/cli/train/train_request.h"

namespace homebooth::core {

/// A run that goes on has its settings already, whatever is named of them.
Result<std::vector<WarningEvent>> TrainRequest::idleOnes(TrainConfig config) const {
    std::vector<WarningEvent> warnings;
    if (!m_keepsAll) {
        NamedOptions named = m_options.namedOf(configFields(config));
        if (!m_card.pictures.empty()) named.emplace_back("--pictures");
        HOMEBOOTH_ASSIGN(const std::vector<std::string> told, idleSettings(config, named));
        for (const std::string& text : told) warnings.push_back({kIdleOption, text});
    }
    const bool captions = config.mode == TrainMode::Dataset || config.mode == TrainMode::FromScratch;
    const bool triggers = config.method == TrainMethod::Lora; // the LoRA tells other programs that phrase
    if (!m_keepsAll && captions && !triggers && config.scratch.component != "vae" &&
        m_options.named("data.instancePrompt"))
        warnings.push_back({"prompt-not-learned",
                            "--prompt is not learned: of a data set captions are learned; it names the "
                            "result, and previews show it"});
    if (const std::optional<std::string> stage = idleStage())
        warnings.push_back({"nothing-to-share", *stage});
    return warnings;
}

/// What is asked for of several processes where there is one. A run that several have begun may go on so
/// without a word, and a table of more cards has a use for it.
std::optional<std::string> TrainRequest::idleStage() const {
    const ParallelConfig& parallel = m_config.parallel;
    const bool asked = m_options.named("parallel.zero") || !m_keepsAll;
    if (!asked || m_card.scaling || parallel.zero == 0 || parallel.processes > 1) return std::nullopt;
    return "--zero " + std::to_string(parallel.zero) +
           " has no effect: of one process there is nothing to share; add --processes, or leave --zero out";
}

} // namespace homebooth::core
