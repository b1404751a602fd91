// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// AdamW with fp32 or bf16 moments, by the fused kernel of kernels/optim/adamw.h, on the CPU or the GPU.
// Without a master of a 16-bit parameter stochastic rounding keeps small updates. Contract: optimizer.h.
#pragma once

#include "core/engine/optim/memory_order.h"
#include "core/engine/optim/optimizer.h"
#include "kernels/optim/adamw.h"

#include <functional>

namespace homebooth::core {

/// A stretch of one parameter with what belongs to it. Shapes: [n], in the parameter's memory order
struct AdamWStretch {
    at::Tensor parameter;
    at::Tensor gradient;
    at::Tensor first;
    at::Tensor second;
    int64_t firstElement = 0;
    at::Tensor master = {}; ///< fp32; undefined where there is none
};

/// What the kernels take of it; the moments are left out where `first` is undefined.
[[nodiscard]] kernels::AdamWRange rangeOf(const AdamWStretch& stretch);

/// One step of the AdamW kernel: what AdamW and the small tensors of AdamW8bit share.
void stepAdamW(const AdamWStretch& stretch, const kernels::AdamWStep& step,
               const kernels::RandomStream& random, Workers workers);

/// Has a kernel of an optimizer launched on the stream that LibTorch uses of this GPU.
/// @param launch  takes a cudaStream_t, returns the cudaError_t; -1: this build has no CUDA kernels
/// Errors: as checkGpu: for want of memory, too, since a kernel's first launch loads it
void launchOnGpu(at::Device device, const std::function<int(void*)>& launch);

class AdamW final : public Optimizer {
public:
    AdamW(const OptimizerConfig& config, ParameterStore& store, uint64_t seed, StateMemory& memory);

    void update(ParameterId id, const at::Tensor& gradient, double gradientScale) override;
    [[nodiscard]] bool updatesRanges() const override { return true; }
    /// Parameter, master, moments.
    [[nodiscard]] std::vector<at::Tensor> touched(ParameterId id, int64_t begin,
                                                  int64_t count) const override;
    void updateCopies(ParameterId id, const at::Tensor& gradient, int64_t begin, double gradientScale,
                      const std::vector<at::Tensor>& copies, Workers workers) const override;

protected:
    [[nodiscard]] std::vector<Moment> momentsAt(size_t position) const override;

private:
    std::vector<at::Tensor> m_first;  // by position, in the parameter's memory order
    std::vector<at::Tensor> m_second; // likewise
};

/// The coefficients of this step.
/// @param age  updates that the moments have seen, this one included
[[nodiscard]] kernels::AdamWStep adamWStepOf(const OptimizerConfig& config, int64_t age, double learningRate,
                                             double gradientScale);

/// The random draws of one parameter in this step.
[[nodiscard]] kernels::RandomStream roundingStream(uint64_t seed, int64_t step, const std::string& name);

} // namespace homebooth::core
