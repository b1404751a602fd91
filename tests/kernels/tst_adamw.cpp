// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// AdamW: against a reference in double, variant against variant by the byte, and however it is cut.
#include "kernels/optim/adamw.h"
#include "told_features.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <random>
#include <thread>
#include <vector>

namespace homebooth::kernels {
namespace {

using Variant = std::function<void(const AdamWRange&, const AdamWStep&, const RandomStream&)>;

/// The buffers of a parameter as bytes, in given types.
struct Buffers {
    NumberType parameterType;
    NumberType gradientType;
    NumberType momentType;
    int64_t count;
    std::vector<uint8_t> parameter, gradient, first, second;
    std::vector<float> master = {}; // empty: none

    AdamWRange range(bool stochastic) {
        AdamWRange result;
        result.parameter = parameter.data();
        result.gradient = gradient.data();
        result.firstMoment = first.data();
        result.secondMoment = second.data();
        if (!master.empty()) result.master = master.data();
        result.count = count;
        result.parameterType = parameterType;
        result.gradientType = gradientType;
        result.momentType = momentType;
        result.stochastic = stochastic;
        return result;
    }
    bool sameResultAs(const Buffers& other) const {
        return parameter == other.parameter && first == other.first && second == other.second &&
               master == other.master;
    }
};

void put(std::vector<uint8_t>& buffer, NumberType type, int64_t i, float value) {
    if (type == NumberType::Float32) {
        memcpy(buffer.data() + i * 4, &value, 4);
    } else {
        const uint16_t bits = type == NumberType::Bf16 ? nearestBf16(value).bits : nearestHalf(value).bits;
        memcpy(buffer.data() + i * 2, &bits, 2);
    }
}

float get(const std::vector<uint8_t>& buffer, NumberType type, int64_t i) {
    if (type == NumberType::Float32) {
        float value = 0.0f;
        memcpy(&value, buffer.data() + i * 4, 4);
        return value;
    }
    uint16_t bits = 0;
    memcpy(&bits, buffer.data() + i * 2, 2);
    return type == NumberType::Bf16 ? toFloat(Bf16{bits}) : toFloat(Half{bits});
}

/// Values of many magnitudes, with zeros; moments as after some steps.
Buffers makeBuffers(NumberType parameter, NumberType gradient, NumberType moment, int64_t count) {
    Buffers result{parameter, gradient, moment, count, {}, {}, {}, {}, {}};
    result.parameter.resize(count * bytesOf(parameter));
    result.gradient.resize(count * bytesOf(gradient));
    result.first.resize(count * bytesOf(moment));
    result.second.resize(count * bytesOf(moment));
    std::mt19937 engine(42);
    std::normal_distribution<float> normal;
    for (int64_t i = 0; i < count; ++i) {
        const float size = std::ldexp(1.0f, static_cast<int>(engine() % 20) - 18);
        put(result.parameter, parameter, i, i % 37 == 0 ? 0.0f : normal(engine) * size);
        const float g = i % 41 == 0 ? 0.0f : normal(engine) * size;
        put(result.gradient, gradient, i, g);
        put(result.first, moment, i, 0.5f * g);
        put(result.second, moment, i, 0.25f * g * g);
    }
    return result;
}

struct Case {
    NumberType parameter, gradient, moment;
    bool stochastic;
    bool master;
};

std::vector<Case> allCases() {
    std::vector<Case> cases;
    for (const NumberType parameter : {NumberType::Float32, NumberType::Bf16, NumberType::Half})
        for (const NumberType gradient : {NumberType::Float32, NumberType::Bf16, NumberType::Half})
            for (const NumberType moment : {NumberType::Float32, NumberType::Bf16})
                for (const bool stochastic : {false, true})
                    for (const bool master : {false, true})
                        if (!master || parameter != NumberType::Float32)
                            cases.push_back({parameter, gradient, moment, stochastic, master});
    return cases;
}

const RandomStream kRandom{0x123456789abcdefu, 3, 0xfeedbeefu};

AdamWStep someStep(int64_t step = 3) {
    return adamWStep(step, 1e-3, 0.9, 0.999, 1e-8, 1e-2, 0.7);
}

std::string describe(const Case& item) {
    return "parameter type " + std::to_string(static_cast<int>(item.parameter)) + ", gradient type " +
           std::to_string(static_cast<int>(item.gradient)) + ", moment type " +
           std::to_string(static_cast<int>(item.moment)) + (item.stochastic ? ", stochastic" : ", nearest") +
           (item.master ? ", with a master" : "");
}

/// The master of a parameter that is its nearest; the parameter's own bits say nothing then.
void addMaster(Buffers& buffers) {
    std::mt19937 engine(7);
    for (int64_t i = 0; i < buffers.count; ++i) {
        const float near = get(buffers.parameter, buffers.parameterType, i);
        buffers.master.push_back(near * (1.0f + 1e-3f * static_cast<float>(engine() % 3)));
        put(buffers.parameter, buffers.parameterType, i, 77.0f);
    }
}

Buffers buffersOf(const Case& item, int64_t count) {
    Buffers buffers = makeBuffers(item.parameter, item.gradient, item.moment, count);
    if (item.master) addMaster(buffers);
    return buffers;
}

void expectEqualToScalar(const Variant& variant) {
    for (const Case& item : allCases()) {
        Buffers expected = buffersOf(item, 1237);
        Buffers found = expected;
        for (int64_t step = 1; step <= 3; ++step) {
            adamWScalar(expected.range(item.stochastic), someStep(step), kRandom);
            variant(found.range(item.stochastic), someStep(step), kRandom);
        }
        EXPECT_TRUE(found.sameResultAs(expected)) << describe(item);
    }
}

TEST(AdamW, avx2GivesTheBytesOfTheScalarReference) {
    if (!toldFeatures().avx2) GTEST_SKIP() << "this processor has no AVX2";
    expectEqualToScalar(adamWAvx2);
}

TEST(AdamW, avx512GivesTheBytesOfTheScalarReference) {
    if (!toldFeatures().avx512) GTEST_SKIP() << "this processor has no AVX-512";
    expectEqualToScalar(adamWAvx512);
}

TEST(AdamW, vectorVariantsTreatInfinityAndOverflowAsTheScalarReference) {
    for (const Case& item : allCases()) {
        Buffers expected = buffersOf(item, 128);
        for (int64_t i = 0; i < 128; i += 5) {
            const float value = i % 2 == 0 ? std::numeric_limits<float>::infinity() : -60000.0f;
            put(expected.parameter, item.parameter, i, value);
            if (item.master) expected.master[static_cast<size_t>(i)] = value;
        }
        Buffers found = expected;
        AdamWStep step = someStep();
        step.decay = 1.5f; // drives -60000 over the greatest half
        adamWScalar(expected.range(item.stochastic), step, kRandom);
        adamW(found.range(item.stochastic), step, kRandom);
        EXPECT_TRUE(found.sameResultAs(expected)) << describe(item);
    }
}

TEST(AdamW, cuttingAParameterIntoRangesNeverChangesTheResult) {
    for (const Case& item : allCases()) {
        Buffers whole = buffersOf(item, 1500);
        Buffers cut = whole;
        adamW(whole.range(item.stochastic), someStep(), kRandom);
        const AdamWRange range = cut.range(item.stochastic);
        for (int64_t begin = 0, size = 1; begin < range.count; begin += size, size = size * 2 + 1) {
            size = std::min(size, range.count - begin);
            adamW(slice(range, begin, size), someStep(), kRandom);
        }
        EXPECT_TRUE(cut.sameResultAs(whole)) << describe(item);
    }
}

TEST(AdamW, theNumberOfThreadsNeverChangesTheResult) {
    Buffers single = makeBuffers(NumberType::Bf16, NumberType::Bf16, NumberType::Bf16, 100'003);
    const Buffers start = single;
    adamW(single.range(true), someStep(), kRandom);
    for (const int64_t threads : {2, 3, 7}) {
        Buffers shared = start;
        const AdamWRange range = shared.range(true);
        std::vector<std::thread> workers;
        for (int64_t i = 0; i < threads; ++i) {
            const int64_t begin = range.count * i / threads;
            const int64_t end = range.count * (i + 1) / threads;
            workers.emplace_back([=] { adamW(slice(range, begin, end - begin), someStep(), kRandom); });
        }
        for (std::thread& worker : workers) worker.join();
        EXPECT_TRUE(shared.sameResultAs(single)) << threads << " threads";
    }
}

/// The textbook form in double, fifty steps.
TEST(AdamW, followsAReferenceInDoubleInFp32) {
    const int64_t count = 300;
    Buffers buffers = makeBuffers(NumberType::Float32, NumberType::Float32, NumberType::Float32, count);
    std::fill(buffers.first.begin(), buffers.first.end(), 0);
    std::fill(buffers.second.begin(), buffers.second.end(), 0);
    std::vector<double> p(count), m(count), v(count);
    for (int64_t i = 0; i < count; ++i) p[i] = get(buffers.parameter, NumberType::Float32, i);
    const double rate = 1e-3, beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8, decay = 1e-2, scale = 0.7;
    std::mt19937 engine(1);
    std::normal_distribution<float> normal;
    for (int64_t step = 1; step <= 50; ++step) {
        for (int64_t i = 0; i < count; ++i) {
            const float gradient = normal(engine) * std::ldexp(1.0f, static_cast<int>(i % 10) - 8);
            put(buffers.gradient, NumberType::Float32, i, gradient);
            const double g = gradient * scale;
            p[i] *= 1.0 - rate * decay;
            m[i] = beta1 * m[i] + (1.0 - beta1) * g;
            v[i] = beta2 * v[i] + (1.0 - beta2) * g * g;
            const double corrected = m[i] / (1.0 - std::pow(beta1, step));
            p[i] -= rate * corrected / (std::sqrt(v[i] / (1.0 - std::pow(beta2, step))) + epsilon);
        }
        adamW(buffers.range(true), adamWStep(step, rate, beta1, beta2, epsilon, decay, scale), kRandom);
    }
    for (int64_t i = 0; i < count; ++i) {
        EXPECT_NEAR(get(buffers.parameter, NumberType::Float32, i), p[i],
                    8e-6 * std::max(1.0, std::abs(p[i])));
        EXPECT_NEAR(get(buffers.second, NumberType::Float32, i), v[i], 1e-5 * v[i]);
    }
}

/// A master goes the way of fp32 parameters bit by bit, and the parameter is the nearest of it.
TEST(AdamW, masterIsTheParameterOfFp32) {
    const int64_t count = 1237;
    for (const NumberType type : {NumberType::Bf16, NumberType::Half})
        for (const NumberType moment : {NumberType::Float32, NumberType::Bf16}) {
            Buffers exact = makeBuffers(NumberType::Float32, NumberType::Bf16, moment, count);
            Buffers found = makeBuffers(type, NumberType::Bf16, moment, count);
            found.master.resize(count);
            std::memcpy(found.master.data(), exact.parameter.data(), exact.parameter.size());
            for (int64_t step = 1; step <= 20; ++step) {
                adamW(exact.range(true), someStep(step), kRandom);
                adamW(found.range(true), someStep(step), kRandom);
            }
            EXPECT_EQ(std::memcmp(found.master.data(), exact.parameter.data(), exact.parameter.size()), 0);
            EXPECT_EQ(found.first, exact.first);
            EXPECT_EQ(found.second, exact.second);
            std::vector<uint8_t> nearest(found.parameter.size());
            for (int64_t i = 0; i < count; ++i) put(nearest, type, i, found.master[static_cast<size_t>(i)]);
            EXPECT_EQ(found.parameter, nearest);
        }
}

/// What 400 small steps of bf16 are off from fp32, as a mean over all elements, over what fp32 moved.
struct Drift {
    double parameter = 0.0;
    double secondMoment = 0.0;
};

Drift measureDrift(NumberType momentType, bool stochastic) {
    const int64_t count = 16384;
    Buffers exact = makeBuffers(NumberType::Float32, NumberType::Float32, NumberType::Float32, count);
    Buffers found = makeBuffers(NumberType::Bf16, NumberType::Float32, momentType, count);
    for (Buffers* buffers : {&exact, &found}) {
        std::fill(buffers->first.begin(), buffers->first.end(), 0);
        std::fill(buffers->second.begin(), buffers->second.end(), 0);
        for (int64_t i = 0; i < count; ++i)
            put(buffers->parameter, buffers->parameterType, i, toFloat(nearestBf16(std::sin(float(i)))));
    }
    const std::vector<uint8_t> start = exact.parameter;
    std::mt19937 engine(5);
    std::normal_distribution<float> normal;
    for (int64_t step = 1; step <= 400; ++step) {
        // The gradient falls by ten times on the way, as it does when a model learns.
        const float size = std::pow(10.0f, -static_cast<float>(step) / 400.0f);
        for (int64_t i = 0; i < count; ++i)
            put(exact.gradient, NumberType::Float32, i, (0.3f + normal(engine)) * size);
        found.gradient = exact.gradient;
        const AdamWStep coefficients = adamWStep(step, 2e-5, 0.9, 0.99, 1e-8, 0.0, 1.0);
        RandomStream random = kRandom;
        random.step = static_cast<uint32_t>(step);
        adamW(exact.range(false), coefficients, random);
        adamW(found.range(stochastic), coefficients, random);
    }
    double moved = 0.0, error = 0.0, second = 0.0, secondError = 0.0;
    for (int64_t i = 0; i < count; ++i) {
        const double truth = get(exact.parameter, NumberType::Float32, i);
        // Signed sums: rounding noise averages out, a bias does not.
        moved += truth - get(start, NumberType::Float32, i);
        error += get(found.parameter, NumberType::Bf16, i) - truth;
        const double v = get(exact.second, NumberType::Float32, i);
        second += v;
        secondError += get(found.second, momentType, i) - v;
    }
    return {std::abs(error / moved), std::abs(secondError / second)};
}

TEST(AdamW, stochasticRoundingKeepsWhatTheNearestLoses) {
    const Drift nearest = measureDrift(NumberType::Float32, false);
    const Drift stochastic = measureDrift(NumberType::Float32, true);
    const Drift both = measureDrift(NumberType::Bf16, true);
    const Drift nearestMoments = measureDrift(NumberType::Bf16, false);
    std::printf("mean drift of bf16 parameters: nearest %.3f, stochastic %.4f, with bf16 moments %.4f\n",
                nearest.parameter, stochastic.parameter, both.parameter);
    std::printf("mean drift of the bf16 second moment: nearest %.3f, stochastic %.4f\n",
                nearestMoments.secondMoment, both.secondMoment);
    EXPECT_GT(nearest.parameter, 0.5);
    EXPECT_LT(stochastic.parameter, 0.05);
    EXPECT_LT(both.parameter, 0.05);
    EXPECT_LT(both.secondMoment, 0.01);
    EXPECT_GT(nearestMoments.secondMoment, 5.0 * both.secondMoment);
}

} // namespace
} // namespace homebooth::kernels
