// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The `parameters` text of pictures: what A1111 writes is understood, and what we write comes back.
#include "core/base/text/comfy_graph.h"
#include "core/base/text/generation_parameters.h"
#include "tests/computed_time.h"

#include <QtTest>

using namespace homebooth::core;

namespace {

GenerationParameters example() {
    GenerationParameters parameters;
    parameters.prompt = "a photo of sks dog";
    parameters.negativePrompt = "blurry, low quality";
    parameters.steps = 20;
    parameters.sampler = "DPM++ 2M";
    parameters.scheduleType = "Karras";
    parameters.guidanceScale = 7.5;
    parameters.seed = 18446744073709551615ULL;
    parameters.widthPixels = 512;
    parameters.heightPixels = 768;
    parameters.modelHash = "6ce0161689";
    parameters.model = "v1-5-pruned-emaonly";
    parameters.strength = 0.75;
    parameters.clipSkip = 1;
    parameters.loraHashes = {{"dog", "0123456789ab"}, {"style", "fedcba987654"}};
    parameters.loraWeights = {{"dog", 0.75}, {"style", -0.5}};
    parameters.embeddingHashes = {{"easynegative", "c74b4e810b03"}, {"<cat-toy>", "00ff00ff00ff"}};
    parameters.initImage = "my dog, old.png";
    parameters.others = {{"RNG", "CPU"}};
    parameters.version = "Homebooth 0.1.0";
    return parameters;
}

/// A usual graph of ComfyUI, with a LoRA. @param from, to  a place that is changed
std::string comfyGraph(const QByteArray& from = {}, const QByteArray& to = {}) {
    QByteArray graph = R"({
"3": {"class_type": "KSampler", "inputs": {"seed": 18446744073709551615, "steps": 25, "cfg": 6.5,
  "sampler_name": "dpmpp_2m", "scheduler": "karras", "denoise": 1.0, "model": ["10", 0],
  "positive": ["6", 0], "negative": ["7", 0], "latent_image": ["5", 0]}},
"4": {"class_type": "CheckpointLoaderSimple", "inputs": {"ckpt_name": "sd15/dream.safetensors"}},
"5": {"class_type": "EmptyLatentImage", "inputs": {"width": 512, "height": 768, "batch_size": 1}},
"6": {"class_type": "CLIPTextEncode", "inputs": {"text": "a (red:1.2) hat,\nembedding:toy", "clip": ["11", 0]}},
"7": {"class_type": "CLIPTextEncode", "inputs": {"text": ["12", 0], "clip": ["10", 1]}},
"8": {"class_type": "VAEDecode", "inputs": {"samples": ["3", 0], "vae": ["4", 2]}},
"9": {"class_type": "SaveImage", "inputs": {"images": ["8", 0]}, "is_changed": [NaN]},
"10": {"class_type": "LoraLoader", "inputs": {"lora_name": "hats.safetensors", "strength_model": 0.75,
  "strength_clip": 1.0, "model": ["4", 0], "clip": ["4", 1]}},
"11": {"class_type": "CLIPSetLastLayer", "inputs": {"stop_at_clip_layer": -2, "clip": ["10", 1]}},
"12": {"class_type": "PrimitiveString", "inputs": {"value": "blurry"}}})";
    if (!from.isEmpty()) graph.replace(from, to);
    return graph.toStdString();
}

} // namespace

class TestGenerationParameters : public QObject {
    Q_OBJECT
private slots:
    void writesTheLayoutOfA1111();
    void readsA1111Text();
    void readsBack();
    void comfyGraphsAreWalkedBack();
    void whatElseAGraphDidIsTold_data();
    void whatElseAGraphDidIsTold();
    void wordsOfGraphsAreTakenAsTheyAre();
    void graphsThatCannotBeToldAreNone_data();
    void graphsThatCannotBeToldAreNone();
    void lorasStandInThePromptForOthers();
    void hostilePromptsComeBack_data();
    void hostilePromptsComeBack();
    void hostileValuesComeBack_data();
    void hostileValuesComeBack();
    void ordinaryPromptsNeedNoExtraKey();
    void textWithoutParametersIsAllPrompt();
    void brokenNumbersStayText();
    void karrasSpacingIsRecognised();
    void trailingStepsAreRecognised();
    void longTextIsReadInLinearTime();
    void samplerNamesComeBack();
    void olderKarrasNamesAreUnderstood();
    void layersThatSdxlNeverUsesAreCountedByOthers();
};

