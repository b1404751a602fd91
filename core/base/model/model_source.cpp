// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/model/model_source.h"

#include "core/base/files/atomic_file.h"
#include "core/base/model/model_open.h"

#include <algorithm>
#include <filesystem>

namespace homebooth::core {

Result<ModelSource> openModel(const std::string& path, const OpenOptions& options) {
    std::error_code code;
    const auto status = std::filesystem::status(path, code);
    if (code || status.type() == std::filesystem::file_type::not_found)
        return systemError("open the model", path, code ? code.value() : ENOENT);
    HOMEBOOTH_ASSIGN(ModelSource model, std::filesystem::is_directory(status)
                                            ? openDiffusersFolder(path, options)
                                            : openSingleFile(path, options));
    HOMEBOOTH_CHECK(checkSupported(model, options));
    return model;
}

Result<void> checkPlausible(const ModelSource& model) {
    constexpr size_t kMostStages = 12; // SD has 4; each halves the picture's sides
    constexpr int64_t kMostBlocks = 2048;
    const size_t stages = std::max(model.unet.blockOutChannels.size(), model.vae.blockOutChannels.size());
    int64_t blocks = model.textEncoder.layerCount;
    if (stages <= kMostStages) {
        for (size_t i = 0; i < model.unet.layersPerBlock.size(); ++i)
            blocks += model.unet.layersPerBlock[i] *
                      (model.unet.transformerLayers[i] + model.unet.upTransformerLayers[i]);
        blocks += model.vae.layersPerBlock * static_cast<int64_t>(model.vae.blockOutChannels.size());
        if (blocks <= kMostBlocks) return {};
    }
    return badInput("expected at most " + std::to_string(kMostStages) + " stages and " +
                        std::to_string(kMostBlocks) + " blocks, found " + std::to_string(stages) + " and " +
                        std::to_string(blocks) + "; the configurations are damaged",
                    model.path);
}

Result<void> checkSupported(const ModelSource& model, const OpenOptions& options) {
    const bool planned = options.onlyPlanned && model.family == ModelFamily::StableDiffusionXl;
    if (model.family == ModelFamily::StableDiffusionXl && !planned) {
        return badInput("expected a Stable Diffusion 1.x or 2.x model, found SDXL, which is not supported; "
                        "choose another model",
                        model.path);
    }
    if (model.unet.inChannels != model.vae.latentChannels) {
        return badInput("expected a text-to-image model whose UNet takes " +
                            std::to_string(model.vae.latentChannels) + " channels, found " +
                            std::to_string(model.unet.inChannels) +
                            (model.unet.inChannels > model.vae.latentChannels
                                 ? " (an inpainting or depth model); choose the plain version of it"
                                 : "; the UNet and the VAE do not belong together"),
                        model.path);
    }
    // SDXL joins what two text encoders say.
    if (!planned && model.unet.crossAttentionDim != model.textEncoder.hiddenSize) {
        return badInput("the UNet expects text of width " + std::to_string(model.unet.crossAttentionDim) +
                            ", the text encoder gives " + std::to_string(model.textEncoder.hiddenSize) +
                            "; they do not belong together",
                        model.path);
    }
    return {};
}

} // namespace homebooth::core
