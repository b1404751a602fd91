// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/plan_facts.h"
#include "app/engine/run_data.h"
#include "app/engine/training_recipe.h"
#include "app/pages/generate/prompt_text.h"
#include "app_fixture.h"
#include "core/base/config/train_config_json.h"

#include <QMap>
#include <QSet>

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
    void ownDefaultsOfTheModelDecide();
    void severalSubjectsTakeCaptions();
    void readsAPlan();
    void tellsDoesNotFitFromRefused();
    void dropsWhatAResumptionMakesVoid();
    void endsWithTheOutcomeOfTheLastAttempt();
    void fillsPrompts();
    void promptsTakeFromLists();
};

namespace {

TrainingChoice smallChoice() {
    TrainingChoice choice;
    choice.model = QStringLiteral("/models/sketch");
    choice.sentences = QStringList{QStringLiteral("a photo of ohwx toy")};
    choice.classes = QStringList{QStringLiteral("a photo of a toy")};
    choice.photoFolder = QStringLiteral("/photos");
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
    }
    core::TrainConfig config = trainConfigOf(choice);
    config.output.runDir = "/runs/x";
    const auto valid = core::validate(config);
    QVERIFY2(valid, valid ? "" : valid.error().text().c_str());
    QCOMPARE(config.data.resolutionPixels, large ? 512 : 64);
    QCOMPARE(config.steps, stepsOf(choice, choice.quality));
    QVERIFY(!config.data.classPrompt.empty());
}

void RecipeTest::expertSettingsWin() {
    TrainingChoice choice = smallChoice();
    choice.expert.insert(QStringLiteral("steps"), QStringLiteral("17"));
    choice.expert.insert(QStringLiteral("optimizer.kind"), QStringLiteral("adafactor"));
    choice.expert.insert(QStringLiteral("batchSize"), QStringLiteral("many"));
    const core::TrainConfig config = trainConfigOf(choice);
    QCOMPARE(config.steps, int64_t{17});
    QVERIFY(config.optimizer.kind == core::OptimizerKind::Adafactor);
    QCOMPARE(config.batchSize, int64_t{3});
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
    choice.sentences.append(QStringLiteral("a photo of zwx dog"));
    QCOMPARE(stepsOf(choice, Quality::Best), int64_t{1800}); // each subject as long
    QVERIFY(stepsOf(choice, Quality::Quick) < stepsOf(choice, Quality::Balanced));
    choice.expert.insert(QStringLiteral("optimizer.learningRate"), QStringLiteral("3e-5"));
    QCOMPARE(trainConfigOf(choice).optimizer.learningRate, 3e-5);
    // A model without a file of its own has the rates of its family, as on the command line.
    choice = smallChoice();
    choice.family = core::ModelFamily::StableDiffusion1;
    choice.modelPixels = 512;
    QCOMPARE(trainConfigOf(choice).optimizer.learningRate, 5e-6);
    choice.lora = true;
    QCOMPARE(trainConfigOf(choice).optimizer.learningRate, 1e-4);
}

void RecipeTest::severalSubjectsTakeCaptions() {
    TrainingChoice choice = smallChoice();
    QVERIFY(!needsCaptions(choice));
    choice.sentences.append(QStringLiteral("a photo of zwx dog"));
    choice.classes.append(QStringLiteral("a photo of a dog"));
    QVERIFY(needsCaptions(choice));
    core::TrainConfig config = trainConfigOf(choice);
    config.output.runDir = "/runs/x";
    QVERIFY(config.mode == core::TrainMode::Dataset);
    const auto valid = core::validate(config);
    QVERIFY2(valid, valid ? "" : valid.error().text().c_str());
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
    QVERIFY(planFactsOf(4, {}, QStringLiteral("too large")).verdict == PlanFacts::Verdict::DoesNotFit);
    QVERIFY(planFactsOf(3, {}, QStringLiteral("bad")).verdict == PlanFacts::Verdict::Refused);
    QVERIFY(planFactsOf(0, "no JSON", {}).verdict == PlanFacts::Verdict::Refused);
    QCOMPARE(planFactsOf(4, {}, QStringLiteral("too large")).problem, QStringLiteral("too large"));
}

