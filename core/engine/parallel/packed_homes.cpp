// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/parallel/packed_homes.h"

#include "core/engine/jobs/expected_failure.h"
#include "core/engine/memory/parameter_views.h"
#include "core/engine/memory/ram_tensor.h"
#include "core/engine/memory/rehearsed_memory.h"
#include "core/engine/optim/memory_order.h"
#include "core/engine/parallel/spread_homes.h"

#include <ATen/core/grad_mode.h>

#include <cstdint>
#include <functional>
#include <utility>

namespace homebooth::core {
namespace {

int64_t alignUp(int64_t bytes) {
    return (bytes + kParameterAlignment - 1) / kParameterAlignment * kParameterAlignment;
}

/// Of a parameter's memory the part that is there, and where.
struct Piece {
    ElementRange range;
    int64_t offset = 0; // bytes
};

/// A tensor with the shape of `like` whose elements of the piece lie in `memory`. The others have addresses,
/// which may be anybody's.
at::Tensor tensorOver(const at::Tensor& memory, const Piece& piece, const at::Tensor& like) {
    auto begin = reinterpret_cast<uintptr_t>(memory.data_ptr()); // 0: none, in a rehearsal
    const int64_t missing = piece.range.begin * static_cast<int64_t>(like.element_size());
    if (begin != 0 && piece.range.count > 0) begin += static_cast<uintptr_t>(piece.offset - missing);
    const auto keepMemory = [memory](void*) {};
    return at::from_blob(reinterpret_cast<void*>(begin), like.sizes(), like.strides(), keepMemory,
                         like.options().device(memory.device()), memory.device());
}

} // namespace

PackedHomes::PackedHomes(const Ranks& ranks, const Schedule& schedule, at::Device device)
    : SpreadExchange(ranks, schedule, device)
    , m_homes(schedule.blocks().size()) {}

at::Tensor PackedHomes::newMemory(int64_t bytes, Tier tier) const {
    auto options = at::TensorOptions(device()).dtype(at::kByte);
    if (tier == Tier::Ram && !device().is_meta()) {
        if (bytes > 0) return ramTensor(bytes, device());
        options = options.device(at::kCPU);
    }
    const TierScope ofTheHome(tier);
    return at::empty({bytes}, options);
}

void PackedHomes::useDisk(SwappedMemory* disk, std::vector<int64_t> begins) {
    m_disk = disk;
    m_diskBegins = std::move(begins);
}

/// A rehearsal counts what LibTorch allocates; the disk is not.
at::Tensor PackedHomes::placeOnDisk(int block, int64_t bytes) const {
    const auto options = at::TensorOptions().dtype(at::kByte);
    if (m_disk == nullptr)
        return at::for_blob(nullptr, {bytes})
            .options(options.device(at::kMeta))
            .target_device(at::kMeta)
            .make_tensor();
    const std::span<std::byte> all = m_disk->bytes();
    const int64_t begin = m_diskBegins.at(static_cast<size_t>(block));
    TORCH_CHECK(begin + bytes <= static_cast<int64_t>(all.size()), "block ", block, " needs ", begin + bytes,
                " bytes of swapped memory, found ", all.size());
    return at::from_blob(all.data() + begin, {bytes}, options);
}

std::optional<SwapHold> PackedHomes::holdOwn(const at::Tensor& part, bool changes) const {
    if (m_disk == nullptr) return std::nullopt;
    const auto* begin = static_cast<const std::byte*>(part.const_data_ptr());
    const std::span<const std::byte> disk = m_disk->bytes();
    if (std::less<>()(begin, disk.data()) || std::greater_equal<>()(begin, disk.data() + disk.size()))
        return std::nullopt;
    auto held = SwapHold::take(*m_disk, {begin, part.nbytes()}, changes);
    if (!held) throw ExpectedFailure(held.error());
    return std::optional<SwapHold>(std::move(held).value());
}

at::Tensor PackedHomes::home(int block, int64_t bytes, Tier tier) {
    m_homes.at(block) = {tier, true, bytes};
    return newMemory(bytes, tier);
}

/// Gives a block another home, with this rank's part of it, or with all.
void PackedHomes::settle(int block, const Home& home, std::vector<at::Tensor>& parameters) {
    const at::NoGradGuard noGrad;
    std::vector<Piece> pieces;
    int64_t bytes = 0;
    for (size_t index = 0; index < parameters.size(); ++index) {
        const ElementRange all{0, parameters[index].numel()};
        const ElementRange range = home.isWhole ? all : ownRange({block, static_cast<int>(index)});
        pieces.push_back({range, bytes});
        bytes += alignUp(range.count * static_cast<int64_t>(parameters[index].element_size()));
    }
    const bool onDisk = !m_diskBegins.empty() && home.tier == Tier::Ram && !home.isWhole;
    const at::Tensor memory = onDisk ? placeOnDisk(block, bytes) : newMemory(bytes, home.tier);
    for (size_t index = 0; index < parameters.size(); ++index) {
        const ElementRange range = pieces[index].range;
        at::Tensor moved = tensorOver(memory, pieces[index], parameters[index]);
        if (range.count > 0) {
            const at::Tensor from = stretchOf(parameters[index], range.begin, range.count);
            const at::Tensor to = stretchOf(moved, range.begin, range.count);
            const auto heldFrom = holdOwn(from, false);
            const auto heldTo = holdOwn(to, true);
            to.copy_(from);
        }
        parameters[index] = std::move(moved);
    }
    m_homes[block] = {home.tier, home.isWhole, bytes};
}

void PackedHomes::moveTo(int block, Tier tier, std::vector<at::Tensor>& parameters) {
    settle(block, {tier, isWhole(block)}, parameters);
}

void PackedHomes::gather(int block, const std::vector<at::Tensor>& /*parameters*/) {
    TORCH_CHECK(isWhole(block), "block ", block, " is put together elsewhere than at home");
}

void PackedHomes::drop(int block, std::vector<at::Tensor>& parameters) {
    if (isWhole(block)) settle(block, {m_homes[block].tier, false}, parameters);
}

int64_t PackedHomes::heldBytes(Tier tier) const {
    int64_t bytes = 0;
    for (const Home& home : m_homes)
        if (home.tier == tier) bytes += home.heldBytes;
    return bytes;
}

std::shared_ptr<BlockSpread> spreadFor(const Ranks& ranks, const Schedule& schedule, at::Device device,
                                       bool onDisk) {
    if (!onDisk && computedOnHost(device)) return std::make_shared<SpreadHomes>(ranks, schedule, device);
    return std::make_shared<PackedHomes>(ranks, schedule, device);
}

} // namespace homebooth::core
