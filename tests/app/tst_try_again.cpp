// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Pictures that were not made: they are made again, whatever the form holds by then, and of those behind them
// it is said that they wait.
#include "app/pages/generate/generate_form.h"
#include "app/pages/generate/generate_page.h"
#include "app/pages/generate/model_choice.h"
#include "app/widgets/message_bar.h"
#include "picture_fixture.h"

using namespace homebooth;
using namespace homebooth::app;

namespace {

/// Makes nothing. While the file $TROUBLE is there it ends each job, or itself, as the file says: for want of
/// a card those alone that the processor is not to make.
constexpr const char* kTroubledEngine = R"sh(#!/bin/bash
say() { printf '{"v":1,"seq":1,"time":"2026-11-21T10:00:00.000Z",%s}\n' "$1"; }
end() { say "$(printf '"type":"outcome","outcome":"%s","code":%s' "$@"),$facts"; }
facts='"message":"'"$MESSAGE"'","measured":{},"result":[],"kept":""'
say '"type":"state","state":"ready","detail":"","done":0,"total":0'
while read -r line; do
    case "$line" in *'"stop"'*) continue ;; esac
    trouble=$(cat "$TROUBLE" 2>/dev/null)
    case $trouble$line in
    card*'"device":"cpu"'*) end done 0 ;;
    card*) end failed 3 ;;
    crash*) exit 11 ;;
    fail*) end failed 1 ;;
    *) end done 0 ;;
    esac
    say '"type":"state","state":"ready","detail":"","done":0,"total":0'
done
)sh";

} // namespace

class TryAgainTest : public PicturesTest {
    Q_OBJECT
public:
    using PicturesTest::PicturesTest;
private Q_SLOTS:
    void initTestCase();
    void init();
    void cleanup() { end(); }
    void whatFailedIsMadeWhateverTheFormHolds();
    void bothSidesOfAComparisonAreMadeAgain();
    void theOthersAreSaidToWait();
    void withoutItsCardTheProcessorMakesThem();

private:
    void findModels();
    void endTrouble() { QVERIFY(QFile::remove(m_trouble)); }
    QString m_trouble;
};

void TryAgainTest::initTestCase() {
    QVERIFY(useEngine(m_place, kTroubledEngine));
    m_trouble = m_place.path(QStringLiteral("trouble"));
    qputenv("TROUBLE", m_trouble.toUtf8());
}

void TryAgainTest::init() {
    qputenv("MESSAGE", "");
    beginAgain();
    writeBytes(m_trouble, "fail");
}

void TryAgainTest::findModels() {
    m_services->models.refresh();
    QTRY_VERIFY(m_services->models.find(builtInModel()) != nullptr &&
                m_services->models.find(builtInModel())->looked);
}

void TryAgainTest::whatFailedIsMadeWhateverTheFormHolds() {
    findModels();
    GeneratePage page(m_services->all());
    page.show();
    auto* form = page.findChild<GenerateForm*>();
    form->setPrompt(QStringLiteral("a red apple"));
    form->setCount(3);
    form->setSeed(4021);
    QSignalSpy ended(&m_services->generator, &Generator::ended);
    page.mainButton()->click();
    QTRY_COMPARE(ended.size(), 1);
    form->setPrompt(QStringLiteral("a boat")); // somebody goes on meanwhile
    form->setCount(1);
    form->setSeed(7);
    endTrouble();
    QSignalSpy begun(&m_services->generator, &Generator::begun);
    auto* again = buttonNamed(page.messages(), QStringLiteral("Try again"));
    QVERIFY(again != nullptr);
    again->click();
    QTRY_COMPARE(ended.size(), 2);
    QVERIFY(ended.last().front().toBool());
    QCOMPARE(begun.size(), 1);
    const auto made = begun[0][0].value<core::SampleConfig>();
    QCOMPARE(made.prompt, std::string("a red apple"));
    QCOMPARE(made.seed, uint64_t{4021});
    QCOMPARE(made.count, int64_t{3});
    QCOMPARE(page.messages().count(), 0);
    QCOMPARE(form->prompt(), QStringLiteral("a boat"));
}

