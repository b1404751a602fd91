// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The form before a training from one session to the next, and datasets among what can be learned.
#include "app/library/background.h"
#include "app/pages/train/setup/expert_form.h"
#include "app/pages/train/setup/learn_choice.h"
#include "app/pages/train/setup/train_setup.h"
#include "core/library/dataset_store.h"
#include "model_fixture.h"

#include <QAbstractButton>
#include <QCheckBox>
#include <QMenu>
#include <QRadioButton>
#include <QSemaphore>

#include <atomic>
#include <cmath>

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
    void aDatasetIsCountedWheneverTheFormIsSeen();
    void aDatasetWhoseDriveIsAwayWaitsForIt();
    void aDriveIsSeenThatComesWithoutASign();
    void aDriveThatDoesNotAnswerHoldsOneLook();
    void settingsThatAreNoMoreAreLeftOut();
    void whatCannotBeReadDoesNoHarm();
    void aDatasetIsChosenWhereSubjectsAre();
    void brokenPicturesAreLeftOutBeforeAnybodyKnows();
    void anotherSubjectKeepsTheUsersModel();

private:
    int64_t addSubject(const QString& name, int number);
    void addDataset(const QString& folder);
    /// Takes the last one that the menu of what to learn offers. @returns all that it offers
    QStringList takeLastDataset(TrainSetup& setup);
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
        if (one->text().startsWith(u"Keep other"_s)) return *one;
    qFatal("there is no such box");
}

/// Called by their numbers. @param end  the first one that is not added
void addPictures(const QString& folder, int from, int end) {
    for (int i = from; i < end; ++i) writeTestPicture(folder + u"/%1.png"_s.arg(i), i, {64, 64});
}

/// Whether the form, in whatever quality, counts so many pictures.
bool says(const TrainSetup& setup, int pictures) {
    const core::TrainConfig config = setup.order().config;
    const auto times = qint64(std::llround(double(config.steps * config.batchSize) / pictures));
    const QString words = u"about %1 times"_s.arg(QLocale().toString(times));
    return !shownTexts(setup).filter(words).isEmpty();
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
    QCoreApplication::processEvents(); // a form that comes up asks, too
    bool answered = false;
    m_services->library.work(
        this, [](core::Library&) { return true; }, [&answered](bool) { answered = true; });
    QTRY_VERIFY(answered);
    constexpr int kLooks = 3; // one may be asked for while another is under way
    for (int look = 0; look < kLooks; ++look) {
        lookPool().waitForDone(); // what the library knows of is looked for
        QCoreApplication::processEvents();
    }
}

int64_t TrainStateTest::addSubject(const QString& name, int number) {
    const QString photo = m_place.path(name + u".png"_s);
    return m_services->subjects.addFromPhotos({writeTestPicture(photo, number, {64, 64})}, name);
}

void TrainStateTest::addDataset(const QString& folder) {
    QDir().mkpath(folder);
    writeTestPicture(folder + u"/a.png"_s, 1, {64, 64});
    writeBytes(folder + u"/a.txt"_s, "great tit, snow");
    core::DatasetRecord record;
    record.id = core::newRecordId();
    record.name = QFileInfo(folder).fileName().toStdString();
    record.folder = folder.toStdString();
    m_services->library.write(
        [record](core::Library& library) { return core::saveDataset(library, record); });
}

QStringList TrainStateTest::takeLastDataset(TrainSetup& setup) {
    QPushButton* add = buttonNamed(setup, u"Add one"_s);
    if (add == nullptr) add = buttonNamed(setup, u"Choose another"_s);
    [&] { QVERIFY(add != nullptr); }();
    add->click();
    auto* menu = add->findChild<QMenu*>();
    [&] { QVERIFY(menu != nullptr); }();
    QStringList texts;
    for (const QAction* one : menu->actions())
        texts.append(one->isSeparator() ? u"-- "_s + one->text() : one->text());
    for (const QAction* one : menu->actions())
        [&] { QVERIFY(menu->width() > menu->fontMetrics().horizontalAdvance(one->text())); }();
    menu->actions().constLast()->trigger();
    menu->close();
    return texts;
}

