// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Names and shapes of single files against published key tables of SD 1.x and 2.x, where those are at hand
// (a folder "shared" beside the checkout), and against examples that everybody knows.
#include "core/base/model/compvis_names.h"
#include "tests/base/support/tiny_model.h"

#include <QtTest>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

using namespace homebooth::core;
using nlohmann::json;

namespace {

/// One parameter in both worlds.
struct Pair {
    std::string prefix; ///< the table's, e.g. "unet_"
    LayoutEntry ours;
    CompVisTensor theirs;
};

std::vector<Pair> pairsOf(ModelFamily family) {
    const ModelSource model = test::fullSizeModel(family, PredictionType::Epsilon);
    std::vector<Pair> pairs;
    for (const LayoutEntry& entry : unetLayout(model.unet))
        pairs.push_back({"unet_", entry, compVisUnet(entry, model.unet)});
    for (const LayoutEntry& entry : vaeLayout(model.vae))
        pairs.push_back({"vae_", entry, compVisVae(entry, model.vae)});
    const bool openClip = usesOpenClipNames(model.textEncoder);
    for (const LayoutEntry& entry : textEncoderLayout(model.textEncoder))
        pairs.push_back({"te_", entry, compVisTextEncoder(entry, openClip)});
    return pairs;
}

json keyTable(const char* file) {
    std::ifstream stream(std::string(HOMEBOOTH_SOURCE_DIR) + "/../shared/keymaps/" + file);
    if (!stream) stream.open(std::string(HOMEBOOTH_SOURCE_DIR) + "/../../shared/keymaps/" + file);
    return stream ? json::parse(stream) : json();
}

} // namespace

class TestCompVisNames : public QObject {
    Q_OBJECT

private slots:
    void matchesThePublishedTables_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<int>("family");
        QTest::newRow("SD 1.x") << "stable_diffusion_sd1.json"
                                << static_cast<int>(ModelFamily::StableDiffusion1);
        QTest::newRow("SD 2.x") << "stable_diffusion_sd2.json"
                                << static_cast<int>(ModelFamily::StableDiffusion2);
    }

    void matchesThePublishedTables() {
        QFETCH(QString, file);
        QFETCH(int, family);
        const json table = keyTable(file.toUtf8().constData());
        if (table.is_null()) QSKIP("the key tables are not beside this checkout");
        std::map<std::string, std::string> expected; // theirs -> ours
        for (const auto& [theirs, ours] : table["ldm_diffusers_keymap"].items()) expected[theirs] = ours;
        const json& fused = table["ldm_diffusers_operator_map"];
        const json& shapes = table["ldm_diffusers_shape_map"];
        size_t checked = 0;
        size_t fusedParts = 0;
        for (const Pair& pair : pairsOf(static_cast<ModelFamily>(family))) {
            const std::string ours = pair.prefix + pair.ours.name;
            if (pair.theirs.change == TensorChange::PartOf3) {
                QVERIFY2(fused.contains(pair.theirs.name), pair.theirs.name.c_str());
                QCOMPARE(
                    fused[pair.theirs.name]["cat"][static_cast<size_t>(pair.theirs.part)].get<std::string>(),
                    ours);
                QCOMPARE(pair.theirs.shape[0], 3 * pair.ours.shape[0]);
                ++fusedParts;
                continue;
            }
            QVERIFY2(expected.contains(pair.theirs.name), (pair.theirs.name + " for " + ours).c_str());
            QCOMPARE(expected[pair.theirs.name], ours);
            ++checked;
            if (shapes.contains(pair.theirs.name)) {
                QCOMPARE(pair.theirs.shape, shapes[pair.theirs.name][0].get<std::vector<int64_t>>());
                QCOMPARE(pair.ours.shape, shapes[pair.theirs.name][1].get<std::vector<int64_t>>());
            } else {
                QCOMPARE(pair.theirs.shape, pair.ours.shape);
            }
        }
        QCOMPARE(checked, expected.size()); // complete: every key of the table was met
        QCOMPARE(fusedParts, 3 * fused.size());
    }

    void neverGivesTwoParametersOnePlace_data() {
        QTest::addColumn<int>("family");
        QTest::newRow("SD 1.x") << static_cast<int>(ModelFamily::StableDiffusion1);
        QTest::newRow("SD 2.x") << static_cast<int>(ModelFamily::StableDiffusion2);
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
