// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What is said of folders that are no models: of which kind they were to be, what they lack, where the
// model is.
#include "core/base/model/inspect.h"
#include "tests/base/support/model_files.h"

using namespace homebooth::core;
using namespace homebooth::core::test;

class TestNotAModel : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_dir;
    fs::path at(const std::string& name) const { return fs::path(m_dir->path().toStdString()) / name; }

    void put(const std::string& name, const std::string& text = "{}") const {
        fs::create_directories(at(name).parent_path());
        QVERIFY(writeFileAtomically(at(name).string(), text).ok());
    }

    static std::string refusalOf(const fs::path& folder) {
        const auto model = openModel(folder.string());
        return model ? "(opened)" : model.error().text();
    }

private slots:
    void init() { m_dir = std::make_unique<QTemporaryDir>(); }

    void namesTheModelInTheHubsCache() {
        put("models--gpt2/blobs/1f", "weights");
        put("models--gpt2/refs/main", "b2\n");
        put("models--gpt2/snapshots/a1/config.json");
        put("models--gpt2/snapshots/b2/config.json");
        const fs::path folder = at("models--gpt2");
        const std::string snapshots = (folder / "snapshots").string();
        QVERIFY2(refusalOf(folder).ends_with("choose " + snapshots + "/b2"), refusalOf(folder).c_str());
        fs::remove_all(folder / "snapshots/b2");
        QVERIFY2(refusalOf(folder).ends_with("choose " + snapshots + "/a1"), refusalOf(folder).c_str());
        fs::remove_all(folder / "snapshots/a1");
        QVERIFY2(contains(refusalOf(folder), "download it again"), refusalOf(folder).c_str());
    }

    void asksForTheConfigurationOfALanguageModel_data() {
        QTest::addColumn<QStringList>("names");
        QTest::newRow("torch") << QStringList{"pytorch_model.bin", "vocab.json", "merges.txt"};
        QTest::newRow("safetensors") << QStringList{"model.safetensors", "tokenizer.json"};
    }
    void asksForTheConfigurationOfALanguageModel() {
        QFETCH(QStringList, names);
        for (const QString& name : names) put("model/" + name.toStdString());
        const std::string refusal = refusalOf(at("model"));
        QVERIFY2(contains(refusal, "expected config.json beside the language model's weights"),
                 refusal.c_str());
        QVERIFY2(contains(refusal, names.first().toStdString()), refusal.c_str());
        QVERIFY(inspectPath(at("model").string())->fault == ModelFault::NotAModel);
    }

    void saysThatAConfigurationIsDamaged() {
        put("model/config.json", "{\"model_type\": \"gpt2\", \"n_la");
        put("model/model.safetensors");
        const std::string refusal = refusalOf(at("model"));
        QVERIFY2(contains(refusal, "model/config.json: expected a JSON object, found no valid JSON"),
                 refusal.c_str());
    }

    void namesBothKindsOfModelsElsewhere() {
        put("notes/a.txt");
        const std::string refusal = refusalOf(at("notes"));
        for (const char* words :
             {"model_index.json and unet/", "config.json as transformers has it", "a.txt"})
            QVERIFY2(contains(refusal, words), refusal.c_str());
        put("checkpoint/model.safetensors"); // of whatever program
        QVERIFY(contains(refusalOf(at("checkpoint")), "model_index.json and unet/"));
        put("part/config.json", R"({"_class_name": "UNet2DConditionModel"})");
        QVERIFY(contains(refusalOf(at("part")), "model_index.json and unet/"));
    }
};

QTEST_APPLESS_MAIN(TestNotAModel)
#include "tst_not_a_model.moc"
