// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Example pictures of the kind that are learned beside a subject: their prompt and a folder of one's own; and
// what else an add-on can have. An engine of a few lines plans: all fits.
#include "app/engine/runs/training_recipe.h"
#include "app/pages/train/setup/expert_form.h"
#include "app/pages/train/setup/plan_panel.h"
#include "app/pages/train/setup/train_setup.h"
#include "core/base/config/train_config_json.h"
#include "train_fixture.h"

#include <QComboBox>
#include <QUrl>

using namespace homebooth;
using namespace homebooth::app;

class ExamplesTest : public TrainFormTest {
    Q_OBJECT
public:
    using TrainFormTest::TrainFormTest;
private Q_SLOTS:
    void initTestCase();
    void init();
    void cleanup() { end(); }
    void thePromptIsThatOfTheKindUntilOneIsTyped();
    void whatTheyShowMattersWhereSomeAreLearned();
    void addOnsHaveDropoutAndConvolutions();
    void ofAnOwnFolderAllAreLearned();
    void noneAreLearnedBesideADataset();
    void aFolderIsReadAsPeopleWriteIt_data();
    void aFolderIsReadAsPeopleWriteIt();
    void aFolderThatCannotBeUsedIsRefused_data();
    void aFolderThatCannotBeUsedIsRefused();
    void theFormSaysWhatIsMade();
    void theyComeBackAfterARestart();
    void theyAreForOneKind();

private:
    /// A folder with so many pictures. @returns its path
    QString makeFolder(const QString& name, int pictures);
    int64_t addSubject(const QString& name, const std::string& kind);
};

namespace {

const QString kPromptPath = QString::fromLatin1(kClassPromptPath);
const QString kFolderPath = QString::fromLatin1(kClassFolderPath);
const QString kPromptName = u"Prompt of the examples"_s;
const QString kFolderName = u"Own example pictures"_s;
constexpr const char* kEngine = R"sh(#!/bin/bash
echo '{"predicted":{"ramBytes":1073741824,"stepSeconds":1},"decisions":[],"checkpointBytes":5,"resultBytes":7}'
)sh";

TrainingChoice photoChoice() {
    TrainingChoice choice;
    choice.model = u"/models/sketch"_s;
    choice.sentences = QStringList{u"a photo of ohwx toy"_s};
    choice.classes = QStringList{u"a photo of a toy"_s};
    choice.photoFolder = u"/photos"_s;
    return choice;
}

core::TrainConfig besideExamples() {
    core::TrainConfig config;
    config.data.classPrompt = "a photo of a toy";
    return config;
}

void type(const QWidget& form, const QString& name, const QString& text) {
    QLineEdit* field = fieldNamed(form, name);
    QVERIFY2(field != nullptr, qPrintable(name));
    field->setText(text);
    Q_EMIT field->editingFinished();
}

bool isValid(core::TrainConfig config) {
    config.output.runDir = "/runs/x";
    return core::validate(config).ok();
}

} // namespace

void ExamplesTest::initTestCase() {
    QVERIFY(useEngine(m_place, kEngine));
}

void ExamplesTest::init() {
    m_place.removeLibrary();
    beginAgain();
    addRobotAndModel();
}

QString ExamplesTest::makeFolder(const QString& name, int pictures) {
    const QString folder = m_place.path(name);
    QDir().mkpath(folder);
    for (int i = 0; i < pictures; ++i) writeTestPicture(folder + u"/%1.png"_s.arg(i), i, {64, 64});
    return folder;
}

int64_t ExamplesTest::addSubject(const QString& name, const std::string& kind) {
    const QString photo = writeTestPicture(m_place.path(name + u".png"_s), 2, {64, 64});
    core::Subject subject = *m_services->subjects.find(m_services->subjects.addFromPhotos({photo}, name));
    subject.classNoun = kind;
    m_services->subjects.change(subject, u"say what it is"_s);
    return subject.id;
}

