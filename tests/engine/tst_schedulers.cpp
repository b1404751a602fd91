// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Samplers walk the trajectories that diffusers walks: same timesteps, same noise levels, same samples.
#include "core/base/model/model_family.h"
#include "core/engine/schedulers/sampler.h"
#include "sampling_support.h"
#include "tests/held_numbers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>

namespace homebooth::core {
namespace {

using namespace sampling_test;
using nlohmann::json;

constexpr double kTrajectoryTolerance = 1e-5; // greatest error over greatest value of a sample
constexpr double kTimestepTolerance = 1e-3;

/// The noise that the reference drew, in its order; the first draws are the same for all cases.
class RecordedNoise : public NoiseSource {
public:
    explicit RecordedNoise(at::Tensor draws)
        : m_draws(std::move(draws)) {}
    at::Tensor draw(at::IntArrayRef shape) override {
        const at::Tensor noise = m_draws[m_next++];
        EXPECT_EQ(noise.sizes(), shape);
        return noise;
    }
    [[nodiscard]] int64_t drawn() const { return m_next; }

private:
    at::Tensor m_draws;
    int64_t m_next = 0;
};

class SchedulerFixture {
public:
    /// What diffusers visits in a case.
    struct Walk {
        at::Tensor timesteps;  ///< [count] fp64
        at::Tensor trajectory; ///< [count + 1, 5]
    };

    SchedulerFixture()
        : m_tensors(openTensors("schedulers/trajectories.safetensors"))
        , m_about(readJson("schedulers/cases.json")) {
        cutWalks();
    }

    static const SchedulerFixture& instance() {
        static const SchedulerFixture fixture;
        return fixture;
    }
    [[nodiscard]] const json& about() const { return m_about; }
    [[nodiscard]] TensorGroup tensors(const std::string& name) const { return {m_tensors, name + "/"}; }
    [[nodiscard]] const Walk& walk(const std::string& name) const { return m_walks.at(name); }
    [[nodiscard]] static std::vector<std::string> names(const char* group) {
        std::vector<std::string> found;
        for (const auto& [name, value] : instance().about().at(group).items()) found.push_back(name);
        return found;
    }

private:
    /// All cases lie one behind another in the order of their names; throws where there is more or less.
    void cutWalks() {
        const json& cases = m_about.at("cases");
        std::vector<int64_t> counts;
        std::vector<int64_t> samples;
        for (const json& about : cases) {
            counts.push_back(about.value("walked", about.at("steps").get<int64_t>()));
            samples.push_back(counts.back() + 1);
        }
        const TensorGroup all = tensors("walks");
        const std::vector<at::Tensor> timesteps = all["timesteps"].split_with_sizes(counts);
        const std::vector<at::Tensor> trajectories = all["trajectory"].split_with_sizes(samples);
        size_t number = 0;
        for (const auto& [name, about] : cases.items()) {
            m_walks[name] = {timesteps[number], trajectories[number]};
            ++number;
        }
    }

    std::shared_ptr<SafetensorsReader> m_tensors;
    json m_about;
    std::map<std::string, Walk> m_walks;
};

SamplerKind kindOf(const json& config) {
    const SamplerKind kind = *samplerOfClass(config.at("_class_name").get<std::string>());
    const bool stochastic = config.value("algorithm_type", "") == "sde-dpmsolver++";
    return stochastic ? SamplerKind::DpmPlusPlus2MSde : kind;
}

Result<std::unique_ptr<Sampler>> samplerFor(const json& about) {
    const json& config = about.at("config");
    HOMEBOOTH_ASSIGN(const SchedulerConfig parsed, parseSchedulerConfig(config.dump(), "case"));
    SamplerOptions options;
    options.eta = about.value("eta", 0.0);
    return makeSampler(kindOf(config), parsed, options);
}

std::string printable(const ::testing::TestParamInfo<std::string>& info) {
    std::string name = info.param;
    std::replace(name.begin(), name.end(), '/', '_');
    return name;
}

class Trajectory : public ::testing::TestWithParam<std::string> {
protected:
    void SetUp() override {
        const json& about = SchedulerFixture::instance().about();
        m_about = about.at("cases").at(GetParam());
        json config = about.at("config"); // a case holds what is different
        config.update(m_about.at("config"));
        m_about["config"] = config;
        auto sampler = samplerFor(m_about);
        ASSERT_TRUE(sampler) << sampler.error().text();
        m_sampler = std::move(*sampler);
        const auto chosen =
            m_sampler->setTimesteps(m_about.at("steps").get<int64_t>(), m_about.value("strength", 1.0));
        ASSERT_TRUE(chosen) << chosen.error().text();
    }
    [[nodiscard]] static const SchedulerFixture::Walk& walked() {
        return SchedulerFixture::instance().walk(GetParam());
    }
    [[nodiscard]] static TensorGroup shared() { return SchedulerFixture::instance().tensors("shared"); }
    /// The sample that the walk starts from, made by the sampler itself.
    [[nodiscard]] at::Tensor start() const {
        if (m_about.contains("strength"))
            return m_sampler->addInitialNoise(shared()["image"], shared()["start_noise"]);
        SeededNoise first({11});
        return first.draw(shared()["image"].sizes()) * m_sampler->initNoiseSigma();
    }

