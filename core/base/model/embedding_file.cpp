// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/model/embedding_file.h"

#include "core/base/pickle/open_tensor_file.h"
#include "core/base/text/prompt_text.h"

#include <algorithm>
#include <array>
#include <filesystem>

namespace homebooth::core {
namespace {

/// What files of SDXL call the vectors of its text encoders.
constexpr std::string_view kFirst = "clip_l";
constexpr std::string_view kSecond = "clip_g";
/// Names that formats give the vectors; any other one is a token.
constexpr std::array<std::string_view, 5> kFormatNames{"string_to_param.*", "emb_params", kFirst, kSecond,
                                                       "*"};
/// More are no words for a text encoder, but part of a model.
constexpr int64_t kMostVectors = 256;

bool isOfFormat(std::string_view name) {
    return std::find(kFormatNames.begin(), kFormatNames.end(), name) != kFormatNames.end();
}

bool isToken(std::string_view name) {
    return !isOfFormat(name) && !name.ends_with(".weight") && !name.ends_with(".bias");
}

/// What the first trainers keep beside the vectors: the number of the token that was theirs.
bool isTokenNumber(const TensorInfo& info) {
    return info.name.starts_with("string_to_token.") && info.elementCount() <= 1;
}

bool holdsVectors(const TensorInfo& info) {
    if (info.name.ends_with(".weight") || info.name.ends_with(".bias")) return false;
    const size_t rank = info.shape.size();
    return (rank == 1 || rank == 2) && isFloatingPoint(info.type) && info.elementCount() > 0 &&
           (rank == 1 || info.shape[0] <= kMostVectors);
}

bool isSameWord(const std::string& one, const std::string& other) {
    return namesWord(one, other) && namesWord(other, one);
}

/// Leaves a token to the first file that has it, and the name of a file to that file.
void keepTokensApart(std::vector<EmbeddingFile>& embeddings) {
    std::vector<std::string> taken;
    for (const EmbeddingFile& one : embeddings) taken.push_back(one.words.front());
    for (EmbeddingFile& one : embeddings) {
        if (one.words.size() < 2) continue;
        const std::string token = one.words.back();
        const auto isToken = [&token](const std::string& word) { return isSameWord(word, token); };
        if (std::any_of(taken.begin(), taken.end(), isToken))
            one.words.pop_back();
        else
            taken.push_back(token);
    }
}

std::string widthText(int64_t width, const std::optional<int64_t>& second) {
    if (!second) return "width " + std::to_string(width);
    return "widths " + std::to_string(width) + " and " + std::to_string(*second);
}

Error notForModel(const EmbeddingFile& embedding, const ModelSource& model) {
    std::optional<int64_t> wanted;
    if (model.secondText) wanted = model.secondText->config.hiddenSize;
    std::optional<int64_t> second;
    if (embedding.isOfTwoEncoders()) second = embedding.secondWidth;
    const std::string found = second && !wanted ? "one for SDXL" : widthText(embedding.width, second);
    return badInput("expected a textual inversion for " + std::string(familyName(model.family)) +
                        " (vectors of " + widthText(model.text.config.hiddenSize, wanted) + "), found " +
                        found + "; choose the model that it was made for, or leave it out",
                    embedding.tensors->path());
}

bool hasWidthsOf(const EmbeddingFile& embedding, const ModelSource& model) {
    if (embedding.isOfTwoEncoders() != model.secondText.has_value()) return false;
    return embedding.width == model.text.config.hiddenSize &&
           (!model.secondText || embedding.secondWidth == model.secondText->config.hiddenSize);
}

Result<void> checkFits(const EmbeddingFile& embedding, const ModelSource& model) {
    if (!hasWidthsOf(embedding, model)) return notForModel(embedding, model);
    if (embedding.isOfTwoEncoders() && embedding.secondVectors != embedding.vectors)
        return badInput("expected as many vectors for the second text encoder as for the first, which has " +
                            std::to_string(embedding.vectors) + ", found " +
                            std::to_string(embedding.secondVectors) + "; take another copy of the file",
                        embedding.tensors->path());
    const int64_t most = model.text.config.maxPositions - 2;
    if (embedding.vectors > most)
        return badInput("expected at most " + std::to_string(most) +
                            " vectors, as many as a prompt has, found " + std::to_string(embedding.vectors) +
                            "; leave it out",
                        embedding.tensors->path());
    return {};
}

int64_t vectorsIn(const TensorInfo& info) {
    return info.shape.size() == 2 ? info.shape[0] : 1;
}

} // namespace

std::string embeddingWord(const std::string& path) {
    return std::filesystem::path(path).stem().string();
}

std::optional<EmbeddingFile> embeddingIn(std::shared_ptr<const TensorReader> file) {
    std::vector<const TensorInfo*> found;
    for (const TensorInfo& info : file->tensors())
        if (!isTokenNumber(info)) found.push_back(&info);
    const TensorInfo* second = file->find(kSecond);
    const bool two = found.size() == 2 && file->find(kFirst) != nullptr && second != nullptr;
    if ((found.size() != 1 && !two) ||
        !std::all_of(found.begin(), found.end(), [](const TensorInfo* one) { return holdsVectors(*one); }))
        return std::nullopt;
    const TensorInfo& vectors = two ? *file->find(kFirst) : *found.front();
    EmbeddingFile embedding;
    embedding.tensor = vectors.name;
    embedding.vectors = vectorsIn(vectors);
    embedding.width = vectors.shape.back();
    if (two) {
        embedding.secondTensor = second->name;
        embedding.secondVectors = vectorsIn(*second);
        embedding.secondWidth = second->shape.back();
    }
    embedding.words = {embeddingWord(file->path())};
    if (!two && isToken(vectors.name) && vectors.name != embedding.words.front())
        embedding.words.push_back(vectors.name);
    embedding.tensors = std::move(file);
    return embedding;
}

std::optional<ModelFamily> familyOf(const EmbeddingFile& embedding) {
    if (embedding.isOfTwoEncoders() || embedding.width == 1280) return ModelFamily::StableDiffusionXl;
    if (embedding.width == 768) return ModelFamily::StableDiffusion1;
    if (embedding.width == 1024) return ModelFamily::StableDiffusion2;
    return std::nullopt;
}

bool isNamedEmbedding(const EmbeddingFile& embedding) {
    const std::string& name = embedding.tensor;
    return isOfFormat(name) || (name.starts_with('<') && name.ends_with('>'));
}

Result<EmbeddingFile> openEmbedding(const std::string& path, const ModelSource& model) {
    HOMEBOOTH_ASSIGN(std::shared_ptr<const TensorReader> file, openTensorFile(path));
    const size_t tensors = file->tensors().size();
    auto embedding = embeddingIn(std::move(file));
    if (!embedding)
        return badInput("expected a textual inversion, one matrix of token vectors, found " +
                            std::to_string(tensors) +
                            (tensors == 1 ? " tensor of another kind" : " tensors of another kind") +
                            "; a LoRA is added by --lora, a model chosen by --model",
                        path);
    HOMEBOOTH_CHECK(checkFits(*embedding, model));
    return *std::move(embedding);
}

Result<std::vector<EmbeddingFile>> openEmbeddings(const std::vector<std::string>& paths,
                                                  const ModelSource& model) {
    std::vector<EmbeddingFile> embeddings;
    for (const std::string& path : paths) {
        HOMEBOOTH_ASSIGN(EmbeddingFile embedding, openEmbedding(path, model));
        for (const EmbeddingFile& other : embeddings)
            if (isSameWord(other.words.front(), embedding.words.front()))
                return Error{ErrorCode::Usage,
                             "expected one textual inversion called \"" + embedding.words.front() +
                                 "\", found two; rename one of the files",
                             path};
        embeddings.push_back(std::move(embedding));
    }
    keepTokensApart(embeddings);
    return embeddings;
}

} // namespace homebooth::core