void ExamplesTest::thePromptIsThatOfTheKindUntilOneIsTyped() {
    ExpertForm form;
    form.setDefaults(besideExamples());
    const QLineEdit* prompt = fieldNamed(form, kPromptName);
    QVERIFY(prompt != nullptr && !prompt->isHidden());
    QCOMPARE(prompt->text(), QString());
    QCOMPARE(prompt->placeholderText(), u"a photo of a toy"_s);
    type(form, kPromptName, u"a photo of a toy"_s); // as it is anyway
    QVERIFY(form.changes().isEmpty());
    type(form, kPromptName, u" a plastic toy "_s);
    QCOMPARE(form.changes().value(kPromptPath), u"a plastic toy"_s);
    form.setDefaults(besideExamples());
    QCOMPARE(prompt->text(), u"a plastic toy"_s);
    type(form, kPromptName, QString());
    QVERIFY(form.changes().isEmpty());
}

void ExamplesTest::whatTheyShowMattersWhereSomeAreLearned() {
    ExpertForm form;
    form.setDefaults({});
    form.setChange(kPromptPath, u"a plastic toy"_s);
    form.setChange(kFolderPath, u"/toys"_s);
    form.setDefaults({}); // a prompt alone asks for none
    QVERIFY(form.changes().isEmpty());
    const auto shown = [&form] {
        QPushButton* choose = buttonNamed(form, u"Choose folder..."_s);
        [&] { QVERIFY(choose != nullptr); }();
        const bool folder = !fieldNamed(form, kFolderName)->isHidden();
        [&] { QCOMPARE(!choose->isHidden(), folder); }();
        return folder && !fieldNamed(form, kPromptName)->isHidden();
    };
    QVERIFY(!shown());
    form.setDefaults(besideExamples());
    QVERIFY(shown());
    QCOMPARE(form.changes().keys(), (QStringList{kFolderPath, kPromptPath}));
    for (const char* words : {"class folder", "reg images", "own example"}) {
        fieldNamed(form, u"Search expert settings"_s)->setText(QLatin1String(words));
        QVERIFY2(!fieldNamed(form, kFolderName)->isHidden(), words);
    }
    TrainingChoice choice = photoChoice();
    choice.expert = form.changes();
    QCOMPARE(trainConfigOf(choice).data.classPrompt, "a plastic toy");
    choice.keepOthersNormal = false; // what was typed for others does not count
    QVERIFY(trainConfigOf(choice).data.classPrompt.empty() && trainConfigOf(choice).data.classDir.empty());
}

void ExamplesTest::addOnsHaveDropoutAndConvolutions() {
    ExpertForm form;
    core::TrainConfig config;
    config.method = core::TrainMethod::Lora;
    form.setDefaults(config);
    const QLineEdit* dropout = fieldNamed(form, u"Left out by chance"_s);
    QComboBox* layers = nullptr;
    for (auto* box : form.findChildren<QComboBox*>())
        if (box->accessibleName() == u"Add-on in more layers"_s) layers = box;
    QVERIFY(dropout != nullptr && layers != nullptr);
    QVERIFY(!dropout->isHidden() && !layers->isHidden());
    type(form, dropout->accessibleName(), u"1"_s); // of which nothing would be left
    QVERIFY(form.refuses());
    type(form, dropout->accessibleName(), u"10 %"_s);
    QVERIFY(!form.refuses());
    layers->setCurrentIndex(layers->findText(u"yes"_s));
    TrainingChoice choice = photoChoice();
    choice.lora = true;
    choice.expert = form.changes();
    const core::TrainConfig asked = trainConfigOf(choice);
    QCOMPARE(asked.lora.dropout, 0.1);
    QVERIFY(asked.lora.convolutions && isValid(asked));
    form.setDefaults({}); // a whole model
    QVERIFY(dropout->isHidden() && layers->isHidden() && form.changes().isEmpty());
}

