// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/nn/embedding.h"

#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>

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

/// Adds the gradients of rows to those of the table that they were taken from.
/// Shapes: table [N, C], rows [..., C], ids [...] int64
void addRows(at::Tensor& table, const at::Tensor& rows, const at::Tensor& ids) {
    const at::Tensor flat = rows.reshape({-1, rows.size(-1)}).to(at::kFloat);
    if (rows.is_meta()) { // which of the ids are equal is not known: at most all of them differ
        const int64_t most = std::min(flat.size(0), table.size(0));
        const at::Tensor sums = at::empty({most, flat.size(1)}, flat.options());
        const at::Tensor taken = at::empty({most, flat.size(1)}, table.options());
        return;
    }
    const auto [taken, places, counts] = at::_unique2(ids.flatten(), /*sorted=*/true, /*inverse=*/true);
    at::Tensor sums = at::embedding_dense_backward(flat, places, taken.size(0), /*padding_idx=*/-1,
                                                   /*scale_grad_by_freq=*/false);
    sums.add_(table.index_select(0, taken));
    table.index_copy_(0, taken, sums.to(table.scalar_type()));
}

class UsedTable : public torch::autograd::Function<UsedTable> {
public:
    static torch::autograd::variable_list forward(torch::autograd::AutogradContext* context,
                                                  const at::Tensor& table, const at::Tensor& ids) {
        context->save_for_backward({ids});
        context->set_materialize_grads(false);
        context->saved_data["rows"] = table.size(0);
        return {rowsOf(table, ids), table};
    }

    static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                   const torch::autograd::variable_list& gradients) {
        const at::Tensor& rows = gradients[0];
        at::Tensor table = gradients[1];
        if (!table.defined() && rows.defined())
            table = at::zeros({context->saved_data["rows"].toInt(), rows.size(-1)}, rows.options());
        if (rows.defined()) addRows(table, rows, context->get_saved_variables().front());
        return {table, at::Tensor()};
    }
};

} // namespace

TableUse useTable(const at::Tensor& table, const at::Tensor& ids) {
    const torch::autograd::variable_list both = UsedTable::apply(table, ids);
    return {both[0], both[1]};
}

at::Tensor rowsOf(const at::Tensor& table, const at::Tensor& ids) {
    return table.is_meta() ? RehearsedRows::apply(table, ids) : at::embedding(table, ids);
}

} // namespace homebooth::core
