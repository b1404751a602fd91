// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Names and shapes of single files against the keys that published SD 1.x, 2.x and SDXL files have, and
// against examples that everybody knows.
#include "core/base/files/sha256.h"
#include "core/base/model/compvis_names.h"
#include "tests/base/support/tiny_model.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

#include <map>
#include <set>

using namespace homebooth::core;

namespace {

/// One parameter in both worlds.
struct Pair {
    std::string prefix; ///< the table's, e.g. "unet_"
    LayoutEntry ours;
    CompVisTensor theirs;
};

std::vector<Pair> pairsOf(const ModelSource& model) {
    std::vector<Pair> pairs;
    for (const LayoutEntry& entry : unetLayout(model.unet))
        pairs.push_back({"unet_", entry, compVisUnet(entry, model.unet)});
    for (const LayoutEntry& entry : vaeLayout(model.vae))
        pairs.push_back({"vae_", entry, compVisVae(entry, model.vae)});
    for (const LayoutEntry& entry : textEncoderLayout(model.text.config))
        pairs.push_back({"te_", entry, compVisTextEncoder(entry, compVisTextPlace(model, 0))});
    if (!model.secondText) return pairs;
    for (const LayoutEntry& entry : projectingTextEncoderLayout(model.secondText->config))
        pairs.push_back({"te2_", entry, compVisTextEncoder(entry, compVisTextPlace(model, 1))});
    return pairs;
}

std::vector<Pair> pairsOf(ModelFamily family) {
    return pairsOf(test::fullSizeModel(family, PredictionType::Epsilon));
}

/// One line of a table: a key of single files and what diffusers has for it.
struct Key {
    std::vector<std::string> ours;   ///< three where single files hold them as one
    std::vector<int64_t> theirShape; ///< empty where the table has none, which is ours then
    std::vector<int64_t> ourShape;   ///< of keys whose shape changes, else empty
};

std::vector<int64_t> shapeOf(const QByteArray& text) {
    std::vector<int64_t> shape;
    for (const QByteArray& side : text.split(',')) shape.push_back(side.toLongLong());
    return shape;
}

/// The keys of a table (tests/reference/README.md, single_keys.tsv): a line for each module, how names below
/// it begin, then one for each tensor in it.
/// @param table  below fixtures/
std::map<std::string, Key> keysOf(const QString& table) {
    const std::map<QByteArray, std::string> prefixes{
        {"unet", "unet_"}, {"vae", "vae_"}, {"text_encoder", "te_"}, {"text_encoder_2", "te2_"}};
    std::map<std::string, Key> keys;
    QFile file(QStringLiteral(HOMEBOOTH_FIXTURES_DIR "/") + table + ".tsv");
    if (!file.open(QIODevice::ReadOnly)) qFatal("cannot open %s", qPrintable(file.fileName()));
    std::string theirs;
    std::string ours;
    while (!file.atEnd()) {
        const QByteArray line = file.readLine();
        const QList<QByteArray> cells = line.left(line.size() - 1).split('\t');
        if (!cells[0].isEmpty()) {
            theirs = cells[1].toStdString();
            ours = prefixes.at(cells[0]) + cells.value(2).toStdString();
            continue;
        }
        if (cells.value(3) == "-") continue; // not of the model
        Key key;
        for (const QByteArray& suffix : cells.value(3, cells[1]).split('+'))
            key.ours.push_back(ours + suffix.toStdString());
        const QList<QByteArray> shapes = cells.value(2).split('>');
        if (!cells.value(2).isEmpty()) key.theirShape = shapeOf(shapes[0]);
        if (shapes.size() == 2) key.ourShape = shapeOf(shapes[1]);
        keys[theirs + cells[1].toStdString()] = key;
    }
    return keys;
}

} // namespace

class TestCompVisNames : public QObject {
    Q_OBJECT

private slots:
    void matchesThePublishedTables_data() {
        QTest::addColumn<QString>("table");
        QTest::addColumn<int>("family");
        QTest::newRow("SD 1.x") << QStringLiteral("sd1") << static_cast<int>(ModelFamily::StableDiffusion1);
        QTest::newRow("SD 2.x") << QStringLiteral("sd2") << static_cast<int>(ModelFamily::StableDiffusion2);
    }

