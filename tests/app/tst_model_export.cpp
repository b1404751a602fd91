// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The page Models: what is exported, under which name, how far it is, and what is to be chosen elsewhere.
#include "app/engine/places.h"
#include "app/widgets/message_bar.h"
#include "core/base/model/model_hash.h"
#include "core/base/text/generation_parameters.h"
#include "model_fixture.h"

using namespace homebooth;
using namespace homebooth::app;

class ModelExportTest : public KnownModelsTest {
    Q_OBJECT
public:
    using KnownModelsTest::KnownModelsTest;
private Q_SLOTS:
    void init() { beginAgain(); }
    void cleanup() { end(); }
    void exportsWithTheEngine();
    void exportsAreCalledAsPicturesCallThem();
    void anExportSaysHowFarItIsAndStops();
    void anExportSaysWhatIsToBeChosenElsewhere();
};

void ModelExportTest::exportsWithTheEngine() {
    ModelsPage page(m_services->all());
    page.show();
    const QString to = m_place.path(u"exported.safetensors"_s);
    page.exportTo(builtInModel(), to, u"checkpoint"_s);
    QTRY_VERIFY_WITH_TIMEOUT(page.messages().currentText().contains(u"Exported"_s), 60'000);
    const auto found = core::inspectPath(to.toStdString());
    QVERIFY(found && found->problem.empty());
    QVERIFY(found->kind == core::InspectedKind::Model);
    page.exportTo(builtInModel(), to, u"checkpoint"_s); // nothing is written over
    QTRY_VERIFY_WITH_TIMEOUT(page.messages().currentText().contains(u"could not be exported"_s), 60'000);
    QVERIFY(page.messages().currentText().endsWith(u"exists already. Choose another name."_s));
    page.exportTo(builtInModel(), m_place.path(u"folder.safetensors"_s), u"diffusers"_s);
    QTRY_VERIFY_WITH_TIMEOUT(page.messages().currentText().contains(u"is a file's name"_s), 60'000);
}

void ModelExportTest::exportsAreCalledAsPicturesCallThem() {
    ModelEntry second; // training of a subject
    second.origin = ModelEntry::Origin::Run;
    second.kind = ModelEntry::Kind::Lora;
    second.name = u"Rex, Max (2)"_s;
    second.path = u"/runs/Rex, Max 2/result/lora.safetensors"_s;
    QCOMPARE(ModelsPage::exportName(second), u"Rex, Max 2"_s);
    core::GenerationParameters facts;
    facts.steps = 1;
    facts.loraWeights = {{core::modelName(second.path.toStdString()), 1.0}};
    const QString tag = u"<lora:%1:1>"_s.arg(ModelsPage::exportName(second));
    const QString text = QString::fromStdString(core::writeGenerationParameters(facts));
    QVERIFY2(text.startsWith(tag), qPrintable(text));
    ModelEntry imported;
    imported.origin = ModelEntry::Origin::Imported;
    imported.kind = ModelEntry::Kind::Lora;
    imported.name = u"my hat"_s;
    imported.path = u"/models/hat: v2.safetensors"_s;
    QCOMPARE(ModelsPage::exportName(imported), u"hat_ v2"_s);
    imported.kind = ModelEntry::Kind::Model; // prompts name none
    QCOMPARE(ModelsPage::exportName(imported), u"my hat"_s);
    imported.name = u"my hat.Safetensors"_s; // folders are called so as well
    QCOMPARE(ModelsPage::exportName(imported), u"my hat"_s);
}

void ModelExportTest::anExportSaysHowFarItIsAndStops() {
    const QByteArray engine = qgetenv("HOMEBOOTH_ENGINE");
    QVERIFY(useEngine(m_place, R"sh(#!/bin/bash
trap 'exit 5' TERM
printf '{"v":1,"seq":1,"time":"2026-11-21T10:00:00.123Z","type":"state","state":"writing","detail":"","done":1000000000,"total":4000000000}\n'
while true; do sleep 0.05; done
)sh"));
    ModelsPage page(m_services->all());
    page.show();
    page.exportTo(builtInModel(), m_place.path(u"never"_s), u"diffusers"_s);
    QTRY_VERIFY(page.messages().currentText().contains(u"1.0 GB of 4.0 GB"_s));
    buttonNamed(page, u"Stop"_s)->click();
    QTRY_VERIFY(page.messages().currentText().contains(u"Nothing was written"_s));
    qputenv("HOMEBOOTH_ENGINE", engine);
}

void ModelExportTest::anExportSaysWhatIsToBeChosenElsewhere() {
    const QByteArray engine = qgetenv("HOMEBOOTH_ENGINE");
    QVERIFY(useEngine(m_place, R"sh(#!/bin/bash
printf '{"v":1,"seq":1,"time":"2026-11-21T10:00:00.123Z","type":"state","state":"writing","detail":"","done":4,"total":4}\n'
printf '{"v":1,"seq":0,"time":"2026-11-21T10:00:00.123Z","type":"warning","code":"v-chosen-elsewhere","message":"in ComfyUI"}\n'
)sh"));
    ModelsPage page(m_services->all());
    page.show();
    page.exportTo(builtInModel(), m_place.path(u"v.safetensors"_s), u"checkpoint"_s);
    QTRY_VERIFY(page.messages().currentText().contains(u"ModelSamplingDiscrete"_s));
    QVERIFY(page.messages().currentText().contains(u"v.safetensors"_s));
    qputenv("HOMEBOOTH_ENGINE", engine);
}

HOMEBOOTH_APP_TEST_MAIN(ModelExportTest)
#include "tst_model_export.moc"
