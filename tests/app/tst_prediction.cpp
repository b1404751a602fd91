// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A model that does not say what it predicts: where the user hears of it, and how a picture each way answers.
// Beside it the way to a licence's text.
#include "app/engine/places.h"
#include "app/library/drive_pools.h"
#include "app/pages/generate/generate_page.h"
#include "app/pages/models/model_facts_text.h"
#include "app/pages/models/prediction_trial.h"
#include "app/pages/train/setup/train_setup.h"
#include "app/shell/main_window.h"
#include "app/widgets/message_bar.h"
#include "core/base/model/model_writer.h"
#include "model_fixture.h"
#include "picture_fixture.h"

#include <QDesktopServices>
#include <QScopeGuard>
#include <QToolButton>

using namespace homebooth;
using namespace homebooth::app;

class PredictionTest : public PicturesTest {
    Q_OBJECT
public:
    using PicturesTest::PicturesTest;
public Q_SLOTS:
    void takeUrl(const QUrl& url) { m_url = url; }
private Q_SLOTS:
    void initTestCase() { beginEngine(); }
    void init() { beginAgain(); }
    void cleanup() { end(); }
    void whereItWasDroppedTheQuestionIsSaid();
    void aModelThatSaysItIsPlainSuccess();
    void whatIsImportedOnTrainLearns();
    void aPictureEachWayAnswers();
    void anAnswerByAButtonEndsTheTrial();
    void anAnswerBeforeThePicturesEndsTheTrial();
    void anSdxlIsAskedAboutWhereTheUserDoubtsIt();
    void anAnswerThatCouldNotBeWrittenIsAskedForAgain();
    void anAnswerIsComparedWithTheModelThatIsAsked();
    void theTextOfALicenceIsFound();
    void aLicenceThatIsNoTextIsNotOpened_data();
    void aLicenceThatIsNoTextIsNotOpened();
    void theTextOfALicenceIsOpened();

private:
    /// The built-in model without its scheduler, which says what it predicts. @returns the folder
    [[nodiscard]] QString silentModel(const QString& name) const;
    /// An SDXL in a file that does not say what it predicts, as most do not. @returns the file
    [[nodiscard]] QString silentXl(const QString& name) const;
    /// Of the pictures that are begun from here on, all of which must be made with this model.
    void notePredictions(const QString& model, QStringList& predictions) {
        connect(&m_services->generator, &Generator::begun, this,
                [model, &predictions](const core::SampleConfig& config) {
                    predictions.append(QString::fromStdString(config.predictionType));
                    QCOMPARE(QString::fromStdString(config.model), model);
                });
    }
    QUrl m_url;
};

QString PredictionTest::silentModel(const QString& name) const {
    const QString folder = m_place.path(name);
    QDir().mkpath(folder);
    for (const QString& part :
         QDir(builtInModel()).entryList(QDir::Files | QDir::Dirs | QDir::NoDotAndDotDot))
        if (part != QLatin1String("scheduler")) QFile::link(builtInModel() + '/' + part, folder + '/' + part);
    return folder;
}

QString PredictionTest::silentXl(const QString& name) const {
    const QString file = m_place.path(name + u".safetensors"_s);
    const auto model = core::openModel(HOMEBOOTH_SOURCE_DIR "/tests/fixtures/tiny-sdxl");
    core::WriteOptions options;
    for (const char* key :
         {"homebooth.scheduler_config", "modelspec.prediction_type", "modelspec.architecture"})
        options.metadata[key] = "";
    const bool written = model.ok() && core::writeSingleFile(*model, file.toStdString(), options).ok();
    return written ? file : QString();
}

void PredictionTest::whereItWasDroppedTheQuestionIsSaid() {
    MainWindow window(m_services->all());
    window.show();
    window.showPage(PageId::Generate);
    m_services->models.import(silentModel(u"silent"_s));
    MessageBar& messages = window.page(PageId::Generate)->messages();
    QTRY_VERIFY(messages.currentText().contains(u"silent does not say what it predicts"_s));
    QCOMPARE(messages.count(), 1); // in place of the success
    auto* answer = buttonNamed(messages, u"Answer"_s);
    QVERIFY(answer != nullptr);
    answer->click();
    QCOMPARE(window.currentPage(), PageId::Models);
    const auto* list = window.page(PageId::Models)->findChild<QListView*>();
    QCOMPARE(list->currentIndex().data().toString(), u"silent"_s);
    QCOMPARE(messages.count(), 0);
}

