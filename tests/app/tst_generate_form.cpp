// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The form of pictures: sizes that are typed, and what of it comes back after a restart.
#include "app/engine/engine_words.h"
#include "app/library/background.h"
#include "app/library/subject_book.h"
#include "app/pages/generate/generate_form.h"
#include "app/pages/generate/generate_page.h"
#include "app/pages/generate/lora_rows.h"
#include "app/widgets/message_bar.h"
#include "core/base/config/sample_config_json.h"
#include "core/base/text/generation_parameters.h"
#include "picture_fixture.h"

#include <QComboBox>
#include <QDir>
#include <QDragEnterEvent>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QSlider>
#include <QSpinBox>
#include <QUrl>

using namespace homebooth;
using namespace homebooth::app;

class GenerateFormTest : public PicturesTest {
    Q_OBJECT
public:
    using PicturesTest::PicturesTest;
private Q_SLOTS:
    void initTestCase() { beginEngine(); }
    void init() { beginForm(); }
    void cleanup() { end(); }
    void numbersComeBackWithTheirModel();
    void whatSuitsAnImportedModelIsKept();
    void whatIsChangedMeanwhileCounts();
    void anAddOnThatIsGoneIsLeftOut();
    void thePictureToStartFromComesBack();
    void aPictureToStartFromThatIsGoneIsDropped();
    void aStartThatIsFoundLateReplacesNoLaterChoice();
    void aSeedThatIsNotKeptIsDrawnAnew();
    void sizesCanBeTyped_data();
    void sizesCanBeTyped();
    void whatIsNoSizeIsSaid();
    void aTypedSizeCountsWithoutLeavingTheField();
    void wordsThatAreReplacedComeBack();
    void aSeedIsMadeOfDigits();
    void anEmptySeedIsDrawn();
    void whatThePlacesStandForFollowsTheSubject();
    void theSettingOfTheirNumberCountsAtOnce();
    void theirNumberComesBack();
    void moreThanThereCanBeIsTheMost();
    void tabLeadsToWhatIsLeftOut();
    void textsThatAreTooLongAreSaid();
    void oneOfASeedCountsWhileThatIsKept();
    void numbersBetweenTheStepsOfASliderAreKept();
    void aWeightIsTypedBetweenTheStepsOfItsSlider();
    void aPictureIsDraggedOntoTheButtonOfTheStart();
    void aLoraOfADeletedTrainingIsForgotten();

private:
    /// Leaves a form with another model, an add-on and numbers of its own.
    void leaveForm();
    [[nodiscard]] QString model() const { return m_place.path(u"my model"_s); }
    [[nodiscard]] QString addOn() const { return m_place.path(u"hat.safetensors"_s); }
};

namespace {

QComboBox& sizeBox(const QWidget& root) {
    for (auto* box : root.findChildren<QComboBox*>())
        if (box->accessibleName() == u"Size"_s) return *box;
    qFatal("there is no such box");
}

QSlider& sliderNamed(const QWidget& root, const char* name) {
    for (auto* slider : root.findChildren<QSlider*>())
        if (slider->accessibleName() == QLatin1String(name)) return *slider;
    qFatal("there is no such slider");
}

void typeSize(const QWidget& root, const QString& text) {
    sizeBox(root).setEditText(text);
    Q_EMIT sizeBox(root).lineEdit()->editingFinished();
}

} // namespace

void GenerateFormTest::leaveForm() {
    addModel(u"hat.safetensors"_s, "lora");
    addModel(u"my model"_s, "model");
    QTRY_VERIFY(m_services->models.find(model())->looked);
    GenerateForm form(m_services->all());
    form.setModel(model());
    core::SampleConfig config = form.config();
    config.steps = 33;
    config.sampler = core::SamplerKind::Ddim;
    config.guidanceScale = 4.5;
    config.clipSkip = 1;
    config.widthPixels = 72;
    config.heightPixels = 96;
    config.loras = {{addOn().toStdString(), -0.5}};
    form.setConfig(config);
    form.setSeed(4021);
}

