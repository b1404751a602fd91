// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/parallel/spread_homes.h"

#include "core/engine/memory/tier_meter.h"

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
    : SpreadExchange(ranks, schedule, device)
    , m_homes(schedule.blocks().size()) {}

SpreadHomes::~SpreadHomes() {
    for (Home& home : m_homes) hold(home, 0);
}

/// Notes how much of a home has memory.
void SpreadHomes::hold(Home& home, int64_t bytes) const {
    if (device().is_meta()) {
        const TierScope ofTheHome(home.tier);
        home.standIn.reset();
        if (bytes > 0) home.standIn = at::empty({bytes}, at::TensorOptions(device()).dtype(at::kByte));
    } else if (metersHostMemory()) {
        countInTier(home.tier, bytes - home.heldBytes);
    }
    home.heldBytes = bytes;
}

/// Their addresses are those of all of a block: the disk would set aside what others have, too.
void SpreadHomes::useDisk(SwappedMemory* /*disk*/, std::vector<int64_t> /*begins*/) {
    TORCH_CHECK(false, "homes of which pages are kept lie in memory, not on a disk");
}

at::Tensor SpreadHomes::home(int block, int64_t bytes, Tier tier) {
    Home& home = m_homes.at(block);
    home.tier = tier;
    const auto options = at::TensorOptions(device()).dtype(at::kByte);
    if (bytes == 0) return home.memory = at::empty({0}, options);
    if (device().is_meta()) {
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

void SpreadHomes::moveTo(int block, Tier tier, std::vector<at::Tensor>& /*parameters*/) {
    Home& home = m_homes.at(block);
    const int64_t bytes = home.heldBytes;
    hold(home, 0);
    home.tier = tier;
    hold(home, bytes);
}

void SpreadHomes::gather(int block, const std::vector<at::Tensor>& parameters) {
    Home& home = m_homes.at(block);
    if (home.isWhole) return;
    hold(home, home.memory.numel());
    takeOthers(block, parameters);
    home.isWhole = true;
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
    for (size_t index = 0; index < parameters.size(); ++index) {
        const ElementRange range = ownRange({block, static_cast<int>(index)});
        if (range.count == 0) continue;
        const auto elementBytes = static_cast<int64_t>(parameters[index].element_size());
        const int64_t first = begins[index] + range.begin * elementBytes;
        const int64_t last = first + range.count * elementBytes - 1;
        std::fill(own.begin() + first / pageBytes(), own.begin() + last / pageBytes() + 1, true);
    }
    return own;
}

void SpreadHomes::drop(int block, std::vector<at::Tensor>& parameters) {
    Home& home = m_homes.at(block);
    if (!home.isWhole || home.memory.numel() == 0) return;
    const std::vector<bool> own = ownPages(block, parameters);
    if (!device().is_meta()) giveBack(home.memory, own);
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
