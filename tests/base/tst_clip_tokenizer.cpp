// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The tokenizer against the reference's ids (tests/reference/make_tokenizer_fixture.py), and its files.
#include "core/base/text/byte_pair.h"
#include "core/base/text/clip_tokenizer.h"
#include "core/base/text/clip_vocabulary.h"
#include "tests/computed_time.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <sys/stat.h>

using namespace homebooth::core;

namespace {

const std::filesystem::path kPublished =
    std::filesystem::path(HOMEBOOTH_DEPS_DIR) / "vocabulary/open_clip/bpe_simple_vocab_16e6.txt.gz";

using Ids = std::vector<int64_t>;

Ids idsOf(const QJsonArray& array) {
    Ids ids;
    for (const QJsonValue& value : array) ids.push_back(value.toInteger());
    return ids;
}

/// Cut, framed and filled up as the reference does it, which the script checks for each text.
Ids padded(const Ids& tokens, size_t length) {
    constexpr int64_t kStart = 49406;
    constexpr int64_t kEnd = 49407;
    Ids ids{kStart};
    ids.insert(ids.end(), tokens.begin(), tokens.begin() + std::min(tokens.size(), length - 2));
    ids.resize(length, kEnd);
    ids.back() = kEnd;
    return ids;
}

bool writeText(const QString& path, const QByteArray& text) {
    QFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(text) == text.size();
}

/// A small vocabulary by hand: all byte symbols, the merges for "dog" and "a", start and end.
struct SmallVocabulary {
    QJsonObject ids;
    QByteArray merges = "#version: 0.2\nd o\ndo g</w>\n";

    SmallVocabulary() {
        for (const std::string& symbol : byteSymbolsInOrder()) add(symbol);
        for (const std::string& symbol : byteSymbolsInOrder()) add(symbol + "</w>");
        for (const char* entry : {"do", "dog</w>", "<|startoftext|>", "<|endoftext|>"}) add(entry);
    }
    void add(const std::string& entry) {
        const auto next = ids.size();
        ids.insert(QString::fromStdString(entry), static_cast<qint64>(next));
    }
    bool write(const QString& folder) const {
        return writeText(folder + "/vocab.json", QJsonDocument(ids).toJson()) &&
               writeText(folder + "/merges.txt", merges);
    }
};

Result<ClipTokenizer> load(const QTemporaryDir& folder) {
    return ClipTokenizer::loadFolder(folder.path().toStdString());
}

} // namespace

class TestClipTokenizer : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void equalsReferenceOnAllScripts();
    void folderEqualsPublishedVocabulary();
    void padsAndTruncatesToLength();
    void padTokenOfSd2StandsAloneInPrompts();
    void addedTokensAreTakenWhole();
    void placeholdersStandForTheirIds();
    void shortenedVocabularyLoads();
    void readsTokenizerJsonWhereVocabularyIsMissing();
    void malformedUtf8BecomesReplacement();
    void tenThousandCharactersAreFast();
    void badFilesAreNamed_data();
    void badFilesAreNamed();
    void tooManyAddedTokensAreRefused();
    void pipeDoesNotBlock();

private:
    std::optional<ClipTokenizer> m_published;
};

void TestClipTokenizer::initTestCase() {
    auto loaded = ClipTokenizer::loadPublished(kPublished);
    if (!loaded) QFAIL(loaded.error().text().c_str());
    m_published = std::move(loaded).value();
    QCOMPARE(m_published->vocabularySize(), int64_t{49408});
    QCOMPARE(m_published->startToken(), int64_t{49406});
    QCOMPARE(m_published->endToken(), int64_t{49407});
    QCOMPARE(m_published->padToken(), int64_t{49407});
}

void TestClipTokenizer::equalsReferenceOnAllScripts() {
    QFile file(HOMEBOOTH_FIXTURES_DIR "/tokenizer_clip.json");
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QJsonObject fixture = QJsonDocument::fromJson(file.readAll()).object();
    const QJsonArray cases = fixture["cases"].toArray();
    QCOMPARE(cases.size(), 500);
    for (const QJsonValue& value : cases) {
        const std::string text = value["text"].toString().toStdString();
        const Ids tokens = idsOf(value["tokens"].toArray());
        QCOMPARE(m_published->tokens(text), tokens);
        QCOMPARE(m_published->encode(text), padded(tokens, static_cast<size_t>(fixture["padTo"].toInt())));
    }
}