void PredictionTest::aModelThatSaysItIsPlainSuccess() {
    MainWindow window(m_services->all());
    window.show();
    window.showPage(PageId::Generate);
    const QString folder = m_place.path(u"outspoken"_s);
    QVERIFY(QFile::link(builtInModel(), folder));
    m_services->models.import(folder);
    const ModelShelf& shelf = m_services->models;
    QTRY_VERIFY(shelf.find(folder) != nullptr && shelf.find(folder)->looked);
    MessageBar& messages = window.page(PageId::Generate)->messages();
    QCOMPARE(messages.count(), 1);
    QVERIFY(messages.currentText().contains(u"was imported"_s));
}

void PredictionTest::whatIsImportedOnTrainLearns() {
    MainWindow window(m_services->all());
    window.show();
    window.showPage(PageId::Train);
    const auto* setup = window.page(PageId::Train)->findChild<TrainSetup*>();
    QVERIFY(setup != nullptr);
    const QString folder = m_place.path(u"to learn"_s);
    QVERIFY(QFile::link(builtInModel(), folder));
    m_services->models.import(folder);
    QTRY_COMPARE(QString::fromStdString(setup->order().config.model), folder);
}

void PredictionTest::aPictureEachWayAnswers() {
    GeneratePage generate(m_services->all());
    const QByteArray temporary = qgetenv("TMPDIR");
    const QDir own(m_place.path(u"temporary"_s));
    QVERIFY(QDir().mkpath(own.path()));
    qputenv("TMPDIR", own.path().toLocal8Bit());
    const auto putBack =
        qScopeGuard([temporary] { temporary.isNull() ? qunsetenv("TMPDIR") : qputenv("TMPDIR", temporary); });
    ModelsPage page(m_services->all());
    page.show();
    QVERIFY(own.isEmpty()); // nobody has asked for pictures
    const QString folder = silentModel(u"asked"_s);
    m_services->models.import(folder);
    auto* make = buttonNamed(page, u"Make a picture both ways, I choose"_s);
    QVERIFY(make != nullptr);
    QTRY_VERIFY(make->isVisible());
    QTRY_VERIFY(!shownTexts(page).filter(u"noise (epsilon), but"_s).isEmpty());
    QStringList predictions;
    notePredictions(folder, predictions);
    make->click();
    QVERIFY(!own.isEmpty());
    m_services->models.import(silentModel(u"come meanwhile"_s)); // ends no trial
    QVERIFY(!make->isEnabled());                                 // one trial at a time
    const auto sides = page.findChild<PredictionTrial*>()->findChildren<QToolButton*>();
    QCOMPARE(sides.size(), 3);
    QVERIFY(sides[2]->isHidden()); // of SDXL
    QVERIFY(!sides[0]->isEnabled());
    QTRY_VERIFY(sides[0]->isEnabled() && sides[1]->isEnabled());
    QCOMPARE(predictions, QStringList({u"epsilon"_s, u"v_prediction"_s}));
    QVERIFY(!sides[0]->icon().isNull() && !sides[1]->icon().isNull());
    QVERIFY(generate.paths().isEmpty()); // a trial is none of the pictures that somebody asked for
    QTRY_VERIFY(m_services->models.find(m_place.path(u"come meanwhile"_s)) != nullptr);
    QCOMPARE(page.findChild<QListView*>()->currentIndex().data().toString(), u"asked"_s);
    QVERIFY(sides[0]->isEnabled());
    QVERIFY(m_services->models.find(folder) != nullptr);
    QVERIFY(page.asksAbout(*m_services->models.find(folder)));
    sides[0]->click(); // as was assumed: nothing is written anew
    QVERIFY(!page.asksAbout(*m_services->models.find(folder)));
    QVERIFY(!make->isVisible());
}

