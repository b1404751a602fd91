// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/sampling/preview_projection.h"

#include <c10/util/Exception.h>

namespace homebooth::core {

namespace {

/// [B, C, h, w] -> [B * h * w, C + 1] in fp64 on the CPU, the last column 1.
at::Tensor rowsOf(const at::Tensor& latents) {
    const at::Tensor rows = latents.to(at::kCPU, at::kDouble).movedim(1, -1).reshape({-1, latents.size(1)});
    return at::cat({rows, at::ones({rows.size(0), 1}, at::kDouble)}, 1);
}

/// Keeps the solution finite while few different latents were seen.
constexpr double kRidge = 1e-4;

} // namespace

void PreviewProjection::learn(const at::Tensor& latents, const at::Tensor& pixels) {
    const at::Tensor rows = rowsOf(latents);
    const at::Tensor small =
        at::adaptive_avg_pool2d(pixels.to(at::kCPU, at::kFloat), latents.sizes().slice(2));
    const at::Tensor colours = small.to(at::kDouble).movedim(1, -1).reshape({-1, pixels.size(1)});
    const at::Tensor normal = rows.t().matmul(rows);
    const at::Tensor right = rows.t().matmul(colours);
    m_normal = ready() ? m_normal + normal : normal;
    m_right = m_right.defined() ? m_right + right : right;
}

at::Tensor PreviewProjection::project(const at::Tensor& latents) const {
    TORCH_INTERNAL_ASSERT(ready());
    const int64_t size = m_normal.size(0);
    const double scale = m_normal[size - 1][size - 1].item<double>(); // number of latents seen
    const at::Tensor map = at::linalg_solve(m_normal + kRidge * scale * at::eye(size, at::kDouble), m_right);
    const at::Tensor colours = rowsOf(latents).matmul(map).reshape(
        {latents.size(0), latents.size(2), latents.size(3), m_right.size(1)});
    return colours.movedim(-1, 1).to(at::kFloat).clamp(-1.0, 1.0).contiguous();
}

} // namespace homebooth::core
