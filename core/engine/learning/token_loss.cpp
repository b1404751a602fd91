// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/learning/token_loss.h"

#include "core/engine/nn/matrix_product.h"

#include <ATen/core/grad_mode.h>

#include <algorithm>

namespace homebooth::core {
namespace {

constexpr int64_t kFloatBytes = 4;
constexpr int64_t kPartBytes = int64_t{4} << 20; // of the table's gradient

/// The sum of the losses of some tokens, and what becomes of their logits in place: their gradient.
/// Shapes: logits [n, V] fp32, targets [n]
at::Tensor lossAndGradient(at::Tensor& logits, const at::Tensor& targets, double factor) {
    const at::Tensor places = targets.unsqueeze(1);
    const at::Tensor greatest = logits.amax(1, /*keepdim=*/true);
    const at::Tensor ofTarget = logits.gather(1, places) - greatest;
    logits.sub_(greatest).exp_();
    const at::Tensor sums = logits.sum(1, /*keepdim=*/true);
    const at::Tensor loss = (sums.log() - ofTarget).sum();
    logits.mul_(factor / sums);
    logits.scatter_add_(1, places, at::full({targets.size(0), 1}, -factor, logits.options()));
    return loss;
}

/// Of the logits that are there at a time. Each slice goes over the table's whole gradient (8 bytes of its
/// sum for each number), and a row over its own logits (some 48 for each). With a third as many rows as the
/// table has columns the gradient's traffic is a third of all at most, and in 16 bits no more memory is taken
/// than by turning that sum into the table's type at the end.
int64_t rowsOf(const TokenLossOptions& options, const at::Tensor& table, int64_t count) {
    constexpr int64_t kColumnsOfARow = 3;
    const int64_t rows = options.sliceBytes / (table.size(0) * kFloatBytes);
    const bool addsUp = options.gradients && options.tableLearns;
    return std::clamp<int64_t>(addsUp ? std::max(rows, table.size(1) / kColumnsOfARow) : rows, 1, count);
}

/// Goes through the tokens slice by slice.
class Slices {
public:
    Slices(const at::Tensor& hidden, const at::Tensor& table, const at::Tensor& targets,
           const TokenLossOptions& options)
        : m_options(options)
        , m_hidden(hidden.reshape({-1, hidden.size(-1)}))
        , m_table(table)
        , m_targets(targets.flatten())
        , m_count(m_hidden.size(0))
        , m_rows(rowsOf(options, table, m_count)) {}

    TokenLoss run() {
        if (m_options.gradients) m_hiddenGradient = at::empty_like(m_hidden);
        at::Tensor sum = at::zeros({}, m_hidden.options().dtype(at::kDouble));
        for (int64_t begin = 0; begin < m_count; begin += m_rows)
            sum.add_(slice(begin, std::min(begin + m_rows, m_count)).to(at::kDouble));
        TokenLoss found;
        if (!sum.is_meta()) found.loss = sum.item<double>() / static_cast<double>(m_count);
        found.hiddenGradient = m_hiddenGradient;
        if (m_tableGradient.defined()) found.tableGradient = m_tableGradient.to(m_table.scalar_type());
        return found;
    }

private:
    /// @returns  the sum of its losses
    at::Tensor slice(int64_t begin, int64_t end) {
        const at::Tensor rows = m_hidden.slice(0, begin, end);
        at::Tensor logits = matrixProduct(rows, m_table.t()).to(at::kFloat);
        const at::Tensor loss = lossAndGradient(logits, m_targets.slice(0, begin, end),
                                                m_options.gradientFactor / static_cast<double>(m_count));
        if (!m_options.gradients) return loss;
        const at::Tensor gradient = logits.to(m_table.scalar_type());
        logits.reset();
        at::Tensor into = m_hiddenGradient.slice(0, begin, end);
        matrixProductInto(into, at::Tensor(), gradient, m_table);
        if (m_options.tableLearns) addToTable(gradient, rows);
        return loss;
    }

    /// Some entries at a time: what is added to the sum is in the cache yet, and never there as a whole.
    void addToTable(const at::Tensor& gradient, const at::Tensor& rows) {
        if (m_rows == m_count) {
            m_tableGradient = transposedProduct(gradient, rows);
            return;
        }
        const bool begins = !m_tableGradient.defined();
        if (begins) m_tableGradient = at::empty(m_table.sizes(), m_table.options().dtype(at::kFloat));
        const int64_t entries = m_table.size(0);
        const int64_t some = std::clamp<int64_t>(kPartBytes / (m_table.size(1) * kFloatBytes), 1, entries);
        for (int64_t begin = 0; begin < entries; begin += some) {
            const int64_t end = std::min(begin + some, entries);
            at::Tensor into = m_tableGradient.slice(0, begin, end);
            const at::Tensor part = transposedProduct(gradient.slice(1, begin, end), rows);
            begins ? into.copy_(part) : into.add_(part.to(at::kFloat)); // which LibTorch would do unforetold
        }
    }

    const TokenLossOptions& m_options;
    at::Tensor m_hidden;
    at::Tensor m_table;
    at::Tensor m_targets;
    int64_t m_count;
    int64_t m_rows;
    at::Tensor m_hiddenGradient;
    at::Tensor m_tableGradient;
};

} // namespace

TokenLoss tokenLoss(const at::Tensor& hidden, const at::Tensor& table, const at::Tensor& targets,
                    const TokenLossOptions& options) {
    const at::NoGradGuard noGrad;
    TokenLoss found = Slices(hidden, table, targets, options).run();
    if (found.hiddenGradient.defined()) found.hiddenGradient = found.hiddenGradient.view(hidden.sizes());
    return found;
}

} // namespace homebooth::core
