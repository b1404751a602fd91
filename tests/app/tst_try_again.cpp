// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Pictures that were not made: they are made again, whatever the form holds by then, and of those behind them
// it is said that they wait.
#include "app/pages/generate/model_choice.h"
#include "app/widgets/message_bar.h"
#include "folder_answers.h"
#include "picture_fixture.h"
#include "prompt_page.h"

using namespace homebooth;
using namespace homebooth::app;

namespace {

/// Makes nothing. While the file $TROUBLE is there it ends each job, or itself, as the file says: for want of
/// a card those alone that the processor is not to make. For want of room a job waits for another folder,
/// which is written down beside that file.
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
    full*)
        say '"type":"state","state":"waiting","detail":"/a: the disk is full","done":5000000,"total":0'
        read -r folder
        printf '%s' "$folder" >"$TROUBLE.folder"
        end done 0
        ;;
    *) end done 0 ;;
    esac
    say '"type":"state","state":"ready","detail":"","done":0,"total":0'
done
)sh";

/// Another folder of all that is made, while it lasts.
class OtherHome {
public:
    OtherHome(TestServices& services, const QString& folder)
        : m_settings(services.settings)
        , m_before(m_settings.text(keys::kHome)) {
        m_settings.set(keys::kHome, folder);
    }
    ~OtherHome() { m_settings.set(keys::kHome, m_before); }
    OtherHome(const OtherHome&) = delete;
    OtherHome& operator=(const OtherHome&) = delete;

private:
    Settings& m_settings;
    QString m_before;
};

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
    void aFullDiskIsToldWithTheWayToAnotherFolder();
    void whatWaitsGoesWhereTheSettingsSay();

private:
    void findModels();
    void endTrouble() { QVERIFY(QFile::remove(m_trouble)); }
    QString m_trouble;
};

void TryAgainTest::initTestCase() {
    QVERIFY(useEngine(m_place, kTroubledEngine));
    m_trouble = m_place.path("trouble");
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
    PromptPage page(*m_services);
    auto* form = page.form;
    form->setPrompt(u"a red apple"_s);
    form->setCount(3);
    form->setSeed(4021);
    QSignalSpy ended(&m_services->generator, &Generator::ended);
    page.mainButton()->click();
    QTRY_COMPARE(ended.size(), 1);
    form->setPrompt(u"a boat"_s); // somebody goes on meanwhile
    form->setCount(1);
    form->setSeed(7);
    endTrouble();
    QSignalSpy begun(&m_services->generator, &Generator::begun);
    auto* again = buttonNamed(page.messages(), u"Try again"_s);
    QVERIFY(again != nullptr);
    const OtherHome home(*m_services, m_place.path("home with room"));
    again->click();
    QTRY_COMPARE(ended.size(), 2);
    QVERIFY(ended.last().front().toBool());
    QCOMPARE(begun.size(), 1);
    const auto made = begun[0][0].value<core::SampleConfig>();
    QCOMPARE(QString::fromStdString(made.outputDir), todaysPictures(m_services->settings));
    QCOMPARE(made.prompt, "a red apple");
    QCOMPARE(made.seed, uint64_t{4021});
    QCOMPARE(made.count, int64_t{3});
    QCOMPARE(page.messages().count(), 0);
    QCOMPARE(form->prompt(), u"a boat"_s);
}

void TryAgainTest::bothSidesOfAComparisonAreMadeAgain() {
    findModels();
    addModel("other model", "model");
    PromptPage page(*m_services);
    auto* form = page.form;
    form->setModel(builtInModel());
    form->setPrompt(u"a red apple"_s);
    page.findChild<ModelChoice*>()->setComparing(true);
    const QString other = form->otherModel();
    QVERIFY(!other.isEmpty());
    QSignalSpy ended(&m_services->generator, &Generator::ended);
    QSignalSpy begun(&m_services->generator, &Generator::begun);
    page.mainButton()->click();
    QTRY_COMPARE(ended.size(), 2);
    endTrouble();
    buttonNamed(page.messages(), u"Try again"_s)->click();
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
    const QString wait = u"The other pictures wait."_s;
    QVERIFY2(page.messages().currentText().contains(wait), qPrintable(page.messages().currentText()));
    const QString subtitle = u"1 job(s) wait: press Go on in the queue."_s;
    QVERIFY2(shownTexts(page).contains(subtitle), qPrintable(shownTexts(page).join('|')));
    endTrouble();
    auto* goOn = buttonNamed(page.messages(), u"Go on"_s);
    QVERIFY(goOn != nullptr);
    goOn->click();
    QTRY_COMPARE(ended.size(), 2);
    QVERIFY(ended.last().front().toBool());
    QVERIFY(!page.messages().currentText().contains(wait));
    QVERIFY(buttonNamed(page.messages(), u"Try again"_s) != nullptr); // the first one
    QVERIFY(!shownTexts(page).contains(subtitle));
}

