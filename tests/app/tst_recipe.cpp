// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/plans/plan_facts.h"
#include "app/engine/plans/plan_savings.h"
#include "app/engine/runs/run_data.h"
#include "app/engine/runs/training_recipe.h"
#include "app_fixture.h"
#include "core/base/config/train_config_json.h"

using namespace homebooth;
using namespace homebooth::app;

class RecipeTest : public QObject {
    Q_OBJECT
public:
    explicit RecipeTest(const TestPlace&) {}
private Q_SLOTS:
    void init() { failOnAnyWarning(); }
    void everyChoiceIsAValidConfiguration_data();
    void everyChoiceIsAValidConfiguration();
    void expertSettingsWin();
    void examplesOfOtherSettingsAreOthers();
    void formatsThatNothingHasAreNotAskedFor();
    void weightsThatLearnKeepAllTheirBits();
    void ofAnAddOnItsModelMayTakeHalfTheMemory();
    void ownDefaultsOfTheModelDecide();
    void balancedTakesAsLongAsTheCommandLine();
    void severalSubjectsTakeCaptions();
    void aSentenceIsPreviewedAsItIsLearned();
    void previewsAndMomentsFollowTheStepsThatAreTyped_data();
    void previewsAndMomentsFollowTheStepsThatAreTyped();
    void whatIsSavedFollowsThePreviewsThatAreTyped();
    void promptsOfPreviewsCanBeTyped();
    void readsAPlan();
    void tellsDoesNotFitFromRefused();
    void dropsWhatAResumptionMakesVoid();
    void endsWithTheOutcomeOfTheLastAttempt();
};

namespace {

TrainingChoice smallChoice() {
    TrainingChoice choice;
    choice.model = u"/models/sketch"_s;
    choice.sentences = QStringList{u"a photo of ohwx toy"_s};
    choice.classes = QStringList{u"a photo of a toy"_s};
    choice.photoFolder = u"/photos"_s;
    return choice;
}

core::JournalEntry entry(const core::Event& event) {
    return {1, "", event};
}

} // namespace

void RecipeTest::everyChoiceIsAValidConfiguration_data() {
    QTest::addColumn<int>("quality");
    QTest::addColumn<bool>("lora");
    QTest::addColumn<bool>("large");
    for (const int quality : {0, 1, 2})
        for (const bool lora : {false, true})
            for (const bool large : {false, true})
                QTest::addRow("%d %s %s", quality, lora ? "lora" : "full", large ? "large" : "small")
                    << quality << lora << large;
}

void RecipeTest::everyChoiceIsAValidConfiguration() {
    QFETCH(int, quality);
    QFETCH(bool, lora);
    QFETCH(bool, large);
    TrainingChoice choice = smallChoice();
    choice.quality = static_cast<Quality>(quality);
    choice.lora = lora;
    if (large) {
        choice.family = core::ModelFamily::StableDiffusion1;
        choice.modelPixels = 512;
        choice.half = core::Precision::Fp16; // of a card that is slow in bf16
    }
    core::TrainConfig config = trainConfigOf(choice);
    QCOMPARE(config.precision, large ? core::Precision::Fp16 : core::Precision::Fp32);
    config.output.runDir = "/runs/x";
    const auto valid = core::validate(config);
    QVERIFY2(valid, valid ? "" : valid.error().text().c_str());
    QCOMPARE(config.data.resolutionPixels, large ? 512 : 64);
    QCOMPARE(config.steps, stepsOf(choice, choice.quality));
    QVERIFY(config.output.validateEverySteps * 8 <= config.steps); // a short training has a curve, too
    QVERIFY(!config.data.classPrompt.empty());
    // Every saved moment has a preview, the last step, too.
    QCOMPARE(config.output.checkpointEverySteps % config.output.previewEverySteps, 0);
    QCOMPARE(config.steps % config.output.previewEverySteps, 0);
}

