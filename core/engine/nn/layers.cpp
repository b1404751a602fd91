// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/nn/layers.h"

#include "core/base/schedule/quantized_weights.h"
#include "core/engine/nn/integer_product.h"
#include "core/engine/nn/linear.h"
#include "core/engine/nn/normalization.h"

namespace homebooth::core {
namespace {

/// A call outside training never asks for gradients.
ResultUse valuesFor(const BlockContext& context) {
    return context.training || context.exact ? ResultUse::Values : ResultUse::ValuesAlone;
}

at::Tensor optional(const BlockContext& context, int index) {
    return index < 0 ? at::Tensor() : context.parameters[index];
}

/// Where the scales of a layer's weight are; -1: it is not quantized.
int scalesIndex(const BlockSpec& spec, const std::string& layer) {
    return spec.parameterIndex(scaleName(layer + ".weight"));
}

} // namespace

int requireParameter(const BlockSpec& spec, const std::string& relativeName) {
    const int index = spec.parameterIndex(relativeName);
    TORCH_CHECK(index >= 0, "block ", spec.name, " of kind ", spec.kind, " has no parameter ", relativeName);
    return index;
}

Linear::Linear(const BlockSpec& spec, const std::string& name)
    : m_weight(requireParameter(spec, name + ".weight"))
    , m_scales(scalesIndex(spec, name))
    , m_bias(spec.parameterIndex(name + ".bias"))
    , m_integers(spec.parameters[m_weight].integerProducts)
    , m_adapter(LowRank::find(spec, m_weight)) {}

at::Tensor Linear::operator()(const BlockContext& context, const at::Tensor& x) const {
    const StoredWeight weight(context.parameters[m_weight], optional(context, m_scales));
    if (m_integers && integerProductServes(x, weight) && !m_adapter && !context.exact)
        return integerProduct(x, weight, optional(context, m_bias));
    at::Tensor y = keptProduct(context.products, weight.values.size(1), [&](const at::Tensor& known) {
        return linearProduct(x, weight, optional(context, m_bias), known);
    });
    return m_adapter ? y + m_adapter->linear(context, x) : y;
}

Conv2d::Conv2d(const BlockSpec& spec, const std::string& name, int64_t padding, int64_t stride)
    : m_weight(requireParameter(spec, name + ".weight"))
    , m_scales(scalesIndex(spec, name))
    , m_bias(requireParameter(spec, name + ".bias"))
    , m_padding(padding)
    , m_stride(stride)
    , m_adapter(LowRank::find(spec, m_weight)) {}

at::Tensor Conv2d::operator()(const BlockContext& context, const at::Tensor& x) const {
    return apply(context, x, valuesFor(context), context.products);
}

at::Tensor Conv2d::last(const BlockContext& context, const at::Tensor& x) const {
    return apply(context, x, context.gradientsOnly ? ResultUse::GradientsOnly : valuesFor(context), nullptr);
}

at::Tensor Conv2d::apply(const BlockContext& context, const at::Tensor& x, ResultUse use,
                         KeptProducts* products) const {
    const at::Tensor input = x.contiguous(at::MemoryFormat::ChannelsLast);
    const StoredWeight weight(context.parameters[m_weight], optional(context, m_scales));
    const int64_t length = weight.values[0].numel();
    at::Tensor y = keptProduct(products, length, [&](const at::Tensor& known) {
        return convolve(input, weight, context.parameters[m_bias], m_padding, m_stride, use, known);
    });
    return m_adapter ? y + m_adapter->convolution(context, input, m_stride, m_padding) : y;
}

GroupNorm::GroupNorm(const BlockSpec& spec, const std::string& name, int64_t groups, double epsilon)
    : m_weight(requireParameter(spec, name + ".weight"))
    , m_bias(requireParameter(spec, name + ".bias"))
    , m_groups(groups)
    , m_epsilon(epsilon) {}

at::Tensor GroupNorm::operator()(const BlockContext& context, const at::Tensor& x,
                                 std::optional<Activation> then) const {
    const bool silu = then == Activation::Silu;
    at::Tensor y = normalizeGroups(x, context.parameters[m_weight], context.parameters[m_bias], m_groups,
                                   m_epsilon, silu);
    return then && !silu ? activate(*then, std::move(y)) : y;
}

LayerNorm::LayerNorm(const BlockSpec& spec, const std::string& name, double epsilon)
    : m_weight(requireParameter(spec, name + ".weight"))
    , m_bias(requireParameter(spec, name + ".bias"))
    , m_epsilon(epsilon) {}

at::Tensor LayerNorm::operator()(const BlockContext& context, const at::Tensor& x) const {
    const at::Tensor& weight = context.parameters[m_weight];
    return normalizeRows(x, weight, context.parameters[m_bias], m_epsilon);
}

} // namespace homebooth::core
