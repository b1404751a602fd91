// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What the ranks of a job (processes that train one model together, numbered from 0) do with each other's
// tensors. One object a rank, one owner thread.
//
//   allGather(...)  begins after everything that was asked for before; its ticket names it
//   wait(ticket)    returns when that and everything earlier is done; of all others nothing is known
//
// 1. Every rank asks for the same things in the same order, with the same shapes and types. Whoever does not
//    is taken for a rank that hangs.
// 2. From the call to its `wait`, sources stay unchanged and targets unread. The tensors are kept alive.
// 3. A sum has one order: rank 0 + rank 1 + rank 2 ... for every element, wherever it lies. Parts of fp32,
//    bf16 and fp16 are added in fp32 and rounded to the target's type once; fp64 and int64 in their own type.
//    So neither timing nor the way a model is cut into shards changes a byte. A large sum that everybody
//    needs is a reduceScatter and an allGather, which every stage of sharding does; there is no other way.
// 4. A rank that is lost or hangs ends the job: from then on every call that asks, or waits for what is not
// done, throws the same
//    RankLost, nothing is written to targets any more, and the other ranks learn of it.
// 5. A job ends with a `barrier`: whoever goes earlier is a rank that was lost.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace homebooth::core {

/// Number of what was asked for, counted up from 1; 0 is done from the beginning.
using CollectiveTicket = uint64_t;

/// The largest tensor of `allReduce`, in bytes.
constexpr int64_t kMostReducedBytes = int64_t{1} << 20;

/// What went over the links of this rank up to now.
struct CollectiveTraffic {
    int64_t sentBytes = 0; ///< the tensors' own, without what the links add
    int64_t receivedBytes = 0;
    int64_t collectives = 0;
    double waitedSeconds = 0.0; ///< the owner stood still in `wait`
};

/// Tensors are contiguous and on the device that the collective serves. Errors: throws c10::Error for a
/// shape, type or place that does not fit (a programming mistake), RankLost where a rank was lost
class Collective {
public:
    virtual ~Collective() = default;
    [[nodiscard]] virtual int rank() const = 0;
    [[nodiscard]] virtual int ranks() const = 0;

    /// Puts the shards of all ranks one behind the other, in their order. Bytes are copied as they are.
    /// Shapes: whole [ranks * n], shard [n], any type, the same; n is the same for all, so whoever has
    ///         elements that the ranks do not divide pads. The shard may be its own place in the whole.
    [[nodiscard]] virtual CollectiveTicket allGather(const at::Tensor& whole, const at::Tensor& shard) = 0;

    /// Adds up the wholes of all ranks and keeps this rank's part of the sum.
    /// Shapes: shard [n], whole [ranks * n]; fp32, bf16, fp16 or fp64, the same, or a shard in fp32 of
    ///         16-bit wholes. Padding as for `allGather`. The shard may be its own place in the whole; the
    ///         rest of the whole is left as it is.
    [[nodiscard]] virtual CollectiveTicket reduceScatter(const at::Tensor& shard,
                                                         const at::Tensor& whole) = 0;

    /// Replaces a small tensor by the sum over all ranks: norms, losses, counts, flags.
    /// Shapes: values [...] fp32, bf16, fp16, fp64 or int64, of kMostReducedBytes at most
    [[nodiscard]] virtual CollectiveTicket allReduce(const at::Tensor& values) = 0;

    /// Replaces the values of all ranks by those of one.
    /// Shapes: values [...] any type
    [[nodiscard]] virtual CollectiveTicket broadcast(const at::Tensor& values, int root) = 0;

    virtual void wait(CollectiveTicket ticket) = 0;

    /// Throws RankLost where it is known by now that one was lost; asks nobody and waits for nothing.
    virtual void requireAll() {}

    /// Returns when everything that was asked for is done, and all ranks have come here.
    void barrier();

    [[nodiscard]] virtual CollectiveTraffic traffic() const = 0;
};

} // namespace homebooth::core
