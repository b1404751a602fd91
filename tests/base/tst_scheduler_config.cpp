// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// scheduler_config.json: what it says is kept, what it leaves out is filled in by class, nonsense is refused.
#include "core/base/model/configs/scheduler_config.h"

#include <QtTest>

using namespace homebooth::core;

namespace {

/// As SD 1.5 ships it: no spacing, no prediction type.
const char* const kPndmFile = R"({
  "_class_name": "PNDMScheduler", "_diffusers_version": "0.6.0", "beta_end": 0.012,
  "beta_schedule": "scaled_linear", "beta_start": 0.00085, "num_train_timesteps": 1000,
  "set_alpha_to_one": false, "skip_prk_steps": true, "steps_offset": 1, "trained_betas": null,
  "clip_sample": false
})";

bool contains(const std::vector<std::string>& list, const std::string& value) {
    return std::find(list.begin(), list.end(), value) != list.end();
}

} // namespace

class TestSchedulerConfig : public QObject {
    Q_OBJECT
private slots:
    void readsAPublishedFile();
    void keepsUnknownKeysOnWriting();
    void everySettingSurvivesWriting();
    void fillsInByTheClassThatIsUsed();
    void reportsWhatItFilledIn();
    void refusesNonsense_data();
    void refusesNonsense();
    void readsPythonsInfinity();
    void refusesWhatASamplerCannotDo_data();
    void refusesWhatASamplerCannotDo();
    void trainingIgnoresTheVariance();
    void noiseAloneTakesASchedulerThatCan();
};

void TestSchedulerConfig::readsAPublishedFile() {
    const auto config = parseSchedulerConfig(kPndmFile, "file");
    QVERIFY(config.ok());
    QCOMPARE(QString::fromStdString(config->className), QString("PNDMScheduler"));
    QCOMPARE(config->betaEnd.value_or(0), 0.012);
    QVERIFY(config->betaSchedule == BetaSchedule::ScaledLinear);
    QVERIFY(!config->predictionType.has_value());
    QVERIFY(config->trainedBetas.empty());
    QVERIFY(samplerOfClass(config->className) == SamplerKind::Pndm);
    QVERIFY(!samplerOfClass("HeunDiscreteScheduler").has_value());
}

void TestSchedulerConfig::keepsUnknownKeysOnWriting() {
    const auto config = parseSchedulerConfig(R"({"_class_name": "X", "my_key": {"a": [1, null]}})", "file");
    QVERIFY(config.ok());
    const QByteArray text = QByteArray::fromStdString(toJson(*config));
    QVERIFY(text.contains("my_key"));
    QVERIFY(parseSchedulerConfig(text.toStdString(), "file").ok());
}

void TestSchedulerConfig::everySettingSurvivesWriting() {
    SchedulerConfig config = stableDiffusionSchedulerConfig(PredictionType::VPrediction);
    config.trainedBetas = {0.1, 0.2};
    config.disableCorrector = {0, 2};
    config.lambdaMinClipped = -5.1;
    config.timestepSpacing = TimestepSpacing::Trailing;
    const std::string text = toJson(config);
    const auto read = parseSchedulerConfig(text, "file");
    QVERIFY(read.ok());
    QCOMPARE(toJson(*read), text);
    QVERIFY(read->predictionType == PredictionType::VPrediction);
    QCOMPARE(read->trainedBetas, config.trainedBetas);
    QCOMPARE(read->lambdaMinClipped.value_or(0), -5.1);
}

void TestSchedulerConfig::fillsInByTheClassThatIsUsed() {
    const auto config = parseSchedulerConfig(kPndmFile, "file");
    const auto pndm = resolveFor(SamplerKind::Pndm, *config);
    const auto euler = resolveFor(SamplerKind::Euler, *config);
    QVERIFY(pndm->timestepSpacing == TimestepSpacing::Leading);
    QVERIFY(euler->timestepSpacing == TimestepSpacing::Linspace);
    SchedulerConfig bare;
    bare.className = "DDPMScheduler";
    QVERIFY(resolveFor(SamplerKind::Ddpm, bare)->clipSample);
    QCOMPARE(resolveFor(SamplerKind::Ddim, bare)->betaEnd, 0.02);
    QCOMPARE(resolveFor(SamplerKind::Lcm, bare)->betaEnd, 0.012);
    QVERIFY(!resolveFor(SamplerKind::Lcm, bare)->clipSample);
}

void TestSchedulerConfig::reportsWhatItFilledIn() {
    const auto settings = resolveFor(SamplerKind::Euler, *parseSchedulerConfig(kPndmFile, "file"));
    QVERIFY(contains(settings->defaulted, "timestep_spacing"));
    QVERIFY(contains(settings->defaulted, "prediction_type"));
    QVERIFY(!contains(settings->defaulted, "beta_start"));
    QVERIFY(!contains(settings->defaulted, "clip_sample"));
}