void TryAgainTest::bothSidesOfAComparisonAreMadeAgain() {
    findModels();
    addModel(QStringLiteral("other model"), "model");
    GeneratePage page(m_services->all());
    page.show();
    auto* form = page.findChild<GenerateForm*>();
    form->setModel(builtInModel());
    form->setPrompt(QStringLiteral("a red apple"));
    page.findChild<ModelChoice*>()->setComparing(true);
    const QString other = form->otherModel();
    QVERIFY(!other.isEmpty());
    QSignalSpy ended(&m_services->generator, &Generator::ended);
    QSignalSpy begun(&m_services->generator, &Generator::begun);
    page.mainButton()->click();
    QTRY_COMPARE(ended.size(), 2);
    endTrouble();
    buttonNamed(page.messages(), QStringLiteral("Try again"))->click();
    QTRY_COMPARE(ended.size(), 4);
    QCOMPARE(begun.size(), 4);
    for (const int side : {0, 1}) {
        const auto failed = begun[side][0].value<core::SampleConfig>();
        const auto made = begun[side + 2][0].value<core::SampleConfig>();
        QCOMPARE(made.model, failed.model);
        QCOMPARE(made.seed, failed.seed);
    }
}

void TryAgainTest::theOthersAreSaidToWait() {
    writeBytes(m_trouble, "crash");
    GeneratePage page(m_services->all());
    page.resize(1100, 700);
    page.show();
    Generator& generator = m_services->generator;
    QSignalSpy ended(&generator, &Generator::ended);
    generator.make(pictures("an apple", 1), 1, 1);
    generator.make(pictures("a boat", 1), 2, 2);
    QTRY_COMPARE(ended.size(), 1);
    QVERIFY(generator.held());
    const QString wait = QStringLiteral("The other pictures wait.");
    QVERIFY2(page.messages().currentText().contains(wait), qPrintable(page.messages().currentText()));
    const QString subtitle = QStringLiteral("1 job(s) wait: press Go on in the queue.");
    QVERIFY2(shownTexts(page).contains(subtitle), qPrintable(shownTexts(page).join('|')));
    endTrouble();
    auto* goOn = buttonNamed(page.messages(), QStringLiteral("Go on"));
    QVERIFY(goOn != nullptr);
    goOn->click();
    QTRY_COMPARE(ended.size(), 2);
    QVERIFY(ended.last().front().toBool());
    QVERIFY(!page.messages().currentText().contains(wait));
    QVERIFY(buttonNamed(page.messages(), QStringLiteral("Try again")) != nullptr); // the first one
    QVERIFY(!shownTexts(page).contains(subtitle));
}

void TryAgainTest::withoutItsCardTheProcessorMakesThem() {
    qputenv("MESSAGE", "NVIDIA driver 535.183.01 is too old: this build needs 580; or choose --device cpu");
    writeBytes(m_trouble, "card");
    findModels();
    GeneratePage page(m_services->all());
    page.show();
    page.findChild<GenerateForm*>()->setPrompt(QStringLiteral("a red apple"));
    QSignalSpy ended(&m_services->generator, &Generator::ended);
    page.mainButton()->click();
    QTRY_COMPARE(ended.size(), 1);
    const QString told = page.messages().currentText();
    QVERIFY2(told.startsWith(QStringLiteral("<b>The graphics card cannot be used.")), qPrintable(told));
    QVERIFY2(told.contains(QStringLiteral("in Settings changes that again.")), qPrintable(told));
    auto* processor = buttonNamed(page.messages(), QStringLiteral("Use the processor, slower"));
    QVERIFY(processor != nullptr);
    processor->click();
    QTRY_COMPARE(ended.size(), 2);
    QVERIFY(ended.last().front().toBool());
    QVERIFY(m_services->settings.flag(keys::kProcessorOnly));
    m_services->settings.reset(keys::kProcessorOnly);
}

HOMEBOOTH_APP_TEST_MAIN(TryAgainTest)
#include "tst_try_again.moc"