    json m_about;
    std::unique_ptr<Sampler> m_sampler;
};

/// The greatest error of the numbers that the fixture holds over the sample's greatest number.
double errorOf(const at::Tensor& sample, const at::Tensor& expected) {
    const at::Tensor held = sample.flatten().slice(0, 0, std::nullopt, testing::kHeldStride);
    return (held - expected).abs().max().item<double>() / sample.abs().max().item<double>();
}

/// A rounding in fp32 of what a step subtracts from, in parts of what is left. At zero terminal SNR the first
/// level is 4,096, and the last bit of the processor's tanh decides that rounding.
double roundingOf(const at::Tensor& before, const at::Tensor& after) {
    constexpr double kEpsilon = std::numeric_limits<float>::epsilon();
    return kEpsilon * before.abs().max().item<double>() / after.abs().max().item<double>();
}

TEST_P(Trajectory, visitsTheTimestepsOfDiffusers) {
    const at::Tensor expected = walked().timesteps;
    const std::vector<double> found = m_sampler->timesteps();
    ASSERT_EQ(static_cast<int64_t>(found.size()), expected.numel());
    EXPECT_LT((at::tensor(found, at::kDouble) - expected).abs().max().item<double>(), kTimestepTolerance);
    const double sigma = m_about.at("init_noise_sigma").get<double>();
    EXPECT_NEAR(m_sampler->initNoiseSigma(), sigma, 1e-6 * sigma);
}

TEST_P(Trajectory, walksThroughTheSamplesOfDiffusers) {
    const at::Tensor expected = walked().trajectory;
    RecordedNoise noise(shared()["noise"]);
    at::Tensor sample = start();
    ASSERT_EQ(m_sampler->stepCount() + 1, expected.size(0));
    EXPECT_LT(errorOf(sample, expected[0]), kTrajectoryTolerance);
    for (int64_t index = 0; index < m_sampler->stepCount(); ++index) {
        const at::Tensor input = m_sampler->scaleModelInput(sample, index);
        const at::Tensor output = (0.7 * input + m_sampler->timestep(index) / 1000.0).tanh();
        const SamplerStep step = m_sampler->step(output, index, sample, noise);
        EXPECT_EQ(step.predictedOriginal.sizes(), sample.sizes());
        EXPECT_TRUE(step.predictedOriginal.isfinite().all().item<bool>());
        const double limit = std::max(kTrajectoryTolerance, roundingOf(sample, step.previous));
        sample = step.previous;
        ASSERT_LT(errorOf(sample, expected[index + 1]), limit) << "step " << index;
    }
    EXPECT_EQ(noise.drawn(), static_cast<int64_t>(m_about.at("noise_steps").size()));
}

TEST_P(Trajectory, forgetsTheWalkBefore) {
    const auto walk = [&] {
        SeededNoise noise({5});
        at::Tensor sample = start();
        for (int64_t index = 0; index < m_sampler->stepCount(); ++index)
            sample = m_sampler->step(sample.tanh(), index, sample, noise).previous;
        return sample;
    };
    const at::Tensor first = walk();
    ASSERT_TRUE(m_sampler->setTimesteps(m_about.at("steps").get<int64_t>(), m_about.value("strength", 1.0)));
    EXPECT_TRUE(at::equal(first, walk()));
}

INSTANTIATE_TEST_SUITE_P(Cases, Trajectory, ::testing::ValuesIn(SchedulerFixture::names("cases")), printable);

class RefusedByDiffusers : public ::testing::TestWithParam<std::string> {};

TEST_P(RefusedByDiffusers, isRefusedHereToo) {
    const std::string name = GetParam(); // variant/spacing/prediction
    const std::string kind = name.substr(0, name.find('/'));
    SchedulerConfig config = stableDiffusionSchedulerConfig(PredictionType::Sample);
    const auto sampler =
        makeSampler(kind == "pndm" ? SamplerKind::Pndm : SamplerKind::EulerAncestral, config);
    ASSERT_FALSE(sampler);
    EXPECT_NE(sampler.error().message.find("prediction_type"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Cases, RefusedByDiffusers, ::testing::ValuesIn(SchedulerFixture::names("refused")),
                         printable);

NoiseSchedule schedule(PredictionType type, bool zeroSnr = false) {
    SchedulerConfig config = stableDiffusionSchedulerConfig(type);
    config.rescaleBetasZeroSnr = zeroSnr;
    return *NoiseSchedule::make(*resolveForTraining(config));
}

TEST(NoiseScheduleTest, cumulativeAlphasHaveTheBitsOfDiffusers) {
    const at::Tensor expected = SchedulerFixture::instance().tensors("min_snr")["alphas_cumprod"];
    EXPECT_TRUE(at::equal(schedule(PredictionType::Epsilon).alphasCumprod(), expected));
}

TEST(NoiseScheduleTest, lossWeightsAreThoseOfDiffusers) {
    const TensorGroup tensors = SchedulerFixture::instance().tensors("min_snr");
    const double gamma = SchedulerFixture::instance().about().at("min_snr").at("gamma").get<double>();
    const at::Tensor timesteps = tensors["timesteps"];
    const auto weights = [&](PredictionType type) { return schedule(type).minSnrWeights(timesteps, gamma); };
    EXPECT_LT(relativeError(schedule(PredictionType::Epsilon).snr(timesteps), tensors["snr"]), 1e-6);
    EXPECT_LT(relativeError(weights(PredictionType::Epsilon), tensors["epsilon"]), 1e-6);
    EXPECT_LT(relativeError(weights(PredictionType::VPrediction), tensors["v_prediction"]), 1e-6);
}

TEST(NoiseScheduleTest, zeroTerminalSnrEndsInPureNoise) {
    const NoiseSchedule rescaled = schedule(PredictionType::VPrediction, true);
    const at::Tensor last = at::tensor({999}, at::kLong);
    const at::Tensor latents = at::randn({1, 4, 2, 2});
    const at::Tensor noise = at::randn({1, 4, 2, 2});
    EXPECT_EQ(rescaled.snr(last).item<float>(), 0.0F);
    EXPECT_TRUE(at::equal(rescaled.addNoise(latents, noise, last), noise));
    EXPECT_TRUE(at::allclose(rescaled.target(latents, noise, last), -latents));
    EXPECT_EQ(rescaled.minSnrWeights(last, 5.0).item<float>(), 0.0F);
    EXPECT_EQ(schedule(PredictionType::Epsilon, true).minSnrWeights(last, 5.0).item<float>(), 1.0F);
    const at::Tensor first = at::tensor({0}, at::kLong);
    EXPECT_NEAR(rescaled.snr(first).item<float>() /
                    schedule(PredictionType::Epsilon).snr(first).item<float>(),
                1.0, 1e-3);
}

TEST(NoiseScheduleTest, mixesEachPictureAtItsOwnTimestep) {
    const NoiseSchedule noises = schedule(PredictionType::VPrediction);
    const at::Tensor latents = at::randn({2, 4, 3, 3});
    const at::Tensor noise = at::randn({2, 4, 3, 3});
    const at::Tensor both = noises.addNoise(latents, noise, at::tensor({10, 900}, at::kLong));
    for (int64_t index = 0; index < 2; ++index) {
        const at::Tensor timestep = at::tensor({index == 0 ? 10 : 900}, at::kLong);
        const at::Tensor one =
            noises.addNoise(latents.slice(0, index, index + 1), noise.slice(0, index, index + 1), timestep);
        EXPECT_TRUE(at::equal(both.slice(0, index, index + 1), one));
    }
}

TEST(NoiseScheduleTest, refusesBetasThatAreNone) {
    SchedulerConfig config = stableDiffusionSchedulerConfig(PredictionType::Epsilon);
    config.trainedBetas = {0.1, 1.5};
    EXPECT_FALSE(NoiseSchedule::make(*resolveForTraining(config)));
}

TEST(SamplerTest, numbersOutOfRangeAreRefused) {
    const SchedulerConfig config = stableDiffusionSchedulerConfig(PredictionType::Epsilon);
    for (int kind = 0; kind <= static_cast<int>(SamplerKind::Lcm); ++kind) {
        const auto sampler = makeSampler(static_cast<SamplerKind>(kind), config);
        ASSERT_TRUE(sampler);
        for (const int64_t steps : {int64_t{0}, int64_t{-1}, int64_t{1'000'000'000'000}})
            EXPECT_EQ((*sampler)->setTimesteps(steps).error().code, ErrorCode::Usage) << kind;
        for (const double strength : {0.0, -1.0, 1.01, std::nan(""), 0.05})
            EXPECT_FALSE((*sampler)->setTimesteps(10, strength)) << kind << " " << strength;
        EXPECT_TRUE((*sampler)->setTimesteps(4)) << kind;
    }
}

TEST(SamplerTest, aStrengthTooWeakForItsStepsIsSaidInNumbersOfTheUsers) {
    const auto sampler =
        makeSampler(SamplerKind::Ddim, stableDiffusionSchedulerConfig(PredictionType::Epsilon));
    const std::string said = (*sampler)->setTimesteps(1, 0.5).error().message;
    EXPECT_NE(said.find("steps times strength, found 1 x 0.5; "), std::string::npos) << said;
    const std::string beyond = (*sampler)->setTimesteps(10, 1.5).error().message;
    EXPECT_TRUE(beyond.ends_with("found 1.5")) << beyond;
}

TEST(SamplerTest, stepsBeyondTheTrainingTimestepsAreRefused) {
    const SchedulerConfig config = stableDiffusionSchedulerConfig(PredictionType::Epsilon);
    const auto sampler = makeSampler(SamplerKind::Ddim, config); // leading spacing with an offset of 1
    EXPECT_FALSE((*sampler)->setTimesteps(1000));
    EXPECT_TRUE((*sampler)->setTimesteps(999));
}

TEST(SamplerTest, karrasSigmasNeedASamplerThatHasThem) {
    const SchedulerConfig config = stableDiffusionSchedulerConfig(PredictionType::Epsilon);
    SamplerOptions options;
    options.karrasSigmas = true;
    EXPECT_TRUE(makeSampler(SamplerKind::UniPc, config, options));
    EXPECT_EQ(makeSampler(SamplerKind::Ddim, config, options).error().code, ErrorCode::Usage);
}

TEST(SamplerTest, trailingStepsAreCountedFromTheNoisiestTimestep) {
    const SchedulerConfig config =
        originalScheduler(ModelFamily::StableDiffusionXl, PredictionType::Epsilon); // leading
    const auto stepsOf = [&config](SamplerKind kind, StepSpacing spacing, int64_t steps) {
        SamplerOptions options;
        options.stepSpacing = spacing;
        const auto sampler = makeSampler(kind, config, options);
        EXPECT_TRUE((*sampler)->setTimesteps(steps));
        return (*sampler)->timesteps();
    };
    using Steps = std::vector<double>;
    for (const SamplerKind kind : {SamplerKind::Euler, SamplerKind::EulerAncestral, SamplerKind::Ddim,
                                   SamplerKind::DpmPlusPlus2M, SamplerKind::UniPc})
        EXPECT_EQ(stepsOf(kind, StepSpacing::Trailing, 4), (Steps{999, 749, 499, 249}))
            << static_cast<int>(kind);
    EXPECT_EQ(stepsOf(SamplerKind::DpmPlusPlus2M, StepSpacing::Trailing, 1), (Steps{999}));
    EXPECT_EQ(stepsOf(SamplerKind::Euler, StepSpacing::Model, 4), (Steps{751, 501, 251, 1}));
    EXPECT_EQ(stepsOf(SamplerKind::Lcm, StepSpacing::Trailing, 4),
              stepsOf(SamplerKind::Lcm, StepSpacing::Model, 4));
}

TEST(SamplerTest, aPictureDependsOnItsOwnSeedAlone) {
    SeededNoise pair({3, 4});
    SeededNoise alone({4});
    for (int draw = 0; draw < 3; ++draw) {
        const at::Tensor both = pair.draw({2, 4, 5, 5});
        EXPECT_TRUE(at::equal(both.slice(0, 1), alone.draw({1, 4, 5, 5})));
    }
}

} // namespace
} // namespace homebooth::core
