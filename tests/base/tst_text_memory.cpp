// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What texts take in RAM, known from the sizes of their files: never less than their tokens do; and of
// many texts, by what the beginnings of some have.
#include "core/base/plan/generation/text_memory.h"
#include "core/base/plan/training/train_plan.h"
#include "core/base/text/byte_level_tokenizer.h"
#include "core/base/text/documents.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>

using namespace homebooth::core;

namespace {

constexpr int64_t kPlenty = int64_t{1} << 45;
constexpr int64_t kWide = 70'000; // entries of a vocabulary that two bytes do not tell apart
constexpr qint64 kMany = qint64{200} << 20;
constexpr const char* kTokenizer = HOMEBOOTH_FIXTURES_DIR "/language/tokenizer";

ModelSource modelOf(int64_t vocabulary) {
    ModelSource model;
    model.language.emplace();
    model.language->config.vocabularySize = vocabulary;
    return model;
}

MachineLimits ramOf(int64_t bytes) {
    return {false, 0, bytes};
}

} // namespace

class TestTextMemory : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    void write(const char* name, const QByteArray& bytes) const {
        QFile file(m_folder.filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
    }

    /// A file of so many bytes, of which only the first are on the disk; the others are no text.
    void writeMany(const char* name, const QByteArray& words) const {
        write(name, words.repeated(static_cast<int>((4 << 20) / words.size())));
        QVERIFY(QFile::resize(m_folder.filePath(name), kMany));
    }

    [[nodiscard]] TrainConfig config(const char* name) const {
        TrainConfig config;
        config.mode = TrainMode::Language;
        config.data.textPath = m_folder.filePath(name).toStdString();
        config.data.contextTokens = 16;
        return config;
    }

