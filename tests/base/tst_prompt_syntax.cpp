// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What of a prompt other programs understand, and what is somebody's own words.
#include "core/base/text/prompt_syntax.h"

#include <QtTest>

using namespace homebooth::core;

class TestPromptSyntax : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void ofEachKindTheFirstIsNamed_data();
    void ofEachKindTheFirstIsNamed();
    void wildcardsAreNamed();
    void longPromptsAreReadAtOnce();
};

void TestPromptSyntax::ofEachKindTheFirstIsNamed_data() {
    QTest::addColumn<QByteArray>("tag");
    QTest::addColumn<QByteArray>("change");
    const auto row = [](const char* prompt, const char* tag, const char* change) {
        QTest::newRow(prompt) << QByteArray(tag) << QByteArray(change);
    };
    row("a photo of sks dog", "", "");
    row("a dog <lora:rex:0.8>, <lora:b:1>", "<lora:rex:0.8>", "");
    row("<lyco:a>", "<lyco:a>", "");
    row("<hypernet:gloom:0.4>", "<hypernet:gloom:0.4>", "");
    row("<lora:>, <lora::1>, <lora:a <b>, <cat-toy>", "", "");
    row("(masterpiece:1.2), (b:1.1)", "", "");
    row("(a (red: .8 ) hat:1.1)", "", "");
    row("(a hat:2), x", "", "");
    row("((a hat))", "", "");
    row("[[a hat]]", "", "");
    row("a (small) hat, [sic]", "", "");
    row("a (very (small)) hat", "", "");
    row("((a) and (b))", "", "");
    row("at noon (12:30), in 16:9 (16:9)", "", "");
    row("smile :), a (hat:1.2", "", "");
    row("rex \\(dog:1.2\\), \\((a)\\)", "", "");
    row("\\\\(dog:1.2)", "", "");
    row("a [cat|dog] there", "", "[cat|dog]");
    row("a [cat:dog:0.5], [hat:8]", "", "[cat:dog:0.5]");
    row("{red|blue} [hat]", "", "");
    row("a hat BREAK a cat", "", "BREAK");
    row("BREAKFAST and TEA_BREAK", "", "");
    row("A COFFEE BREAK", "", "");
    row("a cat AND a dog", "", "AND");
    row("a sign: ROCK AND ROLL", "", ""); // a word
    row("a cat, AND", "", "");
    for (const char* words : {"a dog (AND a cat)", "a cat AND(a dog)", "a cat AND: a dog"})
        row(words, "", "");
}

void TestPromptSyntax::ofEachKindTheFirstIsNamed() {
    QFETCH(QByteArray, tag);
    QFETCH(QByteArray, change);
    const PromptSyntax found = promptSyntax(QTest::currentDataTag());
    QCOMPARE(QByteArray::fromStdString(found.tag), tag);
    QCOMPARE(QByteArray::fromStdString(found.change), change);
    QCOMPARE(found.any(), !(tag + change).isEmpty());
}

void TestPromptSyntax::wildcardsAreNamed() {
    for (const char* wildcard : {"__animals__", "__my pets/big_cats__", "{2$$a|b|c}", "{1-2$$ and $$a|b}"}) {
        const std::string prompt = std::string("a photo of ").append(wildcard).append(", x");
        QCOMPARE(promptSyntax(prompt).wildcard, std::string(wildcard));
        QVERIFY(promptSyntax(prompt).any());
        QCOMPARE(syntaxWarnings(promptSyntax(prompt)).size(), size_t{1});
    }
    for (const char* words : {"{a|b}", "{animals}", "a ____ b", "snake__case__name", "costs $$, {a}", "__a"})
        QVERIFY2(!promptSyntax(words).any(), words);
}

void TestPromptSyntax::longPromptsAreReadAtOnce() {
    constexpr size_t kMany = 1'000'000;
    QVERIFY(!promptSyntax(std::string(kMany, '[').append(std::string(kMany, ']'))).any());
    std::string nested(kMany, '[');
    nested.append("a|b").append(std::string(kMany, ']'));
    QCOMPARE(promptSyntax(nested).change, std::string("[a|b]"));
    QCOMPARE(changingWords(nested).size(), size_t{1}); // the others weigh
    for (const char sign : {'<', '_', '$', '{'}) QVERIFY(!promptSyntax(std::string(kMany, sign)).any());
    QVERIFY(!promptSyntax(std::string(kMany, '(')).any());
}

QTEST_APPLESS_MAIN(TestPromptSyntax)
#include "tst_prompt_syntax.moc"
