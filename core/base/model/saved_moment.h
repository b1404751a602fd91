// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Saved moments: checkpoints of trainings, as what pictures can be made with, or texts (language_moment.h).
// Their weights are those that the previews of that step were made with: moving averages where the run keeps
// them, part by part. A checkpoint holds what learns, under the engine's own names; what a whole model has
// beside that, and how strong a LoRA is, stands in the run that it is of. Stateless; any thread.
#pragma once

#include "core/base/config/train_config.h"
#include "core/base/model/lora/lora_file.h"
#include "core/base/model/mapped_source.h"

#include <string>
#include <vector>

namespace homebooth::core {

constexpr const char* kLanguageWeights = "language"; ///< the part that a language model is

struct SavedMoment {
    std::string folder; ///< of the checkpoint
    std::string runDir; ///< of its run
    TrainConfig config; ///< of the run

    [[nodiscard]] bool isLora() const { return config.method == TrainMethod::Lora; }
    [[nodiscard]] bool isLanguage() const { return config.mode == TrainMode::Language; }
};

/// Whether a folder is a checkpoint's: it has a manifest, and nothing that makes a model of it.
[[nodiscard]] bool isSavedMoment(const std::string& path);

/// Finds the run of a checkpoint: two folders above, or, where checkpoints lie elsewhere, by what lies
/// beside it (checkpoint_places.h).
/// Errors: BadInput for what is no checkpoint, or one of an autoencoder; where its run is not found, or
///         cannot be read
[[nodiscard]] Result<SavedMoment> openSavedMoment(const std::string& folder);

/// The file with the weights of a part. Empty: the checkpoint has none. @param part  "unet", "text_encoder",
/// kLanguageWeights
[[nodiscard]] std::string momentWeights(const std::string& folder, const std::string& part);

/// Whether what is read of a checkpoint is what was saved: a changed byte would give a wrong result in
/// silence. Errors: BadInput, with what to do
[[nodiscard]] Result<void> checkMomentWeights(const std::string& folder);

/// Adds the tensors of a part, averages under the names of what they are of. @param prefix  of their names
[[nodiscard]] Result<void> addMomentTensors(const std::string& folder, const std::string& part,
                                            const std::string& prefix, std::vector<MappedTensor>& tensors);

/// Whether a checkpoint's weights are averages, at least of one part.
[[nodiscard]] bool momentHasAverages(const std::string& folder);

/// Writes a LoRA run's moment as a LoRA with its strength, as writeLora does.
/// @param base  the model that the run began with; what it is stands in the file. One that cannot be opened
///              is gone without, by the shapes of what learns
/// Errors: as writeLora; BadInput where the weights are gone, or are not those that were saved, and for
///         a language model's
[[nodiscard]] Result<WriteOutcome> writeMomentLora(const SavedMoment& moment, const std::string& base,
                                                   const std::string& path, LoraFormat format,
                                                   const WriteOptions& options = {},
                                                   const OpenOptions& open = {});

/// Whether what writeMomentLora has written has averages in it.
[[nodiscard]] bool isLoraOfAverages(const std::string& path);

/// The model of a moment. What did not learn is that of the run's result or, before there is one, of the
/// model that the run began with. It predicts what the run was told, unless `options` say another thing.
/// Errors: BadInput where the weights are gone, do not fit, or are not those that were saved, and for a
///         language model's; as openModel of the other one
[[nodiscard]] Result<ModelSource> openMomentModel(const SavedMoment& moment, const OpenOptions& options = {});

/// Lets a model that is made of a moment say what it is (describeResult).
void describeMoment(const SavedMoment& moment, ModelSource& model, WriteOptions& options);

/// What somebody may take a moment for.
enum class TakenFor { Model, PictureLora, LanguageLora };

/// Refuses a checkpoint and each file of one where a LoRA or a model is expected, and says what makes one of
/// it: a single file tells neither its strength nor what else has learned.
/// @param path  anything
[[nodiscard]] Result<void> expectNoMoment(const std::string& path, TakenFor expected);

} // namespace homebooth::core
