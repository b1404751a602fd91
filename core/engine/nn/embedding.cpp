// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/nn/embedding.h"

#include <torch/csrc/autograd/custom_function.h>

namespace homebooth::core {
namespace {

/// The look-up where there is no memory, for which LibTorch has no kernel in C++: takes what LibTorch's
/// takes.
class RehearsedRows : public torch::autograd::Function<RehearsedRows> {
public:
    static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& table,
                              const at::Tensor& ids) {
        context->save_for_backward({table, ids});
        std::vector<int64_t> shape = ids.sizes().vec();
        shape.push_back(table.size(1));
        return at::empty(shape, table.options());
    }

    static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                   const torch::autograd::variable_list& /*gradients*/) {
        return {at::empty_like(context->get_saved_variables().front()), at::Tensor()};
    }
};

} // namespace

at::Tensor rowsOf(const at::Tensor& table, const at::Tensor& ids) {
    return table.is_meta() ? RehearsedRows::apply(table, ids) : at::embedding(table, ids);
}

} // namespace homebooth::core
