// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/model/deviation.h"

#include <array>
#include <optional>

namespace homebooth::core {
namespace {

/// What stands before, between and behind the arguments.
struct Sentence {
    DeviationKind kind;
    std::string_view before;
    std::string_view between; ///< empty: there is one argument at most
    std::string_view behind;  ///< both empty: there is none
};

constexpr std::array kSentences{
    Sentence{DeviationKind::IndexMissing, "model_index.json is missing; a ", "", " was assumed"},
    Sentence{DeviationKind::FolderMissing, "", "", " is named in model_index.json but its folder is missing"},
    Sentence{DeviationKind::SchedulerMissing,
             "scheduler_config.json is missing; Stable Diffusion's usual one with ", "", " was taken"},
    Sentence{DeviationKind::TokenizerMissing, "there is no ", "",
             " folder; CLIP's published vocabulary is meant"},
    Sentence{DeviationKind::VocabularyMissing, "the ", "",
             " folder has no vocabulary; CLIP's published one is meant"},
    Sentence{DeviationKind::WeightsMissing, "the ", "", " has no weights"},
    Sentence{DeviationKind::Variant, "the ", "'s ", " variant was taken"},
    Sentence{DeviationKind::PredictionUnknown,
             "the file does not say whether it predicts noise or v; v_prediction was assumed (grey noise in "
             "pictures means that it is epsilon)",
             "", ""},
    Sentence{DeviationKind::PredictionReplaced, "the model says that it predicts ", "; ",
             " was taken, as was asked for"},
    Sentence{DeviationKind::AdapterConfigMissing,
             "adapter_config.json is missing beside the LoRA; its alpha was taken to be its rank", "", ""},
    Sentence{DeviationKind::EmaIgnored, "EMA weights were ignored (", "", ")"},
    Sentence{DeviationKind::UnusedIgnored, "buffers and layers that are not used were ignored (", "", ")"},
    Sentence{DeviationKind::UnknownIgnored, "unknown parts were ignored (", ", such as ", ")"},
    Sentence{DeviationKind::ZerosFound, "there is nothing but zeros from \"", "",
             "\" on: blocks that were switched off, or a download that did not end"},
};

std::optional<Deviation> readAs(const Sentence& sentence, std::string_view text) {
    if (!text.starts_with(sentence.before)) return std::nullopt;
    text.remove_prefix(sentence.before.size());
    if (sentence.behind.empty() && !text.empty()) return std::nullopt;
    if (!text.ends_with(sentence.behind)) return std::nullopt;
    text.remove_suffix(sentence.behind.size());
    if (sentence.between.empty()) return Deviation{sentence.kind, std::string(text), ""};
    const size_t at = text.find(sentence.between);
    if (at == std::string_view::npos) return std::nullopt;
    return Deviation{sentence.kind, std::string(text.substr(0, at)),
                     std::string(text.substr(at + sentence.between.size()))};
}

} // namespace

std::string deviationText(DeviationKind kind, std::string_view first, std::string_view second) {
    for (const Sentence& sentence : kSentences) {
        if (sentence.kind != kind) continue;
        std::string text(sentence.before);
        if (sentence.behind.empty()) return text; // it has no arguments
        text.append(first).append(sentence.between);
        if (!sentence.between.empty()) text.append(second);
        return text.append(sentence.behind);
    }
    return std::string(first);
}

Deviation readDeviation(std::string_view text) {
    for (const Sentence& sentence : kSentences)
        if (auto found = readAs(sentence, text)) return *std::move(found);
    return {};
}

} // namespace homebooth::core
