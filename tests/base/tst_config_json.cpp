// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/config/byte_size.h"
#include "core/base/config/colour.h"
#include "core/base/config/config_fields.h"
#include "core/base/config/field_help.h"
#include "core/base/config/generate_config_json.h"
#include "core/base/config/sample_config_json.h"
#include "core/base/config/train_config_json.h"
#include "core/base/config/training_defaults.h"

#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <clocale>
#include <cmath>

using namespace homebooth::core;

namespace {

constexpr int kMadeMs = 120'000; // most that making a locale takes; some seconds as a rule

TrainConfig wholeConfig() {
    TrainConfig config;
    config.model = "/models/a";
    config.data.instanceDir = "/photos";
    config.data.instancePrompt = "a photo of sks dog";
    config.output.runDir = "/runs/a";
    return config;
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

/// Sets every field to something else than its default, within its range.
void changeEverything(std::vector<ConfigField> fields) {
    for (ConfigField& field : fields) {
        if (auto* integer = std::get_if<int64_t*>(&field.value))
            **integer = std::min(**integer + 8, static_cast<int64_t>(field.range.most));
        else if (auto* seed = std::get_if<uint64_t*>(&field.value))
            **seed = UINT64_MAX;
        else if (auto* real = std::get_if<double*>(&field.value))
            **real = **real / 2 + 0.125;
        else if (auto* flag = std::get_if<bool*>(&field.value))
            **flag = !**flag;
        else if (auto* text = std::get_if<std::string*>(&field.value))
            **text = field.colour          ? "#20406a"
                     : field.words.empty() ? "ä \"x\" \\ " + field.path
                                           : field.words.back();
        else if (auto* list = std::get_if<TextList*>(&field.value))
            **list = {"1", "GPU-0a1b"};
        else {
            const auto& choice = std::get<ChoiceValue>(field.value);
            choice.set(choice.words.size() - 1);
        }
    }
}

} // namespace

class tst_config_json : public QObject {
    Q_OBJECT

private slots:
    void trainConfigSurvivesTheWayThroughJson() {
        TrainConfig config;
        changeEverything(configFields(config));
        TrainConfig read;
        const auto result = readJson(toJson(config), read);
        QVERIFY2(result.ok(), result ? "" : result.error().message.c_str());
        QCOMPARE(toJson(read), toJson(config));
        QVERIFY(toJson(read) != toJson(TrainConfig{}));
    }

    /// The words of formats stand in the order of their enums, and a job has none that it cannot compute
    /// with.
    void formatsHaveTheirWordsEverywhere() {
        TrainConfig train;
        SampleConfig sample;
        GenerateConfig generate;
        const auto check = [](std::vector<ConfigField> fields, Precision& precision,
                              Quantization& quantization, bool products) {
            const auto set = [&](const char* path, const char* word) {
                for (ConfigField& field : fields)
                    if (field.path == path) return setFieldFromText(field, word).ok();
                return false;
            };
            QVERIFY(set("precision", "fp16") && precision == Precision::Fp16);
            QVERIFY(set("precision", "bf16") && precision == Precision::Bf16);
            QVERIFY(set("precision", "fp32") && precision == Precision::Fp32);
            QVERIFY(!set("precision", "fp8"));
            QVERIFY(set("quantization", "int8") && quantization == Quantization::Int8);
            QVERIFY(set("quantization", "none") && quantization == Quantization::None);
            QCOMPARE(set("quantization", "w8a8"), products);
            QCOMPARE(quantization, products ? Quantization::W8A8 : Quantization::None);
        };
        check(configFields(train), train.precision, train.quantization, false);
        check(configFields(sample), sample.precision, sample.quantization, true);
        check(configFields(generate), generate.precision, generate.quantization, false);
    }

    void sampleConfigSurvivesTheWayThroughJson() {
        SampleConfig config;
        changeEverything(configFields(config));
        config.loras = {{"a.safetensors", -0.5}, {"b:c", 1.0}};
        config.embeddings = {"word.pt", "b:c"};
        SampleConfig read;
        const auto result = readJson(toJson(config), read);
        QVERIFY2(result.ok(), result ? "" : result.error().message.c_str());
        QCOMPARE(toJson(read), toJson(config));
        QCOMPARE(read.loras.size(), size_t{2});
        QCOMPARE(read.embeddings, config.embeddings);
    }

