// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What other programs write into prompts and beside pictures, and what of it is not done here.
#include "app/pages/generate/not_taken.h"
#include "app/pages/generate/prompt/others_prompt.h"
#include "app_fixture.h"

using namespace homebooth;
using namespace homebooth::app;

class OthersPromptTest : public QObject {
    Q_OBJECT
public:
    explicit OthersPromptTest(const TestPlace&) {}
private Q_SLOTS:
    void init() { failOnAnyWarning(); }
    void ofATagTheDenoisersWeightCounts_data();
    void ofATagTheDenoisersWeightCounts();
    void wordsThatChangeStandSideBySide_data();
    void wordsThatChangeStandSideBySide();
    void textsOfPicturesAreKnown();
    void spacingThatIsNotDoneHereIsTold_data();
    void spacingThatIsNotDoneHereIsTold();
    void whatElseIsNotDoneHereIsTold_data();
    void whatElseIsNotDoneHereIsTold();

private:
    [[nodiscard]] static QStringList toldOf(const QString& settings);
};

void OthersPromptTest::ofATagTheDenoisersWeightCounts_data() {
    QTest::addColumn<double>("weight");
    QTest::addColumn<bool>("uneven");
    const auto row = [](const char* tag, double weight, bool uneven) {
        QTest::newRow(tag) << weight << uneven;
    };
    row("<lora:hat>", 1.0, false);
    row("<lora:hat:0.8>", 0.8, false);
    row("<lora:hat:-0.5>", -0.5, false);
    row("<lora:hat:0.5:0.5>", 0.5, false);
    row("<lora:hat:0:1>", 1.0, true);
    row("<lora:hat:1:0.5>", 0.5, true);
    row("<lora:hat:te=0.2:unet=0.9>", 0.9, true);
    row("<lora:hat:te=0.3>", 0.3, false);
    row("<lora:hat:unet=0.9>", 0.9, true);
    row("<lora:hat:0.7:lbw=OUTALL>", 0.7, true);
    row("<lora:hat:0.7:1,0,0,1>", 0.7, true);
    row("<lora:hat:1:1:8>", 1.0, true);
    row("<lora:hat:inf>", 1.0, true); // which no file could say
}

void OthersPromptTest::ofATagTheDenoisersWeightCounts() {
    QFETCH(double, weight);
    QFETCH(bool, uneven);
    QString prompt = u"a cat, %1, on a hill"_s.arg(QLatin1String(QTest::currentDataTag()));
    const std::vector<PromptTag> tags = takeTags(prompt);
    QCOMPARE(prompt, u"a cat, on a hill"_s);
    QCOMPARE(tags.size(), size_t{1});
    QCOMPARE(tags[0].name, u"hat"_s);
    QCOMPARE(tags[0].weight, weight);
    QCOMPARE(tags[0].isUneven, uneven);
}

void OthersPromptTest::wordsThatChangeStandSideBySide_data() {
    QTest::addColumn<QString>("plain");
    QTest::addColumn<bool>("any");
    const auto row = [](const char* prompt, const char* plain, bool any) {
        QTest::newRow(prompt) << QString::fromLatin1(plain) << any;
    };
    row("a [cat:dog:0.5] there", "a cat, dog there", true);
    row("[a cat|a dog]", "a cat, a dog", true);
    row("a [hat:8], x", "a hat, x", true);
    row("a [hat::0.4]", "a hat", true);
    row("[a:[b:c:0.5]:0.3]", "a, b, c", true);
    row("[(cat:1.2)|dog]", "(cat:1.2), dog", true);
    row("[a (cat:1.2):a (dog:0.8): 0.5 ]", "a (cat:1.2), a (dog:0.8)", true);
    row("((hat)) [small] [a \\[x\\]|b]", "((hat)) [small] a \\[x\\]|b", true);
    row("(hat:1.2), \\(big\\), [ugly]", "(hat:1.2), \\(big\\), [ugly]", false);
    row("a hat BREAK a cat", "a hat, a cat", true);
    row("BREAK a hat, BREAK, a cat BREAK", "a hat, a cat", true);
    row("a hat AND a cat, ROCK AND ROLL", "a hat, a cat, ROCK AND ROLL", true);
    row("a cat :1.2 AND a DOG:.8 AND a hat :1", "a cat, a DOG, a hat", true);
    row("[small] \\[x|y\\] {red|blue} and AND", "[small] \\[x|y\\] {red|blue} and AND", false);
}

void OthersPromptTest::wordsThatChangeStandSideBySide() {
    QFETCH(QString, plain);
    QFETCH(bool, any);
    QString prompt = QString::fromLatin1(QTest::currentDataTag());
    QCOMPARE(takeChanges(prompt), any);
    QCOMPARE(prompt, plain);
}

