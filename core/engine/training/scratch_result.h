// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The result of training an autoencoder from scratch: the configuration's folder again, now with the weights.
// Free functions; one writer a folder.
#pragma once

#include "core/base/files/kept_file.h"
#include "core/base/formats/tensor_source.h"
#include "core/base/model/configs/vae_config.h"
#include "core/base/model/left_aside.h"

#include <string>
#include <vector>

namespace homebooth::core {

/// Name of the model's folder within a result.
constexpr const char* kResultFolderName = "model";

/// What of the configuration's folder goes into the result: all but weights.
/// @param leftAside  gets what shall not go there
/// Errors: BadInput for a folder that cannot be listed and a file that cannot be read
[[nodiscard]] Result<KeptFiles> smallFilesOf(const std::string& configDir, LeftAside& leftAside);

/// Writes <resultDir>/model: the small files, vae/config.json and the weights. An earlier result is
/// replaced only when the new one is whole.
/// @returns  the folder. Errors: BadInput, OutOfResources
[[nodiscard]] Result<std::string> writeVaeResult(const KeptFiles& smallFiles, const std::string& resultDir,
                                                 const VaeConfig& config, const TensorSource& tensors);

/// Gives `made` the name `path`; what had that name before is removed afterwards. What cannot be stays, as
/// `earlierResultsIn` has it. Errors: BadInput, OutOfResources
[[nodiscard]] Result<void> replaceWith(const std::string& made, const std::string& path);

/// What was replaced in a folder and could not be removed, sorted.
[[nodiscard]] std::vector<std::string> earlierResultsIn(const std::string& resultDir);

} // namespace homebooth::core
