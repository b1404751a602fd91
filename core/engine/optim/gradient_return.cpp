// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/optim/gradient_return.h"

#include "core/engine/memory/ram_tensor.h"
#include "core/engine/memory/rehearsed_memory.h"
#include "core/engine/optim/memory_order.h"

#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <utility>

namespace homebooth::core {

void GradientReturn::reserve(at::Device device) {
    if (m_pages.defined()) return;
    const Landing pages = landing(!computedOnHost(device));
    if (device.is_meta()) {
        const TierScope besideTheParameters(Tier::Ram);
        m_pages = at::empty({pages.bytes()}, at::TensorOptions().dtype(at::kByte).device(device));
        return;
    }
    m_pages = ramTensor(pages.bytes(), device);
    m_lane = std::make_unique<ReturnLane>(
        std::span(static_cast<std::byte*>(m_pages.data_ptr()), static_cast<size_t>(m_pages.numel())),
        pages.pageBytes);
}

uint64_t GradientReturn::send(ParameterStore& store, ParameterId id, const at::Tensor& gradient, Use use) {
    return sendFlat(store, flatAlias(inOrderOf(gradient, store.parameter(id))), std::move(use));
}

uint64_t GradientReturn::sendFlat(ParameterStore& store, const at::Tensor& flat, Use use) {
    reserve(flat.device());
    if (!m_lane) {
        m_rehearsed.push_back({flat, &store.returnLink(), std::move(use)});
        return 0;
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
    const uint64_t number = m_lane->send(store.returnLink(), std::move(parcel));
    if (store.returnLink().blocking()) m_lane->settle();
    return number;
}

int64_t GradientReturn::bytesOnDevice() const {
    int64_t bytes = m_lane ? m_lane->onDeviceBytes() : 0;
    for (const Rehearsed& one : m_rehearsed) bytes += static_cast<int64_t>(one.gradient.nbytes());
    return bytes;
}

void GradientReturn::waitUntilAtMost(int64_t bytes) {
    bytes = std::max<int64_t>(bytes, 0);
    if (m_lane) m_lane->waitUntilAtMost(bytes);
    int64_t waiting = 0;
    for (const Rehearsed& one : m_rehearsed) waiting += static_cast<int64_t>(one.gradient.nbytes());
    for (; waiting > bytes; m_rehearsed.pop_front()) {
        Rehearsed& first = m_rehearsed.front();
        const auto leaving = static_cast<int64_t>(first.gradient.nbytes());
        (void)first.link->copy(nullptr, nullptr, leaving);
        first.use(first.gradient, 0);
        waiting -= leaving;
    }
}

void GradientReturn::settle() {
    waitUntilAtMost(0);
    if (m_lane) m_lane->settle();
}

void GradientReturn::discard() noexcept {
    m_rehearsed.clear();
    if (m_lane) m_lane->discard();
}

} // namespace homebooth::core
