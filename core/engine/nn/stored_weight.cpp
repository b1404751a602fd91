// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/nn/stored_weight.h"

#include "core/engine/memory/rehearsed_memory.h"
#include "core/engine/nn/host_work.h"
#include "core/engine/nn/number_type.h"
#include "kernels/numeric/int8_rows.h"

#include <algorithm>

namespace homebooth::core {
namespace {

/// Elements of a row, and rows that make up a piece of work.
int64_t rowLength(const at::Tensor& values) {
    return values.numel() / std::max<int64_t>(values.size(0), 1);
}

int64_t rowsAtATime(int64_t columns) {
    constexpr int64_t kElements = int64_t{1} << 16;
    return std::max<int64_t>(kElements / std::max<int64_t>(columns, 1), 1);
}

at::Tensor wholeOnHost(const StoredWeight& weight, at::Tensor whole) {
    const int64_t columns = rowLength(weight.values);
    const auto type = numberTypeOf(whole.scalar_type());
    overHost(whole, 0, weight.values.size(0), rowsAtATime(columns), [&](int64_t first, int64_t last) {
        const auto bytes = static_cast<int64_t>(whole.element_size());
        kernels::dequantizeRows(weight.values.const_data_ptr<int8_t>() + first * columns,
                                weight.scales.const_data_ptr<float>() + first,
                                static_cast<char*>(whole.data_ptr()) + first * columns * bytes, type,
                                last - first, columns);
    });
    return whole;
}

} // namespace

at::Tensor StoredWeight::whole(at::ScalarType type) const {
    if (!isQuantized()) return values;
    const WithinProduct countedByItself;
    at::Tensor made = at::empty_strided(values.sizes(), values.strides(), values.options().dtype(type));
    countUnpacking(values, static_cast<int64_t>(values.nbytes() + made.nbytes()));
    if (onHost(values)) return wholeOnHost(*this, std::move(made));
    std::vector<int64_t> perRow(values.dim(), 1);
    perRow[0] = values.size(0);
    if (!values.is_meta()) at::mul_out(made, values, scales.view(perRow));
    return made;
}

StoredWeight quantized(const at::Tensor& weight) {
    const int64_t rows = weight.size(0);
    const int64_t columns = rowLength(weight);
    const at::Tensor integers = at::empty(weight.sizes(), at::kChar);
    const at::Tensor scales = at::empty({rows}, at::kFloat);
    const int64_t stretch = rowsAtATime(columns);
    for (int64_t begin = 0; begin < rows; begin += stretch) {
        const int64_t count = std::min(stretch, rows - begin);
        const at::Tensor some = weight.narrow(0, begin, count).to(at::kFloat).contiguous();
        kernels::quantizeRows(some.const_data_ptr(), kernels::NumberType::Float32,
                              integers.data_ptr<int8_t>() + begin * columns, scales.data_ptr<float>() + begin,
                              count, columns);
    }
    return {integers, scales};
}

} // namespace homebooth::core
