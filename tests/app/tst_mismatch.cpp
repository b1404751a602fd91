// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Add-ons that were made for other models: dimmed where they are chosen, and named where the engine refused.
#include "app/engine/places.h"
#include "app/pages/generate/lora_rows.h"
#include "app/widgets/message_bar.h"
#include "picture_fixture.h"
#include "prompt_page.h"

#include <QComboBox>
#include <QPlainTextEdit>

using namespace homebooth;
using namespace homebooth::app;

namespace {

/// Refuses every order with an add-on, as the engine does one that does not fit.
constexpr const char* kRefusingEngine = R"sh(#!/bin/bash
say() { printf '{"v":1,"seq":1,"time":"2026-11-21T10:00:00.000Z",%s}\n' "$1"; }
say '"type":"state","state":"ready","detail":"","done":0,"total":0'
while read -r line; do
    case "$line" in
    *'"stop"'*) continue ;;
    *'"file"'*)
        say '"type":"outcome","outcome":"failed","measured":{},"result":[],"code":3,"message":"does not fit","kept":""'
        ;;
    *) say '"type":"outcome","outcome":"done","measured":{},"result":[],"code":0,"message":"","kept":""' ;;
    esac
    say '"type":"state","state":"ready","detail":"","done":0,"total":0'
done
)sh";

} // namespace

class MismatchTest : public ServicesTest {
    Q_OBJECT
public:
    using ServicesTest::ServicesTest;
private Q_SLOTS:
    void initTestCase() { QVERIFY(useEngine(m_place, kRefusingEngine)); }
    void init() { beginAgain(); }
    void cleanup() { end(); }
    void whatWasMadeForOthersIsDimmedWithTheReason();
    void theRefusalNamesTheAddOnAndTheWaysOut();
    void withoutItThatIsMadeWhichWasRefused();
    void theRefusalNamesBothFamilies();

private:
    /// A LoRA that the shelf has looked at. @param width  of the text that its model reads: 768 is SD 1.x
    /// @returns its path
    QString addLora(const QString& name, int64_t width);
    /// A model of SDXL, likewise.
    QString addXl(const QString& name);
};

QString MismatchTest::addLora(const QString& name, int64_t width) {
    const QString path = m_place.path(name);
    if (!QFile::exists(path)) writeLoraFile(path, kFirstLayer, width, 320);
    m_services->models.import(path);
    [&] {
        QTRY_VERIFY(m_services->models.find(path) != nullptr && m_services->models.find(path)->looked &&
                    m_services->models.find(builtInModel())->looked);
    }();
    return path;
}

QString MismatchTest::addXl(const QString& name) {
    const QString model = sdxlModel(m_place.path(name));
    m_services->models.import(model);
    [&] { QTRY_VERIFY(m_services->models.familyOf(model) == core::ModelFamily::StableDiffusionXl); }();
    return model;
}

void MismatchTest::whatWasMadeForOthersIsDimmedWithTheReason() {
    const QString hat = addLora("hat.safetensors", 768);
    const QString own = addLora("own.safetensors", 64);
    const ModelShelf& shelf = m_services->models;
    QVERIFY(shelf.find(hat)->kind == ModelEntry::Kind::Lora);
    QVERIFY(shelf.familyOf(hat) == core::ModelFamily::StableDiffusion1);
    QVERIFY(shelf.madeForAnother(hat, builtInModel()));
    QVERIFY(!shelf.madeForAnother(own, builtInModel()));
    QVERIFY(!shelf.madeForAnother(hat, u"/unknown"_s)); // nobody knows
    LoraRows rows(m_services->models);
    rows.setLoras({{hat.toStdString(), 1.0}});
    const auto* choice = rows.findChild<QComboBox*>();
    QVERIFY(choice->toolTip().isEmpty());
    rows.setModels({builtInModel()});
    const int at = choice->findData(hat);
    QVERIFY(choice->itemData(at, Qt::ToolTipRole).toString().contains(u"Made for another"_s));
    QVERIFY(choice->itemData(at, Qt::ForegroundRole).isValid());
    QVERIFY(!choice->toolTip().isEmpty());
    const int fits = choice->findData(own);
    QVERIFY(choice->itemData(fits, Qt::ToolTipRole).toString().isEmpty());
    QVERIFY(!choice->itemData(fits, Qt::ForegroundRole).isValid());
    buttonNamed(rows, u"Add an add-on (LoRA)"_s)->click();
    QCOMPARE(QString::fromStdString(rows.loras().at(1).file), own);     // the first one that fits
    QCOMPARE(shownTexts(rows).filter(u"Made for another"_s).size(), 1); // of the other one
    rows.setModels({});
    QVERIFY(!choice->itemData(at, Qt::ForegroundRole).isValid());
}

void MismatchTest::theRefusalNamesTheAddOnAndTheWaysOut() {
    const QString hat = addLora("hat.safetensors", 768);
    PromptPage page(*m_services);
    auto* form = page.form;
    form->setModel(builtInModel(), hat);
    form->setPrompt(u"a hat"_s);
    QSignalSpy ended(&m_services->generator, &Generator::ended);
    page.mainButton()->click();
    QTRY_COMPARE(ended.size(), 1);
    QVERIFY(page.messages().currentText().contains(u"hat\" was made for another"_s));
    QVERIFY(page.messages().currentText().contains(u"Your prompt is kept"_s));
    QVERIFY(buttonNamed(page.messages(), u"Choose a model"_s) != nullptr);
    QVERIFY(buttonNamed(page.messages(), u"Try again"_s) == nullptr); // it would fail again
    auto* without = buttonNamed(page.messages(), u"Make without the add-on"_s);
    QVERIFY(without != nullptr);
    without->click();
    QTRY_COMPARE(ended.size(), 2);
    QVERIFY(ended.last().front().toBool());
    QVERIFY(form->config().loras.empty());
    QCOMPARE(form->prompt(), u"a hat"_s);
}

void MismatchTest::withoutItThatIsMadeWhichWasRefused() {
    const QString hat = addLora("hat.safetensors", 768);
    const QString model = addXl("model of another kind");
    PromptPage page(*m_services);
    auto* form = page.form;
    form->setModel(model, hat);
    form->setPrompt(u"a hat"_s);
    form->setSeed(4021);
    QSignalSpy ended(&m_services->generator, &Generator::ended);
    QSignalSpy begun(&m_services->generator, &Generator::begun);
    page.mainButton()->click();
    QTRY_COMPARE(ended.size(), 1);
    form->setModel(builtInModel()); // somebody goes on meanwhile
    form->setPrompt(u"a boat"_s);
    form->setSeed(7);
    buttonNamed(page.messages(), u"Make without the add-on"_s)->click();
    QTRY_COMPARE(ended.size(), 2);
    const auto made = begun.last().front().value<core::SampleConfig>();
    QCOMPARE(made.prompt, "a hat");
    QCOMPARE(QString::fromStdString(made.model), model);
    QCOMPARE(made.seed, uint64_t{4021});
    QVERIFY(made.loras.empty());
}

void MismatchTest::theRefusalNamesBothFamilies() {
    const QString hat = addLora("hat.safetensors", 768);
    const QString model = addXl("large model");
    PromptPage page(*m_services);
    auto* form = page.form;
    form->setModel(model, hat);
    form->setPrompt(u"a hat"_s);
    page.mainButton()->click();
    QTRY_VERIFY(
        page.messages().currentText().contains(u"\"hat\" was made for SD 1.x, this model is SDXL."_s));
}

HOMEBOOTH_APP_TEST_MAIN(MismatchTest)
#include "tst_mismatch.moc"
