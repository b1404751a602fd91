// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Parameters that are streamed from RAM to a GPU, and gradients back: what arrives, in which order, and that
// training ends with the bytes of a model that stays on the GPU.
#include "core/base/arch/unet_layout.h"
#include "core/base/model/configs/scheduler_config.h"
#include "core/base/plan/training/learning_schedule.h"
#include "core/engine/learning/denoising_step.h"
#include "core/engine/memory/cuda_link.h"
#include "core/engine/memory/device_wait.h"
#include "core/engine/memory/ram_tensor.h"
#include "core/engine/memory/stall_clock.h"
#include "core/engine/nn/stored_weight.h"
#include "kernels/transfer/copy_stream.h"
#include "tests/engine/update_bench.h"
#include "tests/gpu/gpu_support.h"
#include "tests/gpu/training_steps.h"

#include <c10/core/Event.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include <chrono>
#include <thread>

namespace homebooth::core::testing {
namespace {

constexpr int64_t kBytes = int64_t{64} << 20;
constexpr int64_t kSteps = 3;

template <class T>
T valueOf(Result<T> result) {
    if (!result) throw std::runtime_error(result.error().text());
    return std::move(*result);
}

const auto kOnGpu = at::TensorOptions().dtype(at::kByte).device(kGpu);

using Streaming = OnTheGpu;

TEST_F(Streaming, computesWithWhatHasArrived) {
    CudaLink link(kGpu, LinkDirection::ToDevice);
    const at::Tensor home = ramTensor(kBytes, kGpu);
    const at::Tensor there = at::zeros({kBytes}, kOnGpu);
    for (int round = 1; round < 6; ++round) {
        home.fill_(round);
        link.wait(link.copy(there.data_ptr(), home.const_data_ptr(), kBytes));
        const at::Tensor sum = there.sum(at::kLong); // enqueued behind the copy
        link.settle();
        home.fill_(0); // may change now
        EXPECT_EQ(sum.item<int64_t>(), round * kBytes);
    }
    EXPECT_EQ(link.traffic().bytes, 5 * kBytes);
    EXPECT_GT(link.traffic().busySeconds, 0.0);
}

/// What is computed stands still until what it needs has come; the thread that gives it work does not.
TEST_F(Streaming, countsHowLongComputingStandsStill) {
    CudaLink link(kGpu, LinkDirection::ToDevice);
    const at::Tensor home = ramTensor(kBytes, kGpu).fill_(1);
    const at::Tensor there = at::zeros({kBytes}, kOnGpu);
    waitForDevice(kGpu);
    const LinkTicket ticket = link.copy(there.data_ptr(), home.const_data_ptr(), kBytes);
    link.wait(ticket);
    EXPECT_EQ(there.sum(at::kLong).item<int64_t>(), kBytes);
    const double waited = link.traffic().waitedSeconds;
    EXPECT_GT(waited, 0.0);
    link.wait(ticket); // it is there
    waitForDevice(kGpu);
    EXPECT_EQ(link.traffic().waitedSeconds, waited);
}

/// Of a thread that waits what counts is how long the GPU has nothing to do meanwhile.
TEST_F(Streaming, aGpuThatHasWorkDoesNotStandStill) {
    using std::chrono::milliseconds;
    StallClock idle;
    waitForDevice(kGpu);
    {
        const StallClock::Scope standing(idle, kGpu);
        std::this_thread::sleep_for(milliseconds(20));
    }
    waitForDevice(kGpu);
    EXPECT_GE(idle.seconds(), 0.015);
    StallClock busy;
    const at::Tensor factor = at::zeros({4096, 4096}, at::TensorOptions().dtype(at::kFloat).device(kGpu));
    for (int round = 0; round < 64; ++round) (void)at::mm(factor, factor);
    {
        const StallClock::Scope standing(busy, kGpu);
        waitForDevice(kGpu); // no longer than there is work
    }
    waitForDevice(kGpu);
    EXPECT_LT(busy.seconds(), 0.005);
}

TEST_F(Streaming, sendsWhatWasComputedAtTheMark) {
    CudaLink link(kGpu, LinkDirection::ToHost);
    const at::Tensor home = ramTensor(kBytes, kGpu);
    const at::Tensor made = at::zeros({kBytes}, kOnGpu);
    for (int round = 1; round < 6; ++round) {
        made.fill_(round);
        const LinkMark mark = link.mark();
        link.wait(link.copyAfter(mark, home.data_ptr(), made.const_data_ptr(), kBytes));
        EXPECT_EQ(home.min().item<int64_t>(), round);
        EXPECT_EQ(home.max().item<int64_t>(), round);
    }
}

TEST_F(Streaming, waitsForItsOwnMarkHoweverManyFollow) {
    constexpr int kFollow = 1000; // as many gradients as a large UNet has
    CudaLink link(kGpu, LinkDirection::ToHost);
    const at::Tensor home = ramTensor(4096, kGpu);
    const at::Tensor made = at::ones({4096}, kOnGpu);
    const at::Tensor factor = at::ones({2048, 2048}, kOnGpu.dtype(at::kFloat));
    at::Tensor product = at::empty_like(factor);
    at::mm_out(product, factor, factor); // what is made at first use is there
    const LinkMark mark = link.mark();
    for (int i = 0; i < kFollow; ++i) {
        at::mm_out(product, factor, factor);
        static_cast<void>(link.mark());
    }
    c10::Event end(c10::kCUDA);
    end.record(c10::impl::VirtualGuardImpl(c10::kCUDA).getStream(kGpu));
    link.wait(link.copyAfter(mark, home.data_ptr(), made.const_data_ptr(), 4096));
    EXPECT_FALSE(end.query()) << "the copy came behind what was computed after its mark";
    EXPECT_EQ(home.min().item<int64_t>(), 1);
}

TEST_F(Streaming, givesMoreTicketsThanThereAreSlots) {
    CudaLink link(kGpu, LinkDirection::ToHost);
    const at::Tensor home = ramTensor(4096, kGpu);
    const at::Tensor made = at::ones({4096}, kOnGpu);
    std::vector<LinkTicket> tickets;
    for (int i = 0; i < 300; ++i) tickets.push_back(link.copy(home.data_ptr(), made.const_data_ptr(), 4096));
    for (const LinkTicket ticket : tickets) link.wait(ticket);
    EXPECT_EQ(link.traffic().copies, 300);
}

/// What lies on a disk beside the GPU.
struct OnDisk {
    std::string folder = {};         ///< empty: nothing
    bool all = false;                ///< averages, too
    std::vector<bool> resident = {}; ///< blocks whose states stay on the GPU
    bool movesBlocks = false;        ///< those that are streamed become resident for a step, and back
};

StepPlacement placementOf(const std::optional<StreamingOptions>& streaming, const OnDisk& disk) {
    StepPlacement placement;
    placement.streaming = streaming;
    placement.diskOfStreamed = !disk.folder.empty();
    placement.allStatesOnDisk = disk.all;
    placement.resident = {disk.resident};
    return placement;
}

/// With the fixture's weights, or, for a LoRA, random ones.
std::unique_ptr<UNetModel> unetOf(const std::string& model, const TrainConfig& config,
                                  const ParameterStore::Options& options) {
    const UNetConfig layout = valueOf(UNetConfig::fromJson(readText(model + "/unet/config.json")));
    Schedule schedule = unetSchedule(layout);
    EXPECT_TRUE(prepareLearning(schedule, config, /*learns=*/true));
    auto unet = std::make_unique<UNetModel>(layout, std::move(schedule), options);
    if (config.method == TrainMethod::Lora)
        initialiseParameters(unet->component().store(), 11);
    else
        load(unet->component(), model + "/unet/diffusion_pytorch_model.safetensors");
    return unet;
}

NoiseSchedule noiseScheduleOf(const std::string& model) {
    const SchedulerConfig scheduler = valueOf(
        parseSchedulerConfig(readText(model + "/scheduler/scheduler_config.json"), "scheduler_config.json"));
    return valueOf(NoiseSchedule::make(valueOf(resolveForTraining(scheduler))));
}

/// An optimizer that learns in a few steps. @param maxNorm  0: gradients are not clipped
OptimizerConfig learningFast(OptimizerKind kind = OptimizerKind::AdamW, double maxNorm = 0.0) {
    OptimizerConfig config;
    config.kind = kind;
    config.learningRate = 1e-3;
    config.maxGradientNorm = maxNorm;
    return config;
}

/// The weights after a few steps of a tiny UNet.
std::vector<NamedTensor> trained(std::optional<StreamingOptions> streaming, at::ScalarType type,
                                 bool valuesInRam = false, const OnDisk& disk = {},
                                 Quantization quantization = Quantization::None,
                                 const OptimizerConfig& optimizer = learningFast()) {
    const std::string model = fixture("tiny-sd1");
    TrainConfig config;
    config.precision = type == at::kFloat ? Precision::Fp32 : Precision::Bf16;
    config.optimizer = optimizer;
    config.memory.swapDir = disk.folder;
    const StepPlacement placement = placementOf(streaming, disk);
    ParameterStore::Options options;
    options.type = type;
    options.device = kGpu;
    options.streaming = streaming;
    options.resident = disk.resident;
    config.quantization = quantization;
    if (quantization != Quantization::None) config.method = TrainMethod::Lora;
    const std::unique_ptr<UNetModel> unet = unetOf(model, config, options);
    unet->component().executor().setValuesInRam(valuesInRam);
    const NoiseSchedule schedule = noiseScheduleOf(model);
    Learner learner(config, {{"unet", &unet->component(), config.optimizer.learningRate}}, placement);
    EXPECT_EQ(learner.changingSwappedBytes() > 0, !disk.folder.empty());
    DenoisingStep denoise(config, *unet, nullptr, schedule);
    const TrainingSteps steps;
    for (int64_t step = 0; step < kSteps; ++step) {
        const DenoisingBatch batch = steps.batch(step);
        if (disk.movesBlocks && step == 1) learner.place({.diskOfStreamed = !disk.folder.empty()});
        if (disk.movesBlocks && step == 2) learner.place(placement);
        learner.beginStep(step + 1);
        (void)denoise.run(batch, learner);
        (void)learner.endStep();
    }
    return learner.resultTensors(0);
}

/// Updated in RAM, on the GPU, or every second block here and the others there.
TEST_F(Streaming, trainsToTheBytesOfAModelThatStays) {
    std::vector<bool> half(64, false); // more than there are blocks
    for (size_t block = 0; block < half.size(); block += 2) half[block] = true;
    for (const at::ScalarType type : {at::kFloat, at::kBFloat16}) {
        const std::vector<NamedTensor> stays = trained(std::nullopt, type);
        for (const bool valuesInRam : {false, true}) {
            int number = 0;
            for (const StreamingOptions& streaming :
                 {StreamingOptions{}, StreamingOptions{.updatesOnDevice = true},
                  StreamingOptions{.updatesOnDevice = true, .updatedAtHome = half}}) {
                const std::vector<NamedTensor> streams = trained(streaming, type, valuesInRam);
                ASSERT_EQ(stays.size(), streams.size());
                for (size_t i = 0; i < stays.size(); ++i)
                    EXPECT_TRUE(at::equal(stays[i].tensor.cpu(), streams[i].tensor.cpu()))
                        << stays[i].name << " in " << type << (valuesInRam ? ", values in RAM" : "")
                        << ", case " << number;
                ++number;
            }
        }
    }
}

/// In whatever order they lie.
TEST_F(Streaming, makesWeightsOfIntegersAsTheHostDoes) {
    for (const at::ScalarType type : {at::kFloat, at::kBFloat16, at::kHalf})
        for (const bool isPicture : {false, true}) {
            StoredWeight here = quantized(isPicture ? at::randn({40, 24, 3, 3}) : at::randn({40, 96}));
            if (isPicture) here.values = here.values.contiguous(at::MemoryFormat::ChannelsLast);
            const StoredWeight there(here.values.to(kGpu), here.scales.to(kGpu));
            const at::Tensor whole = there.whole(type);
            EXPECT_EQ(whole.strides(), here.values.strides());
            EXPECT_TRUE(at::equal(whole.cpu(), here.whole(type))) << type << (isPicture ? ", 4 sides" : "");
        }
}

TEST_F(Streaming, trainsALoraBesideIntegersToTheSameBytes) {
    for (const at::ScalarType type : {at::kFloat, at::kBFloat16}) {
        const auto lora = [type](std::optional<StreamingOptions> streaming) {
            return trained(streaming, type, false, {}, Quantization::Int8);
        };
        const std::vector<NamedTensor> stays = lora(std::nullopt);
        const std::vector<NamedTensor> streams = lora(StreamingOptions{});
        ASSERT_EQ(stays.size(), streams.size());
        int integers = 0;
        for (size_t i = 0; i < stays.size(); ++i) {
            if (stays[i].tensor.scalar_type() == at::kChar) ++integers;
            EXPECT_TRUE(stays[i].tensor.isfinite().all().item<bool>()) << stays[i].name;
            EXPECT_TRUE(at::equal(stays[i].tensor.cpu(), streams[i].tensor.cpu()))
                << stays[i].name << " in " << type;
        }
        EXPECT_GT(integers, 10);
    }
}

/// Of parameters that come for their update in several pieces, and of small ones.
TEST_F(Streaming, updatesPiecesToTheBytesOfParametersThatStay) {
    for (const UpdateCase& one :
         {UpdateCase{"adamw", optimizerOf(OptimizerKind::AdamW)},
          UpdateCase{"masters", optimizerOf(OptimizerKind::AdamW, StateType::Fp32, MasterWeights::Fp32)},
          UpdateCase{"eightBit", optimizerOf(OptimizerKind::AdamW8bit)}}) {
        const at::Tensor busy = at::zeros({8192, 8192}, at::TensorOptions().dtype(at::kFloat).device(kGpu));
        UpdateBench stays(one, false, kGpu);
        stays.train(one, false, busy);
        for (const bool computes : {false, true}) {
            UpdateBench visits(one, true, kGpu);
            visits.train(one, computes, busy);
            expectSameBytes(stays, visits, one.name);
            EXPECT_EQ(visits.store.traffic().bytes, kUpdateSteps * visits.visitingBytes(computes)) << one;
        }
    }
}

/// States stay with their parameters, also those that visit the GPU.
TEST_F(Streaming, trainsToTheSameBytesWhereBlocksMove) {
    for (const at::ScalarType type : {at::kFloat, at::kBFloat16}) {
        const std::vector<NamedTensor> stays = trained(std::nullopt, type);
        for (const bool updatesOnDevice : {false, true}) {
            const std::vector<NamedTensor> moved = trained(
                StreamingOptions{.updatesOnDevice = updatesOnDevice}, type, false, {.movesBlocks = true});
            ASSERT_EQ(stays.size(), moved.size());
            for (size_t i = 0; i < stays.size(); ++i)
                EXPECT_TRUE(at::equal(stays[i].tensor.cpu(), moved[i].tensor.cpu()))
                    << stays[i].name << " in " << type << (updatesOnDevice ? ", updated on the GPU" : "");
        }
    }
}

/// Whose sums are made where the parameters are at home: on the GPU, beside it, or here and there.
TEST_F(Streaming, trainsToTheSameBytesWithSumsOverTensors) {
    constexpr double kBinds = 1e-2;
    std::vector<bool> half(64, false); // more than there are blocks
    for (size_t block = 0; block < half.size(); block += 2) half[block] = true;
    for (const OptimizerConfig& optimizer :
         {learningFast(OptimizerKind::Adafactor), learningFast(OptimizerKind::AdamW, kBinds),
          learningFast(OptimizerKind::Adafactor, kBinds)})
        for (const at::ScalarType type : {at::kFloat, at::kBFloat16}) {
            const auto with = [&](std::optional<StreamingOptions> streaming, const OnDisk& disk) {
                return trained(streaming, type, false, disk, Quantization::None, optimizer);
            };
            const std::vector<NamedTensor> stays = with(std::nullopt, {});
            for (const OnDisk& places : {OnDisk{}, OnDisk{.resident = half}, OnDisk{.movesBlocks = true}}) {
                const std::vector<NamedTensor> streams = with(StreamingOptions{}, places);
                ASSERT_EQ(stays.size(), streams.size());
                for (size_t i = 0; i < stays.size(); ++i)
                    EXPECT_TRUE(at::equal(stays[i].tensor.cpu(), streams[i].tensor.cpu()))
                        << stays[i].name << " in " << type << ", optimizer "
                        << static_cast<int>(optimizer.kind) << ", clipped at " << optimizer.maxGradientNorm
                        << (places.movesBlocks        ? ", moved"
                            : places.resident.empty() ? ""
                                                      : ", half of it");
            }
        }
}

/// Memory that cannot be pinned is no reason for the next thing on the GPU to fail.
TEST_F(Streaming, goesOnWhereMemoryCannotBePinned) {
    const at::Tensor pinned = ramTensor(kBytes, kGpu);
    EXPECT_NE(kernels::pinHostMemory(pinned.data_ptr(), kBytes), 0); // it is already
    EXPECT_EQ((at::ones({1}, kOnGpu) + 1).item<int64_t>(), 2);
}

/// With states on a disk, of all blocks or of those that are streamed, also where blocks move in between.
TEST_F(Streaming, trainsToTheSameBytesWithStatesOnADisk) {
    constexpr size_t kMoreThanThereAre = 64;
    std::vector<bool> half(kMoreThanThereAre, false);
    for (size_t block = 0; block < half.size(); block += 2) half[block] = true;
    const std::string folder = ::testing::TempDir();
    for (const at::ScalarType type : {at::kFloat, at::kBFloat16}) {
        const std::vector<NamedTensor> inMemory = trained(StreamingOptions{}, type);
        int number = 0;
        for (const OnDisk& disk :
             {OnDisk{.folder = folder}, OnDisk{.folder = folder, .all = true},
              OnDisk{.folder = folder, .resident = half}, OnDisk{.folder = folder, .movesBlocks = true}}) {
            const std::vector<NamedTensor> swapped = trained(StreamingOptions{}, type, false, disk);
            ASSERT_EQ(inMemory.size(), swapped.size());
            for (size_t i = 0; i < swapped.size(); ++i)
                EXPECT_TRUE(at::equal(inMemory[i].tensor.cpu(), swapped[i].tensor.cpu()))
                    << swapped[i].name << " in " << type << ", case " << number;
            ++number;
        }
    }
}

} // namespace
} // namespace homebooth::core::testing
