// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What a model's folder has for whoever trusts it stays out of what is saved from it, and is told.
#include "core/base/model/convert.h"
#include "core/base/model/left_aside.h"
#include "tests/base/support/model_files.h"
#include "tests/base/support/torch_writer.h"

#include <nlohmann/json.hpp>

using namespace homebooth::core;
using namespace homebooth::core::test;
using nlohmann::json;

namespace {

void put(const fs::path& path, const std::string& text) {
    fs::create_directories(path.parent_path());
    QVERIFY(writeFileAtomically(path.string(), text).ok());
}

void link(const fs::path& to, const fs::path& path) {
    fs::create_directories(path.parent_path());
    fs::remove(path);
    fs::create_symlink(to, path);
}

/// What torch.save makes of one tensor, and what calls something besides.
std::string pickleFile(const std::string& more = {}) {
    const std::string tensor = tensorValue(storageValue("FloatStorage", "0", 2), 0, {2}, {1});
    const std::string value =
        more.empty() ? dictValue({{"a", tensor}}) : dictValue({{"a", tensor}, {"b", more}});
    return zipped({{"archive/data.pkl", pickled(value)}, {"archive/data/0", std::string(8, '\x11')}});
}

} // namespace

class TestLeftAside : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_dir;
    fs::path at(const std::string& name) const { return fs::path(m_dir->path().toStdString()) / name; }

    /// A folder of a model for pictures, all of it its own.
    fs::path pictures(const std::string& name) const {
        const fs::path folder = at(name);
        fs::create_directories(folder.parent_path());
        if (!writeDiffusersFolder(test::tinyModel(false), folder.string()).ok()) return {};
        json index = json::parse(fileText(folder / "model_index.json"));
        index["safety_checker"] = {"stable_diffusion", "StableDiffusionSafetyChecker"};
        put(folder / "model_index.json", index.dump());
        put(folder / "safety_checker/config.json", "what");
        put(folder / "safety_checker/model.safetensors", "weights");
        put(folder / "LICENSE.md", "terms");
        return folder;
    }

    /// The files of what is saved from a folder, and what is said of it.
    std::map<std::string, std::string> saved(const fs::path& folder, std::string& told) const {
        fs::remove_all(at("saved"));
        ConvertOptions options;
        options.onLeftAside = [&told](const std::string& text) { told = text; };
        told.clear();
        const auto written =
            convertModel(folder.string(), at("saved").string(), ConvertTarget::Diffusers, options);
        if (!written.ok()) told = written.error().text();
        return written.ok() ? contentOf(at("saved")) : std::map<std::string, std::string>();
    }

