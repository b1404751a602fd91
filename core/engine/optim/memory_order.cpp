// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/optim/memory_order.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <exception>
#include <mutex>
#include <omp.h>

namespace homebooth::core {
namespace {

/// Below this many elements a thread is not worth waking.
constexpr int64_t kElementsPerThread = 32768;

/// Each has a stretch. at::parallel_for would wake all of Torch's threads, whoever gets work, and wait for
/// all.
void inTeamOf(int threads, int64_t units, const std::function<void(int64_t, int64_t)>& work) {
    std::mutex mutex;
    std::exception_ptr failure; // must not leave the team
#pragma omp parallel num_threads(threads)
    {
        const int64_t team = omp_get_num_threads();
        const int64_t begin = units * omp_get_thread_num() / team;
        const int64_t end = units * (omp_get_thread_num() + 1) / team;
        try {
            if (begin < end) work(begin, end);
        } catch (...) {
            const std::lock_guard lock(mutex);
            failure = std::current_exception();
        }
    }
    if (failure) std::rethrow_exception(failure);
}

bool sameOrder(const at::Tensor& a, const at::Tensor& b) {
    for (int64_t i = 0; i < a.dim(); ++i)
        if (a.size(i) != 1 && a.stride(i) != b.stride(i)) return false;
    return true;
}

} // namespace

at::Tensor flatAlias(const at::Tensor& tensor) {
    TORCH_CHECK(tensor.is_non_overlapping_and_dense(), "a parameter or state of shape ", tensor.sizes(),
                " has gaps in memory (strides ", tensor.strides(), "); expected a dense tensor");
    return tensor.as_strided({tensor.numel()}, {1});
}

at::Tensor stretchOf(const at::Tensor& whole, int64_t begin, int64_t count) {
    if (!whole.defined()) return {};
    return flatAlias(whole).narrow(0, begin, count);
}

at::Tensor inOrderOf(const at::Tensor& source, const at::Tensor& like) {
    TORCH_CHECK(source.sizes() == like.sizes(), "a gradient has shape ", source.sizes(),
                ", its parameter has ", like.sizes());
    if (sameOrder(source, like)) return source;
    return at::empty_strided(like.sizes(), like.strides(), source.options()).copy_(source);
}

uint32_t parameterHash(const std::string& name) {
    uint32_t hash = 2166136261u;
    for (const char character : name) {
        hash ^= static_cast<uint8_t>(character);
        hash *= 16777619u;
    }
    return hash;
}

int threadsOf(Workers workers) {
    const int all = at::get_num_threads();
    if (workers == Workers::Caller) return 1;
    return workers == Workers::Most ? all - std::min(all / 4, 2) : all;
}

void parallelOver(int64_t count, int64_t unit, const std::function<void(int64_t, int64_t)>& work,
                  Workers workers) {
    const int64_t units = (count + unit - 1) / unit;
    const int64_t fewest = std::max(int64_t{1}, kElementsPerThread / unit);
    const auto stretch = [&](int64_t begin, int64_t end) { work(begin * unit, std::min(end * unit, count)); };
    if (workers == Workers::Caller || (workers == Workers::Most && units <= fewest))
        work(0, count);
    else if (workers == Workers::Most)
        inTeamOf(threadsOf(workers), units, stretch); // always as many: another team would be made anew
    else
        at::parallel_for(0, units, std::max(fewest, (units + threadsOf(workers) - 1) / threadsOf(workers)),
                         stretch);
}

} // namespace homebooth::core
