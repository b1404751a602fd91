// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/optim/gradient_return.h"

#include "core/engine/memory/ram_tensor.h"
#include "core/engine/optim/memory_order.h"

#include <ATen/core/grad_mode.h>

#include <utility>

namespace homebooth::core {
namespace {

/// Large enough that a link's latency does not count, small enough to lie in the processor's cache.
constexpr int64_t kPageBytes = int64_t{1} << 20;
constexpr int64_t kPages = 8;

} // namespace

void GradientReturn::allocate(at::Device device) {
    if (m_pages.defined()) return;
    if (device.is_meta()) {
        const TierScope besideTheParameters(Tier::Ram);
        m_pages = at::empty({kPages * kPageBytes}, at::TensorOptions().dtype(at::kByte).device(device));
        return;
    }
    m_pages = ramTensor(kPages * kPageBytes, device);
    m_lane = std::make_unique<ReturnLane>(
        std::span(static_cast<std::byte*>(m_pages.data_ptr()), static_cast<size_t>(m_pages.numel())),
        kPageBytes);
}

void GradientReturn::send(ParameterStore& store, ParameterId id, const at::Tensor& gradient, Use use) {
    allocate(gradient.device());
    if (&store != m_store || id.block != m_block) waitUntilLeft();
    m_store = &store;
    m_block = id.block;
    const at::Tensor flat = flatAlias(inOrderOf(gradient, store.parameter(id)));
    if (!m_lane) {
        m_rehearsed.push_back({flat, &store.returnLink(), std::move(use)});
        return;
    }
    const int64_t elementBytes = flat.element_size();
    ReturnLane::Parcel parcel;
    parcel.data = {static_cast<const std::byte*>(flat.const_data_ptr()), flat.nbytes()};
    parcel.owner = std::make_shared<const at::Tensor>(flat);
    parcel.use = [use = std::move(use), type = flat.scalar_type(),
                  elementBytes](std::span<const std::byte> piece, int64_t offsetBytes) {
        const at::NoGradGuard noGrad;
        // from_blob knows no constant memory; nobody writes into it.
        use(at::from_blob(const_cast<std::byte*>(piece.data()),
                          {static_cast<int64_t>(piece.size()) / elementBytes},
                          at::TensorOptions().dtype(type)),
            offsetBytes / elementBytes);
    };
    m_lane->send(store.returnLink(), std::move(parcel));
    if (store.returnLink().blocking()) m_lane->settle();
}

void GradientReturn::waitUntilLeft() {
    if (m_lane) m_lane->waitUntilLeft();
    for (Rehearsed& one : std::exchange(m_rehearsed, {})) {
        (void)one.link->copy(nullptr, nullptr, static_cast<int64_t>(one.gradient.nbytes()));
        one.use(one.gradient, 0);
        one.gradient.reset();
    }
}

void GradientReturn::settle() {
    waitUntilLeft();
    if (m_lane) m_lane->settle();
    m_store = nullptr;
}

void GradientReturn::discard() noexcept {
    m_rehearsed.clear();
    m_store = nullptr;
    if (m_lane) m_lane->discard();
}

} // namespace homebooth::core