void PredictionTest::anAnswerByAButtonEndsTheTrial() {
    ModelsPage page(m_services->all());
    page.show();
    m_services->models.import(silentModel(u"seen"_s));
    auto* make = buttonNamed(page, u"Make a picture both ways, I choose"_s);
    QVERIFY(make != nullptr);
    QTRY_VERIFY(make->isVisible());
    make->click();
    const auto* trial = page.findChild<PredictionTrial*>();
    const auto sides = trial->findChildren<QToolButton*>();
    QTRY_VERIFY(sides[0]->isEnabled() && sides[1]->isEnabled());
    const QByteArray engine = "#!/bin/bash\nln -s '" + builtInModel().toUtf8() + "' \"$3\"\n";
    QVERIFY(useEngine(m_place, engine.constData()));
    QSignalSpy imported(&m_services->models, &ModelShelf::imported);
    auto* velocity = buttonNamed(page, u"v (most SD 2.x of 768 px)"_s);
    QVERIFY(QTest::qWaitForWindowActive(&page));
    velocity->setFocus();
    velocity->click();
    QVERIFY(!velocity->isVisible() && !trial->isOut());
    QTRY_COMPARE(imported.size(), 1); // what was written anew
    QVERIFY(useEngine(m_place, kPictureEngine));
    const QString anew = imported.front().front().toString();
    QVERIFY2(anew.endsWith(u"/models/seen"_s), qPrintable(anew));
    QTRY_COMPARE(page.findChild<QListView*>()->currentIndex().data(ModelList::ModelPathRole).toString(),
                 anew);
}

void PredictionTest::anAnswerBeforeThePicturesEndsTheTrial() {
    ModelsPage page(m_services->all());
    page.show();
    m_services->models.import(silentModel(u"known by heart"_s));
    auto* make = buttonNamed(page, u"Make a picture both ways, I choose"_s);
    QVERIFY(make != nullptr);
    QTRY_VERIFY(make->isVisible());
    make->click();
    QVERIFY(page.findChild<PredictionTrial*>()->isOut());
    buttonNamed(page, u"Noise (epsilon)"_s)->click(); // as was assumed: only noted
    QVERIFY(!page.findChild<PredictionTrial*>()->isOut());
    QTRY_VERIFY(m_services->generator.jobs().empty()); // nobody waits for them
    const QString later = silentModel(u"come later"_s);
    m_services->models.import(later);
    QTRY_COMPARE(page.findChild<QListView*>()->currentIndex().data(ModelList::ModelPathRole).toString(),
                 later);
}

/// Nearly all of them predict the noise: a question for each would be in the way.
void PredictionTest::anSdxlIsAskedAboutWhereTheUserDoubtsIt() {
    ModelsPage page(m_services->all());
    page.show();
    const QString file = silentXl(u"xl"_s);
    QVERIFY(!file.isEmpty());
    m_services->models.import(file);
    auto* doubt = buttonNamed(page, u"Are its pictures grey noise?"_s);
    QVERIFY(doubt != nullptr && !doubt->isVisible()); // the built-in model says it
    QTRY_VERIFY(doubt->isVisible());
    QVERIFY(!page.asksAbout(*m_services->models.find(file)));
    QTRY_VERIFY(!shownTexts(page).filter(u"noise (epsilon), as is usual"_s).isEmpty());
    auto* make = buttonNamed(page, u"Make a picture each way, I choose"_s);
    QVERIFY(make != nullptr && !make->isVisible());
    doubt->click();
    QVERIFY(make->isVisible() && !doubt->isVisible());
    QStringList orders;
    connect(&m_services->generator, &Generator::begun, this, [&](const core::SampleConfig& config) {
        const QString from = config.zeroTerminalSnr ? u" from noise"_s : QString();
        orders.append(QString::fromStdString(config.predictionType) + from);
    });
    make->click();
    const auto sides = page.findChild<PredictionTrial*>()->findChildren<QToolButton*>();
    QTRY_VERIFY(sides[0]->isEnabled() && sides[1]->isEnabled() && sides[2]->isEnabled());
    QCOMPARE(orders, QStringList({u"epsilon"_s, u"v_prediction"_s, u"v_prediction from noise"_s}));
    const QString told = m_place.path(u"told"_s);
    const QByteArray engine = "#!/bin/bash\necho \"$@\" >'" + told.toUtf8() + "'\nexit 4\n";
    QVERIFY(useEngine(m_place, engine.constData()));
    sides[2]->click();
    QTRY_VERIFY(page.messages().currentText().contains(u"could not be written anew"_s));
    QVERIFY(useEngine(m_place, kPictureEngine));
    QVERIFY(bytesOf(told).contains("--to diffusers --prediction-type v_prediction --zero-terminal-snr"));
    QVERIFY(make->isVisible());                       // it is asked again
    buttonNamed(page, u"Noise (epsilon)"_s)->click(); // as is usual: nothing is written
    QVERIFY(!make->isVisible() && doubt->isVisible());
}