void RecipeTest::dropsWhatAResumptionMakesVoid() {
    RunData data;
    RunUpdate first;
    for (int64_t step = 1; step <= 10; ++step)
        first.take(entry(core::StepEvent{step, 0, 0.1, 1e-4, 2.0, 1.0, {}, {}}));
    first.take(entry(core::CheckpointEvent{5, "/x"}));
    data.apply(first);
    QCOMPARE(data.step(), int64_t{10});
    QCOMPARE(data.secondsPerStep(), 2.0);
    RunUpdate second;
    second.take(entry(core::ResumedEvent{5}));
    second.take(entry(core::StepEvent{6, 0, 0.2, 1e-4, 2.0, 1.0, {}, {}}));
    data.apply(second);
    QCOMPARE(data.steps.size(), size_t{6});
    QCOMPARE(data.step(), int64_t{6});
    QCOMPARE(data.checkpoints.size(), size_t{1});
    QCOMPARE(data.generation, int64_t{1});
    // The same within one piece.
    RunData whole;
    RunUpdate both;
    for (int64_t step = 1; step <= 10; ++step)
        both.take(entry(core::StepEvent{step, 0, 0.1, 1e-4, 2.0, 1.0, {}, {}}));
    both.take(entry(core::ResumedEvent{5}));
    both.take(entry(core::StepEvent{6, 0, 0.2, 1e-4, 2.0, 1.0, {}, {}}));
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

void RecipeTest::fillsPrompts() {
    const QString subject = QStringLiteral("ohwx toy");
    const auto fill = [&subject](const char* text, uint64_t seed = 1) {
        return fillPrompt(QString::fromLatin1(text), subject, {}, seed).text;
    };
    const QStringList both{QStringLiteral("a ohwx toy on a red box"),
                           QStringLiteral("a ohwx toy on a blue box")};
    QSet<QString> seen;
    for (uint64_t seed = 0; seed < 40; ++seed) {
        const QString now = fill("a {subject} on a {red|blue} box", seed);
        QVERIFY2(both.contains(now), qPrintable(now));
        QCOMPARE(fill("a {subject} on a {red|blue} box", seed), now); // by the seed alone
        seen.insert(now);
    }
    QCOMPARE(seen.size(), 2);
    QCOMPARE(fill("{a {subject}|a {subject}}"), QStringLiteral("a ohwx toy"));
    QCOMPARE(fill("open { brace"), QStringLiteral("open { brace"));
    QCOMPARE(fill("close } brace"), QStringLiteral("close } brace"));
    QCOMPARE(fill("a {robot} and a { tin  man }"), QStringLiteral("a {robot} and a { tin  man }"));
    QCOMPARE(fill("\\{subject\\} is {subject}"), QStringLiteral("{subject} is ohwx toy"));
    QCOMPARE(fill("{a \\}|a \\}}"), QStringLiteral("a }"));
    QCOMPARE(fill("{robot \\{ 2}"), QStringLiteral("{robot { 2}"));
    QCOMPARE(fill("(red:1.2) \\(a\\) C:\\"), QStringLiteral("(red:1.2) \\(a\\) C:\\"));
    QCOMPARE(fill(""), QString());
    QVERIFY(isTemplate(QStringLiteral("a {b}")) && !isTemplate(QStringLiteral("a { b")));
    for (const char* text :
         {"a {robot}", "a {subject} {", "\\{a|b\\}", "} a {red|blue}", "a \\ {{b}}", "a { b"})
        QCOMPARE(fillPrompt(literalPrompt(QString::fromLatin1(text)), subject, {}, 1).text,
                 QString::fromLatin1(text));
}

void RecipeTest::promptsTakeFromLists() {
    using Problem = FilledPrompt::Problem;
    const EntriesOf lists = [](const QString& name) -> std::optional<QStringList> {
        if (name == QLatin1String("animal")) return QStringList{"cat", "dog", "{big|small} {bird}"};
        if (name == QLatin1String("bird")) return QStringList{"owl"};
        if (name == QLatin1String("none")) return QStringList{};
        if (name == QLatin1String("egg")) return QStringList{"of a {hen}"};
        if (name == QLatin1String("hen")) return QStringList{"out of an {egg}"};
        return std::nullopt;
    };
    QMap<QString, int> seen;
    for (uint64_t seed = 0; seed < 300; ++seed) {
        const FilledPrompt now = fillPrompt(QStringLiteral("a { animal }"), {}, lists, seed);
        QVERIFY(now.problem == Problem::None);
        ++seen[now.text];
    }
    QCOMPARE(seen.keys(), (QStringList{QStringLiteral("a big owl"), QStringLiteral("a cat"),
                                       QStringLiteral("a dog"), QStringLiteral("a small owl")}));
    QVERIFY2(seen[QStringLiteral("a cat")] > 70 && seen[QStringLiteral("a cat")] < 130, "a third of them");
    const auto problem = [&lists](const char* text) {
        const FilledPrompt now = fillPrompt(QString::fromLatin1(text), {}, lists, 1);
        return std::pair(now.problem, now.list);
    };
    const FilledPrompt unknown = fillPrompt(QStringLiteral("a {anmal} {bird} {anmal}"), {}, lists, 1);
    QVERIFY(unknown.problem == Problem::None);
    QCOMPARE(unknown.text, QStringLiteral("a {anmal} owl {anmal}"));
    QCOMPARE(unknown.unknown, QStringList{QStringLiteral("anmal")});
    QVERIFY(problem("{animal} and {none}") == std::pair(Problem::EmptyList, QStringLiteral("none")));
    QVERIFY(problem("{egg}") == std::pair(Problem::ListWithinItself, QStringLiteral("egg")));
    QVERIFY(problem("{bird} and {bird}").first == Problem::None); // twice is not within itself
}

HOMEBOOTH_APP_TEST_MAIN(RecipeTest)
#include "tst_recipe.moc"