void TestGenerationParameters::writesTheLayoutOfA1111() {
    const std::string expected =
        "a photo of sks dog <lora:dog:0.75> <lora:style:-0.5>\n"
        "Negative prompt: blurry, low quality\n"
        "Steps: 20, Sampler: DPM++ 2M, Schedule type: Karras, CFG scale: 7.5, Seed: 18446744073709551615, "
        "Size: 512x768, Model hash: 6ce0161689, Model: v1-5-pruned-emaonly, Denoising strength: 0.75, "
        "Clip skip: 2, Lora hashes: \"dog: 0123456789ab, style: fedcba987654\", "
        "TI hashes: \"easynegative: c74b4e810b03, <cat-toy>: 00ff00ff00ff\", "
        "Lora weights: \"dog: 0.75, style: -0.5\", Init image: \"my dog, old.png\", RNG: CPU, "
        "Exact prompt: \"a photo of sks dog\", Exact negative prompt: \"blurry, low quality\", "
        "Version: Homebooth 0.1.0";
    QCOMPARE(writeGenerationParameters(example()), expected);
}

void TestGenerationParameters::readsA1111Text() {
    const GenerationParameters read = parseGenerationParameters(
        "a cat,\nsitting <lora:x:0.8>\nNegative prompt: ugly\nbad hands\n"
        "Steps: 28, Sampler: Euler a, CFG scale: 7, Seed: 42, Size: 640x448, Model hash: abcdef0123, "
        "Hires prompt: \"a, \\\"b\\\": c\", Version: v1.10.1");
    QCOMPARE(read.prompt, std::string("a cat,\nsitting <lora:x:0.8>"));
    QCOMPARE(read.negativePrompt, std::string("ugly\nbad hands"));
    QCOMPARE(read.steps, 28);
    QCOMPARE(read.sampler, std::string("Euler a"));
    QCOMPARE(read.guidanceScale, 7.0);
    QCOMPARE(read.seed.value_or(0), uint64_t{42});
    QCOMPARE(read.widthPixels, 640);
    QCOMPARE(read.heightPixels, 448);
    QCOMPARE(read.clipSkip, 0);
    QCOMPARE(read.others.size(), size_t{1});
    QCOMPARE(read.others[0].second, std::string("a, \"b\": c"));
}

void TestGenerationParameters::readsBack() {
    QVERIFY(parseGenerationParameters(writeGenerationParameters(example())) == example());
}

void TestGenerationParameters::comfyGraphsAreWalkedBack() {
    const auto made = readComfyGraph(comfyGraph());
    QVERIFY(made.has_value());
    const GenerationParameters read = parseGenerationParameters(writeGenerationParameters(*made));
    QVERIFY(read == *made); // the text that is shown and taken over says it all
    QCOMPARE(read.prompt, std::string("a (red:1.2) hat,\ntoy"));
    QCOMPARE(read.negativePrompt, std::string("blurry"));
    QCOMPARE(read.steps, 25);
    QCOMPARE(read.guidanceScale, 6.5);
    QCOMPARE(read.seed.value_or(0), uint64_t{18446744073709551615ULL});
    QCOMPARE(read.sampler, std::string("DPM++ 2M"));
    QVERIFY(usedKarrasSpacing(read));
    QCOMPARE(read.widthPixels, 512);
    QCOMPARE(read.heightPixels, 768);
    QCOMPARE(read.model, std::string("dream"));
    QCOMPARE(read.clipSkip, 1);
    QVERIFY(read.loraWeights == (std::vector<std::pair<std::string, double>>{{"hats", 0.75}}));
    const auto enlarged = readComfyGraph(comfyGraph(
        "\n\"8\"", "\n\"2\": {\"class_type\": \"KSampler\", \"inputs\": {\"seed\": 1, \"steps\": 9, "
                   "\"sampler_name\": \"euler\", \"model\": [\"4\", 0], \"latent_image\": [\"3\", 0]}},"
                   "\n\"8\""));
    QVERIFY(enlarged && enlarged->steps == 25); // the first pass counts
    QCOMPARE(enlarged->others.back().first, std::string("Hires steps"));
    const auto begun =
        readComfyGraph(QByteArray::fromStdString(comfyGraph("\"denoise\": 1.0", "\"start_at_step\": 5"))
                           .replace("\"width\": 512", "\"image\": \"clipspace/a.png [input]\"")
                           .toStdString());
    QVERIFY(begun.has_value());
    QCOMPARE(begun->initImage, std::string("a.png"));
    QCOMPARE(begun->strength, 0.8);
}