void GenerateFormTest::numbersComeBackWithTheirModel() {
    leaveForm();
    restart();
    GenerateForm form(m_services->all());
    QVERIFY(form.config().steps != 33); // its model is not known so far
    QVERIFY(form.config().loras.empty());
    m_services->models.refresh();
    QTRY_COMPARE(form.config().steps, int64_t{33});
    QTRY_COMPARE(form.config().loras.size(), size_t{1});
    const core::SampleConfig config = form.config();
    QCOMPARE(QString::fromStdString(config.model), model());
    QCOMPARE(config.sampler, core::SamplerKind::Ddim);
    QCOMPARE(config.guidanceScale, 4.5);
    QCOMPARE(config.clipSkip, int64_t{1});
    QCOMPARE(config.widthPixels, int64_t{72});
    QCOMPARE(config.heightPixels, int64_t{96});
    QCOMPARE(QString::fromStdString(config.loras[0].file), addOn());
    QCOMPARE(config.loras[0].weight, -0.5);
    QCOMPARE(config.seed, uint64_t{4021});
    form.nextSeed();
    QCOMPARE(form.config().seed, uint64_t{4021}); // it is locked, as it was
}

void GenerateFormTest::whatSuitsAnImportedModelIsKept() {
    const QString path = m_place.path(u"imported at work"_s);
    QVERIFY(QFile::link(builtInModel(), path));
    const auto looked = [&] {
        const ModelEntry* entry = m_services->models.find(path);
        return entry != nullptr && entry->looked;
    };
    core::SampleConfig suits;
    {
        GenerateForm form(m_services->all());
        connect(&m_services->models, &ModelShelf::imported, &form,
                [&form](const QString& one) { form.setModel(one); }); // before it is looked at
        m_services->models.import(path);
        QTRY_VERIFY(QString::fromStdString(form.config().model) == path && looked());
        suits = form.config();
        QVERIFY(suits.widthPixels < 512);
    }
    restart();
    GenerateForm form(m_services->all());
    m_services->models.refresh();
    QTRY_VERIFY(looked());
    QCOMPARE(QString::fromStdString(form.config().model), path);
    QCOMPARE(form.config().widthPixels, suits.widthPixels);
    QCOMPARE(form.config().guidanceScale, suits.guidanceScale);
}

void GenerateFormTest::whatIsChangedMeanwhileCounts() {
    leaveForm();
    restart();
    GenerateForm form(m_services->all());
    stepsBox(form).setValue(7);
    form.setModel(builtInModel());
    m_services->models.refresh();
    QTRY_VERIFY(m_services->models.find(model()) != nullptr && m_services->models.find(model())->looked);
    QTRY_VERIFY(m_services->models.find(builtInModel())->looked);
    QVERIFY(form.config().steps != 33);
    QVERIFY(form.config().sampler != core::SamplerKind::Ddim);
}

void GenerateFormTest::anAddOnThatIsGoneIsLeftOut() {
    leaveForm();
    m_services->models.forget(m_services->models.find(addOn())->recordId);
    restart();
    GenerateForm form(m_services->all());
    m_services->models.refresh();
    QTRY_COMPARE(form.config().steps, int64_t{33});
    QVERIFY(form.config().loras.empty());
    QVERIFY(form.findChild<LoraRows*>()->findChildren<QComboBox*>().isEmpty()); // nothing is said of it
}

