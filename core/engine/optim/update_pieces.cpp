// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/optim/update_pieces.h"

#include "core/engine/memory/parameter_views.h"

#include <algorithm>
#include <bit>
#include <functional>

namespace homebooth::core {
namespace {

int64_t alignedPiece(int64_t bytes) {
    constexpr int64_t kAlignment = 256; // of what a GPU reads
    return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

std::byte* beginOf(const at::Tensor& tensor) {
    return static_cast<std::byte*>(tensor.data_ptr());
}

/// What a stretch of a parameter touches, in a slot.
struct Touched {
    int64_t bytes = 0;
    int64_t states = 0; // tensors
};

Touched touchedBy(const Optimizer& optimizer, ParameterId id, int64_t begin, int64_t count) {
    Touched all;
    for (const at::Tensor& one : optimizer.touched(id, begin, count)) {
        if (!one.defined()) continue;
        all.bytes += alignedPiece(static_cast<int64_t>(one.nbytes()));
        ++all.states;
    }
    --all.states; // the parameter itself
    return all;
}

/// Elements of a parameter that a piece takes of it at most.
int64_t mostElements(int64_t elements, int64_t bytes, int64_t mostBytes) {
    if (bytes <= mostBytes) return elements;
    const auto fit = static_cast<int64_t>(static_cast<double>(mostBytes) / static_cast<double>(bytes) *
                                          static_cast<double>(elements));
    const auto power = static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(std::max<int64_t>(fit, 1))));
    return std::max(power, UpdatePieces::kFewestElements);
}

/// Copies of a piece, both ways: whole parameters have their states behind one another, and masters theirs.
int64_t copiesFor(const Optimizer& optimizer, int block, const UpdatePiece& piece) {
    int64_t states = 0;
    int64_t parameters = 0;
    bool whole = false;
    bool masters = false;
    int before = -2;
    for (const UpdateStretch& stretch : piece) {
        const ParameterId id{block, stretch.index};
        if (stretch.index != before + 1) ++parameters;
        before = stretch.index;
        if (stretch.begin == 0 && stretch.ends) {
            whole = true;
            masters = masters || optimizer.hasMaster(id);
        } else {
            states += touchedBy(optimizer, id, stretch.begin, stretch.count).states;
        }
    }
    states += (whole ? 1 : 0) + (masters ? 1 : 0);
    return 2 * states + parameters;
}

} // namespace

UpdatePieces::UpdatePieces(const Optimizer& optimizer, int64_t mostBytes)
    : m_blocks(optimizer.store().schedule().blocks().size()) {
    for (int block = 0; block < static_cast<int>(m_blocks.size()); ++block)
        if (optimizer.visitsDevice(block)) cut(optimizer, block, mostBytes);
}

int64_t UpdatePieces::bytesOf(const Optimizer& optimizer) {
    int64_t bytes = 0;
    for (const ParameterId id : optimizer.trainable()) bytes += optimizer.visit(id).returnedBytes;
    return bytes;
}

void UpdatePieces::cut(const Optimizer& optimizer, int block, int64_t mostBytes) {
    Block& cutBlock = m_blocks[place(block)];
    const std::vector<ParameterSpec>& parameters =
        optimizer.store().schedule().blocks()[place(block)].parameters;
    int64_t taken = mostBytes; // of the present piece: none is begun
    for (size_t index = 0; index < parameters.size(); ++index) {
        if (!parameters[index].trainable || parameters[index].elementCount() == 0) continue;
        const ParameterId id{block, static_cast<int>(index)};
        const int64_t elements = optimizer.range(id).count;
        const int64_t most = mostElements(elements, optimizer.visit(id).returnedBytes, mostBytes);
        ++cutBlock.parameters;
        for (int64_t begin = 0; begin < elements; begin += most) {
            const int64_t count = std::min(most, elements - begin);
            const int64_t bytes = touchedBy(optimizer, id, begin, count).bytes;
            if (taken + bytes > mostBytes) {
                cutBlock.pieces.emplace_back();
                taken = 0;
            }
            cutBlock.pieces.back().push_back({id.index, begin, count, begin + count == elements});
            taken += bytes;
            m_slotBytes = std::max(m_slotBytes, taken);
        }
    }
    for (const UpdatePiece& piece : cutBlock.pieces) cutBlock.copies += copiesFor(optimizer, block, piece);
}

