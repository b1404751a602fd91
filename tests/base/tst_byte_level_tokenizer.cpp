// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Tokenizers of language models against the reference's ids
// (tests/reference/make_language_tokenizer_fixture.py), back to text, and files that are refused.
#include "core/base/text/byte_level_tokenizer.h"
#include "tests/computed_time.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

using namespace homebooth::core;

namespace {

QByteArray contents(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QString fixture(const QString& name) {
    return QStringLiteral(HOMEBOOTH_FIXTURES_DIR "/language/tokenizer/") + name;
}

bool write(const QString& path, const QByteArray& text) {
    QFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(text) == text.size();
}

bool copyParts(const QTemporaryDir& folder) {
    return QFile::copy(fixture("parts/vocab.json"), folder.filePath("vocab.json")) &&
           QFile::copy(fixture("parts/merges.txt"), folder.filePath("merges.txt"));
}

ByteLevelTokenizer loaded(const QString& folder) {
    auto tokenizer = ByteLevelTokenizer::loadFolder(folder.toStdString());
    if (!tokenizer) qFatal("%s", tokenizer.error().text().c_str());
    return *tokenizer;
}

} // namespace

class TestByteLevelTokenizer : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void hasTheReferencesIds_data() {
        QTest::addColumn<QString>("folder");
        QTest::addColumn<QString>("texts");
        QTest::addColumn<QString>("ids");
        QTest::newRow("whole") << ""
                               << "texts"
                               << "gpt2";
        QTest::newRow("in parts") << "parts"
                                  << "texts"
                                  << "gpt2";
        QTest::newRow("BLOOM's words") << "bloom"
                                       << "bloomTexts"
                                       << "bloom";
    }
    void hasTheReferencesIds() {
        QFETCH(QString, folder);
        QFETCH(QString, texts);
        QFETCH(QString, ids);
        const ByteLevelTokenizer tokenizer = loaded(fixture(folder));
        const QJsonObject cases = QJsonDocument::fromJson(contents(fixture("cases.json"))).object();
        const QJsonArray given = cases[texts].toArray();
        const QJsonArray expected = cases[ids].toArray();
        QVERIFY(given.size() > 15 && given.size() == expected.size());
        for (int i = 0; i < given.size(); ++i) {
            QJsonArray found;
            for (const int32_t id : tokenizer.encode(given[i].toString().toStdString())) found.append(id);
            QVERIFY2(found == expected[i].toArray(), qPrintable(given[i].toString()));
        }
    }

    void knowsWhatStandsInFrontOfTexts() {
        QCOMPARE(loaded(fixture("")).startToken(), 2);
        QCOMPARE(loaded(fixture("parts")).startToken(), -1);
        const QTemporaryDir folder;
        QVERIFY(copyParts(folder));
        QVERIFY(write(folder.filePath("tokenizer_config.json"),
                      R"({"add_bos_token": true, "bos_token": {"content": "</s>"}})"));
        QCOMPARE(loaded(folder.path()).startToken(), 2);
        // Beside a tokenizer.json its template alone counts.
        QVERIFY(write(folder.filePath("tokenizer.json"), contents(fixture("bloom/tokenizer.json"))));
        QCOMPARE(loaded(folder.path()).startToken(), -1);
    }