void PredictionTest::anAnswerThatCouldNotBeWrittenIsAskedForAgain() {
    ModelsPage page(m_services->all());
    page.show();
    const QString folder = silentModel(u"asked again"_s);
    m_services->models.import(folder);
    auto* velocity = buttonNamed(page, u"v (most SD 2.x of 768 px)"_s);
    QVERIFY(velocity != nullptr);
    QTRY_VERIFY(velocity->isVisible());
    QTRY_VERIFY(!shownTexts(page).filter(u"noise (epsilon), but"_s).isEmpty());
    QVERIFY(useEngine(m_place, "#!/bin/bash\necho 'error: convert: the disk is full' >&2\nexit 4\n"));
    velocity->click();
    QVERIFY(!velocity->isVisible()); // it is at work
    QTRY_VERIFY(page.messages().currentText().contains(u"could not be written anew"_s));
    QVERIFY(useEngine(m_place, kPictureEngine));
    QVERIFY(velocity->isVisible());
    QVERIFY(page.asksAbout(*m_services->models.find(folder)));
}

void PredictionTest::anAnswerIsComparedWithTheModelThatIsAsked() {
    ModelsPage page(m_services->all());
    page.show();
    const QString folder = silentModel(u"looked at slowly"_s);
    m_services->models.import(folder);
    auto* velocity = buttonNamed(page, u"v (most SD 2.x of 768 px)"_s);
    QVERIFY(velocity != nullptr);
    QTRY_VERIFY(velocity->isVisible());
    choose(page, m_services->models.find(builtInModel())->name);
    QTRY_VERIFY(shownTexts(page).contains(u"velocity (v)"_s)); // which is what this one predicts
    const QString told = m_place.path(u"told slowly"_s);
    const QByteArray engine = "#!/bin/bash\necho \"$@\" >'" + told.toUtf8() + "'\nexit 4\n";
    QVERIFY(useEngine(m_place, engine.constData()));
    {
        const Blocked drive(modelDrives().of(folder + '/')); // what is shown of a model comes late
        choose(page, u"looked at slowly"_s);
        QVERIFY(velocity->isVisible());
        velocity->click();
        QTRY_VERIFY(page.messages().currentText().contains(u"could not be written anew"_s));
    }
    QVERIFY(useEngine(m_place, kPictureEngine));
    QVERIFY(bytesOf(told).contains("--to diffusers --prediction-type v_prediction"));
    QVERIFY(velocity->isVisible());
    buttonNamed(page, u"Noise (epsilon)"_s)->click(); // as was assumed
    QVERIFY(!velocity->isVisible());
}