namespace {

/// A tensor of a piece, at home and on the device.
struct Landing {
    at::Tensor own;
    at::Tensor copy;
    bool comes = true;
    size_t stretch = 0; // of the piece
    size_t which = 0;   // among what it touches
    int64_t gap = -1;   // bytes between the one before and it, at home; -1: others' may be there, too
};

/// Of parameters, in the order of their block, only what aligns them lies between two that are near; of
/// states that is known where they have one storage: what lies between others is their allocator's.
void findNeighbours(std::vector<Landing>& all, bool areParameters) {
    for (size_t i = 1; i < all.size(); ++i) {
        const at::Tensor& before = all[i - 1].own;
        const int64_t gap = beginOf(all[i].own) - beginOf(before) - static_cast<int64_t>(before.nbytes());
        if (gap >= 0 && gap < kParameterAlignment && (areParameters || before.is_alias_of(all[i].own)))
            all[i].gap = gap;
    }
}

/// Puts what has no place on the device into a slot, as it lies at home.
class Slot {
public:
    explicit Slot(const at::Tensor& memory)
        : m_memory(memory) {}

    void take(std::vector<Landing>& all) {
        bool lastIsHere = false;
        for (Landing& one : all) {
            const bool isHere = !one.copy.defined();
            if (isHere) one.copy = place(one.own, lastIsHere ? one.gap : -1);
            lastIsHere = isHere;
        }
    }

private:
    [[nodiscard]] at::Tensor place(const at::Tensor& own, int64_t gap) {
        const int64_t begin = gap >= 0 ? m_used + gap : alignedPiece(m_used);
        const auto bytes = static_cast<int64_t>(own.nbytes());
        m_used = begin + bytes;
        return m_memory.narrow(0, begin, bytes).view(own.scalar_type());
    }

    at::Tensor m_memory;
    int64_t m_used = 0;
};

/// Joins a copy to the one before where both of its ends are as far from that one's.
void addCopy(LandedPiece::Copies& copies, const LinkCopy& copy, const Landing& one, const Landing* before) {
    const bool joins = before != nullptr && one.gap >= 0 &&
                       beginOf(one.copy) - beginOf(before->copy) == beginOf(one.own) - beginOf(before->own);
    if (!joins) {
        copies.all.push_back(copy);
        return;
    }
    copies.all.back().bytes += one.gap + copy.bytes;
    copies.gapBytes += one.gap;
}

void addCopies(const std::vector<Landing>& all, LandedPiece& piece) {
    for (size_t i = 0; i < all.size(); ++i) {
        const Landing& one = all[i];
        const Landing* before = i > 0 ? &all[i - 1] : nullptr;
        const auto bytes = static_cast<int64_t>(one.own.nbytes());
        addCopy(piece.leaving, {beginOf(one.own), beginOf(one.copy), bytes}, one, before);
        if (!one.comes) continue;
        addCopy(piece.coming, {beginOf(one.copy), beginOf(one.own), bytes}, one,
                before != nullptr && before->comes ? before : nullptr);
    }
}

} // namespace

LandedPiece landedIn(const at::Tensor& slot, const Optimizer& optimizer, int block, const UpdatePiece& piece,
                     const std::vector<at::Tensor>& parameters) {
    LandedPiece landed;
    std::vector<Landing> ofParameters;
    std::vector<Landing> ofStates;
    for (size_t i = 0; i < piece.size(); ++i) {
        const ParameterId id{block, piece[i].index};
        const std::vector<at::Tensor> own = optimizer.touched(id, piece[i].begin, piece[i].count);
        landed.tensors.emplace_back(own.size());
        const bool isRead = !parameters[i].defined() && !optimizer.hasMaster(id);
        ofParameters.push_back({own.front(), parameters[i], isRead, i, 0});
        for (size_t which = 1; which < own.size(); ++which)
            if (own[which].defined()) ofStates.push_back({own[which], {}, true, i, which});
    }
    std::sort(ofStates.begin(), ofStates.end(), [](const Landing& one, const Landing& other) {
        return std::less<>()(beginOf(one.own), beginOf(other.own));
    });
    Slot room(slot);
    for (std::vector<Landing>* all : {&ofParameters, &ofStates}) {
        findNeighbours(*all, all == &ofParameters);
        room.take(*all);
        addCopies(*all, landed);
        for (const Landing& one : *all) landed.tensors[one.stretch][one.which] = one.copy;
    }
    return landed;
}

} // namespace homebooth::core
