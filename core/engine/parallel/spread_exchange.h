// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// How the parts of spread homes come together: of what learns and of each type of the rest one all-gather, on
// the device that computes, wherever a rank has its part. What keeps the parts meanwhile derives from it.
//
//   computing   --- block 1 ----------- block 2 ------------ block 3 --->
//                   | ask(2)            ^ gathered            ^
//                   v                   |                     |
//   beside      ----[ part of 2 ]- all-gather  [ part of 3 ]- all-gather
//
// Parts in RAM go to a GPU on a stream beside the one that computes, and the collective begins there,
// too. What is gathered is what they were at `ask`, so nobody changes them before that is done, unless
// it is forgotten.
// Borrows the ranks. One thread, but for `put`.
#pragma once

#include "core/engine/memory/block_spread.h"
#include "core/engine/parallel/ranks.h"
#include "core/engine/parallel/shard_layout.h"

#include <c10/core/Stream.h>

#include <array>
#include <memory>
#include <optional>

namespace homebooth::core {

class SpreadExchange : public BlockSpread {
public:
    void put(int block, int index, const at::Tensor& parameter, const at::Tensor& whole) const override;
    void ask(int block, const std::vector<at::Tensor>& parameters) override;
    void gatherInto(int block, const std::vector<at::Tensor>& parameters,
                    const std::vector<at::Tensor>& whole) override;
    void forget() override { m_asked.reset(); } // a collective keeps its tensors until it is done
    [[nodiscard]] int64_t partBytes(int block, const std::vector<at::Tensor>& parameters) const override;

protected:
    SpreadExchange(const Ranks& ranks, const Schedule& schedule, at::Device device);

    [[nodiscard]] virtual bool isWhole(int block) const = 0;
    /// Keeps an alias of some of this rank's elements in memory for a scope, where they lie on a disk. Any
    /// thread. Errors: throws ExpectedFailure when the disk failed
    [[nodiscard]] virtual std::optional<SwapHold> holdOwn(const at::Tensor& /*part*/,
                                                          bool /*changes*/) const {
        return std::nullopt;
    }

    /// That computes.
    [[nodiscard]] at::Device device() const { return m_device; }
    /// What this rank has of a parameter for good: of what learns the elements that it updates, of the rest
    /// as many.
    [[nodiscard]] ElementRange ownRange(ParameterId id) const;
    /// Brings what the others have of a block.
    void takeOthers(int block, const std::vector<at::Tensor>& parameters);

private:
    class Departure;

    /// What is on its way of one layout.
    struct Parcel {
        const ShardLayout* layout = nullptr;
        at::Tensor whole; // [ranks * slice]
        CollectiveTicket ticket = 0;
        std::shared_ptr<Departure> departure; // from RAM to a GPU; last: it ends before `whole`
    };
    struct Asked {
        int block = -1;
        std::vector<Parcel> parcels;
    };

    [[nodiscard]] Parcel send(const ShardLayout& layout, int block,
                              const std::vector<at::Tensor>& parameters);
    void load(Parcel& parcel, int block, const std::vector<at::Tensor>& parameters) const;
    [[nodiscard]] std::vector<Parcel> takeAsked(int block, const std::vector<at::Tensor>& parameters);
    /// @param ownToo  what is this rank's is not there, either
    void take(const Parcel& parcel, int block, const std::vector<at::Tensor>& targets, bool ownToo) const;

    const Ranks& m_ranks;
    at::Device m_device;
    std::array<ShardLayout, 4> m_layouts; ///< a parameter is in one of them
    std::optional<c10::Stream> m_beside;  ///< of a GPU; from the first part in RAM on
    std::optional<Asked> m_asked;
};

} // namespace homebooth::core
