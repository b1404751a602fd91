// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Gradients that rest until their step's end: beside their parameters, or on a disk, where each has a place
// that is large enough for its sum in fp32. Owns them; borrows the optimizers.
// Two threads may use gradients of different parameters at the same time.
#pragma once

#include "core/engine/optim/memory_order.h"
#include "core/engine/optim/optimizer.h"

#include <array>
#include <mutex>
#include <vector>

namespace homebooth::core {

class SquaredNorms;

class RestingGradients {
public:
    /// Names the gradient of one parameter.
    struct Key {
        size_t optimizer = 0;
        ParameterId id;
        friend bool operator==(const Key&, const Key&) = default;
    };

    /// @param sums      several are added up for each parameter, in fp32; else each keeps its own type
    /// @param memories  one for each optimizer
    RestingGradients(std::vector<Optimizer*> optimizers, bool sums, std::vector<StateMemory> memories);

    [[nodiscard]] bool has(const Key& key) const { return placeOf(key).defined(); }
    /// The elements of a gradient that rest here: all, or one rank's.
    [[nodiscard]] ElementRange range(const Key& key) const { return memoryOf(key).range(key.id); }
    [[nodiscard]] bool isSharded(size_t optimizer) const { return m_memories[optimizer].isSharded(); }

    /// Takes a gradient in, or adds it to what rests there.
    /// @param gradient  in its parameter's memory order; of one rank's elements alone flat.
    /// Errors: throws what says that memory ran out, and did nothing; ExpectedFailure when the disk failed
    ///         or memory ran out between two pieces
    void add(const Key& key, const at::Tensor& gradient);
    /// The same for elements from the `begin`th of those that rest here on, piece by piece in their order.
    /// Shapes: piece [n]
    /// @param adds  to what rested there before the first piece came
    void addPiece(const Key& key, const at::Tensor& piece, int64_t begin, bool adds);

    /// Updates a parameter with what rests there, which is gone then.
    void update(const Key& key, double scale, Workers workers);

    /// Which elements of a gradient are meant.
    using RangeOf = std::function<ElementRange(const Key&)>;

    /// Of all that rest, in the order of optimizers and parameters.
    /// @param among  only of these elements; empty: of all
    [[nodiscard]] double squaredSum(const RangeOf& among = {}) const;
    /// Has the gradients of these blocks read ahead, if they rest on a disk.
    void want(size_t optimizer, const std::vector<int>& blocks) const;
    /// Drops them all.
    void discard();

    /// Bytes of the disk that are theirs.
    [[nodiscard]] int64_t reservedBytes() const;
    /// Bytes that rest now, wherever.
    [[nodiscard]] int64_t bytes() const;
    /// Largest size up to now in one tier; on the disk.
    [[nodiscard]] int64_t peakBytes(Tier tier) const { return peakOf(static_cast<size_t>(tier)); }
    [[nodiscard]] int64_t peakBytesOnDisk() const { return peakOf(kDisk); }

private:
    static constexpr size_t kDisk = 2; // behind the tiers
    struct Count {
        int64_t bytes = 0;
        int64_t peakBytes = 0;
    };

    [[nodiscard]] const at::Tensor& placeOf(const Key& key) const;
    [[nodiscard]] at::Tensor& placeOf(const Key& key);
    [[nodiscard]] const StateMemory& memoryOf(const Key& key) const { return m_memories[key.optimizer]; }
    [[nodiscard]] at::Tensor emptyPlace(const Key& key, at::ScalarType type) const;
    void open(const Key& key, const at::Tensor& place);
    void widen(const Key& key);
    void release(const Key& key);
    void count(const Key& key, int64_t bytes);
    [[nodiscard]] int64_t peakOf(size_t where) const;
    void addSquares(const Key& key, const RangeOf& among, SquaredNorms& norms) const;

    std::vector<Optimizer*> m_optimizers;
    bool m_sums;
    std::vector<StateMemory> m_memories;           // by optimizer
    std::vector<std::vector<at::Tensor>> m_slots;  // [optimizer][position], fp32, places on a disk
    std::vector<std::vector<at::Tensor>> m_places; // what rests, undefined where nothing does
    mutable std::mutex m_mutex;                    // of the counts
    std::array<Count, 3> m_counts;
};

} // namespace homebooth::core
