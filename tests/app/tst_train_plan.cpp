// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Before the start, on the page Train: a plan's decisions and the choices of expert settings in the user's
// words, and a disk that takes its time.
#include "app/engine/plan_facts.h"
#include "app/engine/plan_words.h"
#include "app/library/background.h"
#include "app/pages/train/expert_form.h"
#include "app/pages/train/plan_panel.h"
#include "app/widgets/fold.h"
#include "app_files.h"

#include <QComboBox>
#include <QLabel>

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
    void whatIsNotKnownStaysAsTheEngineSaysIt();
    void thePanelShowsItsOwnWords();
    void aFullDiskIsSaidBeforeTheEngineIsAsked();
    void aDiskIsNotWaitedFor();
    void choicesAreToldInWords();

private:
    const TestPlace& m_place;
    Theme m_theme;
};

namespace {

QString diskLineOf(const PlanPanel& panel, const QString& needed) {
    for (auto* label : panel.findChildren<QLabel*>())
        if (label->text().startsWith(needed)) return label->text();
    return {};
}

} // namespace

void TrainPlanTest::decisionsAreToldInWords() {
    const QByteArray text = R"({"decisions":["link: english","step: english"],"reasons":[
        {"code":"link","facts":{"fetchedBytes":2147483648,"returnedBytes":104857600}},
        {"code":"step-measured","facts":{"stepSeconds":0.5}}]})";
    const QStringList told = planSentences(planFactsOf(0, text, {}).plan);
    QCOMPARE(told,
             (QStringList{
                 QStringLiteral("Each step fetches 2.0 GB of the model and brings 100 MB of gradients back."),
                 QStringLiteral("A step takes 0.5 s, as measured in the first ones.")}));
}

void TrainPlanTest::whatIsNotKnownStaysAsTheEngineSaysIt() {
    const QString own = QStringLiteral("link: 2 GiB");
    QCOMPARE(planSentence({"link: 2 GiB"}), own);
    QCOMPARE(planSentence({"link: 2 GiB", "of-a-later-engine", {{"fetchedBytes", 1.0}}}), own);
    QCOMPARE(planSentence({"link: 2 GiB", "link", {{"fetchedBytes", 1.0}}}), own); // a figure is missing
    // Engines that give no reasons, or not one for each line.
    const QByteArray text = R"({"decisions":["a","b"],"reasons":[{"code":"link-idle"}]})";
    QCOMPARE(planSentences(planFactsOf(0, text, {}).plan).at(1), QStringLiteral("b"));
}

void TrainPlanTest::thePanelShowsItsOwnWords() {
    PlanFacts fits;
    fits.verdict = PlanFacts::Verdict::Fits;
    fits.plan.decisions = {{"link: nothing moves", "link-idle"}};
    PlanPanel panel;
    panel.show(fits, {}, m_place.path({}), 1.0);
    const QString shown = panel.findChild<Fold*>()->findChild<QLabel*>()->text();
    QVERIFY2(shown.contains(QStringLiteral("Nothing has to be fetched in a step.")), qPrintable(shown));
}

void TrainPlanTest::aDiskIsNotWaitedFor() {
    PlanFacts fits;
    fits.verdict = PlanFacts::Verdict::Fits;
    fits.diskBytes = int64_t{1'000'000'000};
    core::TrainConfig config;
    const QString needed = QStringLiteral("1.0 GB");
    PlanPanel panel;
    {
        const Blocked pool(workPool());
        for (int times = 0; times < 3; ++times) panel.show(fits, config, m_place.path({}), 1.0);
        QCOMPARE(diskLineOf(panel, needed), needed); // what is needed is known without the disk
    }
    QTRY_VERIFY(diskLineOf(panel, needed).endsWith(QStringLiteral("free")));
    panel.show(fits, config, m_place.path({}), 1.0);
    QVERIFY2(diskLineOf(panel, needed).endsWith(QStringLiteral("free")), "what is known goes meanwhile");
}

void TrainPlanTest::aFullDiskIsSaidBeforeTheEngineIsAsked() {
    const FullDisk disk;
    PlanAsker asker(nullptr, 0);
    QSignalSpy changed(&asker, &PlanAsker::changed);
    asker.ask({});
    QTRY_COMPARE(asker.facts().verdict, PlanFacts::Verdict::Refused);
    QVERIFY2(asker.facts().problem.contains(QStringLiteral("Free room")), qPrintable(asker.facts().problem));
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
    form.setChange(QStringLiteral("optimizer.schedule"), QStringLiteral("cosine"));
    QVERIFY(std::any_of(shown.begin(), shown.end(),
                        [](const QString& text) { return text == QStringLiteral("falls in a curve"); }));
    for (auto* box : form.findChildren<QComboBox*>())
        if (box->findData(QStringLiteral("cosine")) >= 0)
            QCOMPARE(box->currentText(), QStringLiteral("falls in a curve"));
}

HOMEBOOTH_APP_TEST_MAIN(TrainPlanTest)
#include "tst_train_plan.moc"
