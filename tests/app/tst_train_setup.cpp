// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The form before a training: what is refused and offered, what expert settings do. An engine of a few
// lines plans: what "fits" is what the test says.
#include "app/engine/plans/plan_savings.h"
#include "app/library/subject_book.h"
#include "app/library/trigger_words.h"
#include "app/pages/train/setup/expert_form.h"
#include "app/pages/train/setup/plan_panel.h"
#include "app/pages/train/setup/train_setup.h"
#include "app_files.h"

#include <QCheckBox>
#include <QComboBox>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QRadioButton>
#include <QToolButton>

using namespace homebooth;
using namespace homebooth::app;

class TrainSetupTest : public QObject {
    Q_OBJECT
public:
    explicit TrainSetupTest(const TestPlace& place)
        : m_place(place) {}
private Q_SLOTS:
    void initTestCase();
    void init();
    void cleanup();
    void onlyWhatFitsIsOffered();
    void aFullDiskIsNamedWithItsFigures();
    void aFileTooLargeForTheDriveIsNamedWithItsFigures();
    void theSwapFolderIsUsedWhereItIsNeeded();
    void asManyMomentsAreKeptAsTheSettingsSay();
    void subjectsNeedWordsOfTheirOwn();
    void photosThatAreLeftOutAreNotAskedFor();
    void aPlanCountsTheChosenPhotosAlone();
    void aSubjectWithoutPhotosIsNamed();
    void whoHasNotSaidWhatItIsIsAsked();
    void withoutSubjectsOneIsMade();
    void whoHasTheBuiltInModelAloneIsToldOfOthers();
    void whatWasImportedLearns();
    void aDatasetMayTeachANewModel();
    void rowsThatDoNothingAreHidden();
    void aSettingAppliesByWhatIsChosenBesideIt();
    void aRefusalGoesWithItsCause();
    void aSearchFindsSettingsByEitherName();

private:
    /// Of what the plan's configuration must hold for it to fit: a regular expression.
    void fitsWith(const char* pattern) { qputenv("FITS", pattern); }
    [[nodiscard]] QStringList offers(const QWidget& setup) const;
    int64_t addSubject(const QString& name, int number);
    /// Brings the built-in model along by another name. @returns its path, once it was looked at
    QString import(const QString& name);

    const TestPlace& m_place;
    std::unique_ptr<TestServices> m_services;
};

namespace {

constexpr const char* kEngine = R"sh(#!/bin/bash
for word; do
    if [ "$file" = --pictures ] && [ -n "$LISTED" ]; then cp "$word" "$LISTED"; fi
    file="$word"
done
if grep -Eq "$FITS" "$file"; then
    echo '{"predicted":{"ramBytes":1073741824},"decisions":[],"checkpointBytes":5,"resultBytes":7,"diskBytes":29000000}'
    exit 0
fi
echo "error: plan: $REFUSAL" >&2
exit 4
)sh";

/// The row's problem, as far as it is seen.
bool refused(const ExpertForm& form) {
    return !shownTexts(form).filter(u"Give a "_s).isEmpty();
}

void type(QLineEdit* line, const QString& text) {
    line->setFocus();
    line->selectAll();
    QTest::keyClicks(line, text);
    Q_EMIT line->editingFinished();
}

} // namespace

void TrainSetupTest::initTestCase() {
    QVERIFY(useEngine(m_place, kEngine));
}

void TrainSetupTest::init() {
    failOnAnyWarning();
    qputenv("REFUSAL", "this needs about 9 GiB of memory, and 2 GiB may be used; try --precision bf16");
    fitsWith(".");
    m_place.removeLibrary();
    m_services = std::make_unique<TestServices>(m_place);
    addSubject(u"robot"_s, 1);
    QSignalSpy looked(&m_services->models, &ModelShelf::changed);
    m_services->models.refresh();
    QTRY_VERIFY(m_services->models.find(builtInModel()) != nullptr &&
                m_services->models.find(builtInModel())->looked);
}

void TrainSetupTest::cleanup() {
    m_services.reset();
}

int64_t TrainSetupTest::addSubject(const QString& name, int number) {
    const QString photo = m_place.path(name + u".png"_s);
    return m_services->subjects.addFromPhotos({writeTestPicture(photo, number, {64, 64})}, name);
}

