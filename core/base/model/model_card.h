// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What a model that a training made says of itself: its card, README.md as the Hugging Face Hub has it, and
// in headers the words that call what was learned. Free functions; any thread.
//
// Invariant: facts of the training alone, no path, no time: the same training has the same bytes everywhere.
#pragma once

#include "core/base/model/training_notes.h"

namespace homebooth::core {

/// The name of the licence in a header.
constexpr const char* kLicenceKey = "modelspec.license";
/// A page with its text, or empty, of a licence that has a name of its own. Goes into no file but as a part
/// of a card.
constexpr const char* kLicenceLinkKey = "homebooth.license_link";

/// Notes the licence that the model's README.md names in its metadata, unless a header has named one. What is
/// learned from a model that may not be sold may not be, either. A README.md that cannot be read names none.
void noteLicence(ModelSource& model);

struct TrainingFacts {
    std::string base;      ///< name of the model to start from; empty: none, all was learned
    std::string trigger;   ///< triggerOf; may be empty
    bool ofPhotos = false; ///< of a subject
    int64_t steps = 0;
    int64_t resolutionPixels = 0;
};

/// @param captions  that were learned. @param steps  so far
[[nodiscard]] TrainingFacts trainingFacts(const TrainConfig& config, const CaptionCounts& captions,
                                          int64_t steps);

/// The text of the card. @param model  that was learned from: its family and its licence count
[[nodiscard]] std::string modelCard(const ModelSource& model, const TrainingFacts& facts);

/// Lets a result say what it is, in both forms. A card that it has goes: it is of another model.
/// @param options  of its writing. Words and licence in them stay
void describeResult(const TrainingFacts& facts, ModelSource& result, WriteOptions& options);

} // namespace homebooth::core
