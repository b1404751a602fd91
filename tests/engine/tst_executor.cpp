// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The executor and the parameter store on a toy network with a skip connection, against plain autograd.
#include "core/base/memory/chunk_bytes.h"
#include "core/engine/memory/executor.h"
#include "core/engine/nn/linear.h"

#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>

#include <chrono>
#include <thread>

using namespace homebooth::core;

namespace {

constexpr int64_t kWidth = 48;

/// y = tanh(x W^T + b), or tanh([x, skip] W^T + b) with two inputs; dropout when the context has a seed.
class DenseBlock : public Block {
public:
    using Block::Block;
    std::vector<at::Tensor> forward(const BlockContext& context,
                                    std::span<const at::Tensor> inputs) const override {
        if (callsUntilRefusal > 0 && --callsUntilRefusal == 0)
            TORCH_CHECK_WITH(OutOfMemoryError, false, "a call that a test refuses");
        const at::Tensor x = inputs.size() == 2 ? at::cat({inputs[0], inputs[1]}, 1) : inputs[0];
        const at::Tensor y =
            keptProduct(context.products, KeptProducts::kWorthKeeping, [&](const at::Tensor& known) {
                if (!known.defined()) ++productsComputed;
                return linearProduct(x, context.parameters[0], context.parameters[1], known);
            });
        return {mayOverwrite(y) ? y.tanh_() : at::tanh(y)};
    }

