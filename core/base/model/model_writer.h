// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Saves a model so that diffusers, ComfyUI and A1111 load it unchanged. To save trained weights, take the
// ModelSource that was trained and replace its sources; names, shapes and order stay those of the schedules.
// A result appears whole or not at all and never replaces anything. Any thread.
#pragma once

#include "core/base/files/sha256.h"
#include "core/base/model/model_source.h"
#include "core/base/model/other_programs.h"

namespace homebooth::core {

struct WriteOptions {
    std::optional<DataType> floatType; ///< F32, F16 or BF16; nothing: as the sources have them
    std::string title;                 ///< modelspec.title; empty: the file's name
    /// What else is said of the model, in a single file's header or that of a folder's UNet.
    std::map<std::string, std::string> metadata;
    /// CLIP's published vocabulary, of which text encoders without tokenizer files get theirs in a folder,
    /// each with its own pad token; empty: none at hand.
    std::string vocabularyFile;
    /// Writes NaN and infinity as they are, instead of refusing them.
    bool allowNotFinite = false;
    ProgressCallback progress; ///< in bytes of tensors
    CancelToken cancel;
    /// Told of what a single file that was written leaves to be chosen in other programs.
    ChoiceCallback onChoice;
};

/// Whether the work was done or stopped by the user; a stopped one leaves nothing behind.
enum class WriteOutcome { Written, Cancelled };

/// Writes a diffusers folder: StableDiffusionPipeline or StableDiffusionXLPipeline. `path` must not exist.
/// Errors: BadInput (exists, not writable, no tokenizer; what goes along and cannot be read; tensors with
///         NaN or infinity, named with their file), OutOfResources (disk full)
[[nodiscard]] Result<WriteOutcome> writeDiffusersFolder(const ModelSource& model, const std::string& path,
                                                        const WriteOptions& options = {});

/// Writes one .safetensors file in CompVis layout (SDXL: its descendant's) with modelspec metadata. `path`
/// must not exist. Configurations, licences and training defaults go into the metadata, so that openModel
/// reads the file again; what of them cannot be read does not. Beside it comes configurationBeside, as .yaml,
/// where there is one; one of an earlier file goes. Errors: as writeDiffusersFolder; BadInput, too, for a
/// .yaml of that name that somebody else wrote
[[nodiscard]] Result<WriteOutcome> writeSingleFile(const ModelSource& model, const std::string& path,
                                                   const WriteOptions& options = {});

/// What both forms of a result take on the disk, with all their files.
struct WrittenBytes {
    int64_t folder = 0;
    int64_t file = 0;
};

/// From configurations alone: of a model whose weights are not there as well. Nothing is written.
/// @param model  that learns: what keepAlong leaves aside does not count
/// @param options  with a type. Errors: BadInput for a scheduler's settings, and what goes along into the
///                 folder, that cannot be read
[[nodiscard]] Result<WrittenBytes> writtenBytes(const ModelSource& model, const WriteOptions& options);

} // namespace homebooth::core
