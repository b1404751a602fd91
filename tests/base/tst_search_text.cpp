// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What a search takes for the same.
#include "core/base/text/search_text.h"

#include <QTest>

using namespace homebooth::core;

class SearchTextTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void takesTheseForTheSame_data();
    void takesTheseForTheSame();
    void keepsTheseApart_data();
    void keepsTheseApart();
    void splitsAtBlanksOfAllKinds();
};

namespace {

void addPair(const char* name, const char* one, const char* other) {
    QTest::newRow(name) << QByteArray(one) << QByteArray(other);
}

std::string formOf(const QByteArray& text) {
    return searchText(text.toStdString());
}

} // namespace

void SearchTextTest::takesTheseForTheSame_data() {
    QTest::addColumn<QByteArray>("one");
    QTest::addColumn<QByteArray>("other");
    addPair("ASCII", "A Red APPLE", "a red apple");
    addPair("umlaut", "\u00C4pfel", "\u00E4pfel");
    addPair("umlaut in two pieces", "A\u0308pfel", "\u00E4pfel");
    addPair("sharp s", "Stra\u00DFe", "STRASSE");
    addPair("capital sharp s", "STRA\u1E9EE", "strasse");
    addPair("Greek, final sigma", "\u039F\u0394\u039F\u03A3", "\u03BF\u03B4\u03BF\u03C2");
    addPair("Cyrillic", "\u0401\u043B\u043A\u0430", "\u0435\u0308\u043B\u043A\u0430");
    addPair("Turkish capital i with its dot", "\u0130zmir", "i\u0307zmir");
    addPair("Georgian", "\u1C90", "\u10D0");
    addPair("Cherokee", "\u13A0", "\uAB70");
    addPair("a letter without a composed form", "X\u0302", "x\u0302");
    addPair("marks in another order", "q\u0323\u0307", "Q\u0307\u0323");
    addPair("Hangul", "\u1112\u1161\u11AB", "\uD55C");
    addPair("a ligature", "\uFB01sh", "FISH");
    addPair("beyond the first plane", "\U00010400", "\U00010428");
}

void SearchTextTest::takesTheseForTheSame() {
    QFETCH(QByteArray, one);
    QFETCH(QByteArray, other);
    QCOMPARE(formOf(one), formOf(other));
}

void SearchTextTest::keepsTheseApart_data() {
    QTest::addColumn<QByteArray>("one");
    QTest::addColumn<QByteArray>("other");
    addPair("with and without a mark", "a\u0308pfel", "apfel");
    addPair("punctuation", "a-b", "a b");
    addPair("brackets that look like case", "[", "{");
}

void SearchTextTest::keepsTheseApart() {
    QFETCH(QByteArray, one);
    QFETCH(QByteArray, other);
    QVERIFY(formOf(one) != formOf(other));
    QVERIFY(formOf(one).find(formOf(other)) == std::string::npos);
}

void SearchTextTest::splitsAtBlanksOfAllKinds() {
    using Words = std::vector<std::string>;
    QCOMPARE(searchWords("  Red\tAPPLE\n"), (Words{"red", "apple"}));
    QCOMPARE(searchWords("\u00C4\u3000B\u00A0c"), (Words{"\u00E4", "b", "c"}));
    QCOMPARE(searchWords(" \u2003"), Words{});
}

QTEST_APPLESS_MAIN(SearchTextTest)
#include "tst_search_text.moc"
