// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// LoRA files of SD 1.x and 2.x: read in every common form, written as kohya or diffusers (PEFT) files.
// A LoraFile keeps its file open and is shared; any thread.
#pragma once

#include "core/base/formats/tensor_source.h"
#include "core/base/model/lora_names.h"
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
    std::shared_ptr<const TensorSource> tensors;
    std::vector<LoraModule> modules; ///< sorted by name
    std::map<std::string, std::string> metadata;
    std::vector<std::string> deviations; ///< what was ignored, in words
};

/// Opens a LoRA and checks that every adapter is whole and its shapes fit each other.
/// Errors: BadInput: not a LoRA, an incomplete adapter, SDXL's or another model's names, DoRA
[[nodiscard]] Result<LoraFile> openLora(const std::string& path);

/// Checks that each module of the LoRA exists in the model, with those widths.
/// Errors: BadInput naming modules that do not fit and the likely family of the LoRA
[[nodiscard]] Result<void> checkLoraFits(const LoraFile& lora, const ModelSource& model);

/// What a written LoRA says about itself; empty fields are left out.
struct LoraDescription {
    ModelFamily family = ModelFamily::StableDiffusion1;
    PredictionType predictionType = PredictionType::Epsilon;
    std::string title;
    std::string triggerPhrase; ///< the instance prompt
    int64_t resolutionPixels = 512;
    std::map<std::string, std::string> metadata; ///< more ss_ or modelspec keys
};

/// Writes a LoRA. `path` must not exist; `modules` name the tensors of `source` to take.
/// floatType, progress and cancel of `options` are used.
[[nodiscard]] Result<WriteOutcome> writeLora(const std::string& path, LoraFormat format,
                                             const std::vector<LoraModule>& modules,
                                             const TensorSource& source, const LoraDescription& description,
                                             const WriteOptions& options = {});

} // namespace homebooth::core
