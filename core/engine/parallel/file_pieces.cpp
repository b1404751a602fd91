// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/parallel/file_pieces.h"

#include "core/engine/optim/memory_order.h"

#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <tuple>

namespace homebooth::core {
namespace {

at::Tensor rowsOf(const at::Tensor& whole) {
    return whole.dim() == 0 ? whole.unsqueeze(0) : whole;
}

/// The first of a rank's rows; the rest are those up to the next rank's.
int64_t firstRow(const at::Tensor& rows, int rank, int ranks) {
    return rows.size(0) * rank / ranks;
}

/// As files have it, on the host. Shapes: [n]
at::Tensor rowOrder(const at::Tensor& elements) {
    return elements.to(at::kCPU).contiguous().view({-1});
}

/// Sizes and strides of a tensor that is cut along its memory, row by row.
struct RowLayout {
    std::vector<int64_t> sizes; ///< of one row
    std::vector<int64_t> strides;
    int64_t elements = 0; ///< of one row
};

/// The first dimension's rows; all is one row where they do not lie one behind another.
RowLayout rowLayoutOf(const StatePart& part) {
    const int64_t all = c10::multiply_integers(part.sizes);
    RowLayout row{part.sizes, part.strides, all};
    if (part.sizes.empty() || part.sizes.front() < 2 || part.strides.front() * part.sizes.front() != all)
        return row;
    row.sizes.erase(row.sizes.begin());
    row.strides.erase(row.strides.begin());
    row.elements = part.strides.front();
    return row;
}

bool isRowOrder(const StatePart& part) {
    return at::empty_strided(part.sizes, part.strides, at::TensorOptions().device(at::kMeta)).is_contiguous();
}

/// Whole rows. @param stretch  their elements, in memory order. Shapes: [rows * row.elements]
at::Tensor wholeRows(const at::Tensor& stretch, const RowLayout& row) {
    std::vector<int64_t> sizes{stretch.numel() / row.elements};
    std::vector<int64_t> strides{row.elements};
    sizes.insert(sizes.end(), row.sizes.begin(), row.sizes.end());
    strides.insert(strides.end(), row.strides.begin(), row.strides.end());
    return rowOrder(stretch.as_strided(sizes, strides));
}

/// A part of one row. @param begin  of the row, in the file; @param inRow  the first element, in memory order
Result<void> partOfRow(const at::Tensor& stretch, const RowLayout& row, int64_t begin, int64_t inRow,
                       const PieceSink& use) {
    const auto inMemoryOrder = at::empty_strided(row.sizes, row.strides, at::TensorOptions(at::kLong));
    inMemoryOrder.copy_(at::arange(row.elements, at::kLong).view(row.sizes));
    const auto [places, order] = stretchOf(inMemoryOrder, inRow, stretch.numel()).sort();
    const at::Tensor values = stretch.to(at::kCPU).index_select(0, order);
    const int64_t* place = places.const_data_ptr<int64_t>();
    const int64_t count = values.numel();
    for (int64_t first = 0; first < count;) {
        int64_t end = first + 1;
        while (end < count && place[end] == place[end - 1] + 1) ++end;
        HOMEBOOTH_CHECK(use(begin + place[first], values.narrow(0, first, end - first)));
        first = end;
    }
    return {};
}

Result<void> forPart(const at::Tensor& own, const StatePart& part, const PieceSink& use) {
    if (isRowOrder(part)) return use(part.begin, rowOrder(own));
    const RowLayout row = rowLayoutOf(part);
    const int64_t end = part.begin + own.numel();
    for (int64_t at = part.begin; at < end;) {
        const int64_t inRow = at % row.elements;
        const int64_t wholes = inRow == 0 ? (end - at) / row.elements : 0;
        const int64_t count = wholes > 0 ? wholes * row.elements : std::min(row.elements - inRow, end - at);
        const at::Tensor stretch = own.narrow(0, at - part.begin, count);
        if (wholes > 0)
            HOMEBOOTH_CHECK(use(at, wholeRows(stretch, row)));
        else
            HOMEBOOTH_CHECK(partOfRow(stretch, row, at - inRow, inRow, use));
        at += count;
    }
    return {};
}

} // namespace

at::Tensor ownElements(const NamedTensor& named, int rank, int ranks) {
    if (named.part) return named.tensor.detach();
    const at::Tensor rows = rowsOf(named.tensor.detach());
    const int64_t begin = firstRow(rows, rank, ranks);
    return rows.narrow(0, begin, firstRow(rows, rank + 1, ranks) - begin);
}

Result<void> forOwnPieces(const NamedTensor& named, int rank, int ranks, const PieceSink& use) {
    const at::NoGradGuard noGrad;
    const at::Tensor own = ownElements(named, rank, ranks);
    if (own.numel() == 0) return {};
    if (named.part) return forPart(own, *named.part, use);
    const at::Tensor rows = rowsOf(named.tensor);
    return use(firstRow(rows, rank, ranks) * (rows.numel() / rows.size(0)), rowOrder(own));
}

} // namespace homebooth::core
