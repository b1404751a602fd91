// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Low-rank adapters inside whole models: the sum they stand for, what gets gradients, dropout.
#include "core/base/arch/clip_layout.h"
#include "core/base/arch/unet_layout.h"
#include "core/base/schedule/adapters.h"
#include "core/engine/models/model_components.h"
#include "core/engine/nn/dropout.h"
#include "tests/engine/model_check.h"

using namespace homebooth::core;
using namespace homebooth::core::testing;

namespace {

constexpr AdapterOptions kAll{.rank = 3, .alpha = 6.0, .dropout = 0.0, .convolutions = true};

bool isAdapter(const std::string& name) {
    return name.find(".lora_") != std::string::npos;
}

UNetConfig tinyConfig(const std::string& model = "tiny-sd1") {
    return UNetConfig::fromJson(readText(fixture(model + "/unet/config.json"))).value();
}

Schedule adapted(Schedule schedule, const AdapterOptions& options) {
    const auto count = attachAdapters(schedule, options);
    if (!count) throw std::runtime_error(count.error().text());
    return schedule;
}

/// All parameters at random, the upper matrices too, which start at zero otherwise.
void randomise(ParameterStore& store) {
    at::manual_seed(5);
    initialiseParameters(store, 11);
    const std::vector<BlockSpec>& blocks = store.schedule().blocks();
    for (size_t block = 0; block < blocks.size(); ++block)
        for (size_t i = 0; i < blocks[block].parameters.size(); ++i)
            if (blocks[block].parameters[i].name.ends_with("lora_up.weight"))
                store.parameter({static_cast<int>(block), static_cast<int>(i)}).normal_(0.0, 0.2);
}

/// The change of the weight that an adapter stands for: up is 1x1, so both are matrices over `rank`.
at::Tensor product(const at::Tensor& up, const at::Tensor& down, const at::Tensor& weight) {
    return at::mm(up.flatten(1).contiguous(), down.contiguous().flatten(1)).view(weight.sizes());
}

/// Fills `plain` with the weights of `store` and the adapters added to them.
void merge(const ParameterStore& store, ParameterStore& plain) {
    const std::vector<BlockSpec>& blocks = store.schedule().blocks();
    for (size_t b = 0; b < blocks.size(); ++b) {
        const int block = static_cast<int>(b);
        for (size_t i = 0; i < blocks[b].parameters.size(); ++i) {
            const ParameterId target = plain.find(blocks[b].parameters[i].name);
            if (target.block >= 0)
                plain.parameter(target).copy_(store.parameter({block, static_cast<int>(i)}));
        }
        for (const AdapterSpec& adapter : blocks[b].adapters) {
            at::Tensor weight = plain.parameter(plain.find(blocks[b].parameters[adapter.weight].name));
            weight.add_(
                product(store.parameter({block, adapter.up}), store.parameter({block, adapter.down}), weight),
                adapter.scale);
        }
    }
}

std::vector<at::Tensor> unetInputs(const UNetConfig& config) {
    at::manual_seed(3);
    return {at::randn({2, config.inChannels, 8, 8}), at::full({2}, 400, at::kLong),
            at::randn({2, 5, config.crossAttentionDim})};
}

} // namespace

TEST(LowRank, unetEqualsTheOneWithMergedWeights) {
    for (const char* model : {"tiny-sd1", "tiny-sd2"}) { // convolutional and linear projections
        const UNetConfig config = tinyConfig(model);
        UNetModel low(config, adapted(unetSchedule(config), kAll), {});
        randomise(low.component().store());
        UNetModel merged(config, ParameterStore::Options{});
        merge(low.component().store(), merged.component().store());
        const std::vector<at::Tensor> inputs = unetInputs(config);
        const at::Tensor expected = merged.component().executor().run(inputs).front();
        EXPECT_LE(relativeError(low.component().executor().run(inputs).front(), expected),
                  2 * kOutputTolerance)
            << model;
    }
}

TEST(LowRank, textEncoderEqualsTheOneWithMergedWeights) {
    const ClipConfig config =
        ClipConfig::fromJson(readText(fixture("tiny-sd1/text_encoder/config.json"))).value();
    TextEncoder low(config, adapted(clipSchedule(config), kAll), {});
    randomise(low.component().store());
    TextEncoder merged(config, ParameterStore::Options{});
    merge(low.component().store(), merged.component().store());
    const at::Tensor ids = at::arange(20, at::kLong).view({2, 10});
    EXPECT_LE(relativeError(low.encode(ids), merged.encode(ids)), 2 * kOutputTolerance);
}

TEST(LowRank, startsAsTheModelItself) {
    const UNetConfig config = tinyConfig();
    UNetModel low(config, adapted(unetSchedule(config), kAll), {});
    UNetModel plain(config, ParameterStore::Options{});
    initialiseParameters(low.component().store(), 11);
    initialiseParameters(plain.component().store(), 11);
    const std::vector<at::Tensor> inputs = unetInputs(config);
    EXPECT_TRUE(at::equal(low.component().executor().run(inputs).front(),
                          plain.component().executor().run(inputs).front()));
}

