// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/nn/activation.h"

#include "core/engine/graph/kept_products.h"

namespace homebooth::core {
namespace {

constexpr double kQuickGeluSlope = 1.702; // Hendrycks and Gimpel 2016, the sigmoid approximation

} // namespace

Activation activationNamed(const std::string& name) {
    if (name == "silu" || name == "swish") return Activation::Silu;
    if (name == "mish") return Activation::Mish;
    if (name == "gelu") return Activation::Gelu;
    if (name == "quick_gelu") return Activation::QuickGelu;
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
    case Activation::Relu:
        return inPlace ? at::relu_(x) : at::relu(x);
    }
    return x;
}

} // namespace homebooth::core
