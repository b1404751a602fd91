// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Exponential moving average of the trainable parameters of one optimizer, kept in fp32; of their masters,
// where they have any. Owns the averages; borrows the optimizer and its store. One thread.
#pragma once

#include "core/engine/optim/optimizer.h"

namespace homebooth::core {

class Ema {
public:
    /// Starts with the parameters as they are.
    Ema(const Optimizer& optimizer, double decay, StateMemory memory);
    Ema(const Ema&) = delete;
    Ema& operator=(const Ema&) = delete;

    /// Forgets everything but the parameters as they are now.
    void restart();

    /// Takes the parameters after optimizer step `step` (1-based) in. The decay rises from step to step as
    /// min(decay, step / (step + 9)), so that the start is forgotten soon; step 1 copies.
    /// Source: diffusers.training_utils.EMAModel
    void update(int64_t step);

    /// Copies the parameters that averages will stand for, as the next `swapIn` would, and changes none.
    /// Errors: throws c10::Error or std::bad_alloc for want of memory, ExpectedFailure when a disk failed
    void keepOriginals();
    /// Puts the averages into the store (of averages that are spread over ranks this one's), e.g. for a
    /// preview or the result, and keeps the originals aside, where they are not yet. Errors: as
    /// `keepOriginals`; nothing is swapped then, unless a disk failed
    void swapIn();
    /// Puts the originals back, bit for bit, where they were swapped; keeps them no longer.
    void swapOut();
    [[nodiscard]] bool swappedIn() const { return m_swappedIn; }

    /// Takes the averages after their parameters, which have got other homes. Not while they are swapped in.
    /// Errors: throws c10::OutOfMemoryError; what has moved is then beside its parameter
    void followParameters();

    /// The averages under the names "<parameter>.ema"; they alias this object's memory.
    [[nodiscard]] std::vector<NamedTensor> stateTensors() const;
    [[nodiscard]] int64_t stateBytes() const;
    /// Of them those in one tier.
    [[nodiscard]] int64_t stateBytesIn(Tier tier) const;
    /// Bytes of the disk that are theirs.
    [[nodiscard]] int64_t reservedBytes() const { return m_memory.bytes(); }

    /// The decay used in step `step`.
    [[nodiscard]] static double decayAt(int64_t step, double decay);

private:
    void makePlaces();
    void wantAll() const;
    template <class Work>
    void forPieces(size_t position, const Work& work) const;
    void putBack(size_t position) const;
    [[nodiscard]] ElementRange replaced(size_t position) const;

    const Optimizer& m_optimizer;
    ParameterStore& m_store;
    double m_decay;
    const std::vector<ParameterId>& m_parameters;
    StateMemory m_memory;
    std::vector<at::Tensor> m_averages;       // fp32, in the parameter's memory order
    std::vector<Tier> m_tiers;                // where they lie
    std::vector<at::Tensor> m_originals;      // while swapped in, and when that is about to be
    std::vector<at::Tensor> m_originalPlaces; // on a disk, for good; empty without one
    bool m_swappedIn = false;
};

} // namespace homebooth::core
