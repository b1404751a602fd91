// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Prompts whose brackets weigh words are read as A1111's web UI documents it, and cut into tokens.
#include "core/base/text/byte_pair.h"
#include "core/base/text/prompt_weights.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

using namespace homebooth::core;

namespace {

using Pieces = std::vector<PromptPiece>;

QByteArray inWords(const Pieces& pieces) {
    QByteArray words;
    for (const PromptPiece& piece : pieces)
        words += '<' + QByteArray::fromStdString(piece.text) + '>' +
                 QByteArray::number(piece.weight, 'g', 17) + ' ';
    return words;
}

/// A prompt, by which the row is called, and what it is read as.
void row(const char* prompt, const Pieces& pieces) {
    QTest::newRow(prompt) << pieces;
}

void checkRow() {
    QFETCH(Pieces, pieces);
    const Pieces found = promptPieces(QTest::currentDataTag());
    QVERIFY2(found == pieces, inWords(found).constData());
}

/// All byte symbols, "dog", start and end; words of other letters have as many tokens as letters.
Result<ClipTokenizer> smallTokenizer() {
    QJsonObject ids;
    const auto add = [&ids](const std::string& entry) {
        ids.insert(QString::fromStdString(entry), static_cast<qint64>(ids.size()));
    };
    for (const std::string& symbol : byteSymbolsInOrder()) add(symbol);
    for (const std::string& symbol : byteSymbolsInOrder()) add(symbol + "</w>");
    for (const char* entry : {"do", "dog</w>", "<|startoftext|>", "<|endoftext|>"}) add(entry);
    return ClipTokenizer::loadFiles({{"vocab.json", QJsonDocument(ids).toJson().toStdString()},
                                     {"merges.txt", "#version: 0.2\nd o\ndo g</w>\n"}},
                                    "small");
}

} // namespace

class TestPromptWeights : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void bracketsWeighWords_data();
    void bracketsWeighWords();
    void whatIsNotDoneIsWords_data();
    void whatIsNotDoneIsWords();
    void whatHasNoBracketStaysAsItIs_data();
    void whatHasNoBracketStaysAsItIs();
    void anyTextCanBeAskedForAsWords();
    void longPromptsAreReadAtOnce();
    void eachPieceNamesItsOwnWords();
    void eachTokenHasTheWeightOfItsPiece();
    void wordsThatCountAlikeAreCutAsEver();
    void whatDoesNotFitIsCut();
};

void TestPromptWeights::bracketsWeighWords_data() {
    QTest::addColumn<Pieces>("pieces");
    // As documented there.
    row("an (important) word", {{"an ", 1.0}, {"important", 1.1}, {" word", 1.0}});
    row("(unbalanced", {{"unbalanced", 1.1}});
    row("\\(literal\\]", {{"(literal]", 1.0}});
    row("(unnecessary)(parens)", {{"unnecessaryparens", 1.1}});
    row("a (((house:1.3)) [on] a (hill:0.5), sun, (((sky))).", {{"a ", 1.0},
                                                                {"house", 1.5730000000000004},
                                                                {" ", 1.1},
                                                                {"on", 1.0},
                                                                {" a ", 1.1},
                                                                {"hill", 0.55},
                                                                {", sun, ", 1.1},
                                                                {"sky", 1.4641000000000006},
                                                                {".", 1.1}});
    // As it does with the rest.
    row("a (hat:1.3)", {{"a ", 1.0}, {"hat", 1.3}});
    row("((hat))", {{"hat", 1.1 * 1.1}});
    row("[hat]", {{"hat", 1 / 1.1}});
    row("[[hat]]", {{"hat", (1 / 1.1) * (1 / 1.1)}});
    row("[never closed", {{"never closed", 1 / 1.1}});
    row("(a (red: .8 ) hat:1.1)", {{"a ", 1.1}, {"red", 0.8 * 1.1}, {" hat", 1.1}});
    row("(a [b) c]", {{"a ", 1.1}, {"b", 1.1 * (1 / 1.1)}, {" c", 1 / 1.1}});
    row("(rex \\(dog\\):1.3)", {{"rex (dog)", 1.3}});
    row("(a:-1)(b:+2)(c:1.)(d:0)", {{"a", -1.0}, {"b", 2.0}, {"c", 1.0}, {"d", 0.0}});
    row("(16:9)", {{"16", 9.0}});
    row("(hat:1.0) on", {{"hat on", 1.0}});
    row("(a:b:1.2), c:1.2)", {{"a:b", 1.2}, {", c:1.2)", 1.0}});
    row("smile :), (:", {{"smile :), ", 1.0}, {":", 1.1}});
    row("(hat:1.2.3)", {{"hat:1.2.3", 1.1}});
    row("(hat:.)(cap:)", {{"hat:.cap:", 1.1}});
    row("\\\\(hat)", {{"\\", 1.0}, {"hat", 1.1}});
    row("C:\\hats (x)", {{"C:hats ", 1.0}, {"x", 1.1}});
    row("()", {{"", 1.0}});
    row("(x)\\", {{"x", 1.1}, {"", 1.0}});
    row("(blue\xC3\xA9)", {{"blue\xC3\xA9", 1.1}});
}

void TestPromptWeights::bracketsWeighWords() {
    checkRow();
}

// What those programs do on the way.
void TestPromptWeights::whatIsNotDoneIsWords_data() {
    QTest::addColumn<Pieces>("pieces");
    row("a [cat|dog]", {{"a [cat|dog]", 1.0}});
    row("a [cat:dog:0.5] [hat]", {{"a [cat:dog:0.5] ", 1.0}, {"hat", 1 / 1.1}});
    row("[(cat:1.2)|dog]", {{"[", 1.0}, {"cat", 1.2}, {"|dog]", 1.0}});
    row("[a [b|c]]", {{"a [b|c]", 1 / 1.1}});
    row("(a) BREAK b AND c <lora:d:1>", {{"a", 1.1}, {" BREAK b AND c <lora:d:1>", 1.0}});
}

