// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/nn/normalization.h"

#include "core/engine/nn/host_work.h"
#include "kernels/norm/group_norm.h"

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

/// Null where there is no memory.
float* numbers(const at::Tensor& x, int64_t offset = 0) {
    return x.is_meta() ? nullptr : x.data_ptr<float>() + offset;
}

at::Tensor floats(at::IntArrayRef shape, at::Device device) {
    return at::empty(shape, at::TensorOptions().dtype(at::kFloat).device(device));
}

class FusedGroupNorm : public torch::autograd::Function<FusedGroupNorm> {
public:
    static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& x,
                              const at::Tensor& weight, const at::Tensor& bias, int64_t groups,
                              double epsilon, bool silu) {
        const GroupNormShape shape{x.size(0), x.size(2) * x.size(3),       x.size(1),
                                   groups,    static_cast<float>(epsilon), silu};
        const at::Tensor sums = floats({shape.blockCount(), 2, shape.channels}, x.device());
        overHost(x, 0, shape.blockCount(), 1, [&](int64_t first, int64_t last) {
            kernels::groupNormBlockSums(shape, bits(x), sums.data_ptr<float>(), first, last);
        });
        const at::Tensor moments = floats({2, shape.batch, groups}, x.device());
        auto* mean = numbers(moments);
        auto* inverseDeviation = numbers(moments, shape.batch * groups);
        if (!x.is_meta())
            kernels::groupNormFinishMoments(shape, sums.const_data_ptr<float>(), mean, inverseDeviation);
        at::Tensor y = at::empty_like(x);
        overHost(x, 0, shape.batch * shape.pixels, kGrainPixels, [&](int64_t first, int64_t last) {
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
        const float* mean = numbers(saved[3]);
        kernels::GroupNormBackward from{};
        if (!x.is_meta())
            from = {bits(x),      bits(gradOutput), mean, mean + shape.batch * groups,
                    bits(weight), bits(saved[2])};
        return differentiate(shape, from, x, weight);
    }

private:
    static torch::autograd::variable_list differentiate(const GroupNormShape& shape,
                                                        const kernels::GroupNormBackward& from,
                                                        const at::Tensor& x, const at::Tensor& weight) {
        const at::Tensor sums = floats({shape.blockCount(), 2, shape.channels}, x.device());
        overHost(x, 0, shape.blockCount(), 1, [&](int64_t first, int64_t last) {
            kernels::groupNormBlockGradientSums(shape, from, sums.data_ptr<float>(), first, last);
        });
        const at::Tensor groupSums = floats({shape.batch, shape.groups, 2}, x.device());
        const at::Tensor gradWeight = floats({shape.channels}, x.device());
        const at::Tensor gradBias = floats({shape.channels}, x.device());
        if (!x.is_meta())
            kernels::groupNormFinishGradients(shape, sums.const_data_ptr<float>(), from.weight,
                                              groupSums.data_ptr<float>(), gradWeight.data_ptr<float>(),
                                              gradBias.data_ptr<float>());
        at::Tensor gradInput = at::empty_like(x);
        overHost(x, 0, shape.batch * shape.pixels, kGrainPixels, [&](int64_t first, int64_t last) {
            kernels::groupNormInputGradient(shape, from, groupSums.const_data_ptr<float>(),
                                            mutableBits(gradInput), first, last);
        });
        const at::ScalarType type = weight.scalar_type();
        return {gradInput, gradWeight.to(type), gradBias.to(type), at::Tensor(), at::Tensor(), at::Tensor()};
    }
};

/// LibTorch's norms where there is no memory, for which it has no kernels in C++: takes what they take.
class RehearsedNorm : public torch::autograd::Function<RehearsedNorm> {
public:
    /// @param rows  how many means there are
    static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& x,
                              const at::Tensor& weight, const at::Tensor& bias, int64_t rows) {
        const at::ScalarType type = weight.scalar_type();
        const at::Tensor mean = at::empty({rows}, x.options().dtype(type));
        const at::Tensor inverseDeviation = at::empty({rows}, x.options().dtype(type));
        context->save_for_backward({x, weight, bias, mean, inverseDeviation});
        return at::empty_like(x);
    }

    static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                   const torch::autograd::variable_list& /*gradients*/) {
        const auto saved = context->get_saved_variables();
        return {at::empty_like(saved[0]), at::empty_like(saved[1]), at::empty_like(saved[2]), at::Tensor()};
    }
};

bool servedByFused(const at::Tensor& x, const at::Tensor& weight) {
    return onHost(x) && x.dim() == 4 && x.scalar_type() == at::kBFloat16 &&
           weight.scalar_type() == at::kBFloat16 && x.is_contiguous(at::MemoryFormat::ChannelsLast) &&
           x.numel() > 0;
}

} // namespace

at::Tensor normalizeGroups(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias,
                           int64_t groups, double epsilon, bool silu) {
    if (servedByFused(x, weight)) return FusedGroupNorm::apply(x, weight, bias, groups, epsilon, silu);
    const at::Tensor input = onHost(x) ? x : x.contiguous(); // LibTorch's kernel for GPUs makes it so
    const at::Tensor y = x.is_meta() ? RehearsedNorm::apply(input, weight, bias, x.size(0) * groups)
                                     : at::group_norm(input, groups, weight, bias, epsilon);
    return silu ? at::silu(y) : y;
}

at::Tensor normalizeRows(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias,
                         double epsilon) {
    if (x.is_meta()) return RehearsedNorm::apply(x, weight, bias, x.numel() / weight.numel());
    return at::layer_norm(x, weight.sizes(), weight, bias, epsilon);
}

} // namespace homebooth::core
