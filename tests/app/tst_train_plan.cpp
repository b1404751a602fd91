// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Before the start, on the page Train: a plan's decisions and the choices of expert settings in the user's
// words, and a disk that takes its time.
#include "app/charts/memory_chart.h"
#include "app/engine/figures.h"
#include "app/engine/places.h"
#include "app/engine/plans/plan_facts.h"
#include "app/engine/plans/plan_words.h"
#include "app/engine/runs/run_data.h"
#include "app/library/background.h"
#include "app/pages/train/run/disk_line.h"
#include "app/pages/train/setup/expert_form.h"
#include "app/pages/train/setup/plan_panel.h"
#include "app/widgets/fold.h"
#include "app/widgets/parts.h"
#include "app_files.h"
#include "core/base/plan/generation/encoding_plan.h"
#include "core/base/plan/generation/picture_memory.h"
#include "core/base/plan/weight_format.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QScrollBar>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>

using namespace homebooth;
using namespace homebooth::app;

class TrainPlanTest : public QObject {
    Q_OBJECT
public:
    explicit TrainPlanTest(const TestPlace& place)
        : m_place(place) {}
private Q_SLOTS:
    void init() { failOnAnyWarning(); }
    void decisionsAreToldInWords();
    void encodingThatFindsNoRoomBesideTheStepsIsToldInWords();
    void weightsInEightBitsAreToldInWords();
    void whatIsNotKnownStaysAsTheEngineSaysIt();
    void whatAnOlderEngineSaysIsToldWithoutTheRest();
    void thePanelShowsItsOwnWords();
    void wordsOfThePanelStayWhole();
    void thePanelShowsTheNumbersOfThePlan_data();
    void thePanelShowsTheNumbersOfThePlan();
    void namesStandAboveFiguresWhereBothAreTooWide();
    void lookingForRemediesIsSaid();
    void aFullDiskIsSaidBeforeTheEngineIsAsked();
    void whatKilledWindowsLeftGoes();
    void aFolderThatCannotBeMadeIsNamed();
    void aDiskIsNotWaitedFor();
    void choicesAreToldInWords();
    void planNamesOtherPrograms();
    void whatIsTypedSurvivesARefresh();
    void aRefusedPlanSaysSoInTheUsersLanguage();
    void whatIsNotPossibleIsSaidInTheUsersLanguage();
    void signAndLegendFollowTheColours();

private:
    const TestPlace& m_place;
    Theme m_theme;
};

namespace {

constexpr int64_t kMebi = int64_t{1} << 20;
constexpr int kOutOfResources = static_cast<int>(core::ErrorCode::OutOfResources);

QString diskLineOf(const PlanPanel& panel, const QString& needed) {
    for (auto* label : panel.findChildren<QLabel*>())
        if (label->text().startsWith(needed)) return label->text();
    return {};
}

/// Kinds of one tier as `plan --json` tells them, in MiB.
QString kindsJson(int parameters, int gradients, int states, int activations, int workspace) {
    return uR"({"parameterBytes":%1,"gradientBytes":%2,"stateBytes":%3,)"
           R"("activationBytes":%4,"workspaceBytes":%5,"cacheBytes":0})"_s.arg(parameters * kMebi)
               .arg(gradients * kMebi)
               .arg(states * kMebi)
               .arg(activations * kMebi)
               .arg(workspace * kMebi);
}

/// A plan of 900 MiB of RAM, 800 of swap and so much of a device: 700 or nothing.
QByteArray planOfTiers(int deviceMebi) {
    const QString device = deviceMebi > 0 ? kindsJson(100, 50, 150, 400, 0) : kindsJson(0, 0, 0, 0, 0);
    return uR"({"predicted":{"deviceBytes":%1,"ramBytes":%2,"swapBytes":%3},)"
           R"("decisions":[],"peak":%4,"tiers":{"device":%4,"ram":%5,"swap":%6}})"_s.arg(deviceMebi * kMebi)
               .arg(900 * kMebi)
               .arg(800 * kMebi)
               .arg(device, kindsJson(200, 30, 300, 20, 350), kindsJson(0, 60, 740, 0, 0))
               .toUtf8();
}

} // namespace

