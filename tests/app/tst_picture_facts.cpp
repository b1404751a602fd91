// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the details tell of a picture: all that it was made with, and when, in the way of the language.
#include "app/library/picture_facts.h"
#include "app/library/when_text.h"
#include "app_fixture.h"
#include "core/base/text/generation_parameters.h"

using namespace homebooth;
using namespace homebooth::app;

class PictureFactsTest : public QObject {
    Q_OBJECT
public:
    explicit PictureFactsTest(const TestPlace&) {}
private Q_SLOTS:
    void init() { failOnAnyWarning(); }
    void samplersWithPercentSignsStayAsTheyAre();
    void theDetailsTellAllThatAPictureWasMadeWith();
    void timesAreOfTheMinuteInTheWayOfTheLanguage();
};

void PictureFactsTest::samplersWithPercentSignsStayAsTheyAre() {
    core::GenerationParameters made;
    made.sampler = "Euler 50%2"; // as another program calls it
    made.steps = 20;
    made.guidanceScale = 3.0;
    core::PictureRecord picture;
    picture.parameters = core::writeGenerationParameters(made);
    const QStringList lines = PictureFacts::of(picture).lines;
    const QString guidance = QLocale().toString(3.0, 'f', 1);
    QVERIFY2(lines.contains(u"Euler 50%2, 20 steps, guidance "_s + guidance), qPrintable(lines.join('\n')));
}

void PictureFactsTest::theDetailsTellAllThatAPictureWasMadeWith() {
    core::GenerationParameters made;
    made.sampler = "Euler";
    made.scheduleType = "Karras";
    made.steps = 20;
    made.clipSkip = 2;
    made.strength = 0.75;
    made.initImage = "cat 50%2.png";
    made.loraHashes = {{"blue dog", "0123456789ab"}};
    const auto lines = [&made] {
        core::PictureRecord picture;
        picture.parameters = core::writeGenerationParameters(made);
        return PictureFacts::of(picture).lines;
    };
    QVERIFY(lines().contains(u"Add-on: blue dog"_s));
    made.loraWeights = {{"blue dog", 0.8}};
    for (const QString& line : {u"Add-on: blue dog "_s + QLocale().toString(0.8), u"Karras spacing"_s,
                                u"clip skip 2"_s, u"Started from cat 50%2.png, 75 % may change"_s})
        QVERIFY2(lines().contains(line), qPrintable(lines().join('\n')));
    made.others = {{"Hires upscale", "2"}}; // its strength is of that
    QVERIFY(lines().filter(u"may change"_s).isEmpty());
}

void PictureFactsTest::timesAreOfTheMinuteInTheWayOfTheLanguage() {
    const QDateTime when(QDate(2026, 11, 30), QTime(19, 51, 7));
    const QLocale german(QLocale::German, QLocale::Germany);
    QCOMPARE(timeOfDayText(when.time(), QLocale::c()), u"19:51"_s);
    QCOMPARE(timeOfDayText(when.time(), german), u"19:51"_s);
    QCOMPARE(timeOfDayText(when.time(), QLocale(QLocale::English, QLocale::UnitedKingdom)), u"19:51"_s);
    QCOMPARE(dateAndTimeText(when, QLocale::c()), u"30 Nov 2026 19:51"_s);
    QCOMPARE(dateAndTimeText(when, QLocale(QLocale::English, QLocale::UnitedKingdom)),
             u"30 Nov 2026 19:51"_s);
    QVERIFY2(dateAndTimeText(when, german).startsWith(u"30. Nov"_s),
             qPrintable(dateAndTimeText(when, german)));
    core::PictureRecord picture;
    picture.createdMs = when.toMSecsSinceEpoch();
    QCOMPARE(PictureFacts::of(picture).lines.last(), dateAndTimeText(when));
}

HOMEBOOTH_APP_TEST_MAIN(PictureFactsTest)
#include "tst_picture_facts.moc"