void OthersPromptTest::textsOfPicturesAreKnown() {
    QString wildcards = u"__my pets__, {2$$a|b}, {1-2$$ and $$c|d}, ____, x__y__z, {e|f}"_s;
    takeWildcards(wildcards);
    QCOMPARE(wildcards, u"{my pets}, {a|b}, {c|d}, ____, x__y__z, {e|f}"_s);
    QVERIFY(isPictureText(u"a hat\nNegative prompt: x\nSteps: 20, Sampler: Euler a, Seed: 1"_s));
    QVERIFY(isPictureText(u"Steps: 20, Sampler: Euler a, Seed: 1"_s));
    QVERIFY(!isPictureText(u"a hat\nNegative prompt: x"_s));
    QVERIFY(!isPictureText(u"a flight of steps: 20, wide, old"_s));
    QVERIFY(!isPictureText({}));
}

QStringList OthersPromptTest::toldOf(const QString& settings) {
    return notTaken(core::parseGenerationParameters(
        u"a hat\nSteps: 12, Seed: 1, Size: 64x64, %1"_s.arg(settings).toStdString()));
}

void OthersPromptTest::spacingThatIsNotDoneHereIsTold_data() {
    QTest::addColumn<QString>("told");
    const auto row = [](const char* settings, const char* told) {
        QTest::newRow(settings) << QString::fromLatin1(told);
    };
    row("Sampler: Euler a", "");
    row("Sampler: Euler, Schedule type: Automatic", "");
    row("Sampler: Euler, Schedule type: Uniform", "");
    row("Sampler: Euler, Schedule type: Normal", "");
    row("Sampler: DPM++ 2M, Schedule type: Automatic", "");
    row("Sampler: DPM++ 2M, Schedule type: Karras", "");
    row("Sampler: DPM++ 2M Karras", "");
    row("Sampler: DDIM, Schedule type: Karras", "");
    row("Sampler: Euler a, Schedule type: Karras", "Karras");
    row("Sampler: Euler a Karras", "Karras");
    row("Sampler: DPM++ 2M, Schedule type: Exponential", "Exponential");
    row("Sampler: DPM++ 2M SDE, Schedule type: Automatic", "Exponential");
    row("Sampler: Heun, Schedule type: SGM Uniform", "SGM Uniform");
    row("Sampler: Euler, Schedule type: SGM Uniform", "");
    row("Sampler: Euler a, Schedule type: Simple", "");
    row("Sampler: LCM, Schedule type: SGM Uniform", "SGM Uniform");
}

void OthersPromptTest::spacingThatIsNotDoneHereIsTold() {
    QFETCH(QString, told);
    const QStringList sentences = toldOf(QString::fromLatin1(QTest::currentDataTag()));
    QCOMPARE(sentences.size(), told.isEmpty() ? 0 : 1);
    if (!told.isEmpty()) QVERIFY2(sentences[0].contains('"' + told + '"'), qPrintable(sentences[0]));
}

void OthersPromptTest::whatElseIsNotDoneHereIsTold_data() {
    QTest::addColumn<QStringList>("words");
    QTest::newRow("RNG: CPU, ENSD: 31337, VAE: Automatic, Tiling: False") << QStringList();
    QTest::newRow("Emphasis: Original") << QStringList();
    QTest::newRow("Emphasis: No norm") << QStringList{u"\"No norm\""_s};
    QTest::newRow("Hires upscale: 2, Hires steps: 10") << QStringList{u"enlarged"_s};
    QTest::newRow("VAE hash: 0123456789, VAE: mse.safetensors") << QStringList{u"\"mse.safetensors\""_s};
    QTest::newRow("ADetailer model: face.pt, ADetailer steps: 4, ControlNet 0: \"x, y\"")
        << QStringList{u": ADetailer, ControlNet."_s};
    QTest::newRow("Inpainting: True, Other node: IPAdapter, Other node: PAG, Version: ComfyUI")
        << QStringList{u": Inpainting, IPAdapter, PAG."_s};
}

void OthersPromptTest::whatElseIsNotDoneHereIsTold() {
    QFETCH(QStringList, words);
    const QStringList sentences = toldOf(QString::fromLatin1(QTest::currentDataTag()));
    QCOMPARE(sentences.size(), words.size());
    for (qsizetype i = 0; i < words.size(); ++i)
        QVERIFY2(sentences[i].contains(words[i]), qPrintable(sentences[i]));
}

HOMEBOOTH_APP_TEST_MAIN(OthersPromptTest)
#include "tst_others_prompt.moc"
