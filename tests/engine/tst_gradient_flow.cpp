// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Clipping, accumulation and loss scaling on the way from backward to the optimizers.
#include "core/engine/memory/rehearsed_memory.h"
#include "core/engine/optim/gradient_flow.h"
#include "core/engine/optim/gradient_norm.h"
#include "tests/engine/optim_support.h"

#include <ATen/Parallel.h>

#include <cmath>
#include <limits>
#include <utility>

namespace homebooth::core {
namespace {

const std::vector<std::vector<int64_t>> kShapes = {{6, 5}, {7}};

/// Loose parameters of ones with AdamW and a flow over them.
struct Bench {
    Schedule schedule = looseParameters(kShapes);
    ParameterStore store;
    std::unique_ptr<Optimizer> optimizer;
    GradientFlow flow;

    explicit Bench(GradientFlowOptions options, at::ScalarType type = at::kFloat)
        : store(schedule, {.type = type})
        , optimizer(makeOptimizer(OptimizerConfig{}, store, 3))
        , flow(options, {optimizer.get()}) {
        for (const ParameterId id : optimizer->trainable()) store.parameter(id).fill_(1.0);
    }
    void begin(int64_t step) {
        const double rate = 1e-2;
        flow.beginStep(step, {&rate, 1});
    }
    /// One micro-step with these gradients, in the reverse order, as backward hands them over.
    void micro(const std::vector<at::Tensor>& gradients) {
        const GradientSink sink = flow.sink(0);
        for (size_t i = gradients.size(); i-- > 0;) sink(optimizer->trainable()[i], gradients[i]);
        flow.endMicroStep();
    }
    StepOutcome step(int64_t number, const std::vector<at::Tensor>& gradients) {
        begin(number);
        micro(gradients);
        return flow.endStep();
    }
    [[nodiscard]] std::vector<at::Tensor> everything() const {
        std::vector<at::Tensor> result;
        for (const ParameterId id : optimizer->trainable()) result.push_back(store.parameter(id).clone());
        for (const auto& [name, state] : copiedStates(*optimizer)) result.push_back(state);
        return result;
    }
};

void expectEqual(const std::vector<at::Tensor>& a, const std::vector<at::Tensor>& b) {
    ASSERT_EQ(a.size(), b.size());
    for (size_t i = 0; i < a.size(); ++i) EXPECT_TRUE(at::equal(a[i], b[i])) << i;
}

std::vector<at::Tensor> randomGradients(uint64_t seed, at::ScalarType type = at::kFloat) {
    at::manual_seed(seed);
    return {at::randn(kShapes[0]).to(type), at::randn(kShapes[1]).to(type)};
}

std::vector<at::Tensor> scaled(std::vector<at::Tensor> tensors, double factor) {
    for (at::Tensor& tensor : tensors) tensor = tensor * factor;
    return tensors;
}

TEST(GradientFlow, updatesInsideBackwardWhenNothingHasToWait) {
    Bench bench({});
    const auto gradients = randomGradients(1);
    bench.begin(1);
    bench.flow.sink(0)({0, 1}, gradients[1]);
    EXPECT_FALSE(at::equal(bench.store.parameter({0, 1}), at::ones({7})));
    EXPECT_TRUE(at::equal(bench.store.parameter({0, 0}), at::ones({6, 5})));
    bench.flow.sink(0)({0, 0}, gradients[0]);
    bench.flow.endMicroStep();
    const StepOutcome outcome = bench.flow.endStep();
    EXPECT_FALSE(outcome.gradientNorm.has_value());
    EXPECT_FALSE(outcome.skipped);
    EXPECT_EQ(bench.flow.resting().peakBytes(Tier::Device), 0);
}

TEST(GradientFlow, clipsAsTorchDoes) {
    const OptimizerFixture fixture;
    const Schedule schedule = looseParameters(OptimizerFixture::shapes());
    ParameterStore store(schedule, {});
    fixture.fillStart(store);
    const OptimizerConfig config = OptimizerFixture::config(OptimizerKind::AdamW);
    const auto optimizer = makeOptimizer(config, store, 0);
    GradientFlow flow({.maxGradientNorm = 1.0}, {optimizer.get()});
    for (int64_t step = 0; step < OptimizerFixture::kSteps; ++step) {
        flow.beginStep(step + 1, {&config.learningRate, 1});
        for (const ParameterId id : optimizer->trainable())
            flow.sink(0)(id, fixture.gradient(step, store, id));
        flow.endMicroStep();
        const double norm = flow.endStep().gradientNorm.value();
        const double expected = fixture["clipped.norm"][step].item<double>();
        EXPECT_NEAR(norm, expected, 1e-6 * expected) << "step " << step;
    }
    for (const ParameterId id : optimizer->trainable()) {
        const std::string& name = store.spec(id).name;
        EXPECT_LT(relativeError(store.parameter(id), fixture["clipped." + name]), 1e-6) << name;
    }
}

TEST(GradientFlow, aLimitThatIsNotReachedChangesNoBit) {
    Bench plain({});
    Bench clipped({.maxGradientNorm = 1e6});
    for (int64_t step = 1; step <= 3; ++step) {
        plain.step(step, randomGradients(step));
        const double norm = clipped.step(step, randomGradients(step)).gradientNorm.value();
        const auto gradients = randomGradients(step);
        const double expected = std::sqrt(gradients[0].to(at::kDouble).square().sum().item<double>() +
                                          gradients[1].to(at::kDouble).square().sum().item<double>());
        EXPECT_NEAR(norm, expected, 1e-12 * expected);
    }
    expectEqual(clipped.everything(), plain.everything());
}

TEST(GradientFlow, clipsOverAllNetworksTogether) {
    const Schedule schedule = looseParameters({{1}});
    ParameterStore first(schedule, {}), second(schedule, {});
    const auto a = makeOptimizer(OptimizerConfig{}, first, 0);
    const auto b = makeOptimizer(OptimizerConfig{}, second, 0);
    GradientFlow flow({.maxGradientNorm = 1.0}, {a.get(), b.get()});
    const double rates[] = {1e-3, 1e-4};
    flow.beginStep(1, rates);
    flow.sink(0)({0, 0}, at::full({1}, 3.0));
    flow.sink(1)({0, 0}, at::full({1}, 4.0));
    flow.endMicroStep();
    EXPECT_EQ(flow.endStep().gradientNorm.value(), 5.0);
    const float clip = static_cast<float>(1.0 / (5.0 + 1e-6));
    EXPECT_FLOAT_EQ(a->stateTensors()[0].tensor.item<float>(), 0.1f * 3.0f * clip);
    EXPECT_FLOAT_EQ(b->stateTensors()[0].tensor.item<float>(), 0.1f * 4.0f * clip);
}

/// The gradients of a big batch are the mean over its parts; integers make every sum exact.
TEST(GradientFlow, accumulationEqualsTheBigBatchBitForBit) {
    for (const double limit : {0.0, 1.0}) {
        Bench parts({.accumulationSteps = 4, .maxGradientNorm = limit});
        Bench whole({.accumulationSteps = 1, .maxGradientNorm = limit});
        EXPECT_EQ(parts.flow.lossFactor(), 0.25);
        for (int64_t step = 1; step <= 3; ++step) {
            std::vector<at::Tensor> sum = {at::zeros(kShapes[0]), at::zeros(kShapes[1])};
            parts.begin(step);
            for (int64_t part = 0; part < 4; ++part) {
                at::manual_seed(static_cast<uint64_t>(10 * step + part));
                const std::vector<at::Tensor> gradients = {at::randint(-8, 9, kShapes[0]).to(at::kFloat),
                                                           at::randint(-8, 9, kShapes[1]).to(at::kFloat)};
                for (size_t i = 0; i < sum.size(); ++i) sum[i] += gradients[i];
                parts.micro(scaled(gradients, parts.flow.lossFactor()));
            }
            EXPECT_FALSE(parts.flow.endStep().skipped);
            whole.step(step, scaled(sum, 0.25));
        }
        expectEqual(parts.everything(), whole.everything());
    }
}

TEST(GradientFlow, sums16BitGradientsInFp32) {
    Bench parts({.accumulationSteps = 2}, at::kBFloat16);
    Bench whole({}, at::kBFloat16);
    parts.begin(1);
    const auto constant = [](double value) {
        return std::vector<at::Tensor>{at::full(kShapes[0], value, at::kBFloat16),
                                       at::full(kShapes[1], value, at::kBFloat16)};
    };
    parts.micro(constant(1.0));
    parts.micro(constant(0x1p-9)); // would vanish in a bf16 sum
    EXPECT_FALSE(parts.flow.endStep().skipped);
    whole.step(1, {at::full(kShapes[0], 1.0 + 0x1p-9), at::full(kShapes[1], 1.0 + 0x1p-9)});
    expectEqual(parts.everything(), whole.everything());
}

TEST(GradientFlow, updatesParametersThatTheLastMicroStepDidNotReach) {
    Bench parts({.accumulationSteps = 2});
    Bench whole({});
    const auto gradients = randomGradients(5);
    parts.begin(1);
    parts.micro(gradients);
    parts.micro({at::zeros(kShapes[0]), at::Tensor()});
    EXPECT_FALSE(parts.flow.endStep().skipped);
    whole.step(1, gradients);
    expectEqual(parts.everything(), whole.everything());
}

TEST(GradientFlow, anOverflowSkipsTheStepAndHalvesTheScale) {
    Bench found({.lossScaling = true});
    Bench expected({.lossScaling = true});
    ASSERT_EQ(found.flow.lossScale().value(), 65536.0);
    ASSERT_EQ(found.flow.lossFactor(), 65536.0);
    const auto before = found.everything();
    auto broken = randomGradients(2, at::kHalf);
    broken[1][3] = std::numeric_limits<float>::infinity();
    const StepOutcome outcome = found.step(1, broken);
    EXPECT_TRUE(outcome.skipped);
    EXPECT_FALSE(std::isfinite(outcome.gradientNorm.value()));
    EXPECT_EQ(found.flow.lossScale().value(), 32768.0);
    expectEqual(found.everything(), before);

    // The steps after it are those of a run that never saw the overflow: bias correction included.
    LossScalerState scaler;
    scaler.scale = 32768.0;
    expected.flow.restore({scaler, 0});
    for (int64_t step = 1; step <= 3; ++step) {
        found.step(step + 1, scaled(randomGradients(step), 32768.0));
        expected.step(step, scaled(randomGradients(step), 32768.0));
    }
    expectEqual(found.everything(), expected.everything());
    EXPECT_EQ(found.flow.state().skippedSteps, 1);
}

TEST(GradientFlow, lossScalingByAPowerOfTwoChangesNoBit) {
    Bench plain({.maxGradientNorm = 0.5});
    Bench withScale({.maxGradientNorm = 0.5, .lossScaling = true});
    for (int64_t step = 1; step <= 3; ++step) {
        const double norm = plain.step(step, randomGradients(step)).gradientNorm.value();
        const auto gradients = scaled(randomGradients(step), withScale.flow.lossFactor());
        EXPECT_EQ(withScale.step(step, gradients).gradientNorm.value(), norm);
    }
    expectEqual(withScale.everything(), plain.everything());
}

TEST(GradientFlow, withoutLossScalingABrokenGradientUpdatesNothing) {
    Bench bench({.maxGradientNorm = 1.0});
    const auto before = bench.everything();
    auto gradients = randomGradients(1);
    gradients[0][2][2] = std::nan("");
    const StepOutcome outcome = bench.step(1, gradients);
    EXPECT_TRUE(outcome.skipped);
    EXPECT_TRUE(std::isnan(outcome.gradientNorm.value()));
    expectEqual(bench.everything(), before);
}

TEST(GradientFlow, saysHowManyBytesRest) {
    const int64_t elements = 37;
    Bench clipping({.maxGradientNorm = 1.0}, at::kBFloat16);
    clipping.step(1, randomGradients(1, at::kBFloat16));
    EXPECT_EQ(clipping.flow.resting().peakBytes(Tier::Device), 2 * elements);
    Bench accumulating({.accumulationSteps = 2}, at::kBFloat16);
    accumulating.begin(1);
    accumulating.micro(randomGradients(1, at::kBFloat16));
    accumulating.micro(randomGradients(2, at::kBFloat16));
    EXPECT_FALSE(accumulating.flow.endStep().skipped);
    EXPECT_EQ(accumulating.flow.resting().peakBytes(Tier::Device), 4 * elements);
}

/// Runs out of memory at its first update.
class OnceRefused final : public Optimizer {
public:
    using Optimizer::Optimizer;
    void update(ParameterId /*id*/, const at::Tensor& gradient, double /*gradientScale*/) override {
        if (std::exchange(m_refuses, false)) throw c10::OutOfMemoryError({"", "", 0}, "no memory");
        seen = gradient.clone();
    }
    at::Tensor seen;

protected:
    [[nodiscard]] std::vector<Moment> momentsAt(size_t /*position*/) const override { return {}; }

private:
    bool m_refuses = true;
};

TEST(GradientFlow, addsAGradientOnceHoweverOftenItIsHandedOver) {
    const Schedule schedule = looseParameters({{4}});
    ParameterStore store(schedule, {});
    OnceRefused optimizer(store);
    GradientFlow flow({.accumulationSteps = 2}, {&optimizer});
    const double rate = 1e-2;
    flow.beginStep(1, {&rate, 1});
    const GradientSink sink = flow.sink(0);
    const ParameterId id = optimizer.trainable()[0];
    sink(id, at::ones({4}));
    flow.endMicroStep();
    EXPECT_THROW(sink(id, at::ones({4})), c10::OutOfMemoryError);
    sink(id, at::ones({4})); // as the executor does when it has given up what was kept
    flow.endMicroStep();
    (void)flow.endStep();
    EXPECT_TRUE(at::equal(optimizer.seen, at::full({4}, 2.0)));
}

TEST(GradientFlow, refusesAStepThatEndsTooSoon) {
    Bench bench({.accumulationSteps = 2});
    bench.begin(1);
    bench.micro(randomGradients(1));
    EXPECT_THROW(static_cast<void>(bench.flow.endStep()), c10::Error);
    EXPECT_THROW(bench.begin(2), c10::Error);
    bench.flow.discard();
    bench.begin(2);
}

/// y = tanh(x W^T), three times; each weight is read by the backward of the block below it too.
class DenseBlock final : public Block {
public:
    using Block::Block;
    std::vector<at::Tensor> forward(const BlockContext& context,
                                    std::span<const at::Tensor> inputs) const override {
        return {at::tanh(at::linear(inputs[0], context.parameters[0]))};
    }
};

Network denseNetwork() {
    Schedule schedule;
    ValueId value = schedule.addInput({.name = "x", .channels = 16});
    for (const std::string name : {"a", "b", "c"}) {
        BlockSpec spec;
        spec.kind = "dense";
        spec.name = name;
        spec.parameters = {{.name = name + ".weight", .shape = {16, 16}}};
        value = schedule.add(spec, {value}, {{.name = name, .channels = 16}})[0];
    }
    schedule.addOutput(value);
    return Network(std::move(schedule),
                   [](const BlockSpec& spec) { return std::make_unique<DenseBlock>(spec); });
}

/// The weights after three steps through the executor.
std::vector<at::Tensor> trainedWeights(GradientFlowOptions options, int64_t microSteps) {
    const Network network = denseNetwork();
    ParameterStore store(network.schedule(), {});
    at::manual_seed(8);
    for (int block = 0; block < 3; ++block) store.parameter({block, 0}).normal_(0.0, 0.2);
    const auto optimizer = makeOptimizer(OptimizerConfig{}, store, 0);
    options.accumulationSteps = microSteps;
    GradientFlow flow(options, {optimizer.get()});
    Executor executor(network, store);
    const at::Tensor batch = at::randn({8, 16});
    const double rate = 1e-2;
    for (int64_t step = 1; step <= 3; ++step) {
        flow.beginStep(step, {&rate, 1});
        for (const at::Tensor& part : batch.chunk(microSteps)) {
            const at::Tensor y = executor.forward({part}, {false}, 0)[0];
            const at::Tensor gradient = 2.0 * y / static_cast<double>(part.numel()); // of mean(y^2)
            static_cast<void>(executor.backward({gradient * flow.lossFactor()}, flow.sink(0)));
            flow.endMicroStep();
        }
        EXPECT_FALSE(flow.endStep().skipped);
    }
    std::vector<at::Tensor> weights;
    for (int block = 0; block < 3; ++block) weights.push_back(store.parameter({block, 0}).clone());
    return weights;
}

TEST(GradientFlow, updatingInsideBackwardEqualsUpdatingAfterIt) {
    expectEqual(trainedWeights({}, 1), trainedWeights({.maxGradientNorm = 1e6}, 1));
}

TEST(GradientFlow, microBatchesThroughTheExecutorGiveTheBigBatch) {
    const auto whole = trainedWeights({}, 1);
    const auto parts = trainedWeights({}, 4);
    for (size_t i = 0; i < whole.size(); ++i) EXPECT_LT(relativeError(parts[i], whole[i]), 1e-5) << i;
}

TEST(GradientNorm, doesNotDependOnTheThreadCount) {
    const int before = at::get_num_threads();
    at::manual_seed(4);
    const at::Tensor gradient = at::randn({333, 1001});
    at::set_num_threads(1);
    const double single = squaredNorm(gradient);
    for (const int threads : {2, 3, 5}) {
        at::set_num_threads(threads);
        EXPECT_EQ(squaredNorm(gradient), single);
    }
    at::set_num_threads(before);
    EXPECT_NEAR(single, gradient.to(at::kDouble).square().sum().item<double>(), 1e-9 * single);
}

TEST(SquaredNorms, areAddedUpInTheOrderOfTheGradients) {
    at::manual_seed(5);
    SquaredNorms norms;
    double expected = 0.0;
    for (const int64_t count : {7, 5000, 4096, 30'001}) {
        const at::Tensor gradient = at::randn({count}) * at::exp(3.0 * at::randn({count}));
        const double one = squaredNorm(gradient);
        expected += one;
        if (count == 5000)
            norms.add(one);
        else
            norms.add(gradient);
    }
    EXPECT_EQ(norms.sum(), expected);
    EXPECT_EQ(SquaredNorms().sum(), 0.0);
}

/// Of a GPU, whose host would wait for each of them.
TEST(SquaredNorms, comeFromTheDeviceTogether) {
    const RehearsedMemory memory(at::kCUDA);
    std::vector<at::Tensor> gradients;
    for (const int64_t count : {5, 5000, 9000})
        gradients.push_back(at::empty({count}, at::TensorOptions().device(at::kMeta).dtype(at::kBFloat16)));
    const RehearsedWork before = memory.work();
    SquaredNorms norms;
    norms.add(2.5);
    for (const at::Tensor& gradient : gradients) norms.add(gradient);
    EXPECT_EQ(norms.sum(), 2.5);
    const RehearsedWork work = memory.work().since(before);
    EXPECT_EQ(work.allocations, 1);
    EXPECT_GE(work.allocatedBytes, (1 + 2 + 3) * int64_t{sizeof(double)});
}

TEST(LossScaler, doublesAfterTwoThousandGoodSteps) {
    LossScaler scaler;
    for (int i = 0; i < 1999; ++i) scaler.finishStep(false);
    EXPECT_EQ(scaler.scale(), 65536.0);
    scaler.finishStep(false);
    EXPECT_EQ(scaler.scale(), 131072.0);
    for (int i = 0; i < 1999; ++i) scaler.finishStep(false);
    scaler.finishStep(true); // starts the count again
    EXPECT_EQ(scaler.scale(), 65536.0);
    scaler.finishStep(false);
    EXPECT_EQ(scaler.scale(), 65536.0);
    EXPECT_EQ(scaler.state().goodSteps, 1);
}

} // namespace
} // namespace homebooth::core