void GenerateFormTest::thePictureToStartFromComesBack() {
    const QString picture = writeTestPicture(m_place.path(u"beach.png"_s), 2, {64, 64});
    {
        GenerateForm form(m_services->all());
        core::SampleConfig config = form.config();
        config.strength = 0.4;
        form.setConfig(config);
        form.setStart(picture); // nothing is changed after it
    }
    restart();
    {
        GenerateForm form(m_services->all());
        QCOMPARE(QString::fromStdString(form.config().initImage), picture);
        QCOMPARE(form.config().strength, 0.4);
        QVERIFY(buttonNamed(form, u"beach.png"_s) != nullptr);
        workPool().waitForDone();
        QCoreApplication::processEvents();
        QCOMPARE(QString::fromStdString(form.config().initImage), picture); // it was found
        form.setStart({});
    }
    restart();
    QCOMPARE(QString::fromStdString(GenerateForm(m_services->all()).config().initImage), QString());
}

void GenerateFormTest::aPictureToStartFromThatIsGoneIsDropped() {
    const QString picture = writeTestPicture(m_place.path(u"gone.png"_s), 3, {64, 64});
    GenerateForm(m_services->all()).setStart(picture);
    restart();
    QVERIFY(QFile::remove(picture));
    GenerateForm form(m_services->all());
    QTRY_COMPARE(QString::fromStdString(form.config().initImage), QString());
    QVERIFY(buttonNamed(form, u"gone.png"_s) == nullptr);
}

void GenerateFormTest::aStartThatIsFoundLateReplacesNoLaterChoice() {
    const QString late = writeTestPicture(m_place.path(u"late.png"_s), 4, {64, 64});
    const QString other = writeTestPicture(m_place.path(u"other.png"_s), 5, {64, 64});
    m_services->library.write(
        [path = late.toStdString()](core::Library& library) { return core::noteStart(library, path); });
    core::GenerationParameters facts;
    facts.prompt = "a red apple";
    facts.steps = 12;
    facts.seed = 4021;
    facts.widthPixels = facts.heightPixels = 64;
    const QString startless = QString::fromStdString(core::writeGenerationParameters(facts));
    facts.strength = 0.4;
    facts.initImage = "late.png";
    const QString started = QString::fromStdString(core::writeGenerationParameters(facts));
    GeneratePage page(m_services->all());
    auto* form = page.findChild<GenerateForm*>();
    const auto start = [form] { return QString::fromStdString(form->config().initImage); };
    for (const QString& chosen : {QString(), other}) {
        {
            const Blocked drive(lookPool()); // as if it slept
            QVERIFY(page.useParameters(started, {}));
            if (chosen.isEmpty())
                QVERIFY(page.useParameters(startless, {}));
            else
                form->setStart(chosen);
            bool asked = false;
            m_services->library.work(
                this, [](core::Library&) {}, [&asked] { asked = true; });
            QTRY_VERIFY(asked); // by now the drive is
        }
        QCoreApplication::processEvents();
        QCOMPARE(start(), chosen);
    }
    QVERIFY(page.useParameters(started, {}));
    QTRY_COMPARE(start(), late);
}

void GenerateFormTest::aSeedThatIsNotKeptIsDrawnAnew() {
    {
        GenerateForm form(m_services->all());
        form.setConfig(form.config());
        QVERIFY(form.config().seed > 0);
    }
    restart();
    GenerateForm form(m_services->all());
    const uint64_t seed = form.config().seed;
    bool another = false;
    for (int draw = 0; draw < 5 && !another; ++draw) {
        form.nextSeed();
        another = form.config().seed != seed;
    }
    QVERIFY(another);
}

void GenerateFormTest::sizesCanBeTyped_data() {
    QTest::addColumn<QString>("typed");
    QTest::addColumn<QSize>("size");
    QTest::addColumn<bool>("rounded");
    QTest::newRow("as shown") << u"96 x 64"_s << QSize(96, 64) << false;
    QTest::newRow("without blanks") << u"96x64"_s << QSize(96, 64) << false;
    QTest::newRow("another sign") << u" 96 \u00d7 64 px "_s << QSize(96, 64) << false;
    QTest::newRow("a blank alone") << u"96 64"_s << QSize(96, 64) << false;
    QTest::newRow("one number") << u"128"_s << QSize(128, 128) << false;
    QTest::newRow("between") << u"70 x 90"_s << QSize(64, 96) << true;
    QTest::newRow("too large") << u"99999 x 64"_s << QSize(8192, 64) << true;
    QTest::newRow("too small") << u"1 x 64"_s << QSize(16, 64) << true;
}

