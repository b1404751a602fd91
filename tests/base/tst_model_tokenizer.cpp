// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Where a model's tokenizer comes from: its folder, files inside a single file, or the published vocabulary.
#include "core/base/model/model_tokenizer.h"

#include <QtTest>

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
    QCOMPARE(left, std::string("mine"));
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
    QVERIFY2(model.ok(), model ? "" : model.error().text().c_str());
    const auto tokenizers = loadTokenizers(*model);
    QVERIFY2(tokenizers.ok(), tokenizers ? "" : tokenizers.error().text().c_str());
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
    QVERIFY2(tokenizers.ok(), tokenizers ? "" : tokenizers.error().text().c_str());
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

QTEST_APPLESS_MAIN(TestModelTokenizer)
#include "tst_model_tokenizer.moc"