void TrainStateTest::leaveForm(int64_t subject) {
    TrainSetup setup(m_services->all());
    setup.setSubject(subject);
    choice(setup, u"Best"_s).setChecked(true);
    setup.findChild<ExpertForm*>()->setChange(u"steps"_s, u"321"_s);
}

void TrainStateTest::theFormComesBackAfterARestart() {
    const int64_t robot = addSubject(u"robot"_s, 1);
    const int64_t lamp = addSubject(u"lamp"_s, 2);
    const QString model = QString::fromStdString(addModel("mine").path);
    {
        TrainSetup setup(m_services->all());
        setup.setSubject(lamp);
        setup.addSubject(robot);
        setup.setModel(model);
        choice(setup, u"Small add-on (LoRA)"_s).setChecked(true);
        choice(setup, u"Balanced"_s).setChecked(true);
        keepBox(setup).setChecked(false);
        setup.findChild<ExpertForm*>()->setChange(u"steps"_s, u"321"_s);
        QCOMPARE(QString::fromStdString(setup.order().config.model), model);
    }
    restart();
    TrainSetup setup(m_services->all());
    QCOMPARE(QString::fromStdString(setup.order().config.model), builtInModel()); // no other is known so far
    refreshModels();
    QTRY_COMPARE(QString::fromStdString(setup.order().config.model), model);
    const RunOrder order = setup.order();
    QCOMPARE(order.title, u"lamp, robot"_s);
    QCOMPARE(order.config.method, core::TrainMethod::Lora);
    QCOMPARE(order.config.steps, int64_t{321});
    QVERIFY(choice(setup, u"Balanced"_s).isChecked());
    QVERIFY(!keepBox(setup).isChecked());
}

void TrainStateTest::whatWasLeftIsForItsOwnSubjects() {
    const int64_t robot = addSubject(u"robot"_s, 1);
    const int64_t lamp = addSubject(u"lamp"_s, 2);
    leaveForm(robot);
    restart();
    {
        TrainSetup setup(m_services->all());
        setup.setSubject(robot);
        QCOMPARE(setup.order().config.steps, int64_t{321});
        QVERIFY(choice(setup, u"Best"_s).isChecked());
    }
    restart();
    TrainSetup setup(m_services->all());
    setup.setSubject(lamp);
    QCOMPARE(setup.order().title, u"lamp"_s);
    QVERIFY(choice(setup, u"Quick"_s).isChecked());
    QVERIFY(setup.findChild<ExpertForm*>()->allChanges().isEmpty());
}

void TrainStateTest::whatIsChosenNowCountsForTheNextSubject() {
    const int64_t robot = addSubject(u"robot"_s, 1);
    const int64_t lamp = addSubject(u"lamp"_s, 2);
    leaveForm(robot);
    restart();
    TrainSetup setup(m_services->all());
    choice(setup, u"Balanced"_s).setChecked(true); // somebody is at the form
    auto* expert = setup.findChild<ExpertForm*>();
    const QString prompts = QLatin1String(kPreviewPromptPath);
    expert->setChange(prompts, u"a drawing of robot"_s);
    setup.setSubject(robot);
    QVERIFY(expert->allChanges().contains(prompts));
    setup.setSubject(lamp); // in its place
    QVERIFY(choice(setup, u"Balanced"_s).isChecked());
    QCOMPARE(setup.order().config.steps, int64_t{321});
    QVERIFY(!expert->allChanges().contains(prompts)); // with a word that it does not learn
}

