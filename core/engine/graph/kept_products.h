// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Results of the costly products of one block's call, kept from forward for the recomputation in backward.
// Recomputing a block then means its norms, activations and sums, while convolutions, long products and
// attention are read back: most of the time of a recomputation for a fraction of what it would keep.
// Owned by the executor's pass, one for each node; one thread.
//
// Invariants:
//   1. Forward records, backward replays, in the same order: what is kept depends on shapes alone.
//   2. Nobody writes into a kept result (see mayOverwrite).
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <utility>
#include <vector>

namespace homebooth::core {

class KeptProducts {
public:
    /// Multiplications behind one element of a result from which on keeping it is better than repeating them.
    static constexpr int64_t kWorthKeeping = 1024;

    explicit KeptProducts(int64_t worthKeeping = kWorthKeeping)
        : m_worthKeeping(worthKeeping) {}

    [[nodiscard]] bool concerns(int64_t innerLength) const { return innerLength >= m_worthKeeping; }
    [[nodiscard]] bool replays() const { return m_replays; }
    void keep(const at::Tensor& result) { m_results.push_back(result); }
    /// From now on `take` gives the kept results, the first one first.
    void startReplay() { m_replays = true; }
    /// The next kept result; this object lets go of it.
    [[nodiscard]] at::Tensor take() {
        TORCH_CHECK(m_next < m_results.size(), "a recomputation asked for ", m_next + 1,
                    " products, forward kept ", m_results.size());
        return std::move(m_results[m_next++]);
    }
    [[nodiscard]] int64_t bytes() const {
        int64_t sum = 0;
        for (const at::Tensor& result : m_results)
            if (result.defined()) sum += static_cast<int64_t>(result.nbytes());
        return sum;
    }

private:
    int64_t m_worthKeeping;
    std::vector<at::Tensor> m_results;
    size_t m_next = 0;
    bool m_replays = false;
};

/// Computes one product, or takes it from what forward kept.
/// @param products     may be null: always compute
/// @param innerLength  multiplications behind one element of the result
/// @param compute      called with the known result, or with an undefined tensor when there is none
template <class Compute>
at::Tensor keptProduct(KeptProducts* products, int64_t innerLength, const Compute& compute) {
    if (products == nullptr || !products->concerns(innerLength)) return compute(at::Tensor());
    if (products->replays()) return compute(products->take());
    at::Tensor result = compute(at::Tensor());
    products->keep(result);
    return result;
}

/// Whether an operation may write its result into `x`: no gradient is recorded, nobody else holds the memory.
/// @param x  handed over (moved), so that one holder is the caller
[[nodiscard]] bool mayOverwrite(const at::Tensor& x);

} // namespace homebooth::core
