// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What goes along into results is kept from when a training begins: they are whole though its folder is gone
// when they are written. Who writes none reads nothing of it.
#include "core/base/files/kept_file.h"
#include "core/base/model/language/language_writer.h"
#include "core/base/model/model_hash.h"
#include "tests/base/support/model_files.h"

#include <nlohmann/json.hpp>
#include <unistd.h>

using namespace homebooth::core;
using namespace homebooth::core::test;
using nlohmann::json;

namespace {

constexpr uintmax_t kLarge = (uintmax_t{32} << 20) + 5;

void put(const fs::path& path, const std::string& text) {
    fs::create_directories(path.parent_path());
    QVERIFY(writeFileAtomically(path.string(), text).ok());
}

} // namespace

class TestKeptFiles : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_dir;
    fs::path at(const std::string& name) const { return fs::path(m_dir->path().toStdString()) / name; }

    /// A folder of a model for pictures with all that goes along.
    fs::path pictures() const {
        const fs::path folder = at("pictures");
        if (!writeDiffusersFolder(test::tinyModel(false), folder.string()).ok()) return {};
        json index = json::parse(fileText(folder / "model_index.json"));
        index["feature_extractor"] = {"transformers", "CLIPImageProcessor"};
        index["safety_checker"] = {"stable_diffusion", "StableDiffusionSafetyChecker"};
        put(folder / "model_index.json", index.dump());
        put(folder / "feature_extractor/preprocessor_config.json", "how");
        put(folder / "safety_checker/config.json", "what");
        put(folder / "safety_checker/model.safetensors", "weights");
        put(folder / "LICENSE.md", "terms");
        put(folder / "training_defaults.json", "{}");
        return folder;
    }

