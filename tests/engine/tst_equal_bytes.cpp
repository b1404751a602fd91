// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Placement never changes a bit: after twenty steps, parameters, states and averages have the same bytes
// wherever they lay and whatever was computed again, also where that changed on the way.
#include "equal_bytes_support.h"

namespace homebooth::core::testing {
namespace {

TEST_P(EqualBytes, wherever) {
    const auto resident = trainResident();
    expectSame("cpu", streamed());
    StepPlacement values = streamed();
    values.valuesInRam = true;
    expectSame("values-in-ram", values);
    expectSame("mixed", mixed());
    expectSame("soon", soon());
    expectSame("visiting", visiting());
    expectSame("sharing", sharing());
    std::vector<StepPlan> plans;
    for (const int64_t percent : {45, 60, 80}) {
        plans.push_back(automatic(percent));
        expectSame("auto-" + std::to_string(percent), plans.back().placement);
    }
    expectVaried(plans);
    expectSame("kept", kept(*resident));

    StepPlacement statesOut;
    statesOut.allStatesOnDisk = true;
    StepPlacement homesOut = streamed();
    homesOut.streaming->homeOnDisk = true;
    int number = 0;
    for (const StepPlacement& placement : {streamed(), homesOut, allOnDisk(), statesOut})
        expectSameOnDisk("on-disk-" + std::to_string(number++), placement);
}

/// Of a case that has nothing but what others have, too, in another combination.
class EqualBytesInShort : public EqualBytes {};

TEST_P(EqualBytesInShort, wherever) {
    (void)trainResident();
    expectSame("cpu", streamed());
    expectSame("mixed", mixed());
    expectSame("visiting", visiting());
    expectSame("auto", automatic(60).placement);
    expectSameOnDisk("on-disk", allOnDisk());
}

TEST_P(EqualBytes, alsoWhereBlocksComeForAPassBeforeTheirsHasEnded) {
    const auto resident = trial(m_config, {});
    const auto streamed = trial(m_config, soon());
    int came = 0;
    for (int64_t step = 1; step <= kSteps; ++step)
        for (const auto* steps : {&resident, &streamed}) {
            runSteps(**steps, step, step);
            if (steps == &streamed) came += cameForTheNextPass(**steps);
            if (step % 3 != 0) continue;
            (*steps)->learner().swapInAverages(); // homes change between passes, twice
            if (steps == &streamed && m_config.optimizer.emaDecay > 0.0) {
                EXPECT_EQ(cameForTheNextPass(*streamed), 0);
            }
            (*steps)->learner().swapOutAverages();
        }
    expectEqualFolders(saved(*streamed, "ahead"), saved(*resident, "resident"));
    // Where every update waits for all gradients nothing is final before the end; where most blocks never
    // change they stay instead.
    if (m_config.method == TrainMethod::Full) {
        EXPECT_EQ(came > 0, !flowOptionsOf(m_config).needsAll()) << came;
    }
}

TEST_P(EqualBytes, howeverOftenItChanges) {
    (void)trainResident();
    StepPlacement streamed = EqualBytes::streamed();
    StepPlacement even = streamed;
    even.resident = everySecond(0);
    StepPlacement odd = streamed;
    odd.resident = everySecond(1);
    odd.valuesInRam = true;
    const auto moving = trial(m_config, {});
    int64_t step = 0;
    for (const StepPlacement& placement :
         {streamed, even, odd, visiting(), StepPlacement{}, sharing(), visiting()}) {
        const int64_t last = std::min(step + 3, kSteps);
        moving->learner().place(placement);
        runSteps(*moving, step + 1, last);
        step = last;
    }
    ASSERT_EQ(step, kSteps);
    expectEqualFolders(saved(*moving, "moving"), m_resident);

    TrainConfig swapping = m_config;
    swapping.memory.swapDir = m_root;
    streamed.streaming->homeOnDisk = true;
    streamed.allStatesOnDisk = true;
    odd.streaming->homeOnDisk = true;
    const auto onDisk = trial(swapping, streamed);
    runSteps(*onDisk, 1, 7);
    onDisk->learner().place(odd);
    runSteps(*onDisk, 8, 14);
    onDisk->learner().place(streamed);
    runSteps(*onDisk, 15, kSteps);
    expectEqualFolders(saved(*onDisk, "moving-on-disk"), m_resident);
}

/// Beside a GPU a disk takes the states of streamed blocks alone, and they move with their blocks. Here host
/// memory stands for the GPU's.
TEST_P(EqualBytes, withOnlyTheStatesOfStreamedBlocksOnADisk) {
    (void)trainResident();
    TrainConfig swapping = m_config;
    swapping.memory.swapDir = m_root;
    StepPlacement streamed = EqualBytes::streamed();
    streamed.diskOfStreamed = true;
    StepPlacement even = streamed;
    even.resident = everySecond(0);
    const auto stays = trial(swapping, even);
    runSteps(*stays, 1, kSteps);
    expectEqualFolders(saved(*stays, "states-of-streamed"), m_resident);
    const auto rehearsed = rehearseStep(swapping, m_model, even);
    ASSERT_TRUE(rehearsed.ok()) << rehearsed.error().text();
    const Learner& there = stays->learner();
    EXPECT_EQ(rehearsed->stateBytesOnDevice, there.stateBytesIn(Tier::Device));
    EXPECT_EQ(rehearsed->changingSwappedBytes, there.changingSwappedBytes());
    EXPECT_EQ(rehearsed->swappedBytes, there.swappedBytes());

    for (StepPlacement* placement : {&streamed, &even}) placement->allStatesOnDisk = true;
    StepPlacement odd = even;
    odd.resident = everySecond(1);
    StepPlacement staying;
    staying.diskOfStreamed = staying.allStatesOnDisk = true;
    const auto moving = trial(swapping, streamed);
    int64_t step = 0;
    for (const StepPlacement& placement : {streamed, even, odd, staying, odd, even, streamed}) {
        const int64_t last = std::min(step + 3, kSteps);
        moving->learner().place(placement);
        expectOnDiskOrDevice(moving->learner());
        const int64_t onDevice = moving->learner().stateBytesIn(Tier::Device);
        EXPECT_TRUE(placement != streamed || onDevice == 0);
        EXPECT_TRUE(placement != staying || moving->learner().changingSwappedBytes() == 0);
        runSteps(*moving, step + 1, last);
        step = last;
    }
    ASSERT_EQ(step, kSteps);
    expectEqualFolders(saved(*moving, "moving-states-of-streamed"), m_resident);
}

void bf16(TrainConfig& config) {
    config.precision = Precision::Bf16;
    config.optimizer.states = StateType::Bf16;
}

void withMaster(TrainConfig& config) {
    config.precision = Precision::Bf16;
    config.optimizer.master = MasterWeights::Fp32;
}

void lora(TrainConfig& config) {
    config.method = TrainMethod::Lora;
    config.lora.rank = 4;
    config.lora.convolutions = true;
}

INSTANTIATE_TEST_SUITE_P(
    methods, EqualBytes,
    ::testing::Values(Case{"fp32", [](TrainConfig&) {}}, Case{"bf16", bf16},
                      Case{"bf16EightBit",
                           [](TrainConfig& config) {
                               bf16(config);
                               config.optimizer.kind = OptimizerKind::AdamW8bit;
                           }},
                      Case{"fp32Clipped",
                           [](TrainConfig& config) { config.optimizer.maxGradientNorm = 0.5; }},
                      Case{"bf16ClippedWithAverages",
                           [](TrainConfig& config) {
                               bf16(config);
                               config.optimizer.maxGradientNorm = 0.5;
                               config.optimizer.emaDecay = 0.9;
                           }},
                      Case{"bf16Accumulated",
                           [](TrainConfig& config) {
                               bf16(config);
                               config.optimizer.accumulationSteps = 2;
                           }},
                      Case{"fp32TextEncoder", [](TrainConfig& config) { config.trainTextEncoder = true; }},
                      Case{"bf16TextEncoderAdafactor",
                           [](TrainConfig& config) {
                               bf16(config);
                               config.trainTextEncoder = true;
                               config.optimizer.kind = OptimizerKind::Adafactor;
                           }},
                      Case{"fp32Lora", lora},
                      Case{"bf16Lora",
                           [](TrainConfig& config) {
                               bf16(config);
                               lora(config);
                           }},
                      Case{"bf16LoraOnInt8WithTextEncoder",
                           [](TrainConfig& config) {
                               bf16(config);
                               lora(config);
                               config.quantization = Quantization::Int8;
                               config.trainTextEncoder = true;
                           }},
                      Case{"fp16", [](TrainConfig& config) { config.precision = Precision::Fp16; }},
                      Case{"bf16MasterEightBitWithAverages",
                           [](TrainConfig& config) {
                               withMaster(config);
                               config.optimizer.kind = OptimizerKind::AdamW8bit;
                               config.optimizer.emaDecay = 0.9;
                           }},
                      Case{"bf16MasterTextEncoderAdafactor",
                           [](TrainConfig& config) {
                               withMaster(config);
                               config.trainTextEncoder = true;
                               config.optimizer.kind = OptimizerKind::Adafactor;
                           }},
                      Case{"fp16MasterBf16States",
                           [](TrainConfig& config) {
                               withMaster(config);
                               config.precision = Precision::Fp16;
                               config.optimizer.states = StateType::Bf16;
                           }}),
    [](const auto& one) { return std::string(one.param.name); });

INSTANTIATE_TEST_SUITE_P(methods, EqualBytesInShort,
                         ::testing::Values(Case{"fp32Accumulated",
                                                [](TrainConfig& config) {
                                                    config.optimizer.accumulationSteps = 2;
                                                }},
                                           Case{"fp32LoraOnInt8",
                                                [](TrainConfig& config) {
                                                    lora(config);
                                                    config.quantization = Quantization::Int8;
                                                }}),
                         [](const auto& one) { return std::string(one.param.name); });

} // namespace
} // namespace homebooth::core::testing
