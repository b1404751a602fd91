// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which graphics cards there are, as the engine's doctor says: one question for all who want to know, an
// answer that takes its time or does not come, and what was chosen of cards until somebody knows them.
// The driver is a library of the test, and the engine a few lines that answer with a file.
#include "app/engine/gpu_answer.h"
#include "app/engine/runs/run_cards.h"
#include "app/pages/generate/generate_form.h"
#include "app/pages/train/setup/expert_form.h"
#include "app/pages/train/setup/gpu_choice.h"
#include "app/pages/train/setup/train_setup.h"
#include "app/pages/train/train_page.h"
#include "app/shell/job_bar.h"
#include "app/shell/memory_gauge.h"
#include "app/widgets/card_line.h"
#include "card_fixture.h"
#include "core/base/run/queue/job_queue.h"
#include "train_fixture.h"

#include <QCheckBox>
#include <QFile>

using namespace homebooth;
using namespace homebooth::app;

class GpuAnswerTest : public TrainFormTest {
    Q_OBJECT
public:
    using TrainFormTest::TrainFormTest;
private Q_SLOTS:
    void init();
    void cleanup() { end(); }
    void aSlowAnswerIsWaitedFor();
    void noAnswerIsNotTheAnswerThatThereAreNone_data();
    void noAnswerIsNotTheAnswerThatThereAreNone();
    void whatFailedIsAskedAgainByItself();
    void whoNeedsItAsksAtOnce();
    void anAnswerThatNeverComesIsGivenUp();
    void cardsThatAreTooOldAreNamed();
    void placesThatAreNamedStandForTheCards();
    void oneProcessAnswersAll();
    void openingTheFoldAsksAgain();
    void whoTrainsAsksAgain();
    void aPlanThatWasRefusedIsAskedAgainOnceTheyAreKnown();
    void chosenCardsCountUntilTheyAreKnown();
    void chosenCardsCountAfterAFailure();
    void cardsThatAreKnownToBeGoneDoNotCount();
    void whoStartsIsToldThatACardIsNotUsed();
    void whyTheProcessorComputesIsToldBeforeTheStart_data();
    void whyTheProcessorComputesIsToldBeforeTheStart();

private:
    [[nodiscard]] qsizetype calls(const QByteArray& verb) const;
    /// As the doctor from now on, also where it has been asked already.
    void answer(const QByteArray& report) const;
    void mend() const { writeBytes(m_place.path("mended"), "yes"); }
    /// The form as an earlier session left it: two cards were chosen.
    void leaveTwoCards() const;

    const OneCard m_driver; // before anybody else looks for one
};

namespace {

using State = GpuAnswer::State;

/// The doctor answers once there is a file to answer with; every plan fits, in 1 GiB of a card.
constexpr const char* kPatient = R"sh(#!/bin/bash
echo "$*" >>"$CALLS"
if [ "$1" = doctor ]; then
    until [ -e "$ANSWER" ]; do sleep 0.05; done
    cat "$ANSWER"
    exit
fi
for word; do file="$word"; done
[ "$1" = plan ] && cp "$file" "$PLANNED"
echo '{"predicted":{"deviceBytes":1073741824,"ramBytes":536870912},"decisions":[],"checkpointBytes":5,"resultBytes":7,"diskBytes":29}'
)sh";

/// The same, whose doctor ends like this until it is mended.
QByteArray engineThat(const QByteArray& ends) {
    QByteArray text = kPatient;
    const QByteArray start = "if [ \"$1\" = doctor ]; then\n";
    const QByteArray failing = "if [ ! -e \"$MENDED\" ]; then\n" + ends + "\nexit\nfi\n";
    text.replace(start, start + failing);
    return text;
}

constexpr const char* kTwoCards = R"({"gpu":{"state":"ready","driver":"580.95.05","message":"","devices":[
    {"name":"The first","uuid":"GPU-1","totalBytes":8589934592,"computeCapability":"8.9",
     "freeBytes":6442450944,"temperatureCelsius":61},
    {"name":"The second","uuid":"GPU-2","totalBytes":4294967296,"computeCapability":"8.6"}]}})";