void ExamplesTest::ofAnOwnFolderAllAreLearned() {
    TrainingChoice choice = photoChoice();
    const auto count = [&choice] { return trainConfigOf(choice).data.classImageCount; };
    const int64_t usual = count();
    choice.ownExamples = 7;
    QCOMPARE(count(), usual); // of a folder that is named no more
    choice.expert = {{kFolderPath, u"/toys"_s}};
    QCOMPARE(count(), int64_t{7});
    QCOMPARE(trainConfigOf(choice).data.classDir, "/toys");
    QVERIFY(isValid(trainConfigOf(choice)));
    QCOMPARE(defaultsOf(choice).data.classImageCount, int64_t{7});
    QVERIFY(defaultsOf(choice).data.classDir.empty());
    choice.expert.insert(u"data.classImageCount"_s, u"9"_s);
    QCOMPARE(count(), int64_t{9});
    QCOMPARE(defaultsOf(choice).data.classImageCount, int64_t{7});
    choice.expert.clear();
    choice.expert.insert(kFolderPath, u"/empty"_s);
    choice.ownExamples = 0;
    QCOMPARE(count(), usual); // which are made in there
}

void ExamplesTest::noneAreLearnedBesideADataset() {
    TrainingChoice choice = photoChoice();
    choice.sentences.append(u"a photo of zwx dog"_s);
    choice.expert = {{kFolderPath, u"/toys"_s}, {kPromptPath, u"a plastic toy"_s}};
    const core::TrainConfig config = trainConfigOf(choice);
    QCOMPARE(config.mode, core::TrainMode::Dataset);
    QVERIFY(config.data.classPrompt.empty() && config.data.classDir.empty());
    QVERIFY(isValid(config)); // else the engine would refuse it
}

void ExamplesTest::aFolderIsReadAsPeopleWriteIt_data() {
    QTest::addColumn<QString>("typed");
    QTest::addColumn<QString>("taken");
    const QString toys = m_place.path(u"my toys"_s);
    QTest::newRow("its path") << toys << toys;
    QTest::newRow("with a slash behind") << toys + '/' << toys;
    QTest::newRow("below the home folder") << u"~/my toys"_s << toys;
    QTest::newRow("its address") << QUrl::fromLocalFile(toys).toString(QUrl::FullyEncoded) << toys;
    QTest::newRow("another's home") << u"~toys"_s << u"~toys"_s;
    QTest::newRow("none") << u" "_s << QString();
}

void ExamplesTest::aFolderIsReadAsPeopleWriteIt() {
    QFETCH(QString, typed);
    ExpertForm form;
    form.setDefaults(besideExamples());
    type(form, kFolderName, typed);
    QTEST(form.changes().value(kFolderPath), "taken");
    QTEST(fieldNamed(form, kFolderName)->text(), "taken");
}

void ExamplesTest::aFolderThatCannotBeUsedIsRefused_data() {
    QTest::addColumn<QString>("folder");
    QTest::addColumn<QString>("reason");
    writeBytes(m_place.path(u"words.txt"_s), "no folder");
    const QString gone = u"^The folder of your example pictures is not there: "_s;
    QTest::newRow("gone") << m_place.path(u"gone"_s) << gone;
    QTest::newRow("no whole path") << u"toys"_s << gone;
    QTest::newRow("a file") << m_place.path(u"words.txt"_s) << u"found a file: "_s;
}

void ExamplesTest::aFolderThatCannotBeUsedIsRefused() {
    QFETCH(QString, folder);
    QFETCH(QString, reason);
    TrainSetup setup(m_services->all());
    setup.setSubject(m_services->subjects.subjects().front().id);
    QTRY_VERIFY(setup.ready());
    auto* form = setup.findChild<ExpertForm*>();
    const auto* panel = setup.findChild<PlanPanel*>();
    const auto told = [&reason](const QWidget& part) {
        return shownTexts(part).filter(QRegularExpression(reason)).size();
    };
    const QString remedy = u"Let the model make them"_s;
    for (const QWidget* part : {static_cast<const QWidget*>(form), static_cast<const QWidget*>(panel)}) {
        type(setup, kFolderName, folder);
        QTRY_COMPARE(told(*form), qsizetype{1}); // below its field
        QCOMPARE(told(*panel), qsizetype{1});
        QVERIFY(!setup.ready());
        QPushButton* mend = buttonNamed(*part, remedy);
        QVERIFY(mend != nullptr);
        mend->click();
        QCOMPARE(told(setup), qsizetype{0});
        QVERIFY(form->allChanges().isEmpty());
        QTRY_VERIFY(setup.ready());
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete); // the panel's button is gone
    }
}

