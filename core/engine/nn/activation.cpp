// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/nn/activation.h"

#include "core/engine/graph/kept_products.h"

#include <torch/csrc/autograd/custom_function.h>

namespace homebooth::core {
namespace {

/// ReLU where there is no memory, for which LibTorch has no kernel in C++: takes what LibTorch's takes.
class RehearsedRelu : public torch::autograd::Function<RehearsedRelu> {
public:
    static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& x) {
        at::Tensor result = at::empty_like(x);
        context->save_for_backward({result});
        return result;
    }

    static torch::autograd::variable_list backward(torch::autograd::AutogradContext* /*context*/,
                                                   const torch::autograd::variable_list& gradients) {
        return {at::empty_like(gradients.front())};
    }
};

at::Tensor relu(at::Tensor x, bool inPlace) {
    if (x.is_meta()) return inPlace ? x : RehearsedRelu::apply(x);
    return inPlace ? at::relu_(x) : at::relu(x);
}

constexpr double kQuickGeluSlope = 1.702; // Hendrycks and Gimpel 2016, the sigmoid approximation

} // namespace

Activation activationNamed(const std::string& name) {
    if (name == "silu" || name == "swish") return Activation::Silu;
    if (name == "mish") return Activation::Mish;
    if (name == "gelu") return Activation::Gelu;
    if (name == "quick_gelu") return Activation::QuickGelu;
    if (name == "gelu_tanh") return Activation::GeluTanh;
    if (name == "relu") return Activation::Relu;
    TORCH_CHECK(false, "unknown activation function ", name);
}

at::Tensor activate(Activation activation, at::Tensor x) {
    const bool inPlace = mayOverwrite(x);
    switch (activation) {
    case Activation::Silu:
        return inPlace ? at::silu_(x) : at::silu(x);
    case Activation::Mish:
        return inPlace ? at::mish_(x) : at::mish(x);
    case Activation::Gelu:
        return at::gelu(x);
    case Activation::QuickGelu:
        return x * at::sigmoid(kQuickGeluSlope * x);
    case Activation::GeluTanh:
        return at::gelu(x, "tanh");
    case Activation::Relu:
        return relu(std::move(x), inPlace);
    }
    return x;
}

} // namespace homebooth::core
