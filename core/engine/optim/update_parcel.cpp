// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/optim/update_parcel.h"

#include "core/engine/memory/parameter_views.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace homebooth::core {
namespace {

int64_t alignedParameter(int64_t bytes) {
    return (bytes + kParameterAlignment - 1) / kParameterAlignment * kParameterAlignment;
}

} // namespace

UpdateParcel::UpdateParcel(Optimizer& optimizer, int block, uint64_t number)
    : m_optimizer(&optimizer)
    , m_block(block)
    , m_number(number)
    , m_gradients(optimizer.store().schedule().blocks().at(static_cast<size_t>(block)).parameters.size())
    , m_copies(m_gradients.size()) {}

bool UpdateParcel::isRead(int index) const {
    const ParameterId id{m_block, index};
    const ParameterSpec& spec = m_optimizer->store().spec(id);
    return spec.trainable && spec.elementCount() > 0 && !m_optimizer->hasMaster(id);
}

void UpdateParcel::copyParameters() {
    const int count = static_cast<int>(m_gradients.size());
    try {
        for (int first = 0; first < count; ++first) {
            int end = first;
            while (end < count && isRead(end)) ++end;
            if (end > first) copyRun(first, end);
            first = end;
        }
    } catch (...) {
        static_cast<void>(leaveCopies());
        throw;
    }
}

void UpdateParcel::copyRun(int first, int end) {
    const ParameterStore& store = m_optimizer->store();
    const at::Tensor begin = store.copyInUse({m_block, first});
    if (!begin.defined()) return;
    int64_t bytes = 0;
    std::vector<Copied> run;
    for (int index = first; index < end; ++index) {
        const at::Tensor inUse = store.copyInUse({m_block, index});
        TORCH_CHECK(inUse.is_meta() || static_cast<const std::byte*>(inUse.const_data_ptr()) ==
                                           static_cast<const std::byte*>(begin.const_data_ptr()) + bytes,
                    store.spec({m_block, index}).name, " does not lie behind the parameter before it");
        run.push_back({{}, bytes, static_cast<int64_t>(inUse.nbytes()), inUse.scalar_type()});
        bytes += alignedParameter(run.back().bytes);
    }
    const auto options = at::TensorOptions().dtype(at::kByte).device(begin.device());
    const at::Tensor all = at::empty({bytes}, options);
    if (!all.is_meta())
        all.copy_(at::from_blob(
            begin.data_ptr(), {bytes}, [](void*) {}, options, begin.device()));
    for (Copied& one : run) one.all = all;
    std::move(run.begin(), run.end(), m_copies.begin() + first);
}

int UpdateParcel::first() const {
    const auto found = std::find_if(m_gradients.begin(), m_gradients.end(),
                                    [](const at::Tensor& gradient) { return gradient.defined(); });
    return found != m_gradients.end() ? static_cast<int>(found - m_gradients.begin()) : -1;
}

void UpdateParcel::add(int index, at::Tensor gradient) {
    m_gradients.at(static_cast<size_t>(index)) = std::move(gradient);
    ++m_size;
}

void UpdateParcel::close(const std::vector<UpdatePiece>& pieces) {
    for (const UpdatePiece& piece : pieces) {
        UpdatePiece wanted;
        std::copy_if(piece.begin(), piece.end(), std::back_inserter(wanted),
                     [this](const UpdateStretch& stretch) { return has(stretch.index); });
        if (!wanted.empty()) m_pieces.push_back(std::move(wanted));
    }
}

at::Tensor UpdateParcel::gradient(const UpdateStretch& stretch) const {
    return m_gradients.at(static_cast<size_t>(stretch.index)).narrow(0, stretch.begin, stretch.count);
}

at::Tensor UpdateParcel::parameter(const UpdateStretch& stretch) const {
    const Copied& copied = m_copies.at(static_cast<size_t>(stretch.index));
    if (!copied.all.defined()) return {};
    return copied.all.narrow(0, copied.begin, copied.bytes)
        .view(copied.type)
        .narrow(0, stretch.begin, stretch.count);
}

int64_t UpdateParcel::bytesOnDevice() const {
    int64_t bytes = 0;
    for (const at::Tensor& gradient : m_gradients)
        if (gradient.defined()) bytes += static_cast<int64_t>(gradient.nbytes());
    for (const Copied& one : m_copies)
        if (one.all.defined()) bytes += one.bytes;
    return bytes;
}

int64_t UpdateParcel::leaveGradient(int index) {
    at::Tensor& gradient = m_gradients.at(static_cast<size_t>(index));
    if (!gradient.defined()) return 0;
    const auto bytes = static_cast<int64_t>(gradient.nbytes());
    gradient.reset();
    return bytes;
}

int64_t UpdateParcel::leaveCopies() {
    int64_t bytes = 0;
    for (Copied& one : m_copies) {
        if (one.all.defined()) bytes += one.bytes;
        one.all.reset();
    }
    return bytes;
}

} // namespace homebooth::core