void TryAgainTest::withoutItsCardTheProcessorMakesThem() {
    qputenv("MESSAGE", "NVIDIA driver 535.183.01 is too old: this build needs 580; or choose --device cpu");
    writeBytes(m_trouble, "card");
    findModels();
    PromptPage page(*m_services);
    page.form->setPrompt(u"a red apple"_s);
    QSignalSpy ended(&m_services->generator, &Generator::ended);
    page.mainButton()->click();
    QTRY_COMPARE(ended.size(), 1);
    const QString told = page.messages().currentText();
    QVERIFY2(told.startsWith(u"<b>The graphics card cannot be used."_s), qPrintable(told));
    QVERIFY2(told.contains(u"in Settings changes that again."_s), qPrintable(told));
    auto* processor = buttonNamed(page.messages(), u"Use the processor, slower"_s);
    QVERIFY(processor != nullptr);
    processor->click();
    QTRY_COMPARE(ended.size(), 2);
    QVERIFY(ended.last().front().toBool());
    QVERIFY(m_services->settings.flag(keys::kProcessorOnly));
    m_services->settings.reset(keys::kProcessorOnly);
}

void TryAgainTest::aFullDiskIsToldWithTheWayToAnotherFolder() {
    writeBytes(m_trouble, "full");
    findModels();
    PromptPage page(*m_services);
    page.form->setPrompt(u"a red apple"_s);
    Generator& generator = m_services->generator;
    QSignalSpy ended(&generator, &Generator::ended);
    QSignalSpy begun(&generator, &Generator::begun);
    page.mainButton()->click();
    QTRY_VERIFY(generator.roomWait());
    page.mainButton()->click();
    QTRY_COMPARE(generator.jobs().size(), size_t{2}); // it waits behind, and takes nothing back
    const auto said = [&page](const QString& words) { return page.messages().currentText().contains(words); };
    const auto saysAll = [&] {
        return said(u"is full."_s) && said(u"5 MB are free."_s) && said(todaysPictures(m_services->settings));
    };
    QVERIFY2(saysAll(), qPrintable(page.messages().currentText()));
    QSignalSpy room(&page, &Page::roomWanted);
    buttonNamed(page.messages(), u"Free room"_s)->click();
    QCOMPARE(room.size(), 1);
    QCOMPARE(room[0][0].toString(), todaysPictures(m_services->settings));
    page.activated(); // who comes back finds it again
    QVERIFY2(saysAll(), qPrintable(page.messages().currentText()));
    endTrouble();
    const QString folder = m_place.path("with room");
    buttonNamed(page.messages(), u"Other folder"_s)->click();
    answerWith(page, {folder});
    QTRY_COMPARE(ended.size(), 2);
    const QByteArray asked = bytesOf(m_trouble + u".folder"_s);
    QVERIFY2(asked.contains("elsewhere") && asked.contains(folder.toUtf8()), asked.constData());
    QCOMPARE(begun.last()[0].value<core::SampleConfig>().outputDir, folder.toStdString());
    QVERIFY(!said(u"is full."_s));
}

void TryAgainTest::whatWaitsGoesWhereTheSettingsSay() {
    const PromptPage page(*m_services);
    Generator& generator = m_services->generator;
    core::SampleConfig ours = pictures("a boat", 1);
    ours.outputDir = todaysPictures(m_services->settings).toStdString();
    const core::SampleConfig others = pictures("a car", 1);
    generator.restore({{1, ours}, {2, others}});
    const OtherHome home(*m_services, m_place.path("home with room"));
    QCOMPARE(QString::fromStdString(generator.jobs()[0].config.outputDir),
             todaysPictures(m_services->settings));
    QCOMPARE(generator.jobs()[1].config.outputDir, others.outputDir);
    generator.dropAll();
}

HOMEBOOTH_APP_TEST_MAIN(TryAgainTest)
#include "tst_try_again.moc"
