// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What a file or folder is, in a few facts, without reading weights unless asked. Plain values; any thread.
#pragma once

#include "core/base/formats/file_kind.h"
#include "core/base/model/configs/language_config.h"
#include "core/base/model/lora/lora_file.h"
#include "core/base/model/value_check.h"

namespace homebooth::core {

enum class InspectedKind {
    Model,         ///< opens as a Stable Diffusion
    Lora,          ///< opens as a LoRA
    Embedding,     ///< textual inversion
    Tensors,       ///< a file of other tensors, or a model that cannot be used
    Run,           ///< a folder with run.json
    File,          ///< a file of another kind
    Folder,        ///< a folder of something else
    LanguageModel, ///< a folder of OPT, GPT-2 or BLOOM, or of another family with a problem
    PeftLora       ///< a folder with a LoRA as PEFT has it, which a language model may take
};

/// Why something cannot be used here, for whoever says it in another language.
enum class ModelFault {
    None,
    Gone,          ///< nothing of that name, or it cannot be looked at
    Incomplete,    ///< the file is shorter than it says, or empty
    Damaged,       ///< what it says of itself is not understood
    Commands,      ///< a pickle that holds commands besides weights
    NotDownloaded, ///< a page or a pointer in place of the model
    PartsMissing,  ///< a folder without some of the model's parts or their weights
    OtherModel,    ///< no whole model of a family that can be used
    OtherNumbers,  ///< weights in fp8, or of another type that is not read
    LanguageModel, ///< not of inspectPath: it is whole, but for the command line alone
    AddOn,         ///< a LoRA of another kind, or half of one
    NotNumbers,    ///< weights that are NaN or infinite
    NotAModel      ///< something else
};

/// Its key in `Inspection::toJson`, such as "incomplete"; empty for none.
[[nodiscard]] std::string_view modelFaultKey(ModelFault fault);

struct InspectedComponent {
    std::string name; ///< "unet", "vae", "text_encoder", "text_encoder_2", "language_model", else "tensors"
    int64_t parameters = 0;
    int64_t bytes = 0;
    std::string types; ///< "F16", or "BF16, F32"
};

struct Inspection {
    std::string path;
    InspectedKind kind = InspectedKind::File;
    FileKind fileKind = FileKind::Unknown; ///< of files
    int64_t bytes = 0;                     ///< on disk, of the file or of all files in the folder
    std::string problem;                   ///< why it cannot be used here; empty: it can
    ModelFault fault = ModelFault::None;   ///< the same as a code; None where `problem` is empty

    std::optional<ModelFamily> family;
    std::string layout; ///< "diffusers folder", "single file", "kohya", "diffusers", "PEFT folder"
    std::vector<InspectedComponent> components;
    std::string predictionType; ///< empty: does not apply or is not known
    bool predictionTypeKnown = true;
    bool predictionTypeSaid = true; ///< else it is merely what nearly all models of the family predict
    int64_t sidePixels = 0;         ///< of the pictures of a model; 0: none, or not known

    std::optional<LanguageConfig> language; ///< of language models of a family that is known

    int64_t rank = 0; ///< of LoRAs: the greatest
    double alpha = 0.0;
    size_t modules = 0;
    std::vector<std::string> targets; ///< of PEFT's: ends of modules' names, or one pattern
    std::string baseModel;            ///< of PEFT's: as its author named it; may be empty
    std::string triggerPhrase;
    int64_t vectors = 0; ///< of embeddings
    int64_t width = 0;
    int64_t secondWidth = 0;        ///< of SDXL's, for its second text encoder
    std::vector<std::string> words; ///< by which prompts name an embedding

    bool valuesChecked = false; ///< whether every number was looked at
    std::vector<ValueFault> valueFaults;

    std::map<std::string, std::string> metadata;
    std::vector<std::string> warnings;

    /// One JSON object with these facts.
    [[nodiscard]] std::string toJson() const;
    /// A few lines for a person.
    [[nodiscard]] std::string toText() const;
};

/// @param values  also read all weights and look for NaN, infinity and zeros where a download ended;
///                at the end of files these are looked for in any case
/// Errors: BadInput only if `path` does not exist or cannot be looked at; everything else is described.
[[nodiscard]] Result<Inspection> inspectPath(const std::string& path, bool values = false);

} // namespace homebooth::core