void TestPromptWeights::whatIsNotDoneIsWords() {
    checkRow();
}

void TestPromptWeights::whatHasNoBracketStaysAsItIs_data() {
    QTest::addColumn<QByteArray>("prompt");
    for (const char* prompt : {"", " ", "normal text", "a hat:1.2", "C:\\hats \\ {a|b}, \\"})
        QTest::newRow(prompt[0] == '\0' ? "empty" : prompt) << QByteArray(prompt);
}

void TestPromptWeights::whatHasNoBracketStaysAsItIs() {
    QFETCH(QByteArray, prompt);
    QVERIFY(promptPieces(prompt.toStdString()) == (Pieces{{prompt.toStdString(), 1.0}}));
    QCOMPARE(unweighedPrompt(prompt.toStdString()), prompt.toStdString());
}

void TestPromptWeights::anyTextCanBeAskedForAsWords() {
    for (const std::string text :
         {"a (small) hat", "[sic]", "\\(", "C:\\hats (x)", ":1.2) (a:1.2)", "[a|b:0.5]", "\\\\(\\a", "(("}) {
        const Pieces found = promptPieces(unweighedPrompt(text));
        QVERIFY2(found == (Pieces{{text, 1.0}}), inWords(found).constData());
    }
}

void TestPromptWeights::longPromptsAreReadAtOnce() {
    constexpr size_t kMany = 500'000;
    const Pieces deep = promptPieces(std::string(kMany, '(').append("x").append(std::string(kMany, ')')));
    QCOMPARE(deep.size(), size_t{1});
    QCOMPARE(deep[0].weight, 10'000.0); // finite
    std::string many;
    for (size_t i = 0; i < kMany; ++i) many.append("(a ");
    QCOMPARE(promptPieces(many).back().weight, 10'000.0);
    QCOMPARE(promptPieces(std::string(kMany, '(').append("x:0)")).size(), size_t{1});
}

void TestPromptWeights::eachPieceNamesItsOwnWords() {
    QVERIFY(namesWord(promptPieces("a (Moon-Dog:1.2), x"), "moon-dog"));
    QVERIFY(namesWord(promptPieces("a moon \\(2\\), (x)"), "moon (2)"));
    QVERIFY(!namesWord(promptPieces("a moon-(dog)"), "moon-dog"));
    QVERIFY(!namesWord(promptPieces("a moon-dogs"), "moon-dog"));
}

void TestPromptWeights::eachTokenHasTheWeightOfItsPiece() {
    auto tokenizer = smallTokenizer();
    QVERIFY(tokenizer.ok());
    const std::vector<PromptPlaceholder> words = {{"moon", 1000, 3}}; // that many vectors
    tokenizer->setPlaceholders(words);
    const WeighedText found = tokenizePieces(*tokenizer, promptPieces("dog (ab:2) [moon]"), 10);
    std::vector<int64_t> ids{tokenizer->startToken(),
                             tokenizer->idOf("dog</w>"),
                             tokenizer->idOf("a"),
                             tokenizer->idOf("b</w>"),
                             1000,
                             1001,
                             1002};
    ids.resize(10, tokenizer->endToken());
    QCOMPARE(found.tokens.ids, ids);
    const auto less = static_cast<float>(1 / 1.1);
    QCOMPARE(found.weights, (std::vector<float>{1, 1, 2, 2, less, less, less, 1, 1, 1}));
    QCOMPARE(found.tokens.textTokens, int64_t{6}); // brackets and numbers are none
    QVERIFY(!found.tokens.truncated);
}

void TestPromptWeights::wordsThatCountAlikeAreCutAsEver() {
    auto tokenizer = smallTokenizer();
    QVERIFY(tokenizer.ok());
    for (const char* prompt : {"", "a dog, a cat", "(a dog, a:1.0) cat"}) {
        const Pieces pieces = promptPieces(prompt);
        const WeighedText found = tokenizePieces(*tokenizer, pieces, 8);
        const TokenizedText plain = tokenizer->tokenize(pieces.front().text, 8);
        QVERIFY(found.weights.empty());
        QCOMPARE(found.tokens.ids, plain.ids);
        QCOMPARE(found.tokens.textTokens, plain.textTokens);
        QCOMPARE(found.tokens.truncated, plain.truncated);
    }
}

void TestPromptWeights::whatDoesNotFitIsCut() {
    auto tokenizer = smallTokenizer();
    QVERIFY(tokenizer.ok());
    const int64_t dog = tokenizer->idOf("dog</w>");
    const WeighedText found = tokenizePieces(*tokenizer, promptPieces("dog (dog dog dog:2) dog (dog)"), 5);
    QCOMPARE(found.tokens.ids,
             (std::vector<int64_t>{tokenizer->startToken(), dog, dog, dog, tokenizer->endToken()}));
    QCOMPARE(found.weights, (std::vector<float>{1, 1, 2, 2, 1}));
    QCOMPARE(found.tokens.textTokens, int64_t{6});
    QVERIFY(found.tokens.truncated);
    const WeighedText full = tokenizePieces(*tokenizer, promptPieces("dog (dog)"), 4);
    QVERIFY(!full.tokens.truncated);
    QCOMPARE(full.weights, (std::vector<float>{1, 1, 1.1F, 1}));
}

QTEST_APPLESS_MAIN(TestPromptWeights)
#include "tst_prompt_weights.moc"