void TestSchedulerConfig::refusesNonsense_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("named");
    QTest::newRow("empty") << QByteArray() << QByteArray("JSON object");
    QTest::newRow("list") << QByteArray("[]") << QByteArray("JSON object");
    QTest::newRow("cut") << QByteArray("{\"_class_name\": \"DDIM") << QByteArray("JSON object");
    QTest::newRow("no class") << QByteArray("{}") << QByteArray("_class_name");
    const auto with = [](const char* pair) { return QByteArray("{\"_class_name\": \"X\", ") + pair + "}"; };
    QTest::newRow("word") << with("\"beta_schedule\": \"cosine\"") << QByteArray("scaled_linear");
    QTest::newRow("type") << with("\"beta_start\": \"0.1\"") << QByteArray("beta_start");
    QTest::newRow("fraction") << with("\"num_train_timesteps\": 10.5") << QByteArray("num_train_timesteps");
    QTest::newRow("none") << with("\"num_train_timesteps\": 0") << QByteArray("num_train_timesteps");
    QTest::newRow("huge") << with("\"num_train_timesteps\": 1000000000000")
                          << QByteArray("num_train_timesteps");
    QTest::newRow("negative") << with("\"steps_offset\": -1") << QByteArray("steps_offset");
    QTest::newRow("betas") << with("\"trained_betas\": [0.1, \"x\"]") << QByteArray("trained_betas");
    QTest::newRow("order") << with("\"solver_order\": 9") << QByteArray("solver_order");
    constexpr int kDepth = 200'000; // copying or writing it again would go down as deep on the stack
    const QByteArray deep = QByteArray(kDepth, '[') + QByteArray(kDepth, ']');
    QTest::newRow("deep") << with(("\"beta_start\": " + deep).constData()) << QByteArray("JSON object");
    QTest::newRow("deep unknown") << with(("\"other\": " + deep).constData()) << QByteArray("JSON object");
}

void TestSchedulerConfig::refusesNonsense() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, named);
    const auto config = parseSchedulerConfig(text.toStdString(), "model/scheduler_config.json");
    QVERIFY(!config.ok());
    QVERIFY(config.error().code == ErrorCode::BadInput);
    QVERIFY2(QByteArray::fromStdString(config.error().text()).contains(named), config.error().text().c_str());
}

void TestSchedulerConfig::readsPythonsInfinity() {
    const auto config =
        parseSchedulerConfig("{\"_class_name\": \"X\", \"lambda_min_clipped\": -Infinity}", "f");
    QVERIFY2(config.ok(), config.ok() ? "" : config.error().text().c_str());
    QVERIFY(std::isinf(config->lambdaMinClipped.value_or(0)));
}

void TestSchedulerConfig::refusesWhatASamplerCannotDo_data() {
    QTest::addColumn<int>("kind");
    QTest::addColumn<QByteArray>("pair");
    const auto row = [](const char* name, SamplerKind kind, const char* pair) {
        QTest::newRow(name) << static_cast<int>(kind) << QByteArray(pair);
    };
    row("beta sigmas", SamplerKind::Euler, "\"use_beta_sigmas\": true");
    row("flow", SamplerKind::DpmPlusPlus2M, "\"use_flow_sigmas\": true");
    row("sample with PNDM", SamplerKind::Pndm, "\"prediction_type\": \"sample\"");
    row("noise alone with PNDM", SamplerKind::Pndm,
        "\"prediction_type\": \"v_prediction\", \"rescale_betas_zero_snr\": true");
    row("learned variance", SamplerKind::Ddpm, "\"variance_type\": \"learned\"");
    row("both sigmas", SamplerKind::UniPc, "\"use_karras_sigmas\": true, \"use_exponential_sigmas\": true");
}

void TestSchedulerConfig::refusesWhatASamplerCannotDo() {
    QFETCH(int, kind);
    QFETCH(QByteArray, pair);
    const QByteArray text = QByteArray("{\"_class_name\": \"X\", ") + pair + "}";
    const auto config = parseSchedulerConfig(text.toStdString(), "file");
    QVERIFY(config.ok());
    const auto settings = resolveFor(static_cast<SamplerKind>(kind), *config);
    QVERIFY(!settings.ok());
    QVERIFY(settings.error().code == ErrorCode::BadInput);
}

void TestSchedulerConfig::trainingIgnoresTheVariance() {
    SchedulerConfig config = stableDiffusionSchedulerConfig(PredictionType::Epsilon);
    config.varianceType = "learned_range";
    QVERIFY(resolveForTraining(config).ok());
}

void TestSchedulerConfig::noiseAloneTakesASchedulerThatCan() {
    SchedulerConfig config = *parseSchedulerConfig(kPndmFile, "file");
    config.predictionType = PredictionType::VPrediction;
    QVERIFY(resolveFor(SamplerKind::Pndm, config).ok());
    setZeroTerminalSnr(config);
    QCOMPARE(config.className, std::string("DDIMScheduler"));
    const auto refused = resolveFor(SamplerKind::Pndm, config);
    QVERIFY(!refused.ok());
    QVERIFY(refused.error().message.find("choose DDIM") != std::string::npos);
    const auto settings = resolveFor(SamplerKind::Ddim, config);
    QVERIFY(settings.ok());
    QVERIFY(settings->rescaleBetasZeroSnr && settings->timestepSpacing == TimestepSpacing::Trailing);
    QVERIFY(resolveForTraining(config).ok());
    config.className = "EulerDiscreteScheduler";
    setZeroTerminalSnr(config);
    QCOMPARE(config.className, std::string("EulerDiscreteScheduler"));
}

QTEST_APPLESS_MAIN(TestSchedulerConfig)
#include "tst_scheduler_config.moc"
