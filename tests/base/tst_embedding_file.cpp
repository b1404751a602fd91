// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Textual inversions in every layout that users have are opened, and what is none is refused.
#include "core/base/model/embedding_file.h"
#include "core/base/model/inspect.h"
#include "core/base/text/prompt_text.h"
#include "tests/base/support/model_files.h"

using namespace homebooth::core;
using namespace homebooth::core::test;

namespace {

using Words = std::vector<std::string>;

std::string fixture(const char* name) {
    return std::string(HOMEBOOTH_SOURCE_DIR "/tests/fixtures/embeddings/") + name;
}

/// One whose text encoder has vectors as wide as those of the fixtures.
ModelSource modelOfWidth(int64_t width) {
    ModelSource model;
    model.family = ModelFamily::StableDiffusion1;
    model.text.config.hiddenSize = width;
    model.text.config.maxPositions = 77;
    return model;
}

ModelSource xlOfWidths(int64_t first, int64_t second) {
    ModelSource model = modelOfWidth(first);
    model.family = ModelFamily::StableDiffusionXl;
    model.secondText.emplace().config.hiddenSize = second;
    return model;
}

/// A file of zeros. @returns its path, empty if it could not be written
std::string fileOf(const QTemporaryDir& folder, const std::vector<TensorInfo>& tensors) {
    const std::string path = folder.filePath("made.safetensors").toStdString();
    auto writer = SafetensorsWriter::create(path, tensors);
    if (!writer) return {};
    for (const TensorInfo& info : tensors)
        if (!writer->write(info.name, std::vector<std::byte>(static_cast<size_t>(info.byteCount)))) return {};
    return writer->commit().ok() ? path : std::string();
}

std::string refusalOf(const std::string& path, const ModelSource& model) {
    const auto opened = openEmbedding(path, model);
    return opened.ok() ? "(taken)" : opened.error().message;
}

} // namespace