void TrainPlanTest::decisionsAreToldInWords() {
    const QByteArray text = R"({"decisions":["link: english","step: english"],"reasons":[
        {"code":"link","facts":{"fetchedBytes":2147483648,"returnedBytes":104857600}},
        {"code":"step-measured","facts":{"stepSeconds":0.5}}]})";
    const QStringList told = planSentences(planFactsOf(0, text, {}).plan);
    QCOMPARE(told,
             (QStringList{u"Each step fetches 2.0 GB of the model and brings 100 MB of gradients back."_s,
                          u"A step takes 0.5 s, as measured in the first ones."_s}));
}

void TrainPlanTest::encodingThatFindsNoRoomBesideTheStepsIsToldInWords() {
    const core::PlanDecision first = core::aboutEncoding(0, core::EncodingWish::WhateverElse);
    QCOMPARE(planSentence(first), u"There is no memory to prepare photos and captions while it "
                                  "learns: all are prepared first."_s);
}

void TrainPlanTest::weightsInEightBitsAreToldInWords() {
    const core::WeightBytes bytes{1536 * kMebi, 768 * kMebi};
    core::TrainConfig config;
    config.method = core::TrainMethod::Lora;
    const auto proposed = core::aboutWeights(config, bytes, /*streams=*/true);
    config.quantization = core::Quantization::Int8;
    const auto taken = core::aboutWeights(config, bytes, /*streams=*/false);
    QVERIFY(proposed && taken);
    QCOMPARE(planSentence(*proposed),
             u"Proposed: keep the weights beside the add-on in 8 bits, under Expert settings. "
             "They take 768 MB instead of 1.5 GB, and results differ a little."_s);
    QCOMPARE(planSentence(*taken),
             u"The weights beside the add-on are kept in 8 bits: 768 MB instead of 1.5 GB. "
             "Each is made whole while it is computed with."_s);
}

void TrainPlanTest::whatIsNotKnownStaysAsTheEngineSaysIt() {
    const QString own = u"link: 2 GiB"_s;
    QCOMPARE(planSentence({"link: 2 GiB"}), own);
    QCOMPARE(planSentence({"link: 2 GiB", "of-a-later-engine", {{"fetchedBytes", 1.0}}}), own);
    QCOMPARE(planSentence({"link: 2 GiB", "link", {{"fetchedBytes", 1.0}}}), own); // a figure is missing
    // Engines that give no reasons, or not one for each line.
    const QByteArray text = R"({"decisions":["a","b"],"reasons":[{"code":"link-idle"}]})";
    QCOMPARE(planSentences(planFactsOf(0, text, {}).plan).at(1), u"b"_s);
}

void TrainPlanTest::whatAnOlderEngineSaysIsToldWithoutTheRest() {
    core::PlanDecision swap{
        "swap: english", "swap", {{"heldBytes", 2048.0 * kMebi}, {"stepBytes", 100.0 * kMebi}}};
    QCOMPARE(planSentence(swap), u"2.0 GB lie on the disk; each step writes 100 MB."_s);
    swap.facts["stepReadBytes"] = 300.0 * kMebi;
    QCOMPARE(planSentence(swap), u"2.0 GB lie on the disk; each step reads 300 MB and writes 100 MB."_s);
    core::PlanDecision pictures{"pictures: english", core::kPicturesInRam, {{"heldBytes", 100.0 * kMebi}}};
    QVERIFY(planSentence(pictures).endsWith(u": up to 100 MB."_s));
    pictures.facts["allBytes"] = 300.0 * kMebi;
    QVERIFY(planSentence(pictures).contains(u"100 MB of 300 MB lie there"_s));
    core::PlanDecision gradients{
        "gradients: english", "gradients-rest-clipping", {{"gradientBytes", 100.0 * kMebi}}};
    QVERIFY(planSentence(gradients).endsWith(u"the limit of a step needs all of them."_s));
    gradients.facts["movedBytes"] = 300.0 * kMebi;
    QVERIFY(planSentence(gradients).endsWith(u"For that a step writes and reads 300 MB."_s));
}

