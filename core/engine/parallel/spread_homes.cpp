// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/parallel/spread_homes.h"

#include "core/engine/optim/memory_order.h"

#include <ATen/core/grad_mode.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <new>

namespace homebooth::core {
namespace {

int64_t pageBytes() {
    static const int64_t bytes = ::sysconf(_SC_PAGESIZE);
    return bytes;
}

int64_t pagesOf(int64_t bytes) {
    return (bytes + pageBytes() - 1) / pageBytes();
}

} // namespace

SpreadHomes::SpreadHomes(const Ranks& ranks, const Schedule& schedule)
    : m_ranks(ranks)
    , m_trained(schedule, ranks.count(), ShardedParameters::Trainable)
    , m_frozen(schedule, ranks.count(), ShardedParameters::Frozen)
    , m_homes(schedule.blocks().size()) {}

at::Tensor SpreadHomes::home(int block, int64_t bytes) {
    const auto options = at::TensorOptions().dtype(at::kByte);
    if (bytes == 0) return m_homes.at(block).memory = at::empty({0}, options);
    const auto mapped = static_cast<size_t>(pagesOf(bytes) * pageBytes());
    void* begin = ::mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (begin == MAP_FAILED) throw std::bad_alloc();
    ::madvise(begin, mapped, MADV_NOHUGEPAGE); // or keeping a page would keep its many neighbours
    m_homes.at(block).memory = at::from_blob(
        begin, {bytes}, [mapped](void* memory) { ::munmap(memory, mapped); }, options);
    return m_homes[block].memory;
}

/// Asks for one layout's part of a block.
SpreadHomes::Parcel SpreadHomes::send(const ShardLayout& layout, int block,
                                      const std::vector<at::Tensor>& parameters) const {
    const int64_t slice = layout.sliceElements(block);
    const at::Tensor& like = parameters.at(layout.members(block).front().index);
    Parcel parcel{&layout, at::empty({m_ranks.count() * slice}, like.options())};
    const at::Tensor own = parcel.whole.narrow(0, m_ranks.rank() * slice, slice);
    for (const ParameterId id : layout.members(block)) {
        const ElementRange range = layout.range(m_ranks.rank(), id);
        if (range.count == 0) continue;
        own.narrow(0, layout.offset(m_ranks.rank(), id), range.count)
            .copy_(stretchOf(parameters[id.index], range.begin, range.count));
    }
    parcel.ticket = m_ranks.collective().allGather(parcel.whole, own);
    return parcel;
}

void SpreadHomes::take(const Parcel& parcel, int block, const std::vector<at::Tensor>& parameters) const {
    m_ranks.collective().wait(parcel.ticket);
    const ShardLayout& layout = *parcel.layout;
    const int64_t slice = layout.sliceElements(block);
    for (const ParameterId id : layout.members(block))
        for (int rank = 0; rank < layout.ranks(); ++rank) {
            const ElementRange range = layout.range(rank, id);
            if (range.count == 0 || rank == m_ranks.rank()) continue;
            stretchOf(parameters[id.index], range.begin, range.count)
                .copy_(parcel.whole.narrow(0, rank * slice + layout.offset(rank, id), range.count));
        }
}

void SpreadHomes::ask(int block, const std::vector<at::Tensor>& parameters) {
    if (m_homes.at(block).isWhole) return;
    TORCH_CHECK(!m_asked, "block ", block, " was asked for before block ", m_asked ? m_asked->block : -1,
                " was used");
    const at::NoGradGuard noGrad;
    Asked asked{block, {}};
    for (const ShardLayout* layout : {&m_trained, &m_frozen})
        if (layout->sliceElements(block) > 0) asked.parcels.push_back(send(*layout, block, parameters));
    m_asked = std::move(asked);
}

void SpreadHomes::gather(int block, const std::vector<at::Tensor>& parameters) {
    Home& home = m_homes.at(block);
    if (home.isWhole) return;
    if (!m_asked) ask(block, parameters);
    TORCH_CHECK(m_asked->block == block, "block ", block, " is used, and block ", m_asked->block,
                " was asked for");
    const at::NoGradGuard noGrad;
    for (const Parcel& parcel : m_asked->parcels) take(parcel, block, parameters);
    m_asked.reset();
    home.isWhole = true;
}

/// Of the pages of a home those that hold an element of this rank's.
std::vector<bool> SpreadHomes::ownPages(int block, const std::vector<at::Tensor>& parameters) const {
    const at::Tensor& memory = m_homes[block].memory;
    const auto* begin = static_cast<const std::byte*>(memory.const_data_ptr());
    std::vector<bool> own(static_cast<size_t>(pagesOf(memory.numel())), false);
    for (const ShardLayout* layout : {&m_trained, &m_frozen})
        for (const ParameterId id : layout->members(block)) {
            const ElementRange range = layout->range(m_ranks.rank(), id);
            if (range.count == 0) continue;
            const at::Tensor& parameter = parameters[id.index];
            const int64_t first = static_cast<const std::byte*>(parameter.const_data_ptr()) - begin +
                                  range.begin * parameter.element_size();
            const int64_t last = first + range.count * parameter.element_size() - 1;
            std::fill(own.begin() + first / pageBytes(), own.begin() + last / pageBytes() + 1, true);
        }
    return own;
}

void SpreadHomes::drop(int block, const std::vector<at::Tensor>& parameters) {
    Home& home = m_homes.at(block);
    if (!home.isWhole || home.memory.numel() == 0) return;
    const std::vector<bool> own = ownPages(block, parameters);
    auto* begin = static_cast<std::byte*>(home.memory.data_ptr());
    const auto pages = static_cast<int64_t>(own.size());
    for (int64_t page = 0; page < pages;) {
        int64_t end = page;
        while (end < pages && !own[end]) ++end;
        if (end > page)
            ::madvise(begin + page * pageBytes(), static_cast<size_t>((end - page) * pageBytes()),
                      MADV_DONTNEED);
        page = end + 1;
    }
    home.ownBytes = std::count(own.begin(), own.end(), true) * pageBytes();
    home.isWhole = false;
}

int64_t SpreadHomes::heldBytes() const {
    int64_t bytes = 0;
    for (const Home& home : m_homes)
        if (home.memory.defined()) bytes += home.isWhole ? home.memory.numel() : home.ownBytes;
    return bytes;
}

} // namespace homebooth::core
