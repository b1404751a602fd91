// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// A model on disk, whatever its layout, as configurations and tensors under the names of diffusers and
// transformers: a Stable Diffusion, or a language model. Opening reads headers and small files only; weights
// come by TensorSource. Value type; the sources in it keep their files open and are shared. Any thread.
// What goes along into saved results is only noted, since most who open a model save none, and may be what
// cannot be read; keepAlong reads it.
//
// Invariants of an opened model:
//   1. Each source holds exactly the parameters of its schedule (core/base/arch), with those shapes, and
//      nothing else. Element types are the file's.
//   2. Text encoder names begin with "text_model.", whatever the file's do; that of the second one's
//      projection is "text_projection.weight".
//   3. There is a second text encoder if and only if the UNet takes pooled text (SDXL).
//   4. Of a language model there are path, layout, language, deviations, and nothing else.
#pragma once

#include "core/base/files/kept_file.h"
#include "core/base/formats/tensor_source.h"
#include "core/base/model/language/language_folder.h"
#include "core/base/model/left_aside.h"
#include "core/base/model/model_family.h"

namespace homebooth::core {

enum class ModelLayout { DiffusersFolder, SingleFile };

/// An entry of model_index.json that is not computed here but goes into saved results: safety checker,
/// feature extractor, image encoder.
struct CarriedComponent {
    std::string name;      ///< key and folder
    std::string library;   ///< "transformers"; empty for [null, null]
    std::string className; ///< "CLIPImageProcessor"; empty for [null, null]
    KeptFiles files;       ///< by name; none: it is written as [null, null]
};

/// A text encoder and the tokenizer that belongs to it.
struct TextPart {
    ClipConfig config;
    std::string json; ///< config.json as the folder has it, or one that says the same
    std::shared_ptr<const TensorSource> tensors;
    /// Folder with vocab.json and merges.txt; empty for single files.
    std::string tokenizerFolder;
    /// Name to content of the tokenizer's files, from the folder or from the metadata of a single file that
    /// Homebooth wrote. Empty: the published CLIP vocabulary is meant.
    std::map<std::string, std::string> tokenizerFiles;
};

struct ModelSource {
    std::string path;
    ModelLayout layout = ModelLayout::DiffusersFolder;
    ModelFamily family = ModelFamily::Other;

    UNetConfig unet;
    VaeConfig vae;
    std::string unetJson; ///< config.json as the folder has it, or one that says the same
    std::string vaeJson;
    std::string schedulerJson; ///< text of scheduler_config.json

    PredictionType predictionType = PredictionType::Epsilon;
    /// False where the file does not say it (SD 2.x single files) and v_prediction or epsilon was assumed:
    /// the user should be asked. Also named in `deviations`.
    bool predictionTypeKnown = true;
    /// False where no file says it and what nearly all models of the family predict was taken, too: SDXL and
    /// SD 1.x of another kind look the same. Nobody is asked, and whoever says it is right.
    bool predictionTypeSaid = true;

    std::shared_ptr<const TensorSource> unetTensors;
    std::shared_ptr<const TensorSource> vaeTensors; ///< encoder and decoder

    TextPart text;
    /// The second of SDXL, which also says something of a text as a whole.
    std::optional<TextPart> secondText;
    /// What diffusers' pipelines give the UNet for a negative prompt that nobody wrote: zeros instead of what
    /// the text encoders make of an empty text (force_zeros_for_empty_prompt). Captions that training drops
    /// are the same.
    bool zeroEmptyPrompt = false;

    /// The one or two of them, in order.
    [[nodiscard]] std::vector<const TextPart*> textParts() const;

    std::optional<LanguagePart> language;

    std::vector<CarriedComponent> carried;
    KeptFiles licenceFiles; ///< LICENSE*, NOTICE*, training_defaults.json: saved along
    /// Why not all that goes along was found; who saves the model is told.
    std::optional<Error> alongFault;
    LeftAside leftAside;                         ///< what lies beside that and shall not go along
    std::map<std::string, std::string> metadata; ///< of a single file
    /// What was unusual and how it was met, in words: "EMA weights were ignored (686 tensors)".
    std::vector<std::string> deviations;
};

struct OpenOptions {
    /// Takes configurations without weights: those sources are then null, and deviations say so.
    bool weightsOptional = false;
    /// Counts whatever the files say; deviations name what they say where that is another.
    std::optional<PredictionType> predictionType;
    /// The last timestep leaves nothing of a picture, whatever the files say: of models that predict v.
    bool zeroTerminalSnr = false;
};

/// Opens a diffusers folder, a single .safetensors file in CompVis layout, or a language model's folder.
/// Errors: BadInput: what was expected where, what was found (missing, extra and wrong-shaped tensors by
///         name), and what to do
[[nodiscard]] Result<ModelSource> openModel(const std::string& path, const OpenOptions& options = {});

/// Likewise, what makes pictures. Errors: also BadInput for a language model, naming what takes it
[[nodiscard]] Result<ModelSource> openPictureModel(const std::string& path, const OpenOptions& options = {});

/// Reads what goes along into saved results, so that they are whole though the model's folder is gone when
/// they are written: a training that saves the model begins with it.
/// Errors: BadInput, naming what cannot be read or listed and what to do
[[nodiscard]] Result<void> keepAlong(ModelSource& model);

} // namespace homebooth::core