TEST(LowRank, onlyAdaptersGetGradientsAndTheyAreThoseOfTheMergedWeights) {
    const UNetConfig config = tinyConfig();
    UNetModel low(config, adapted(unetSchedule(config), kAll), {});
    randomise(low.component().store());
    UNetModel merged(config, ParameterStore::Options{});
    merge(low.component().store(), merged.component().store());
    const std::vector<at::Tensor> inputs = unetInputs(config);
    const at::Tensor target = at::randn({2, config.outChannels, 8, 8});
    const ModelGradients found = differentiateModel(low.component(), inputs, target, Recompute::Always);
    const ModelGradients full = differentiateModel(merged.component(), inputs, target, Recompute::Always);

    size_t adapters = 0;
    for (const BlockSpec& block : low.component().schedule().blocks())
        for (const AdapterSpec& adapter : block.adapters) {
            const auto tensor = [&](int index) {
                return low.component().store().parameter(
                    low.component().store().find(block.parameters[index].name));
            };
            // d(W + s U D) = s (dU D + U dD)
            const at::Tensor gradWeight =
                full.parameters.at(block.parameters[adapter.weight].name).contiguous().flatten(1);
            const at::Tensor gradUp =
                at::mm(gradWeight, tensor(adapter.down).contiguous().flatten(1).t()) * adapter.scale;
            const std::string& upName = block.parameters[adapter.up].name;
            const double error = (found.parameters.at(upName).flatten(1) - gradUp).norm().item<double>();
            EXPECT_LE(error, 1e-3 * gradUp.norm().item<double>() + 1e-7) << upName;
            adapters += 2;
        }
    EXPECT_EQ(found.parameters.size(), adapters);
    for (const auto& [name, gradient] : found.parameters) EXPECT_TRUE(isAdapter(name)) << name;
}

TEST(LowRank, dropoutIsOfTheSeedAndOnlyInTraining) {
    const UNetConfig config = tinyConfig();
    AdapterOptions options = kAll;
    options.dropout = 0.5;
    UNetModel model(config, adapted(unetSchedule(config), options), {});
    randomise(model.component().store());
    const std::vector<at::Tensor> inputs = unetInputs(config);
    const at::Tensor target = at::zeros({2, config.outChannels, 8, 8});
    const auto run = [&](Recompute recompute, uint64_t seed) {
        return differentiateModel(model.component(), inputs, target, recompute, seed);
    };
    const ModelGradients first = run(Recompute::Always, 1);
    expectEqualBytes(first, run(Recompute::Never, 1));
    EXPECT_FALSE(at::equal(first.output, run(Recompute::Always, 2).output));

    UNetModel without(config, adapted(unetSchedule(config), kAll), {});
    randomise(without.component().store());
    EXPECT_TRUE(at::equal(model.component().executor().run(inputs).front(),
                          without.component().executor().run(inputs).front()));
}

TEST(LowRank, staysFp32OnANarrowModel) {
    const UNetConfig config = tinyConfig();
    UNetModel model(config, adapted(unetSchedule(config), kAll), {.type = at::kBFloat16});
    randomise(model.component().store());
    std::vector<at::Tensor> inputs = unetInputs(config);
    for (at::Tensor& input : inputs) input = model.component().prepared(input);
    const at::Tensor target = at::zeros({2, config.outChannels, 8, 8}, at::kBFloat16);
    const ModelGradients gradients = differentiateModel(model.component(), inputs, target, Recompute::Always);
    EXPECT_EQ(gradients.output.scalar_type(), at::kBFloat16);
    for (const auto& [name, gradient] : gradients.parameters) {
        EXPECT_EQ(gradient.scalar_type(), at::kFloat) << name;
        EXPECT_TRUE(gradient.isfinite().all().item<bool>()) << name;
    }
}

TEST(Dropout, dropsTheShareAndKeepsTheMean) {
    const at::Tensor x = at::ones({400, 500});
    const at::Tensor y = dropout(x, 0.25, 42, 0);
    EXPECT_NEAR((y == 0).to(at::kFloat).mean().item<double>(), 0.25, 0.005);
    EXPECT_NEAR(y.mean().item<double>(), 1.0, 0.01);
    EXPECT_TRUE(at::equal(dropout(x, 0.0, 42, 0), x));
}

TEST(Dropout, maskDependsOnSeedAndStreamNotOnThreads) {
    const at::Tensor x = at::ones({300, 300});
    at::set_num_threads(1);
    const at::Tensor one = dropout(x, 0.5, 42, 0);
    at::set_num_threads(2);
    const at::Tensor two = dropout(x, 0.5, 42, 0);
    at::set_num_threads(1);
    EXPECT_TRUE(at::equal(one, two));
    EXPECT_FALSE(at::equal(one, dropout(x, 0.5, 43, 0)));
    EXPECT_FALSE(at::equal(one, dropout(x, 0.5, 42, 1)));
    EXPECT_TRUE(at::equal(one, dropout(x.to(at::kBFloat16), 0.5, 42, 0).to(at::kFloat)));
}