    void aWholeRunFileIsUnderstood() {
        TrainConfig read;
        GivenFields given;
        QVERIFY(readJson(R"({"v":1,"config":{"steps":7},"facts":{}})", read, &given).ok());
        QCOMPARE(read.steps, int64_t{7});
        QVERIFY(given.contains("steps"));
        QCOMPARE(given.size(), size_t{1});
    }

    void theFolderOfAWholeRunIsNotTakenOver() {
        TrainConfig read;
        GivenFields given;
        QVERIFY(readJson(R"({"v":1,"config":{"output":{"runDir":"/other"}}})", read, &given).ok());
        QCOMPARE(read.output.runDir, std::string());
        QVERIFY(given.empty());
        QVERIFY(readJson(R"({"output":{"runDir":"/wanted"}})", read, &given).ok());
        QCOMPARE(read.output.runDir, std::string("/wanted"));
    }

    void listsAreTextsBetweenCommasOrListsOfThem() {
        TrainConfig config;
        for (const char* json :
             {R"({"parallel":{"gpus":["0","GPU-1"]}})", R"({"parallel":{"gpus":"0, GPU-1"}})",
              R"({"parallel":{"gpus":[" 0,GPU-1 "]}})"}) {
            config.parallel.gpus.clear();
            const auto read = readJson(json, config);
            QVERIFY2(read.ok(), read ? "" : read.error().message.c_str());
            QCOMPARE(config.parallel.gpus, (TextList{"0", "GPU-1"}));
        }
        QVERIFY(contains(toJson(config), "\"gpus\": ["));
        for (const char* json : {R"({"parallel":{"gpus":[0]}})", R"({"parallel":{"gpus":{}}})"}) {
            const auto read = readJson(json, config);
            QVERIFY(!read.ok());
            QVERIFY2(contains(read.error().message, "parallel.gpus: expected a list of texts"),
                     read.error().message.c_str());
        }
        for (const char* text : {"0,GPU-1", " 0 ,, GPU-1,"})
            QCOMPARE(textsOf(text), (TextList{"0", "GPU-1"}));
        QCOMPARE(textsOf(""), TextList());
        QCOMPARE(textsOf(" , "), TextList());
        // Where a training computes says nothing of what it is.
        TrainConfig other = config;
        other.parallel.gpus = {"3"};
        QCOMPARE(trainConfigHash(other), trainConfigHash(config));
    }

    void coloursAreSixDigits_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("known");
        QTest::newRow("small digits") << "#20a0ff" << true;
        QTest::newRow("capital digits") << "#20A0FF" << true;
        for (const char* text :
             {"", "white", "20a0ff", "#20a0f", "#20a0ff0", "#20a0fg", "#-0a0ff", "# 0a0ff"})
            QTest::newRow(qPrintable(QString("not \"%1\"").arg(text))) << text << false;
    }
    void coloursAreSixDigits() {
        QFETCH(QString, text);
        QFETCH(bool, known);
        TrainConfig config;
        const auto read = readJson(R"({"data":{"background":")" + text.toStdString() + R"("}})", config);
        QCOMPARE(read.ok(), known);
        QCOMPARE(parseColour(text.toStdString()).has_value(), known);
        if (known) QCOMPARE(colourText(*parseColour(text.toStdString())), text.toLower().toStdString());
        if (!known) QVERIFY(contains(read.error().message, "data.background must be a colour"));
    }

    void theColourBehindCountsWhereItIsNotWhite() {
        const TrainConfig config = wholeConfig();
        TrainConfig other = config;
        other.data.background = "#FFFFFF";
        QCOMPARE(trainConfigHash(other), trainConfigHash(config));
        other.data.background = "#c81e28";
        QVERIFY(trainConfigHash(other) != trainConfigHash(config));
    }

