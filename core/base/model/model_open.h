// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The two ways into openModel and what they share. Private to core/base/model. Stateless; any thread.
#pragma once

#include "core/base/model/component_match.h"
#include "core/base/model/model_source.h"

namespace homebooth::core {

[[nodiscard]] Result<ModelSource> openDiffusersFolder(const std::string& path, const OpenOptions& options);
[[nodiscard]] Result<ModelSource> openSingleFile(const std::string& path, const OpenOptions& options);

/// The Error for what is no model of a family that can be used.
/// @param found  in words, and what to do: "a VAE alone; choose the file of the whole model"
[[nodiscard]] Error otherModelError(std::string_view found, const std::string& path);
constexpr const char* kRefinerWords =
    "SDXL's refiner, which only goes on with pictures of the base model; choose the base model";

constexpr const char* kConsistencyWords =
    "a model that was distilled to few steps and is told the guidance scale (LCM), which is not supported; "
    "choose the model that it was made from";

/// In what is said of a part of a folder that is not there.
constexpr const char* kPartMissingWords = "; copy or download the whole model";

/// Takes what a model predicts: what was asked for, else what its files say. Notes where the two differ.
void takePrediction(PredictionType written, const OpenOptions& options, ModelSource& model);

/// Has the model's scheduler say what the model predicts. Errors: BadInput for one that cannot be read
[[nodiscard]] Result<void> putPrediction(ModelSource& model);

/// Has the model's scheduler leave nothing of a picture at the last timestep.
/// Errors: BadInput for a model that does not predict v, or a scheduler that cannot be read
[[nodiscard]] Result<void> putZeroTerminalSnr(ModelSource& model);

/// The class of diffusers that runs such models.
[[nodiscard]] const char* pipelineName(const ModelSource& model);

/// Refuses what this program cannot compute although its parts can be read: inpainting, parts of different
/// models, text encoders that are too small.
[[nodiscard]] Result<void> checkSupported(const ModelSource& model);

/// Refuses configurations of absurd size before they are laid out, block by block, in memory.
[[nodiscard]] Result<void> checkPlausible(const ModelSource& model);

/// Tensors without numbers by which other programs know a single file of an SDXL that predicts v, and of one
/// whose noise leaves nothing of the picture at the end.
constexpr const char* kXlVKey = "v_pred";
constexpr const char* kXlZeroSignalKey = "ztsnr";

/// Metadata keys under which Homebooth's single files keep what the layout does not say.
constexpr const char* kUnetConfigKey = "homebooth.unet_config";
constexpr const char* kVaeConfigKey = "homebooth.vae_config";
constexpr const char* kTextEncoderConfigKey = "homebooth.text_encoder_config";
constexpr const char* kSecondTextEncoderConfigKey = "homebooth.text_encoder_2_config";
constexpr const char* kSchedulerConfigKey = "homebooth.scheduler_config";
constexpr const char* kTokenizerKeyPrefix = "homebooth.tokenizer/";
constexpr const char* kSecondTokenizerKeyPrefix = "homebooth.tokenizer_2/";
/// Small files that lie beside a model's folders, by name: goesAlong.
constexpr const char* kAlongKeyPrefix = "homebooth.file/";
/// "false" where the model wants an empty negative prompt to be encoded like any other.
constexpr const char* kZeroEmptyPromptKey = "homebooth.zero_empty_prompt";

} // namespace homebooth::core
