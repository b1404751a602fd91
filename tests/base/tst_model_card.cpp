// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What a model that a training made says of itself: its card, and the headers of its files.
#include "core/base/model/carried_files.h"
#include "core/base/model/convert.h"
#include "core/base/model/inspect.h"
#include "core/base/model/lora/lora_file.h"
#include "core/base/model/model_card.h"
#include "core/base/util/version.h"
#include "tests/base/support/model_files.h"

using namespace homebooth::core;
using namespace homebooth::core::test;

namespace {

constexpr const char* kBaseCard =
    "---\nlicense: other # see below\nlicense_name: 'sketchy'\nlicense_link: https://example.org/terms\n---\n"
    "A model of dogs.\n";

TrainConfig asked() {
    TrainConfig config;
    config.model = "/home/jane/models/sketch";
    config.data.instanceDir = "/home/jane/photos";
    config.data.instancePrompt = "a photo of sks dog";
    config.data.resolutionPixels = 128;
    return config;
}

} // namespace

class TestModelCard : public QObject {
    Q_OBJECT

    std::unique_ptr<ModelFolder> m_folder;
    [[nodiscard]] std::string at(const char* name) const { return m_folder->at(name).string(); }

    /// A model's folder with a card and a licence of its own.
    [[nodiscard]] ModelSource base(const std::string& card = kBaseCard) const {
        const fs::path folder = m_folder->savedFolder(false, "base");
        if (!writeFileAtomically((folder / kReadmeName).string(), card).ok() ||
            !writeFileAtomically((folder / "LICENSE.md").string(), "terms").ok())
            return {};
        return *openModel(folder.string());
    }

private slots:
    void init() { m_folder = std::make_unique<ModelFolder>(); }

    void itSaysWhatWasLearnedOfWhatAndHow() {
        ModelSource model = tinyModel(false);
        model.metadata[kLicenceKey] = "apache-2.0";
        const std::string card = modelCard(model, trainingFacts(asked(), {{"a dog in our garden", 1}}, 800));
        QCOMPARE(
            card,
            "---\n"
            "license: apache-2.0\n"
            "base_model: \"sketch\"\n"
            "library_name: diffusers\n"
            "pipeline_tag: text-to-image\n"
            "instance_prompt: \"a photo of sks dog\"\n"
            "tags:\n- text-to-image\n- diffusers\n- stable-diffusion\n- dreambooth\n"
            "---\n\n"
            "# a photo of sks dog\n\n"
            "This model makes pictures from prompts. It was trained from the model sketch on photos of a "
            "subject: 800 steps at 128 x 128 pixels.\n\n"
            "To show what it has learned, write this in a prompt and add what else the picture shall "
            "show:\n\n    a photo of sks dog\n\n"
            "Made with Homebooth " +
                std::string(versionText()) + ".\n");
    }

    void captionsAndPathsStayPrivate() {
        TrainConfig config = asked();
        config.mode = TrainMode::Dataset;
        config.data.instancePrompt.clear();
        config.data.datasetDir = "/home/jane/pictures";
        const CaptionCounts captions{{"our garden", 1}, {"our house", 1}};
        const std::string card = modelCard(tinyModel(false), trainingFacts(config, captions, 1));
        for (const char* part : {"jane", "garden", "house", "instance_prompt", "dreambooth", "license"})
            QVERIFY2(!contains(card, part), card.c_str());
        QVERIFY2(contains(card, "# A model trained from the model sketch"), card.c_str());
        QVERIFY2(contains(card, "pictures with captions: 1 step at"), card.c_str());
        config.mode = TrainMode::FromScratch;
        const std::string scratch = modelCard(tinyModel(false), trainingFacts(config, captions, 2));
        QVERIFY2(!contains(scratch, "sketch") && contains(scratch, "from scratch"), scratch.c_str());
    }

    void noTextAddsLinesToItsHead() {
        TrainConfig config = asked();
        config.data.instancePrompt = "a \"dog\"\n---\nlicense: mit";
        ModelSource model = tinyModel(false);
        model.metadata[kLicenceKey] = "mine\nlicense: mit";
        const std::string card = modelCard(model, trainingFacts(config, {}, 1));
        QVERIFY2(contains(card, "instance_prompt: \"a \\\"dog\\\" --- license: mit\""), card.c_str());
        QVERIFY2(contains(card, "license: other\nlicense_name: \"mine license: mit\"\n"), card.c_str());
        QVERIFY2(!contains(card, "\nlicense: mit"), card.c_str());
    }

