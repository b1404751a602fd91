// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What losses and schedules come to, beside numbers that were worked out without any of this code: in the
// test itself, element by element, or by tests/reference/loss_numbers.py.
#include "core/engine/learning/step_random.h"
#include "core/engine/learning/vae_loss.h"
#include "core/engine/schedulers/noise_schedule.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <utility>
#include <vector>

namespace homebooth::core {
namespace {

NoiseSchedule stableDiffusionSchedule(bool zeroTerminalSnr) {
    SchedulerConfig config = stableDiffusionSchedulerConfig(PredictionType::VPrediction);
    config.rescaleBetasZeroSnr = zeroTerminalSnr;
    auto settings = resolveForTraining(config);
    if (!settings) throw std::runtime_error(settings.error().text());
    auto schedule = NoiseSchedule::make(*settings);
    if (!schedule) throw std::runtime_error(schedule.error().text());
    return *schedule;
}

/// By tests/reference/loss_numbers.py.
struct CumulativeAlpha {
    int64_t step;
    double plain;
    double zeroTerminalSnr;
};
constexpr CumulativeAlpha kAlphas[] = {
    {0, 9.991500000000e-01, 9.991500000000e-01},
    {1, 9.982960278385e-01, 9.982334461402e-01},
    {10, 9.904313091143e-01, 9.897937330127e-01},
    {100, 8.942234775866e-01, 8.867612845015e-01},
    {250, 6.737926252333e-01, 6.524570153415e-01},
    {500, 2.763326838230e-01, 2.410187827573e-01},
    {750, 5.616984800294e-02, 3.279911812874e-02},
    {900, 1.415114196967e-02, 2.960393420900e-03},
    {990, 5.191635613705e-03, 1.653038830188e-05},
    {998, 4.716698899876e-03, 1.967888056621e-07},
    {999, 4.660098513077e-03, 0.0},
};

TEST(NoiseNumbers, zeroTerminalSnrShiftsAndScalesTheWholeTable) {
    const NoiseSchedule plain = stableDiffusionSchedule(false);
    const NoiseSchedule rescaled = stableDiffusionSchedule(true);
    ASSERT_EQ(plain.trainTimesteps(), 1000);
    ASSERT_EQ(rescaled.trainTimesteps(), 1000);
    constexpr double kRelative = 2e-4; // fp32 as diffusers', the difference of two roots at the end
    for (const CumulativeAlpha& row : kAlphas) {
        const auto step = static_cast<double>(row.step);
        EXPECT_NEAR(plain.alphasCumprod()[row.step].item<double>(), row.plain, 1e-5 * row.plain) << step;
        EXPECT_NEAR(rescaled.alphasCumprod()[row.step].item<double>(), row.zeroTerminalSnr,
                    kRelative * row.zeroTerminalSnr)
            << step;
    }
    EXPECT_EQ(rescaled.alphasCumprod()[999].item<float>(), 0.0F);
    EXPECT_EQ(rescaled.betas()[999].item<float>(), 1.0F);
    EXPECT_NEAR(rescaled.alphasCumprod()[0].item<float>(), plain.alphasCumprod()[0].item<float>(), 1e-6);
    const at::Tensor falls = rescaled.alphasCumprod().diff();
    EXPECT_LT(falls.max().item<float>(), 0.0F);
}

TEST(NoiseNumbers, anOffsetIsOneNumberForAWholeChannel) {
    const at::Tensor plain = drawNoise({4, 6, 5}, 0.0, 7, 3, 2);
    const at::Tensor offset = drawNoise({4, 6, 5}, 0.1, 7, 3, 2);
    const at::Tensor twice = drawNoise({4, 6, 5}, 0.2, 7, 3, 2);
    std::vector<double> ofChannels;
    for (int64_t channel = 0; channel < 4; ++channel) {
        const double first = (offset - plain)[channel][0][0].item<double>();
        ofChannels.push_back(first);
        for (int64_t y = 0; y < 6; ++y)
            for (int64_t x = 0; x < 5; ++x) {
                EXPECT_NEAR((offset - plain)[channel][y][x].item<double>(), first, 2e-6);
                EXPECT_NEAR((twice - plain)[channel][y][x].item<double>(), 2.0 * first, 4e-6);
            }
    }
    for (size_t i = 1; i < ofChannels.size(); ++i) EXPECT_NE(ofChannels[i], ofChannels[0]);
    EXPECT_TRUE(at::equal(offset, drawNoise({4, 6, 5}, 0.1, 7, 3, 2)));
    // Another sample of the step and the same one of the next step have offsets of their own.
    for (const auto& [step, place] :
         {std::pair<uint64_t, uint64_t>(3, 1), std::pair<uint64_t, uint64_t>(4, 2)}) {
        const at::Tensor other =
            drawNoise({4, 6, 5}, 0.1, 7, step, place) - drawNoise({4, 6, 5}, 0.0, 7, step, place);
        EXPECT_GT(std::abs(other[0][0][0].item<double>() - ofChannels[0]), 1e-4);
    }
}

TEST(NoiseNumbers, anOffsetHasTheStrengthThatIsAskedFor) {
    constexpr int kSamples = 2500;
    constexpr double kStrength = 0.1;
    double sum = 0.0;
    double squares = 0.0;
    double products = 0.0; // with an element of the noise beneath: the two are drawn apart
    for (uint64_t place = 0; place < kSamples; ++place) {
        const at::Tensor plain = drawNoise({4, 1, 1}, 0.0, 11, 1, place).flatten();
        const at::Tensor added = drawNoise({4, 1, 1}, kStrength, 11, 1, place).flatten() - plain;
        sum += added.sum().item<double>();
        squares += added.square().sum().item<double>();
        products += (added * plain).sum().item<double>();
    }
    constexpr double kCount = 4.0 * kSamples;
    constexpr double kFour = 4.0 / 100.0; // standard errors of a mean of 10,000 numbers
    EXPECT_NEAR(sum / kCount, 0.0, kFour * kStrength);
    EXPECT_NEAR(squares / kCount, kStrength * kStrength, kFour * std::sqrt(2.0) * kStrength * kStrength);
    EXPECT_NEAR(products / kCount, 0.0, kFour * kStrength);
}

using Rows = std::vector<std::vector<double>>;

/// The errors of one channel, by hand: mean of the absolute values, of those of neighbours' differences along
/// either side, and of squares of 2, 4, 8 and 16 pixels for as long as there are any.
struct Errors {
    double pixel = 0.0;
    double edges = 0.0;
    double areas = 0.0;
};

double meanAbsolute(const Rows& rows) {
    double sum = 0.0;
    for (const auto& row : rows)
        for (const double value : row) sum += std::abs(value);
    return sum / static_cast<double>(rows.size() * rows.front().size());
}

Rows halved(const Rows& rows) {
    Rows small;
    for (size_t y = 0; y + 1 < rows.size(); y += 2) {
        small.emplace_back();
        for (size_t x = 0; x + 1 < rows[y].size(); x += 2)
            small.back().push_back((rows[y][x] + rows[y][x + 1] + rows[y + 1][x] + rows[y + 1][x + 1]) / 4.0);
    }
    return small;
}

Errors errorsOf(const Rows& rows) {
    Errors errors;
    errors.pixel = meanAbsolute(rows);
    Rows down(rows.begin(), rows.end() - 1);
    for (size_t y = 0; y < down.size(); ++y)
        for (size_t x = 0; x < down[y].size(); ++x) down[y][x] = rows[y + 1][x] - rows[y][x];
    Rows across = rows;
    for (size_t y = 0; y < across.size(); ++y) {
        across[y].pop_back();
        for (size_t x = 0; x < across[y].size(); ++x) across[y][x] = rows[y][x + 1] - rows[y][x];
    }
    errors.edges = meanAbsolute(down) + meanAbsolute(across);
    Rows pooled = rows;
    for (int level = 0; level < 4 && pooled.size() > 1; ++level) {
        pooled = halved(pooled);
        errors.areas += meanAbsolute(pooled);
    }
    return errors;
}

/// Each of three channels with errors of its own.
std::vector<Rows> someErrors(size_t side) {
    std::vector<Rows> channels(3, Rows(side, std::vector<double>(side)));
    for (size_t c = 0; c < 3; ++c)
        for (size_t y = 0; y < side; ++y)
            for (size_t x = 0; x < side; ++x)
                channels[c][y][x] =
                    0.3 * std::sin(1.7 * double(x) + 0.9 * double(y * y) + double(c)) - 0.05 * double(c);
    return channels;
}

at::Tensor tensorOf(const std::vector<Rows>& channels) {
    const auto side = static_cast<int64_t>(channels.front().size());
    at::Tensor tensor = at::zeros({1, std::ssize(channels), side, side}, at::kDouble);
    for (int64_t c = 0; c < tensor.size(1); ++c)
        for (int64_t y = 0; y < side; ++y)
            for (int64_t x = 0; x < side; ++x) tensor[0][c][y][x] = channels[size_t(c)][size_t(y)][size_t(x)];
    return tensor;
}

TEST(VaeNumbers, eachTermIsTheOneThatIsWorkedOutByHand) {
    for (const size_t side : {size_t{4}, size_t{16}, size_t{32}}) {
        const std::vector<Rows> channels = someErrors(side);
        Errors mean;
        for (const Rows& rows : channels) {
            const Errors one = errorsOf(rows);
            mean.pixel += one.pixel / 3.0;
            mean.edges += one.edges / 3.0;
            mean.areas += one.areas / 3.0;
        }
        const at::Tensor pixels = at::full({1, 3, int64_t(side), int64_t(side)}, 0.25);
        const at::Tensor reconstruction = (pixels + tensorOf(channels)).to(at::kFloat);
        const auto loss = [&](const VaeLossWeights& weights) {
            return vaeReconstructionLoss(reconstruction, pixels, weights, 1.0).loss;
        };
        EXPECT_NEAR(loss({1.0, 0.0, 0.0, 0.0}), mean.pixel, 1e-6) << side;
        EXPECT_NEAR(loss({0.0, 1.0, 0.0, 0.0}), mean.edges, 1e-6) << side;
        EXPECT_NEAR(loss({0.0, 0.0, 1.0, 0.0}), mean.areas, 1e-6) << side;
        EXPECT_NEAR(loss({2.0, 3.0, 5.0, 7.0}), 2.0 * mean.pixel + 3.0 * mean.edges + 5.0 * mean.areas, 1e-5)
            << side;
        const VaeReconstructionLoss parts = vaeReconstructionLoss(reconstruction, pixels, {}, 1.0);
        EXPECT_NEAR(parts.pixels, mean.pixel, 1e-6) << side;
        EXPECT_NEAR(parts.edges, 0.5 * mean.edges, 1e-6) << side;
        EXPECT_NEAR(parts.areas, 0.5 * mean.areas, 1e-6) << side;
        EXPECT_NEAR(loss({}), mean.pixel + 0.5 * mean.edges + 0.5 * mean.areas, 1e-6) << side; // as trained
    }
    EXPECT_EQ(VaeLossWeights().kl, 1e-5);
}

TEST(VaeNumbers, theFactorIsOfTheGradientAlone) {
    const at::Tensor pixels = at::zeros({1, 3, 8, 8});
    const at::Tensor off = at::full({1, 3, 8, 8}, 0.5);
    const VaeReconstructionLoss loss = vaeReconstructionLoss(off, pixels, {1.0, 0.0, 0.0, 0.0}, 6.0);
    EXPECT_NEAR(loss.loss, 0.5, 1e-7);
    EXPECT_TRUE(at::allclose(loss.gradient, at::full({1, 3, 8, 8}, 6.0 / (3 * 8 * 8))));
}

/// By tests/reference/loss_numbers.py, which integrates p log(p / q).
struct Divergence {
    double mean;
    double variance;
    double kl;
};
constexpr Divergence kDivergences[] = {
    {0.0, 1.0, 0.0},
    {1.0, 1.0, 0.5},
    {-0.5, 0.25, 0.443147180560},
    {2.0, 0.01, 3.807585092994},
    {0.3, 9.0, 2.946387711332},
};

/// Shapes: [1, 2, 1, n], the means and beneath them the logarithms of the variances
at::Tensor momentsOf(const std::vector<Divergence>& gaussians) {
    at::Tensor moments = at::zeros({1, 2, 1, std::ssize(gaussians)});
    for (int64_t i = 0; i < std::ssize(gaussians); ++i) {
        moments[0][0][0][i] = gaussians[size_t(i)].mean;
        moments[0][1][0][i] = std::log(gaussians[size_t(i)].variance);
    }
    return moments;
}

TEST(VaeNumbers, divergenceIsThatOfADiagonalGaussianFromTheUnitOne) {
    double sum = 0.0;
    for (const Divergence& one : kDivergences) {
        const PosteriorDraw draw = drawPosterior(momentsOf({one}), at::zeros({1, 1, 1, 1}));
        EXPECT_NEAR(klDivergence(draw), one.kl, 1e-6 * (1.0 + one.kl)) << one.mean << " " << one.variance;
        sum += one.kl;
    }
    const std::vector<Divergence> all(std::begin(kDivergences), std::end(kDivergences));
    const PosteriorDraw draw = drawPosterior(momentsOf(all), at::zeros({1, 1, 1, std::ssize(all)}));
    EXPECT_NEAR(klDivergence(draw), sum / static_cast<double>(all.size()), 1e-6); // of an element
}

TEST(VaeNumbers, theWeightedDivergencePullsTowardsTheUnitGaussian) {
    const std::vector<Divergence> all(std::begin(kDivergences), std::end(kDivergences));
    const auto count = std::ssize(all);
    const at::Tensor nothing = at::zeros({1, 1, 1, count});
    constexpr double kWeight = 0.5;
    const at::Tensor gradient = posteriorGradient(drawPosterior(momentsOf(all), nothing), nothing, kWeight);
    for (int64_t i = 0; i < count; ++i) {
        const Divergence& one = all[size_t(i)];
        const double perElement = kWeight / static_cast<double>(count);
        EXPECT_NEAR(gradient[0][0][0][i].item<double>(), perElement * one.mean, 1e-6) << i;
        EXPECT_NEAR(gradient[0][1][0][i].item<double>(), perElement * (one.variance - 1.0) / 2.0, 1e-6) << i;
    }
}

} // namespace
} // namespace homebooth::core
