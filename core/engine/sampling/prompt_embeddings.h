// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The textual inversions that prompts may name, with their vectors in memory. Value type; any thread.
#pragma once

#include "core/base/model/embedding_file.h"
#include "core/base/text/clip_tokenizer.h"

#include <ATen/ATen.h>

#include <string>
#include <utility>
#include <vector>

namespace homebooth::core {

class PromptEmbeddings {
public:
    /// Of no file.
    PromptEmbeddings() = default;

    /// Errors: as openEmbeddings; BadInput for vectors that cannot be read or hold NaN or infinity
    [[nodiscard]] static Result<PromptEmbeddings> read(const std::vector<std::string>& files,
                                                       const ModelSource& model);

    /// Their words, with ids from the vocabulary size of the model's text encoder on.
    [[nodiscard]] const std::vector<PromptPlaceholder>& placeholders() const { return m_placeholders; }
    /// [N, width] fp32, what those ids stand for; undefined without files.
    [[nodiscard]] const at::Tensor& vectors() const { return m_vectors; }

    /// Word and A1111's short hash of each that goes into one of the prompts.
    /// @param tokenizer  which has the placeholders
    [[nodiscard]] std::vector<std::pair<std::string, std::string>>
    namedIn(const std::vector<std::string>& prompts, const ClipTokenizer& tokenizer) const;
    /// The words of those that no prompt names, not even within a longer word.
    [[nodiscard]] std::vector<std::string> unnamedIn(const std::vector<std::string>& prompts) const;

private:
    struct Word {
        std::vector<std::string> names;
        std::string hash;    ///< the first 12 digits of its file's SHA-256
        int64_t firstId = 0; ///< of its vectors

        [[nodiscard]] bool isIn(const std::vector<std::string>& prompts) const;
    };
    [[nodiscard]] Result<at::Tensor> add(const EmbeddingFile& file, int64_t firstId);

    std::vector<Word> m_words;
    std::vector<PromptPlaceholder> m_placeholders;
    at::Tensor m_vectors;
};

} // namespace homebooth::core