private slots:
    void init() { m_dir = std::make_unique<QTemporaryDir>(); }

    void aSmallFileNeedsNoOriginal() {
        put(at("small"), "text");
        const auto file = KeptFile::open(at("small"));
        QVERIFY(file.ok() && file->isHeld());
        QCOMPARE(file->bytes(), 4);
        put(at("small"), "another text");
        fs::remove(at("small"));
        QVERIFY(file->writeTo(at("copy")).ok());
        QCOMPARE(fileText(at("copy")), "text");
    }

    void aLargeFileStaysOpen() {
        put(at("large"), "begin");
        fs::resize_file(at("large"), kLarge);
        const auto file = KeptFile::open(at("large"));
        QVERIFY(file.ok() && !file->isHeld());
        fs::remove(at("large"));
        QVERIFY(file->writeTo(at("copy")).ok());
        const std::string copy = fileText(at("copy"));
        QCOMPARE(copy.size(), static_cast<size_t>(kLarge));
        QVERIFY(copy.starts_with("begin") && copy.find_first_not_of('\0', 5) == std::string::npos);
    }

    void namesAFileThatCannotBeKept() {
        const auto missing = KeptFile::open(at("missing"));
        QVERIFY(!missing.ok() && contains(missing.error().text(), "missing"));
        put(at("shrunk"), "begin");
        fs::resize_file(at("shrunk"), kLarge);
        const auto file = KeptFile::open(at("shrunk"));
        fs::resize_file(at("shrunk"), 5);
        const auto written = file->writeTo(at("copy"));
        QVERIFY(!written.ok() && contains(written.error().text(), "shrunk"));
        QVERIFY(!fs::exists(at("copy")));
    }

    void aNotedFileIsReadWhenItIsNeeded() {
        put(at("one"), "1");
        const KeptFile file = KeptFile::noted(at("one"));
        QCOMPARE(file.bytes(), 1);
        QVERIFY(!file.isHeld() && file.text() == nullptr);
        QCOMPARE(*file.kept()->text(), "1");
        put(at("one"), "another");
        QVERIFY(file.writeTo(at("copy")).ok());
        QCOMPARE(fileText(at("copy")), "another");
        fs::remove(at("one"));
        QVERIFY(!file.kept().ok() && contains(file.writeTo(at("none")).error().text(), "/one"));
        QVERIFY(!fs::exists(at("none")));
    }

    void filesInFoldersComeWithThem() {
        put(at("one"), "1");
        const KeptFile file = KeptFile::open(at("one")).value();
        fs::create_directory(at("made"));
        QVERIFY(writeKept({{"one", file}, {"below/two", file}}, at("made")).ok());
        QCOMPARE(contentOf(at("made")),
                 (std::map<std::string, std::string>{{"below/two", "1"}, {"one", "1"}}));
    }

    void aModelForPicturesIsSavedWholeWithoutItsFolder() {
        const fs::path folder = pictures();
        auto model = openModel(folder.string());
        QVERIFY2(model, reasonOf(model).c_str());
        QVERIFY(writeDiffusersFolder(*model, at("with").string()).ok());
        QVERIFY(!model->licenceFiles.at("LICENSE.md").isHeld());
        QVERIFY(keepAlong(*model).ok());
        QVERIFY(model->licenceFiles.at("LICENSE.md").isHeld());
        fs::remove_all(folder);
        const auto saved = writeDiffusersFolder(*model, at("without").string());
        QVERIFY2(saved, reasonOf(saved).c_str());
        const auto content = contentOf(at("without"));
        QVERIFY(content == contentOf(at("with")));
        QCOMPARE(content.at("feature_extractor/preprocessor_config.json"), "how");
        QCOMPARE(content.at("safety_checker/model.safetensors"), "weights");
        QCOMPARE(content.at("LICENSE.md"), "terms");
        QVERIFY(content.contains("training_defaults.json"));
        QVERIFY(!json::parse(content.at("model_index.json"))["safety_checker"][0].is_null());
    }

    void aComponentWithoutFilesIsNotNamed() {
        const fs::path folder = pictures();
        fs::remove(folder / "feature_extractor/preprocessor_config.json");
        fs::remove(folder / "safety_checker/model.safetensors");
        QVERIFY(writeDiffusersFolder(*openModel(folder.string()), at("saved").string()).ok());
        const json index = json::parse(fileText(at("saved/model_index.json")));
        for (const char* name : {"feature_extractor", "safety_checker"}) {
            QVERIFY(index[name][0].is_null());
            QVERIFY(!fs::exists(at("saved") / name));
        }
    }

    void aLanguageModelIsSavedWholeWithoutItsFolder() {
        const fs::path folder = at("opt");
        fs::copy(HOMEBOOTH_FIXTURES_DIR "/language/opt", folder);
        const std::vector<std::string> along{"LICENSE", "chat_template.jinja", "generation_config.json",
                                             "tokenizer.json"};
        for (const std::string& name : along) put(folder / name, name);
        auto model = openModel(folder.string());
        QVERIFY2(model, reasonOf(model).c_str());
        QVERIFY(keepAlong(*model).ok());
        fs::remove_all(folder);
        const auto saved = writeLanguageFolder(*model->language, at("saved").string());
        QVERIFY2(saved, reasonOf(saved).c_str());
        for (const std::string& name : along) QCOMPARE(fileText(at("saved") / name), name);
    }

    void whatCannotBeReadHindersNoneButWhoSavesIt_data() {
        QTest::addColumn<QString>("place");
        for (const char* place : {"LICENSE.md", "safety_checker/config.json"}) QTest::newRow(place) << place;
    }
    void whatCannotBeReadHindersNoneButWhoSavesIt() {
        QFETCH(QString, place);
        const fs::path folder = pictures();
        const std::string name = place.toStdString();
        fs::permissions(folder / name, fs::perms::none);
        if (KeptFile::open(folder / name).ok()) QSKIP("root may read any file");
        auto model = openModel(folder.string());
        QVERIFY2(model, reasonOf(model).c_str());
        const auto kept = keepAlong(*model);
        QVERIFY(!kept.ok() && contains(kept.error().text(), name));
        QVERIFY(contains(kept.error().message, "make it readable"));
        WriteOptions options;
        options.floatType = DataType::F16;
        const auto foreseen = writtenBytes(*model, options);
        QVERIFY(!foreseen.ok() && contains(foreseen.error().text(), name));
        const auto saved = writeDiffusersFolder(*model, at("saved").string());
        QVERIFY(!saved.ok() && contains(saved.error().text(), name));
        QVERIFY(!fs::exists(at("saved")));
        QVERIFY(writeSingleFile(*model, at("saved.safetensors").string()).ok()); // without it
    }

    void aFolderThatCannotBeListedHindersNoneButWhoSavesIt() {
        if (::geteuid() == 0) QSKIP("root may list any folder");
        const fs::path folder = pictures();
        fs::permissions(folder / "safety_checker", fs::perms::none);
        auto model = openModel(folder.string());
        const auto kept = model ? keepAlong(*model) : Result<void>();
        const auto saved = model ? writeDiffusersFolder(*model, at("saved").string()) : model.error();
        fs::permissions(folder / "safety_checker", fs::perms::owner_all);
        QVERIFY2(model, reasonOf(model).c_str());
        QVERIFY(!kept.ok() && contains(kept.error().text(), "safety_checker"));
        QVERIFY(!saved.ok() && contains(saved.error().text(), "safety_checker"));
    }

    void theEndThatWasLearnedIsNamedWhereNoneOfTheVocabularyWas_data() {
        QTest::addColumn<QByteArray>("config");
        QTest::addColumn<QByteArray>("generation");
        QTest::addColumn<QByteArray>("savedConfig");
        QTest::addColumn<QByteArray>("savedGeneration");
        const auto add = [](const char* config, const char* generation, const char* savedConfig,
                            const char* savedGeneration) {
            QTest::addRow("%s, %s", config, generation)
                << QByteArray(config) << QByteArray(generation) << QByteArray(savedConfig)
                << QByteArray(savedGeneration);
        };
        add("50256", R"({"eos_token_id":50256})", "5", R"({"eos_token_id":5})");
        add("[300,-1]", R"({"eos_token_id":[50256,272],"top_k":3})", "5", R"({"eos_token_id":5,"top_k":3})");
        add("2", R"({"eos_token_id":50256})", "2", R"({"eos_token_id":5})");
        add("50256", R"({"eos_token_id":[7,50256]})", "5", R"({"eos_token_id":[7,50256]})");
        add("50256", R"({"eos_token_id":null})", "5", R"({"eos_token_id":null})");
        add("50256", R"({"top_k":3})", "5", R"({"top_k":3})");
        add("50256", R"({"eos_token_id":"</s>"})", "5", R"({"eos_token_id":"</s>"})");
    }
    void theEndThatWasLearnedIsNamedWhereNoneOfTheVocabularyWas() {
        QFETCH(QByteArray, config);
        QFETCH(QByteArray, generation);
        QFETCH(QByteArray, savedConfig);
        QFETCH(QByteArray, savedGeneration);
        const fs::path folder = at("opt"); // of 272 entries
        fs::copy(HOMEBOOTH_FIXTURES_DIR "/language/opt", folder);
        json changed = json::parse(fileText(folder / "config.json"));
        changed["eos_token_id"] = json::parse(config.toStdString());
        put(folder / "config.json", changed.dump());
        put(folder / "generation_config.json", generation.toStdString());
        const auto model = openModel(folder.string());
        QVERIFY2(model, reasonOf(model).c_str());
        QVERIFY(writeLanguageFolder(*model->language, at("plain").string()).ok());
        QCOMPARE(json::parse(fileText(at("plain/config.json")))["eos_token_id"], changed["eos_token_id"]);
        QCOMPARE(fileText(at("plain/generation_config.json")), generation.toStdString());
        QVERIFY(writeLanguageFolder(*model->language, at("saved").string(), {}, 5).ok());
        QCOMPARE(json::parse(fileText(at("saved/config.json")))["eos_token_id"],
                 json::parse(savedConfig.toStdString()));
        QCOMPARE(json::parse(fileText(at("saved/generation_config.json"))),
                 json::parse(savedGeneration.toStdString()));
    }

    /// A run that began with a model goes on with it, whatever of it no text depends on.
    void aChatTemplateIsNotPartOfAModelsHash() {
        const fs::path folder = at("opt");
        fs::copy(HOMEBOOTH_FIXTURES_DIR "/language/opt", folder);
        const auto before = modelHash(folder.string());
        put(folder / "chat_template.jinja", "{{ messages }}");
        QCOMPARE(**modelHash(folder.string()), **before);
    }
};

QTEST_APPLESS_MAIN(TestKeptFiles)
#include "tst_kept_files.moc"