    void numbersHaveAPointInEveryLocale() {
        const QTemporaryDir folder;
        const QString german = folder.filePath("de_DE.UTF-8");
        QProcess maker;
        maker.start("localedef", {"-i", "de_DE", "-f", "UTF-8", german}); // it warns by its exit code, too
        QVERIFY2(maker.waitForFinished(kMadeMs) && QFile::exists(german + "/LC_NUMERIC"),
                 "a locale with commas could not be made; install the Debian packages libc-bin and locales");
        const std::string before = std::setlocale(LC_NUMERIC, nullptr);
        qputenv("LOCPATH", folder.path().toUtf8());
        const char* taken = std::setlocale(LC_NUMERIC, "de_DE.UTF-8");
        qunsetenv("LOCPATH");
        const std::string point = std::localeconv()->decimal_point;
        TrainConfig config;
        config.optimizer.weightDecay = 0.01;
        std::string text;
        for (const ConfigField& field : configFields(config))
            if (field.path == "optimizer.weightDecay") text = fieldText(field);
        std::setlocale(LC_NUMERIC, before.c_str());
        QVERIFY(taken != nullptr && point == ",");
        QCOMPARE(text, "0.01");
    }

    void numbersThatAreNoneNameTheirRange() {
        TrainConfig config;
        const auto result = readJson(R"({"steps":1e300,"optimizer":{"learningRate":"fast"}})", config);
        QVERIFY(!result.ok());
        QVERIFY2(contains(result.error().message, "at least 1 and at most 100000000"),
                 result.error().message.c_str());
        QVERIFY2(contains(result.error().message, "more than 0 and at most 10"),
                 result.error().message.c_str());
    }

    void helpIsBrokenAtBlanksAlone() {
        const std::string name = QString("  --one N").leftJustified(kHelpColumn).toStdString();
        const std::string below = "\n" + QString(int(kHelpColumn), ' ').toStdString();
        QCOMPARE(wrappedHelp(name + "of several words", 46), name + "of several" + below + "words\n");
        QCOMPARE(wrappedHelp(name + "andonelongword more", 46), name + "andonelongword" + below + "more\n");
        QCOMPARE(wrappedHelp("What it does.\n\nMore\n", 9), std::string("What it\ndoes.\n\nMore\n"));
    }

    void unknownKeysAreNamedWithTheNearestKnownOne_data() {
        QTest::addColumn<QString>("json");
        QTest::addColumn<QString>("expected");
        QTest::newRow("typo at the top") << R"({"stpes":1})"
                                         << "did you mean \"steps\"";
        QTest::newRow("typo in a group") << R"({"optimizer":{"learnignRate":1e-5}})"
                                         << "optimizer.learningRate";
        QTest::newRow("wrong group") << R"({"learningRate":1e-5})"
                                     << "optimizer.learningRate";
        QTest::newRow("unknown group") << R"({"optimiser":{}})"
                                       << "did you mean \"optimizer\"";
        QTest::newRow("beside config") << R"({"v":1,"stpes":1,"config":{}})"
                                       << "unknown key \"stpes\" (did you mean \"steps\"?)";
        QTest::newRow("typo of config's neighbour") << R"({"creatd":"","config":{}})"
                                                    << "did you mean \"created\"";
        QTest::newRow("nothing near") << R"({"zzzzzzzzzzzz":1})"
                                      << "unknown key \"zzzzzzzzzzzz\"";
    }
    void unknownKeysAreNamedWithTheNearestKnownOne() {
        QFETCH(QString, json);
        QFETCH(QString, expected);
        TrainConfig config;
        const auto result = readJson(json.toStdString(), config);
        QVERIFY(!result.ok());
        QCOMPARE(result.error().code, ErrorCode::BadInput);
        QVERIFY2(contains(result.error().message, expected.toStdString()), result.error().message.c_str());
    }

    void everyViolationIsReportedAtOnce() {
        TrainConfig config = wholeConfig();
        config.steps = 0;
        config.data.resolutionPixels = 513;
        config.optimizer.learningRate = std::nan("");
        config.optimizer.beta2 = 1.0;
        config.output.keepCheckpoints = 1;
        config.loss.predictionType = "sample";
        const auto result = validate(config);
        QVERIFY(!result.ok());
        for (const char* path :
             {"steps", "data.resolutionPixels", "optimizer.learningRate", "optimizer.beta2",
              "output.keepCheckpoints", "loss.predictionType must be one of epsilon, v_prediction, or empty"})
            QVERIFY2(contains(result.error().message, path), result.error().message.c_str());
        QVERIFY(validate(wholeConfig()).ok());
    }

