// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The squared norms of gradients, in fp64, the same for every thread count and cut, on every device. One
// thread.
#pragma once

#include <ATen/ATen.h>

#include <vector>

namespace homebooth::core {

/// @param gradient  dense, in its parameter's memory order; fp32, bf16 or fp16
/// @param before    of the elements before these, where it comes in pieces of whole sum blocks; they are
/// added
/// @returns         not finite exactly if an element is not finite
[[nodiscard]] double squaredNorm(const at::Tensor& gradient, double before = 0.0);

/// The sum of many gradients' squared norms, added up in the order in which they are given. A GPU has
/// all of its own summed at once, at the end: the host waits for it once, not for each of them.
class SquaredNorms {
public:
    /// Of a gradient whose norm is known.
    void add(double squared) { m_terms.push_back({squared, {}}); }
    /// @param gradient  as squaredNorm has it, whole; those on a GPU are on one, and stay as they are
    ///                  until `sum`
    void add(const at::Tensor& gradient);
    /// Of a rehearsal: zero for what lies on the device.
    [[nodiscard]] double sum() const;

private:
    struct Term {
        double squared = 0.0;
        at::Tensor onDevice; ///< flat; undefined where `squared` is known
    };
    std::vector<Term> m_terms;
};

} // namespace homebooth::core
