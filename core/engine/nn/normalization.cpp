// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/nn/normalization.h"

#include "kernels/norm/group_norm.h"

#include <ATen/Parallel.h>
#include <torch/csrc/autograd/custom_function.h>

namespace homebooth::core {
namespace {

using kernels::GroupNormShape;

constexpr int64_t kGrainPixels = 64;

const uint16_t* bits(const at::Tensor& x) {
    return static_cast<const uint16_t*>(x.const_data_ptr());
}

uint16_t* mutableBits(const at::Tensor& x) {
    return static_cast<uint16_t*>(x.data_ptr());
}

at::Tensor floats(at::IntArrayRef shape) {
    return at::empty(shape, at::TensorOptions().dtype(at::kFloat));
}

class FusedGroupNorm : public torch::autograd::Function<FusedGroupNorm> {
public:
    static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& x,
                              const at::Tensor& weight, const at::Tensor& bias, int64_t groups,
                              double epsilon, bool silu) {
        const GroupNormShape shape{x.size(0), x.size(2) * x.size(3),       x.size(1),
                                   groups,    static_cast<float>(epsilon), silu};
        const at::Tensor sums = floats({shape.blockCount(), 2, shape.channels});
        at::parallel_for(0, shape.blockCount(), 1, [&](int64_t first, int64_t last) {
            kernels::groupNormBlockSums(shape, bits(x), sums.data_ptr<float>(), first, last);
        });
        const at::Tensor moments = floats({2, shape.batch, groups});
        auto* mean = moments.data_ptr<float>();
        float* inverseDeviation = mean + shape.batch * groups;
        kernels::groupNormFinishMoments(shape, sums.const_data_ptr<float>(), mean, inverseDeviation);
        at::Tensor y = at::empty_like(x);
        at::parallel_for(0, shape.batch * shape.pixels, kGrainPixels, [&](int64_t first, int64_t last) {
            kernels::groupNormNormalise(shape, bits(x), mean, inverseDeviation, bits(weight), bits(bias),
                                        mutableBits(y), first, last);
        });
        context->save_for_backward({x, weight, bias, moments});
        context->saved_data["silu"] = silu;
        context->saved_data["epsilon"] = epsilon;
        return y;
    }

    static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                   torch::autograd::variable_list gradients) {
        const auto saved = context->get_saved_variables();
        const at::Tensor& x = saved[0];
        const at::Tensor& weight = saved[1];
        const int64_t groups = saved[3].size(2);
        const GroupNormShape shape{x.size(0),
                                   x.size(2) * x.size(3),
                                   x.size(1),
                                   groups,
                                   static_cast<float>(context->saved_data["epsilon"].toDouble()),
                                   context->saved_data["silu"].toBool()};
        const at::Tensor gradOutput = gradients[0].contiguous(at::MemoryFormat::ChannelsLast);
        const float* mean = saved[3].const_data_ptr<float>();
        const kernels::GroupNormBackward from{
            bits(x), bits(gradOutput), mean, mean + shape.batch * groups, bits(weight), bits(saved[2])};
        return differentiate(shape, from, x, weight);
    }

private:
    static torch::autograd::variable_list differentiate(const GroupNormShape& shape,
                                                        const kernels::GroupNormBackward& from,
                                                        const at::Tensor& x, const at::Tensor& weight) {
        const at::Tensor sums = floats({shape.blockCount(), 2, shape.channels});
        at::parallel_for(0, shape.blockCount(), 1, [&](int64_t first, int64_t last) {
            kernels::groupNormBlockGradientSums(shape, from, sums.data_ptr<float>(), first, last);
        });
        const at::Tensor groupSums = floats({shape.batch, shape.groups, 2});
        const at::Tensor gradWeight = floats({shape.channels});
        const at::Tensor gradBias = floats({shape.channels});
        kernels::groupNormFinishGradients(shape, sums.const_data_ptr<float>(), from.weight,
                                          groupSums.data_ptr<float>(), gradWeight.data_ptr<float>(),
                                          gradBias.data_ptr<float>());
        at::Tensor gradInput = at::empty_like(x);
        at::parallel_for(0, shape.batch * shape.pixels, kGrainPixels, [&](int64_t first, int64_t last) {
            kernels::groupNormInputGradient(shape, from, groupSums.const_data_ptr<float>(),
                                            mutableBits(gradInput), first, last);
        });
        const at::ScalarType type = weight.scalar_type();
        return {gradInput, gradWeight.to(type), gradBias.to(type), at::Tensor(), at::Tensor(), at::Tensor()};
    }
};

bool servedByFused(const at::Tensor& x, const at::Tensor& weight) {
    return x.is_cpu() && x.dim() == 4 && x.scalar_type() == at::kBFloat16 &&
           weight.scalar_type() == at::kBFloat16 && x.is_contiguous(at::MemoryFormat::ChannelsLast) &&
           x.numel() > 0;
}

} // namespace

at::Tensor normalizeGroups(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias,
                           int64_t groups, double epsilon, bool silu) {
    if (servedByFused(x, weight)) return FusedGroupNorm::apply(x, weight, bias, groups, epsilon, silu);
    const at::Tensor y = at::group_norm(x, groups, weight, bias, epsilon);
    return silu ? at::silu(y) : y;
}

} // namespace homebooth::core