    void hostileValuesAreErrors_data() {
        QTest::addColumn<QString>("json");
        for (const char* text : {R"({"steps":0})",
                                 R"({"steps":-1})",
                                 R"({"steps":1e12})",
                                 R"({"steps":1e300})",
                                 R"({"steps":1.5})",
                                 R"({"steps":"4"})",
                                 R"({"steps":18446744073709551615})",
                                 R"({"seed":-1})",
                                 R"({"optimizer":{"learningRate":null}})",
                                 R"({"optimizer":{"learningRate":-1e-5}})",
                                 R"({"optimizer":3})",
                                 R"({"method":"ful"})",
                                 R"({"data":{"resolutionPixels":0}})",
                                 R"({"data":{"resolutionPixels":100000}})",
                                 R"({"data":{"instancePrompt":"a\u0000b"}})",
                                 R"([])",
                                 R"(3)",
                                 R"({"steps":1)",
                                 "",
                                 "\xff\xfe"})
            QTest::newRow(text) << QString::fromLatin1(text);
    }
    void hostileValuesAreErrors() {
        QFETCH(QString, json);
        TrainConfig config;
        const std::string before = toJson(config);
        const auto result = readJson(json.toLatin1().toStdString(), config);
        QVERIFY(!result.ok());
        QCOMPARE(result.error().code, ErrorCode::BadInput);
        QCOMPARE(toJson(config), before); // nothing was taken over
    }

    void aMillionBracketsAreAnErrorAndNoCrash() {
        TrainConfig config;
        const std::string deep(1'000'000, '[');
        QVERIFY(!readJson(deep, config).ok());
        QVERIFY(!readJson("{\"steps\":" + deep + std::string(1'000'000, ']') + "}", config).ok());
        QVERIFY(!readJson("{\"data\":" + deep + std::string(1'000'000, ']') + "}", config).ok());
    }

    void spaceForSwappingNeedsAFolder() {
        TrainConfig config = wholeConfig();
        config.memory.swapDir = "/swap";
        config.memory.swapBytes = int64_t{1} << 30;
        QVERIFY(validate(config).ok());
        config.memory.swapDir.clear();
        const auto refused = validate(config);
        QVERIFY(!refused.ok());
        QVERIFY(contains(refused.error().message, "--swap-size"));
    }

    void wrongTogetherIsAnError() {
        TrainConfig both = wholeConfig();
        both.data.datasetDir = "/pictures";
        QVERIFY(!validate(both).ok());
        TrainConfig loraFromScratch;
        loraFromScratch.mode = TrainMode::FromScratch;
        loraFromScratch.method = TrainMethod::Lora;
        loraFromScratch.scratch.configDir = "/config";
        loraFromScratch.data.datasetDir = "/pictures";
        loraFromScratch.output.runDir = "/run";
        QVERIFY(!validate(loraFromScratch).ok());
        loraFromScratch.method = TrainMethod::Full;
        QVERIFY(validate(loraFromScratch).ok());
        TrainConfig noPrompt = wholeConfig();
        noPrompt.data.instancePrompt = "  \n";
        QVERIFY(!validate(noPrompt).ok());
    }

    void defaultsOfTheModelFillOnlyWhatWasLeftOpen() {
        ModelSource model;
        model.family = ModelFamily::StableDiffusion2;
        model.unet.sampleSize = 96;
        model.vae.blockOutChannels = {128, 256, 512, 512};
        TrainConfig config = wholeConfig();
        const auto fill = [&](const GivenFields& given) {
            return TrainingDefaults::of(model)->fill(config, given).config;
        };
        QCOMPARE(fill({}).data.resolutionPixels, int64_t{768});
        const double full = fill({}).optimizer.learningRate;
        QVERIFY(full >= 2e-6 && full <= 5e-6);
        config.method = TrainMethod::Lora;
        QCOMPARE(fill({}).optimizer.learningRate, 1e-4);
        config.data.resolutionPixels = 256;
        config.optimizer.learningRate = 3e-7;
        const TrainConfig kept = fill({"data.resolutionPixels", "optimizer.learningRate"});
        QCOMPARE(kept.data.resolutionPixels, int64_t{256});
        QCOMPARE(kept.optimizer.learningRate, 3e-7);
        model.family = ModelFamily::Other;
        QVERIFY(fill({}).optimizer.learningRate > 1e-4);
        model.family = ModelFamily::StableDiffusionXl;
        config.method = TrainMethod::Full;
        QCOMPARE(fill({}).optimizer.learningRate, 3e-6);
        model.unet.sampleSize = 0; // its configuration does not say it
        QCOMPARE(fill({}).data.resolutionPixels, int64_t{1024});
    }