constexpr const char* kOneCard = R"({"gpu":{"state":"ready","driver":"580.95.05","message":"","devices":[
    {"name":"The first","uuid":"GPU-1","totalBytes":8589934592,"computeCapability":"8.9"}]}})";

constexpr const char* kBroken =
    R"({"gpu":{"state":"broken","driver":"580.95.05","message":"the driver does not answer","devices":[]}})";
constexpr const char* kOldDriver =
    R"({"gpu":{"state":"driver too old","driver":"535.183.01","message":"too old","devices":[]}})";
constexpr const char* kWithoutDriver =
    R"({"gpu":{"state":"no driver","driver":"","message":"found","withoutDriver":true,"devices":[]}})";
constexpr const char* kNoCard = R"({"gpu":{"state":"no driver","driver":"","message":"none","devices":[]}})";
constexpr const char* kFails = "echo 'error: doctor: no luck' >&2; exit 1";
const QStringList kBoth{u"GPU-1"_s, u"GPU-2"_s};

QStringList cardsIn(const TrainSetup& setup) {
    return cardsOf(setup.order().config);
}

bool shows(const QWidget& root, const QString& words) {
    return !shownTexts(root).filter(words).isEmpty();
}

} // namespace

void GpuAnswerTest::init() {
    beginAgain();
    QVERIFY(m_driver.isThere());
    qunsetenv("HOMEBOOTH_SLOTS");
    for (const char* name : {"CALLS", "ANSWER", "MENDED", "PLANNED"}) {
        const QString file = m_place.path(QString::fromLatin1(name).toLower());
        QFile::remove(file);
        qputenv(name, file.toUtf8());
    }
    m_services->settings.set(keys::kTrainExpert, false);
    m_services->settings.reset(keys::kProcessorOnly);
    QVERIFY(useEngine(m_place, kPatient));
}

qsizetype GpuAnswerTest::calls(const QByteArray& verb) const {
    qsizetype count = 0;
    for (const QByteArray& line : bytesOf(m_place.path("calls")).split('\n'))
        if (line.startsWith(verb + ' ')) ++count;
    return count;
}

void GpuAnswerTest::answer(const QByteArray& report) const {
    const QString written = m_place.path("written");
    writeBytes(written, report);
    QVERIFY(QFile::rename(written, m_place.path("answer"))); // whole at once
}

void GpuAnswerTest::leaveTwoCards() const {
    m_services->settings.set(keys::kTrain,
                             uR"({"expert":{"parallel.gpus":"GPU-1,GPU-2","batchSize":"4"}})"_s);
}

