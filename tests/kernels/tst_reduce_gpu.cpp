// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Sums, inverse roots and bounded rates on the GPU give the bytes of those on the CPU.
#include "kernels/numeric/bounded_rate.h"
#include "kernels/numeric/inverse_roots.h"
#include "kernels/reduce/group_sums.h"
#include "kernels/reduce/sum_of_squares.h"

#include "gpu_buffer.h"

#include <algorithm>
#include <limits>

namespace homebooth::kernels {
namespace {

constexpr uint8_t kUntouched = 0xa5;

template <class T>
std::vector<uint8_t> asBytes(const std::vector<T>& values) {
    std::vector<uint8_t> bytes(values.size() * sizeof(T));
    memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
}

/// Room for so many sums and a few more, which are left alone.
std::vector<uint8_t> roomFor(int64_t sums) {
    return std::vector<uint8_t>(static_cast<size_t>(sums + 3) * sizeof(double), kUntouched);
}

TEST(ReduceOnTheGpu, givesTheSumsOfSquaresOfTheCpu) {
    if (!hasDevice()) GTEST_SKIP() << "this machine has no usable NVIDIA GPU";
    for (const int64_t count : {int64_t{1}, int64_t{17}, kSumBlock, 5 * kSumBlock + 77, 40 * kSumBlock})
        for (const NumberType type : {NumberType::Float32, NumberType::Bf16, NumberType::Half}) {
            const std::vector<uint8_t> values = randomValues(type, count, false, 1);
            const int64_t blocks = (count + kSumBlock - 1) / kSumBlock;
            std::vector<uint8_t> expected = roomFor(blocks);
            const DeviceBuffer source(values), target(expected);
            for (int64_t block = 0; block < blocks; ++block) {
                const int64_t first = block * kSumBlock;
                const double sum = sumOfSquares(values.data() + first * bytesOf(type), type,
                                                std::min(kSumBlock, count - first));
                memcpy(expected.data() + block * static_cast<int64_t>(sizeof sum), &sum, sizeof sum);
            }
            ASSERT_EQ(
                launchSumsOfSquares(source.data(), type, count, static_cast<double*>(target.data()), nullptr),
                0);
            EXPECT_EQ(target.read(), expected) << count << ", type " << static_cast<int>(type);
        }
}

TEST(ReduceOnTheGpu, givesTheSumsOfGroupsOfTheCpu) {
    if (!hasDevice()) GTEST_SKIP() << "this machine has no usable NVIDIA GPU";
    for (const SummedSides& sides : {SummedSides{1, 1, 1},
                                     {1, 64 * 40 + 7, 1},
                                     {30, 128, 1},
                                     {7, 70, 1},
                                     {5000, 3, 1},
                                     {1, 300, 77},
                                     {900, 3, 3}})
        for (const Summed what : {Summed::Values, Summed::Squares}) {
            const std::vector<uint8_t> values =
                randomValues(NumberType::Float32, sides.outer * sides.count * sides.inner, false, 2);
            const int64_t rows = sides.outer * sides.groups();
            std::vector<uint8_t> expected = roomFor(rows * sides.inner);
            const DeviceBuffer source(values), target(expected);
            groupSums(reinterpret_cast<const float*>(values.data()), what, sides, 0, rows,
                      reinterpret_cast<double*>(expected.data()));
            ASSERT_EQ(launchGroupSums(static_cast<const float*>(source.data()), what, sides,
                                      static_cast<double*>(target.data()), nullptr),
                      0);
            EXPECT_EQ(target.read(), expected) << sides.outer << ", " << sides.count << ", " << sides.inner;
        }
    const std::vector<double> sums(130, 0.1);
    std::vector<double> expected(3);
    groupSums(sums.data(), {1, 130, 1}, 0, 3, expected.data());
    const DeviceBuffer source(asBytes(sums)), target(asBytes(std::vector<double>(3)));
    ASSERT_EQ(launchGroupSums(static_cast<const double*>(source.data()), {1, 130, 1},
                              static_cast<double*>(target.data()), nullptr),
              0);
    EXPECT_EQ(target.read(), asBytes(expected));
}

TEST(ReduceOnTheGpu, givesTheInverseRootsOfTheCpu) {
    if (!hasDevice()) GTEST_SKIP() << "this machine has no usable NVIDIA GPU";
    for (const int64_t count : {1, 255, 10'007}) {
        std::vector<uint8_t> expected = randomValues(NumberType::Float32, count, true, 3);
        const DeviceBuffer target(expected);
        inverseRoots(reinterpret_cast<float*>(expected.data()), count);
        ASSERT_EQ(launchInverseRoots(static_cast<float*>(target.data()), count, nullptr), 0);
        EXPECT_EQ(target.read(), expected);
    }
}

TEST(ReduceOnTheGpu, givesTheBoundedRatesOfTheCpu) {
    if (!hasDevice()) GTEST_SKIP() << "this machine has no usable NVIDIA GPU";
    constexpr double kRate = 3.7e-4;
    for (const double squares :
         {0.0, 1e-300, 0.37, 2.999, 3.001, 7.0, 1234.567, 1e30, std::numeric_limits<double>::infinity(),
          std::numeric_limits<double>::quiet_NaN()})
        for (const int64_t count : {1, 3, 29'491'200}) {
            const DeviceBuffer source(asBytes(std::vector<double>{squares}));
            const DeviceBuffer target(asBytes(std::vector<float>{-1.0f}));
            ASSERT_EQ(launchBoundedRate(static_cast<const double*>(source.data()), count, kRate, 1.0,
                                        static_cast<float*>(target.data()), nullptr),
                      0);
            EXPECT_EQ(target.read(), asBytes(std::vector<float>{boundedRate(squares, count, kRate, 1.0)}))
                << squares << ", " << count;
        }
}

} // namespace
} // namespace homebooth::kernels