    void sdxlIsWarnedOfSmallPictures() {
        ModelSource model;
        model.unet.textTimeEmbedding = true;
        model.unet.sampleSize = 128;
        model.vae.blockOutChannels = {128, 256, 512, 512};
        TrainConfig config = wholeConfig();
        config.data.resolutionPixels = 768;
        QVERIFY(!smallPicturesWarning(config, model));
        config.data.resolutionPixels = 760;
        const auto warning = smallPicturesWarning(config, model);
        QVERIFY(warning);
        for (const char* part : {"1024 x 1024", "learns them at 760", "--resolution 1024", "at least 768"})
            QVERIFY2(contains(*warning, part), warning->c_str());
        model.unet.sampleSize = 64; // made for smaller ones
        QVERIFY(!smallPicturesWarning(config, model));
        model.unet.sampleSize = 128;
        model.unet.textTimeEmbedding = false;
        QVERIFY(!smallPicturesWarning(config, model));
    }

    void aModelsOwnDefaultsComeFirstAndAreNamed() {
        TrainingDefaults defaults = TrainingDefaults::ofFamily(ModelFamily::Other, 64);
        QVERIFY(!defaults.own());
        const auto read =
            defaults.read(R"({"v":1,"note":"tried","all":{"batchSize":3,"trainTextEncoder":true},
            "full":{"steps":900,"optimizer":{"learningRate":2e-4}},"lora":{"optimizer":{"learningRate":1e-3}},
            "quick":{"steps":150,"optimizer":{"learningRate":1e-4}}})",
                          "file");
        QVERIFY2(read.ok(), read ? "" : read.error().text().c_str());
        QVERIFY(defaults.own());
        TrainConfig config = wholeConfig();
        const FilledConfig usual = defaults.fill(config, {"batchSize"});
        QCOMPARE(usual.config.batchSize, int64_t{1}); // named by the user
        QCOMPARE(usual.config.steps, int64_t{900});
        QCOMPARE(usual.config.optimizer.learningRate, 2e-4);
        QCOMPARE(usual.config.data.resolutionPixels, int64_t{64});
        QVERIFY(usual.config.trainTextEncoder);
        QCOMPARE(usual.notes.front(), std::string("learning rate 2e-4, 900 steps, with the text encoder "
                                                  "(this model's own defaults)"));
        QVERIFY(defaults.knows(TrainingQuality::Quick));
        QVERIFY(!defaults.knows(TrainingQuality::Best));
        const FilledConfig quick = defaults.fill(config, {}, TrainingQuality::Quick);
        QCOMPARE(quick.config.steps, int64_t{150});
        QCOMPARE(quick.config.batchSize, int64_t{3});
        QCOMPARE(quick.config.optimizer.learningRate, 1e-4);
        config.method = TrainMethod::Lora;
        QCOMPARE(defaults.fill(config, {}).config.optimizer.learningRate, 1e-3);
        QCOMPARE(defaults.fill(config, {}).config.steps, int64_t{500}); // what the file leaves open
        TrainConfig scratch;
        scratch.mode = TrainMode::FromScratch;
        QCOMPARE(defaults.fill(scratch, {}).config.optimizer.learningRate, 3e-4);
        QCOMPARE(defaults.fill(scratch, {}).config.batchSize, int64_t{1});
    }

    void allThatAModelBringsIsNamedWhereItCounts() {
        TrainingDefaults defaults = TrainingDefaults::ofFamily(ModelFamily::Other, 64);
        QVERIFY(defaults
                    .read(R"({"all":{"batchSize":3,"data":{"classImageCount":24,"classGuidanceScale":1,
                        "flip":true},"lora":{"rank":8},"output":{"guidanceScale":4}}})",
                          "file")
                    .ok());
        TrainConfig config = wholeConfig();
        QCOMPARE(defaults.fill(config, {}).notes.front(),
                 std::string("batch 3, --flip (this model's own defaults)"));
        config.data.classPrompt = "a photo of a dog";
        config.method = TrainMethod::Lora;
        config.output.previewEverySteps = 50;
        QCOMPARE(defaults.fill(config, {}).notes.front(),
                 std::string("batch 3, --class-images 24, --class-guidance 1, --flip, --lora-rank 8, "
                             "--guidance 4 (this model's own defaults)"));
    }

    void theTextEncodersOfSdxlStayWhateverItsFolderSays() {
        TrainingDefaults defaults = TrainingDefaults::ofFamily(ModelFamily::StableDiffusionXl, 1024);
        QVERIFY(defaults
                    .read(R"({"all":{"batchSize":3,"trainTextEncoder":true},
                                  "quick":{"trainTextEncoder":true}})",
                          "file")
                    .ok());
        const FilledConfig filled = defaults.fill(wholeConfig(), {}, TrainingQuality::Quick);
        QCOMPARE(filled.config.batchSize, int64_t{3});
        QVERIFY(!filled.config.trainTextEncoder);
        QVERIFY(filled.notes.front().find("text encoder") == std::string::npos);
        TrainConfig asked = wholeConfig();
        asked.trainTextEncoder = true; // is refused later
        QVERIFY(defaults.fill(asked, {"trainTextEncoder"}).config.trainTextEncoder);
    }

    void aBatchThatNobodyChoseIsOneThatProcessesShare() {
        TrainingDefaults defaults = TrainingDefaults::ofFamily(ModelFamily::Other, 64);
        QVERIFY(defaults.read(R"({"all":{"batchSize":3}})", "file").ok());
        TrainConfig config = wholeConfig();
        config.parallel.processes = 2;
        const FilledConfig shared = defaults.fill(config, {});
        QCOMPARE(shared.config.batchSize, int64_t{4});
        QCOMPARE(shared.notes.back(), std::string("batch 4 (the next that 2 processes share equally)"));
        QCOMPARE(defaults.fill(config, {"batchSize"}).config.batchSize, int64_t{1}); // is refused later
        config.parallel.processes = 3;
        QCOMPARE(defaults.fill(config, {}).config.batchSize, int64_t{3});
        QCOMPARE(TrainingDefaults::ofFamily(ModelFamily::Other, 64).fill(config, {}).config.batchSize,
                 int64_t{3});
    }

    void theDefaultsOfAModelAreTakenToTheLastDigit() {
        TrainingDefaults defaults = TrainingDefaults::ofFamily(ModelFamily::Other, 64);
        QVERIFY(
            defaults.read(R"({"all":{"optimizer":{"learningRate":1.2345678901234567e-4}}})", "file").ok());
        QVERIFY(defaults.fill(wholeConfig(), {}).config.optimizer.learningRate == 1.2345678901234567e-4);
    }

    void damagedDefaultsOfAModelAreErrors_data() {
        QTest::addColumn<QString>("json");
        QTest::addColumn<QString>("words");
        QTest::newRow("no JSON") << "{"
                                 << "expected a JSON object";
        QTest::newRow("a list") << "[]"
                                << "expected a JSON object";
        QTest::newRow("unknown part") << R"({"ful":{}})"
                                      << "did you mean \"full\"";
        QTest::newRow("no part") << R"({"full":3})"
                                 << "full: expected an object";
        QTest::newRow("unknown setting") << R"({"all":{"stpes":3}})"
                                         << "all: unknown key \"stpes\" (did you mean \"steps\"?)";
        QTest::newRow("a place") << R"({"all":{"output":{"runDir":"/"}}})"
                                 << "all: unknown key \"output.runDir\"";
        QTest::newRow("deep") << QString(R"({"all":{"steps":)" + QString(20'000, '[') + QString(20'000, ']') +
                                         "}}")
                              << "nested too deeply";
        QTest::newRow("out of range") << R"({"lora":{"optimizer":{"learningRate":-1}}})"
                                      << "lora: optimizer.learningRate must be";
    }
    void damagedDefaultsOfAModelAreErrors() {
        QFETCH(QString, json);
        QFETCH(QString, words);
        TrainingDefaults defaults = TrainingDefaults::ofFamily(ModelFamily::Other, 64);
        const auto read = defaults.read(json.toStdString(), "the file");
        QVERIFY(!read.ok());
        QCOMPARE(read.error().code, ErrorCode::BadInput);
        QCOMPARE(read.error().context, std::string("the file"));
        QVERIFY2(contains(read.error().message, words.toStdString()), read.error().message.c_str());
        QVERIFY(!defaults.own());
    }

    void theDefaultModelBringsItsOwn() {
        const auto model = openModel(HOMEBOOTH_SOURCE_DIR "/resources/models/sketch");
        QVERIFY(model.ok());
        const auto defaults = TrainingDefaults::of(*model);
        QVERIFY2(defaults.ok(), defaults ? "" : defaults.error().text().c_str());
        const TrainConfig made = defaults->fill(wholeConfig(), {}).config;
        QCOMPARE(made.optimizer.learningRate, 2e-4);
        QCOMPARE(made.steps, int64_t{900});
        QCOMPARE(made.batchSize, int64_t{3});
        QCOMPARE(made.data.resolutionPixels, int64_t{128});
        QVERIFY(made.trainTextEncoder);
        int64_t before = 0;
        for (const TrainingQuality quality :
             {TrainingQuality::Quick, TrainingQuality::Balanced, TrainingQuality::Best}) {
            QVERIFY(defaults->knows(quality));
            const int64_t steps = defaults->fill(wholeConfig(), {}, quality).config.steps;
            QVERIFY(steps > before);
            before = steps;
        }
    }

    void theHashIgnoresPlacesButNotSettings() {
        const TrainConfig config = wholeConfig();
        TrainConfig moved = config;
        moved.output.runDir = "/elsewhere";
        moved.steps = 5000;
        moved.memory.ramBytes = 1 << 30;
        QCOMPARE(trainConfigHash(moved), trainConfigHash(config));
        TrainConfig other = config;
        other.optimizer.learningRate *= 2;
        QVERIFY(trainConfigHash(other) != trainConfigHash(config));
        other = config;
        other.seed = 1;
        QVERIFY(trainConfigHash(other) != trainConfigHash(config));
    }

    void sizesAreUnderstood_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<qint64>("bytes");
        QTest::newRow("GiB") << "6GiB" << qint64{6} * 1024 * 1024 * 1024;
        QTest::newRow("GB") << "40GB" << qint64{40} * 1000 * 1000 * 1000;
        QTest::newRow("space, case") << "512 mib" << qint64{512} * 1024 * 1024;
        QTest::newRow("fraction") << "1.5KiB" << qint64{1536};
        QTest::newRow("plain") << "123" << qint64{123};
        for (const char* text : {"", "GiB", "-1GiB", "6XB", "nan", "inf", "1e30", "99999999TiB", "6 GiB x"})
            QTest::newRow(text) << text << qint64{-1};
    }
    void sizesAreUnderstood() {
        QFETCH(QString, text);
        QFETCH(qint64, bytes);
        const auto parsed = parseByteSize(text.toStdString());
        QCOMPARE(parsed.ok(), bytes >= 0);
        if (parsed) QCOMPARE(static_cast<qint64>(*parsed), bytes);
    }

    void littleRoomIsNotSaidToBeNone() {
        QCOMPARE(fullMebibytes(600 << 10), std::string("600 KiB"));
        QCOMPARE(fullMebibytes((8 << 20) - 1), std::string("7 MiB"));
    }

    void loraReferencesAreUnderstood() {
        QCOMPARE(parseLoraReference("a.safetensors")->weight, 1.0);
        QCOMPARE(parseLoraReference("a.safetensors:0.5")->weight, 0.5);
        QCOMPARE(parseLoraReference("a:b.safetensors")->file, std::string("a:b.safetensors"));
        QCOMPARE(parseLoraReference("a:b")->file, std::string("a:b"));
        QCOMPARE(parseLoraReference("a.pt:b/c")->file, std::string("a.pt:b/c"));
        for (const char* text : {"a.safetensors:0,5", "folder:0,5", "a.safetensors:abc", "a.pt:"}) {
            const auto refused = parseLoraReference(text);
            QVERIFY2(!refused.ok() && refused.error().code == ErrorCode::Usage, text);
            QVERIFY(refused.error().message.find("such as 0.5") != std::string::npos);
        }
        QVERIFY(!parseLoraReference("").ok());
        QVERIFY(!parseLoraReference(":0.5").ok());
        QVERIFY(!parseLoraReference("a:nan").ok());
    }
};

QTEST_APPLESS_MAIN(tst_config_json)
#include "tst_config_json.moc"
