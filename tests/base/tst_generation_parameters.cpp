// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The `parameters` text of pictures: what A1111 writes is understood, and what we write comes back.
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

} // namespace

class TestGenerationParameters : public QObject {
    Q_OBJECT
private slots:
    void writesTheLayoutOfA1111();
    void readsA1111Text();
    void readsBack();
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
