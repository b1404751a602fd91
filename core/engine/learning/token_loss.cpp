// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/learning/token_loss.h"

#include "core/engine/nn/matrix_product.h"

#include <ATen/core/grad_mode.h>

#include <algorithm>

namespace homebooth::core {
namespace {

constexpr int64_t kFloatBytes = 4;

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
        , m_rows(std::clamp<int64_t>(options.sliceBytes / (table.size(0) * kFloatBytes), 1, m_count)) {}

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
        if (m_options.tableLearns) addToTable(transposedProduct(gradient, rows));
        return loss;
    }

    void addToTable(const at::Tensor& part) {
        if (m_rows == m_count)
            m_tableGradient = part;
        else if (m_tableGradient.defined())
            m_tableGradient.add_(part);
        else
            m_tableGradient = part.to(at::kFloat);
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