void GpuAnswerTest::aSlowAnswerIsWaitedFor() {
    GpuAnswer gpus(nullptr, {60'000, 50, 50});
    QSignalSpy changed(&gpus, &GpuAnswer::changed);
    gpus.want();
    QTRY_COMPARE(calls("doctor"), 1);
    QTest::qWait(500);
    gpus.want(); // as another one does
    QTest::qWait(200);
    QCOMPARE(gpus.state(), State::Unknown);
    QVERIFY(gpus.facts() == nullptr && !gpus.places() && gpus.problem().isEmpty());
    QVERIFY(changed.isEmpty());
    answer(kTwoCards);
    QTRY_COMPARE(gpus.state(), State::Known);
    QCOMPARE(gpus.facts()->devices.size(), size_t{2});
    QCOMPARE(gpus.places()->size(), size_t{2});
    QCOMPARE(changed.size(), 1);
    gpus.want();
    QTest::qWait(200);
    QCOMPARE(calls("doctor"), 1); // by one process, and never again
}

void GpuAnswerTest::noAnswerIsNotTheAnswerThatThereAreNone_data() {
    QTest::addColumn<QByteArray>("ends");
    QTest::addColumn<QString>("problem");
    QTest::addColumn<bool>("driver");
    QTest::newRow("a failure") << QByteArray(kFails) << u"No luck"_s << false;
    QTest::newRow("a crash") << QByteArray("kill -SEGV $$") << u"The engine crashed."_s << false;
    QTest::newRow("no report") << QByteArray("echo hello")
                               << u"The engine's answer cannot be read. Install Homebooth again."_s << false;
    QTest::newRow("a driver that does not answer")
        << QByteArray("echo '") + kBroken + "'" << u"The driver does not answer"_s << true;
}

void GpuAnswerTest::noAnswerIsNotTheAnswerThatThereAreNone() {
    QFETCH(QByteArray, ends);
    QFETCH(QString, problem);
    QFETCH(bool, driver);
    QVERIFY(useEngine(m_place, engineThat(ends).constData()));
    answer(kTwoCards);
    GpuAnswer gpus(nullptr, kNeverAgain);
    gpus.want();
    QTRY_COMPARE(gpus.state(), State::Failed);
    QCOMPARE(gpus.problem(), problem);
    QCOMPARE(gpus.driverSilent(), driver);
    QVERIFY(gpus.facts() == nullptr && !gpus.places());
    mend();
    gpus.want();
    QTRY_COMPARE(gpus.state(), State::Known);
    QCOMPARE(gpus.facts()->devices.size(), size_t{2});
    QVERIFY(gpus.problem().isEmpty() && !gpus.driverSilent());
}

void GpuAnswerTest::whatFailedIsAskedAgainByItself() {
    QVERIFY(useEngine(m_place, engineThat(kFails).constData()));
    answer(kOneCard);
    GpuAnswer gpus(nullptr, {60'000, 50, 200});
    QSignalSpy changed(&gpus, &GpuAnswer::changed);
    gpus.want();
    QTRY_VERIFY(changed.size() >= 3);
    QCOMPARE(gpus.state(), State::Failed);
    mend();
    QTRY_COMPARE(gpus.state(), State::Known);
    const qsizetype asked = calls("doctor");
    QTest::qWait(500);
    QCOMPARE(calls("doctor"), asked);
}

void GpuAnswerTest::whoNeedsItAsksAtOnce() {
    QVERIFY(useEngine(m_place, engineThat(kFails).constData()));
    GpuAnswer gpus(nullptr, kNeverAgain);
    gpus.want();
    QTRY_COMPARE(gpus.state(), State::Failed);
    QTest::qWait(300);
    QCOMPARE(calls("doctor"), 1); // the pause is long
    QSignalSpy changed(&gpus, &GpuAnswer::changed);
    gpus.want();
    QCOMPARE(gpus.state(), State::Failed); // until something else is known
    QTRY_COMPARE(changed.size(), 1);
    QCOMPARE(calls("doctor"), 2);
}

void GpuAnswerTest::anAnswerThatNeverComesIsGivenUp() {
    GpuAnswer gpus(nullptr, {1000, 50, 50});
    gpus.want();
    QTRY_COMPARE(gpus.state(), State::Failed);
    QCOMPARE(gpus.problem(),
             u"The graphics driver gave no answer. Restart the computer if it stays like that."_s);
    QVERIFY(gpus.facts() == nullptr);
    answer(kOneCard);
    QTRY_COMPARE(gpus.state(), State::Known);
}

void GpuAnswerTest::cardsThatAreTooOldAreNamed() {
    const auto facts = gpuFactsOf(R"({"gpu":{"state":"no device","driver":"580","message":"",
        "devices":[],"tooOld":["GTX 1060","GTX 970"]}})");
    QVERIFY(facts && facts->devices.empty());
    QCOMPARE(facts->tooOld, (std::vector<std::string>{"GTX 1060", "GTX 970"}));
}

void GpuAnswerTest::placesThatAreNamedStandForTheCards() {
    qputenv("HOMEBOOTH_SLOTS", "GPU-1=The first;GPU-2=The second");
    const GpuAnswer gpus;
    QCOMPARE(gpus.places()->size(), size_t{2});
    QVERIFY(gpus.facts() == nullptr);
    QTest::qWait(200);
    QCOMPARE(calls("doctor"), 0); // nobody wants to know
}

void GpuAnswerTest::oneProcessAnswersAll() {
    const core::JobQueue queue;
    QVERIFY(QDir().mkpath(QString::fromStdString(queue.folder())));
    QVERIFY(queue.setKnownSlots({{"GPU-1", "The first"}, {"GPU-2", "The second"}}).ok());
    addRobotAndModel();
    const JobBar bar(m_services->all());
    TrainSetup setup(m_services->all());
    m_services->runs.open(m_services->settings.runsFolder());
    auto* form = setup.findChild<ExpertForm*>();
    for (int press = 0; press < 3; ++press) setup.toggleExpert(); // open, closed and open again
    QVERIFY(!form->isHidden());
    QTRY_COMPARE(calls("doctor"), 1);
    QTest::qWait(500);
    const auto* card = bar.findChildren<MemoryGauge*>().value(0);
    QVERIFY(card != nullptr && card->isHidden()); // nobody knows of one
    QVERIFY(form->findChildren<QCheckBox*>().isEmpty() && form->findChild<GpuChoice*>()->isHidden());
    QVERIFY(!m_services->runs.severalSlots());
    answer(kTwoCards);
    QTRY_VERIFY(!card->isHidden());
    QTRY_VERIFY(m_services->runs.severalSlots());
    QTRY_COMPARE(form->findChildren<QCheckBox*>().size(), 2);
    QVERIFY(shows(*form, u"6.0 of 8.0 GB free"_s)); // by the same report
    const TrainSetup next(m_services->all());       // comes when all is known
    QCOMPARE(next.findChild<ExpertForm*>()->findChildren<QCheckBox*>().size(), 2);
    QTest::qWait(300);
    QCOMPARE(calls("doctor"), 1);
}

void GpuAnswerTest::openingTheFoldAsksAgain() {
    QVERIFY(useEngine(m_place, engineThat(kFails).constData()));
    answer(kTwoCards);
    addRobotAndModel();
    TrainSetup setup(m_services->all());
    auto* form = setup.findChild<ExpertForm*>();
    const auto* choice = form->findChild<GpuChoice*>();
    setup.toggleExpert();
    QTRY_COMPARE(m_services->gpus.state(), State::Failed);
    QVERIFY(!choice->isHidden()); // its row says why there is no choice
    QVERIFY(shows(*form, u"Which ones there are could not be found out, and is asked again. "
                         "No luck"_s));
    QVERIFY(cardsIn(setup).isEmpty());
    mend();
    setup.toggleExpert();
    setup.toggleExpert();
    QTRY_COMPARE(form->findChildren<QCheckBox*>().size(), 2);
    QVERIFY(!shows(*form, u"could not be found out"_s));
    QVERIFY(shows(*form, u"GPUs that train together, 1 to 2, default 1"_s));
}

void GpuAnswerTest::whoTrainsAsksAgain() {
    QVERIFY(useEngine(m_place, engineThat(kFails).constData()));
    addRobotAndModel();
    TrainPage page(m_services->all());
    m_services->gpus.want();
    QTRY_COMPARE(m_services->gpus.state(), State::Failed);
    QTRY_VERIFY(page.mainButton()->isEnabled());
    QCOMPARE(calls("doctor"), 1);
    QLineEdit* steps = fieldNamed(page, u"Steps"_s);
    steps->setText(u"123"_s);
    steps->setModified(true); // as if it were being typed: that is planned first
    page.mainButton()->click();
    steps->setText(u"124"_s);
    Q_EMIT steps->editingFinished(); // something else than what was to begin
    QTRY_COMPARE(calls("doctor"), 2);
    QTRY_VERIFY(page.mainButton()->isEnabled());
    QVERIFY(!m_services->runs.prepares());
}

void GpuAnswerTest::aPlanThatWasRefusedIsAskedAgainOnceTheyAreKnown() {
    const QByteArray start = "if [ \"$1\" = doctor ]";
    QByteArray engine = kPatient;
    engine.replace(start, "[ -e \"$MENDED\" ] || { echo 'error: plan: no luck' >&2; exit 3; }\n" + start);
    QVERIFY(useEngine(m_place, engine.constData()));
    answer(kOneCard);
    addRobotAndModel();
    const TrainSetup setup(m_services->all());
    m_services->gpus.want();
    QTRY_COMPARE(m_services->gpus.state(), State::Failed);
    QTRY_VERIFY(shows(setup, u"Cannot work like this"_s));
    QVERIFY(!setup.ready());
    mend();
    m_services->gpus.want();
    QTRY_VERIFY(setup.ready());
}

void GpuAnswerTest::chosenCardsCountUntilTheyAreKnown() {
    QVERIFY(engineTakesCards());
    leaveTwoCards();
    addRobotAndModel();
    TrainSetup setup(m_services->all());
    QCOMPARE(cardsIn(setup), kBoth);
    QCOMPARE(setup.order().config.parallel.processes, int64_t{2});
    QTRY_COMPARE(calls("doctor"), 1); // whether or not somebody opens the fold
    QTRY_VERIFY(setup.ready());       // nobody waits for its answer
    const QByteArray planned = bytesOf(m_place.path("planned"));
    QVERIFY2(planned.contains("GPU-1") && planned.contains("GPU-2"), planned.constData());
    auto* form = setup.findChild<ExpertForm*>();
    setup.toggleExpert();
    QVERIFY(shows(*form, u"GPUs that train together, chosen earlier: 2\n"
                         "Which ones there are is not known yet."_s));
    QVERIFY(!form->findChild<GpuChoice*>()->isHidden());
    QVERIFY(m_services->settings.text(keys::kTrain).contains(u"GPU-1,GPU-2"_s));
    QTest::qWait(300);                                  // for whatever else asks anew when the form comes up
    QTRY_VERIFY(openQuestions() == 1 && setup.ready()); // that for the cards is left
    const qsizetype plans = calls("plan");
    answer(kTwoCards);
    QTRY_COMPARE(form->findChildren<QCheckBox*>().size(), 2);
    for (const QCheckBox* box : form->findChildren<QCheckBox*>()) QVERIFY(box->isChecked());
    QVERIFY(setup.ready()); // the same question, which has its answer
    QCOMPARE(cardsIn(setup), kBoth);
    QVERIFY(shows(*form, u"GPUs that train together, 1 to 2, default 1"_s));
    QTest::qWait(500);
    QTRY_COMPARE(openQuestions(), 0);
    QCOMPARE(calls("plan"), plans);
}

void GpuAnswerTest::chosenCardsCountAfterAFailure() {
    QVERIFY(engineTakesCards());
    QVERIFY(useEngine(m_place, engineThat(kFails).constData()));
    leaveTwoCards();
    addRobotAndModel();
    TrainSetup setup(m_services->all());
    QTRY_COMPARE(m_services->gpus.state(), State::Failed);
    QCOMPARE(cardsIn(setup), kBoth);
    QTRY_VERIFY(setup.ready());
    auto* form = setup.findChild<ExpertForm*>();
    QVERIFY(shows(*form, u"chosen earlier: 2\nWhich ones there are could not be found out, and "
                         "is asked again. No luck"_s));
    form->drop(QString::fromLatin1(kCardsPath)); // whoever wants to go on without them can
    QVERIFY(cardsIn(setup).isEmpty());
    QCOMPARE(setup.order().config.parallel.processes, int64_t{1});
}

void GpuAnswerTest::cardsThatAreKnownToBeGoneDoNotCount() {
    QVERIFY(engineTakesCards());
    leaveTwoCards();
    addRobotAndModel();
    const TrainSetup setup(m_services->all());
    QCOMPARE(cardsIn(setup), kBoth);
    answer(kOneCard);
    QTRY_VERIFY(cardsIn(setup).isEmpty());
    QCOMPARE(setup.order().config.parallel.processes, int64_t{1});
    QVERIFY(setup.findChild<GpuChoice*>()->isHidden());
    QTRY_VERIFY(setup.ready());
}

void GpuAnswerTest::whoStartsIsToldThatACardIsNotUsed() {
    m_services->settings.set(keys::kProcessorOnly, true); // as an earlier session left it
    answer(kOneCard);
    addRobotAndModel();
    const TrainSetup setup(m_services->all());
    const GenerateForm form(m_services->all());
    const QString words = u"the graphics card is not used, as chosen in Settings"_s;
    QVERIFY(!shows(setup, words)); // nobody knows of one yet
    m_services->gpus.want();
    QTRY_VERIFY(shows(setup, words));
    QVERIFY(shows(form, words));
    QVERIFY(setup.order().config.memory.device == core::ComputeDevice::Cpu);
    auto* use = buttonNamed(form, u"Use the graphics card"_s);
    QVERIFY(use != nullptr && !use->isHidden());
    use->click();
    QVERIFY(!m_services->settings.flag(keys::kProcessorOnly));
    QVERIFY(!shows(setup, words) && !shows(form, words));
    QVERIFY(setup.order().config.memory.device == core::ComputeDevice::Auto);
    QVERIFY(form.config().device == core::ComputeDevice::Auto);
    m_services->settings.set(keys::kProcessorOnly, true);
    QVERIFY(shows(setup, words) && shows(form, words));
    const TrainSetup next(m_services->all()); // when all is known
    QVERIFY(shows(next, words) && !next.findChild<CardLine*>()->isHidden());
    const CardLine alone(m_services->settings, m_services->gpus);
    QVERIFY(shows(alone, words) && !alone.isVisible()); // no window of its own
}

void GpuAnswerTest::whyTheProcessorComputesIsToldBeforeTheStart_data() {
    QTest::addColumn<QByteArray>("report");
    QTest::addColumn<bool>("processorOnly");
    QTest::addColumn<QString>("words");
    const auto row = [](const char* name, const char* report, bool processorOnly, const char* words) {
        QTest::newRow(name) << QByteArray(report) << processorOnly << QString::fromLatin1(words);
    };
    row("a card without its driver", kWithoutDriver, false, "an NVIDIA card is there, but its driver");
    row("which would not be used", kWithoutDriver, true, "an NVIDIA card is there, but its driver");
    row("an old driver", kOldDriver, true, "the graphics card's driver is too old.");
    row("a driver that does not answer", kBroken, true, "the graphics card does not answer.");
    row("an old driver, which the plan tells", kOldDriver, false, "");
    row("a card that is used", kOneCard, false, "");
    row("no card", kNoCard, true, "");
}

void GpuAnswerTest::whyTheProcessorComputesIsToldBeforeTheStart() {
    QFETCH(QByteArray, report);
    QFETCH(bool, processorOnly);
    QFETCH(QString, words);
    m_services->settings.set(keys::kProcessorOnly, processorOnly);
    answer(report);
    const CardLine line(m_services->settings, m_services->gpus);
    m_services->gpus.want();
    QTRY_VERIFY(m_services->gpus.state() != State::Unknown);
    QCOMPARE(shows(line, u"The processor computes"_s), !words.isEmpty());
    QVERIFY2(shows(line, words), qPrintable(shownTexts(line).join('|')));
    const bool back = !buttonNamed(line, u"Use the graphics card"_s)->isHidden();
    QCOMPARE(back, processorOnly && report != kWithoutDriver); // where it changes something
}

HOMEBOOTH_APP_TEST_MAIN(GpuAnswerTest)
#include "tst_gpu_answer.moc"
