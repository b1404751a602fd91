// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// LoRA files of SD 1.x, 2.x and SDXL: read in every common form, written as kohya or diffusers (PEFT) files.
// A LoraFile keeps its file open and is shared; any thread.
#pragma once

#include "core/base/formats/tensor_source.h"
#include "core/base/model/lora/lora_names.h"
#include "core/base/model/model_family.h"
#include "core/base/model/model_writer.h"

namespace homebooth::core {

/// One adapter: y += alpha / rank * up(down(x)).
struct LoraModule {
    LoraModuleName name;
    int64_t rank = 0;
    double alpha = 0.0;             ///< equal to the rank where the file gives none
    std::string downTensor;         ///< name in the source
    std::string upTensor;           ///< name in the source
    std::vector<int64_t> downShape; ///< [rank, in] or [rank, in, kh, kw]
    std::vector<int64_t> upShape;   ///< [out, rank] or [out, rank, 1, 1]
};

struct LoraFile {
    std::string path;
    LoraFormat format = LoraFormat::Kohya;
    NameOrigin origin = NameOrigin::Unsaid; ///< of its tensors' names
    /// What it was made for, by its names, else the width of the text that it reads, else its metadata.
    std::optional<ModelFamily> family;
    std::shared_ptr<const TensorSource> tensors;
    std::vector<LoraModule> modules; ///< sorted by name
    std::map<std::string, std::string> metadata;
    std::vector<std::string> deviations; ///< what was ignored, in words
};

/// Opens a LoRA and checks that every adapter is whole and its shapes fit each other. Names of SDXL are taken
/// for those of the released model.
/// Errors: BadInput: not a LoRA, an incomplete adapter, another kind of model's names, DoRA, a file of a
/// saved
///         moment (saved_moment.h)
[[nodiscard]] Result<LoraFile> openLora(const std::string& path);

/// The same for use with a model, whose blocks may be others; see also checkLoraFits.
[[nodiscard]] Result<LoraFile> openLora(const std::string& path, const ModelSource& model);

/// The family by the width of the text that the UNet's cross-attention takes; Other for one that none has.
/// Nothing where no module says it.
[[nodiscard]] std::optional<ModelFamily> familyByWidth(const std::vector<LoraModule>& modules);

/// Checks that the LoRA is of the model's kind and that each module exists in the model, with those widths.
/// Errors: BadInput naming modules that do not fit and the likely family of the LoRA
[[nodiscard]] Result<void> checkLoraFits(const LoraFile& lora, const ModelSource& model);

/// What a written LoRA says about itself; empty fields are left out.
struct LoraDescription {
    /// Of one made for this model, with the licence that its metadata names (noteLicence).
    [[nodiscard]] static LoraDescription of(const ModelSource& model);

    ModelFamily family = ModelFamily::StableDiffusion1;
    PredictionType predictionType = PredictionType::Epsilon;
    /// Of SDXL, whose modules kohya counts through all its blocks; nothing: as it was released.
    std::optional<UNetConfig> unet;
    std::string title;
    std::string outputName;    ///< what kohya's form calls the file; empty: as the title
    std::string triggerPhrase; ///< the instance prompt, or those of several subjects
    int64_t resolutionPixels = 512;
    std::map<std::string, std::string> metadata; ///< more ss_ or modelspec keys
};

/// Writes a LoRA. `path` must not exist; `modules` name the tensors of `source` to take. Diffusers' form gets
/// alpha / rank multiplied into `up`, so that every module's alpha is its rank.
/// floatType, progress and cancel of `options` are used.
/// Errors: BadInput: also for modules that have no name in that form; OutOfResources
[[nodiscard]] Result<WriteOutcome> writeLora(const std::string& path, LoraFormat format,
                                             const std::vector<LoraModule>& modules,
                                             const TensorSource& source, const LoraDescription& description,
                                             const WriteOptions& options = {});

} // namespace homebooth::core
