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

    /// Their words, with ids from the vocabulary size of one of the model's text encoders on.
    /// @param part  of model.textParts()
    [[nodiscard]] std::vector<PromptPlaceholder> placeholders(size_t part) const;
    /// For each text encoder [N, width] fp32, what those ids stand for; empty without files.
    [[nodiscard]] const std::vector<at::Tensor>& vectors() const { return m_vectors; }

    /// Word and A1111's short hash of each that goes into one of the prompts.
    /// @param tokenizer  of the first text encoder, with its placeholders
    [[nodiscard]] std::vector<std::pair<std::string, std::string>>
    namedIn(const std::vector<std::string>& prompts, const ClipTokenizer& tokenizer) const;
    /// The words of those that no prompt names, not even within a longer word.
    [[nodiscard]] std::vector<std::string> unnamedIn(const std::vector<std::string>& prompts) const;

private:
    struct Word {
        std::vector<std::string> names;
        std::string hash;     ///< the first 12 digits of its file's SHA-256
        int64_t firstRow = 0; ///< of its vectors
        int64_t vectorCount = 0;

        [[nodiscard]] bool isIn(const std::vector<std::string>& prompts) const;
    };
    [[nodiscard]] Result<void> add(const EmbeddingFile& file);

    std::vector<Word> m_words;
    std::vector<int64_t> m_firstIds;   // of each text encoder; empty without files
    std::vector<at::Tensor> m_vectors; // likewise
};

} // namespace homebooth::core
