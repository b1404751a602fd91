// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Saved moments of language models, as what texts can be written with. Stateless; any thread.
#pragma once

#include "core/base/model/saved_moment.h"

namespace homebooth::core {

/// Writes a moment as a run's result is written: a folder for transformers, of a LoRA one for PEFT. What does
/// not learn, and lies beside the weights, is that of the run's result or, before there is one, of the model
/// that the run began with. `path` must not exist.
/// @param options  without a type: the one that was trained in, of a LoRA fp32
/// Errors: as writeLanguageFolder; BadInput where the weights are gone, do not fit, or are not those that
/// were
///         saved; where that other model cannot be read
[[nodiscard]] Result<WriteOutcome> writeLanguageMoment(const SavedMoment& moment, const std::string& path,
                                                       const WriteOptions& options = {});

} // namespace homebooth::core
