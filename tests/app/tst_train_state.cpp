// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The form before a training from one session to the next, and datasets among what can be learned.
#include "app/library/background.h"
#include "app/pages/train/expert_form.h"
#include "app/pages/train/train_setup.h"
#include "core/library/dataset_store.h"
#include "model_fixture.h"

#include <QAbstractButton>
#include <QCheckBox>
#include <QMenu>
#include <QRadioButton>

using namespace homebooth;
using namespace homebooth::app;

class TrainStateTest : public KnownModelsTest {
    Q_OBJECT
public:
    using KnownModelsTest::KnownModelsTest;
private Q_SLOTS:
    void initTestCase();
    void init();
    void cleanup() { end(); }
    void theFormComesBackAfterARestart();
    void whatWasLeftIsForItsOwnSubjects();
    void whatIsChosenNowCountsForTheNextSubject();
    void subjectsThatAreGoneAreLeftOut();
    void aDatasetComesBackWhileItIsThere();
    void settingsThatAreNoMoreAreLeftOut();
    void whatCannotBeReadDoesNoHarm();
    void aDatasetIsChosenWhereSubjectsAre();

private:
    int64_t addSubject(const QString& name, int number);
    void addDataset(const QString& folder);
    void refreshModels();
    void restart();
    /// Until the library has answered all that it was asked.
    void settle();
    /// Leaves a form that learns this subject best, in 321 steps.
    void leaveForm(int64_t subject);
};

namespace {

// Whatever is planned fits.
constexpr const char* kEngine = R"sh(#!/bin/bash
echo '{"predicted":{"ramBytes":1073741824},"decisions":[],"checkpointBytes":5,"resultBytes":7,"diskBytes":29}'
)sh";

QRadioButton& choice(const QWidget& setup, const QString& text) {
    for (auto* one : setup.findChildren<QRadioButton*>())
        if (one->text() == text) return *one;
    qFatal("there is no choice of this name");
}

QCheckBox& keepBox(const QWidget& setup) {
    for (auto* one : setup.findChildren<QCheckBox*>())
        if (one->text().startsWith(QStringLiteral("Keep other"))) return *one;
    qFatal("there is no such box");
}

} // namespace

void TrainStateTest::initTestCase() {
    QVERIFY(useEngine(m_place, kEngine));
}

void TrainStateTest::init() {
    m_place.removeLibrary();
    beginAgain();
    refreshModels();
}

void TrainStateTest::refreshModels() {
    m_services->models.refresh();
    QTRY_VERIFY(m_services->models.settled());
    QTRY_VERIFY(m_services->models.find(builtInModel())->looked);
}

void TrainStateTest::restart() {
    m_services.reset();
    m_services = std::make_unique<TestServices>(m_place);
}

void TrainStateTest::settle() {
    bool answered = false;
    m_services->library.work(
        this, [](core::Library&) { return true; }, [&answered](bool) { answered = true; });
    QTRY_VERIFY(answered);
    lookPool().waitForDone(); // what the library knows of is looked for
    QCoreApplication::processEvents();
}

int64_t TrainStateTest::addSubject(const QString& name, int number) {
    const QString photo = m_place.path(name + QStringLiteral(".png"));
    return m_services->subjects.addFromPhotos({writeTestPicture(photo, number, {64, 64})}, name);
}

void TrainStateTest::addDataset(const QString& folder) {
    QDir().mkpath(folder);
    writeTestPicture(folder + QStringLiteral("/a.png"), 1, {64, 64});
    writeBytes(folder + QStringLiteral("/a.txt"), "great tit, snow");
    core::DatasetRecord record;
    record.id = core::newRecordId();
    record.name = QFileInfo(folder).fileName().toStdString();
    record.folder = folder.toStdString();
    m_services->library.write(
        [record](core::Library& library) { return core::saveDataset(library, record); });
}

void TrainStateTest::leaveForm(int64_t subject) {
    TrainSetup setup(m_services->all());
    setup.setSubject(subject);
    choice(setup, QStringLiteral("Best")).setChecked(true);
    setup.findChild<ExpertForm*>()->setChange(QStringLiteral("steps"), QStringLiteral("321"));
}

void TrainStateTest::theFormComesBackAfterARestart() {
    const int64_t robot = addSubject(QStringLiteral("robot"), 1);
    const int64_t lamp = addSubject(QStringLiteral("lamp"), 2);
    const QString model = QString::fromStdString(addModel(QStringLiteral("mine")).path);
    {
        TrainSetup setup(m_services->all());
        setup.setSubject(lamp);
        setup.addSubject(robot);
        setup.setModel(model);
        choice(setup, QStringLiteral("Small add-on (LoRA)")).setChecked(true);
        choice(setup, QStringLiteral("Balanced")).setChecked(true);
        keepBox(setup).setChecked(false);
        setup.findChild<ExpertForm*>()->setChange(QStringLiteral("steps"), QStringLiteral("321"));
        QCOMPARE(QString::fromStdString(setup.order().config.model), model);
    }
    restart();
    TrainSetup setup(m_services->all());
    QCOMPARE(QString::fromStdString(setup.order().config.model), builtInModel()); // no other is known so far
    refreshModels();
    QTRY_COMPARE(QString::fromStdString(setup.order().config.model), model);
    const RunOrder order = setup.order();
    QCOMPARE(order.title, QStringLiteral("lamp, robot"));
    QCOMPARE(order.config.method, core::TrainMethod::Lora);
    QCOMPARE(order.config.steps, int64_t{321});
    QVERIFY(choice(setup, QStringLiteral("Balanced")).isChecked());
    QVERIFY(!keepBox(setup).isChecked());
}