private slots:
    void init() { m_dir = std::make_unique<QTemporaryDir>(); }

    void nothingIsSaidWhereAllGoesAlong() {
        std::string told;
        const auto files = saved(pictures("model"), told);
        QCOMPARE(told, "");
        QCOMPARE(files.at("LICENSE.md"), "terms");
        QCOMPARE(files.at("safety_checker/config.json"), "what");
    }

    void aLinkOutOfTheFolderTakesNothingAlong() {
        const fs::path folder = pictures("model");
        put(at("secret"), "private");
        for (const char* name : {"LICENSE.md", "safety_checker/config.json", "tokenizer/more.txt"})
            link(at("secret"), folder / name);
        put(folder / "terms", "terms");
        link("terms", folder / "NOTICE");
        std::string told;
        const auto files = saved(folder, told);
        for (const char* name : {"LICENSE.md", "safety_checker/config.json", "tokenizer/more.txt"}) {
            QVERIFY2(!files.contains(name), name);
            QVERIFY2(contains(told, name), told.c_str());
        }
        QCOMPARE(files.at("NOTICE"), "terms"); // within it
        QVERIFY(!contains(told, "NOTICE"));
        QVERIFY(writeSingleFile(*openModel(folder.string()), at("one.safetensors").string()).ok());
        QVERIFY(!contains(fileText(at("one.safetensors")), "private"));
    }

    void aFolderThatIsALinkTakesNothingAlong() {
        const fs::path folder = pictures("model");
        fs::rename(folder / "safety_checker", at("elsewhere"));
        link(at("elsewhere"), folder / "safety_checker");
        std::string told;
        const auto files = saved(folder, told);
        QVERIFY(!files.contains("safety_checker/config.json"));
        QVERIFY2(contains(told, "safety_checker/config.json"), told.c_str());
        QVERIFY(json::parse(files.at("model_index.json"))["safety_checker"][0].is_null());
    }

    void theCacheOfHuggingFaceIsTheModelsOwn() {
        const fs::path folder = pictures("hub/models--a--b/snapshots/0123");
        put(at("hub/models--a--b/blobs/11"), "of the cache");
        put(at("hub/models--c--d/blobs/22"), "of another one");
        link("../../blobs/11", folder / "LICENSE.md");
        link("../../../blobs/11", folder / "safety_checker/config.json");
        link("../../../models--c--d/blobs/22", folder / "NOTICE");
        std::string told;
        const auto files = saved(folder, told);
        QVERIFY2(files.contains("LICENSE.md"), told.c_str());
        QCOMPARE(files.at("LICENSE.md"), "of the cache");
        QCOMPARE(files.at("safety_checker/config.json"), "of the cache");
        QVERIFY(!files.contains("NOTICE"));
        put(at("secret"), "private");
        fs::remove(at("hub/models--a--b/blobs/11"));
        link(at("secret"), at("hub/models--a--b/blobs/11"));
        QVERIFY(!saved(folder, told).contains("LICENSE.md"));
    }

    /// As those that are made of a saved moment and a model.
    void linksToTheSamePlaceOfAnotherModelGoAlong() {
        const fs::path other = pictures("other");
        const fs::path folder = pictures("model");
        fs::remove_all(folder / "safety_checker");
        link(other / "safety_checker", folder / "safety_checker");
        link(other / "LICENSE.md", folder / "LICENSE.md");
        std::string told;
        const auto files = saved(folder, told);
        QCOMPARE(told, "");
        QCOMPARE(files.at("safety_checker/config.json"), "what");
        QCOMPARE(files.at("LICENSE.md"), "terms");
        put(at("secret"), "private");
        link(at("secret"), other / "LICENSE.md");
        QVERIFY(!saved(folder, told).contains("LICENSE.md"));
        put(at("LICENSE.md"), "private"); // no model lies there
        link(at("LICENSE.md"), folder / "LICENSE.md");
        QVERIFY(!saved(folder, told).contains("LICENSE.md"));
    }

    /// As in a run that goes on from a saved moment of such a model.
    void linksRightToTheFilesOfItsCacheGoAlong() {
        const fs::path blobs = at("hub/models--a--b/blobs");
        fs::create_directories(at("hub/models--a--b/snapshots"));
        const fs::path folder = pictures("model");
        put(blobs / "11", "of the cache");
        fs::rename(folder / "model_index.json", blobs / "22");
        link(blobs / "22", folder / "model_index.json");
        link(blobs / "11", folder / "LICENSE.md");
        std::string told;
        const auto files = saved(folder, told);
        QCOMPARE(told, "");
        QCOMPARE(files.at("LICENSE.md"), "of the cache");
        fs::remove_all(folder / "safety_checker");
        link(blobs, folder / "safety_checker"); // all of it
        QVERIFY(!saved(folder, told).contains("safety_checker/11"));
        put(at("hub/models--c--d/blobs/11"), "of another one");
        link(at("hub/models--c--d/blobs/11"), folder / "LICENSE.md");
        QVERIFY(!saved(folder, told).contains("LICENSE.md"));
    }

    void whatIsNoVocabularyStaysBehind() {
        const fs::path folder = pictures("model");
        put(at("secret"), R"({"password":"private"})");
        fs::remove_all(folder / "tokenizer");
        put(folder / "tokenizer/tokenizer_config.json", "{}");
        link(at("secret"), folder / "tokenizer/tokenizer.json");
        std::string told;
        const auto files = saved(folder, told);
        QVERIFY(!files.contains("tokenizer/tokenizer.json"));
        QVERIFY2(contains(told, "tokenizer/tokenizer.json"), told.c_str());
    }

    void aPickleWithCommandsStaysBehind_data() {
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<bool>("goesAlong");
        const auto row = [](const char* name, const std::string& content, bool goesAlong) {
            QTest::newRow(name) << QByteArray(content.data(), qsizetype(content.size())) << goesAlong;
        };
        const std::string call = globalValue("posix", "system") + tupleValue({textValue("ls")}) + "R";
        row("weights", pickleFile(), true);
        row("commands", pickleFile(call), false);
        row("commands alone", pickled(call), false);
        row("as text", "cposix\nsystem\n(S'ls'\ntR.", false);
    }
    void aPickleWithCommandsStaysBehind() {
        QFETCH(QByteArray, content);
        QFETCH(bool, goesAlong);
        const fs::path folder = pictures("model");
        fs::remove(folder / "safety_checker/model.safetensors");
        put(folder / "safety_checker/pytorch_model.bin", content.toStdString());
        std::string told;
        const auto files = saved(folder, told);
        QCOMPARE(files.contains("safety_checker/pytorch_model.bin"), goesAlong);
        QCOMPARE(contains(told, "safety_checker/pytorch_model.bin"), !goesAlong);
        const json index = json::parse(files.at("model_index.json"));
        QCOMPARE(index["safety_checker"][0].is_null(), !goesAlong);
    }

    void namesWithControlCharactersStayBehind() {
        ModelSource model = test::tinyModel(false);
        const std::string name = "LICENSE\x1b[31m";
        model.metadata["homebooth.file/" + name] = "terms";
        model.metadata["homebooth.file/LICENSE"] = "terms";
        QVERIFY(writeDiffusersFolder(model, at("made").string()).ok());
        const auto files = contentOf(at("made"));
        QVERIFY(files.contains("LICENSE") && !files.contains(name));
        const fs::path folder = pictures("model");
        put(folder / "safety_checker" / name, "terms");
        std::string told;
        QVERIFY(!saved(folder, told).contains("safety_checker/" + name));
        QVERIFY2(contains(told, "LICENSE\\x1b"), told.c_str());
    }

    void aLanguageModelTakesNothingAlongByALink() {
        const fs::path folder = at("opt");
        fs::copy(HOMEBOOTH_FIXTURES_DIR "/language/opt", folder, fs::copy_options::recursive);
        put(at("secret"), "private");
        link(at("secret"), folder / "LICENSE");
        put(folder / "tokenizer.json", "{}");
        auto model = openModel(folder.string());
        QVERIFY2(model, reasonOf(model).c_str());
        QVERIFY(!model->language->carriedFiles.contains("LICENSE"));
        QVERIFY(contains(leftAsideText(*model).value_or(""), "LICENSE"));
        fs::remove(folder / "tokenizer.json");
        const fs::path parts = HOMEBOOTH_FIXTURES_DIR "/language/tokenizer/parts";
        for (const char* name : {"vocab.json", "merges.txt"}) link(parts / name, folder / name);
        model = openModel(folder.string()); // it has no other vocabulary
        QVERIFY(model->language->carriedFiles.contains("vocab.json"));
        QVERIFY(model->language->carriedFiles.contains("merges.txt"));
        link(at("secret"), folder / "merges.txt"); // which is none
        model = openModel(folder.string());
        QVERIFY(!model->language->carriedFiles.contains("merges.txt"));
    }
};

QTEST_APPLESS_MAIN(TestLeftAside)
#include "tst_left_aside.moc"