void TestClipTokenizer::folderEqualsPublishedVocabulary() {
    const QTemporaryDir folder;
    auto files = readPublishedClipVocabulary(kPublished);
    QVERIFY(files.ok());
    QJsonObject ids;
    for (const auto& [entry, id] : files->ids)
        ids.insert(QString::fromStdString(entry), static_cast<qint64>(id));
    QByteArray merges = "#version: 0.2\r\n";
    for (const auto& [left, right] : files->merges)
        merges += QByteArray::fromStdString(left + " " + right + "\r\n");
    QVERIFY(writeText(folder.filePath("vocab.json"), QJsonDocument(ids).toJson(QJsonDocument::Compact)));
    QVERIFY(writeText(folder.filePath("merges.txt"), merges));
    auto loaded = load(folder);
    QVERIFY2(loaded.ok(), loaded ? "" : loaded.error().text().c_str());
    for (const char* text : {"a photo of sks dog", "l'été à Paris, 2026!", "\U0001F680 ракета", "don't"}) {
        QCOMPARE(loaded->encode(text), m_published->encode(text));
    }
}

void TestClipTokenizer::padsAndTruncatesToLength() {
    const TokenizedText brief = m_published->tokenize("a dog", 6);
    QCOMPARE(brief.ids, (Ids{49406, 320, 1929, 49407, 49407, 49407}));
    QCOMPARE(brief.textTokens, int64_t{2});
    QVERIFY(!brief.truncated);
    const TokenizedText cut = m_published->tokenize("a dog a dog a dog", 6);
    QCOMPARE(cut.ids, (Ids{49406, 320, 1929, 320, 1929, 49407}));
    QCOMPARE(cut.textTokens, int64_t{6});
    QVERIFY(cut.truncated);
    QVERIFY(!m_published->tokenize("a dog a dog", 6).truncated);
    QCOMPARE(m_published->encode("", 0).size(), size_t{77});
}

void TestClipTokenizer::padTokenOfSd2StandsAloneInPrompts() {
    const QTemporaryDir folder;
    QVERIFY(SmallVocabulary().write(folder.path()));
    QVERIFY(writeText(folder.filePath("tokenizer_config.json"),
                      R"({"pad_token": "<|endoftext|>", "model_max_length": 9})"));
    QVERIFY(writeText(folder.filePath("special_tokens_map.json"), R"({"pad_token": "!"})"));
    auto loaded = load(folder);
    QVERIFY2(loaded.ok(), loaded ? "" : loaded.error().text().c_str());
    QCOMPARE(loaded->padToken(), int64_t{0});
    QCOMPARE(loaded->modelMaxLength(), int64_t{9});
    // The reference takes "!" as a special token then: it never becomes "!</w>", and "dog!!" has two.
    const int64_t dog = loaded->idOf("dog</w>");
    QCOMPARE(loaded->tokens("dog!!"), (Ids{dog, 0, 0}));
    QCOMPARE(loaded->encode("dog", 0).size(), size_t{9});
    QCOMPARE(loaded->encode("dog", 0).back(), int64_t{0});
    loaded->setPadToken(loaded->endToken());
    QCOMPARE(loaded->encode("dog", 0).back(), loaded->endToken());
}

void TestClipTokenizer::addedTokensAreTakenWhole() {
    ClipTokenizer tokenizer = *m_published;
    QCOMPARE(tokenizer.addToken("<sks>"), int64_t{49408});
    QCOMPARE(tokenizer.addToken("<sks>"), int64_t{49408});
    QCOMPARE(tokenizer.addToken("Foo Bar"), int64_t{49409});
    QCOMPARE(tokenizer.vocabularySize(), int64_t{49410});
    QCOMPARE(tokenizer.tokenText(49408), std::string("<sks>"));
    QCOMPARE(tokenizer.tokens("a <sks>dog <SKS> foo bar"), (Ids{320, 49408, 1929, 49408, 49409}));
    QCOMPARE(m_published->vocabularySize(), int64_t{49408}); // copies are independent
}