    void theLicenceIsThatOfTheBase_data() {
        QTest::addColumn<QString>("card");
        QTest::addColumn<QString>("header");
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("lines");
        const auto row = [](const char* what, const char* card, const char* header, const char* name,
                            const char* lines) {
            QTest::newRow(what) << QString(card) << QString(header) << QString(name) << QString(lines);
        };
        row("identifier", "---\r\nlicense: apache-2.0\r\n---\r\n", "", "apache-2.0",
            "license: apache-2.0\nbase");
        row("own name", kBaseCard, "", "sketchy",
            "license: other\nlicense_name: \"sketchy\"\nlicense_link: \"https://example.org/terms\"\nbase");
        row("own name alone", "---\nlicense: other\nlicense_name: \"mine\"\n---\n", "", "mine",
            "license: other\nlicense_name: \"mine\"\nbase");
        row("header and card", kBaseCard, "sketchy", "sketchy",
            "license: other\nlicense_name: \"sketchy\"\nlicense_link: \"https://example.org/terms\"\nbase");
        row("header first", kBaseCard, "CC-BY-NC-4.0", "CC-BY-NC-4.0", "license: cc-by-nc-4.0\nbase");
        row("words", "", "CreativeML OpenRAIL-M", "CreativeML OpenRAIL-M",
            "license: other\nlicense_name: \"CreativeML OpenRAIL-M\"\nbase");
        row("page", "", "https://example.org/l", "https://example.org/l",
            "license: other\nlicense_link: \"https://example.org/l\"\nbase");
        row("a link to a file", "---\nlicense: other\nlicense_link: file:///etc\n---\n", "", "other",
            "license: other\nbase");
        row("below the head", "---\ntags: x\n---\nlicense: mit\n", "", "", "---\nbase");
        row("no head", "license: mit\n", "", "", "---\nbase");
        row("a list", "---\nlicense:\n- mit\n---\n", "", "", "---\nbase");
    }

    void theLicenceIsThatOfTheBase() {
        QFETCH(QString, card);
        QFETCH(QString, header);
        QFETCH(QString, name);
        QFETCH(QString, lines);
        ModelSource model = base(card.toStdString());
        if (!header.isEmpty()) model.metadata[kLicenceKey] = header.toStdString();
        noteLicence(model);
        const auto found = model.metadata.find(kLicenceKey);
        QCOMPARE(found == model.metadata.end() ? "" : found->second, name.toStdString());
        const std::string text = modelCard(model, trainingFacts(asked(), {}, 1));
        QVERIFY2(contains(text, lines.toStdString()), text.c_str());
        QCOMPARE(LoraDescription::of(model).metadata.contains(kLicenceKey), !name.isEmpty());
    }

    void aResultHasItsOwnCardInEveryForm() {
        ModelSource model = base();
        QVERIFY(keepAlong(model).ok());
        fs::remove_all(m_folder->at("base"));
        WriteOptions options;
        describeResult(trainingFacts(asked(), {}, 400), model, options);
        QVERIFY(writeDiffusersFolder(model, at("result"), options).ok());
        QVERIFY(writeSingleFile(model, at("result.safetensors"), options).ok());
        QVERIFY(convertModel(at("result"), at("of folder.safetensors"), ConvertTarget::Checkpoint).ok());
        QVERIFY(convertModel(at("result.safetensors"), at("of file"), ConvertTarget::Diffusers).ok());
        for (const char* folder : {"result", "of file"}) {
            const std::string card = fileText(m_folder->at(folder) / kReadmeName);
            QVERIFY2(contains(card, "license_name: \"sketchy\"\n") && contains(card, "400 steps"),
                     card.c_str());
            QVERIFY2(!contains(card, "A model of dogs."), card.c_str());
            QCOMPARE(fileText(m_folder->at(folder) / "LICENSE.md"), "terms");
        }
        for (const char* form : {"result", "result.safetensors", "of folder.safetensors", "of file"}) {
            const auto facts = inspectPath(at(form));
            QVERIFY2(facts, reasonOf(facts).c_str());
            QCOMPARE(facts->metadata.at(kLicenceKey), "sketchy");
            QCOMPARE(facts->triggerPhrase, "a photo of sks dog");
            QVERIFY(contains(facts->toJson(), "\"triggerPhrase\": \"a photo of sks dog\""));
        }
        QCOMPARE(inspectPath(at("of folder.safetensors"))->metadata.at("modelspec.title"), "of folder");
    }
};

QTEST_GUILESS_MAIN(TestModelCard)
#include "tst_model_card.moc"
