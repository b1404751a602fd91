// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Memory that is refused between two pieces of a parameter whose states or gradients lie on a disk: what is
// handed over again, as the executor does, is never used twice.
#include "core/engine/jobs/expected_failure.h"
#include "core/engine/memory/memory_relief.h"
#include "core/engine/optim/gradient_flow.h"
#include "tests/engine/failing_once.h"
#include "tests/engine/optim_support.h"

#include <new>

namespace homebooth::core {
namespace {

using testing::FailingAllocator;
using testing::FailOnce;

constexpr int64_t kPieces = 3;

/// Takes gradients off a parameter, and is refused memory at one of the pieces.
class Descent final : public Optimizer {
public:
    using Optimizer::Optimizer;
    void update(ParameterId id, const at::Tensor& gradient, double scale) override {
        updateRange(id, flatAlias(gradient), 0, scale, Workers::All);
    }
    [[nodiscard]] bool updatesRanges() const override { return true; }
    [[nodiscard]] std::vector<at::Tensor> touched(ParameterId id, int64_t begin,
                                                  int64_t count) const override {
        return {stretchOf(store().parameter(id), begin, count)};
    }
    void updateCopies(ParameterId /*id*/, const at::Tensor& gradient, int64_t /*begin*/, double /*scale*/,
                      const std::vector<at::Tensor>& copies, Workers /*workers*/) const override {
        if (m_refused >= 0 && m_refused-- == 0) throw std::bad_alloc();
        at::Tensor(copies[0]).sub_(gradient);
    }
    void refuse(int piece) { m_refused = piece; }

protected:
    [[nodiscard]] std::vector<Moment> momentsAt(size_t /*position*/) const override { return {}; }

private:
    mutable int m_refused = -1;
};

/// One parameter of zeros, in pieces.
struct Bench {
    std::unique_ptr<SwappedMemory> disk = makeDisk();
    Schedule schedule = looseParameters({{kPieces * kSwappedElements}});
    ParameterStore store{schedule, {}};
    StateMemory states = StateMemory::swapped(store, *disk, 0);
    Descent optimizer{OptimizerConfig{}, store, 0, states};
    GradientFlow flow;

    explicit Bench(int64_t accumulationSteps)
        : flow({.accumulationSteps = accumulationSteps}, {&optimizer},
               {StateMemory::swapped(store, *disk, 0)}) {
        parameter().zero_();
        const double rate = 1.0;
        flow.beginStep(1, {&rate, 1});
    }
    static std::unique_ptr<SwappedMemory> makeDisk() {
        SwappedMemoryOptions options;
        options.folder = ::testing::TempDir();
        options.bytes = kPieces * kSwappedElements * 4;
        return required(SwappedMemory::create(options));
    }
    [[nodiscard]] at::Tensor parameter() const { return store.parameter(optimizer.trainable()[0]); }
    /// @returns  whether memory was refused and it may be handed over again
    bool handOver(const at::Tensor& gradient) {
        try {
            flow.sink(0)(optimizer.trainable()[0], gradient);
        } catch (const std::exception&) {
            if (!memoryRanOut()) throw;
            return true;
        }
        return false;
    }
};

at::Tensor ones(at::ScalarType type = at::kFloat) {
    return at::ones({kPieces * kSwappedElements}, type);
}

TEST(RefusedPieces, anUpdateIsRepeatedOnlyWhereNothingHasChanged) {
    Bench first(1);
    first.optimizer.refuse(0);
    EXPECT_TRUE(first.handOver(ones()));
    EXPECT_FALSE(first.handOver(ones()));
    EXPECT_TRUE(at::equal(first.parameter(), -ones()));

    Bench second(1);
    second.optimizer.refuse(1);
    try {
        static_cast<void>(second.handOver(ones()));
        ADD_FAILURE() << "what has changed in part would be updated again";
    } catch (const ExpectedFailure& failure) {
        EXPECT_EQ(failure.error().code, ErrorCode::OutOfResources);
    }
}

/// Refuses an allocation as the second of two gradients is added to what rests.
/// @param ended  counts those that nobody got over. @returns  whether there was such an allocation
bool isRefused(int64_t allocation, int& ended) {
    FailOnce& memory = FailingAllocator::installed().any;
    Bench bench(2);
    const at::Tensor gradient = ones(at::kBFloat16); // is added in fp32: that takes memory
    EXPECT_FALSE(bench.handOver(gradient));
    bench.flow.endMicroStep();
    memory.arm(allocation);
    bool refused = false;
    try {
        refused = bench.handOver(gradient);
    } catch (const ExpectedFailure& failure) {
        EXPECT_EQ(failure.error().code, ErrorCode::OutOfResources);
        ++ended;
        return true;
    }
    memory.arm(0);
    if (refused) {
        EXPECT_FALSE(bench.handOver(gradient));
    }
    bench.flow.endMicroStep();
    EXPECT_FALSE(bench.flow.endStep().skipped);
    EXPECT_TRUE(at::equal(bench.parameter(), -2.0 * ones())) << "allocation " << allocation;
    return refused;
}

TEST(RefusedPieces, aGradientIsAddedOnce) {
    int ended = 0;
    int64_t allocation = 1;
    while (isRefused(allocation, ended)) ++allocation;
    EXPECT_GE(allocation, kPieces + 1);
    EXPECT_GE(ended, kPieces - 1); // behind the first piece
}

} // namespace
} // namespace homebooth::core