QString TrainSetupTest::import(const QString& name) {
    const QString path = m_place.path(name);
    QFile::link(builtInModel(), path);
    m_services->models.import(path);
    const ModelShelf& shelf = m_services->models;
    [&] { QTRY_VERIFY(shelf.find(path) != nullptr && shelf.find(path)->looked); }();
    return path;
}

QStringList TrainSetupTest::offers(const QWidget& setup) const {
    QStringList texts;
    for (auto* button : setup.findChild<PlanPanel*>()->findChildren<QPushButton*>())
        if (!button->isHidden() && !button->text().isEmpty()) texts.append(button->text());
    return texts.filter(QRegularExpression(u": |folder|room"_s));
}

void TrainSetupTest::whoHasTheBuiltInModelAloneIsToldOfOthers() {
    TrainSetup setup(m_services->all());
    const QString small = u"Small, for trying out: it makes sketches of 128 px."_s;
    const QString others = u"For photos, import a model"_s;
    QCOMPARE(shownTexts(setup).filter(small).filter(others).size(), 1);
    QPushButton* import = buttonNamed(setup, u"Import a model..."_s);
    QVERIFY(import != nullptr && !import->isHidden());
    QSignalSpy wanted(&setup, &TrainSetup::importWanted);
    import->click();
    QCOMPARE(wanted.size(), 1);
    this->import(u"some other"_s); // of the list
    QVERIFY(import->isHidden());
    QCOMPARE(QString::fromStdString(setup.order().config.model), builtInModel());
    QCOMPARE(shownTexts(setup).filter(small).size(), 1);
    QVERIFY(shownTexts(setup).filter(others).isEmpty());
}

void TrainSetupTest::whatWasImportedLearns() {
    TrainSetup setup(m_services->all());
    const auto learns = [&setup] { return QString::fromStdString(setup.order().config.model); };
    const QString first = import(u"imported first"_s);
    QCOMPARE(learns(), builtInModel());
    setup.takeImported(first);
    QCOMPARE(learns(), first); // in place of the built-in one
    QVERIFY(shownTexts(setup).filter(u"for trying out"_s).isEmpty());
    const QString second = import(u"imported second"_s);
    setup.takeImported(second);
    QCOMPARE(learns(), first); // nobody looks, and one was chosen
    setup.show();
    setup.takeImported(second);
    QCOMPARE(learns(), second);
}

void TrainSetupTest::onlyWhatFitsIsOffered() {
    fitsWith("adamw8bit");
    TrainSetup setup(m_services->all());
    const QString label = u"Keep the optimizer in 8 bits: 1.0 GB"_s;
    QTRY_VERIFY(offers(setup).contains(label));
    QTest::qWait(1500); // all others were planned, too
    for (const QString& offer : offers(setup))
        QVERIFY2(offer == label || offer.startsWith(u"Save memory wherever possible"_s), qPrintable(offer));
    QVERIFY(!setup.ready());
    buttonNamed(setup, label)->click();
    QTRY_VERIFY(setup.ready());
    QCOMPARE(setup.order().config.optimizer.kind, core::OptimizerKind::AdamW8bit);
    QVERIFY(offers(setup).isEmpty());
}

void TrainSetupTest::aFullDiskIsNamedWithItsFigures() {
    qputenv("REFUSAL",
            "/runs: checkpoints and result need about 20 GiB of disk, and 5 GiB are free; free some");
    fitsWith("nothing fits");
    TrainSetup setup(m_services->all());
    QTRY_COMPARE(shownTexts(setup).filter(u"It needs 21.5 GB on the disk, and 5.4 GB are free"_s).size(), 1);
    QTRY_VERIFY(offers(setup).contains(u"Free room"_s));
    QSignalSpy wanted(&setup, &TrainSetup::settingsWanted);
    buttonNamed(setup, u"Other folder"_s)->click();
    QCOMPARE(wanted.size(), 1);
    QVERIFY(!setup.ready());
    fitsWith("keepCheckpoints\": 2");
    TrainSetup another(m_services->all());
    QTRY_VERIFY(offers(another).contains(u"Keep two saved moments: 29 MB"_s)); // of the disk
}

