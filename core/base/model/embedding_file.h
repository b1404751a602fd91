// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Textual inversions: a few vectors that stand for a word in a prompt. Files of diffusers ({token: vectors}),
// A1111 (string_to_param), sd-scripts (emb_params) and those of SDXL (clip_l, clip_g), which hold vectors for
// both of its text encoders. Plain values; any thread.
//
// Their word is the file's name without its ending, as A1111 has it; where the file names a token itself, as
// diffusers' do, that one serves as well.
#pragma once

#include "core/base/formats/tensor_reader.h"
#include "core/base/model/model_source.h"

#include <memory>
#include <string>
#include <vector>

namespace homebooth::core {

struct EmbeddingFile {
    std::shared_ptr<const TensorReader> tensors;
    std::vector<std::string>
        words;          ///< how prompts name it: the file's word, then its own token if it has one
    std::string tensor; ///< the vectors, [vectors, width] or [width]; of SDXL those of its first text encoder
    int64_t vectors = 0;
    int64_t width = 0;
    std::string secondTensor;  ///< of SDXL those of its second one; empty: none
    int64_t secondVectors = 0; ///< as many, in a file that openEmbedding takes
    int64_t secondWidth = 0;

    [[nodiscard]] bool isOfTwoEncoders() const { return !secondTensor.empty(); }
};

/// The word of an embedding's file: its name without folders and ending.
[[nodiscard]] std::string embeddingWord(const std::string& path);

/// What a file holds beside its tensors' numbers; nothing where it is no textual inversion.
[[nodiscard]] std::optional<EmbeddingFile> embeddingIn(std::shared_ptr<const TensorReader> file);

/// The family whose text encoders have vectors of that width; nothing for one that none has.
[[nodiscard]] std::optional<ModelFamily> familyOf(const EmbeddingFile& embedding);

/// Whether its names say that it is one, whatever the width: of models of no published size.
[[nodiscard]] bool isNamedEmbedding(const EmbeddingFile& embedding);

/// Opens a textual inversion and checks that the model's text encoders take it.
/// Errors: BadInput for a file that cannot be read, is none, or is for another kind of model
[[nodiscard]] Result<EmbeddingFile> openEmbedding(const std::string& path, const ModelSource& model);

/// As openEmbedding, each. A token that two have is the first one's, one that is the name of a file that
/// file's. Errors: also Usage for two files of one name
[[nodiscard]] Result<std::vector<EmbeddingFile>> openEmbeddings(const std::vector<std::string>& paths,
                                                                const ModelSource& model);

} // namespace homebooth::core
