// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Prompts with places to fill in: by the seed alone, out of lists, within limits.
#include "app/pages/generate/generate_form.h"
#include "app/pages/generate/prompt_text.h"
#include "app_fixture.h"
#include "core/base/text/prompt_weights.h"

#include <QMap>
#include <QSet>

using namespace homebooth;
using namespace homebooth::app;

class PromptTextTest : public QObject {
    Q_OBJECT
public:
    explicit PromptTextTest(const TestPlace&) {}
private Q_SLOTS:
    void init() { failOnAnyWarning(); }
    void fillsPrompts();
    void signsOfPlacesAreHidden();
    void promptsTakeFromLists();
    void placesAreFilledWithinLimits_data();
    void placesAreFilledWithinLimits();
};

void PromptTextTest::fillsPrompts() {
    const QString subject = QStringLiteral("ohwx toy");
    const auto fill = [&subject](const char* text, uint64_t seed = 1) {
        return fillPrompt(QString::fromLatin1(text), subject, {}, seed).text;
    };
    const QStringList both{QStringLiteral("a ohwx toy on a red box"),
                           QStringLiteral("a ohwx toy on a blue box")};
    QSet<QString> seen;
    for (uint64_t seed = 0; seed < 40; ++seed) {
        const QString now = fill("a {subject} on a {red|blue} box", seed);
        QVERIFY2(both.contains(now), qPrintable(now));
        QCOMPARE(fill("a {subject} on a {red|blue} box", seed), now); // by the seed alone
        seen.insert(now);
    }
    QCOMPARE(seen.size(), 2);
    QCOMPARE(fill("{a {subject}|a {subject}}"), QStringLiteral("a ohwx toy"));
    QCOMPARE(fill("open { brace"), QStringLiteral("open { brace"));
    QCOMPARE(fill("close } brace"), QStringLiteral("close } brace"));
    QCOMPARE(fill("a {robot} and a { tin  man }"), QStringLiteral("a {robot} and a { tin  man }"));
    QCOMPARE(fill("\\{subject\\} is {subject}"), QStringLiteral("{subject} is ohwx toy"));
    QCOMPARE(fill("{a \\}|a \\}}"), QStringLiteral("a }"));
    QCOMPARE(fill("{robot \\{ 2}"), QStringLiteral("{robot { 2}"));
    QCOMPARE(fill("(red:1.2) \\(a\\) C:\\"), QStringLiteral("(red:1.2) \\(a\\) C:\\"));
    QCOMPARE(fill(""), QString());
    QVERIFY(isTemplate(QStringLiteral("a {b}")) && !isTemplate(QStringLiteral("a { b")));
    for (const char* text :
         {"a {robot}", "a {subject} {", "\\{a|b\\}", "} a {red|blue}", "a \\ {{b}}", "a { b"})
        QCOMPARE(fillPrompt(literalPrompt(QString::fromLatin1(text)), subject, {}, 1).text,
                 QString::fromLatin1(text));
    // As words alone: no bracket weighs.
    for (const char* text : {"a (small) {robot}", "[a|b] {red|blue}", "\\{ (x) \\", "a {subject}"}) {
        const QString asked = fillPrompt(literalWords(QString::fromLatin1(text)), subject, {}, 1).text;
        const std::vector<core::PromptPiece> pieces = core::promptPieces(asked.toStdString());
        QCOMPARE(pieces.size(), size_t{1});
        QCOMPARE(QString::fromStdString(pieces[0].text), QString::fromLatin1(text));
        QCOMPARE(pieces[0].weight, 1.0);
    }
}

void PromptTextTest::signsOfPlacesAreHidden() {
    // Of what stays, each bar and colon.
    const auto rest = [](const char* text) {
        const QString prompt = QString::fromLatin1(text);
        const QString hidden = hidePlaces(prompt);
        [&] { QCOMPARE(showPlaces(hidden), prompt); }();
        [&] { QCOMPARE(hidden.toUtf8().size(), prompt.toUtf8().size()); }();
        QString signs;
        for (const QChar sign : hidden)
            if (sign == '|' || sign == ':') signs += sign;
        return signs;
    };
    QCOMPARE(rest("a [{red|blue} hat]"), QString());
    QCOMPARE(rest("a [{red|{a:b}|blue}|hat:1]"), QStringLiteral("|:"));
    QCOMPARE(rest("{[cat:dog:0.5]|owl}"), QStringLiteral("::"));
    QCOMPARE(rest("a { b|c"), QStringLiteral("|"));
    QCOMPARE(rest("\\{a|b\\} {c:d}"), QStringLiteral("|"));
    QCOMPARE(rest("a hat"), QString());
}

