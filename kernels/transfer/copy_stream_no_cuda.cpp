// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// A build without CUDA: there is no GPU to copy to.
#include "kernels/transfer/copy_stream.h"

namespace homebooth::kernels {
namespace {

constexpr int kNoCuda = -1;

} // namespace

struct CopyStream::State {};

CopyStream::CopyStream(std::unique_ptr<State> state)
    : m_state(std::move(state)) {}
CopyStream::~CopyStream() = default;

int CopyStream::create(int /*device*/, void* /*computing*/, std::unique_ptr<CopyStream>& /*made*/) {
    return kNoCuda;
}

int CopyStream::mark(uint64_t& /*mark*/) {
    return kNoCuda;
}

int CopyStream::copy(std::span<const Copy> /*copies*/, uint64_t /*after*/, uint64_t& /*ticket*/) {
    return kNoCuda;
}

int CopyStream::order(uint64_t /*ticket*/) {
    return kNoCuda;
}

int CopyStream::wait(uint64_t /*ticket*/) {
    return kNoCuda;
}

double CopyStream::stalledSeconds() const {
    return 0.0;
}

double CopyStream::busySeconds() const {
    return 0.0;
}

int pinHostMemory(void* /*data*/, int64_t /*bytes*/) {
    return kNoCuda;
}

int unpinHostMemory(void* /*data*/) {
    return kNoCuda;
}

const char* transferError(int /*code*/) {
    return "this build has no CUDA";
}

} // namespace homebooth::kernels