void RecipeTest::expertSettingsWin() {
    TrainingChoice choice = smallChoice();
    choice.expert.insert(u"steps"_s, u"17"_s);
    choice.expert.insert(u"optimizer.kind"_s, u"adafactor"_s);
    choice.expert.insert(u"batchSize"_s, u"many"_s);
    const core::TrainConfig config = trainConfigOf(choice);
    QCOMPARE(config.steps, int64_t{17});
    QVERIFY(config.optimizer.kind == core::OptimizerKind::Adafactor);
    QCOMPARE(config.batchSize, int64_t{3});
}

void RecipeTest::examplesOfOtherSettingsAreOthers() {
    core::TrainConfig config = trainConfigOf(smallChoice());
    const QString usual = examplesKey(config);
    config.output.guidanceScale += 1.0; // of previews
    QCOMPARE(examplesKey(config), usual);
    config.data.classGuidanceScale += 1.0;
    QVERIFY(examplesKey(config) != usual);
}

void RecipeTest::formatsThatNothingHasAreNotAskedFor() {
    TrainingChoice choice = smallChoice(); // brought by the model, or chosen before
    choice.expert.insert(u"optimizer.states"_s, u"bf16"_s);
    choice.expert.insert(u"optimizer.master"_s, u"fp32"_s);
    choice.expert.insert(u"precision"_s, u"bf16"_s);
    QCOMPARE(trainConfigOf(choice).optimizer.states, core::StateType::Bf16);
    QCOMPARE(trainConfigOf(choice).optimizer.master, core::MasterWeights::Fp32);
    choice.expert.insert(u"optimizer.kind"_s, u"adafactor"_s);
    for (const bool lora : {false, true}) {
        choice.lora = lora;
        if (!lora) choice.expert.insert(u"precision"_s, u"fp32"_s);
        core::TrainConfig config = trainConfigOf(choice);
        config.output.runDir = "/runs/x";
        const auto valid = core::validate(config);
        QVERIFY2(valid, valid ? "" : valid.error().text().c_str());
        choice.expert.insert(u"precision"_s, u"bf16"_s);
    }
}

void RecipeTest::weightsThatLearnKeepAllTheirBits() {
    TrainingChoice choice = smallChoice();
    choice.expert.insert(u"quantization"_s, u"int8"_s);
    for (const bool lora : {false, true}) {
        choice.lora = lora; // chosen for an add-on, before it was to be the whole model
        core::TrainConfig config = trainConfigOf(choice);
        config.output.runDir = "/runs/x";
        QCOMPARE(config.quantization, lora ? core::Quantization::Int8 : core::Quantization::None);
        const auto valid = core::validate(config);
        QVERIFY2(valid, valid ? "" : valid.error().text().c_str());
    }
}

void RecipeTest::ofAnAddOnItsModelMayTakeHalfTheMemory() {
    const QString path = u"quantization"_s;
    PlanFacts refused;
    refused.verdict = PlanFacts::Verdict::DoesNotFit;
    const auto savings = [&refused](const TrainingChoice& choice) {
        return savingsOf(choice, trainConfigOf(choice), refused);
    };
    const auto labels = [&savings](const TrainingChoice& choice) {
        QStringList all;
        for (const PlanChange& change : savings(choice)) all.append(change.label);
        return all;
    };
    const QString label = u"Keep the model's weights in 8 bits"_s;
    TrainingChoice choice = smallChoice();
    QVERIFY(!labels(choice).contains(label)); // all of them learn
    QCOMPARE(savings(choice).back().lora, std::optional(true));
    QCOMPARE(trainConfigOf(savings(choice).back().applied(choice)).quantization, core::Quantization::Int8);
    choice.lora = true;
    choice.modelPixels = 512;
    choice.expert = {{u"precision"_s, u"fp32"_s}, {u"batchSize"_s, u"4"_s}};
    const QStringList offered = labels(choice);
    const auto at = offered.indexOf(label);
    QVERIFY2(at >= 0, qPrintable(offered.join('\n')));
    QVERIFY(at > offered.indexOf(u"Use the number format bf16"_s)); // which costs less
    QVERIFY(at < offered.indexOf(u"Learn one picture at a time"_s));
    QVERIFY(at < offered.indexOf(u"Use 384 px"_s));
    choice = savings(choice)[static_cast<size_t>(at)].applied(choice);
    QCOMPARE(trainConfigOf(choice).quantization, core::Quantization::Int8);
    QVERIFY(!labels(choice).contains(label));
}

