// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/nn/integer_product.h"

#include "core/base/schedule/quantized_weights.h"
#include "core/engine/memory/rehearsed_memory.h"
#include "core/engine/nn/host_work.h"
#include "core/engine/nn/number_type.h"
#include "kernels/cpu/features.h"
#include "kernels/numeric/int8_rows.h"

#include <ATen/core/grad_mode.h>

#include <algorithm>

namespace homebooth::core {
namespace {

constexpr int64_t kProductRows = 16;
constexpr int64_t kLeastInputs = 256; // shorter rows take longer to become integers than they save

/// Row `row` of a dense matrix.
const char* rowOf(const at::Tensor& matrix, int64_t row) {
    const int64_t bytes = matrix.size(1) * static_cast<int64_t>(matrix.element_size());
    return static_cast<const char*>(matrix.const_data_ptr()) + row * bytes;
}

/// Shapes: rows [M, K] -> int8 [M, K], scales [M]
StoredWeight quantizedRows(const at::Tensor& rows) {
    const StoredWeight made(at::empty(rows.sizes(), rows.options().dtype(at::kChar)),
                            at::empty({rows.size(0)}, rows.options().dtype(at::kFloat)));
    const auto type = numberTypeOf(rows.scalar_type());
    overHost(rows, 0, rows.size(0), kProductRows, [&](int64_t first, int64_t last) {
        kernels::quantizeRows(rowOf(rows, first), type, made.values.data_ptr<int8_t>() + first * rows.size(1),
                              made.scales.data_ptr<float>() + first, last - first, rows.size(1));
    });
    return made;
}

/// Shapes: sums int32 [M, N], rowScales [M], scales [N], bias [N] or undefined, out [M, N]
void rescale(const at::Tensor& sums, const at::Tensor& rowScales, const at::Tensor& scales,
             const at::Tensor& bias, const at::Tensor& out) {
    const auto type = numberTypeOf(out.scalar_type());
    const int64_t columns = out.size(1);
    overHost(out, 0, out.size(0), kProductRows, [&](int64_t first, int64_t last) {
        kernels::rescaleSums(sums.const_data_ptr<int32_t>() + first * columns,
                             rowScales.const_data_ptr<float>() + first, scales.const_data_ptr<float>(),
                             bias.defined() ? bias.const_data_ptr() : nullptr,
                             const_cast<char*>(rowOf(out, first)), type, last - first, columns);
    });
}

} // namespace

bool integerProductServes(const at::Tensor& x, const StoredWeight& weight) {
    return onHost(x) && weight.isQuantized() && kernels::cpuFeatures().integerProducts &&
           weight.values.size(1) >= kLeastInputs && !at::GradMode::is_enabled();
}

at::Tensor integerProduct(const at::Tensor& x, const StoredWeight& weight, const at::Tensor& bias) {
    const at::Tensor rows = x.reshape({-1, x.size(-1)}).contiguous();
    const int64_t outputs = weight.values.size(0);
    at::Tensor out = at::empty({rows.size(0), outputs}, x.options());
    countProducts(x, ProductKind::Linear, rows.size(0) * weight.values.numel());
    const int64_t stretch = std::max<int64_t>(kMostIntegerSums / std::max<int64_t>(outputs, 1), 1);
    for (int64_t begin = 0; begin < rows.size(0); begin += stretch) {
        const int64_t count = std::min(stretch, rows.size(0) - begin);
        const StoredWeight some = quantizedRows(rows.narrow(0, begin, count));
        const at::Tensor sums = at::_int_mm(some.values, weight.values.t());
        rescale(sums, some.scales, weight.scales, bias, out.narrow(0, begin, count));
    }
    std::vector<int64_t> sizes = x.sizes().vec();
    sizes.back() = outputs;
    return out.view(sizes);
}

} // namespace homebooth::core
