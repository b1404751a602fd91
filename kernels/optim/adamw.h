// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// One AdamW step over a flat range of one parameter, in one pass over the memory.
// Borrows every pointer; keeps nothing. Disjoint ranges may run on any threads at the same time.
//
// Invariants:
//   1. Each element is computed alone, in fp32, by one order of operations without contraction: the scalar,
//      AVX2, AVX-512 and CUDA variants give equal bytes, however the parameter is cut into ranges.
//   2. Random bits are drawn by element index within the parameter (kernels/random/philox.h).
#pragma once

#include "kernels/numeric/float16.h"
#include "kernels/random/philox.h"

#include <cstdint>

namespace homebooth::kernels {

/// What a step knows of the run, ready for use in fp32.
struct AdamWStep {
    float gradientScale = 1.0f;       ///< unscaling times clipping
    float decay = 1.0f;               ///< 1 - learning rate * weight decay
    float beta2 = 0.999f;             ///<
    float oneMinusBeta1 = 0.1f;       ///< computed in double
    float oneMinusBeta2 = 0.001f;     ///< computed in double
    float biasCorrection2Root = 1.0f; ///< sqrt(1 - beta2^step)
    float epsilon = 1e-8f;
    float negativeStepSize = 0.0f; ///< -learning rate / (1 - beta1^step)
};

/// The coefficients of step `step` (1-based), computed in double as torch.optim.AdamW does.
[[nodiscard]] AdamWStep adamWStep(int64_t step, double learningRate, double beta1, double beta2,
                                  double epsilon, double weightDecay, double gradientScale);

/// A flat range of one parameter; all its buffers hold `count` elements and may have any alignment.
struct AdamWRange {
    void* parameter = nullptr;
    const void* gradient = nullptr;
    void* firstMoment = nullptr;
    void* secondMoment = nullptr;
    /// What a 16-bit parameter is the nearest of, to which the step is added instead. Null: there is none.
    float* master = nullptr;
    int64_t firstElement = 0; ///< index of the range's first element within the parameter
    int64_t count = 0;
    NumberType parameterType = NumberType::Float32;
    NumberType gradientType = NumberType::Float32;
    NumberType momentType = NumberType::Float32; ///< Float32 or Bf16
    /// Rounds 16-bit parameters without a master and the bf16 second moment stochastically; else to the
    /// nearest.
    ///
    /// To the nearest, a bf16 parameter loses every update below 1/512 of itself, which is nearly all of them
    /// at fine-tuning rates. The second moment must decay by 1 - beta2 = 0.1 % a step, which the nearest bf16
    /// swallows too: it could only grow. The first moment moves by 10 % of its error a step, so the nearest
    /// keeps it within a few per cent of the truth without the noise that random rounding would add.
    bool stochastic = true;
};

/// The part [offset, offset + count) of a range.
[[nodiscard]] AdamWRange slice(const AdamWRange& range, int64_t offset, int64_t count);

/// Updates parameter, master and moments in place, on the calling thread, by the best variant of this
/// processor. Source: Loshchilov, Hutter, "Decoupled weight decay regularization", 2019; operations in the
/// order of
///         torch.optim.AdamW (2.11, not fused)
void adamW(const AdamWRange& range, const AdamWStep& step, const RandomStream& random);

// The variants by themselves; call the vector ones only where cpuFeatures() has the instruction set.
void adamWScalar(const AdamWRange& range, const AdamWStep& step, const RandomStream& random);
void adamWAvx2(const AdamWRange& range, const AdamWStep& step, const RandomStream& random);
void adamWAvx512(const AdamWRange& range, const AdamWStep& step, const RandomStream& random);

/// The same on the GPU; the pointers are device pointers.
/// @param stream  a cudaStream_t
/// @returns       the cudaError_t of the launch; 0 is success. Without CUDA in the build: -1, nothing done
int launchAdamW(const AdamWRange& range, const AdamWStep& step, const RandomStream& random, void* stream);

} // namespace homebooth::kernels