void TrainPlanTest::thePanelShowsItsOwnWords() {
    PlanFacts fits;
    fits.verdict = PlanFacts::Verdict::Fits;
    fits.plan.decisions = {{"link: nothing moves", "link-idle"}};
    PlanPanel panel;
    panel.show(fits, {}, m_place.path({}), {{1.0}, 0});
    const QString shown = panel.findChild<Fold*>()->findChild<QLabel*>()->text();
    QVERIFY2(shown.contains(u"Nothing has to be fetched in a step."_s), qPrintable(shown));
}

void TrainPlanTest::wordsOfThePanelStayWhole() {
    const PlanFacts facts = planFactsOf(0, planOfTiers(0), {});
    core::TrainConfig config;
    PlanPanel panel;
    panel.resize(640, 600); // the kinds of memory have one line
    panel.setVisible(true);
    for (const int64_t processes : {1, 2, 1}) { // a line comes, and goes
        config.parallel.processes = processes;
        panel.show(facts, config, m_place.path({}), {{1.0}, 0});
        QTest::qWait(50);
        for (const auto* label : panel.findChildren<QLabel*>())
            if (label->isVisible() && !label->text().isEmpty())
                QVERIFY2(label->height() >= label->heightForWidth(label->width()), qPrintable(label->text()));
    }
}

void TrainPlanTest::thePanelShowsTheNumbersOfThePlan_data() {
    QTest::addColumn<int>("deviceMebi");
    QTest::addColumn<QString>("barTier");
    QTest::newRow("a device beside RAM") << 700 << u"device"_s;
    QTest::newRow("RAM alone") << 0 << u"ram"_s;
}

/// As `plan --json` tells it: each tier's kinds sum up to what is predicted, and that is all that is shown.
void TrainPlanTest::thePanelShowsTheNumbersOfThePlan() {
    QFETCH(int, deviceMebi);
    QFETCH(QString, barTier);
    const PlanFacts facts = planFactsOf(0, planOfTiers(deviceMebi), {});
    QVERIFY(facts.verdict == PlanFacts::Verdict::Fits);
    PlanPanel panel;
    panel.show(facts, {}, m_place.path({}), {{1.0}, 0});
    const auto* bar = panel.findChild<KindBar*>();
    const core::TierMemory shown = bar->kinds();
    const core::TierMemory told = barTier == u"ram"_s ? facts.ram : facts.peak;
    const int64_t whole = deviceMebi > 0 ? facts.plan.predicted.deviceBytes : facts.plan.predicted.ramBytes;
    QCOMPARE(usedBytes(shown), whole); // nothing is added to what the plan names
    for (int kind = 0; kind < kMemoryKinds; ++kind)
        QCOMPARE(bytesOf(shown, static_cast<MemoryKind>(kind)), bytesOf(told, static_cast<MemoryKind>(kind)));
    QVERIFY2(bar->accessibleName().startsWith(memoryText(whole)), qPrintable(bar->accessibleName()));
    QStringList texts;
    QString tips;
    for (auto* label : panel.findChildren<QLabel*>()) {
        texts.append(label->text());
        tips += label->toolTip() + '\n';
    }
    const QStringList inRam = texts.filter(u"swap"_s);
    QCOMPARE(inRam.size(), 1);
    QVERIFY2(inRam[0].startsWith(u"900 "_s) && inRam[0].contains(memoryText(800 * kMebi)),
             qPrintable(inRam[0]));
    for (const int64_t mebi : {200, 30, 300, 20, 350, 60, 740}) // RAM and swap by kind
        QVERIFY2(tips.contains(u": %1"_s.arg(memoryText(mebi * kMebi))), qPrintable(tips));
}