    void knowsWhatEndsTexts_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QByteArray>("says");
        QTest::addColumn<int>("end");
        const auto add = [](const char* name, const char* file, const char* says, int end) {
            QTest::newRow(name) << file << QByteArray(says) << end;
        };
        add("configuration", "tokenizer_config.json", R"({"eos_token": "</s>"})", 2);
        add("as an object", "tokenizer_config.json", R"({"eos_token": {"content": "<pad>"}})", 1);
        add("map", "special_tokens_map.json", R"({"eos_token": "<unk>"})", 3);
        add("no entry", "special_tokens_map.json", R"({"eos_token": "<gone>"})", -1);
        add("none", "tokenizer_config.json", R"({"eos_token": null})", -1);
        add("another one", "tokenizer_config.json", R"({"bos_token": "</s>"})", -1);
        add("added", "tokenizer_config.json",
            R"({"eos_token": "<end>", "added_tokens_decoder": {"345": {"content": "<end>"}}})", 345);
    }
    void knowsWhatEndsTexts() {
        QFETCH(QString, file);
        QFETCH(QByteArray, says);
        QFETCH(int, end);
        const QTemporaryDir folder;
        QVERIFY(copyParts(folder));
        QCOMPARE(loaded(folder.path()).endToken(), -1);
        QVERIFY(write(folder.filePath(file), says));
        QCOMPARE(loaded(folder.path()).endToken(), end);
        // Beside a tokenizer.json, too, whose template says nothing of it.
        QVERIFY(write(folder.filePath("tokenizer.json"), contents(fixture("tokenizer.json"))));
        QCOMPARE(loaded(folder.path()).endToken(), end);
    }

    void findsTokensThatTheFilesBesideName() {
        const QTemporaryDir folder;
        QVERIFY(copyParts(folder));
        QVERIFY(write(folder.filePath("added_tokens.json"), R"({"ogn": 345})"));
        QVERIFY(
            write(folder.filePath("special_tokens_map.json"), R"({"eos_token": "</s>", "pad_token": null})"));
        const QByteArray added = R"({"346": {"content": "gn", "special": true, "normalized": false}})";
        QVERIFY(
            write(folder.filePath("tokenizer_config.json"), R"({"added_tokens_decoder": )" + added + "}"));
        const ByteLevelTokenizer tokenizer = loaded(folder.path());
        QCOMPARE(tokenizer.vocabularySize(), 347);
        QCOMPARE(tokenizer.encode("</s>ogn"), (std::vector<int32_t>{2, tokenizer.idOf("o"), 346}));
        QCOMPARE(tokenizer.encode("ogn").size(), size_t{2}); // "ogn" yields
        QVERIFY(tokenizer.encode("<pad>").size() > 1);       // nobody names it
        QCOMPARE(tokenizer.decode(std::vector<int32_t>{345, 346}), std::string("ogn"));
    }

    void takesGpt2sEndOfTextWhereNothingIsNamed() {
        const QTemporaryDir folder;
        QVERIFY(copyParts(folder));
        QVERIFY(write(folder.filePath("vocab.json"),
                      contents(fixture("parts/vocab.json")).replace("\"<unk>\"", "\"<|endoftext|>\"")));
        const ByteLevelTokenizer tokenizer = loaded(folder.path());
        QCOMPARE(tokenizer.encode("<|endoftext|>"), (std::vector<int32_t>{3}));
        QCOMPARE(tokenizer.endToken(), 3);
        QCOMPARE(tokenizer.bytesOf(3), std::string_view());
    }

    void givesTextsBack() {
        const ByteLevelTokenizer tokenizer = loaded(fixture("parts"));
        for (const char* text : {"", "The dog's moon, 日本 👩‍👩‍👧\n\n  end ", "\tx\r\n"})
            QCOMPARE(tokenizer.decode(tokenizer.encode(text)), std::string(text));
        QCOMPARE(tokenizer.decode(tokenizer.encode("a</s>b")), std::string("ab")); // special ones are no text
        QCOMPARE(tokenizer.encode("\xff"), tokenizer.encode("\xef\xbf\xbd"));      // what is no UTF-8
        QVERIFY(tokenizer.bytesOf(-1).empty() && tokenizer.bytesOf(1 << 20).empty());
        QCOMPARE(tokenizer.idOf("</s>"), 2);
        QCOMPARE(tokenizer.idOf("no such entry"), -1);
    }

    void takesLongWordsInGoodTime() {
        constexpr int kBytes = 1 << 20;
        constexpr int kPlenty = 20'000; // ms; in quadratic time it were hours
        const ByteLevelTokenizer tokenizer = loaded(fixture("parts"));
        const homebooth::testing::ComputedTime timer;
        QVERIFY(!tokenizer.encode(std::string(kBytes, 'o')).empty());
        QVERIFY(timer.isBelow(kPlenty));
    }

    void refusesOtherTokenizers_data() {
        QTest::addColumn<QByteArray>("from");
        QTest::addColumn<QByteArray>("to");
        QTest::addColumn<QString>("says");
        QTest::newRow("model") << QByteArray(R"("type":"BPE")") << QByteArray(R"("type":"Unigram")")
                               << "expected byte pairs (BPE) as its model, found Unigram";
        QTest::newRow("words") << QByteArray(R"("pre_tokenizer":{"type":"ByteLevel")")
                               << QByteArray(R"("pre_tokenizer":{"type":"Metaspace")") << "found Metaspace";
        QTest::newRow("fallback") << QByteArray(R"("byte_fallback":false)")
                                  << QByteArray(R"("byte_fallback":true)") << "no \"byte_fallback\"";
        QTest::newRow("normalizer") << QByteArray(R"("normalizer":null)")
                                    << QByteArray(R"("normalizer":{"type":"NFC"})") << "found NFC";
        QTest::newRow("no words") << QByteArray(R"("use_regex":true)") << QByteArray(R"("use_regex":false)")
                                  << "expected words cut once";
        QTest::newRow("dropout") << QByteArray(R"("dropout":null)") << QByteArray(R"("dropout":0.1)")
                                 << "no \"dropout\"";
        QTest::newRow("bytes") << QByteArray(R"("!":)") << QByteArray(R"("!!!":)") << "none for byte 33";
        QTest::newRow("whole words") << QByteArray(R"("single_word":false)")
                                     << QByteArray(R"("single_word":true)") << "\"single_word\"";
        QTest::newRow("start") << QByteArray(R"("SpecialToken":{"id":"</s>")")
                               << QByteArray(R"("SpecialToken":{"id":"<gone>")") << "expected \"<gone>\"";
    }
    void refusesOtherTokenizers() {
        QFETCH(QByteArray, from);
        QFETCH(QByteArray, to);
        QFETCH(QString, says);
        QByteArray json = contents(fixture("tokenizer.json"));
        QVERIFY(json.contains(from));
        const QTemporaryDir folder;
        QVERIFY(write(folder.filePath("tokenizer.json"), json.replace(from, to)));
        const auto refused = ByteLevelTokenizer::loadFolder(folder.path().toStdString());
        QVERIFY(!refused);
        QVERIFY2(QString::fromStdString(refused.error().text()).contains(says),
                 refused.error().text().c_str());
    }

    void namesTheFileThatIsMissing() {
        const QTemporaryDir folder;
        QVERIFY(copyParts(folder) && QFile::remove(folder.filePath("merges.txt")));
        const auto tokenizer = ByteLevelTokenizer::loadFolder(folder.path().toStdString());
        QVERIFY(!tokenizer.ok());
        QVERIFY2(tokenizer.error().text().find("found no merges.txt") != std::string::npos,
                 tokenizer.error().text().c_str());
    }

    void namesThePatternThatItRefuses() {
        QByteArray json = contents(fixture("bloom/tokenizer.json"));
        const QTemporaryDir folder;
        QVERIFY(write(folder.filePath("tokenizer.json"), json.replace(" ?[^", " ?![^")));
        const auto refused = ByteLevelTokenizer::loadFolder(folder.path().toStdString());
        QVERIFY(!refused);
        QVERIFY2(refused.error().message.find(" ?![^") != std::string::npos, refused.error().text().c_str());
    }

    void refusesABlankInFrontOfTexts() {
        const QTemporaryDir folder;
        QVERIFY(copyParts(folder));
        QVERIFY(write(folder.filePath("tokenizer_config.json"), R"({"add_prefix_space": true})"));
        const auto refused = ByteLevelTokenizer::loadFolder(folder.path().toStdString());
        QVERIFY(!refused);
        QVERIFY(refused.error().message.find("tokenizer_config.json") != std::string::npos);
    }

    void refusesTooManyAddedTokens() {
        const QTemporaryDir folder;
        QVERIFY(copyParts(folder));
        QByteArray added;
        for (int i = 0; i < 100'000; ++i)
            added +=
                (i == 0 ? "{\"<" : ",\"<") + QByteArray::number(i) + ">\":" + QByteArray::number(1000 + i);
        QVERIFY(write(folder.filePath("added_tokens.json"), added + '}'));
        const auto refused = ByteLevelTokenizer::loadFolder(folder.path().toStdString());
        QVERIFY(!refused);
        QVERIFY2(refused.error().message.find("at most 65536 added tokens, found 100") != std::string::npos,
                 refused.error().text().c_str());
    }

    void findsTheLongestAddedToken() {
        const QTemporaryDir folder;
        QVERIFY(copyParts(folder));
        QVERIFY(write(folder.filePath("added_tokens.json"), R"({"<a": 345, "<a><b>": 346, "<a>": 347})"));
        const ByteLevelTokenizer tokenizer = loaded(folder.path());
        QCOMPARE(tokenizer.encode("<a<a><b><a>"), (std::vector<int32_t>{345, 346, 347}));
    }

    void saysWhatIsMissing() {
        const QTemporaryDir folder;
        const auto refused = ByteLevelTokenizer::loadFolder(folder.path().toStdString());
        QVERIFY(!refused);
        QVERIFY(refused.error().message.find("tokenizer.json, or as vocab.json and merges.txt") !=
                std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TestByteLevelTokenizer)
#include "tst_byte_level_tokenizer.moc"