void PredictionTest::theTextOfALicenceIsFound() {
    core::Inspection facts;
    const QString folder = m_place.path(u"read me"_s);
    facts.path = folder.toStdString();
    QDir().mkpath(folder);
    QCOMPARE(licenceUrl(facts), QUrl());
    facts.metadata["modelspec.license"] = "CreativeML OpenRAIL-M"; // a name leads nowhere
    QCOMPARE(licenceUrl(facts), QUrl());
    facts.metadata["modelspec.license"] = "https://example.org/licence";
    QCOMPARE(licenceUrl(facts), QUrl(u"https://example.org/licence"_s));
    writeBytes(folder + u"/README.md"_s,
               "---\nlicense: other\nlicense_link: https://example.org/text\n---\n");
    QCOMPARE(licenceUrl(facts), QUrl(u"https://example.org/text"_s));
    writeBytes(folder + u"/LICENSE.md"_s, "text");
    QCOMPARE(licenceUrl(facts), QUrl::fromLocalFile(folder + u"/LICENSE.md"_s));
    facts.metadata.clear();
    QVERIFY(QFile::remove(folder + u"/LICENSE.md"_s));
    writeBytes(folder + u"/README.md"_s, "---\nlicense_link: file:///etc/hostname\n---\n");
    QCOMPARE(licenceUrl(facts), QUrl()); // no model decides which files are opened
}

void PredictionTest::aLicenceThatIsNoTextIsNotOpened_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<bool>("opened");
    const QByteArray page = "<!DOCTYPE html>\n<html><head><script>go()</script></head></html>\n";
    QTest::newRow("text") << u"LICENSE"_s << QByteArray("You may do with it what you like.\n") << true;
    QTest::newRow(".txt") << u"LICENCE.txt"_s << QByteArray("text") << true;
    QTest::newRow("page") << u"LICENSE.html"_s << page << false;
    QTest::newRow("page without ending") << u"LICENSE"_s << page << false;
    QTest::newRow("program") << u"LICENSE.jar"_s << QByteArray("PK\3\4") << false;
    QTest::newRow("starter") << u"LICENSE.desktop"_s
                             << QByteArray("[Desktop Entry]\nType=Application\nExec=true\n") << false;
    QTest::newRow("script") << u"LICENSE"_s << QByteArray("#!/bin/sh\ntrue\n") << false;
}
void PredictionTest::aLicenceThatIsNoTextIsNotOpened() {
    QFETCH(QString, name);
    QFETCH(QByteArray, content);
    QFETCH(bool, opened);
    core::Inspection facts;
    const QString folder = m_place.path(u"opened or not"_s);
    facts.path = folder.toStdString();
    QDir(folder).removeRecursively();
    QDir().mkpath(folder);
    writeBytes(folder + '/' + name, content);
    QCOMPARE(licenceUrl(facts), opened ? QUrl::fromLocalFile(folder + '/' + name) : QUrl());
    QVERIFY(QFile::rename(folder + '/' + name, m_place.path(name)));
    QVERIFY(QFile::link(m_place.path(name), folder + u"/LICENSE.txt"_s));
    QCOMPARE(!licenceUrl(facts).isEmpty(), opened); // what a link leads to, too
    QFile::remove(m_place.path(name));
}

void PredictionTest::theTextOfALicenceIsOpened() {
    const QString folder = m_place.path(u"licensed model"_s);
    QDir().mkpath(folder);
    for (const QString& part :
         QDir(builtInModel()).entryList(QDir::Files | QDir::Dirs | QDir::NoDotAndDotDot))
        QFile::link(builtInModel() + '/' + part, folder + '/' + part);
    QFile::remove(folder + u"/LICENSE.md"_s);
    writeBytes(folder + u"/LICENSE.md"_s, "text");
    ModelsPage page(m_services->all());
    page.show();
    m_services->models.import(folder);
    auto* read = buttonNamed(page, u"Read the licence"_s);
    QVERIFY(read != nullptr);
    QTRY_VERIFY(read->isVisible() &&
                page.findChild<QListView*>()->currentIndex().data().toString() == u"licensed model"_s);
    QDesktopServices::setUrlHandler(u"file"_s, this, "takeUrl");
    QTRY_VERIFY(read->toolTip().contains(u"licensed model"_s));
    read->click();
    QDesktopServices::unsetUrlHandler(u"file"_s);
    QCOMPARE(m_url, QUrl::fromLocalFile(folder + u"/LICENSE.md"_s));
}

HOMEBOOTH_APP_TEST_MAIN(PredictionTest)
#include "tst_prediction.moc"