void ExamplesTest::theFormSaysWhatIsMade() {
    const QString folder = makeFolder(u"three toys"_s, 3);
    TrainSetup setup(m_services->all());
    setup.setSubject(m_services->subjects.subjects().front().id);
    setup.show();
    const auto says = [&setup](const QString& words) { return shownTexts(setup).contains(words); };
    auto* form = setup.findChild<ExpertForm*>();
    form->setChange(u"data.classImageCount"_s, u"5"_s);
    QVERIFY(says(u"learns 5 example pictures along; the model makes those that are not there yet"_s));
    type(setup, kFolderName, folder);
    QTRY_VERIFY(
        says(u"learns 3 example pictures of your folder along; makes 2 more first, in that folder"_s));
    QTRY_VERIFY(setup.ready());
    const auto timed = [&setup] { // of how many it is told how long they take
        return shownTexts(setup).filter(QRegularExpression(u"\\d example picture\\S*: "_s)).size();
    };
    QVERIFY(timed() > 0);
    form->drop(u"data.classImageCount"_s);
    QVERIFY(says(u"learns 3 example pictures of your folder along"_s));
    QCOMPARE(QString::fromStdString(setup.order().config.data.classDir), folder);
    QCOMPARE(setup.order().config.data.classImageCount, int64_t{3});
    QTRY_VERIFY(setup.ready());
    QCOMPARE(timed(), qsizetype{0});
    writeTestPicture(folder + u"/more.png"_s, 9, {64, 64});
    QEvent activated(QEvent::WindowActivate); // somebody comes back
    QCoreApplication::sendEvent(&setup, &activated);
    QTRY_COMPARE(setup.order().config.data.classImageCount, int64_t{4});
    type(setup, kFolderName, makeFolder(u"no toys"_s, 0));
    QTRY_VERIFY(says(u"makes 24 example pictures first, in your folder"_s));
}

void ExamplesTest::theyComeBackAfterARestart() {
    const QString folder = makeFolder(u"two toys"_s, 2);
    {
        TrainSetup setup(m_services->all());
        setup.setSubject(m_services->subjects.subjects().front().id);
        type(setup, kFolderName, folder);
        type(setup, kPromptName, u"a plastic toy"_s);
    }
    m_services.reset();
    m_services = std::make_unique<TestServices>(m_place);
    TrainSetup setup(m_services->all());
    const auto learned = [&setup] { return setup.order().config.data; };
    QCOMPARE(QString::fromStdString(learned().classDir), folder);
    QCOMPARE(learned().classPrompt, "a plastic toy");
    QTRY_COMPARE(learned().classImageCount, int64_t{2});
}

void ExamplesTest::theyAreForOneKind() {
    const int64_t first = addSubject(u"first"_s, "toy");
    const int64_t second = addSubject(u"second"_s, "toy");
    const int64_t lamp = addSubject(u"light"_s, "lamp");
    TrainSetup setup(m_services->all());
    setup.setSubject(first);
    type(setup, kFolderName, makeFolder(u"toys"_s, 1));
    type(setup, kPromptName, u"a plastic toy"_s);
    auto* form = setup.findChild<ExpertForm*>();
    const QStringList both{kFolderPath, kPromptPath};
    setup.setSubject(second);
    QCOMPARE(form->allChanges().keys(), both);
    core::Subject said = *m_services->subjects.find(second);
    said.classNoun = "figure"; // a better word for the same thing
    m_services->subjects.change(said, u"say what it is"_s);
    QCOMPARE(form->allChanges().keys(), both);
    setup.setSubject(lamp);
    QVERIFY(form->allChanges().isEmpty());
    QCOMPARE(setup.order().config.data.classPrompt, "a photo of a lamp");
}

HOMEBOOTH_APP_TEST_MAIN(ExamplesTest)
#include "tst_examples.moc"
