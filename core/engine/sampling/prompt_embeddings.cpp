// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/sampling/prompt_embeddings.h"

#include "core/base/files/sha256.h"
#include "core/base/text/prompt_text.h"
#include "core/engine/io/exact_tensor.h"

#include <algorithm>
#include <set>

namespace homebooth::core {
namespace {

constexpr size_t kHashDigits = 12;

/// @param part  of the model's text encoders
/// Shapes: [vectors, width] fp32
Result<at::Tensor> vectorsOf(const EmbeddingFile& file, size_t part) {
    const bool first = part == 0;
    const std::string& name = first ? file.tensor : file.secondTensor;
    const auto exact = readExact(*file.tensors, *file.tensors->find(name));
    if (!exact) return Error{exact.error().code, exact.error().message, file.tensors->path()};
    return exact->reshape({file.vectors, first ? file.width : file.secondWidth});
}

/// Of all files, below each other.
Result<at::Tensor> vectorsOf(const std::vector<EmbeddingFile>& files, size_t part) {
    std::vector<at::Tensor> vectors;
    for (const EmbeddingFile& file : files) {
        HOMEBOOTH_ASSIGN(at::Tensor own, vectorsOf(file, part));
        vectors.push_back(std::move(own));
    }
    return at::cat(vectors);
}

} // namespace

bool PromptEmbeddings::Word::isIn(const std::vector<std::string>& prompts) const {
    return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
        return std::any_of(prompts.begin(), prompts.end(),
                           [&](const std::string& prompt) { return namesWord(prompt, name); });
    });
}

Result<void> PromptEmbeddings::add(const EmbeddingFile& file) {
    HOMEBOOTH_ASSIGN(const auto hash, sha256File(file.tensors->path()));
    const int64_t row = m_words.empty() ? 0 : m_words.back().firstRow + m_words.back().vectorCount;
    m_words.push_back({file.words, hash ? hash->substr(0, kHashDigits) : std::string(), row, file.vectors});
    return {};
}

Result<PromptEmbeddings> PromptEmbeddings::read(const std::vector<std::string>& files,
                                                const ModelSource& model) {
    HOMEBOOTH_ASSIGN(const std::vector<EmbeddingFile> opened, openEmbeddings(files, model));
    PromptEmbeddings embeddings;
    if (opened.empty()) return embeddings;
    for (const EmbeddingFile& file : opened) HOMEBOOTH_CHECK(embeddings.add(file));
    for (const TextPart* part : model.textParts()) {
        HOMEBOOTH_ASSIGN(at::Tensor vectors, vectorsOf(opened, embeddings.m_vectors.size()));
        embeddings.m_vectors.push_back(std::move(vectors));
        embeddings.m_firstIds.push_back(part->config.vocabularySize);
    }
    return embeddings;
}

std::vector<PromptPlaceholder> PromptEmbeddings::placeholders(size_t part) const {
    std::vector<PromptPlaceholder> all;
    for (const Word& word : m_words)
        for (const std::string& name : word.names)
            all.push_back({name, m_firstIds.at(part) + word.firstRow, word.vectorCount});
    return all;
}

std::vector<std::pair<std::string, std::string>>
PromptEmbeddings::namedIn(const std::vector<std::string>& prompts, const ClipTokenizer& tokenizer) const {
    std::set<int64_t> ids;
    for (const std::string& prompt : prompts)
        for (const int64_t id : tokenizer.tokens(prompt)) ids.insert(id);
    std::vector<std::pair<std::string, std::string>> named;
    for (const Word& word : m_words)
        if (ids.contains(m_firstIds.front() + word.firstRow))
            named.emplace_back(word.names.front(), word.hash);
    return named;
}

std::vector<std::string> PromptEmbeddings::unnamedIn(const std::vector<std::string>& prompts) const {
    std::vector<std::string> unnamed;
    for (const Word& word : m_words)
        if (!word.isIn(prompts)) unnamed.push_back(word.names.front());
    return unnamed;
}

} // namespace homebooth::core
