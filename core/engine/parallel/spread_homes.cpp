// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/parallel/spread_homes.h"

#include "core/engine/memory/tier_meter.h"
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

/// Gives back the pages of a home that are not kept.
void giveBack(const at::Tensor& memory, const std::vector<bool>& kept) {
    auto* begin = static_cast<std::byte*>(memory.data_ptr());
    const auto pages = static_cast<int64_t>(kept.size());
    for (int64_t page = 0; page < pages;) {
        int64_t end = page;
        while (end < pages && !kept[end]) ++end;
        if (end > page)
            ::madvise(begin + page * pageBytes(), static_cast<size_t>((end - page) * pageBytes()),
                      MADV_DONTNEED);
        page = end + 1;
    }
}

} // namespace

SpreadHomes::SpreadHomes(const Ranks& ranks, const Schedule& schedule, at::Device device)
    : m_ranks(ranks)
    , m_device(device)
    , m_trained(schedule, ranks.count(), ShardedParameters::Trainable)
    , m_frozen(schedule, ranks.count(), ShardedParameters::Frozen)
    , m_homes(schedule.blocks().size()) {}

SpreadHomes::~SpreadHomes() {
    for (Home& home : m_homes) hold(home, 0);
}

/// Notes how much of a home has memory.
void SpreadHomes::hold(Home& home, int64_t bytes) const {
    if (m_device.is_meta()) {
        const TierScope ofTheHome(home.tier);
        home.standIn.reset();
        if (bytes > 0) home.standIn = at::empty({bytes}, at::TensorOptions(m_device).dtype(at::kByte));
    } else if (metersHostMemory()) {
        countInTier(home.tier, bytes - home.heldBytes);
    }
    home.heldBytes = bytes;
}

at::Tensor SpreadHomes::home(int block, int64_t bytes, Tier tier) {
    Home& home = m_homes.at(block);
    home.tier = tier;
    const auto options = at::TensorOptions(m_device).dtype(at::kByte);
    if (bytes == 0) return home.memory = at::empty({0}, options);
    if (m_device.is_meta()) {
        home.memory = at::for_blob(nullptr, {bytes}).options(options).target_device(at::kMeta).make_tensor();
        hold(home, bytes);
        return home.memory;
    }
    const auto mapped = static_cast<size_t>(pagesOf(bytes) * pageBytes());
    void* begin = ::mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (begin == MAP_FAILED) throw std::bad_alloc();
    ::madvise(begin, mapped, MADV_NOHUGEPAGE); // or keeping a page would keep its many neighbours
    home.memory = at::from_blob(
        begin, {bytes}, [mapped](void* memory) { ::munmap(memory, mapped); }, options);
    hold(home, bytes);
    return home.memory;
}

void SpreadHomes::moveTo(int block, Tier tier) {
    Home& home = m_homes.at(block);
    const int64_t bytes = home.heldBytes;
    hold(home, 0);
    home.tier = tier;
    hold(home, bytes);
}

void SpreadHomes::put(int block, int index, const at::Tensor& parameter, const at::Tensor& whole) const {
    const at::NoGradGuard noGrad;
    const ParameterId id{block, index};
    ElementRange range{0, parameter.numel()};
    if (!m_homes.at(block).isWhole)
        range = (m_trained.has(id) ? m_trained : m_frozen).range(m_ranks.rank(), id);
    if (range.count == 0) return;
    stretchOf(parameter, range.begin, range.count).copy_(stretchOf(whole, range.begin, range.count));
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

void SpreadHomes::take(const Parcel& parcel, int block, const std::vector<at::Tensor>& targets,
                       bool ownToo) const {
    m_ranks.collective().wait(parcel.ticket);
    const ShardLayout& layout = *parcel.layout;
    const int64_t slice = layout.sliceElements(block);
    for (const ParameterId id : layout.members(block))
        for (int rank = 0; rank < layout.ranks(); ++rank) {
            const ElementRange range = layout.range(rank, id);
            if (range.count == 0 || (rank == m_ranks.rank() && !ownToo)) continue;
            stretchOf(targets[id.index], range.begin, range.count)
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
    const at::NoGradGuard noGrad;
    const std::vector<Parcel> parcels = takeAsked(block, parameters);
    hold(home, home.memory.numel());
    for (const Parcel& parcel : parcels) take(parcel, block, parameters, false);
    home.isWhole = true;
}

void SpreadHomes::gatherInto(int block, const std::vector<at::Tensor>& parameters,
                             const std::vector<at::Tensor>& whole) {
    const at::NoGradGuard noGrad;
    if (m_homes.at(block).isWhole) {
        for (size_t index = 0; index < whole.size(); ++index) whole[index].copy_(parameters[index]);
        return;
    }
    for (const Parcel& parcel : takeAsked(block, parameters)) take(parcel, block, whole, true);
}

/// What is on its way of a block, asked for or not.
std::vector<SpreadHomes::Parcel> SpreadHomes::takeAsked(int block,
                                                        const std::vector<at::Tensor>& parameters) {
    if (!m_asked) ask(block, parameters);
    TORCH_CHECK(m_asked->block == block, "block ", block, " is used, and block ", m_asked->block,
                " was asked for");
    std::vector<Parcel> parcels = std::move(m_asked->parcels);
    m_asked.reset();
    return parcels;
}

/// Of the pages of a home those that hold an element of this rank's. Parameters lie in it one behind the
/// other, aligned, as ParameterViews puts them; a rehearsal's have no addresses.
std::vector<bool> SpreadHomes::ownPages(int block, const std::vector<at::Tensor>& parameters) const {
    std::vector<int64_t> begins;
    int64_t end = 0;
    for (const at::Tensor& parameter : parameters) {
        begins.push_back(end);
        const int64_t bytes = parameter.numel() * static_cast<int64_t>(parameter.element_size());
        end += (bytes + kParameterAlignment - 1) / kParameterAlignment * kParameterAlignment;
    }
    std::vector<bool> own(static_cast<size_t>(pagesOf(m_homes[block].memory.numel())), false);
    for (const ShardLayout* layout : {&m_trained, &m_frozen})
        for (const ParameterId id : layout->members(block)) {
            const ElementRange range = layout->range(m_ranks.rank(), id);
            if (range.count == 0) continue;
            const auto elementBytes = static_cast<int64_t>(parameters[id.index].element_size());
            const int64_t first = begins[id.index] + range.begin * elementBytes;
            const int64_t last = first + range.count * elementBytes - 1;
            std::fill(own.begin() + first / pageBytes(), own.begin() + last / pageBytes() + 1, true);
        }
    return own;
}

void SpreadHomes::drop(int block, const std::vector<at::Tensor>& parameters) {
    Home& home = m_homes.at(block);
    if (!home.isWhole || home.memory.numel() == 0) return;
    const std::vector<bool> own = ownPages(block, parameters);
    if (!m_device.is_meta()) giveBack(home.memory, own);
    hold(home, std::count(own.begin(), own.end(), true) * pageBytes());
    home.isWhole = false;
}

int64_t SpreadHomes::heldBytes(Tier tier) const {
    int64_t bytes = 0;
    for (const Home& home : m_homes)
        if (home.tier == tier) bytes += home.heldBytes;
    return bytes;
}

} // namespace homebooth::core
