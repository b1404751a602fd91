// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What a rehearsal counts of gradients that are added up over ranks with a GPU each. The others are
// pretended.
#include "core/engine/collective/device_sum.h"
#include "core/engine/memory/rehearsed_memory.h"
#include "core/engine/parallel/gradient_exchange.h"
#include "rank_parts.h"

#include <algorithm>

namespace homebooth::core::testing {
namespace {

constexpr int64_t kStretchBytes = int64_t{16} << 20;

class RehearsedExchange : public ::testing::Test, protected RankParts {
protected:
    void SetUp() override { ASSERT_NO_FATAL_FAILURE(open()); }

    /// What the sum of a block's gradients in bf16 takes beside them, at its most.
    [[nodiscard]] int64_t takenBeside(int block, at::DeviceType computesOn) const {
        RehearsedMemory memory(computesOn);
        ParameterStore::Options options;
        options.type = at::kBFloat16;
        options.device = at::kMeta;
        const ParameterStore store(*m_schedule, options);
        GradientExchange exchange(*m_ranks, {{&store, m_layout.get(), [](ParameterId, const at::Tensor&) {}}},
                                  /*ownParts=*/true);
        const GradientSink sink = exchange.sink(0);
        for (const ParameterId id : m_layout->members(block)) sink(id, at::empty_like(store.parameter(id)));
        memory.restartPeak(Tier::Device);
        const int64_t before = memory.use(Tier::Device).currentBytes;
        exchange.flush();
        EXPECT_LT(memory.use(Tier::Device).currentBytes, before); // nothing of it is left
        return memory.use(Tier::Device).peakBytes - before;
    }

    /// The block whose slices are longest.
    [[nodiscard]] int largest() const {
        int found = 0;
        for (int block = 1; block < blockCount(); ++block)
            if (m_layout->sliceElements(block) > m_layout->sliceElements(found)) found = block;
        return found;
    }
};

TEST_F(RehearsedExchange, countsThePartsOfAllRanksOnGpus) {
    const int block = largest();
    const int64_t stretch = stretchElements(m_layout->sliceElements(block), 2);
    const int64_t sumInFp32 = stretch * 4;
    EXPECT_GE(takenBeside(block, at::kCUDA), kRanks * stretch * 2 + sumInFp32);
    EXPECT_EQ(takenBeside(block, at::kCPU), 0); // gloo's are not LibTorch's
}

TEST(DeviceSum, takesNoMoreForALongPart) {
    EXPECT_EQ(stretchElements(1000, 2), 1000);
    EXPECT_EQ(stretchElements(kStretchBytes, 2) * 2, kStretchBytes);
    EXPECT_EQ(stretchElements(kStretchBytes, 4) * 4, kStretchBytes);
}

TEST(DeviceSum, addsInTheOrderOfRanksAndRoundsOnce) {
    const at::Tensor parts = at::empty({3, 2}, at::kBFloat16);
    parts.select(0, 0).fill_(256.0);
    parts.select(0, 1).fill_(0.75); // lost where each sum were rounded to bf16
    parts.select(0, 2).fill_(0.75);
    const at::Tensor sum = at::zeros({2}, at::kBFloat16);
    sumOnDevice(sum, parts, sumScratch(parts));
    EXPECT_TRUE(at::equal(sum, at::full({2}, 258.0, at::kBFloat16)));
}

/// Who runs out of memory in the middle of an exchange would ask the others for its beginning again.
TEST(DeviceSum, takesNoMemoryOfAGpuWhenPartsAreThere) {
    const RehearsedMemory memory(at::kCUDA);
    for (const at::ScalarType type : {at::kBFloat16, at::kHalf, at::kFloat, at::kDouble}) {
        const auto options = at::TensorOptions().dtype(type).device(at::kMeta);
        const at::Tensor parts = at::empty({3, 1000}, options);
        const at::Tensor scratch = sumScratch(parts);
        const at::Tensor sum = at::empty({700}, options);
        const int64_t before = memory.work().allocations;
        sumOnDevice(sum, parts.narrow(1, 0, 700), scratch);
        EXPECT_EQ(memory.work().allocations, before) << type;
    }
}

} // namespace
} // namespace homebooth::core::testing
