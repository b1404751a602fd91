// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Prompts that name textual inversions are encoded as diffusers encodes them.
#include "core/base/arch/clip_layout.h"
#include "core/base/formats/safetensors_writer.h"
#include "core/base/model/configs/text_schedule.h"
#include "core/base/model/model_tokenizer.h"
#include "core/engine/io/weights.h"
#include "core/engine/models/text_encoders.h"
#include "core/engine/sampling/generation_model.h"
#include "core/engine/sampling/prompt_embeddings.h"
#include "sampling_support.h"

#include <ATen/Parallel.h>
#include <c10/core/GradMode.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>

namespace homebooth::core {
namespace {

using namespace sampling_test;
namespace fs = std::filesystem;

constexpr double kTolerance = 1e-5; // greatest error over greatest value
constexpr int64_t kLength = 77;

std::string embedding(const std::string& name) {
    return fixturePath("embeddings/" + name);
}

fs::path ownFolder() {
    const char* root = std::getenv("HOMEBOOTH_TEST_DIR");
    return (root != nullptr ? fs::path(root) : fs::temp_directory_path()) / "prompt-words";
}

fs::path newFolder() {
    fs::remove_all(ownFolder());
    fs::create_directories(ownFolder());
    return ownFolder();
}

/// Saves tensors of fp32 as a textual inversion. @returns its path
std::string saved(const fs::path& path, const std::vector<std::pair<std::string, at::Tensor>>& tensors) {
    std::vector<TensorInfo> infos;
    for (const auto& [name, tensor] : tensors)
        infos.push_back(makeTensorInfo(name, DataType::F32, tensor.sizes().vec()));
    auto writer = SafetensorsWriter::create(path.string(), infos);
    if (!writer) throw std::runtime_error(writer.error().text());
    for (const auto& [name, tensor] : tensors) {
        const at::Tensor values = tensor.contiguous();
        const auto* bytes = static_cast<const std::byte*>(values.const_data_ptr());
        if (const auto done = writer->write(name, {bytes, values.nbytes()}); !done)
            throw std::runtime_error(done.error().text());
    }
    if (const auto done = writer->commit(); !done) throw std::runtime_error(done.error().text());
    return path.string();
}

class PromptWords : public ::testing::Test {
protected:
    void SetUp() override {
        at::set_num_threads(1);
        auto opened = openModel(fixturePath("tiny-sd1"));
        ASSERT_TRUE(opened.ok());
        m_model = std::move(*opened);
    }
    void TearDown() override { fs::remove_all(ownFolder()); }
    [[nodiscard]] const ModelSource& model() const { return m_model; }
    [[nodiscard]] PromptEmbeddings read(const std::vector<std::string>& files) const {
        auto embeddings = PromptEmbeddings::read(files, m_model);
        if (!embeddings) throw std::runtime_error(embeddings.error().text());
        return std::move(*embeddings);
    }
    [[nodiscard]] TextEncoder& encoder() {
        if (m_encoder) return *m_encoder;
        m_encoder = std::make_unique<TextEncoder>(
            m_model.text.config, clipSchedule(m_model.text.config, 0, ClipInput::TokensAndVectors),
            ParameterStore::Options());
        const auto loaded = loadParameters(m_encoder->component().store(), *m_model.text.tensors);
        if (!loaded) throw std::runtime_error(loaded.error().text());
        return *m_encoder;
    }
    [[nodiscard]] ClipTokenizer tokenizerWith(const PromptEmbeddings& embeddings) const {
        auto tokenizer = loadTokenizer(m_model);
        if (!tokenizer) throw std::runtime_error(tokenizer.error().text());
        tokenizer->setPlaceholders(embeddings.placeholders(0));
        return std::move(*tokenizer);
    }
    [[nodiscard]] at::Tensor encode(const std::string& prompt, const PromptEmbeddings& embeddings) {
        const c10::NoGradGuard noGradients;
        const ClipTokenizer tokenizer = tokenizerWith(embeddings);
        const at::Tensor ids = at::tensor(tokenizer.encode(prompt, kLength), at::kLong).unsqueeze(0);
        const bool any = !embeddings.vectors().empty();
        return encoder().encode(ids, any ? embeddings.vectors().front() : at::Tensor());
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
        EXPECT_TRUE(at::equal(read({embedding(file)}).vectors().at(0), expected[name].reshape({-1, 16})))
            << name;
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
    const fs::path folder = newFolder();
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

TEST_F(PromptWords, thatAreNotFiniteAreRefused) {
    for (const float value : {NAN, INFINITY, -INFINITY}) {
        at::Tensor vectors = at::ones({2, 16});
        vectors[1][3] = value;
        const std::string path = saved(newFolder() / "broken.safetensors", {{"<broken>", vectors}});
        const auto refused = PromptEmbeddings::read({embedding("moon-dog.pt"), path}, model());
        ASSERT_FALSE(refused) << value;
        EXPECT_EQ(refused.error().code, ErrorCode::BadInput);
        for (const std::string& part : {path, std::string("<broken>"), std::string("NaN or infinity")})
            EXPECT_NE(refused.error().text().find(part), std::string::npos) << refused.error().text();
    }
}

/// Of SDXL, which reads each prompt twice.
class XlPromptWords : public ::testing::Test {
protected:
    void SetUp() override {
        auto opened = openModel(fixturePath("tiny-sdxl"));
        ASSERT_TRUE(opened) << opened.error().text();
        m_model = std::move(*opened);
        auto tokenizers = loadTokenizers(m_model);
        ASSERT_TRUE(tokenizers) << tokenizers.error().text();
        m_tokenizers = std::move(*tokenizers);
        ASSERT_EQ(m_tokenizers.size(), 2U);
    }
    void TearDown() override { fs::remove_all(ownFolder()); }
    [[nodiscard]] ModelSource& model() { return m_model; }
    [[nodiscard]] PromptEmbeddings read(const std::vector<std::string>& files) const {
        auto embeddings = PromptEmbeddings::read(files, m_model);
        if (!embeddings) throw std::runtime_error(embeddings.error().text());
        return std::move(*embeddings);
    }
    /// What a text encoder makes of the tokens of a text alone. Shapes: [tokens, width]
    [[nodiscard]] at::Tensor vectorsOf(size_t part, const std::string& text) const {
        const auto weights = openTensors(part == 0 ? "tiny-sdxl/text_encoder/model.safetensors"
                                                   : "tiny-sdxl/text_encoder_2/model.safetensors");
        const TensorGroup table(weights, "text_model.embeddings.token_embedding.");
        return table["weight"]
            .to(at::kFloat)
            .index_select(0, at::tensor(m_tokenizers.at(part).tokens(text), at::kLong));
    }
    [[nodiscard]] TextCondition encode(const std::string& prompt, const PromptEmbeddings& embeddings) {
        const c10::NoGradGuard noGradients;
        std::vector<std::unique_ptr<TextEncoder>> encoders;
        std::vector<at::Tensor> ids;
        for (size_t part = 0; part < m_tokenizers.size(); ++part) {
            const TextPart& text = *m_model.textParts().at(part);
            encoders.push_back(std::make_unique<TextEncoder>(
                text.config, textSchedule(m_model, part, 0, ClipInput::TokensAndVectors),
                ParameterStore::Options()));
            const auto loaded = loadParameters(encoders.back()->component().store(), *text.tensors);
            if (!loaded) throw std::runtime_error(loaded.error().text());
            m_tokenizers[part].setPlaceholders(embeddings.placeholders(part));
            ids.push_back(at::tensor(m_tokenizers[part].encode(prompt, kLength), at::kLong).unsqueeze(0));
        }
        return TextEncoders(std::move(encoders)).encode(ids, embeddings.vectors());
    }

private:
    ModelSource m_model;
    std::vector<ClipTokenizer> m_tokenizers;
};

TEST_F(XlPromptWords, haveVectorsForEachTextEncoder) {
    const fs::path folder = newFolder();
    const at::Tensor first = at::randn({2, 4});
    const at::Tensor second = at::randn({2, 6});
    const at::Tensor third = at::randn({1, 4});
    const at::Tensor fourth = at::randn({6});
    const std::vector<std::string> files = {
        saved(folder / "cat.safetensors", {{"clip_g", second}, {"clip_l", first}}),
        saved(folder / "moon.safetensors", {{"clip_l", third}, {"clip_g", fourth}})};
    model().secondText->config.vocabularySize += 7;
    const PromptEmbeddings both = read(files);
    ASSERT_EQ(both.vectors().size(), 2U);
    EXPECT_TRUE(at::equal(both.vectors()[0], at::cat({first, third})));
    EXPECT_TRUE(at::equal(both.vectors()[1], at::cat({second, fourth.unsqueeze(0)})));
    for (const size_t part : {0U, 1U}) {
        const int64_t vocabulary = model().textParts()[part]->config.vocabularySize;
        const auto words = both.placeholders(part);
        ASSERT_EQ(words.size(), 2U);
        EXPECT_TRUE(words[0].word == "cat" && words[0].firstId == vocabulary && words[0].count == 2);
        EXPECT_TRUE(words[1].word == "moon" && words[1].firstId == vocabulary + 2 && words[1].count == 1);
    }
    EXPECT_TRUE(PromptEmbeddings().vectors().empty() && PromptEmbeddings().placeholders(1).empty());
}

/// Also of the text as a whole, which is read off at its end token, not at the greatest id.
TEST_F(XlPromptWords, withTheVectorsOfOthersReadAsThose) {
    const std::string dog = "astronaut";
    ASSERT_GT(vectorsOf(0, dog).size(0), 1); // several tokens
    const std::string file = saved(newFolder() / "my-dog.safetensors",
                                   {{"clip_l", vectorsOf(0, dog)}, {"clip_g", vectorsOf(1, dog)}});
    const PromptEmbeddings embeddings = read({file});
    const TextCondition named = encode("a photo of My-Dog, red", embeddings);
    const TextCondition written = encode("a photo of " + dog + ", red", {});
    const TextCondition without = encode("a photo of my-dog, red", {});
    EXPECT_TRUE(at::equal(named.context, written.context));
    EXPECT_TRUE(at::equal(named.pooled, written.pooled));
    EXPECT_FALSE(at::equal(without.context, written.context));
    EXPECT_FALSE(at::equal(without.pooled, written.pooled));
}

TEST_F(XlPromptWords, thatAreNotFiniteForEitherTextEncoderAreRefused) {
    for (const std::string broken : {"clip_l", "clip_g"}) {
        std::map<std::string, at::Tensor> tensors{{"clip_l", at::ones({1, 4})}, {"clip_g", at::ones({1, 6})}};
        tensors[broken][0][2] = NAN;
        const auto refused = PromptEmbeddings::read(
            {saved(newFolder() / "broken.safetensors", {tensors.begin(), tensors.end()})}, model());
        ASSERT_FALSE(refused) << broken;
        EXPECT_NE(refused.error().message.find(broken + " holds NaN or infinity"), std::string::npos)
            << refused.error().text();
    }
}

} // namespace
} // namespace homebooth::core