void TrainSetupTest::aFileTooLargeForTheDriveIsNamedWithItsFigures() {
    qputenv("REFUSAL",
            "/runs: checkpoints and result have a file of about 6.41 GiB, and no file there may be "
            "larger than 4.00 GiB (a drive with FAT32, or ulimit -f)");
    fitsWith("adamw8bit");
    TrainSetup setup(m_services->all());
    QTRY_VERIFY(offers(setup).contains(u"Keep the optimizer in 8 bits: 29 MB"_s)); // of the disk
    const QString words = u"a file of 6.9 GB, and the drive takes none above 4.3 GB"_s;
    QCOMPARE(shownTexts(setup).filter(words).size(), 1);
    QVERIFY(offers(setup).contains(u"Other folder"_s));
    QVERIFY(!offers(setup).contains(u"Free room"_s)); // which changes nothing
}

void TrainSetupTest::theSwapFolderIsUsedWhereItIsNeeded() {
    const QString folder = m_place.path("fast disk");
    m_services->settings.set(keys::kSwap, folder);
    TrainSetup setup(m_services->all());
    QTRY_VERIFY(setup.ready());
    QVERIFY(setup.order().config.memory.swapDir.empty()); // memory is enough
    fitsWith("fast disk");
    m_services->settings.set(keys::kSwapSize, 40);
    QTRY_VERIFY(setup.ready() && !setup.order().config.memory.swapDir.empty());
    QCOMPARE(QString::fromStdString(setup.order().config.memory.swapDir), folder);
    QCOMPARE(setup.order().config.memory.swapBytes, int64_t{40} << 30);
    fitsWith("nothing fits");
    m_services->settings.reset(keys::kSwapSize);
    QTRY_COMPARE(shownTexts(setup).filter(u"It needs 9.0 GB of memory"_s).size(), 1);
    m_services->settings.reset(keys::kSwap);
}

void TrainSetupTest::asManyMomentsAreKeptAsTheSettingsSay() {
    const char* path = "output.keepCheckpoints";
    TrainSetup setup(m_services->all());
    QTRY_VERIFY(setup.ready());
    QCOMPARE(setup.order().config.output.keepCheckpoints, int64_t{4});
    m_services->settings.set(keys::kKeptMoments, 9);
    QTRY_VERIFY(setup.ready() && setup.order().config.output.keepCheckpoints == 9);
    auto* expert = setup.findChild<ExpertForm*>();
    QVERIFY(!expert->changes().contains(QString::fromLatin1(path))); // there it is the default
    expert->setChange(QString::fromLatin1(path), u"3"_s);            // who says it there means this one
    QTRY_VERIFY(setup.ready() && setup.order().config.output.keepCheckpoints == 3);
    m_services->settings.reset(keys::kKeptMoments);
}

void TrainSetupTest::subjectsNeedWordsOfTheirOwn() {
    const int64_t other = addSubject(u"lamp"_s, 2);
    core::Subject lamp = *m_services->subjects.find(other);
    lamp.triggerWord = "ohwx"; // as the robot
    m_services->subjects.change(lamp, u"same word"_s);
    TrainSetup setup(m_services->all());
    QTRY_VERIFY(setup.ready());
    core::Subject a = m_services->subjects.subjects()[0];
    core::Subject b = m_services->subjects.subjects()[1];
    QVERIFY(!triggerClash({&a}, {a, b})); // one alone
    const auto clash = triggerClash({&a, &b}, {a, b});
    QVERIFY(clash.has_value());
    QCOMPARE(clash->changed.id, b.id);
    QVERIFY(clash->changed.triggerWord != a.triggerWord);
    b.triggerWord = "OHWX";
    QVERIFY(triggerClash({&a, &b}, {a, b})); // the model reads no capitals
    b.triggerWord = "kprc";
    QVERIFY(!triggerClash({&a, &b}, {a, b}));
    b.triggerWord.clear();
    QVERIFY(triggerClash({&a, &b}, {a, b})->other == nullptr);
    // In the form: refused, and mended by one click that can be undone.
    setup.setSubject(other);
    setup.addSubject(other == a.id ? b.id : a.id);
    QVERIFY(!setup.ready());
    QCOMPARE(shownTexts(setup).filter(u"have the same trigger word, ohwx"_s).size(), 1);
    buttonNamed(setup, u"Give robot the word kprc"_s)->click();
    QTRY_VERIFY(setup.ready());
    QCOMPARE(shownTexts(setup).filter(u"are not kept normal"_s).size(), 1);
    QCOMPARE(shownTexts(setup).filter(u"trigger word"_s).size(), 0);
    m_services->undo.undo();
    QVERIFY(!setup.ready());
}

