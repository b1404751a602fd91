// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Prompts with places to fill in: by the seed alone, out of lists, within limits.
#include "app/pages/generate/generate_form.h"
#include "app/pages/generate/prompt/prompt_text.h"
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
    const QString subject = u"ohwx toy"_s;
    const auto fill = [&subject](const char* text, uint64_t seed = 1) {
        return fillPrompt(QString::fromLatin1(text), subject, {}, seed).text;
    };
    const QStringList both{u"a ohwx toy on a red box"_s, u"a ohwx toy on a blue box"_s};
    QSet<QString> seen;
    for (uint64_t seed = 0; seed < 40; ++seed) {
        const QString now = fill("a {subject} on a {red|blue} box", seed);
        QVERIFY2(both.contains(now), qPrintable(now));
        QCOMPARE(fill("a {subject} on a {red|blue} box", seed), now); // by the seed alone
        seen.insert(now);
    }
    QCOMPARE(seen.size(), 2);
    QCOMPARE(fill("{a {subject}|a {subject}}"), u"a ohwx toy"_s);
    QCOMPARE(fill("open { brace"), u"open { brace"_s);
    QCOMPARE(fill("close } brace"), u"close } brace"_s);
    QCOMPARE(fill("a {robot} and a { tin  man }"), u"a {robot} and a { tin  man }"_s);
    QCOMPARE(fill("\\{subject\\} is {subject}"), u"{subject} is ohwx toy"_s);
    QCOMPARE(fill("{a \\}|a \\}}"), u"a }"_s);
    QCOMPARE(fill("{robot \\{ 2}"), u"{robot { 2}"_s);
    QCOMPARE(fill("(red:1.2) \\(a\\) C:\\"), u"(red:1.2) \\(a\\) C:\\"_s);
    QCOMPARE(fill(""), QString());
    QVERIFY(isTemplate(u"a {b}"_s) && !isTemplate(u"a { b"_s));
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
    QCOMPARE(rest("a [{red|{a:b}|blue}|hat:1]"), u"|:"_s);
    QCOMPARE(rest("{[cat:dog:0.5]|owl}"), u"::"_s);
    QCOMPARE(rest("a { b|c"), u"|"_s);
    QCOMPARE(rest("\\{a|b\\} {c:d}"), u"|"_s);
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
        const FilledPrompt now = fillPrompt(u"a { animal }"_s, {}, lists, seed);
        QVERIFY(now.problem == Problem::None);
        ++seen[now.text];
    }
    QCOMPARE(seen.keys(), (QStringList{u"a big owl"_s, u"a cat"_s, u"a dog"_s, u"a small owl"_s}));
    QVERIFY2(seen[u"a cat"_s] > 70 && seen[u"a cat"_s] < 130, "a third of them");
    const auto problem = [&lists](const char* text) {
        const FilledPrompt now = fillPrompt(QString::fromLatin1(text), {}, lists, 1);
        return std::pair(now.problem, now.list);
    };
    const FilledPrompt unknown = fillPrompt(u"a {anmal} {bird} {anmal}"_s, {}, lists, 1);
    QVERIFY(unknown.problem == Problem::None);
    QCOMPARE(unknown.text, u"a {anmal} owl {anmal}"_s);
    QCOMPARE(unknown.unknown, QStringList{u"anmal"_s});
    QVERIFY(problem("{animal} and {none}") == std::pair(Problem::EmptyList, u"none"_s));
    QVERIFY(problem("{egg}") == std::pair(Problem::ListWithinItself, u"egg"_s));
    QVERIFY(problem("{bird} and {bird}").first == Problem::None); // twice is not within itself
}

void PromptTextTest::placesAreFilledWithinLimits_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("entry"); // of each list; {next} is the next list
    QTest::addColumn<int>("lists");     // that have it; the others have an empty one
    QTest::addColumn<FilledPrompt::Problem>("problem");
    using enum FilledPrompt::Problem;
    const auto nested = [](int depth) { return u"{"_s.repeated(depth) + u"a|b"_s + u"}"_s.repeated(depth); };
    const QString first = u"{1}"_s;
    const QString two = u"{next}{next}"_s;
    QTest::newRow("lists without end") << first << u"a {next}"_s << 1000 << TooDeep;
    QTest::newRow("16 lists deep") << first << u"a {next}"_s << 14 << None;
    QTest::newRow("17 lists deep") << first << u"a {next}"_s << 15 << TooDeep;
    QTest::newRow("doubled by each list") << first << 'a' + two << 14 << TooLong;
    QTest::newRow("much work for few letters") << first << u"{}"_s.repeated(2000) + two << 13 << TooLong;
    QTest::newRow("many places") << first.repeated(3000) << u"words"_s << 1 << TooLong;
    QTest::newRow("the longest line") << first << u"a"_s.repeated(10'000) << 1 << None;
    QTest::newRow("a longer line") << first << u"a"_s.repeated(10'001) << 1 << TooLong;
    QTest::newRow("16 braces deep") << nested(16) << QString() << 0 << None;
    QTest::newRow("17 braces deep") << nested(17) << QString() << 0 << TooDeep;
    QTest::newRow("4000 braces deep") << nested(4000) << QString() << 0 << TooDeep;
    QTest::newRow("braces without partners") << u"{"_s.repeated(9'990) + first << u"a"_s << 1 << None;
    QTest::newRow("no places") << u"a"_s.repeated(20'000) << QString() << 0 << None;
}

void PromptTextTest::placesAreFilledWithinLimits() {
    QFETCH(QString, text);
    QFETCH(QString, entry);
    QFETCH(int, lists);
    int asked = 0;
    const auto entries = [&](const QString& name) -> std::optional<QStringList> {
        ++asked;
        const int number = name.toInt();
        if (number > lists) return QStringList{u"{}"_s};
        return QStringList{QString(entry).replace(u"next"_s, QString::number(number + 1))};
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
