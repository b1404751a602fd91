// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What the tests of kernels on a GPU share: device memory, and numbers of many magnitudes.
#pragma once

#include "kernels/numeric/float16.h"
#include "tests/expected_gpu.h"

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>
#include <vector>

namespace homebooth::kernels {

/// Device memory with a copy of `bytes`.
class DeviceBuffer {
public:
    explicit DeviceBuffer(const std::vector<uint8_t>& bytes)
        : m_bytes(bytes.size()) {
        EXPECT_EQ(cudaMalloc(&m_data, m_bytes), cudaSuccess);
        EXPECT_EQ(cudaMemcpy(m_data, bytes.data(), m_bytes, cudaMemcpyHostToDevice), cudaSuccess);
    }
    ~DeviceBuffer() { cudaFree(m_data); }
    DeviceBuffer(const DeviceBuffer&) = delete;
    DeviceBuffer& operator=(const DeviceBuffer&) = delete;

    [[nodiscard]] void* data() const { return m_data; }
    [[nodiscard]] std::vector<uint8_t> read() const {
        std::vector<uint8_t> bytes(m_bytes);
        EXPECT_EQ(cudaMemcpy(bytes.data(), m_data, m_bytes, cudaMemcpyDeviceToHost), cudaSuccess);
        return bytes;
    }

private:
    void* m_data = nullptr;
    size_t m_bytes;
};

/// Whether a test has a GPU; where tests/gpu/run has found one, the test fails without it.
inline bool hasDevice() {
    int count = 0;
    const cudaError_t asked = cudaGetDeviceCount(&count);
    if (asked == cudaSuccess && count > 0) return true;
    failIfGpuIsExpected([asked] { return cudaGetErrorString(asked); });
    return false;
}

/// Normal numbers times powers of two, as bytes of `type`.
inline std::vector<uint8_t> randomValues(NumberType type, int64_t count, bool isSquare, unsigned seed) {
    std::mt19937 engine(seed);
    std::normal_distribution<float> normal;
    std::vector<uint8_t> bytes(count * bytesOf(type));
    for (int64_t i = 0; i < count; ++i) {
        float value = normal(engine) * std::ldexp(1.0f, static_cast<int>(engine() % 20) - 18);
        if (isSquare) value *= value;
        const uint16_t bits = type == NumberType::Bf16 ? nearestBf16(value).bits : nearestHalf(value).bits;
        if (type == NumberType::Float32) {
            memcpy(bytes.data() + i * 4, &value, 4);
        } else {
            memcpy(bytes.data() + i * 2, &bits, 2);
        }
    }
    return bytes;
}

} // namespace homebooth::kernels