void GenerateFormTest::sizesCanBeTyped() {
    QFETCH(QString, typed);
    QFETCH(QSize, size);
    QFETCH(bool, rounded);
    const QString coarse = coarseModel(m_place.path(u"coarse"_s)); // multiples of 16
    addModel(u"coarse"_s, "model");
    QTRY_VERIFY(m_services->models.find(coarse)->looked);
    GenerateForm form(m_services->all());
    form.setModel(coarse);
    QVERIFY(sizeBox(form).isEditable());
    typeSize(form, typed);
    QCOMPARE(QSize(int(form.config().widthPixels), int(form.config().heightPixels)), size);
    QCOMPARE(sizeBox(form).currentText(), u"%1 x %2"_s.arg(size.width()).arg(size.height()));
    const auto told = [&form] { return shownTexts(form).filter(u"does not suit"_s).size(); };
    QCOMPARE(told(), rounded ? 1 : 0);
    Q_EMIT sizeBox(form).lineEdit()->editingFinished(); // the field is left: what was said stays
    QCOMPARE(told(), rounded ? 1 : 0);
}

void GenerateFormTest::whatIsNoSizeIsSaid() {
    GenerateForm form(m_services->all());
    typeSize(form, u"96 x 64"_s);
    for (const char* text : {"large", "", "96 x", "0 x 64", "1 x 2 x 3"}) {
        typeSize(form, QString::fromLatin1(text));
        QCOMPARE(form.config().widthPixels, int64_t{96});
        QCOMPARE(sizeBox(form).currentText(), u"96 x 64"_s);
        QCOMPARE(shownTexts(form).filter(u"is no size"_s).size(), 1);
    }
    typeSize(form, u"64 x 64"_s);
    QCOMPARE(shownTexts(form).filter(u"is no size"_s).size(), 0);
}

void GenerateFormTest::aTypedSizeCountsWithoutLeavingTheField() {
    m_services->models.refresh();
    QTRY_VERIFY(m_services->models.find(builtInModel())->looked);
    GeneratePage page(m_services->all());
    page.show();
    m_services->generator.setTraining(true); // what is asked for waits
    page.findChild<GenerateForm*>()->setPrompt(u"a red apple"_s);
    page.findChild<GenerateForm*>()->setCount(1);
    sizeBox(page).setEditText(u"96 x 64"_s);
    page.mainButton()->click();
    QTRY_COMPARE(m_services->generator.jobs().size(), size_t{1});
    QCOMPARE(shownTexts(page).filter(u"that wait appear here"_s).size(), 1);
    QCOMPARE(shownTexts(page).filter(u"Describe a picture and"_s).size(), 0);
    QCOMPARE(m_services->generator.jobs().front().config.widthPixels, int64_t{96});
    QCOMPARE(m_services->generator.jobs().front().config.heightPixels, int64_t{64});
}

void GenerateFormTest::wordsThatAreReplacedComeBack() {
    GenerateForm form(m_services->all());
    form.setPrompt({});
    auto* prompt = form.findChild<QPlainTextEdit*>();
    auto* negative = fieldNamed(form, u"Leave out"_s);
    prompt->insertPlainText(u"a long sentence of mine"_s);
    negative->insert(u"people"_s);
    form.setPrompt(u"a rocket"_s, u"clouds"_s);
    QCOMPARE(form.prompt(), u"a rocket"_s);
    QCOMPARE(form.negative(), u"clouds"_s);
    QVERIFY(prompt->textCursor().atEnd()); // where words of a list go
    prompt->undo();
    negative->undo();
    QCOMPARE(form.prompt(), u"a long sentence of mine"_s);
    QCOMPARE(form.negative(), u"people"_s);
    prompt->redo();
    QCOMPARE(form.prompt(), u"a rocket"_s);
}