void TrainSetupTest::photosThatAreLeftOutAreNotAskedFor() {
    m_services->subjects.remove(m_services->subjects.subjects()[0].id);
    QStringList paths;
    for (const char* folder : {"elsewhere", "here"}) {
        QVERIFY(QDir().mkpath(m_place.path(QLatin1String(folder))));
        paths.append(writeTestPicture(m_place.path(QLatin1String(folder) + u"/1.png"_s), 1));
    }
    core::Subject robot = *m_services->subjects.find(m_services->subjects.addFromPhotos(paths));
    robot.photos[0].leftOut = true;
    m_services->subjects.change(robot, u"leave out"_s);
    fitsWith("/here");
    TrainSetup setup(m_services->all());
    QTRY_VERIFY(setup.ready());
}

void TrainSetupTest::aPlanCountsTheChosenPhotosAlone() {
    const QString folder = m_place.path("camera");
    QStringList chosen;
    for (int i = 0; i < 8; ++i) { // of which the first three are chosen
        const QString photo = folder + u"/%1 \"a\".png"_s.arg(i);
        QDir().mkpath(folder);
        writeTestPicture(photo, i, {64, 64});
        if (i < 3) chosen.append(photo);
    }
    const int64_t robot = m_services->subjects.subjects().front().id;
    const int64_t id = m_services->subjects.addFromPhotos(chosen, u"cat"_s);
    core::Subject cat = *m_services->subjects.find(id);
    cat.photos[1].leftOut = true;
    cat.photos[2].caption = "in the snow";
    m_services->subjects.change(cat, u"describe"_s);
    const QString list = m_place.path("listed");
    qputenv("LISTED", list.toLocal8Bit());
    const auto values = [&list](const QString& key) {
        QStringList found;
        for (const QByteArray& line : bytesOf(list).split('\n'))
            if (const QJsonObject one = QJsonDocument::fromJson(line).object(); one.contains(key))
                found.append(one.value(key).toString());
        return found;
    };
    TrainSetup setup(m_services->all());
    setup.setSubject(id);
    QTRY_VERIFY(setup.ready());
    QCOMPARE(values(u"file_name"_s), (QStringList{chosen[0], chosen[2]}));
    QCOMPARE(values(u"text"_s), QStringList{captionOf(cat, cat.photos[2])});
    setup.addSubject(robot); // then each has a caption
    QTRY_VERIFY(setup.ready());
    QCOMPARE(values(u"file_name"_s).size(), 3);
    QCOMPARE(values(u"text"_s).size(), 3);
    QVERIFY(QFile::remove(list));
    setup.setDataset(u"birds"_s, m_place.path("birds"));
    QTRY_VERIFY(setup.ready());
    QVERIFY(!QFile::exists(list)); // of a dataset all are learned
    qunsetenv("LISTED");
}

void TrainSetupTest::aSubjectWithoutPhotosIsNamed() {
    SubjectBook& book = m_services->subjects;
    const core::Subject robot = book.subjects()[0];
    TrainSetup setup(m_services->all());
    QTRY_VERIFY(setup.ready());
    const int64_t empty = book.addEmpty();
    setup.addSubject(empty); // beside one that has some
    QVERIFY(!setup.ready());
    QVERIFY(shownTexts(setup).contains(u"%1 has no photos to learn."_s.arg(SubjectBook::newName())));
    QSignalSpy wanted(&setup, &TrainSetup::photosWanted);
    buttonNamed(setup, u"Go to Subjects"_s)->click();
    QCOMPARE(wanted.size(), 1);
    QCOMPARE(wanted[0][0].toLongLong(), empty);
    book.addPhotos(empty, {writeTestPicture(m_place.path("new.png"), 3, {64, 64})});
    QTRY_VERIFY(setup.ready());
    core::Subject without = robot;
    for (core::Photo& photo : without.photos) photo.leftOut = true;
    book.change(without, u"leave out"_s);
    setup.setSubject(robot.id); // alone
    QVERIFY(!setup.ready());
    QVERIFY(shownTexts(setup).contains(u"robot has no photos to learn."_s));
    book.change(robot, u"take back"_s);
    QTRY_VERIFY(setup.ready());
}