void TrainStateTest::anotherSubjectKeepsTheUsersModel() {
    const int64_t robot = addSubject(u"robot"_s, 1);
    const int64_t lamp = addSubject(u"lamp"_s, 2);
    const QString model = QString::fromStdString(addModel("of the user").path);
    const QString result = makeRun("learned robot", model) + u"/result/model"_s;
    for (const QString& left : {model, result}) {
        {
            TrainSetup setup(m_services->all());
            setup.setSubject(robot);
            setup.setModel(left);
            choice(setup, u"Best"_s).setChecked(true);
        }
        TrainSetup setup(m_services->all()); // as after a restart
        QCOMPARE(QString::fromStdString(setup.order().config.model), left);
        QVERIFY(choice(setup, u"Best"_s).isChecked());
        setup.setSubject(lamp);
        QCOMPARE(setup.order().title, u"lamp"_s);
        QCOMPARE(QString::fromStdString(setup.order().config.model), model); // no result of another subject
        QVERIFY(choice(setup, u"Quick"_s).isChecked());
    }
}

void TrainStateTest::subjectsThatAreGoneAreLeftOut() {
    const int64_t robot = addSubject(u"robot"_s, 1);
    const int64_t lamp = addSubject(u"lamp"_s, 2);
    {
        TrainSetup setup(m_services->all());
        setup.setSubject(lamp);
        setup.addSubject(robot);
    }
    m_services->subjects.remove(lamp);
    restart();
    const TrainSetup setup(m_services->all());
    QCOMPARE(setup.order().title, u"robot"_s);
}

