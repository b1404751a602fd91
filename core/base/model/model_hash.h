// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The identity of a model or a LoRA: SHA-256 of its files, and what it is called beside that.
// Stateless; any thread.
#pragma once

#include "core/base/files/sha256.h"
#include "core/base/model/value_check.h"

#include <filesystem>
#include <vector>

namespace homebooth::core {

/// The hash of a model, LoRA or any file or folder, as 64 hexadecimal digits.
///   file:   of its bytes, as A1111 and the model sites compute it
///   folder: of the lines "<sha256>  <relative path>\n" of all files of its components, sorted by path;
///           for a model these are unet, vae, text_encoder, tokenizer (of SDXL also text_encoder_2 and
///           tokenizer_2), scheduler and model_index.json, each of which may be a link; for a language
///           model languageFiles
/// Returns nothing when `cancel` was requested. Errors: BadInput if something cannot be read
/// @param trouble  gets what of the numbers in .safetensors files cannot be right, since all are read anyway
[[nodiscard]] Result<std::optional<std::string>> modelHash(const std::string& path,
                                                           const ProgressCallback& progress = {},
                                                           const CancelToken& cancel = {},
                                                           NumberTrouble* trouble = nullptr);

/// The files that go into this hash, in its order: while none of them changes it does not, either.
/// Errors: BadInput if a folder cannot be listed
[[nodiscard]] Result<std::vector<std::filesystem::path>> hashedFiles(const std::string& path);

/// The first ten digits, as in A1111's "Model hash".
[[nodiscard]] std::string shortHash(const std::string& hash);

/// A1111's short hash of a LoRA: the first 12 digits of the SHA-256, of a .safetensors file of the
/// tensors' bytes without the header, of others of the whole file; of a part when `cancel` was requested.
/// Errors: BadInput if the file cannot be read
[[nodiscard]] Result<std::string> loraHash(const std::string& path, const CancelToken& cancel = {});

/// The hash that the header of a .safetensors LoRA says, up to 64 digits; empty: it says none. A1111
/// prefers it to its own, though it may be of the values before they were rounded or merged.
/// Errors: BadInput if it is no whole .safetensors file
[[nodiscard]] Result<std::string> loraHashSaid(const std::string& path);

/// What pictures call a model or a LoRA: its folder, or its file without what follows the last dot. The
/// result of a run, which has one name in all of them, is called as the run's folder.
[[nodiscard]] std::string modelName(const std::string& path);

} // namespace homebooth::core