void RecipeTest::ownDefaultsOfTheModelDecide() {
    const ModelFacts facts = modelFacts(QStringLiteral(HOMEBOOTH_SOURCE_DIR "/resources/models/sketch"));
    QVERIFY2(facts.usable, qPrintable(facts.problem));
    QVERIFY(facts.defaults.own());
    TrainingChoice choice = smallChoice();
    choice.defaults = facts.defaults;
    choice.quality = Quality::Best;
    core::TrainConfig config = trainConfigOf(choice);
    QCOMPARE(config.optimizer.learningRate, 2e-4);
    QCOMPARE(config.steps, int64_t{900});
    QCOMPARE(config.batchSize, int64_t{3});
    QVERIFY(config.trainTextEncoder);
    choice.sentences.append(u"a photo of zwx dog"_s);
    QCOMPARE(stepsOf(choice, Quality::Best), int64_t{1800}); // each subject as long
    QVERIFY(stepsOf(choice, Quality::Quick) < stepsOf(choice, Quality::Balanced));
    choice.expert.insert(u"optimizer.learningRate"_s, u"3e-5"_s);
    QCOMPARE(trainConfigOf(choice).optimizer.learningRate, 3e-5);
    // A model without a file of its own has the rates of its family, as on the command line.
    choice = smallChoice();
    choice.family = core::ModelFamily::StableDiffusion1;
    choice.modelPixels = 512;
    QCOMPARE(trainConfigOf(choice).optimizer.learningRate, 5e-6);
    choice.lora = true;
    QCOMPARE(trainConfigOf(choice).optimizer.learningRate, 1e-4);
}

void RecipeTest::balancedTakesAsLongAsTheCommandLine() {
    TrainingChoice choice = smallChoice();
    choice.family = core::ModelFamily::StableDiffusion1;
    choice.modelPixels = 512;
    for (const bool lora : {false, true})
        for (const bool others : {false, true}) {
            choice.lora = lora;
            choice.keepOthersNormal = others;
            choice.quality = Quality::Balanced;
            core::TrainConfig config = trainConfigOf(choice);
            QCOMPARE(config.data.classPrompt.empty(), !others);
            QCOMPARE(config.steps, others ? int64_t{800} : lora ? int64_t{500} : int64_t{400});
            QCOMPARE(core::TrainingDefaults::ofFamily(choice.family, 512).fill(config, {}).config.steps,
                     config.steps);
            QCOMPARE(stepsOf(choice, Quality::Quick) * 2, config.steps);
            QCOMPARE(stepsOf(choice, Quality::Best), 2 * config.steps);
        }
    // Of several nobody keeps the others normal, and each takes its time.
    choice.lora = false;
    choice.sentences.append(u"a photo of zwx dog"_s);
    QCOMPARE(stepsOf(choice, Quality::Balanced), int64_t{800});
}

void RecipeTest::severalSubjectsTakeCaptions() {
    TrainingChoice choice = smallChoice();
    QVERIFY(!needsCaptions(choice));
    choice.sentences.append(u"a photo of zwx dog"_s);
    choice.classes.append(u"a photo of a dog"_s);
    QVERIFY(needsCaptions(choice));
    core::TrainConfig config = trainConfigOf(choice);
    config.output.runDir = "/runs/x";
    QVERIFY(config.mode == core::TrainMode::Dataset);
    const auto valid = core::validate(config);
    QVERIFY2(valid, valid ? "" : valid.error().text().c_str());
}