void PromptTextTest::promptsTakeFromLists() {
    using Problem = FilledPrompt::Problem;
    const EntriesOf lists = [](const QString& name) -> std::optional<QStringList> {
        if (name == QLatin1String("animal")) return QStringList{"cat", "dog", "{big|small} {bird}"};
        if (name == QLatin1String("bird")) return QStringList{"owl"};
        if (name == QLatin1String("none")) return QStringList{};
        if (name == QLatin1String("egg")) return QStringList{"of a {hen}"};
        if (name == QLatin1String("hen")) return QStringList{"out of an {egg}"};
        return std::nullopt;
    };
    QMap<QString, int> seen;
    for (uint64_t seed = 0; seed < 300; ++seed) {
        const FilledPrompt now = fillPrompt(QStringLiteral("a { animal }"), {}, lists, seed);
        QVERIFY(now.problem == Problem::None);
        ++seen[now.text];
    }
    QCOMPARE(seen.keys(), (QStringList{QStringLiteral("a big owl"), QStringLiteral("a cat"),
                                       QStringLiteral("a dog"), QStringLiteral("a small owl")}));
    QVERIFY2(seen[QStringLiteral("a cat")] > 70 && seen[QStringLiteral("a cat")] < 130, "a third of them");
    const auto problem = [&lists](const char* text) {
        const FilledPrompt now = fillPrompt(QString::fromLatin1(text), {}, lists, 1);
        return std::pair(now.problem, now.list);
    };
    const FilledPrompt unknown = fillPrompt(QStringLiteral("a {anmal} {bird} {anmal}"), {}, lists, 1);
    QVERIFY(unknown.problem == Problem::None);
    QCOMPARE(unknown.text, QStringLiteral("a {anmal} owl {anmal}"));
    QCOMPARE(unknown.unknown, QStringList{QStringLiteral("anmal")});
    QVERIFY(problem("{animal} and {none}") == std::pair(Problem::EmptyList, QStringLiteral("none")));
    QVERIFY(problem("{egg}") == std::pair(Problem::ListWithinItself, QStringLiteral("egg")));
    QVERIFY(problem("{bird} and {bird}").first == Problem::None); // twice is not within itself
}

void PromptTextTest::placesAreFilledWithinLimits_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("entry"); // of each list; {next} is the next list
    QTest::addColumn<int>("lists");     // that have it; the others have an empty one
    QTest::addColumn<FilledPrompt::Problem>("problem");
    using enum FilledPrompt::Problem;
    const auto nested = [](int depth) {
        return QStringLiteral("{").repeated(depth) + QStringLiteral("a|b") +
               QStringLiteral("}").repeated(depth);
    };
    const QString first = QStringLiteral("{1}");
    const QString two = QStringLiteral("{next}{next}");
    QTest::newRow("lists without end") << first << QStringLiteral("a {next}") << 1000 << TooDeep;
    QTest::newRow("16 lists deep") << first << QStringLiteral("a {next}") << 14 << None;
    QTest::newRow("17 lists deep") << first << QStringLiteral("a {next}") << 15 << TooDeep;
    QTest::newRow("doubled by each list") << first << 'a' + two << 14 << TooLong;
    QTest::newRow("much work for few letters")
        << first << QStringLiteral("{}").repeated(2000) + two << 13 << TooLong;
    QTest::newRow("many places") << first.repeated(3000) << QStringLiteral("words") << 1 << TooLong;
    QTest::newRow("the longest line") << first << QStringLiteral("a").repeated(10'000) << 1 << None;
    QTest::newRow("a longer line") << first << QStringLiteral("a").repeated(10'001) << 1 << TooLong;
    QTest::newRow("16 braces deep") << nested(16) << QString() << 0 << None;
    QTest::newRow("17 braces deep") << nested(17) << QString() << 0 << TooDeep;
    QTest::newRow("4000 braces deep") << nested(4000) << QString() << 0 << TooDeep;
    QTest::newRow("braces without partners")
        << QStringLiteral("{").repeated(9'990) + first << QStringLiteral("a") << 1 << None;
    QTest::newRow("no places") << QStringLiteral("a").repeated(20'000) << QString() << 0 << None;
}

void PromptTextTest::placesAreFilledWithinLimits() {
    QFETCH(QString, text);
    QFETCH(QString, entry);
    QFETCH(int, lists);
    int asked = 0;
    const auto entries = [&](const QString& name) -> std::optional<QStringList> {
        ++asked;
        const int number = name.toInt();
        if (number > lists) return QStringList{QStringLiteral("{}")};
        return QStringList{QString(entry).replace(QStringLiteral("next"), QString::number(number + 1))};
    };
    const FilledPrompt now = fillPrompt(text, {}, entries, 1);
    QTEST(now.problem, "problem");
    QVERIFY2(asked <= kMostPromptDepth, "a list is asked for once");
    if (now.problem == FilledPrompt::Problem::None)
        QVERIFY(!now.text.isEmpty());
    else
        QVERIFY(!promptProblem(now).isEmpty());
}

HOMEBOOTH_APP_TEST_MAIN(PromptTextTest)
#include "tst_prompt_text.moc"