    /// Tokens of all texts, with what begins and ends each.
    static int64_t tokensIn(const std::string& path) {
        const auto tokenizer = ByteLevelTokenizer::loadFolder(kTokenizer);
        auto documents = Documents::open(path, "");
        if (!tokenizer || !documents) throw std::runtime_error("no tokenizer or texts");
        int64_t tokens = 0;
        for (auto next = documents->next(); next && *next; next = documents->next())
            tokens += std::ssize(tokenizer->encode((*next)->text)) + 2;
        return tokens;
    }

private slots:
    void boundsTheTokensOfAnyText_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("name");
        const QString euros = QString(500, QChar(0x20AC));
        QByteArray utf16("\xFF\xFE", 2);
        utf16.append(reinterpret_cast<const char*>(euros.utf16()), 1000);
        QTest::newRow("a letter") << QByteArray("a") << "a.txt";
        QTest::newRow("words") << QByteArray("The dog sat on the moon. ").repeated(50) << "a.txt";
        QTest::newRow("what no token holds two of") << QByteArray("\xF0\x9F\x8C\x99").repeated(50) << "a.txt";
        QTest::newRow("UTF-16") << utf16 << "a.txt";
        QTest::newRow("lines") << QByteArray("{\"text\":\"a\"}\n").repeated(50) << "a.jsonl";
        QTest::newRow("escapes") << QByteArray("{\"text\":\"\\u20ac\"}\n").repeated(50) << "a.jsonl";
    }
    void boundsTheTokensOfAnyText() {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, name);
        const std::string path = m_folder.filePath(name).toStdString();
        write(qPrintable(name), bytes);
        const int64_t tokens = tokensIn(path);
        QVERIFY(tokens > 2);
        for (const int64_t vocabulary : {int64_t{272}, kWide}) {
            const auto found = textMemory(config(qPrintable(name)), modelOf(vocabulary));
            QVERIFY2(found.ok(), found ? "" : found.error().text().c_str());
            QCOMPARE(found->fileBytes, bytes.size());
            QVERIFY(found->bytes >= mostTokenBytes(tokens, vocabulary, 16));
        }
    }

    void growsWithFilesVocabularyAndWindows() {
        constexpr int64_t kTokens = 12'000'000;
        QVERIFY(mostTokenBytes(kTokens, 1 << 16, 1024) >= 2 * kTokens);
        QVERIFY(mostTokenBytes(kTokens, 1 << 16, 1024) < 2 * kTokens * 9 / 8);
        QVERIFY(mostTokenBytes(kTokens, (1 << 16) + 1, 1024) >= 3 * kTokens);
        QVERIFY(mostTokenBytes(kTokens, 1 << 16, 16) > mostTokenBytes(kTokens, 1 << 16, 1024));
    }

    /// Of them little is read.
    void measuresManyTexts() {
        const QByteArray words("The dog sat on the moon. ");
        write("some.txt", words.repeated(1000));
        const int64_t tokens = tokensIn(m_folder.filePath("some.txt").toStdString());
        const double rate = static_cast<double>(tokens) / static_cast<double>(1000 * words.size());
        writeMany("many.txt", words);
        ModelSource model = modelOf(272);
        const auto bound = textMemory(config("many.txt"), model);
        QVERIFY(bound && bound->tokensPerByte == 0.0);
        model.language->folder = kTokenizer;
        const auto found = textMemory(config("many.txt"), model);
        QVERIFY2(found.ok(), found ? "" : found.error().text().c_str());
        QVERIFY2(std::abs(found->tokensPerByte - rate) < 0.01 * rate, qPrintable(QString::number(rate)));
        const auto counted = static_cast<int64_t>(1.25 * rate * static_cast<double>(kMany));
        const double expected = static_cast<double>(mostTokenBytes(counted, 272, 16));
        QVERIFY(std::abs(static_cast<double>(found->bytes) - expected) < 0.01 * expected);
        QVERIFY(found->bytes < bound->bytes * 3 / 4);
        QCOMPARE(found->fileBytes, kMany);
        QCOMPARE(textMemory(config("some.txt"), model)->tokensPerByte, 0.0);
    }

    /// As large ones are most of the texts, whatever else there is.
    void measuresByBytesNotByFiles() {
        QVERIFY(QDir(m_folder.path()).mkdir("mixed"));
        writeMany("mixed/m.txt", "The dog sat on the moon. ");
        for (int i = 0; i < 40; ++i)
            write(qPrintable(QString("mixed/%1.txt").arg(i)), QByteArray("\xF0\x9F\x8C\x99").repeated(100));
        ModelSource model = modelOf(272);
        model.language->folder = kTokenizer;
        const auto found = textMemory(config("mixed"), model);
        const auto alone = textMemory(config("mixed/m.txt"), model);
        QVERIFY(found && alone);
        QVERIFY(alone->tokensPerByte > 0.0 && alone->tokensPerByte < 0.7);
        QVERIFY(found->tokensPerByte < 1.1 * alone->tokensPerByte);
        write("mixed/m.txt", QByteArray("\xFF\xFE", 2));
        QVERIFY(QFile::resize(m_folder.filePath("mixed/m.txt"), kMany));
        const auto utf16 = textMemory(config("mixed"), model);
        QVERIFY(utf16 && utf16->tokensPerByte == 0.0); // what UTF-16 has is bounded
        QVERIFY(utf16->bytes > found->bytes);
    }

    void isNothingOfPicturesOrWithoutTexts() {
        write("a.txt", "some words");
        QCOMPARE(textMemory(config("a.txt"), ModelSource())->bytes, 0);
        TrainConfig none = config("a.txt");
        none.data.textPath.clear();
        QCOMPARE(textMemory(none, modelOf(272))->bytes, 0);
        QVERIFY(!textMemory(config("gone"), modelOf(272)));
        QVERIFY(fewerTexts(0).empty());
        QVERIFY(fewerTexts(300'000, int64_t{250} << 20).empty()); // they are not what is too much
        QVERIFY(!fewerTexts(int64_t{20} << 20, int64_t{250} << 20).empty());
    }

    void textsCountAndARefusalNamesThem() {
        TrainConfig config;
        config.mode = TrainMode::Language;
        config.data.contextTokens = 64;
        ModelSource model;
        model.language.emplace();
        StepNeed need;
        need.device.parameterBytes = int64_t{100} << 20;
        const int64_t without = planTraining(config, model, ramOf(kPlenty), need)->event.predicted.ramBytes;
        need.ram.cacheBytes = int64_t{700} << 20;
        const TrainPlan plan = *planTraining(config, model, ramOf(kPlenty), need);
        QCOMPARE(plan.event.predicted.ramBytes, without + need.ram.cacheBytes);
        QCOMPARE(plan.peaks.ram.cacheBytes, need.ram.cacheBytes);
        const auto refused = planTraining(config, model, ramOf(without + need.ram.cacheBytes - 1), need);
        QVERIFY(!refused && refused.error().code == ErrorCode::OutOfResources);
        const std::string words = "take fewer texts (the tokens of --text count for 700 MiB of it), or try ";
        QVERIFY2(refused.error().message.find(words) != std::string::npos, refused.error().message.c_str());
        const auto onGpu = planTraining(config, model, {true, int64_t{1} << 20, kPlenty}, need);
        QVERIFY(!onGpu && onGpu.error().message.find("texts") == std::string::npos);
        QVERIFY(!planTraining(config, model, {true, kPlenty, need.ram.cacheBytes}, need));
    }

    void isToldWithItsReason() {
        const PlanDecision told = aboutTexts({int64_t{1} << 30, int64_t{5} << 29});
        QCOMPARE(told.code, std::string(kTextsInRam));
        QCOMPARE(told.facts.at("textBytes"), 2684354560.0);
        for (const char* words : {"up to 2.50 GiB in RAM", "1.00 GiB of files", "less than a byte"})
            QVERIFY2(told.text.find(words) != std::string::npos, told.text.c_str());
        const PlanDecision measured = aboutTexts({int64_t{1} << 30, int64_t{1} << 29, 0.274});
        QCOMPARE(measured.facts.at("tokensPerByte"), 0.274);
        for (const char* words : {"about 512 MiB in RAM", "0.27 tokens a byte", "a quarter more"})
            QVERIFY2(measured.text.find(words) != std::string::npos, measured.text.c_str());
    }
};

QTEST_APPLESS_MAIN(TestTextMemory)
#include "tst_text_memory.moc"