    static inline int productsComputed = 0;
    static inline int callsUntilRefusal = 0; // for want of memory; 0: none
};

BlockSpec dense(const std::string& name, int64_t in, bool trainable = true) {
    BlockSpec spec;
    spec.kind = "dense";
    spec.name = name;
    spec.parameters = {{.name = name + ".weight", .shape = {kWidth, in}, .trainable = trainable},
                       {.name = name + ".bias", .shape = {kWidth}, .trainable = trainable}};
    return spec;
}

ValueSpec value(const std::string& name) {
    return {.name = name, .channels = kWidth};
}

/// x -> a -> b -> c(b, a): the output of a is read twice.
Network toyNetwork(bool firstTrainable = true) {
    Schedule schedule;
    const ValueId x = schedule.addInput(value("x"));
    const ValueId a = schedule.add(dense("a", kWidth, firstTrainable), {x}, {value("a")})[0];
    const ValueId b = schedule.add(dense("b", kWidth), {a}, {value("b")})[0];
    const ValueId c = schedule.add(dense("c", 2 * kWidth), {b, a}, {value("c")})[0];
    schedule.addOutput(c);
    return Network(std::move(schedule),
                   [](const BlockSpec& spec) { return std::make_unique<DenseBlock>(spec); });
}

void fill(ParameterStore& store) {
    at::manual_seed(7);
    for (int block = 0; block < 3; ++block)
        for (int index = 0; index < 2; ++index) store.parameter({block, index}).normal_(0.0, 0.2);
}

struct Gradients {
    at::Tensor output;
    at::Tensor input;
    std::vector<at::Tensor> parameters; // block-major
};

Gradients throughExecutor(const Network& network, ParameterStore& store, const at::Tensor& x,
                          Recompute recompute) {
    Executor executor(network, store);
    for (int block = 0; block < 3; ++block) executor.setRecompute(block, recompute);
    Gradients result;
    result.parameters.resize(6);
    result.output = executor.forward({x}, {true}, 0)[0];
    result.input =
        executor.backward({at::ones_like(result.output)}, [&](ParameterId id, at::Tensor gradient) {
            result.parameters[2 * id.block + id.index] = std::move(gradient);
        })[0];
    return result;
}

Gradients throughAutograd(ParameterStore& store, const at::Tensor& input) {
    std::vector<at::Tensor> leaves = {input.detach().requires_grad_(true)};
    for (int i = 0; i < 6; ++i)
        leaves.push_back(store.parameter({i / 2, i % 2}).detach().requires_grad_(true));
    const at::Tensor a = at::tanh(at::linear(leaves[0], leaves[1], leaves[2]));
    const at::Tensor b = at::tanh(at::linear(a, leaves[3], leaves[4]));
    const at::Tensor c = at::tanh(at::linear(at::cat({b, a}, 1), leaves[5], leaves[6]));
    const auto found = torch::autograd::grad({c.sum()}, leaves);
    return {c.detach(), found[0], {found.begin() + 1, found.end()}};
}

TEST(Executor, givesTheGradientsOfAutograd) {
    const Network network = toyNetwork();
    ParameterStore store(network.schedule(), {});
    fill(store);
    const at::Tensor x = at::randn({5, kWidth});
    const Gradients expected = throughAutograd(store, x);
    const Gradients found = throughExecutor(network, store, x, Recompute::Always);
    EXPECT_TRUE(at::equal(found.output, expected.output));
    EXPECT_TRUE(at::allclose(found.input, expected.input, 1e-5, 1e-6));
    for (int i = 0; i < 6; ++i)
        EXPECT_TRUE(at::allclose(found.parameters[i], expected.parameters[i], 1e-5, 1e-6)) << i;
}

TEST(Executor, keepingGraphsChangesNoBit) {
    const Network network = toyNetwork();
    ParameterStore store(network.schedule(), {});
    fill(store);
    const at::Tensor x = at::randn({5, kWidth});
    const Gradients recomputed = throughExecutor(network, store, x, Recompute::Always);
    const Gradients kept = throughExecutor(network, store, x, Recompute::Never);
    EXPECT_TRUE(at::equal(recomputed.input, kept.input));
    for (int i = 0; i < 6; ++i) EXPECT_TRUE(at::equal(recomputed.parameters[i], kept.parameters[i])) << i;
}

TEST(Executor, keepingProductsChangesNoBitAndComputesThemOnce) {
    const Network network = toyNetwork();
    ParameterStore store(network.schedule(), {});
    fill(store);
    const at::Tensor x = at::randn({5, kWidth});
    DenseBlock::productsComputed = 0;
    const Gradients recomputed = throughExecutor(network, store, x, Recompute::Always);
    EXPECT_EQ(DenseBlock::productsComputed, 6);
    DenseBlock::productsComputed = 0;
    const Gradients kept = throughExecutor(network, store, x, Recompute::CheapParts);
    EXPECT_EQ(DenseBlock::productsComputed, 3);
    EXPECT_TRUE(at::equal(recomputed.output, kept.output));
    EXPECT_TRUE(at::equal(recomputed.input, kept.input));
    for (int i = 0; i < 6; ++i) EXPECT_TRUE(at::equal(recomputed.parameters[i], kept.parameters[i])) << i;
}

TEST(Executor, goesOnWithTheSameBitsWhereMemoryRunsOut) {
    const Network network = toyNetwork();
    for (const Recompute recompute : {Recompute::Always, Recompute::CheapParts, Recompute::Never}) {
        for (int call = 1; call <= 6; ++call) {
            ParameterStore store(network.schedule(), {});
            fill(store);
            const at::Tensor x = at::randn({5, kWidth});
            const Gradients expected = throughExecutor(network, store, x, Recompute::Always);
            DenseBlock::callsUntilRefusal = call;
            const Gradients found = throughExecutor(network, store, x, recompute);
            const bool reached =
                recompute != Recompute::Never || call <= 3; // a kept graph is not called again
            EXPECT_EQ(DenseBlock::callsUntilRefusal == 0, reached) << call;
            DenseBlock::callsUntilRefusal = 0;
            EXPECT_TRUE(at::equal(found.output, expected.output)) << call;
            EXPECT_TRUE(at::equal(found.input, expected.input)) << call;
            for (int i = 0; i < 6; ++i)
                EXPECT_TRUE(at::equal(found.parameters[i], expected.parameters[i])) << call << " " << i;
        }
    }
}

/// They may be most of what is on the device, and would be gone in a moment.
TEST(Executor, waitsForWhatItHandedOverBeforeItTriesAgain) {
    const Network network = toyNetwork();
    ParameterStore store(network.schedule(), {});
    fill(store);
    Executor executor(network, store);
    std::vector<at::Tensor> onTheirWay;
    std::vector<size_t> drained;
    executor.setDrain([&] {
        drained.push_back(onTheirWay.size());
        onTheirWay.clear();
    });
    DenseBlock::callsUntilRefusal = 5; // of the second block in backward
    const at::Tensor output = executor.forward({at::randn({5, kWidth})}, {false}, 0)[0];
    (void)executor.backward({at::ones_like(output)},
                            [&](ParameterId, const at::Tensor& gradient) { onTheirWay.push_back(gradient); });
    EXPECT_EQ(DenseBlock::callsUntilRefusal, 0);
    EXPECT_EQ(executor.reliefs(), 1);
    EXPECT_EQ(drained, std::vector<size_t>{2});
    EXPECT_EQ(onTheirWay.size(), 4U);
}

TEST(Executor, passesOtherErrorsOnAndEndsWhereMemoryRunsOutTwice) {
    const Network network = toyNetwork();
    ParameterStore store(network.schedule(), {});
    fill(store);
    Executor executor(network, store);
    const at::Tensor x = at::randn({5, kWidth});
    EXPECT_THROW(executor.forward({at::randn({5, kWidth + 1})}, {true}, 0), c10::Error);
    EXPECT_EQ(executor.reliefs(), 0);
    const at::Tensor output = executor.forward({x}, {true}, 0)[0];
    const auto refusing = [](ParameterId, const at::Tensor&) {
        TORCH_CHECK_WITH(OutOfMemoryError, false, "always too little");
    };
    EXPECT_THROW(executor.backward({at::ones_like(output)}, refusing), c10::OutOfMemoryError);
    EXPECT_EQ(executor.reliefs(), 1);
}

TEST(Executor, saysWhereTheTimeOfAPassGoes) {
    const Network network = toyNetwork();
    ParameterStore store(network.schedule(), {});
    fill(store);
    Executor executor(network, store);
    BlockTimes times;
    executor.setTimes(&times);
    const auto slowly = [](ParameterId id, const at::Tensor&) {
        if (id.block == 1 && id.index == 0) std::this_thread::sleep_for(std::chrono::milliseconds(200));
    };
    const at::Tensor output = executor.forward({at::randn({5, kWidth})}, {true}, 0)[0];
    static_cast<void>(executor.backward({at::ones_like(output)}, slowly));
    ASSERT_EQ(times.nodes.size(), 3U);
    EXPECT_EQ(times.passes, 1);
    for (const TurnSeconds& turn : times.nodes) {
        EXPECT_GT(turn.forward, 0.0);
        EXPECT_GT(turn.backward, 0.0);
    }
    EXPECT_GE(times.nodes[1].handOver, 0.2);
    EXPECT_LT(times.nodes[0].handOver, 0.2);
    executor.setTimes(nullptr);
    static_cast<void>(executor.forward({at::randn({5, kWidth})}, {true}, 0));
    EXPECT_EQ(times.passes, 1);
}

TEST(Executor, mayUpdateParametersInsideBackward) {
    const Network network = toyNetwork();
    for (const Recompute recompute : {Recompute::Always, Recompute::CheapParts, Recompute::Never}) {
        ParameterStore store(network.schedule(), {});
        fill(store);
        const at::Tensor x = at::randn({5, kWidth});
        const Gradients untouched = throughExecutor(network, store, x, recompute);
        Executor executor(network, store);
        for (int block = 0; block < 3; ++block) executor.setRecompute(block, recompute);
        const at::Tensor output = executor.forward({x}, {false}, 0)[0];
        std::vector<at::Tensor> found(6);
        (void)executor.backward({at::ones_like(output)}, [&](ParameterId id, at::Tensor gradient) {
            store.parameter(id).fill_(1e6); // whoever still read it would show it
            found[2 * id.block + id.index] = std::move(gradient);
        });
        for (int i = 0; i < 6; ++i) EXPECT_TRUE(at::equal(found[i], untouched.parameters[i])) << i;
    }
}

TEST(Executor, skipsFrozenBlocksThatNothingNeeds) {
    const Network network = toyNetwork(/*firstTrainable=*/false);
    ParameterStore store(network.schedule(), {});
    fill(store);
    Executor executor(network, store);
    const at::Tensor output = executor.forward({at::randn({2, kWidth})}, {false}, 0)[0];
    std::vector<int> blocks;
    const auto inputs = executor.backward(
        {at::ones_like(output)}, [&](ParameterId id, const at::Tensor&) { blocks.push_back(id.block); });
    EXPECT_EQ(blocks, (std::vector<int>{2, 2, 1, 1}));
    EXPECT_FALSE(inputs[0].defined());
}

TEST(Executor, runEqualsForwardAndKeepsNothing) {
    const Network network = toyNetwork();
    ParameterStore store(network.schedule(), {});
    fill(store);
    Executor executor(network, store);
    const at::Tensor x = at::randn({3, kWidth});
    const at::Tensor inferred = executor.run({x})[0];
    EXPECT_EQ(executor.heldBytes(), 0);
    const at::Tensor trained = executor.forward({x}, {false}, 0)[0];
    EXPECT_GT(executor.heldBytes(), 0);
    EXPECT_TRUE(at::equal(inferred, trained));
    executor.discard();
    EXPECT_EQ(executor.heldBytes(), 0);
}

TEST(Executor, countsKeptProducts) {
    const Network network = toyNetwork();
    ParameterStore store(network.schedule(), {});
    fill(store);
    const at::Tensor x = at::randn({3, kWidth});
    std::vector<int64_t> bytes;
    for (const Recompute recompute : {Recompute::Always, Recompute::CheapParts}) {
        Executor executor(network, store);
        for (int block = 0; block < 3; ++block) executor.setRecompute(block, recompute);
        (void)executor.forward({x}, {false}, 0);
        bytes.push_back(executor.heldBytes());
    }
    EXPECT_EQ(bytes[1] - bytes[0], 3 * 3 * kWidth * static_cast<int64_t>(sizeof(float)));
}

TEST(Executor, releasesAllChunksWhenABlockThrows) {
    const Network network = toyNetwork();
    ParameterStore store(network.schedule(), {});
    fill(store);
    Executor executor(network, store);
    EXPECT_THROW((void)executor.run({at::randn({3, kWidth + 1})}), c10::Error);
    for (const Chunk& chunk : store.chunks()) EXPECT_EQ(chunk.state, ChunkState::Hold);
}

TEST(ParameterStore, cutsEveryBlockIntoChunksOfOneSize) {
    const Network network = toyNetwork();
    ParameterStore::Options options;
    options.chunkBytes = 4096;
    ParameterStore store(network.schedule(), options);
    int64_t used = 0;
    for (size_t i = 0; i < store.chunks().size(); ++i) {
        const Chunk& chunk = store.chunks()[i];
        EXPECT_EQ(chunk.homeOffsetBytes, static_cast<int64_t>(i) * 4096);
        EXPECT_GT(chunk.usedBytes, 0);
        const bool endsBlock = i + 1 == store.chunks().size() || store.chunks()[i + 1].block != chunk.block;
        if (endsBlock)
            EXPECT_LE(chunk.usedBytes, 4096);
        else
            EXPECT_EQ(chunk.usedBytes, 4096); // padding only at the end of a block
        used += chunk.usedBytes;
    }
    EXPECT_EQ(store.residentBytes(), static_cast<int64_t>(store.chunks().size()) * 4096);
    EXPECT_GE(used, 4 * network.schedule().parameterCount());
    EXPECT_LT(used, 4 * network.schedule().parameterCount() + 6 * 64);
    int64_t padded = 0; // no two blocks share a chunk
    for (int block = 0; block < 3; ++block) {
        EXPECT_EQ(store.paddedBytes(block) % 4096, 0);
        padded += store.paddedBytes(block);
    }
    EXPECT_EQ(padded, store.residentBytes());
}

TEST(ParameterStore, choosesChunksThatWasteLittle) {
    constexpr int64_t kMiB = int64_t{1} << 20;
    EXPECT_EQ(chunkBytesFor({1000 * kMiB, 500 * kMiB}), 16 * kMiB);
    EXPECT_EQ(chunkBytesFor(std::vector<int64_t>(50, 100 * kMiB)), 4 * kMiB);
    EXPECT_EQ(chunkBytesFor({100, 200}), 64 << 10);
    EXPECT_EQ(chunkBytesFor({}), 16 * kMiB);
}

TEST(Executor, holdsTheChunksOfKeptGraphs) {
    const Network network = toyNetwork();
    ParameterStore store(network.schedule(), {});
    fill(store);
    Executor executor(network, store);
    executor.setRecompute(1, Recompute::Never);
    const auto states = [&] {
        std::vector<ChunkState> found;
        for (const Chunk& chunk : store.chunks()) found.push_back(chunk.state);
        return found;
    };
    using enum ChunkState;
    const at::Tensor output = executor.forward({at::randn({2, kWidth})}, {false}, 0)[0];
    EXPECT_EQ(states(), (std::vector{Hold, Compute, Hold}));
    (void)executor.backward({at::ones_like(output)}, [&](ParameterId id, const at::Tensor&) {
        EXPECT_EQ(store.chunks()[static_cast<size_t>(id.block)].state, Hold); // the optimizer may write now
    });
    EXPECT_EQ(states(), (std::vector{Hold, Hold, Hold}));
    (void)executor.forward({at::randn({2, kWidth})}, {false}, 0);
    (void)executor.forward({at::randn({2, kWidth})}, {false}, 0); // drops what the one before kept
    executor.discard();
    EXPECT_EQ(states(), (std::vector{Hold, Hold, Hold}));
}

/// Three steps of training with plain gradient descent; the final parameters.
std::vector<at::Tensor> trained(const Network& network, const ParameterStore::Options& options,
                                Recompute recompute) {
    ParameterStore store(network.schedule(), options);
    fill(store);
    Executor executor(network, store);
    for (int block = 0; block < 3; ++block) executor.setRecompute(block, recompute);
    for (int step = 0; step < 3; ++step) {
        const at::Tensor x = at::full({4, kWidth}, 0.1 * (step + 1));
        const at::Tensor output = executor.forward({x}, {false}, 0)[0];
        (void)executor.backward({output}, [&](ParameterId id, const at::Tensor& gradient) {
            store.parameter(id).sub_(gradient, 0.05);
        });
        (void)executor.run({x}); // a preview between the steps
    }
    std::vector<at::Tensor> parameters;
    for (int i = 0; i < 6; ++i) parameters.push_back(store.parameter({i / 2, i % 2}).clone());
    return parameters;
}

TEST(Executor, streamingParametersChangesNoBit) {
    for (const bool firstTrainable : {true, false}) {
        const Network network = toyNetwork(firstTrainable);
        for (const Recompute recompute : {Recompute::Always, Recompute::CheapParts}) {
            ParameterStore::Options options;
            options.chunkBytes = 4096;
            const auto expected = trained(network, options, recompute);
            for (const int64_t deviceBytes : {0, 24 << 10, 36 << 10, 1 << 20})
                for (const int distance : {0, 1, 3}) {
                    options.streaming = StreamingOptions{deviceBytes, distance};
                    const auto found = trained(network, options, recompute);
                    for (int i = 0; i < 6; ++i)
                        EXPECT_TRUE(at::equal(found[i], expected[i])) << i << " with " << deviceBytes;
                }
        }
    }
}

/// Those that the device updates begin with what is there.
TEST(Executor, keepsABlockForItsGradientsWhereTheDeviceUpdates) {
    const Network network = toyNetwork();
    for (const bool updates : {true, false}) {
        ParameterStore store(network.schedule(), {.streaming = StreamingOptions{.updatesOnDevice = updates}});
        fill(store);
        Executor executor(network, store);
        const at::Tensor output = executor.forward({at::ones({2, kWidth})}, {false}, 0)[0];
        int taken = 0;
        (void)executor.backward({at::ones_like(output)}, [&](ParameterId id, const at::Tensor& /*gradient*/) {
            const at::Tensor copy = store.copyInUse(id);
            EXPECT_EQ(copy.defined(), updates) << id.block;
            EXPECT_TRUE(!updates || at::equal(copy, store.parameter(id))) << id.block;
            ++taken;
        });
        EXPECT_EQ(taken, 6);
        for (int block = 0; block < 3; ++block) EXPECT_FALSE(store.copyInUse({block, 0}).defined()) << block;
    }
}

TEST(ParameterStore, streamsThroughAnArenaSmallerThanTheModel) {
    const Network network = toyNetwork();
    ParameterStore::Options options;
    options.chunkBytes = 4096;
    options.streaming = StreamingOptions{};
    options.streaming->prefetchDistance = 0;
    ParameterStore store(network.schedule(), options);
    fill(store);
    Executor executor(network, store);
    (void)executor.run({at::randn({2, kWidth})});
    int64_t all = 0;
    for (const Chunk& chunk : store.chunks()) all += chunk.usedBytes;
    EXPECT_EQ(store.traffic().bytes, all);
    EXPECT_EQ(store.residentBytes(), 5 * 4096); // of the largest block
    options.streaming->deviceBytes = 4 * 4096;
    ParameterStore small(network.schedule(), options);
    Executor refused(network, small);
    EXPECT_THROW((void)refused.run({at::randn({2, kWidth})}), c10::OutOfMemoryError);
    EXPECT_THROW(refused.setRecompute(0, Recompute::Never), c10::Error);
}

TEST(ParameterStore, refusesToAcquireTwice) {
    const Network network = toyNetwork();
    ParameterStore store(network.schedule(), {});
    (void)store.acquire(1);
    EXPECT_THROW((void)store.acquire(1), c10::Error);
    store.release(1);
    EXPECT_NO_THROW((void)store.acquire(1));
}

TEST(ParameterStore, findsParametersByTheirFullKey) {
    const Network network = toyNetwork();
    ParameterStore store(network.schedule(), {});
    EXPECT_EQ(store.find("b.bias"), (ParameterId{1, 1}));
    EXPECT_EQ(store.find("b.nothing"), ParameterId{});
    EXPECT_EQ(store.spec({2, 0}).shape, (std::vector<int64_t>{kWidth, 2 * kWidth}));
}

} // namespace