void TrainSetupTest::whoHasNotSaidWhatItIsIsAsked() {
    SubjectBook& book = m_services->subjects;
    const int64_t unknown = addSubject(u"Rex"_s, 2);
    TrainSetup setup(m_services->all());
    setup.setSubject(unknown);
    const auto asked = [&setup] { return shownTexts(setup).filter(u"What is Rex?"_s).size(); };
    QCOMPARE(asked(), 1);
    QTRY_VERIFY(setup.ready()); // it is advice
    QSignalSpy wanted(&setup, &TrainSetup::classWanted);
    buttonNamed(setup, u"Say what it is"_s)->click();
    QCOMPARE(wanted.size(), 1);
    QCOMPARE(wanted[0][0].toLongLong(), qlonglong(unknown));
    core::Subject said = *book.find(unknown);
    said.classNoun = "dog";
    book.change(said, u"say"_s);
    QCOMPARE(asked(), 0);
    said.classNoun = "object"; // a thing that has no better word
    said.classGuessed = false;
    book.change(said, u"say"_s);
    QCOMPARE(asked(), 0);
    said.classNoun = "";
    book.change(said, u"say"_s);
    QCOMPARE(asked(), 1);
    QCOMPARE(setup.order().config.data.classPrompt, "a photo of a object");
    QCheckBox* keep = nullptr;
    for (auto* box : setup.findChildren<QCheckBox*>())
        if (box->text() == u"Keep other objects normal"_s) keep = box;
    QVERIFY(keep != nullptr &&
            shownTexts(setup).contains(
                u"learns 24 example pictures along; the model makes those that are not there yet"_s));
    keep->click();
    QVERIFY(shownTexts(setup).filter(u"example pictures along"_s).isEmpty());
}

void TrainSetupTest::withoutSubjectsOneIsMade() {
    m_services->subjects.remove(m_services->subjects.subjects().front().id);
    TrainSetup setup(m_services->all());
    QSignalSpy wanted(&setup, &TrainSetup::subjectWanted);
    QPushButton* make = buttonNamed(setup, u"Make a subject"_s);
    QVERIFY(make != nullptr && !make->isHidden());
    make->click();
    QCOMPARE(wanted.size(), 1);
    addSubject(u"dog"_s, 2);
    QCOMPARE(make->text(), u"Add one"_s);
}

void TrainSetupTest::aDatasetMayTeachANewModel() {
    TrainSetup setup(m_services->all());
    QRadioButton* scratch = nullptr;
    for (auto* one : setup.findChildren<QRadioButton*>())
        if (one->text().contains(u"scratch"_s)) scratch = one;
    QVERIFY(scratch != nullptr && scratch->isHidden());
    setup.setDataset(u"birds"_s, m_place.path("birds"), /*scratch=*/true);
    QVERIFY(!scratch->isHidden());
    QTRY_VERIFY(setup.ready());
    core::TrainConfig config = setup.order().config;
    QCOMPARE(config.mode, core::TrainMode::FromScratch);
    QCOMPARE(config.scratch.configDir, config.model);
    QVERIFY(core::validate(config).ok());
    QCOMPARE(shownTexts(setup).filter(u"Only its shape and its autoencoder"_s).size(), 1);
    QVERIFY(!config.data.skipBrokenImages);
    setup.setSkipBroken(true);
    QVERIFY(setup.order().config.data.skipBrokenImages);
    setup.setSkipBroken(false);
    QVERIFY(!setup.order().config.data.skipBrokenImages);
    setup.setSkipBroken(true);
    QVERIFY(setup.order().config.data.skipBrokenImages); // and no longer for the next one
    setup.setDataset(u"birds"_s, m_place.path("birds")); // to learn further
    QVERIFY(!scratch->isChecked());
    QVERIFY(!setup.order().config.data.skipBrokenImages);
    setup.setSubject(m_services->subjects.subjects().front().id);
    QVERIFY(scratch->isHidden());
    QTRY_VERIFY(setup.ready());
    QCOMPARE(setup.order().config.mode, core::TrainMode::DreamBooth);
}

void TrainSetupTest::rowsThatDoNothingAreHidden() {
    ExpertForm form;
    core::TrainConfig config;
    config.method = core::TrainMethod::Lora;
    config.data.classPrompt = "a photo of a toy";
    form.setDefaults(config);
    QLineEdit* rank = fieldNamed(form, u"Room of the add-on"_s);
    QLineEdit* examples = fieldNamed(form, u"Example pictures"_s);
    QVERIFY(!rank->isHidden() && !examples->isHidden());
    form.setChange(u"lora.rank"_s, u"64"_s);
    QCOMPARE(form.changes().size(), 1);
    config.method = core::TrainMethod::Full;
    config.data.classPrompt.clear();
    form.setDefaults(config);
    QVERIFY(rank->isHidden() && examples->isHidden());
    QVERIFY(form.changes().isEmpty()); // it would count for nothing
    config.method = core::TrainMethod::Lora;
    form.setDefaults(config);
    QCOMPARE(form.changes().value(u"lora.rank"_s), u"64"_s); // and is not lost
}

