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
    const QString to = m_place.path(QStringLiteral("exported.safetensors"));
    page.exportTo(builtInModel(), to, QStringLiteral("checkpoint"));
    QTRY_VERIFY_WITH_TIMEOUT(page.messages().currentText().contains(QStringLiteral("Exported")), 60'000);
    const auto found = core::inspectPath(to.toStdString());
    QVERIFY(found && found->problem.empty());
    QVERIFY(found->kind == core::InspectedKind::Model);
    page.exportTo(builtInModel(), to, QStringLiteral("checkpoint")); // nothing is written over
    QTRY_VERIFY_WITH_TIMEOUT(page.messages().currentText().contains(QStringLiteral("could not be exported")),
                             60'000);
    QVERIFY(page.messages().currentText().endsWith(QStringLiteral("exists already. Choose another name.")));
    page.exportTo(builtInModel(), m_place.path(QStringLiteral("folder.safetensors")),
                  QStringLiteral("diffusers"));
    QTRY_VERIFY_WITH_TIMEOUT(page.messages().currentText().contains(QStringLiteral("is a file's name")),
                             60'000);
}

void ModelExportTest::exportsAreCalledAsPicturesCallThem() {
    ModelEntry second; // training of a subject
    second.origin = ModelEntry::Origin::Run;
    second.kind = ModelEntry::Kind::Lora;
    second.name = QStringLiteral("Rex, Max (2)");
    second.path = QStringLiteral("/runs/Rex, Max 2/result/lora.safetensors");
    QCOMPARE(ModelsPage::exportName(second), QStringLiteral("Rex, Max 2"));
    core::GenerationParameters facts;
    facts.steps = 1;
    facts.loraWeights = {{core::modelName(second.path.toStdString()), 1.0}};
    const QString tag = QStringLiteral("<lora:%1:1>").arg(ModelsPage::exportName(second));
    const QString text = QString::fromStdString(core::writeGenerationParameters(facts));
    QVERIFY2(text.startsWith(tag), qPrintable(text));
    ModelEntry imported;
    imported.origin = ModelEntry::Origin::Imported;
    imported.kind = ModelEntry::Kind::Lora;
    imported.name = QStringLiteral("my hat");
    imported.path = QStringLiteral("/models/hat: v2.safetensors");
    QCOMPARE(ModelsPage::exportName(imported), QStringLiteral("hat_ v2"));
    imported.kind = ModelEntry::Kind::Model; // prompts name none
    QCOMPARE(ModelsPage::exportName(imported), QStringLiteral("my hat"));
    imported.name = QStringLiteral("my hat.Safetensors"); // folders are called so as well
    QCOMPARE(ModelsPage::exportName(imported), QStringLiteral("my hat"));
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
    page.exportTo(builtInModel(), m_place.path(QStringLiteral("never")), QStringLiteral("diffusers"));
    QTRY_VERIFY(page.messages().currentText().contains(QStringLiteral("1.0 GB of 4.0 GB")));
    buttonNamed(page, QStringLiteral("Stop"))->click();
    QTRY_VERIFY(page.messages().currentText().contains(QStringLiteral("Nothing was written")));
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
    page.exportTo(builtInModel(), m_place.path(QStringLiteral("v.safetensors")),
                  QStringLiteral("checkpoint"));
    QTRY_VERIFY(page.messages().currentText().contains(QStringLiteral("ModelSamplingDiscrete")));
    QVERIFY(page.messages().currentText().contains(QStringLiteral("v.safetensors")));
    qputenv("HOMEBOOTH_ENGINE", engine);
}

HOMEBOOTH_APP_TEST_MAIN(ModelExportTest)
#include "tst_model_export.moc"
