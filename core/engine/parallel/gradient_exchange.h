// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Gradients on their way from backward to the optimizers, by way of the other ranks. Those of a block are one
// bucket, and while a bucket is added up over the ranks backward goes on with the next block:
//
//   backward   | block 3 | block 2          | block 1          |
//   links                | block 3 summed   | block 2 summed   | ...
//   updates                                 | block 3          | block 2 ...
//
// What comes out is the sum over all ranks: of the whole gradient, or, where states are spread over the
// ranks, of this rank's part (ShardLayout), flat. Both have the same bytes. Who calls again after memory was
// refused goes on where that happened, so every rank asks for the same.
// Borrows all it is made with; one thread.
#pragma once

#include "core/engine/memory/executor.h"
#include "core/engine/parallel/ranks.h"
#include "core/engine/parallel/shard_layout.h"

#include <optional>
#include <vector>

namespace homebooth::core {

class GradientExchange {
public:
    /// What learns, with the sink that its sums go to.
    struct Part {
        const ParameterStore* store = nullptr;
        const ShardLayout* layout = nullptr;
        GradientSink next;
    };

    /// @param ownParts  sums of this rank's elements come out, [n] in the parameter's memory order; those of
    ///                  which it has none do not. Else whole gradients
    GradientExchange(const Ranks& ranks, std::vector<Part> parts, bool ownParts)
        : m_ranks(ranks)
        , m_parts(std::move(parts))
        , m_ownParts(ownParts) {}

    /// Takes gradients of one part from a backward pass. Errors: throws RankLost, and what `next` throws
    [[nodiscard]] GradientSink sink(size_t part);
    /// Returns when everything that was taken has gone on.
    void flush();
    /// Forgets everything that was taken. Whatever other ranks did not get they never will.
    void discard();

private:
    struct Bucket {
        size_t part = 0;
        int block = -1;
        at::Tensor whole; // [ranks * slice]
        at::Tensor shard; // [slice]; within the whole where that is gathered again
        at::Tensor parts; // of all ranks, while it is added up; in a rehearsal of GPUs alone
        std::vector<ParameterId> taken;
        std::optional<CollectiveTicket> ticket;
        size_t handedOn = 0; // of taken
    };

    void take(size_t part, ParameterId id, const at::Tensor& gradient);
    void open(size_t part, int block, const at::Tensor& like);
    void advance();
    void ask(Bucket& bucket) const;
    void rehearseSum(Bucket& bucket) const;
    void handOn(Bucket& bucket);
    [[nodiscard]] at::Tensor wholeGradient(const Bucket& bucket, ParameterId id) const;

    const Ranks& m_ranks;
    std::vector<Part> m_parts;
    bool m_ownParts;
    std::optional<Bucket> m_filling;
    std::optional<Bucket> m_flying;
};

} // namespace homebooth::core
