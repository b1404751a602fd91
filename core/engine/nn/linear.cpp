// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/nn/linear.h"

#include "core/engine/memory/rehearsed_memory.h"
#include "core/engine/nn/matrix_product.h"

#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>
#include <optional>
#include <vector>

namespace homebooth::core {
namespace {

/// Multiplications of x with a weight, and of each of the gradients.
int64_t productsOf(const at::Tensor& x, const at::Tensor& weight) {
    return x.numel() / std::max<int64_t>(weight.size(1), 1) * weight.numel();
}

at::Tensor product(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias) {
    if (!widensProducts(x)) {
        // Only a rehearsal may pay for the reshaping, which can be a copy.
        const at::Tensor packed =
            x.is_meta() ? packedFactors(x.reshape({-1, weight.size(1)}), weight.t()) : at::Tensor();
        return at::linear(x, weight, bias);
    }
    const at::Tensor rows = x.reshape({-1, weight.size(1)});
    at::Tensor out = at::empty({rows.size(0), weight.size(0)}, x.options());
    matrixProductInto(out, bias, rows, weight.t());
    std::vector<int64_t> sizes = x.sizes().vec();
    sizes.back() = weight.size(0);
    return out.view(sizes);
}

class LinearProduct : public torch::autograd::Function<LinearProduct> {
public:
    static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& x,
                              const at::Tensor& values, const std::optional<at::Tensor>& bias,
                              const std::optional<at::Tensor>& scales,
                              const std::optional<at::Tensor>& known) {
        context->save_for_backward({x, values, scales.value_or(at::Tensor())});
        context->saved_data["biased"] = bias.has_value();
        if (known) return known->detach();
        countProducts(x, ProductKind::Linear, productsOf(x, values));
        const StoredWeight weight(values, scales.value_or(at::Tensor()));
        return product(x, weight.whole(x.scalar_type()), bias.value_or(at::Tensor()));
    }

    static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                   torch::autograd::variable_list gradients) {
        const auto saved = context->get_saved_variables();
        const at::Tensor& x = saved[0];
        const StoredWeight weight(saved[1], saved[2]);
        const at::Tensor gradRows = gradients[0].reshape({-1, weight.values.size(0)});
        torch::autograd::variable_list result(5); // one for each argument of forward
        if (context->needs_input_grad(0)) {
            countProducts(x, ProductKind::Linear, productsOf(x, weight.values));
            result[0] = matrixProduct(gradRows, weight.whole(x.scalar_type())).view(x.sizes());
        }
        if (context->needs_input_grad(1)) {
            countProducts(x, ProductKind::LinearWeights, productsOf(x, weight.values));
            result[1] = transposedProduct(gradRows, x.reshape({-1, weight.values.size(1)}));
        }
        if (context->saved_data["biased"].toBool() && context->needs_input_grad(2))
            result[2] = gradRows.sum(0);
        return result;
    }
};

} // namespace

at::Tensor linearProduct(const at::Tensor& x, const StoredWeight& weight, const at::Tensor& bias,
                         const at::Tensor& known) {
    return LinearProduct::apply(x, weight.values, given(bias), given(weight.scales), given(known));
}

} // namespace homebooth::core