void TestClipTokenizer::placeholdersStandForTheirIds() {
    ClipTokenizer tokenizer = *m_published;
    const int64_t first = tokenizer.vocabularySize();
    const std::vector<PromptPlaceholder> two = {{"dog", first, 2}, {"<Bad Hands>", first + 2, 1}};
    tokenizer.setPlaceholders(two);
    QCOMPARE(tokenizer.vocabularySize(), first);
    QCOMPARE(tokenizer.tokens("a Dog, dogs"), (Ids{320, first, first + 1, 267, 3255}));
    Ids plain = m_published->tokens("hotdog dog_");
    plain.insert(plain.end(), {first + 2, 267});
    QCOMPARE(tokenizer.tokens("hotdog dog_ <bad  hands>,"), plain);
    QCOMPARE(tokenizer.tokens("<bad hands>s").front(), first + 2);
    QCOMPARE(tokenizer.tokenize("dog dog", 5).ids, (Ids{49406, first, first + 1, first, 49407}));
    QVERIFY(tokenizer.tokenize("dog dog", 5).truncated);
    tokenizer.setPlaceholders({});
    QCOMPARE(tokenizer.tokens("a dog"), (Ids{320, 1929}));

    // Where a longer one does not stand alone, a shorter one may.
    const std::vector<PromptPlaceholder> within = {{"bad dog", first, 1}, {" bad ", first + 1, 1}};
    tokenizer.setPlaceholders(within);
    QCOMPARE(tokenizer.tokens("bad dog bad dogs, bad"),
             (Ids{first, first + 1, m_published->tokens("dogs").front(), 267, first + 1}));
    tokenizer.addToken("bad"); // the vocabulary's own goes behind
    tokenizer.setPlaceholders(within);
    QCOMPARE(tokenizer.tokens("bad"), Ids{first + 1});
}

void TestClipTokenizer::shortenedVocabularyLoads() {
    const QTemporaryDir folder;
    QVERIFY(SmallVocabulary().write(folder.path()));
    auto loaded = load(folder);
    QVERIFY2(loaded.ok(), loaded ? "" : loaded.error().text().c_str());
    QCOMPARE(loaded->vocabularySize(), int64_t{516});
    QCOMPARE(loaded->startToken(), int64_t{514});
    QCOMPARE(loaded->endToken(), int64_t{515});
    const auto id = [&loaded](const char* entry) { return loaded->idOf(entry); };
    QCOMPARE(loaded->tokens("Dog dot"), (Ids{id("dog</w>"), id("do"), id("t</w>")}));
    QCOMPARE(loaded->tokens("é"),
             (Ids{id(byteSymbol(0xC3).c_str()), id((byteSymbol(0xA9) + "</w>").c_str())}));
}

void TestClipTokenizer::readsTokenizerJsonWhereVocabularyIsMissing() {
    const QTemporaryDir folder;
    const SmallVocabulary small;
    const QJsonObject model{{"vocab", small.ids},
                            {"merges", QJsonArray{QJsonArray{"d", "o"}, QJsonArray{"do", "g</w>"}}}};
    const QJsonObject added{{"id", 516}, {"content", "<sks>"}, {"normalized", true}, {"special", false}};
    const QJsonObject whole{{"model", model}, {"added_tokens", QJsonArray{added}}};
    QVERIFY(writeText(folder.filePath("tokenizer.json"), QJsonDocument(whole).toJson()));
    auto loaded = load(folder);
    QVERIFY2(loaded.ok(), loaded ? "" : loaded.error().text().c_str());
    QCOMPARE(loaded->tokens("dog <SKS>"), (Ids{loaded->idOf("dog</w>"), 516}));
}

void TestClipTokenizer::malformedUtf8BecomesReplacement() {
    // One U+FFFD for each longest start of a sequence, as Python's errors="replace".
    QCOMPARE(m_published->tokens("\xff"), m_published->tokens("\uFFFD"));
    QCOMPARE(m_published->tokens("\xe2\x82 \xf0\x9f\x98"), m_published->tokens("\uFFFD \uFFFD"));
    QCOMPARE(m_published->tokens("\xed\xa0\x80"), m_published->tokens("\uFFFD\uFFFD\uFFFD"));
    QCOMPARE(m_published->tokens("\xc0\xaf"), m_published->tokens("\uFFFD\uFFFD"));
    QCOMPARE(m_published->tokens(std::string_view("a\0b", 3)).size(), size_t{3});
}

