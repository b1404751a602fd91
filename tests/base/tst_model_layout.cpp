// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Layouts of the real models: names, shapes and wiring, against what diffusers and transformers lay out.
#include "core/base/arch/clip_layout.h"
#include "core/base/arch/unet_layout.h"
#include "core/base/arch/vae_layout.h"
#include "core/base/files/sha256.h"

#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <set>

using namespace homebooth::core;

namespace {

std::string readText(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) qFatal("cannot open %s", qPrintable(path));
    return file.readAll().toStdString();
}

std::string configText(const QString& model) {
    return readText(QStringLiteral(HOMEBOOTH_SOURCE_DIR "/tests/configs/") + model + "/config.json");
}

/// All networks of one part: the autoencoder has two.
std::vector<Schedule> schedulesOf(const QString& model) {
    const std::string text = configText(model);
    if (model.endsWith("/unet")) return {unetSchedule(UNetConfig::fromJson(text).value())};
    if (model.endsWith("/text_encoder")) return {clipSchedule(ClipConfig::fromJson(text).value())};
    if (model.endsWith("/text_encoder_2"))
        return {clipSchedule(ClipConfig::fromJson(text).value(), 0, ClipInput::Tokens,
                             ClipOutput::HiddenAndPooled)};
    const VaeConfig config = VaeConfig::fromJson(text).value();
    return {vaeEncoderSchedule(config), vaeDecoderSchedule(config)};
}

struct Summary {
    qint64 tensors = 0;
    qint64 elements = 0;
    QString hash;
};

Summary summaryOf(const std::vector<Schedule>& schedules) {
    Summary summary;
    std::multiset<std::string> lines;
    for (const Schedule& schedule : schedules)
        for (const BlockSpec& block : schedule.blocks())
            for (const ParameterSpec& parameter : block.parameters) {
                std::string line = parameter.name;
                for (const int64_t extent : parameter.shape) line += " " + std::to_string(extent);
                lines.insert(line + "\n");
                summary.elements += parameter.elementCount();
            }
    std::string text;
    for (const std::string& line : lines) text += line;
    summary.tensors = static_cast<qint64>(lines.size());
    summary.hash = QString::fromStdString(sha256Text(text));
    return summary;
}

} // namespace

class ModelLayout : public QObject {
    Q_OBJECT
private slots:
    void hasTheParametersOfTheReference_data();
    void hasTheParametersOfTheReference();
    void everyValueIsDefinedBeforeItsUse_data() { hasTheParametersOfTheReference_data(); }
    void everyValueIsDefinedBeforeItsUse();
    void blocksStaySmallBesideTheModel();
    void skippedLayersAreNotLaidOut();
    void valuesSayTheirSizes();
    void initialisesAsTheLibrariesDo();
};

void ModelLayout::hasTheParametersOfTheReference_data() {
    QTest::addColumn<QString>("model");
    for (const char* family : {"sd15", "sd21-base", "sd21-768", "sdxl-base"})
        for (const char* part : {"unet", "vae", "text_encoder"}) {
            const QString model = QString("%1/%2").arg(family, part);
            QTest::newRow(qPrintable(model)) << model;
        }
    QTest::newRow("sdxl-base/text_encoder_2") << "sdxl-base/text_encoder_2";
}

void ModelLayout::hasTheParametersOfTheReference() {
    QFETCH(const QString, model);
    const auto fixtures = QByteArray::fromStdString(readText(HOMEBOOTH_FIXTURES_DIR "/layouts.json"));
    const QJsonObject expected = QJsonDocument::fromJson(fixtures).object()[model].toObject();
    const Summary found = summaryOf(schedulesOf(model));
    QCOMPARE(found.tensors, expected["tensors"].toInteger());
    QCOMPARE(found.elements, expected["elements"].toInteger());
    QCOMPARE(found.hash, expected["sha256"].toString());
}

