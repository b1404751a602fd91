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

/// [vectors, width] fp32
Result<at::Tensor> vectorsOf(const EmbeddingFile& file) {
    const auto exact = readExact(*file.tensors, *file.tensors->find(file.tensor));
    if (!exact) return Error{exact.error().code, exact.error().message, file.tensors->path()};
    return exact->reshape({file.vectors, file.width});
}

} // namespace

bool PromptEmbeddings::Word::isIn(const std::vector<std::string>& prompts) const {
    return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
        return std::any_of(prompts.begin(), prompts.end(),
                           [&](const std::string& prompt) { return namesWord(prompt, name); });
    });
}

Result<at::Tensor> PromptEmbeddings::add(const EmbeddingFile& file, int64_t firstId) {
    HOMEBOOTH_ASSIGN(at::Tensor vectors, vectorsOf(file));
    HOMEBOOTH_ASSIGN(const auto hash, sha256File(file.tensors->path()));
    m_words.push_back({file.words, hash ? hash->substr(0, kHashDigits) : std::string(), firstId});
    for (const std::string& name : file.words) m_placeholders.push_back({name, firstId, file.vectors});
    return vectors;
}

Result<PromptEmbeddings> PromptEmbeddings::read(const std::vector<std::string>& files,
                                                const ModelSource& model) {
    HOMEBOOTH_ASSIGN(const std::vector<EmbeddingFile> opened, openEmbeddings(files, model));
    PromptEmbeddings embeddings;
    std::vector<at::Tensor> all;
    int64_t next = model.textEncoder.vocabularySize;
    for (const EmbeddingFile& file : opened) {
        HOMEBOOTH_ASSIGN(at::Tensor vectors, embeddings.add(file, next));
        all.push_back(std::move(vectors));
        next += file.vectors;
    }
    if (!all.empty()) embeddings.m_vectors = at::cat(all);
    return embeddings;
}

std::vector<std::pair<std::string, std::string>>
PromptEmbeddings::namedIn(const std::vector<std::string>& prompts, const ClipTokenizer& tokenizer) const {
    std::set<int64_t> ids;
    for (const std::string& prompt : prompts)
        for (const int64_t id : tokenizer.tokens(prompt)) ids.insert(id);
    std::vector<std::pair<std::string, std::string>> named;
    for (const Word& word : m_words)
        if (ids.contains(word.firstId)) named.emplace_back(word.names.front(), word.hash);
    return named;
}

std::vector<std::string> PromptEmbeddings::unnamedIn(const std::vector<std::string>& prompts) const {
    std::vector<std::string> unnamed;
    for (const Word& word : m_words)
        if (!word.isIn(prompts)) unnamed.push_back(word.names.front());
    return unnamed;
}

} // namespace homebooth::core