void TestClipTokenizer::tenThousandCharactersAreFast() {
    std::string words, run, marks = "e";
    while (words.size() < 10'000) words += "a photo of sks dog, ";
    run.assign(10'000, 'a');
    for (int i = 0; i < 10'000; ++i) marks += i % 2 ? "\u0301" : "\u0323";
    for (const std::string& text : {words, run, marks}) {
        const homebooth::testing::ComputedTime timer;
        const TokenizedText cut = m_published->tokenize(text);
        QVERIFY(cut.truncated);
        QCOMPARE(cut.ids.size(), size_t{77});
        QVERIFY2(timer.isBelow(1000), qPrintable(QString::number(timer.ms()) + " ms"));
    }
}

void TestClipTokenizer::badFilesAreNamed_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("content");
    QTest::newRow("empty vocabulary") << "vocab.json" << QByteArray();
    QTest::newRow("list as vocabulary") << "vocab.json" << QByteArray("[1, 2]");
    QTest::newRow("no entries") << "vocab.json" << QByteArray("{}");
    QTest::newRow("negative id") << "vocab.json" << QByteArray(R"({"a": -1})");
    QTest::newRow("huge id") << "vocab.json" << QByteArray(R"({"a": 9000000000000})");
    QTest::newRow("text as id") << "vocab.json" << QByteArray(R"({"a": "1"})");
    QTest::newRow("deep nesting") << "vocab.json" << QByteArray(200'000, '[');
    QTest::newRow("no end token") << "tokenizer_config.json" << QByteArray(R"({"eos_token": ""})");
    QTest::newRow("three parts") << "merges.txt" << QByteArray("a b c\n");
    QTest::newRow("one part") << "merges.txt" << QByteArray("ab\n");
    QTest::newRow("unknown merge") << "merges.txt" << QByteArray("x y\n");
    QTest::newRow("damaged map") << "special_tokens_map.json" << QByteArray("{\"pad_token\": ");
}

void TestClipTokenizer::badFilesAreNamed() {
    QFETCH(QString, name);
    QFETCH(QByteArray, content);
    const QTemporaryDir folder;
    QVERIFY(SmallVocabulary().write(folder.path()));
    QVERIFY(writeText(folder.filePath(name), content));
    auto loaded = load(folder);
    QVERIFY(!loaded.ok());
    QCOMPARE(loaded.error().code, ErrorCode::BadInput);
    QVERIFY2(loaded.error().context.find(folder.path().toStdString()) == 0, loaded.error().text().c_str());
}

void TestClipTokenizer::tooManyAddedTokensAreRefused() {
    const QTemporaryDir folder;
    QVERIFY(SmallVocabulary().write(folder.path()));
    QByteArray added;
    for (int i = 0; i < 100'000; ++i)
        added += (i == 0 ? "{\"<" : ",\"<") + QByteArray::number(i) + ">\":" + QByteArray::number(1000 + i);
    QVERIFY(writeText(folder.filePath("added_tokens.json"), added + '}'));
    auto loaded = load(folder);
    QVERIFY(!loaded.ok());
    QVERIFY2(loaded.error().message.find("at most 65536 added tokens, found 100") != std::string::npos,
             loaded.error().text().c_str());
}

void TestClipTokenizer::pipeDoesNotBlock() {
    const QTemporaryDir folder;
    QVERIFY(SmallVocabulary().write(folder.path()));
    QVERIFY(QFile::remove(folder.filePath("vocab.json")));
    QCOMPARE(::mkfifo(folder.filePath("vocab.json").toLocal8Bit().constData(), 0600), 0);
    auto loaded = load(folder);
    QVERIFY(!loaded.ok());
    QVERIFY2(loaded.error().message.find("named pipe") != std::string::npos, loaded.error().text().c_str());
    QVERIFY(!ClipTokenizer::loadPublished(folder.filePath("merges.txt").toStdString()).ok());
}

QTEST_GUILESS_MAIN(TestClipTokenizer)
#include "tst_clip_tokenizer.moc"