void GenerateFormTest::aSeedIsMadeOfDigits() {
    GenerateForm form(m_services->all());
    form.show();
    auto* seed = fieldNamed(form, u"Seed"_s);
    seed->selectAll();
    QTest::keyClicks(seed, u" 40x21"_s);
    QCOMPARE(form.config().seed, uint64_t{4021});
    QVERIFY(buttonNamed(form, u"Keep"_s)->isChecked());
    seed->selectAll();
    QTest::keyClicks(seed, u"9999999999999999999"_s); // a digit more than there is room for
    QCOMPARE(form.config().seed, uint64_t{999'999'999'999'999'999});
}

void GenerateFormTest::anEmptySeedIsDrawn() {
    GenerateForm form(m_services->all());
    form.show();
    form.setSeed(4021);
    auto* seed = fieldNamed(form, u"Seed"_s);
    seed->selectAll();
    QTest::keyClick(seed, Qt::Key_Delete);
    QCOMPARE(seed->text(), QString());
    QVERIFY(!buttonNamed(form, u"Keep"_s)->isChecked());
    form.finishTyping(); // as before pictures are made
    QVERIFY(form.config().seed > 0);
    QVERIFY(seed->text() != QString());
    form.setSeed(4021);
    seed->selectAll();
    QTest::keyClicks(seed, u"-1"_s); // what asks for one in other programs
    QVERIFY(!buttonNamed(form, u"Keep"_s)->isChecked());
    Q_EMIT seed->editingFinished();
    QVERIFY(!seed->text().contains('-') && !buttonNamed(form, u"Keep"_s)->isChecked());
}

void GenerateFormTest::whatThePlacesStandForFollowsTheSubject() {
    SubjectBook& book = m_services->subjects;
    const int64_t id = book.addFromPhotos({m_place.path(u"robot_toy/1.png"_s)});
    GenerateForm form(m_services->all());
    form.setPrompt(u"a {subject} on a box"_s);
    core::Subject subject = *book.find(id);
    subject.classNoun = "lighthouse";
    book.change(subject, u"what it is"_s);
    QCOMPARE(shownTexts(form).filter(u"lighthouse on a box"_s).size(), 1);
    subject.classNoun = "house (old)"; // as its captions have it, which no bracket weighs
    book.change(subject, u"what it is"_s);
    QVERIFY(form.filled().text.endsWith(u"house \\(old\\) on a box"_s));
}

void GenerateFormTest::theSettingOfTheirNumberCountsAtOnce() {
    const GenerateForm form(m_services->all());
    m_services->settings.set(keys::kPictureCount, 7);
    QCOMPARE(form.config().count, int64_t{7});
    m_services->settings.reset(keys::kPictureCount);
    QCOMPARE(form.config().count, int64_t{4});
}

void GenerateFormTest::theirNumberComesBack() {
    GenerateForm(m_services->all()).setCount(8);
    restart();
    QCOMPARE(GenerateForm(m_services->all()).config().count, int64_t{8}); // whatever its model
}

void GenerateFormTest::moreThanThereCanBeIsTheMost() {
    GenerateForm form(m_services->all());
    form.show();
    QSpinBox* count = nullptr;
    for (auto* box : form.findChildren<QSpinBox*>())
        if (box->accessibleName() == u"Count"_s) count = box;
    QVERIFY(count != nullptr);
    count->selectAll();
    QTest::keyClicks(count, u"150"_s);
    form.finishTyping(); // as before pictures are made
    QCOMPARE(form.config().count, int64_t{64});
    QCOMPARE(shownTexts(form).filter(u"150 are too many"_s).size(), 1);
    form.setCount(3);
    QCOMPARE(shownTexts(form).filter(u"too many"_s).size(), 0);
    stepsBox(form).selectAll();
    QTest::keyClicks(&stepsBox(form), u"5000"_s);
    form.finishTyping();
    QCOMPARE(form.config().steps, int64_t{1000});
}

void GenerateFormTest::tabLeadsToWhatIsLeftOut() {
    GenerateForm form(m_services->all());
    form.setPrompt(u"a hat, [ugly:0.5]"_s);
    QVERIFY(buttonNamed(form, u"Take over"_s)->isVisibleTo(&form)); // it was offered above
    QWidget* next = form.findChild<QPlainTextEdit*>()->nextInFocusChain();
    while (!(next->focusPolicy() & Qt::TabFocus) || !next->isVisibleTo(&form))
        next = next->nextInFocusChain();
    QCOMPARE(next, fieldNamed(form, u"Leave out"_s));
}

void GenerateFormTest::textsThatAreTooLongAreSaid() {
    m_services->models.refresh();
    QTRY_VERIFY(m_services->models.find(builtInModel())->looked);
    GeneratePage page(m_services->all());
    auto* form = page.findChild<GenerateForm*>();
    form->setModel(builtInModel());
    const auto said = [form] { return shownTexts(*form).filter(u"its end is not read"_s).size(); };
    form->setPrompt(u"cat "_s.repeated(31)); // it reads 30
    QTRY_COMPARE(said(), 1);
    QCOMPARE(shownTexts(*form).filter(u"The prompt has 31 tokens"_s).size(), 1);
    Q_EMIT m_services->generator.warned(warningHeadline("prompt-truncated"), u"31"_s);
    QCOMPARE(page.messages().count(), 1);
    form->setPrompt(u"cat "_s.repeated(30));
    QCOMPARE(said(), 0);
    QCOMPARE(page.messages().count(), 0); // it was of the one before
}

void GenerateFormTest::oneOfASeedCountsWhileThatIsKept() {
    {
        GenerateForm form(m_services->all());
        form.setCount(8);
        form.setSeedOfOne(4021);
        form.setSeedOfOne(4022); // of another picture
        QCOMPARE(form.config().count, int64_t{1});
    }
    restart();
    GenerateForm form(m_services->all());
    QCOMPARE(form.config().count, int64_t{1});
    QPushButton* lock = buttonNamed(form, u"Keep"_s);
    QVERIFY(lock->isChecked());
    lock->click();
    QCOMPARE(form.config().count, int64_t{8});
    form.setSeedOfOne(4023);
    form.setCount(3); // somebody chose it
    lock->click();
    QCOMPARE(form.config().count, int64_t{3});
}

void GenerateFormTest::numbersBetweenTheStepsOfASliderAreKept() {
    addModel(u"hat.safetensors"_s, "lora");
    GenerateForm form(m_services->all());
    core::SampleConfig config = form.config();
    for (const double guidance : {7.25, 30.0, 7.5}) {
        config.guidanceScale = guidance;
        config.strength = 0.755;
        config.loras = {{addOn().toStdString(), 0.33}};
        form.setConfig(config);
        QCOMPARE(form.config().guidanceScale, guidance);
        QCOMPARE(form.config().strength, 0.755);
        QCOMPARE(form.config().loras.front().weight, 0.33);
    }
    config.guidanceScale = 150.0; // of another program; the engine takes no more than 100
    form.setConfig(config);
    QCOMPARE(form.config().guidanceScale, 100.0);
    config.guidanceScale = 7.25;
    form.setConfig(config);
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete); // rows that were replaced
    QVERIFY(shownTexts(form).contains(QLocale().toString(7.25, 'f', 2)));
    QSlider& guidance = sliderNamed(form, "Follow the prompt");
    guidance.setValue(guidance.value() + 1); // by hand
    QCOMPARE(form.config().guidanceScale, guidance.value() / 10.0);
    QSlider& weight = sliderNamed(form, "Weight of add-on 1");
    weight.setValue(weight.value() + 1);
    QCOMPARE(form.config().loras.front().weight, weight.value() / 20.0);
}

void GenerateFormTest::aWeightIsTypedBetweenTheStepsOfItsSlider() {
    addModel(u"hat.safetensors"_s, "lora");
    GenerateForm form(m_services->all());
    core::SampleConfig config = form.config();
    config.loras = {{addOn().toStdString(), 0.4}};
    form.setConfig(config);
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete); // rows that were replaced
    form.show();
    QLineEdit* typed = fieldNamed(form, u"Weight of add-on 1"_s);
    typed->selectAll();
    QTest::keyClicks(typed, u"-0,33"_s);
    QCOMPARE(form.config().loras.front().weight, -0.33);
    QCOMPARE(sliderNamed(form, "Weight of add-on 1").value(), -7);
    typed->selectAll();
    QTest::keyClicks(typed, u"much"_s);
    Q_EMIT typed->editingFinished();
    QCOMPARE(typed->text(), QLocale().toString(-0.33, 'f', 2));
}

