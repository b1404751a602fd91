// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// AdamW and Adafactor against torch and transformers; 8-bit AdamW against AdamW; states; threads; layouts.
#include "core/engine/optim/memory_order.h"
#include "core/engine/optim/ordered_sum.h"
#include "tests/engine/optim_support.h"

#include <ATen/Parallel.h>

#include <filesystem>
#include <map>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>

namespace homebooth::core {
namespace {

constexpr OptimizerKind kAllKinds[] = {OptimizerKind::AdamW, OptimizerKind::AdamW8bit,
                                       OptimizerKind::Adafactor};

/// Shapes for everything that must not depend on threads: with work for several of them.
const std::vector<std::vector<int64_t>> kLargeShapes = {{300, 301}, {17}};

/// A store with a parameter of every interesting size and shape, and its optimizer.
struct Bench {
    Schedule schedule;
    ParameterStore store;
    std::unique_ptr<Optimizer> optimizer;

    Bench(OptimizerKind kind, at::ScalarType type, StateType states = StateType::Fp32,
          const std::vector<std::vector<int64_t>>& shapes = {{24, 20, 3, 3}, {70, 71}, {17}, {12, 4, 1, 1}},
          MasterWeights master = MasterWeights::None)
        : schedule(looseParameters(shapes))
        , store(schedule, {.type = type}) {
        at::manual_seed(1);
        for (const ParameterId id : OptimizerFixture::allParameters(store)) {
            at::Tensor parameter = store.parameter(id);
            parameter.copy_(at::randn(parameter.sizes()));
        }
        OptimizerConfig config;
        config.kind = kind;
        config.states = states;
        config.master = master;
        optimizer = makeOptimizer(config, store, 7);
    }
    void run(int64_t firstStep, int64_t lastStep, bool reversed = false) {
        for (int64_t step = firstStep; step <= lastStep; ++step) {
            optimizer->beginStep(step, 1e-3);
            std::vector<ParameterId> ids = optimizer->trainable();
            std::map<std::string, at::Tensor> gradients;
            at::manual_seed(static_cast<uint64_t>(100 + step));
            for (const ParameterId id : ids)
                gradients[store.spec(id).name] =
                    at::randn(store.parameter(id).sizes()).to(store.parameter(id).scalar_type());
            if (reversed) std::reverse(ids.begin(), ids.end());
            for (const ParameterId id : ids) optimizer->update(id, gradients.at(store.spec(id).name), 0.5);
        }
    }
    [[nodiscard]] std::vector<at::Tensor> parameters() const {
        std::vector<at::Tensor> result;
        for (const ParameterId id : optimizer->trainable())
            result.push_back(store.parameter(id).contiguous().clone());
        return result;
    }
};

void expectEqual(const Bench& found, const Bench& expected) {
    const auto a = found.parameters();
    const auto b = expected.parameters();
    for (size_t i = 0; i < a.size(); ++i) EXPECT_TRUE(at::equal(a[i], b[i])) << "parameter " << i;
    const auto foundStates = copiedStates(*found.optimizer);
    for (const auto& [name, state] : copiedStates(*expected.optimizer))
        EXPECT_TRUE(at::equal(foundStates.at(name), state)) << name;
}

struct FixtureRun {
    OptimizerFixture fixture;
    Schedule schedule = looseParameters(OptimizerFixture::shapes());
    ParameterStore store{schedule, {}};
    std::unique_ptr<Optimizer> optimizer;

