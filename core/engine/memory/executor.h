// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs a network over its parameter store. The only place that knows what is kept between forward and
// backward. For each block: acquire its parameters, compute, keep what backward needs, release.
// Backward goes through the blocks in reverse, recomputes what was dropped, and hands every parameter
// gradient to the sink at once, so the gradients of a whole model never exist together.
// Where memory runs out on the way, all that is kept for backward is given up and computed again instead,
// what is about to leave the device is waited for, and the pass goes on from where it is: the same numbers,
// later.
// Borrowed: network, store. One thread.
#pragma once

#include "core/engine/graph/network.h"
#include "core/engine/memory/block_times.h"
#include "core/engine/memory/parameter_store.h"
#include "core/engine/memory/value_shelf.h"

#include <functional>
#include <memory>
#include <vector>

namespace homebooth::core {

/// Takes the gradient of one parameter as soon as it exists. May update the parameter in place: its last use
/// in this step is over, and its block is released, but for one whose states come to the device for its
/// update, which begins with what backward has read.
using GradientSink = std::function<void(ParameterId, at::Tensor gradient)>;

/// What dropout of a micro-step depends on.
struct DropoutDraw {
    DropoutDraw(uint64_t ofStep, BatchPart samples = {}) // NOLINT: implicit on purpose, of a whole batch
        : seed(ofStep)
        , part(samples) {}
    uint64_t seed; ///< of run seed and micro-step
    BatchPart part;

    /// The seed of one block (splitmix64 finaliser, Steele et al. 2014).
    [[nodiscard]] uint64_t ofBlock(int block) const {
        uint64_t x = seed + 0x9E3779B97F4A7C15ull * (static_cast<uint64_t>(block) + 1);
        x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
        x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
        return x ^ (x >> 31);
    }
};

/// Called before a block computes in backward; what waits to leave the device may be waited for there.
using BackwardGate = std::function<void(int block)>;

/// Called where memory ran out: returns when nothing is on the device any more that was handed over.
using MemoryDrain = std::function<void()>;

/// Called after each block (index, count), to report progress; may throw in order to cancel.
using BlockObserver = std::function<void(int done, int count)>;

/// What backward finds of each block.
enum class Recompute : uint8_t {
    Always,     ///< its inputs: all of it is computed again
    CheapParts, ///< its inputs and the results of its costly products: the rest is computed again
    /// Its autograd graph. It holds the block's parameters from forward to backward: their chunks can go to
    /// no other tier meanwhile.
    Never
};

class Executor {
public:
    Executor(const Network& network, ParameterStore& store);

    /// Sets how block `block` gets its activations in backward. Default: Recompute::Always.
    void setRecompute(int block, Recompute recompute);
    /// Sets from how many multiplications an element on Recompute::CheapParts keeps a product.
    void setWorthKeeping(int64_t innerLength) { m_worthKeeping = innerLength; }
    /// Whether values that are not read soon lie in RAM meanwhile; of a streamed store only.
    void setValuesInRam(bool inRam);
    /// What went between the tiers for that, up to now.
    [[nodiscard]] const ShelfTraffic& shelfTraffic() const { return m_shelfTraffic; }
    /// RAM that values took in the last pass, between passes.
    [[nodiscard]] int64_t shelfBytes() const { return m_shelfMemory.bytes(); }
    /// Whether `run` computes as precisely as training does, instead of faster where that rounds more.
    void setExact(bool exact) { m_exact = exact; }
    /// @param gate  empty: nobody has to be asked
    void setBackwardGate(BackwardGate gate) { m_gate = std::move(gate); }
    /// @param drain  empty: what is handed over is used up at once
    void setDrain(MemoryDrain drain) { m_drain = std::move(drain); }
    void setObserver(BlockObserver observer) { m_observer = std::move(observer); }
    /// Where the time of training passes goes is added up here from now on. @param times  borrowed; null: no
    void setTimes(BlockTimes* times);
    [[nodiscard]] bool isTimed() const { return m_times != nullptr; }
    /// How often memory ran out and a pass went on with less, up to now.
    [[nodiscard]] int64_t reliefs() const { return m_reliefs; }

    /// Inference. Values are dropped after their last use. No gradients.
    /// @param inputs  in the order of Schedule::inputs
    /// @returns       in the order of Schedule::outputs
    [[nodiscard]] std::vector<at::Tensor> run(const std::vector<at::Tensor>& inputs);

    /// Training forward: keeps what `backward` needs until it is called (or `discard`).
    /// @param needInputs   for which graph inputs backward must return a gradient
    [[nodiscard]] std::vector<at::Tensor> forward(const std::vector<at::Tensor>& inputs,
                                                  const std::vector<bool>& needInputs,
                                                  const DropoutDraw& dropout);

    /// @param gradOutputs  one per graph output
    /// @returns            gradients of the graph inputs; undefined where none was asked for
    [[nodiscard]] std::vector<at::Tensor> backward(const std::vector<at::Tensor>& gradOutputs,
                                                   const GradientSink& sink);
    /// Drops what forward kept, without a backward.
    void discard() { m_pass.reset(); }

    /// Bytes of the values and products that are kept between blocks now; kept graphs not included.
    [[nodiscard]] int64_t heldBytes() const;

private:
    struct Pass; // values and kept graphs between forward and backward

    /// Does `work`; where memory runs out, once more when all that was kept has been given up and all that
    /// was handed over is gone.
    template <class Work>
    auto withRelief(Pass& pass, const Work& work);
    void giveUpKept(Pass& pass);
    void forwardNode(Pass& pass, int node);
    [[nodiscard]] std::vector<at::Tensor> computeForward(Pass& pass, int node,
                                                         const BlockContext& context) const;
    void backwardNode(Pass& pass, int node, const GradientSink& sink);
    [[nodiscard]] BlockGradients computeBackward(Pass& pass, int node,
                                                 const std::vector<at::Tensor>& gradOutputs);
    void handOver(Pass& pass, int node, BlockGradients& gradients, const GradientSink& sink);
    [[nodiscard]] bool parametersStay(int block) const {
        return !m_store.streams(block) && !m_store.isSpread();
    }
    void passOver(int block);
    void passGate(int index) const;
    /// Where waiting is added up; null: nobody asks.
    [[nodiscard]] double* waitingTime() const {
        return m_times != nullptr ? &m_times->waitingSeconds : nullptr;
    }
    void dropDeadValues(Pass& pass, int node) const;
    void planBackward(Pass& pass, const std::vector<bool>& needInputs) const;
    void beginTurn(Pass& pass, int turn);
    void endTurn(Pass& pass, int turn);

    const Network& m_network;
    ParameterStore& m_store;
    std::vector<Recompute> m_recompute;
    bool m_exact = false;
    int64_t m_worthKeeping = KeptProducts::kWorthKeeping;
    std::vector<int> m_firstUses;
    std::vector<int> m_lastUses;
    BlockObserver m_observer;
    BackwardGate m_gate;
    MemoryDrain m_drain;
    BlockTimes* m_times = nullptr;
    int64_t m_reliefs = 0;
    bool m_valuesInRam = false;
    ShelfMemory m_shelfMemory;
    ShelfTraffic m_shelfTraffic;
    std::shared_ptr<Pass> m_pass; // last: it gives memory back
};

} // namespace homebooth::core