void RecipeTest::aSentenceIsPreviewedAsItIsLearned() {
    TrainingChoice choice = smallChoice();
    choice.sentences = QStringList{u"a photo of ohwx toy | studio"_s};
    const core::TrainConfig config = trainConfigOf(choice);
    QCOMPARE(config.data.instancePrompt, std::string("a photo of ohwx toy | studio"));
    QVERIFY(config.output.previewPrompt.empty()); // of which "|" would make two
    choice.sentences.append(u"a photo of zwx dog"_s);
    QVERIFY(trainConfigOf(choice).output.previewPrompt.empty()); // captions are previewed
    QCOMPARE(trainConfigOf(choice).output.previewCount, int64_t{2});
    choice.sentences.front().chop(9);
    const core::TrainConfig both = trainConfigOf(choice);
    QCOMPARE(both.output.previewPrompt, std::string("a photo of ohwx toy | a photo of zwx dog"));
    QCOMPARE(both.output.previewCount, int64_t{2}); // each subject is seen
    QVERIFY(!previewsElsewhere(both));
    QCOMPARE(firstPreview(both), u"a photo of ohwx toy"_s);
}

void RecipeTest::previewsAndMomentsFollowTheStepsThatAreTyped_data() {
    QTest::addColumn<QString>("steps");
    QTest::addColumn<bool>("lora");
    QTest::addColumn<int>("preview");
    QTest::addColumn<int>("save");
    QTest::addColumn<int>("kept");
    QTest::newRow("few") << "24" << false << 3 << 6 << 4;
    QTest::newRow("many") << "3000" << false << 375 << 750 << 4;
    QTest::newRow("ten previews") << "300" << false << 30 << 60 << 4;
    QTest::newRow("thirteen previews") << "169" << false << 13 << 39 << 4;
    QTest::newRow("seven previews") << "49" << false << 7 << 14 << 4;
    QTest::newRow("small moments") << "300" << true << 30 << 30 << 10;
    QTest::newRow("and one at the end") << "17" << true << 2 << 2 << 9;
    QTest::newRow("none") << "0" << false << 1 << 1 << 4;
}

void RecipeTest::previewsAndMomentsFollowTheStepsThatAreTyped() {
    QFETCH(QString, steps);
    QFETCH(bool, lora);
    TrainingChoice choice = smallChoice();
    choice.lora = lora;
    choice.expert.insert(u"steps"_s, steps);
    for (const core::OutputConfig& output : {trainConfigOf(choice).output, defaultsOf(choice).output}) {
        QTEST(int(output.previewEverySteps), "preview");
        QTEST(int(output.checkpointEverySteps), "save");
        QTEST(int(output.keepCheckpoints), "kept");
    }
    QCOMPARE(defaultsOf(choice).steps, stepsOf(choice, choice.quality));
}

void RecipeTest::whatIsSavedFollowsThePreviewsThatAreTyped() {
    TrainingChoice choice = smallChoice();
    choice.expert = {{u"steps"_s, u"300"_s}};
    const auto expect = [&choice](int preview, int save, int kept) {
        const core::OutputConfig output = trainConfigOf(choice).output;
        QCOMPARE(output.previewEverySteps, int64_t{preview});
        QCOMPARE(output.checkpointEverySteps, int64_t{save});
        QCOMPARE(output.keepCheckpoints, int64_t{kept});
        QCOMPARE(defaultsOf(choice).output.keepCheckpoints, int64_t{kept});
    };
    choice.expert.insert(u"output.previewEverySteps"_s, u"7"_s);
    expect(7, 63, 4); // of 43 previews every ninth
    choice.lora = true;
    expect(7, 7, 43);
    choice.expert.insert(u"output.checkpointEverySteps"_s, u"10"_s);
    expect(7, 10, 30);
    choice.expert.insert(u"output.previewEverySteps"_s, u"0"_s);
    expect(0, 10, 30);
    choice.modelPixels = 512; // whose moments are large
    expect(0, 10, 16);
}

void RecipeTest::promptsOfPreviewsCanBeTyped() {
    const QString path = u"output.previewPrompt"_s;
    TrainingChoice choice = smallChoice();
    QCOMPARE(trainConfigOf(choice).output.previewCount, int64_t{1});
    choice.expert.insert(path, u"a drawing of ohwx toy | a toy|a dog |"_s);
    QCOMPARE(trainConfigOf(choice).output.previewCount, int64_t{3});
    QCOMPARE(defaultsOf(choice).output.previewCount, int64_t{1});
    choice.expert[path].clear();
    QCOMPARE(trainConfigOf(choice).output.previewCount, int64_t{1});
    choice.expert = {{u"steps"_s, u"600"_s}}; // beside which one more is little
    QVERIFY(previewsElsewhere(trainConfigOf(choice)));
    choice.sentences.append(u"a photo of zwx dog"_s);
    choice.expert = {{path, QString()}};
    QCOMPARE(trainConfigOf(choice).output.previewCount, int64_t{2}); // each subject is seen
}

