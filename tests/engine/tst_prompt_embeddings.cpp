// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Prompts that name textual inversions are encoded as diffusers encodes them.
#include "core/base/arch/clip_layout.h"
#include "core/base/model/model_tokenizer.h"
#include "core/engine/io/weights.h"
#include "core/engine/models/model_components.h"
#include "core/engine/sampling/generation_model.h"
#include "core/engine/sampling/prompt_embeddings.h"
#include "sampling_support.h"

#include <ATen/Parallel.h>
#include <c10/core/GradMode.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

namespace homebooth::core {
namespace {

using namespace sampling_test;

constexpr double kTolerance = 1e-5; // greatest error over greatest value
constexpr int64_t kLength = 77;

std::string embedding(const std::string& name) {
    return fixturePath("embeddings/" + name);
}

class PromptWords : public ::testing::Test {
protected:
    void SetUp() override {
        at::set_num_threads(1);
        auto opened = openModel(fixturePath("tiny-sd1"));
        ASSERT_TRUE(opened.ok());
        m_model = std::move(*opened);
    }
    [[nodiscard]] const ModelSource& model() const { return m_model; }
    [[nodiscard]] PromptEmbeddings read(const std::vector<std::string>& files) const {
        auto embeddings = PromptEmbeddings::read(files, m_model);
        if (!embeddings) throw std::runtime_error(embeddings.error().text());
        return std::move(*embeddings);
    }
    [[nodiscard]] TextEncoder& encoder() {
        if (m_encoder) return *m_encoder;
        m_encoder = std::make_unique<TextEncoder>(
            m_model.textEncoder, clipSchedule(m_model.textEncoder, 0, ClipInput::TokensAndVectors),
            ParameterStore::Options());
        const auto loaded = loadParameters(m_encoder->component().store(), *m_model.textEncoderTensors);
        if (!loaded) throw std::runtime_error(loaded.error().text());
        return *m_encoder;
    }
    [[nodiscard]] ClipTokenizer tokenizerWith(const PromptEmbeddings& embeddings) const {
        auto tokenizer = loadTokenizer(m_model);
        if (!tokenizer) throw std::runtime_error(tokenizer.error().text());
        tokenizer->setPlaceholders(embeddings.placeholders());
        return std::move(*tokenizer);
    }
    [[nodiscard]] at::Tensor encode(const std::string& prompt, const PromptEmbeddings& embeddings) {
        const c10::NoGradGuard noGradients;
        const ClipTokenizer tokenizer = tokenizerWith(embeddings);
        const at::Tensor ids = at::tensor(tokenizer.encode(prompt, kLength), at::kLong).unsqueeze(0);
        return encoder().encode(ids, embeddings.vectors());
    }

private:
    ModelSource m_model;
    std::unique_ptr<TextEncoder> m_encoder;
};

TEST_F(PromptWords, areEncodedAsByDiffusers) {
    const auto about = readJson("embeddings/about.json");
    const TensorGroup expected(openTensors("embeddings/expected.safetensors"), "");
    const PromptEmbeddings both = read({embedding("cat-toy.safetensors"), embedding("moon-dog.pt")});
    for (const auto& [name, prompt] : about.at("prompts").items()) {
        const at::Tensor encoded = encode(prompt.get<std::string>(), both);
        EXPECT_LT(relativeError(encoded, expected["encoded/" + name]), kTolerance) << name;
        EXPECT_GT(relativeError(encode(prompt.get<std::string>(), {}), expected["encoded/" + name]), 0.01);
    }
}

TEST_F(PromptWords, vectorsAreThoseOfTheFiles) {
    const TensorGroup expected(openTensors("embeddings/expected.safetensors"), "vectors/");
    const std::pair<const char*, const char*> files[] = {{"cat-toy", "cat-toy.safetensors"},
                                                         {"moon-dog", "moon-dog.pt"},
                                                         {"first", "first.pt"},
                                                         {"one", "one.bin"},
                                                         {"kohya", "kohya.safetensors"}};
    for (const auto& [name, file] : files)
        EXPECT_TRUE(at::equal(read({embedding(file)}).vectors(), expected[name].reshape({-1, 16}))) << name;
}

TEST_F(PromptWords, othersStayAsTheyAre) {
    const std::string prompt = "a photo of sks dog";
    const at::Tensor plain = encode(prompt, {});
    EXPECT_TRUE(at::equal(encode(prompt, read({embedding("cat-toy.safetensors")})), plain));
}

TEST_F(PromptWords, tellWhichAreNamed) {
    const PromptEmbeddings both = read({embedding("cat-toy.safetensors"), embedding("moon-dog.pt")});
    const auto named = both.namedIn({"a <cat-toy>", "moon-dogs"}, tokenizerWith(both));
    ASSERT_EQ(named.size(), 1U);
    EXPECT_EQ(named[0].first, "cat-toy");
    EXPECT_EQ(named[0].second.size(), 12U);
    EXPECT_EQ(both.unnamedIn({"a <cat-toy>", "moon-dogs"}), std::vector<std::string>{"moon-dog"});
}

/// Such as "bad-artist" and "bad-artist-anime".
TEST_F(PromptWords, thatLieWithinALongerOneAreNotNamed) {
    namespace fs = std::filesystem;
    const char* root = std::getenv("HOMEBOOTH_TEST_DIR");
    const fs::path folder = (root != nullptr ? fs::path(root) : fs::temp_directory_path()) / "prompt-words";
    fs::remove_all(folder);
    fs::create_directories(folder);
    std::vector<std::string> files;
    for (const char* name : {"moon", "moon-dog"}) {
        files.push_back((folder / (std::string(name) + ".pt")).string());
        fs::copy_file(embedding("moon-dog.pt"), files.back());
    }
    const PromptEmbeddings both = read(files);
    const auto named = both.namedIn({"a moon-dog"}, tokenizerWith(both));
    ASSERT_EQ(named.size(), 1U);
    EXPECT_EQ(named[0].first, "moon-dog");
    EXPECT_EQ(both.namedIn({"a moon-dog", "moon"}, tokenizerWith(both)).size(), 2U);
    fs::remove_all(folder);
}

/// What its previews have learned of the model's colours is kept from job to job.
TEST_F(PromptWords, changeWithoutAnotherPipeline) {
    auto loaded = GenerationModel::load(model(), {});
    ASSERT_TRUE(loaded) << loaded.error().text();
    const GenerationPipeline* pipeline = &(*loaded)->pipeline();
    (*loaded)->setEmbeddings(read({embedding("moon-dog.pt")}));
    EXPECT_EQ(&(*loaded)->pipeline(), pipeline);
    EXPECT_EQ((*loaded)->embeddingsIn({"moon-dog"}).size(), 1U);
}

} // namespace
} // namespace homebooth::core