void TrainSetupTest::aSettingAppliesByWhatIsChosenBesideIt() {
    ExpertForm form;
    core::TrainConfig config;
    config.precision = core::Precision::Fp32;
    form.setDefaults(config);
    QWidget* master = form.findChild<QWidget*>();
    for (auto* box : form.findChildren<QComboBox*>())
        if (box->accessibleName() == u"Exact copy that learns"_s) master = box;
    QVERIFY(master->isHidden());
    form.setChange(u"precision"_s, u"bf16"_s);
    form.setDefaults(config);
    QVERIFY(!master->isHidden());
    form.setChange(u"optimizer.master"_s, u"fp32"_s);
    form.setChange(u"precision"_s, u"fp32"_s);
    form.setDefaults(config);
    QVERIFY(master->isHidden());
    QVERIFY(!form.changes().contains(u"optimizer.master"_s)); // the engine would refuse it
}

void TrainSetupTest::aRefusalGoesWithItsCause() {
    ExpertForm form;
    form.setDefaults({});
    form.setVisible(true);
    QLineEdit* size = fieldNamed(form, u"Picture size"_s);
    type(size, u"513"_s);
    QVERIFY(refused(form) && form.refuses());
    form.setDefaults({}); // a plan came: what was typed stays with its reason
    QCOMPARE(size->text(), u"513"_s);
    QVERIFY(refused(form));
    size->selectAll();
    QTest::keyClicks(size, u"512"_s); // not left yet
    QVERIFY(!refused(form) && !form.refuses());
    type(size, u"9"_s);
    QVERIFY(refused(form));
    for (auto* reset : form.findChildren<QToolButton*>())
        if (reset->accessibleName() == u"Default of Picture size"_s) reset->click();
    QVERIFY(!refused(form));
    QCOMPARE(size->text(), u"512"_s);
    type(size, u"many"_s);
    form.clearChanges();
    QVERIFY(!refused(form));
}

void TrainSetupTest::aSearchFindsSettingsByEitherName() {
    ExpertForm form;
    form.setDefaults({});
    QLineEdit* search = fieldNamed(form, u"Search expert settings"_s);
    QLineEdit* rate = fieldNamed(form, u"Learning speed"_s);
    QLineEdit* steps = fieldNamed(form, u"Steps"_s);
    for (const char* words : {"learning rate", "learning speed", "learningRate"}) {
        search->setText(QLatin1String(words));
        QVERIFY2(!rate->isHidden() && steps->isHidden(), words);
    }
    search->setText(u"xyzzy"_s);
    QVERIFY(rate->isHidden());
    QCOMPARE(shownTexts(form).filter(u"No setting has this name"_s).size(), 1);
    search->clear();
    QVERIFY(!rate->isHidden() && !steps->isHidden());
    core::TrainConfig previews;
    previews.output.previewEverySteps = 10;
    previews.data.instancePrompt = "a photo of ohwx toy";
    form.setDefaults(previews);
    // As other programs call them.
    const std::pair<const char*, const char*> known[] = {{"epoch", "Steps"},
                                                         {"sample every", "Preview every"},
                                                         {"sample prompt", "Preview prompts"},
                                                         {"checkpointing", "Save every"}};
    for (const auto& [words, name] : known) {
        search->setText(QLatin1String(words));
        QVERIFY2(!fieldNamed(form, QLatin1String(name))->isHidden() && rate->isHidden(), words);
    }
    QCOMPARE(fieldNamed(form, u"Preview prompts"_s)->placeholderText(), u"a photo of ohwx toy"_s);
    form.setVisible(true);
    form.setVisible(false); // somebody went elsewhere
    QVERIFY(search->text().isEmpty() && !rate->isHidden());
    previews.output.previewEverySteps = 0;
    form.setDefaults(previews);
    QVERIFY(fieldNamed(form, u"Preview prompts"_s)->isHidden());
}

HOMEBOOTH_APP_TEST_MAIN(TrainSetupTest)
#include "tst_train_setup.moc"