void TestGenerationParameters::whatElseAGraphDidIsTold_data() {
    QTest::addColumn<QByteArray>("from");
    QTest::addColumn<QByteArray>("to");
    const auto row = [](const char* told, const QByteArray& from, const QByteArray& to) {
        QTest::newRow(told) << from << to;
    };
    const auto behind = [](const char* kind) -> QByteArray {
        return QByteArray("\"20\": {\"class_type\": \"") + kind +
               "\", \"inputs\": {\"image\": [\"8\", 0]}},\n\"9\"";
    };
    row("Uneven LoRA: hats", {}, {});
    row("Other node: FaceDetailer", "\"9\"", behind("FaceDetailer"));
    row("Hires upscaler: True", "\"9\"", behind("ImageUpscaleWithModel"));
    row("Other node: PAG", "\"4\": {",
        "\"4\": {\"class_type\": \"PAG\", \"inputs\": {\"model\": [\"30\", 0]}}, \"30\": {");
    row("Inpainting: True", "\"5\": {",
        "\"5\": {\"class_type\": \"M\", \"inputs\": {\"samples\": [\"31\", 0], \"mask\": [\"9\", 0]}}, "
        "\"31\": {");
}

void TestGenerationParameters::whatElseAGraphDidIsTold() {
    QFETCH(QByteArray, from);
    QFETCH(QByteArray, to);
    const auto made = readComfyGraph(comfyGraph(from, to));
    QVERIFY(made.has_value());
    const std::string text = writeGenerationParameters(*made);
    QVERIFY2(text.find(QTest::currentDataTag()) != std::string::npos, text.c_str());
    QVERIFY(parseGenerationParameters(text) == *made);
}

