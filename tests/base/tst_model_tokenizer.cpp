// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Where a model's tokenizer comes from: its folder, files inside a single file, or the published vocabulary.
#include "core/base/model/model_tokenizer.h"
#include "core/base/model/published_tokenizer.h"
#include "tests/base/support/model_files.h"

#include <fstream>
#include <sstream>

using namespace homebooth::core;
namespace fs = std::filesystem;

namespace {

const fs::path kFolder = fs::path(HOMEBOOTH_FIXTURES_DIR) / "tiny-sd1/tokenizer";

std::map<std::string, std::string> filesOfFolder() {
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::directory_iterator(kFolder)) {
        std::stringstream content;
        content << std::ifstream(entry.path()).rdbuf();
        files[entry.path().filename().string()] = content.str();
    }
    return files;
}

using Files = std::map<std::string, std::string>;

const std::string kPublishedConfig = R"({"model_max_length": 77, "pad_token": "<|endoftext|>"})";

/// A tiny model of as many tokens, with this tokenizer: saved as a folder, then as a single file.
Result<ModelSource> asSingleFile(int64_t tokens, const Files& files, bool second = false) {
    const test::ModelFolder saved;
    ModelSource model = test::tinyModel(second);
    model.text.config.vocabularySize = tokens;
    model.text.json = model.text.config.toJson();
    model.text.tensors = test::randomSource(textEncoderLayout(model.text.config), DataType::F16, 3);
    model.text.tokenizerFiles = files;
    HOMEBOOTH_ASSIGN(const ModelSource folder, openModel(saved.savedFolder(model).string()));
    return openModel(saved.savedFile(folder).string());
}

} // namespace

class TestModelTokenizer : public QObject {
    Q_OBJECT
private slots:
    void filesOfASingleFileServeAsTheFolderDoes();
    void filesOfASingleFileTouchNobodysFolder();
    void namesOutsideTheFolderAreRefused();
    void withoutAnyVocabularyTheRemedyIsNamed();
    void thePublishedOnePadsAsTheFamilyDoes();
    void eachTextEncoderOfSdxlHasItsOwn();
    void thePublishedOnePadsAsEachTextEncoderOfSdxlDoes();
    void aTokenizerOfMoreTokensThanItsTextEncoderIsRefused();
    void onlyWhatGivesTheSameIdsIsThePublishedOne();
    void aSingleFileKeepsTokensThatWereAdded();
    void aSingleFileKeepsWhatPadsInAnotherWay();
};

void TestModelTokenizer::filesOfASingleFileServeAsTheFolderDoes() {
    ModelSource folder;
    folder.text.tokenizerFolder = kFolder.string();
    ModelSource single;
    single.text.tokenizerFiles = filesOfFolder();
    const auto first = loadTokenizer(folder);
    const auto second = loadTokenizer(single);
    QVERIFY(first.ok() && second.ok());
    QCOMPARE(second->encode("a photo of sks dog"), first->encode("a photo of sks dog"));
    QCOMPARE(second->vocabularySize(), first->vocabularySize());
}

void TestModelTokenizer::filesOfASingleFileTouchNobodysFolder() {
    const QTemporaryDir own;
    const fs::path before = fs::current_path();
    fs::current_path(own.path().toStdString());
    std::ofstream("merges.txt") << "mine";
    const QByteArray temporary = qgetenv("TMPDIR");
    qputenv("TMPDIR", "/proc"); // where nothing can be unpacked
    ModelSource single;
    single.text.tokenizerFiles = filesOfFolder();
    const auto tokenizer = loadTokenizer(single);
    temporary.isNull() ? qunsetenv("TMPDIR") : qputenv("TMPDIR", temporary);
    std::string left;
    std::ifstream("merges.txt") >> left;
    const auto files = std::distance(fs::directory_iterator("."), fs::directory_iterator());
    fs::current_path(before);
    QVERIFY(tokenizer.ok());
    QCOMPARE(left, "mine");
    QCOMPARE(files, std::ptrdiff_t{1});
}

void TestModelTokenizer::namesOutsideTheFolderAreRefused() {
    for (const char* name : {"../evil", "/tmp/evil", "a/b", "..", ""}) {
        ModelSource single;
        single.text.tokenizerFiles = filesOfFolder();
        single.text.tokenizerFiles[name] = "x";
        const auto tokenizer = loadTokenizer(single);
        QVERIFY2(!tokenizer.ok(), name);
        QVERIFY(tokenizer.error().code == ErrorCode::BadInput);
    }
}

void TestModelTokenizer::withoutAnyVocabularyTheRemedyIsNamed() {
    qputenv("HOMEBOOTH_VOCABULARY", "/nowhere/vocabulary.gz");
    const auto tokenizer = loadTokenizer(ModelSource());
    qunsetenv("HOMEBOOTH_VOCABULARY");
    QVERIFY(!tokenizer.ok());
    QVERIFY(tokenizer.error().message.find("HOMEBOOTH_VOCABULARY") != std::string::npos);
}

void TestModelTokenizer::thePublishedOnePadsAsTheFamilyDoes() {
    std::error_code ignored;
    if (!fs::exists(publishedVocabularyPath(), ignored)) QSKIP("the published vocabulary was not set up");
    ModelSource first;
    first.text.config.hiddenSize = 768;
    ModelSource second;
    second.text.config = originalConfigs(ModelFamily::StableDiffusion2, PredictionType::Epsilon).textEncoder;
    QCOMPARE(loadTokenizer(first)->padToken(), 49407);
    QCOMPARE(loadTokenizer(second)->padToken(), 0);
}