void TrainStateTest::whatWasLeftIsForItsOwnSubjects() {
    const int64_t robot = addSubject(QStringLiteral("robot"), 1);
    const int64_t lamp = addSubject(QStringLiteral("lamp"), 2);
    leaveForm(robot);
    restart();
    {
        TrainSetup setup(m_services->all());
        setup.setSubject(robot);
        QCOMPARE(setup.order().config.steps, int64_t{321});
        QVERIFY(choice(setup, QStringLiteral("Best")).isChecked());
    }
    restart();
    TrainSetup setup(m_services->all());
    setup.setSubject(lamp);
    QCOMPARE(setup.order().title, QStringLiteral("lamp"));
    QVERIFY(choice(setup, QStringLiteral("Quick")).isChecked());
    QVERIFY(setup.findChild<ExpertForm*>()->allChanges().isEmpty());
}

void TrainStateTest::whatIsChosenNowCountsForTheNextSubject() {
    const int64_t robot = addSubject(QStringLiteral("robot"), 1);
    const int64_t lamp = addSubject(QStringLiteral("lamp"), 2);
    leaveForm(robot);
    restart();
    TrainSetup setup(m_services->all());
    choice(setup, QStringLiteral("Balanced")).setChecked(true); // somebody is at the form
    setup.setSubject(lamp);
    QVERIFY(choice(setup, QStringLiteral("Balanced")).isChecked());
    QCOMPARE(setup.order().config.steps, int64_t{321});
}

void TrainStateTest::subjectsThatAreGoneAreLeftOut() {
    const int64_t robot = addSubject(QStringLiteral("robot"), 1);
    const int64_t lamp = addSubject(QStringLiteral("lamp"), 2);
    {
        TrainSetup setup(m_services->all());
        setup.setSubject(lamp);
        setup.addSubject(robot);
    }
    m_services->subjects.remove(lamp);
    restart();
    const TrainSetup setup(m_services->all());
    QCOMPARE(setup.order().title, QStringLiteral("robot"));
}

void TrainStateTest::aDatasetComesBackWhileItIsThere() {
    addSubject(QStringLiteral("robot"), 1);
    const QString folder = m_place.path(QStringLiteral("birds"));
    addDataset(folder);
    {
        TrainSetup setup(m_services->all());
        setup.setDataset(QStringLiteral("birds"), folder, /*scratch=*/true);
    }
    restart();
    {
        const TrainSetup setup(m_services->all());
        settle();
        QCOMPARE(setup.order().title, QStringLiteral("birds"));
        QVERIFY(choice(setup, QStringLiteral("A new model from scratch")).isChecked());
    }
    QVERIFY(QDir(folder).removeRecursively());
    restart();
    const TrainSetup setup(m_services->all());
    settle();
    QCOMPARE(setup.order().title, QStringLiteral("robot"));
    QVERIFY(choice(setup, QStringLiteral("Whole model")).isChecked());
}

void TrainStateTest::settingsThatAreNoMoreAreLeftOut() {
    m_services->settings.set(keys::kTrain,
                             QStringLiteral(R"({"quality":"finest","expert":{"no.such":"1","steps":"many",)"
                                            R"("data.resolutionPixels":"64","batchSize":"-3"}})"));
    const TrainSetup setup(m_services->all());
    const QMap<QString, QString> changes = setup.findChild<ExpertForm*>()->allChanges();
    QCOMPARE(changes.keys(), QStringList{QStringLiteral("data.resolutionPixels")});
    QCOMPARE(setup.order().config.data.resolutionPixels, int64_t{64});
    QVERIFY(choice(setup, QStringLiteral("Quick")).isChecked());
}

void TrainStateTest::whatCannotBeReadDoesNoHarm() {
    addSubject(QStringLiteral("robot"), 1);
    for (const char* text : {"no JSON", "[1]", R"({"subjects":5,"expert":[]})"}) {
        m_services->settings.set(keys::kTrain, QString::fromLatin1(text));
        const TrainSetup setup(m_services->all());
        QCOMPARE(setup.order().title, QStringLiteral("robot"));
        QVERIFY(choice(setup, QStringLiteral("Quick")).isChecked());
    }
}

void TrainStateTest::aDatasetIsChosenWhereSubjectsAre() {
    addSubject(QStringLiteral("robot"), 1);
    const QString folder = m_place.path(QStringLiteral("birds & bees"));
    addDataset(folder);
    addDataset(m_place.path(QStringLiteral("gone")));
    QVERIFY(QDir(m_place.path(QStringLiteral("gone"))).removeRecursively());
    TrainSetup setup(m_services->all());
    setup.show();
    settle();
    QPushButton* add = buttonNamed(setup, QStringLiteral("Add one"));
    QVERIFY(add != nullptr);
    add->click();
    auto* menu = add->findChild<QMenu*>();
    QVERIFY(menu != nullptr);
    QStringList texts;
    for (const QAction* one : menu->actions()) texts.append(one->text());
    const QStringList last{QStringLiteral("Datasets"), QStringLiteral("birds && bees")};
    QCOMPARE(texts.mid(texts.size() - 2), last);
    QVERIFY(menu->actions()[texts.size() - 2]->isSeparator());
    menu->actions().constLast()->trigger();
    menu->close();
    QCOMPARE(setup.order().title, QStringLiteral("birds & bees"));
    QVERIFY(buttonNamed(setup, QStringLiteral("birds && bees")) != nullptr); // which shows one "&"
    QCOMPARE(QString::fromStdString(setup.order().config.data.datasetDir), folder);
    QCOMPARE(setup.order().config.mode, core::TrainMode::Dataset);
    QVERIFY(setup.order().subjects.empty());
}

HOMEBOOTH_APP_TEST_MAIN(TrainStateTest)
#include "tst_train_state.moc"