void ModelLayout::everyValueIsDefinedBeforeItsUse() {
    QFETCH(const QString, model);
    for (const Schedule& schedule : schedulesOf(model)) {
        std::set<ValueId> defined(schedule.inputs().begin(), schedule.inputs().end());
        for (const Node& node : schedule.nodes()) {
            for (const ValueId input : node.inputs) QVERIFY(defined.contains(input));
            for (const ValueId output : node.outputs) QVERIFY(defined.insert(output).second);
        }
        QCOMPARE(defined.size(), schedule.values().size());
        const std::vector<int> lastUses = schedule.lastUses();
        for (const int last : lastUses) QVERIFY(last >= 0); // nothing is computed for nobody
        QCOMPARE(schedule.outputs().size(), size_t{model.endsWith("_2") ? 2U : 1U}); // one is pooled
    }
}

/// The executor holds one block at a time: a block with a large part of the model would defeat that.
void ModelLayout::blocksStaySmallBesideTheModel() {
    const Schedule schedule = schedulesOf("sdxl-base/unet").front();
    for (const BlockSpec& block : schedule.blocks())
        QVERIFY2(block.parameterCount() * 40 < schedule.parameterCount(), block.name.c_str());
}

void ModelLayout::skippedLayersAreNotLaidOut() {
    const ClipConfig config = ClipConfig::fromJson(configText("sd15/text_encoder")).value();
    const Schedule whole = clipSchedule(config);
    const Schedule shorter = clipSchedule(config, 2);
    QCOMPARE(shorter.blocks().size() + 2, whole.blocks().size());
    QCOMPARE(shorter.blocks().back().name, whole.blocks().back().name);
}

void ModelLayout::valuesSayTheirSizes() {
    const Schedule unet = schedulesOf("sd15/unet").front();
    const auto find = [](const Schedule& schedule, const std::string& name) {
        for (const ValueSpec& value : schedule.values())
            if (value.name == name) return value;
        return ValueSpec{};
    };
    const ValueSpec mid = find(unet, "mid_block.resnets.0");
    QCOMPARE(mid.channels, int64_t{1280});
    QCOMPARE(mid.downscale, int64_t{8});
    QCOMPARE(find(unet, "up_blocks.3.attentions.2").downscale, int64_t{1});
    QCOMPARE(find(unet, "context").tokens, int64_t{77});
    const std::vector<Schedule> vae = schedulesOf("sd15/vae");
    QCOMPARE(vae[0].values()[vae[0].outputs().front()].downscale, int64_t{8});
    QCOMPARE(vae[1].values()[vae[1].inputs().front()].downscale, int64_t{8});
    QCOMPARE(vae[1].values()[vae[1].outputs().front()].downscale, int64_t{1});
}

void ModelLayout::initialisesAsTheLibrariesDo() {
    const Schedule unet = schedulesOf("sd15/unet").front();
    const BlockSpec& resnet = unet.blocks()[2];
    QCOMPARE(resnet.kind, std::string("resnet"));
    const ParameterSpec& bias = resnet.parameters[resnet.parameterIndex("conv1.bias")];
    QVERIFY(bias.initialisation == Initialisation::KaimingUniform);
    QCOMPARE(bias.initialisationScale, 320.0 * 9.0); // the fan-in of its weight
    QVERIFY(resnet.parameters[resnet.parameterIndex("norm1.weight")].initialisation == Initialisation::Ones);

    const Schedule text = schedulesOf("sd15/text_encoder").front();
    const BlockSpec& layer = text.blocks()[1];
    const ParameterSpec& query = layer.parameters[layer.parameterIndex("self_attn.q_proj.weight")];
    QVERIFY(query.initialisation == Initialisation::Normal);
    QVERIFY(qFuzzyCompare(query.initialisationScale, 1.0 / std::sqrt(768.0 * 24.0)));
}

QTEST_APPLESS_MAIN(ModelLayout)
#include "tst_model_layout.moc"