void TestModelTokenizer::eachTextEncoderOfSdxlHasItsOwn() {
    const auto model = openModel(HOMEBOOTH_FIXTURES_DIR "/tiny-sdxl");
    QVERIFY2(model, test::reasonOf(model).c_str());
    const auto tokenizers = loadTokenizers(*model);
    QVERIFY2(tokenizers, test::reasonOf(tokenizers).c_str());
    QCOMPARE(tokenizers->size(), size_t{2});
    QCOMPARE((*tokenizers)[0].padToken(), 999); // the end token of its short vocabulary
    QCOMPARE((*tokenizers)[1].padToken(), 0);
    QCOMPARE((*tokenizers)[0].tokens("sks dog"), (*tokenizers)[1].tokens("sks dog"));
}

void TestModelTokenizer::thePublishedOnePadsAsEachTextEncoderOfSdxlDoes() {
    std::error_code ignored;
    if (!fs::exists(publishedVocabularyPath(), ignored)) QSKIP("the published vocabulary was not set up");
    const FamilyConfigs released = originalConfigs(ModelFamily::StableDiffusionXl, PredictionType::Epsilon);
    ModelSource model;
    model.text.config = released.textEncoder;
    model.secondText.emplace().config = *released.secondTextEncoder;
    const auto tokenizers = loadTokenizers(model);
    QVERIFY2(tokenizers, test::reasonOf(tokenizers).c_str());
    QCOMPARE((*tokenizers)[0].padToken(), 49407);
    QCOMPARE((*tokenizers)[1].padToken(), 0);
}

void TestModelTokenizer::aTokenizerOfMoreTokensThanItsTextEncoderIsRefused() {
    auto model = openModel(HOMEBOOTH_FIXTURES_DIR "/tiny-sdxl");
    QVERIFY(model.ok());
    model->secondText->config.vocabularySize = 999;
    const auto tokenizers = loadTokenizers(*model);
    QVERIFY(!tokenizers.ok());
    QVERIFY2(tokenizers.error().message.find("1000 entries, its text encoder 999") != std::string::npos,
             tokenizers.error().message.c_str());
}

void TestModelTokenizer::onlyWhatGivesTheSameIdsIsThePublishedOne() {
    std::error_code ignored;
    if (!fs::exists(publishedVocabularyPath(), ignored)) QSKIP("the published vocabulary was not set up");
    const auto published = publishedTokenizerFiles(publishedVocabularyPath().string(), false);
    QVERIFY(published.ok());
    QVERIFY(isPublishedTokenizer(*published));
    const auto with = [&](const char* name, const std::string& text) {
        Files files = *published;
        files[name] = text;
        return isPublishedTokenizer(files);
    };
    QVERIFY(with("tokenizer_config.json", kPublishedConfig));
    QVERIFY(!with("added_tokens.json", R"({"<cat-toy>": 49408})"));
    QVERIFY(!with("tokenizer_config.json", R"({"model_max_length": 64})"));
    QVERIFY(!with("special_tokens_map.json", R"({"pad_token": "!"})"));
    QVERIFY(!isPublishedTokenizer(*publishedTokenizerFiles(publishedVocabularyPath().string(), true)));
    std::string vocabulary = published->at("vocab.json");
    vocabulary.insert(vocabulary.rfind('}'), R"(,"<cat-toy>":49408)");
    QVERIFY(!with("vocab.json", vocabulary));
}

void TestModelTokenizer::aSingleFileKeepsTokensThatWereAdded() {
    std::error_code ignored;
    if (!fs::exists(publishedVocabularyPath(), ignored)) QSKIP("the published vocabulary was not set up");
    Files files = *publishedTokenizerFiles(publishedVocabularyPath().string(), false);
    const auto plain = asSingleFile(49408, files);
    QVERIFY2(plain, test::reasonOf(plain).c_str());
    QVERIFY(plain->text.tokenizerFiles.empty()); // what everybody has is not carried along
    files["added_tokens.json"] = R"({"<cat-toy>": 49408})";
    const auto single = asSingleFile(49409, files);
    QVERIFY2(single, test::reasonOf(single).c_str());
    const auto tokenizer = loadTokenizer(*single);
    QVERIFY2(tokenizer, test::reasonOf(tokenizer).c_str());
    QCOMPARE(tokenizer->idOf("<cat-toy>"), int64_t{49408});
    QCOMPARE(tokenizer->tokens("a <cat-toy>"), (std::vector<int64_t>{320, 49408}));
}

void TestModelTokenizer::aSingleFileKeepsWhatPadsInAnotherWay() {
    std::error_code ignored;
    if (!fs::exists(publishedVocabularyPath(), ignored)) QSKIP("the published vocabulary was not set up");
    for (const bool second : {false, true})
        for (const bool padWithZero : {false, true}) {
            const auto files = publishedTokenizerFiles(publishedVocabularyPath().string(), padWithZero);
            const auto before = ClipTokenizer::loadFiles(*files, "before");
            const auto single = asSingleFile(49408, *files, second);
            QVERIFY2(single, test::reasonOf(single).c_str());
            QCOMPARE(loadTokenizer(*single)->encode("a dog!"), before->encode("a dog!"));
        }
}

QTEST_APPLESS_MAIN(TestModelTokenizer)
#include "tst_model_tokenizer.moc"