    void matchesThePublishedTables() {
        QFETCH(QString, table);
        QFETCH(int, family);
        std::map<std::string, Key> expected = keysOf(QStringLiteral("compvis_keys/common"));
        expected.merge(keysOf("compvis_keys/" + table));
        std::map<std::string, size_t> met;
        for (const Pair& pair : pairsOf(static_cast<ModelFamily>(family))) {
            const std::string ours = pair.prefix + pair.ours.name;
            QVERIFY2(expected.contains(pair.theirs.name), (pair.theirs.name + " for " + ours).c_str());
            const Key& key = expected[pair.theirs.name];
            ++met[pair.theirs.name];
            if (pair.theirs.change == TensorChange::PartOf3) {
                QCOMPARE(key.ours.at(static_cast<size_t>(pair.theirs.part)), ours);
                QCOMPARE(pair.theirs.shape[0], 3 * pair.ours.shape[0]);
                continue;
            }
            QCOMPARE(key.ours.size(), size_t{1});
            QCOMPARE(key.ours.front(), ours);
            QCOMPARE(pair.theirs.shape, key.theirShape.empty() ? pair.ours.shape : key.theirShape);
            if (!key.ourShape.empty()) QCOMPARE(pair.ours.shape, key.ourShape);
        }
        for (const auto& [theirs, key] : expected) // complete: every key of the table was met
            QVERIFY2(met[theirs] == key.ours.size(), theirs.c_str());
    }

    void matchesTheKeysOfATinySdxl() {
        OpenOptions options;
        options.weightsOptional = true;
        const auto model = openModel(HOMEBOOTH_FIXTURES_DIR "/tiny-sdxl", options);
        QVERIFY2(model.ok(), model.ok() ? "" : model.error().text().c_str());
        const std::map<std::string, Key> expected = keysOf(QStringLiteral("xl/single_keys"));
        std::map<std::string, size_t> met;
        for (const Pair& pair : pairsOf(*model)) {
            const auto found = expected.find(pair.theirs.name);
            QVERIFY2(found != expected.end(), pair.theirs.name.c_str());
            ++met[pair.theirs.name];
            QCOMPARE(found->second.ours.at(static_cast<size_t>(pair.theirs.part)),
                     pair.prefix + pair.ours.name);
            QCOMPARE(pair.theirs.shape, found->second.theirShape);
        }
        for (const auto& [theirs, key] : expected) QVERIFY2(met[theirs] == key.ours.size(), theirs.c_str());
    }

    /// All names and shapes of the file that was published, as one hash.
    void matchesThePublishedSdxl() {
        std::set<std::string> lines{
            "conditioner.embedders.0.transformer.text_model.embeddings.position_ids 1 77\n",
            "conditioner.embedders.1.model.logit_scale\n"}; // which no model computes with
        for (const Pair& pair : pairsOf(ModelFamily::StableDiffusionXl)) {
            std::string line = pair.theirs.name;
            for (const int64_t extent : pair.theirs.shape) line += " " + std::to_string(extent);
            lines.insert(line + "\n");
        }
        std::string text;
        for (const std::string& line : lines) text += line;
        QFile file(QStringLiteral(HOMEBOOTH_FIXTURES_DIR "/xl/single_full_size.json"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QJsonObject expected = QJsonDocument::fromJson(file.readAll()).object();
        QCOMPARE(static_cast<qint64>(lines.size()), expected["tensors"].toInteger());
        QCOMPARE(QString::fromStdString(sha256Text(text)), expected["sha256"].toString());
    }

    void neverGivesTwoParametersOnePlace_data() {
        QTest::addColumn<int>("family");
        QTest::newRow("SD 1.x") << static_cast<int>(ModelFamily::StableDiffusion1);
        QTest::newRow("SD 2.x") << static_cast<int>(ModelFamily::StableDiffusion2);
        QTest::newRow("SDXL") << static_cast<int>(ModelFamily::StableDiffusionXl);
    }

    void neverGivesTwoParametersOnePlace() {
        QFETCH(int, family);
        std::set<std::pair<std::string, int>> places;
        for (const Pair& pair : pairsOf(static_cast<ModelFamily>(family)))
            QVERIFY2(places.insert({pair.theirs.name, pair.theirs.part}).second, pair.theirs.name.c_str());
    }

    void knowsTheLandmarks() {
        std::map<std::string, std::string> names;
        for (const Pair& pair : pairsOf(ModelFamily::StableDiffusion1))
            names[pair.ours.name] = pair.theirs.name;
        QCOMPARE(names["conv_in.weight"], "model.diffusion_model.input_blocks.0.0.weight");
        QCOMPARE(names["up_blocks.0.upsamplers.0.conv.bias"],
                 "model.diffusion_model.output_blocks.2.1.conv.bias");
        QCOMPARE(names["up_blocks.1.upsamplers.0.conv.bias"],
                 "model.diffusion_model.output_blocks.5.2.conv.bias");
        QCOMPARE(names["decoder.up_blocks.0.resnets.0.norm1.weight"],
                 "first_stage_model.decoder.up.3.block.0.norm1.weight");
        QCOMPARE(names["text_model.final_layer_norm.weight"],
                 "cond_stage_model.transformer.text_model.final_layer_norm.weight");
    }
};

QTEST_APPLESS_MAIN(TestCompVisNames)
#include "tst_compvis_names.moc"