void TestGenerationParameters::wordsOfGraphsAreTakenAsTheyAre() {
    const auto made = readComfyGraph(comfyGraph("a (red:1.2) hat", "[ugly] a AND b <lora:y:1>"));
    QVERIFY(made.has_value());
    QCOMPARE(made->prompt, std::string("\\[ugly\\] a AND b <lora:y:1>,\ntoy"));
    const std::string many = comfyGraph("a (red:1.2) hat", QByteArray("embedding:").repeated(400'000));
    const homebooth::testing::ComputedTime timer;
    const auto marked = readComfyGraph(many);
    QVERIFY(marked && marked->prompt == ",\ntoy");
    QVERIFY2(timer.isBelow(5000), "reading four megabytes took more than five seconds");
}

void TestGenerationParameters::graphsThatCannotBeToldAreNone_data() {
    QTest::addColumn<QByteArray>("text");
    const auto row = [](const char* name, const QByteArray& from, const QByteArray& to) {
        QTest::newRow(name) << QByteArray::fromStdString(comfyGraph(from, to));
    };
    row("no sampler", "\"steps\"", "\"other\"");
    row("the model's links go round", "\"ckpt_name\": \"sd15/dream.safetensors\"", "\"model\": [\"10\", 0]");
    row("the latent's links go round", "\"width\": 512", "\"samples\": [\"8\", 0]");
    row("the text's links go round", "\"value\": \"blurry\"", "\"value\": [\"12\", 0]");
    row("a text of two", "\"value\": \"blurry\"", "\"a\": \"blurry\", \"b\": \"dark\"");
    row("a model of two", "\"ckpt_name\": \"sd15/dream.safetensors\"", "\"model1\": [\"10\", 0]");
    row("a text's place", "\"value\": \"blurry\"", "\"path\": \"/home/me/a.txt\"");
    row("a text that is made", "\"value\": \"blurry\"", "\"text\": \"__animal__\", \"seed\": 5");
    row("a further result", "\"text\": [\"12\", 0]", "\"text\": [\"12\", 1]");
    row("words of a box", "\"text\": [\"12\", 0]", "\"text\": [\"12\", 0], \"conditioning_to\": [\"6\", 0]");
    row("a guidance of several", "\"cfg\": 6.5", "\"cfg\": [\"5\", 0]");
    QByteArray loras = "\"model\": [\"4\", 0]"; // in a circle
    for (int i = 0; i < 250; ++i)
        loras += ", \"a" + QByteArray::number(i) + "\": {\"lora\": \"a\", \"strength\": 1}";
    row("LoRAs without end", "\"ckpt_name\": \"sd15/dream.safetensors\"", loras);
    row("no size", "\"width\": 512", "\"width\": -512");
    row("no whole seed", "18446744073709551615", "-1");
    row("an unknown kind of LoRAs", "\"lora_name\"", "\"stack\"");
    row("cut off", "\"PrimitiveString\"", {});
    QTest::newRow("deep") << QByteArray(100'000, '[');
    QTest::newRow("a list") << QByteArray("[1, 2]");
    QTest::newRow("odd nodes") << QByteArray(R"({"1": 2, "3": {"inputs": [], "class_type": 4}})");
    QTest::newRow("nothing") << QByteArray();
}

void TestGenerationParameters::graphsThatCannotBeToldAreNone() {
    QFETCH(QByteArray, text);
    QVERIFY(!readComfyGraph(text.toStdString()));
}

void TestGenerationParameters::lorasStandInThePromptForOthers() {
    GenerationParameters made = example();
    made.loraHashes = {{"rex, big", "0123456789ab"}, {"a<b", "fedcba987654"}};
    made.loraWeights = {{"rex, big", 1.0}, {"a<b", 0.5}};
    const std::string text = writeGenerationParameters(made);
    QVERIFY(text.starts_with("a photo of sks dog <lora:rex, big:1>\n"));             // as its file is called
    QVERIFY(text.find("Lora hashes: \"rex big: 0123456789ab") != std::string::npos); // as A1111 lists it
    const GenerationParameters read = parseGenerationParameters(text);
    QCOMPARE(read.prompt, made.prompt);
    QCOMPARE(read.loraWeights.size(), size_t{2}); // a tag is none more
    QCOMPARE(read.loraHashes.front().first, std::string("rex big"));
    QCOMPARE(read.loraWeights.front().first, std::string("rex big"));
    made.prompt.clear();
    const std::string bare = writeGenerationParameters(made);
    QVERIFY(bare.starts_with("<lora:rex, big:1>\n"));
    QVERIFY(parseGenerationParameters(bare).prompt.empty());
    QVERIFY(parseGenerationParameters(bare).loraWeights == read.loraWeights);
    made.loraWeights = {{"a: b", 1.0}}; // whose colon would end the name
    QVERIFY(writeGenerationParameters(made).starts_with("<lora:a_ b:1>\n"));
}

void TestGenerationParameters::hostilePromptsComeBack_data() {
    QTest::addColumn<QByteArray>("prompt");
    QTest::addColumn<QByteArray>("negative");
    QTest::newRow("empty") << QByteArray() << QByteArray();
    QTest::newRow("only negative") << QByteArray() << QByteArray("x");
    QTest::newRow("commas and colons") << QByteArray("a, b: c, (d:1.2), [e]") << QByteArray("f: g, h");
    QTest::newRow("a negative prompt in the prompt")
        << QByteArray("a\nNegative prompt: b") << QByteArray("c");
    QTest::newRow("again in the negative one") << QByteArray("a") << QByteArray("b\nNegative prompt: c");
    QTest::newRow("looks like parameters")
        << QByteArray("a\nSteps: 1, Sampler: x, Seed: 3") << QByteArray("Steps: 1, Sampler: x, Seed: 3");
    QTest::newRow("white space around") << QByteArray("  a \n") << QByteArray("\n\n b\t");
    QTest::newRow("blank lines") << QByteArray("a\n\n\nb") << QByteArray("c\r\nd");
    QTest::newRow("quotes and backslashes") << QByteArray("\"a\\\" \\\\ \"") << QByteArray("\"");
    QTest::newRow("names our key") << QByteArray("a, Exact prompt: \"b\", c: d") << QByteArray("x");
    QTest::newRow("control characters") << QByteArray("a\x01\x7f\x1b[0m\nb", 10) << QByteArray("a\0b", 3);
    QTest::newRow("emoji and scripts")
        << QString::fromUtf8("собака 🐶 犬 كلب").toUtf8() << QString::fromUtf8("\u202e\u2028x").toUtf8();
    QTest::newRow("10,000 characters") << QByteArray(10000, 'x') << QByteArray("a: ").repeated(3000);
}

void TestGenerationParameters::hostilePromptsComeBack() {
    QFETCH(QByteArray, prompt);
    QFETCH(QByteArray, negative);
    GenerationParameters parameters = example();
    parameters.prompt = prompt.toStdString();
    parameters.negativePrompt = negative.toStdString();
    const std::string text = writeGenerationParameters(parameters);
    QVERIFY(text.find('\0') == std::string::npos);
    QVERIFY(parseGenerationParameters(text) == parameters);
}

void TestGenerationParameters::hostileValuesComeBack_data() {
    QTest::addColumn<QByteArray>("value");
    QTest::newRow("comma") << QByteArray("a, b");
    QTest::newRow("colon") << QByteArray("C: model");
    QTest::newRow("line break") << QByteArray("a\nb: c");
    QTest::newRow("quote first") << QByteArray("\"a");
    QTest::newRow("quoted") << QByteArray("\"a\"");
    QTest::newRow("spaces around") << QByteArray(" a ");
    QTest::newRow("backslash at the end") << QByteArray("a\\");
    QTest::newRow("backslash and comma") << QByteArray("a\\, b\\");
    QTest::newRow("another key") << QByteArray("x, Seed: 7, Steps: 3");
}

void TestGenerationParameters::hostileValuesComeBack() {
    QFETCH(QByteArray, value);
    GenerationParameters parameters = example();
    parameters.model = value.toStdString();
    QVERIFY(parseGenerationParameters(writeGenerationParameters(parameters)) == parameters);
}

void TestGenerationParameters::ordinaryPromptsNeedNoExtraKey() {
    GenerationParameters plain = example();
    plain.loraWeights.clear(); // whose tags are no words of the prompt
    QVERIFY(writeGenerationParameters(plain).find("Exact") == std::string::npos);
}

void TestGenerationParameters::textWithoutParametersIsAllPrompt() {
    const GenerationParameters read = parseGenerationParameters("time: 10, place: home\nend");
    QCOMPARE(read.prompt, std::string("time: 10, place: home\nend"));
    QVERIFY(!read.seed.has_value());
    QCOMPARE(parseGenerationParameters("").prompt, std::string());
}

void TestGenerationParameters::brokenNumbersStayText() {
    const GenerationParameters read =
        parseGenerationParameters("a\nSteps: many, Seed: -1, Size: 512, CFG scale: 7x, Sampler: Euler");
    QCOMPARE(read.steps, 0);
    QVERIFY(!read.seed.has_value());
    QCOMPARE(read.guidanceScale, 0.0);
    QCOMPARE(read.sampler, std::string("Euler"));
    QCOMPARE(read.others.size(), size_t{4});
    const GenerationParameters odd = parseGenerationParameters(
        "a\nCFG scale: inf, Denoising strength: nan, Clip skip: -9223372036854775808, "
        "Lora weights: \"x: infinity, y: 0.5\", Steps: 1");
    QCOMPARE(odd.guidanceScale, 0.0);
    QCOMPARE(odd.strength, 0.0);
    QCOMPARE(odd.clipSkip, int64_t{0});
    QCOMPARE(odd.loraWeights.size(), size_t{1});
}

void TestGenerationParameters::karrasSpacingIsRecognised() {
    const auto used = [](const char* sampler, const char* schedule, const char* version) {
        GenerationParameters parameters;
        parameters.sampler = sampler;
        parameters.scheduleType = schedule;
        parameters.version = version;
        return usedKarrasSpacing(parameters);
    };
    QVERIFY(used("DPM++ 2M Karras", "", "v1.6.0"));
    QVERIFY(used("Euler", "Karras", "v1.10.1"));
    QVERIFY(used("DPM++ 2M", "Automatic", "v1.10.1"));
    QVERIFY(!used("DPM++ 2M", "Automatic", "Homebooth 0.1.0"));
    QVERIFY(!used("DPM++ 2M", "", "v1.6.0"));
    QVERIFY(!used("DPM++ 2M", "Uniform", "v1.10.1"));
    QVERIFY(!used("DDIM", "Karras", "v1.10.1")); // which has none here
}

void TestGenerationParameters::trailingStepsAreRecognised() {
    const auto used = [](const char* settings) {
        return usedTrailingSteps(
            parseGenerationParameters(std::string("a hat\nSteps: 4, Seed: 1, Size: 8x8, ").append(settings)));
    };
    QVERIFY(used("Sampler: Euler, Schedule type: SGM Uniform, Version: Homebooth 1.0.0"));
    QVERIFY(used("Sampler: DDIM, Schedule type: SGM Uniform, Version: Homebooth 1.0.0"));
    QVERIFY(used("Sampler: Euler, Schedule type: Karras, Step spacing: trailing, Version: Homebooth 1.0.0"));
    QVERIFY(!used("Sampler: Euler, Schedule type: Uniform, Version: Homebooth 1.0.0"));
    QVERIFY(!used("Sampler: LCM, Schedule type: SGM Uniform, Version: Homebooth 1.0.0"));
    QVERIFY(used("Sampler: Euler a, Schedule type: SGM Uniform, Version: v1.10.1"));
    QVERIFY(used("Sampler: DPM++ 2M, Schedule type: Simple, Version: v1.10.1"));
    QVERIFY(!used("Sampler: DDIM, Schedule type: SGM Uniform, Version: v1.10.1")); // which has none there
    QVERIFY(!used("Sampler: Heun, Schedule type: SGM Uniform, Version: v1.10.1")); // nor here
    QVERIFY(!used("Sampler: Euler, Schedule type: Beta, Step spacing: trailing, Version: v1.10.1"));
}

void TestGenerationParameters::longTextIsReadInLinearTime() {
    const std::string text = "a\n" + std::string(4'000'000, 'k') + ", Steps: 1, Seed: 2, Size: 8x8";
    const homebooth::testing::ComputedTime timer;
    QCOMPARE(parseGenerationParameters(text).steps, 1);
    QVERIFY2(timer.isBelow(5000), "reading four megabytes took more than five seconds");
}

void TestGenerationParameters::samplerNamesComeBack() {
    for (int kind = 0; kind <= static_cast<int>(SamplerKind::Lcm); ++kind) {
        const auto found = samplerOfDisplayName(samplerDisplayName(static_cast<SamplerKind>(kind)));
        QVERIFY(found.has_value());
        QCOMPARE(static_cast<int>(found->first), kind);
        QVERIFY(!found->second);
    }
    QVERIFY(!samplerOfDisplayName("Heun").has_value());
}

void TestGenerationParameters::olderKarrasNamesAreUnderstood() {
    const auto found = samplerOfDisplayName("DPM++ 2M Karras");
    QVERIFY(found.has_value());
    QVERIFY(found->first == SamplerKind::DpmPlusPlus2M);
    QVERIFY(found->second);
}

void TestGenerationParameters::layersThatSdxlNeverUsesAreCountedByOthers() {
    const GenerationParameters usual = parseGenerationParameters("a cat\nSteps: 20, Seed: 1, Clip skip: 2");
    QCOMPARE(clipSkipOf(usual.clipSkip, true), int64_t{0}); // as pictures of SDXL's descendants have it
    QCOMPARE(clipSkipOf(usual.clipSkip, false), int64_t{1});
    for (const bool isXl : {false, true})
        for (const int64_t leftOut : {0, 1, 5}) {
            GenerationParameters made = example();
            made.clipSkip = toldClipSkip(leftOut, isXl);
            const GenerationParameters read = parseGenerationParameters(writeGenerationParameters(made));
            QCOMPARE(clipSkipOf(read.clipSkip, isXl), leftOut);
        }
    QCOMPARE(toldClipSkip(1, true), int64_t{2});
}

QTEST_APPLESS_MAIN(TestGenerationParameters)
#include "tst_generation_parameters.moc"