void RecipeTest::readsAPlan() {
    const QByteArray text = R"({"predicted":{"deviceBytes":1,"ramBytes":2,"swapBytes":3,"stepSeconds":0.5},
        "decisions":["a","b"],"peak":{"parameterBytes":7,"stateBytes":8},"checkpointBytes":9,"resultBytes":10,"new":1})";
    const PlanFacts facts = planFactsOf(0, text, {});
    QVERIFY(facts.verdict == PlanFacts::Verdict::Fits);
    QCOMPARE(facts.plan.predicted.ramBytes, int64_t{2});
    QCOMPARE(facts.plan.decisions.size(), size_t{2});
    QCOMPARE(facts.peak.stateBytes, int64_t{8});
    QCOMPARE(facts.checkpointBytes, int64_t{9});
}

void RecipeTest::tellsDoesNotFitFromRefused() {
    QVERIFY(planFactsOf(4, {}, u"too large"_s).verdict == PlanFacts::Verdict::DoesNotFit);
    QVERIFY(planFactsOf(3, {}, u"bad"_s).verdict == PlanFacts::Verdict::Refused);
    QVERIFY(planFactsOf(0, "no JSON", {}).verdict == PlanFacts::Verdict::Refused);
    QCOMPARE(planFactsOf(4, {}, u"too large"_s).problem, u"too large"_s);
}

void RecipeTest::dropsWhatAResumptionMakesVoid() {
    RunData data;
    RunUpdate first;
    for (int64_t step = 1; step <= 10; ++step)
        first.take(entry(core::StepEvent{step, 0, 0.1, 1e-4, 2.0, 1.0, {}, {}, {}, {}}));
    first.take(entry(core::CheckpointEvent{5, "/x"}));
    data.apply(first);
    QCOMPARE(data.step(), int64_t{10});
    QCOMPARE(data.secondsPerStep(), 2.0);
    RunUpdate second;
    second.take(entry(core::ResumedEvent{5}));
    second.take(entry(core::StepEvent{6, 0, 0.2, 1e-4, 2.0, 1.0, {}, {}, {}, {}}));
    data.apply(second);
    QCOMPARE(data.steps.size(), size_t{6});
    QCOMPARE(data.step(), int64_t{6});
    QCOMPARE(data.checkpoints.size(), size_t{1});
    QCOMPARE(data.generation, int64_t{1});
    // The same within one piece.
    RunData whole;
    RunUpdate both;
    for (int64_t step = 1; step <= 10; ++step)
        both.take(entry(core::StepEvent{step, 0, 0.1, 1e-4, 2.0, 1.0, {}, {}, {}, {}}));
    both.take(entry(core::ResumedEvent{5}));
    both.take(entry(core::StepEvent{6, 0, 0.2, 1e-4, 2.0, 1.0, {}, {}, {}, {}}));
    whole.apply(both);
    QCOMPARE(whole.steps.size(), size_t{6});
}

void RecipeTest::endsWithTheOutcomeOfTheLastAttempt() {
    RunData data;
    RunUpdate failed;
    failed.take(entry(core::OutcomeEvent{"failed", {}, {}, 1, "crashed", ""}));
    data.apply(failed);
    QVERIFY(data.outcome.has_value());
    RunUpdate again;
    again.take(entry(core::StateEvent{"loading", "", 0, 0}));
    data.apply(again);
    QVERIFY(!data.outcome.has_value());
    QCOMPARE(data.state.state, std::string("loading"));
}

HOMEBOOTH_APP_TEST_MAIN(RecipeTest)
#include "tst_recipe.moc"