    explicit FixtureRun(OptimizerKind kind) {
        fixture.fillStart(store);
        const OptimizerConfig config = OptimizerFixture::config(kind);
        optimizer = makeOptimizer(config, store, 0);
        for (int64_t step = 0; step < OptimizerFixture::kSteps; ++step) {
            optimizer->beginStep(step + 1, config.learningRate);
            for (const ParameterId id : optimizer->trainable())
                optimizer->update(id, fixture.gradient(step, store, id), 1.0);
        }
    }
};

TEST(AdamW, followsTorch) {
    const FixtureRun run(OptimizerKind::AdamW);
    for (const ParameterId id : run.optimizer->trainable()) {
        const std::string& name = run.store.spec(id).name;
        EXPECT_LT(relativeError(run.store.parameter(id), run.fixture["adamw." + name]), 1e-6) << name;
    }
    const auto states = copiedStates(*run.optimizer);
    for (const std::string name : {"p0", "p1", "p2", "p3"})
        for (const std::string state : {"exp_avg", "exp_avg_sq"})
            EXPECT_LT(
                relativeError(states.at(name + "." + state), run.fixture["adamw." + state + "." + name]),
                1e-6)
                << name << " " << state;
}

TEST(Adafactor, followsTransformers) {
    const FixtureRun run(OptimizerKind::Adafactor);
    for (const ParameterId id : run.optimizer->trainable()) {
        const std::string& name = run.store.spec(id).name;
        EXPECT_LT(relativeError(run.store.parameter(id), run.fixture["adafactor." + name]), 1e-5) << name;
    }
}

TEST(AdamW8bit, staysNearAdamW) {
    Bench exact(OptimizerKind::AdamW, at::kFloat);
    Bench found(OptimizerKind::AdamW8bit, at::kFloat);
    const std::vector<at::Tensor> start = exact.parameters();
    exact.run(1, 20);
    found.run(1, 20);
    const auto expected = exact.parameters();
    const auto parameters = found.parameters();
    for (size_t i = 0; i < expected.size(); ++i) {
        const double moved = (expected[i] - start[i]).norm().item<double>();
        EXPECT_LT((parameters[i] - expected[i]).norm().item<double>(), 0.1 * moved) << i;
    }
    EXPECT_TRUE(at::equal(parameters[2], expected[2])) << "small parameters keep fp32 moments";
}

TEST(Optimizers, theOrderOfUpdatesChangesNoBit) {
    for (const OptimizerKind kind : kAllKinds) {
        for (const at::ScalarType type : {at::kFloat, at::kBFloat16, at::kHalf}) {
            Bench forward(kind, type);
            Bench backward(kind, type);
            forward.run(1, 3);
            backward.run(1, 3, /*reversed=*/true);
            expectEqual(backward, forward);
        }
    }
}

TEST(Optimizers, theThreadCountChangesNoBit) {
    const int before = at::get_num_threads();
    for (const OptimizerKind kind : kAllKinds) {
        at::set_num_threads(1);
        Bench single(kind, at::kBFloat16, StateType::Bf16, kLargeShapes);
        single.run(1, 3);
        for (const int threads : {2, 3}) {
            at::set_num_threads(threads);
            Bench several(kind, at::kBFloat16, StateType::Bf16, kLargeShapes);
            several.run(1, 3);
            expectEqual(several, single);
        }
    }
    at::set_num_threads(before);
}

TEST(OrderedSum, isThatOfEverySideForAnyThreadCount) {
    using kernels::Summed;
    const int before = at::get_num_threads();
    at::manual_seed(5);
    for (const std::vector<int64_t>& sizes : std::vector<std::vector<int64_t>>{
             {17}, {700, 900}, {300, 301}, {24, 20, 3, 3}, {1, 1}, {130, 64}, {9000, 4}})
        for (const Summed what : {Summed::Values, Summed::Squares}) {
            const at::Tensor values = at::randn(sizes);
            const at::Tensor exact = values.to(at::kDouble);
            const at::Tensor terms = what == Summed::Squares ? exact * exact : exact;
            for (int64_t side = -values.dim(); side < values.dim(); ++side) {
                at::set_num_threads(1);
                const at::Tensor single = sumAlong(values, side, what);
                at::set_num_threads(3);
                EXPECT_TRUE(at::equal(sumAlong(values, side, what), single)) << values.sizes();
                EXPECT_TRUE(at::allclose(single, terms.sum(side), 1e-12, 1e-12)) << values.sizes();
                EXPECT_EQ(single.sizes(), sumAlong(values.to(at::kMeta), side, what).sizes());
            }
        }
    at::set_num_threads(before);
    EXPECT_THROW(static_cast<void>(sumAlong(at::ones({3, 4}).t(), 0, Summed::Values)), c10::Error);
    EXPECT_THROW(static_cast<void>(sumAlong(at::ones({3, 4}), 2, Summed::Values)), c10::Error);
}

/// Along either side of a large parameter, and where sums are summed again.
TEST(OrderedSum, isCutByTheWorkInItsRows) {
    struct Case {
        int64_t rows;
        int64_t perRow;
        size_t cuts;
    };
    const int before = at::get_num_threads();
    at::set_num_threads(3);
    for (const Case& one :
         {Case{20, 64 * 1280, 3}, Case{1280 * 20, 64, 3}, Case{11, 64 * 900, 3}, Case{2, 64 * 512, 2},
          Case{1280 * 8, 3, 1}, Case{1280 * 32, 3, 3}, Case{20, 64, 1}, Case{1, 1, 1}}) {
        std::mutex mutex;
        std::map<int64_t, int64_t> ranges;
        parallelOverRows(one.rows, one.perRow, [&](int64_t begin, int64_t end) {
            const std::lock_guard lock(mutex);
            ranges[begin] = end;
        });
        EXPECT_EQ(ranges.size(), one.cuts) << one.rows;
        int64_t covered = 0;
        for (const auto& [begin, end] : ranges) {
            EXPECT_EQ(begin, covered) << one.rows;
            covered = end;
        }
        EXPECT_EQ(covered, one.rows);
    }
    at::set_num_threads(before);
}

TEST(Optimizers, mostThreadsLeaveSomeToOthers) {
    constexpr int64_t kCount = (int64_t{1} << 22) + 77;
    constexpr int64_t kUnit = 256;
    const int before = at::get_num_threads();
    for (const auto& [threads, most] : {std::pair{1, 1}, {2, 2}, {3, 3}, {4, 3}, {6, 5}, {8, 6}, {16, 14}}) {
        at::set_num_threads(threads);
        EXPECT_EQ(threadsOf(Workers::Most), most) << threads;
        std::mutex mutex;
        std::map<int64_t, int64_t> ranges;
        const auto work = [&](int64_t begin, int64_t end) {
            const std::lock_guard lock(mutex);
            ranges[begin] = end;
        };
        parallelOver(kCount, kUnit, work, Workers::Most);
        EXPECT_LE(ranges.size(), static_cast<size_t>(most)) << threads;
        int64_t covered = 0;
        for (const auto& [begin, end] : ranges) {
            EXPECT_EQ(begin, covered) << threads;
            EXPECT_EQ(begin % kUnit, 0) << threads;
            covered = end;
        }
        EXPECT_EQ(covered, kCount) << threads;
    }
    at::set_num_threads(before);
}

TEST(Optimizers, onlyThoseThatGetWorkAreWoken) {
    const auto threadsNow = [] {
        const std::filesystem::directory_iterator all("/proc/self/task");
        return std::distance(begin(all), end(all));
    };
    const int before = at::get_num_threads();
    at::set_num_threads(16);
    // Another thread has a team of its own, as that has which updates beside a GPU.
    std::thread([&] {
        const auto alone = threadsNow();
        for (int i = 0; i < 3; ++i)
            parallelOver(
                int64_t{1} << 22, 64, [](int64_t, int64_t) {}, Workers::Most);
        EXPECT_EQ(threadsNow() - alone, threadsOf(Workers::Most) - 1);
    }).join();
    const auto fails = [](int64_t, int64_t) { throw std::runtime_error("no room"); };
    EXPECT_THROW(parallelOver(int64_t{1} << 22, 64, fails, Workers::Most), std::runtime_error);
    at::set_num_threads(before);
}

TEST(Optimizers, savedStatesContinueBitForBit) {
    for (const OptimizerKind kind : kAllKinds) {
        for (const StateType states : {StateType::Fp32, StateType::Bf16}) {
            Bench whole(kind, at::kBFloat16, states);
            whole.run(1, 6);
            Bench first(kind, at::kBFloat16, states);
            first.run(1, 3);
            Bench second(kind, at::kBFloat16, states);
            for (const ParameterId id : first.optimizer->trainable()) {
                at::Tensor target = second.store.parameter(id);
                target.copy_(first.store.parameter(id));
            }
            const auto saved = copiedStates(*first.optimizer);
            const auto loaded = second.optimizer->loadState(lookupIn(saved));
            ASSERT_TRUE(loaded.ok()) << loaded.error().text();
            second.run(4, 6);
            expectEqual(second, whole);
        }
    }
}

TEST(Optimizers, refuseAStateThatIsMissingOrOfAnotherShape) {
    for (const OptimizerKind kind : kAllKinds) {
        Bench bench(kind, at::kFloat);
        auto states = copiedStates(*bench.optimizer);
        const std::string name = states.begin()->first;
        states[name] = at::zeros({3, 3});
        auto loaded = bench.optimizer->loadState(lookupIn(states));
        ASSERT_FALSE(loaded.ok());
        EXPECT_EQ(loaded.error().code, ErrorCode::BadInput);
        EXPECT_EQ(loaded.error().context, name);
        EXPECT_NE(loaded.error().message.find("[3, 3]"), std::string::npos);
        states.erase(name);
        loaded = bench.optimizer->loadState(lookupIn(states));
        ASSERT_FALSE(loaded.ok());
        EXPECT_EQ(loaded.error().context, name);
    }
}

TEST(Optimizers, takeGradientsOfAnyMemoryOrder) {
    for (const OptimizerKind kind : kAllKinds) {
        Bench plain(kind, at::kFloat);
        Bench strided(kind, at::kFloat);
        for (Bench* bench : {&plain, &strided}) {
            bench->optimizer->beginStep(1, 1e-3);
            const ParameterId id = bench->optimizer->trainable()[0];
            at::manual_seed(3);
            const at::Tensor gradient = at::randn(bench->store.parameter(id).sizes());
            bench->optimizer->update(
                id, bench == &plain ? gradient : gradient.contiguous(at::MemoryFormat::ChannelsLast), 1.0);
        }
        expectEqual(strided, plain);
    }
}

TEST(Optimizers, refuseGradientsThatDoNotFit) {
    for (const OptimizerKind kind : kAllKinds) {
        Bench bench(kind, at::kFloat);
        bench.optimizer->beginStep(1, 1e-3);
        EXPECT_THROW(bench.optimizer->update({0, 1}, at::zeros({71, 70}), 1.0), c10::Error);
    }
}

/// Where there is a master, a 16-bit parameter learns as one in fp32 does, but for its rounding.
TEST(Optimizers, mastersLearnAsParametersInFp32Do) {
    for (const OptimizerKind kind : kAllKinds)
        for (const at::ScalarType type : {at::kBFloat16, at::kHalf}) {
            Bench exact(kind, at::kFloat);
            Bench found(kind, type, StateType::Fp32, {{24, 20, 3, 3}, {70, 71}, {17}, {12, 4, 1, 1}},
                        MasterWeights::Fp32);
            for (const ParameterId id : exact.optimizer->trainable()) { // both begin with the rounded ones
                at::Tensor parameter = exact.store.parameter(id);
                parameter.copy_(found.store.parameter(id));
            }
            for (int64_t step = 1; step <= 10; ++step)
                for (Bench* bench : {&exact, &found}) {
                    bench->optimizer->beginStep(step, 1e-5);
                    at::manual_seed(static_cast<uint64_t>(step));
                    for (const ParameterId id : bench->optimizer->trainable())
                        bench->optimizer->update(id, at::randn(bench->store.parameter(id).sizes()), 1.0);
                }
            for (const ParameterId id : exact.optimizer->trainable()) {
                const at::Tensor master = found.optimizer->exact(id).tensor;
                EXPECT_TRUE(at::equal(master, exact.store.parameter(id)));
                EXPECT_TRUE(at::equal(found.store.parameter(id), master.to(type)));
            }
        }
}

TEST(Optimizers, saveMastersApart) {
    Bench bench(OptimizerKind::AdamW, at::kBFloat16, StateType::Fp32, {{70, 71}}, MasterWeights::Fp32);
    EXPECT_EQ(bench.optimizer->stateBytes(), 70 * 71 * 12);
    EXPECT_EQ(bench.optimizer->stateTensors().size(),
              2u); // a checkpoint has masters in the parameters' place
    const ParameterId id = bench.optimizer->trainable()[0];
    const at::Tensor master = bench.optimizer->exact(id).tensor;
    master.fill_(1.0 + 1.0 / 1024.0);
    bench.optimizer->followMaster(id);
    EXPECT_TRUE(at::equal(bench.store.parameter(id), at::ones({70, 71}, at::kBFloat16)));
    Bench fp32(OptimizerKind::AdamW, at::kFloat, StateType::Fp32, {{70, 71}}, MasterWeights::Fp32);
    EXPECT_FALSE(fp32.optimizer->hasMaster(id)) << "it needs none";
}

TEST(Optimizers, leaveFrozenParametersAlone) {
    Schedule schedule = looseParameters({{5}, {6}});
    schedule.blocks()[0].parameters[0].trainable = false;
    ParameterStore store(schedule, {});
    for (const OptimizerKind kind : kAllKinds) {
        OptimizerConfig config;
        config.kind = kind;
        const auto optimizer = makeOptimizer(config, store, 0);
        ASSERT_EQ(optimizer->trainable().size(), 1u);
        EXPECT_EQ(optimizer->position({0, 1}), 0u);
        EXPECT_THROW(static_cast<void>(optimizer->position({0, 0})), c10::Error);
    }
}

TEST(Optimizers, saySizesOfTheirStates) {
    const int64_t elements = 24 * 20 * 9 + 70 * 71 + 17 + 48;
    EXPECT_EQ(Bench(OptimizerKind::AdamW, at::kBFloat16).optimizer->stateBytes(), elements * 8);
    EXPECT_EQ(Bench(OptimizerKind::AdamW, at::kBFloat16, StateType::Bf16).optimizer->stateBytes(),
              elements * 4);
    EXPECT_LT(Bench(OptimizerKind::AdamW8bit, at::kBFloat16).optimizer->stateBytes(), elements * 2.1);
    const int64_t factors = 2 * 24 * 20 * 3 + (70 + 71) + 17 + 2 * 12 * 4;
    EXPECT_EQ(Bench(OptimizerKind::Adafactor, at::kBFloat16).optimizer->stateBytes(), factors * 4);
}

TEST(Optimizers, bf16ParametersLearnAtFineTuningRates) {
    for (const OptimizerKind kind : kAllKinds) {
        Schedule schedule = looseParameters({{64, 256}});
        ParameterStore exact(schedule, {.type = at::kFloat});
        ParameterStore rounded(schedule, {.type = at::kBFloat16});
        double mean[2] = {};
        for (int which = 0; which < 2; ++which) {
            ParameterStore& store = which == 0 ? exact : rounded;
            at::Tensor parameter = store.parameter({0, 0});
            parameter.fill_(1.0);
            OptimizerConfig config;
            config.kind = kind;
            config.weightDecay = 0.0;
            const auto optimizer = makeOptimizer(config, store, 5);
            for (int64_t step = 1; step <= 100; ++step) {
                optimizer->beginStep(step, 1e-5);
                optimizer->update({0, 0}, at::ones({64, 256}), 1.0);
            }
            mean[which] = parameter.to(at::kDouble).mean().item<double>();
        }
        EXPECT_NEAR(mean[0], 1.0 - 1e-3, 1e-5);
        EXPECT_NEAR(mean[1], mean[0], 1e-4); // to the nearest it would still be 1
    }
}

/// Zero states are fresh ones, however many steps came before them.
TEST(Optimizer, countsFromWhereItsStatesBegan) {
    for (const OptimizerKind kind : kAllKinds) {
        Bench fresh(kind, at::kFloat);
        Bench late(kind, at::kFloat);
        late.optimizer->setStatesBegin(1000);
        for (int64_t step = 1; step <= 3; ++step) {
            for (Bench* bench : {&fresh, &late}) {
                bench->optimizer->beginStep(bench == &fresh ? step : 1000 + step, 1e-3);
                for (const ParameterId id : bench->optimizer->trainable())
                    bench->optimizer->update(
                        id, at::full(bench->store.parameter(id).sizes(), 0.01 * static_cast<double>(step)),
                        1.0);
            }
            expectEqual(late, fresh);
        }
        EXPECT_THROW(late.optimizer->beginStep(1000, 1e-3), c10::Error);
    }
}

} // namespace
} // namespace homebooth::core