void TrainPlanTest::aDiskIsNotWaitedFor() {
    PlanFacts fits;
    fits.verdict = PlanFacts::Verdict::Fits;
    fits.diskBytes = int64_t{1'000'000'000};
    core::TrainConfig config;
    const QString needed = u"1.0 GB"_s;
    PlanPanel panel;
    {
        const Blocked pool(workPool());
        for (int times = 0; times < 3; ++times) panel.show(fits, config, m_place.path({}), {{1.0}, 0});
        QCOMPARE(diskLineOf(panel, needed), needed); // what is needed is known without the disk
    }
    QTRY_VERIFY(diskLineOf(panel, needed).endsWith(u"free"_s));
    panel.show(fits, config, m_place.path({}), {{1.0}, 0});
    QVERIFY2(diskLineOf(panel, needed).endsWith(u"free"_s), "what is known goes meanwhile");
}

void TrainPlanTest::namesStandAboveFiguresWhereBothAreTooWide() {
    auto* panel = new PlanPanel;
    auto* plan = new QWidget; // beside others, as on the page
    auto* column = new QVBoxLayout(plan);
    column->setContentsMargins({});
    column->addWidget(panel);
    const std::unique_ptr<QScrollArea> area(makeScroll(plan));
    area->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);
    area->resize(700, 900);
    area->show();
    panel->show(planFactsOf(0, planOfTiers(700), {}), {}, m_place.path({}), {{1.0}, 0});
    const QLabel* name = nullptr;
    for (const auto* label : panel->findChildren<QLabel*>())
        if (label->text() == u"Disk"_s) name = label;
    QVERIFY(name != nullptr);
    const auto* figures = panel->findChild<DiskLine*>();
    QTRY_VERIFY(figures->x() > name->geometry().right());
    const int least = panel->minimumSizeHint().width();
    const int bar = area->verticalScrollBar()->sizeHint().width();
    for (const int width : {least + bar, least - 30}) { // from the second one on it can give way no more
        area->resize(width, 900);
        QCoreApplication::processEvents();
    }
    QTRY_VERIFY(figures->y() > name->geometry().bottom());
    QTRY_VERIFY(panel->width() <= area->viewport()->width()); // nothing of it is cut
    area->resize(700, 900);
    QTRY_VERIFY(figures->x() > name->geometry().right());
}

void TrainPlanTest::lookingForRemediesIsSaid() {
    PlanPanel panel;
    const auto said = [&panel] {
        const auto labels = panel.findChildren<QLabel*>();
        return std::any_of(labels.begin(), labels.end(), [](const QLabel* label) {
            return label->text() == u"Trying what would make it fit..."_s;
        });
    };
    panel.setRemedies({}, true);
    QVERIFY(said());
    panel.setRemedies({});
    QTRY_VERIFY(!said());
}

void TrainPlanTest::aFullDiskIsSaidBeforeTheEngineIsAsked() {
    const FullDisk disk;
    PlanAsker asker(nullptr, 0);
    asker.ask({});
    QTRY_COMPARE(asker.facts().verdict, PlanFacts::Verdict::Refused);
    QVERIFY2(asker.facts().problem.contains(u"Free room"_s), qPrintable(asker.facts().problem));
}

void TrainPlanTest::whatKilledWindowsLeftGoes() {
    const QString left = cacheFolder() + u"/plan-99999999-01234567-89ab-cdef-0123-456789abcdef.jsonl"_s;
    const QString others = cacheFolder() + u"/plan-cafe.json"_s;
    QVERIFY(QDir().mkpath(cacheFolder()));
    for (const QString& path : {left, others}) {
        writeBytes(path, "{}");
        std::filesystem::last_write_time(path.toStdString(), std::filesystem::file_time_type::clock::now() -
                                                                 std::chrono::hours(48));
    }
    const PlanAsker asker;
    QTRY_VERIFY(!QFile::exists(left));
    QVERIFY(QFile::exists(others));
    QFile::remove(others);
}

