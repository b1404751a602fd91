// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Exceptions become errors with the right exit code, and those of memory lead to relief.
#include "core/engine/jobs/failure.h"

#include "core/base/run/run_folder.h"
#include "core/engine/jobs/expected_failure.h"
#include "core/engine/memory/device_wait.h"
#include "core/engine/memory/memory_relief.h"
#include "core/worker/jobs.h"
#include "kernels/transfer/copy_stream.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <new>
#include <stdexcept>
#include <string>

using namespace homebooth::core;

namespace {

template <class Function>
Error failureOf(const Function& function) {
    try {
        function();
    } catch (const std::exception&) {
        return failureInFlight("training", "lower the batch");
    }
    return {};
}

/// Whether whoever catches it frees memory and tries again.
template <class Function>
bool leadsToRelief(const Function& function) {
    try {
        function();
    } catch (const std::exception&) {
        return memoryRanOut();
    }
    return false;
}

TEST(Failure, aCpuThatRunsOutOfMemoryIsOutOfResources) {
    const Error error = failureOf([] { (void)at::empty({int64_t{1} << 58}); });
    EXPECT_EQ(error.code, ErrorCode::OutOfResources);
    EXPECT_NE(error.message.find("lower the batch"), std::string::npos);
    EXPECT_EQ(error.message.find('\n'), std::string::npos);
}

TEST(Failure, aFailedAllocationOfOursIsOutOfResources) {
    EXPECT_EQ(failureOf([] { throw std::bad_alloc(); }).code, ErrorCode::OutOfResources);
}

/// What LibTorch, CUDA's libraries, oneDNN and MKL say, with what else they put around it.
class RefusedMemory : public ::testing::TestWithParam<const char*> {};

TEST_P(RefusedMemory, isOutOfResourcesAndLeadsToRelief) {
    const std::string text = GetParam();
    const auto ofLibTorch = [&] { TORCH_CHECK(false, text); };
    const auto ofOthers = [&] { throw std::runtime_error(text); };
    EXPECT_EQ(failureOf(ofLibTorch).code, ErrorCode::OutOfResources);
    EXPECT_EQ(failureOf(ofOthers).code, ErrorCode::OutOfResources);
    EXPECT_NE(failureOf(ofLibTorch).message.find("lower the batch"), std::string::npos);
    EXPECT_TRUE(leadsToRelief(ofLibTorch));
    EXPECT_TRUE(leadsToRelief(ofOthers));
}

INSTANTIATE_TEST_SUITE_P(
    texts, RefusedMemory,
    ::testing::Values("[enforce fail at alloc_cpu.cpp:124] err == 0. DefaultCPUAllocator: can't allocate "
                      "memory: you tried to "
                      "allocate 64 bytes. Error code 12 (Cannot allocate memory)",
                      "DefaultCPUAllocator: not enough memory: you tried to allocate 64 bytes.",
                      "CUDA out of memory. Tried to allocate 20.00 MiB. GPU 0 has a total capacity of 5.80 "
                      "GiB of which 11.00 MiB "
                      "is free.",
                      "CUDA error: out of memory\nCUDA kernel errors might be asynchronously reported at "
                      "some other API call",
                      "CUDA driver error: out of memory",
                      "CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`",
                      "CUDA error: CUBLAS_STATUS_NOT_INITIALIZED when calling `cublasCreate(handle)`",
                      "cuDNN error: CUDNN_STATUS_NOT_INITIALIZED", "cuDNN error: CUDNN_STATUS_ALLOC_FAILED",
                      "cuDNN error: CUDNN_STATUS_INTERNAL_ERROR_HOST_ALLOCATION_FAILED",
                      "cuDNN error: CUDNN_STATUS_INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED",
                      "cusolver error: CUSOLVER_STATUS_ALLOC_FAILED, when calling `cusolverDnCreate(handle)`",
                      "could not create a memory object", "could not execute a primitive: out_of_memory",
                      "mkl_malloc: failed to allocate memory"));

/// A lower limit of the other one would not help.
TEST(Failure, theAdviceIsOfTheMemoryThatRanOut) {
    const auto adviceOn = [](const auto& function) {
        try {
            function();
        } catch (const std::exception&) {
            const std::string said =
                failureInFlight("training", MemoryAdvice{"lower --gpu-memory", "lower --ram"}).message;
            return said.substr(said.find_last_of(' ') + 1);
        }
        return std::string();
    };
    EXPECT_EQ(adviceOn([] { throw std::bad_alloc(); }), "--ram");
    EXPECT_EQ(adviceOn([] { (void)at::empty({int64_t{1} << 58}); }), "--ram");
    for (const char* text : {"cannot get memory: expected 2.00 GiB, found that the system refuses them",
                             "cuDNN error: CUDNN_STATUS_INTERNAL_ERROR_HOST_ALLOCATION_FAILED",
                             "could not create a memory object"})
        EXPECT_EQ(adviceOn([&] { TORCH_CHECK_WITH(OutOfMemoryError, false, text); }), "--ram") << text;
    for (const char* text : {"CUDA out of memory. Tried to allocate 20.00 MiB.", "no room for this block",
                             "cuDNN error: CUDNN_STATUS_INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED"})
        EXPECT_EQ(adviceOn([&] { TORCH_CHECK_WITH(OutOfMemoryError, false, text); }), "--gpu-memory") << text;
}

TEST(Failure, ofAHandleThatCannotBeMadeTheDriverIsNamedBesideMemory) {
    for (const char* text : {"CUDA error: CUBLAS_STATUS_NOT_INITIALIZED when calling `cublasCreate(handle)`",
                             "cuDNN error: CUDNN_STATUS_NOT_INITIALIZED"}) {
        const Error error = failureOf([&] { TORCH_CHECK(false, text); });
        for (const char* part : {"not enough memory", "driver", "lower the batch"})
            EXPECT_NE(error.message.find(part), std::string::npos) << error.message;
    }
    const Error full = failureOf([] { TORCH_CHECK(false, "CUDA error: CUBLAS_STATUS_ALLOC_FAILED"); });
    EXPECT_EQ(full.message.find("driver"), std::string::npos) << full.message;
}

TEST(Failure, aGpuWithoutMemoryIsKnownByItsTypeWhateverItSays) {
    const auto refused = [] { TORCH_CHECK_WITH(OutOfMemoryError, false, "no room for this block"); };
    EXPECT_EQ(failureOf(refused).code, ErrorCode::OutOfResources);
    EXPECT_TRUE(leadsToRelief(refused));
    EXPECT_TRUE(leadsToRelief([] { throw std::bad_alloc(); }));
}

/// The next attempt would find what this one found.
TEST(Failure, whatIsNotMemoryLeadsToNoRelief) {
    EXPECT_FALSE(
        leadsToRelief([] { TORCH_CHECK(false, "CUDA error: an illegal memory access was encountered"); }));
    EXPECT_FALSE(leadsToRelief([] { TORCH_CHECK(false, "cuDNN error: CUDNN_STATUS_EXECUTION_FAILED"); }));
    EXPECT_FALSE(
        leadsToRelief([] { TORCH_CHECK(false, "shape mismatch\nadvice: beware of running out of memory"); }));
}

TEST(Failure, anExpectedFailureSaysItself) {
    const auto refused = [] { throw ExpectedFailure(Error{ErrorCode::Usage, "out of memory of words", {}}); };
    EXPECT_EQ(failureOf(refused).code, ErrorCode::Usage);
    EXPECT_FALSE(leadsToRelief(refused));
}

TEST(Failure, aGpuThatStopsAnsweringIsLost) {
    const Error error = failureOf([] { TORCH_CHECK(false, "CUDA error: an illegal memory access"); });
    EXPECT_EQ(error.code, ErrorCode::DeviceLost);
    const auto plain = [] { throw std::runtime_error("CUDA error: unspecified launch failure"); };
    EXPECT_EQ(failureOf(plain).code, ErrorCode::DeviceLost);
}

TEST(Failure, aGpuThatStopsAnsweringALibraryIsLost) {
    for (const std::string text :
         {"CUDA driver error: unspecified launch failure", "cuDNN error: CUDNN_STATUS_EXECUTION_FAILED",
          "cuDNN error: CUDNN_STATUS_INTERNAL_ERROR"}) {
        const Error error = failureOf([&] { TORCH_CHECK(false, text); });
        EXPECT_EQ(error.code, ErrorCode::DeviceLost) << text;
        EXPECT_NE(error.message.find("training: "), std::string::npos) << error.message;
        EXPECT_NE(error.message.find(text), std::string::npos) << error.message;
    }
}

TEST(Failure, aLibraryOfTheGpuThatRefusesWhatWeAskIsOurFault) {
    for (const char* status : {"CUDNN_STATUS_NOT_SUPPORTED", "CUDNN_STATUS_BAD_PARAM"})
        EXPECT_EQ(failureOf([&] { TORCH_CHECK(false, "cuDNN error: ", status); }).code, ErrorCode::Internal);
}

/// What copies and kernels of ours say counts as what LibTorch says.
TEST(Failure, aGpuThatStopsAnsweringOurOwnCallsIsLost) {
    constexpr int kLaunchFailure = 719; // of cudaError_t
    const auto failed = [] { checkGpu(kLaunchFailure, "wait for a copy"); };
    const Error error = failureOf(failed);
    EXPECT_EQ(error.code, ErrorCode::DeviceLost);
    EXPECT_NE(error.message.find("wait for a copy"), std::string::npos);
    EXPECT_FALSE(leadsToRelief(failed));
    EXPECT_NO_THROW(checkGpu(0, "wait for a copy"));
}

TEST(Failure, aKernelThatFindsNoMemoryLeadsToRelief) {
    constexpr int kMemoryAllocation = 2; // of cudaError_t
    const std::string words = homebooth::kernels::transferError(kMemoryAllocation);
    if (words.find("memory") == std::string::npos) GTEST_SKIP() << words;
    EXPECT_TRUE(leadsToRelief([] { checkGpu(kMemoryAllocation, "start a kernel of the optimizer"); }));
}

OutcomeEvent lacksMemory() {
    throw std::bad_alloc();
}

/// What is saved fits no other precision, optimizer, method or size.
TEST(Failure, aTrainingIsAdvisedWhatItsRunStillTakes) {
    const char* root = std::getenv("HOMEBOOTH_TEST_DIR");
    const std::string folder = std::string(root != nullptr ? root : "scratch") + "/begun";
    std::filesystem::remove_all(folder);
    TrainConfig config;
    config.model = "/a/model";
    config.data.instanceDir = "/photos";
    config.data.instancePrompt = "a photo of sks dog";
    config.precision = Precision::Fp32;
    config.batchSize = 4;
    config.steps = 4;
    config.output.runDir = folder;
    const auto run = RunFolder::create(folder, config);
    ASSERT_TRUE(run.ok()) << run.error().text();
    for (const bool saved : {false, true}) {
        if (saved) std::filesystem::create_directories(run->checkpointDir(2));
        const OutcomeEvent outcome = guardedTraining(folder, lacksMemory);
        EXPECT_EQ(outcome.code, static_cast<int>(ErrorCode::OutOfResources));
        EXPECT_NE(outcome.message.find("--batch"), std::string::npos) << outcome.message;
        for (const char* fixed : {"bf16", "adamw8bit", "--method", "--resolution"})
            EXPECT_EQ(outcome.message.find(fixed) == std::string::npos, saved) << outcome.message;
    }
    config.memory.device = ComputeDevice::Gpu; // whose limit is not what lacked
    ASSERT_TRUE(run->setConfig(config).ok());
    EXPECT_NE(guardedTraining(folder, lacksMemory).message.find("--swap FOLDER"), std::string::npos);
    const OutcomeEvent unknown = guardedTraining("", lacksMemory); // it may have saved something
    EXPECT_EQ(unknown.message.find("bf16"), std::string::npos) << unknown.message;
    EXPECT_NE(guarded(lacksMemory).message.find("bf16"), std::string::npos);
}

TEST(Failure, anythingElseIsOurFault) {
    EXPECT_EQ(failureOf([] { TORCH_CHECK(false, "shape mismatch"); }).code, ErrorCode::Internal);
    EXPECT_EQ(failureOf([] { throw std::logic_error("oops"); }).message, "oops");
}

} // namespace
