// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Our host kernels on tensors that may have no memory. A rehearsal (engine/memory/rehearsal.h) walks a step
// on LibTorch's meta device to learn what it allocates: kernels then allocate as always and compute nothing.
// Free functions; any thread.
#pragma once

#include "core/engine/memory/rehearsed_memory.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#ifndef INTRA_OP_PARALLEL
#error "at::parallel_for would run on one thread: compile with -fopenmp (installer/cmake/Torch.cmake)"
#endif

namespace homebooth::core {

/// Whether our host kernels serve a tensor, or would serve it in the step that is rehearsed.
inline bool onHost(const at::Tensor& x) {
    return computedOnHost(x);
}

/// at::parallel_for over the memory of tensors on the device of `any`; nothing where they have none.
template <class Work>
void overHost(const at::Tensor& any, int64_t begin, int64_t end, int64_t grain, const Work& work) {
    if (!any.is_meta()) at::parallel_for(begin, end, grain, work);
}

} // namespace homebooth::core