void GenerateFormTest::aPictureIsDraggedOntoTheButtonOfTheStart() {
    const QUrl one = QUrl::fromLocalFile(writeTestPicture(m_place.path(u"one.png"_s), 2, {64, 64}));
    const QUrl other = QUrl::fromLocalFile(m_place.path(u"other.png"_s));
    GenerateForm form(m_services->all());
    form.show();
    QPushButton* start = buttonNamed(form, u"Choose or drop a picture"_s);
    QVERIFY(start != nullptr);
    const auto drag = [start](const QList<QUrl>& urls) {
        QMimeData data;
        data.setUrls(urls);
        QDragEnterEvent enter({2, 2}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(start, &enter);
        QDropEvent drop({2, 2}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        if (enter.isAccepted()) QCoreApplication::sendEvent(start, &drop);
        return enter.isAccepted();
    };
    QVERIFY(!drag({one, other}));
    QVERIFY(!drag({QUrl(u"https://example.org/photo.jpg"_s)}));
    QVERIFY(form.config().initImage.empty());
    QVERIFY(drag({one}));
    QCOMPARE(QString::fromStdString(form.config().initImage), one.toLocalFile());
}

void GenerateFormTest::aLoraOfADeletedTrainingIsForgotten() {
    const QString runs = m_services->settings.runsFolder();
    QVERIFY(QDir().mkpath(runs));
    core::SampleConfig config;
    config.loras = {{(runs + u"/anna/result/lora.safetensors"_s).toStdString(), 1.0},
                    {"/media/away/runs/hat/result/lora.safetensors", 0.5}, // on a drive that may come back
                    {(runs + u"/cup/result/lora.safetensors"_s).toStdString(), 0.5}}; // likewise
    QVERIFY(QDir().mkpath(runs + u"/cup"_s));
    QVERIFY(QFile::link(u"/media/away/cup"_s, runs + u"/cup/result"_s));
    const QJsonObject state{{u"settings"_s, QString::fromStdString(core::toJson(config))}};
    m_services->settings.set(keys::kGenerate, QString::fromUtf8(QJsonDocument(state).toJson()));
    const GenerateForm form(m_services->all());
    QTRY_VERIFY(!m_services->settings.text(keys::kGenerate).contains(u"anna"_s));
    for (const QString& kept : {u"away"_s, u"cup"_s})
        QVERIFY(m_services->settings.text(keys::kGenerate).contains(kept));
    m_services->settings.reset(keys::kGenerate);
    QVERIFY(QDir(runs + u"/cup"_s).removeRecursively());
}

HOMEBOOTH_APP_TEST_MAIN(GenerateFormTest)
#include "tst_generate_form.moc"
