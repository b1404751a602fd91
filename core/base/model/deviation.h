// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What was unusual in a model and how it was met: sentences in English that can be read back as a code with
// its arguments, for whoever says them in another language. Pure functions; any thread.
#pragma once

#include <string>
#include <string_view>

namespace homebooth::core {

enum class DeviationKind {
    IndexMissing,      ///< first: the pipeline that was assumed
    FolderMissing,     ///< first: the part
    SchedulerMissing,  ///< first: the prediction type that was taken
    TokenizerMissing,  ///< first: the folder, "tokenizer_2"
    VocabularyMissing, ///< first: likewise
    WeightsMissing,    ///< first: the part
    Variant,           ///< first: the part; second: the variant, "fp16"
    PredictionUnknown,
    PredictionReplaced,   ///< first: what the model says, "epsilon"; second: what was asked for
    AdapterConfigMissing, ///< of a LoRA
    EmaIgnored,           ///< first: "686 tensors"
    UnusedIgnored,        ///< first: as above
    UnknownIgnored,       ///< first: as above; second: one of their names
    ZerosFound,           ///< of an add-on; first: the tensor in or with which they begin
    Other                 ///< a sentence that is not of this list
};

/// The code of a warning that has PredictionReplaced in words.
constexpr const char* kPredictionAsAsked = "prediction-as-asked";

struct Deviation {
    DeviationKind kind = DeviationKind::Other;
    std::string first;
    std::string second;
};

/// The sentence.
[[nodiscard]] std::string deviationText(DeviationKind kind, std::string_view first = {},
                                        std::string_view second = {});

/// What such a sentence says.
[[nodiscard]] Deviation readDeviation(std::string_view text);

} // namespace homebooth::core