void TrainPlanTest::aFolderThatCannotBeMadeIsNamed() {
    const QByteArray before = qgetenv("XDG_CACHE_HOME");
    QFile file(m_place.path(u"in the way"_s));
    QVERIFY(file.open(QIODevice::WriteOnly));
    qputenv("XDG_CACHE_HOME", file.fileName().toLocal8Bit());
    {
        PlanAsker asker(nullptr, 0);
        asker.ask({});
        QTRY_COMPARE(asker.facts().verdict, PlanFacts::Verdict::Refused);
        QVERIFY2(asker.facts().problem.contains(cacheFolder()), qPrintable(asker.facts().problem));
    }
    qputenv("XDG_CACHE_HOME", before);
}

void TrainPlanTest::choicesAreToldInWords() {
    ExpertForm form;
    form.setDefaults({});
    QStringList shown;
    for (auto* box : form.findChildren<QComboBox*>())
        for (int row = 0; row < box->count(); ++row) shown.append(box->itemText(row));
    for (const char* word : {"constant", "linear", "cosine", "crop", "buckets", "adamw", "adamw8bit"})
        QVERIFY2(!shown.contains(QLatin1String(word)), word);
    for (const char* name : {"AdamW", "Adafactor", "bf16"}) // the field's names
        QVERIFY2(shown.contains(QLatin1String(name)), name);
    form.setChange(u"optimizer.schedule"_s, u"cosine"_s);
    QVERIFY(std::any_of(shown.begin(), shown.end(),
                        [](const QString& text) { return text == u"falls in a curve"_s; }));
    for (auto* box : form.findChildren<QComboBox*>())
        if (box->findData(u"cosine"_s) >= 0) QCOMPARE(box->currentText(), u"falls in a curve"_s);
}

void TrainPlanTest::planNamesOtherPrograms() {
    PlanFacts facts;
    facts.verdict = PlanFacts::Verdict::Fits;
    facts.plan.predicted.ramBytes = 500 * kMebi;
    PlanPanel panel;
    panel.show(facts, {}, m_place.path({}), {{1.0}, 0});
    QStringList texts;
    for (auto* label : panel.findChildren<QLabel*>()) texts.append(label->text());
    QCOMPARE(texts.filter(u"Other programs use"_s).size(), 1);
    QVERIFY(panel.findChild<KindBar*>()->accessibleName().contains(u"by other programs"_s));
}

void TrainPlanTest::whatIsTypedSurvivesARefresh() {
    ExpertForm form;
    core::TrainConfig config;
    form.setDefaults(config);
    form.setVisible(true);
    form.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&form));
    QLineEdit* steps = nullptr;
    for (auto* line : form.findChildren<QLineEdit*>())
        if (line->accessibleName() == u"Steps"_s) steps = line;
    QVERIFY(steps != nullptr);
    steps->setFocus();
    steps->selectAll();
    QTest::keyClicks(steps, u"12"_s);
    config.steps = 777;
    form.setDefaults(config); // a plan came, a model was looked at
    QCOMPARE(steps->text(), u"12"_s);
    QTest::keyClicks(steps, u"3"_s);
    QTest::keyClick(steps, Qt::Key_Return);
    QCOMPARE(form.changes().value(u"steps"_s), u"123"_s);
    form.clearChanges();
    QCOMPARE(steps->text(), u"777"_s);
}