class TestEmbeddingFile : public QObject {
    Q_OBJECT
private slots:
    void everyLayoutIsOpened_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<qint64>("vectors");
        QTest::addColumn<QStringList>("words");
        QTest::newRow("diffusers") << "cat-toy.safetensors" << qint64{3}
                                   << QStringList{"cat-toy", "<cat-toy>"};
        QTest::newRow("A1111") << "moon-dog.pt" << qint64{2} << QStringList{"moon-dog"};
        QTest::newRow("a module of parameters") << "first.pt" << qint64{2} << QStringList{"first"};
        QTest::newRow("one vector") << "one.bin" << qint64{1} << QStringList{"one", "<one>"};
        QTest::newRow("sd-scripts") << "kohya.safetensors" << qint64{1} << QStringList{"kohya"};
    }
    void everyLayoutIsOpened() {
        QFETCH(const QString, name);
        QFETCH(const qint64, vectors);
        QFETCH(const QStringList, words);
        const auto opened = openEmbedding(fixture(qPrintable(name)), modelOfWidth(16));
        QVERIFY2(opened, reasonOf(opened).c_str());
        QCOMPARE(opened->vectors, int64_t{vectors});
        QCOMPARE(opened->width, int64_t{16});
        QStringList found;
        for (const std::string& word : opened->words) found.append(QString::fromStdString(word));
        QCOMPARE(found, words);
    }

    void ofAnotherKindOfModelIsRefused() {
        const auto wide = openEmbedding(fixture("cat-toy.safetensors"), modelOfWidth(768));
        QVERIFY(!wide.ok());
        QVERIFY2(wide.error().message.find("vectors of width 768), found width 16") != std::string::npos,
                 wide.error().message.c_str());
        const auto two = openEmbedding(fixture("xl.safetensors"), modelOfWidth(768));
        QVERIFY(!two.ok() && two.error().message.find("found one for SDXL") != std::string::npos);
        ModelSource shortOne = modelOfWidth(16);
        shortOne.text.config.maxPositions = 4;
        const auto many = openEmbedding(fixture("cat-toy.safetensors"), shortOne);
        QVERIFY(!many.ok() && many.error().message.find("at most 2 vectors") != std::string::npos);
    }

    void vectorsOfSdxlAreForBothTextEncoders() {
        const auto published = openEmbedding(fixture("xl.safetensors"), xlOfWidths(768, 1280));
        QVERIFY2(published, reasonOf(published).c_str());
        QVERIFY(published->tensor == "clip_l" && published->secondTensor == "clip_g");
        QCOMPARE(published->vectors, int64_t{1});
        QCOMPARE(published->width, int64_t{768});
        QCOMPARE(published->secondWidth, int64_t{1280});
        QCOMPARE(published->words, Words{"xl"});
        const QTemporaryDir folder;
        const std::string flat = fileOf(folder, {makeTensorInfo("clip_g", DataType::F32, {6}),
                                                 makeTensorInfo("clip_l", DataType::F16, {4})});
        const auto one = openEmbedding(flat, xlOfWidths(4, 6));
        QVERIFY2(one, reasonOf(one).c_str());
        QVERIFY(one->vectors == 1 && one->width == 4 && one->secondWidth == 6);
    }

    void whatDoesNotFitBothTextEncodersIsRefused() {
        const ModelSource model = xlOfWidths(16, 6);
        const std::string wanted =
            "expected a textual inversion for SDXL (vectors of widths 16 and 6), found ";
        const std::string single = refusalOf(fixture("cat-toy.safetensors"), model);
        QVERIFY2(contains(single, wanted + "width 16; choose"), single.c_str());
        const std::string wide = refusalOf(fixture("xl.safetensors"), model);
        QVERIFY2(contains(wide, wanted + "widths 768 and 1280"), wide.c_str());
        const QTemporaryDir folder;
        const std::string second = fileOf(folder, {makeTensorInfo("clip_l", DataType::F32, {2, 16}),
                                                   makeTensorInfo("clip_g", DataType::F32, {2, 7})});
        QVERIFY(contains(refusalOf(second, model), wanted + "widths 16 and 7"));
        const std::string uneven = fileOf(folder, {makeTensorInfo("clip_l", DataType::F32, {2, 16}),
                                                   makeTensorInfo("clip_g", DataType::F32, {3, 6})});
        const std::string refusal = refusalOf(uneven, model);
        QVERIFY2(contains(refusal, "as for the first, which has 2, found 3"), refusal.c_str());
        const std::string more = fileOf(folder, {makeTensorInfo("clip_l", DataType::F32, {2, 16}),
                                                 makeTensorInfo("clip_g", DataType::F32, {2, 6}),
                                                 makeTensorInfo("other", DataType::F32, {2, 6})});
        QVERIFY(contains(refusalOf(more, model), "found 3 tensors of another kind"));
    }

    void whatIsNoneIsRefused() {
        const std::string unet = std::string(HOMEBOOTH_SOURCE_DIR) +
                                 "/tests/fixtures/tiny-sd1/unet/diffusion_pytorch_model.safetensors";
        const auto refused = openEmbedding(unet, modelOfWidth(16));
        QVERIFY(!refused.ok());
        QVERIFY(refused.error().message.find("expected a textual inversion") != std::string::npos);
        QVERIFY(refused.error().code == ErrorCode::BadInput);
        QVERIFY(!openEmbedding(fixture("nowhere.pt"), modelOfWidth(16)).ok());
    }

    void twoOfOneWordAreRefused() {
        const QTemporaryDir folder;
        const QString again = folder.filePath("Moon-Dog.pt");
        QVERIFY(QFile::copy(QString::fromStdString(fixture("moon-dog.pt")), again));
        const auto two = openEmbeddings({fixture("moon-dog.pt"), again.toStdString()}, modelOfWidth(16));
        QVERIFY(!two.ok() && two.error().code == ErrorCode::Usage);
        QVERIFY(openEmbeddings({fixture("moon-dog.pt"), fixture("one.bin")}, modelOfWidth(16)).ok());
    }

    void aTokenOfTwoFilesIsTheFirstOnes() {
        const QTemporaryDir folder;
        const auto copied = [&folder](const char* from, const char* name) {
            const QString to = folder.filePath(name);
            return QFile::copy(QString::fromStdString(fixture(from)), to) ? to.toStdString() : std::string();
        };
        const std::string again = copied("cat-toy.safetensors", "again.safetensors");
        const auto two = openEmbeddings({fixture("cat-toy.safetensors"), again}, modelOfWidth(16));
        QVERIFY(two.ok());
        QCOMPARE((*two)[0].words, (Words{"cat-toy", "<cat-toy>"}));
        QCOMPARE((*two)[1].words, Words{"again"});
        const std::string named = copied("one.bin", "<Cat-Toy>.bin");
        const auto byName = openEmbeddings({fixture("cat-toy.safetensors"), named}, modelOfWidth(16));
        QVERIFY(byName.ok());
        QCOMPARE((*byName)[0].words, Words{"cat-toy"});
        QCOMPARE((*byName)[1].words, (Words{"<Cat-Toy>", "<one>"}));
    }

    void inspectSaysHowPromptsNameIt() {
        const auto facts = inspectPath(fixture("xl.safetensors"));
        QVERIFY(facts.ok() && facts->kind == InspectedKind::Embedding);
        QVERIFY(facts->family == ModelFamily::StableDiffusionXl);
        QCOMPARE(facts->words, Words{"xl"});
        QVERIFY(facts->toText().find("in prompts      xl") != std::string::npos);
        for (const char* name : {"cat-toy.safetensors", "kohya.safetensors", "moon-dog.pt"}) {
            const auto small = inspectPath(fixture(name)); // of a model of no published size
            QVERIFY2(small->problem.empty() && small->kind == InspectedKind::Embedding, name);
            QVERIFY(small->family == ModelFamily::Other && small->width == 16);
        }
    }

    void wordsStandAlone() {
        QVERIFY(namesWord("a <Cat-Toy>, red", "<cat-toy>"));
        QVERIFY(namesWord("(easynegative:1.2)", "EasyNegative"));
        QVERIFY(namesWord("two  words", "two words"));
        QVERIFY(namesWord("cats, cat", "cat"));
        QVERIFY(!namesWord("cats, wildcat, cat_2", "cat"));
        QVERIFY(namesWord("two <cat-toy>s, a<cat-toy>", "<cat-toy>")); // as diffusers and A1111 find it
        QVERIFY(!namesWord("two cat>s", "cat>s2") && !namesWord("xcat>", "cat>"));
        QVERIFY(!namesWord("cat", ""));
        QVERIFY(namesWord("a cat", " cat ")); // as a file may be called
        QVERIFY(!namesWord("., .", " "));
    }
};

QTEST_GUILESS_MAIN(TestEmbeddingFile)
#include "tst_embedding_file.moc"