void TrainStateTest::aDatasetComesBackWhileItIsThere() {
    addSubject(u"robot"_s, 1);
    const QString folder = m_place.path("birds");
    addDataset(folder);
    {
        TrainSetup setup(m_services->all());
        setup.setDataset(u"birds"_s, folder, /*scratch=*/true);
        setup.setSkipBroken(true);
        setup.setPictures(40'000);
    }
    restart();
    {
        const TrainSetup setup(m_services->all());
        settle();
        QCOMPARE(shownTexts(setup).filter(u"only 6,000 of 40,000 pictures"_s).size(), 1);
        QCOMPARE(setup.order().title, u"birds"_s);
        QVERIFY(setup.order().config.data.skipBrokenImages);
        QVERIFY(choice(setup, u"A new model from scratch"_s).isChecked());
    }
    m_services->library.write([](core::Library& library) {
        return core::removeDataset(library, core::loadDatasets(library)->front().id);
    });
    restart();
    const TrainSetup setup(m_services->all());
    settle();
    QCOMPARE(setup.order().title, u"robot"_s);
    QVERIFY(choice(setup, u"Whole model"_s).isChecked());
}

void TrainStateTest::aDatasetIsCountedWheneverTheFormIsSeen() {
    const QString folder = m_place.path("grown");
    addDataset(folder);
    addPictures(folder, 1, 2);
    {
        TrainSetup setup(m_services->all());
        setup.setDataset(u"grown"_s, folder);
        setup.setPictures(2);
        QVERIFY(says(setup, 2));
    }
    restart();
    addPictures(folder, 2, 5); // while nobody looked
    TrainSetup setup(m_services->all());
    refreshModels();
    settle();
    QVERIFY(says(setup, 2)); // as it was left
    setup.show();
    QTRY_VERIFY(says(setup, 5));
    setup.hide();
    addPictures(folder, 5, 8);
    writeBytes(folder + u"/broken.png"_s, "no picture");
    setup.show();
    QTRY_VERIFY(says(setup, 8));
    QVERIFY(setup.order().config.data.skipBrokenImages);
    QVERIFY(QFile::remove(folder + u"/broken.png"_s));
    addPictures(folder, 8, 10);
    QEvent activated(QEvent::WindowActivate); // from the program that they were taken out with
    QCoreApplication::sendEvent(&setup, &activated);
    QTRY_VERIFY(says(setup, 10));
    QVERIFY(!setup.order().config.data.skipBrokenImages);
    setup.hide();
    QVERIFY(QDir().rename(folder, folder + u" away"_s));
    setup.show();
    settle();
    QVERIFY(says(setup, 10)); // what nobody can see is as it was
}

void TrainStateTest::aDatasetWhoseDriveIsAwayWaitsForIt() {
    addSubject(u"robot"_s, 1);
    const QString folder = m_place.path("birds");
    const QString away = m_place.path("away");
    addDataset(folder);
    {
        TrainSetup setup(m_services->all());
        setup.setDataset(u"birds"_s, folder, /*scratch=*/true);
        setup.setSkipBroken(true);
    }
    QVERIFY(QDir().rename(folder, away));
    const QString gone = u"Folder \"birds\" is gone. Connect the drive."_s;
    for (int starts = 0; starts < 2; ++starts) { // what the first one kept is there at the second one
        restart();
        TrainSetup setup(m_services->all());
        refreshModels();
        settle();
        QTRY_COMPARE(shownTexts(setup).filter(gone).size(), 1);
        QVERIFY(!setup.ready());
        QCOMPARE(setup.order().title, u"birds"_s);
        QVERIFY(choice(setup, u"A new model from scratch"_s).isChecked());
    }
    restart();
    TrainSetup setup(m_services->all());
    refreshModels();
    settle();
    QVERIFY(!setup.ready());
    QVERIFY(QDir().rename(away, folder));
    QEvent activated(QEvent::WindowActivate);
    QCoreApplication::sendEvent(&setup, &activated);
    QTRY_VERIFY(setup.ready());
    QVERIFY(shownTexts(setup).filter(gone).isEmpty());
    QCOMPARE(QString::fromStdString(setup.order().config.data.datasetDir), folder);
    QVERIFY(setup.order().config.data.skipBrokenImages);
}

void TrainStateTest::aDriveIsSeenThatComesWithoutASign() {
    const QString folder = m_place.path("birds");
    const QString away = m_place.path("unplugged");
    addDataset(folder);
    QVERIFY(QDir().rename(folder, away));
    TrainSetup setup(m_services->all());
    setup.setDataset(u"birds"_s, folder);
    setup.show();
    for (int i = 0; i < 3; ++i) settle(); // all that comes with being shown
    const QString gone = u"Folder \"birds\" is gone. Connect the drive."_s;
    QTRY_COMPARE(shownTexts(setup).filter(gone).size(), 1);
    QVERIFY(QDir().rename(away, folder));
    QTRY_VERIFY(setup.ready()); // the window was active all the time
}

void TrainStateTest::aDriveThatDoesNotAnswerHoldsOneLook() {
    const QString folder = m_place.path("slow");
    addDataset(folder);
    std::atomic<int> looks{0};
    QSemaphore answer;
    TrainSetup setup(m_services->all());
    setup.setDataset(u"slow"_s, folder);
    settle();
    auto* learn = setup.findChild<LearnChoice*>();
    learn->setLook([&](const QString&) {
        ++looks;
        answer.acquire();
        return false;
    });
    for (int i = 0; i < 10; ++i) {
        QEvent activated(QEvent::WindowActivate);
        QCoreApplication::sendEvent(&setup, &activated);
    }
    QTRY_COMPARE(looks.load(), 1);
    QTest::qWait(200);
    QCOMPARE(looks.load(), 1);
    QVERIFY(!learn->away());
    answer.release();
    QTRY_COMPARE(looks.load(), 2); // once more, for all of those that came meanwhile
    answer.release();
    QTRY_VERIFY(learn->away());
    lookPool().waitForDone();
    QCOMPARE(looks.load(), 2);
}

void TrainStateTest::settingsThatAreNoMoreAreLeftOut() {
    m_services->settings.set(keys::kTrain, uR"({"quality":"finest","expert":{"no.such":"1","steps":"many",)"
                                           R"("data.resolutionPixels":"64","batchSize":"-3"}})"_s);
    const TrainSetup setup(m_services->all());
    const QMap<QString, QString> changes = setup.findChild<ExpertForm*>()->allChanges();
    QCOMPARE(changes.keys(), QStringList{u"data.resolutionPixels"_s});
    QCOMPARE(setup.order().config.data.resolutionPixels, int64_t{64});
    QVERIFY(choice(setup, u"Quick"_s).isChecked());
}

void TrainStateTest::whatCannotBeReadDoesNoHarm() {
    addSubject(u"robot"_s, 1);
    for (const char* text : {"no JSON", "[1]", R"({"subjects":5,"expert":[]})"}) {
        m_services->settings.set(keys::kTrain, QString::fromLatin1(text));
        const TrainSetup setup(m_services->all());
        QCOMPARE(setup.order().title, u"robot"_s);
        QVERIFY(choice(setup, u"Quick"_s).isChecked());
    }
}

void TrainStateTest::aDatasetIsChosenWhereSubjectsAre() {
    addSubject(u"robot"_s, 1);
    const QString folder = m_place.path("birds & bees");
    addDataset(folder);
    writeBytes(folder + u"/b.png"_s, "no picture");
    writeBytes(folder + u"/b.txt"_s, "wren");
    addDataset(m_place.path("gone"));
    QVERIFY(QDir(m_place.path("gone")).removeRecursively());
    TrainSetup setup(m_services->all());
    setup.show();
    settle();
    const QStringList texts = takeLastDataset(setup);
    const QStringList last{u"-- Datasets, instead of robot"_s, u"birds && bees"_s};
    QCOMPARE(texts.mid(texts.size() - 2), last);
    QCOMPARE(setup.order().title, u"birds & bees"_s);
    QVERIFY(buttonNamed(setup, u"birds && bees"_s) != nullptr); // which shows one "&"
    QCOMPARE(QString::fromStdString(setup.order().config.data.datasetDir), folder);
    QCOMPARE(setup.order().config.mode, core::TrainMode::Dataset);
    QVERIFY(setup.order().subjects.empty());
    settle();
    QVERIFY(setup.order().config.data.skipBrokenImages); // the broken one was found
    const auto often = [&setup] { return shownTexts(setup).filter(u"each picture about"_s); };
    QTRY_COMPARE(often().size(), qsizetype{3}); // of all qualities
    const core::TrainConfig config = setup.order().config;
    const QString times = QLocale().toString(qint64(config.steps * config.batchSize)); // it is one picture
    QVERIFY2(often().front().endsWith(u"about %1 times"_s.arg(times)), qPrintable(often().front()));
    QVERIFY(buttonNamed(setup, u"Add one"_s) == nullptr); // it replaces
    const QStringList instead{u"-- Subjects, instead of birds & bees"_s, u"robot"_s};
    QCOMPARE(takeLastDataset(setup), instead);
    QCOMPARE(setup.order().title, u"robot"_s);
}

void TrainStateTest::brokenPicturesAreLeftOutBeforeAnybodyKnows() {
    addSubject(u"robot"_s, 1);
    const QString folder = m_place.path("vast");
    addDataset(folder);
    TrainSetup setup(m_services->all());
    setup.show();
    settle();
    const auto skips = [&setup] { return setup.order().config.data.skipBrokenImages; };
    {
        const Blocked disk(lookPool()); // which is slow
        (void)takeLastDataset(setup);
        QTRY_VERIFY(setup.ready());
        QVERIFY(skips());
    }
    QTRY_VERIFY(!skips()); // by now it is known that there are none
    QTRY_VERIFY(setup.ready());
    // What is looked for in vain any more says nothing of a choice that somebody made since.
    {
        const Blocked disk(lookPool());
        setup.hide(); // who comes back to it looks anew
        setup.setSubject(m_services->subjects.subjects().front().id);
        (void)takeLastDataset(setup);
        setup.setDataset(u"vast"_s, folder);
        setup.setSkipBroken(true);
    }
    settle();
    QVERIFY(skips());
}

HOMEBOOTH_APP_TEST_MAIN(TrainStateTest)
#include "tst_train_state.moc"