void TrainPlanTest::aRefusedPlanSaysSoInTheUsersLanguage() {
    const QString english = u"9.1 GiB needed, 7.2 GiB found"_s;
    PlanPanel panel;
    panel.show(planFactsOf(kOutOfResources, {}, english), {}, m_place.path({}), {{1.0}, 0});
    auto* details = panel.findChild<Fold*>();
    QVERIFY(details->isOpen()); // with the figures
    const auto textsOutside = [&panel, details] {
        QStringList texts;
        for (auto* label : panel.findChildren<QLabel*>())
            if (!details->isAncestorOf(label) && !label->isHidden()) texts.append(label->text());
        return texts.join('\n');
    };
    QVERIFY(textsOutside().contains(u"Does not fit"_s));
    QVERIFY(!textsOutside().contains(english));
    QCOMPARE(details->findChild<QLabel*>()->text(), english);
    panel.show(planFactsOf(kOutOfResources, {}, u"need about 695 MiB of disk, and 12 MiB are free"_s), {},
               m_place.path({}), {{1.0}, 0});
    QVERIFY(textsOutside().contains(u"It needs 729 MB on the disk, and 13 MB are free."_s));
    QVERIFY(!details->isOpen());
    PlanFacts fits;
    fits.verdict = PlanFacts::Verdict::Fits;
    fits.plan.predicted.ramBytes = 500 * kMebi;
    fits.plan.decisions = {{"gradients: 3 MiB"}};
    panel.show(fits, {}, m_place.path({}), {{1.0}, 0});
    QVERIFY(!details->isOpen());
    QVERIFY(!textsOutside().contains(u"gradients"_s));
    QVERIFY(details->findChild<QLabel*>()->text().contains(u"gradients: 3 MiB"_s));
}

void TrainPlanTest::whatIsNotPossibleIsSaidInTheUsersLanguage() {
    ExpertForm form;
    form.setDefaults({});
    QLineEdit* size = fieldNamed(form, u"Picture size"_s);
    QVERIFY(size != nullptr);
    for (const char* text : {"many", "513"}) {
        size->setText(QLatin1String(text));
        Q_EMIT size->editingFinished();
        QStringList said;
        for (auto* label : form.findChildren<QLabel*>())
            if (!label->isHidden() && label->text().startsWith(u"Give a whole number from "_s))
                said.append(label->text());
        QCOMPARE(said.size(), 1);
        QVERIFY2(said[0].endsWith(u", divisible by 8."_s), qPrintable(said[0]));
        QVERIFY(form.changes().isEmpty());
    }
    QLineEdit* steps = fieldNamed(form, u"Steps"_s);
    steps->setText(u"0"_s);
    Q_EMIT steps->editingFinished();
    QCOMPARE(shownTexts(form).filter(u"Give a whole number from 1 to 100,000,000."_s).size(), 1);
}

void TrainPlanTest::signAndLegendFollowTheColours() {
    m_theme.setScheme(ColourScheme::Light);
    PlanPanel panel;
    panel.show(planFactsOf(0, planOfTiers(700), {}), {}, m_place.path({}), {{1.0}, 0});
    const auto said = [&panel](const QColor& colour) {
        return !shownTexts(panel).filter(colour.name()).isEmpty();
    };
    const auto sign = [&panel] {
        for (auto* label : panel.findChildren<QLabel*>())
            if (const QPixmap pixmap = label->pixmap(); !pixmap.isNull()) return pixmap.toImage();
        return QImage();
    };
    const QColor light = colours().memory[1];
    const QImage lightSign = sign();
    QVERIFY(said(light) && !lightSign.isNull());
    m_theme.setScheme(ColourScheme::Dark);
    QVERIFY(said(colours().memory[1]) && !said(light)); // as the bar, which is painted anew
    QVERIFY(sign() != lightSign);
    m_theme.setScheme(ColourScheme::Light);
    QCOMPARE(sign(), lightSign);
}

HOMEBOOTH_APP_TEST_MAIN(TrainPlanTest)
#include "tst_train_plan.moc"
