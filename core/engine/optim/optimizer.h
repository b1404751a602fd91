// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The optimizer of one parameter store: takes one gradient at a time and updates that parameter in place,
// because gradients of a whole model never exist together.
// Owns its states; borrows the store. One thread calls it (`update` uses Torch's thread pool inside).
//
// Invariants:
//   1. The result depends on (parameter, gradient, states, step, seed) alone: never on the order of
//      updates, the place of the parameter or the number of threads.
//   2. States lie in the memory order of their parameter (a channels-last weight has channels-last states).
//   3. A 16-bit parameter with a master is the nearest of it at all times, and learns through it alone.
#pragma once

#include "core/base/config/train_config.h"
#include "core/base/util/result.h"
#include "core/engine/memory/parameter_store.h"
#include "core/engine/optim/memory_order.h"
#include "core/engine/optim/state_memory.h"

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace homebooth::core {

/// A tensor with its name in a file.
struct NamedTensor {
    std::string name;
    at::Tensor tensor;
    SwappedMemory* swap = nullptr;      ///< which its memory belongs to; null: it is always there
    std::optional<StatePart> part = {}; ///< it is one rank's elements of a state that is spread over all

    /// Of the whole.
    [[nodiscard]] std::vector<int64_t> sizes() const { return part ? part->sizes : tensor.sizes().vec(); }
};

/// What `named` takes of a whole tensor: all of it, or one rank's elements, flat. Shapes: whole as sizes()
[[nodiscard]] at::Tensor ownOf(const NamedTensor& named, const at::Tensor& whole);

/// Keeps a tensor that may be swapped in memory, for a scope.
/// Errors: BadInput, OutOfResources when the disk failed
[[nodiscard]] Result<std::optional<SwapHold>> holdTensor(const NamedTensor& named, bool changes);

/// Finds a tensor of a checkpoint by name; an undefined tensor if there is none.
using TensorLookup = std::function<at::Tensor(const std::string&)>;

class Optimizer {
public:
    /// Makes the masters that the configuration wants, from the parameters as they are.
    /// @param seed, memory  as makeOptimizer has them
    Optimizer(const OptimizerConfig& config, ParameterStore& store, uint64_t seed, StateMemory& memory);
    /// One that remembers nothing.
    explicit Optimizer(ParameterStore& store);
    virtual ~Optimizer() = default;
    Optimizer(const Optimizer&) = delete;
    Optimizer& operator=(const Optimizer&) = delete;

    /// Starts one optimizer step.
    /// @param step          1 for the first; skipped steps do not count
    /// @param learningRate  of this step, for every parameter of the store
    virtual void beginStep(int64_t step, double learningRate);

    /// Updates one parameter in place, at most once in a step.
    /// @param gradient       the parameter's shape, any strides; fp32, bf16 or fp16, on its device
    /// @param gradientScale  what the gradient is multiplied by first: unscaling times clipping
    /// Errors: throws c10::Error where LibTorch does
    virtual void update(ParameterId id, const at::Tensor& gradient, double gradientScale) = 0;

    /// Whether the update of an element needs nothing of others, so that there is `updateRange`.
    [[nodiscard]] virtual bool updatesRanges() const { return false; }

    /// Updates elements of one parameter, counted in its memory order, in place.
    /// @param gradient  of elements from `begin` on. Shapes: [n]
    /// @param begin     a multiple of kRangeUnit; all of them within `range`
    void updateRange(ParameterId id, const at::Tensor& gradient, int64_t begin, double gradientScale,
                     Workers workers);
    static constexpr int64_t kRangeUnit = 256;

    /// Whether states of a block come to the device for an update inside backward.
    [[nodiscard]] bool visitsDevice(int block) const;
    /// What that takes for a parameter: states come and go; of the parameter itself, which is there because
    /// its block computes, a copy is made where the update reads it, and goes home.
    struct Visit {
        int64_t fetchedBytes = 0;
        int64_t returnedBytes = 0;
        int64_t copiedBytes = 0; ///< of the parameter, on the device until its block is at home
    };
    [[nodiscard]] Visit visit(ParameterId id) const;
    /// What the update of a range reads and writes, beside the gradient, where it is at home: flat aliases,
    /// the parameter's first, which is only written if it `hasMaster`; undefined ones are not there. Where
    /// there is `updateRange` alone.
    /// @param begin  as updateRange has it
    [[nodiscard]] virtual std::vector<at::Tensor> touched(ParameterId id, int64_t begin, int64_t count) const;
    /// The update of a range in copies of what it touches, on the gradient's device. Any thread, one at a
    /// time. Shapes: gradient [n]; copies as `touched` has them
    virtual void updateCopies(ParameterId id, const at::Tensor& gradient, int64_t begin, double gradientScale,
                              const std::vector<at::Tensor>& copies, Workers workers) const;

    /// Says that gradients of this block are about to be used, and after them those of the next trainable
    /// block in this direction (1 or -1), so that swapped states can be read ahead.
    /// @returns  those of both blocks of which that was not known
    std::vector<int> expect(int block, int direction);
    /// What was expected and did not come takes no place any more.
    void forgetExpected();
    /// Where states lie that are not always in memory; null where there is no such place.
    [[nodiscard]] SwappedMemory* swap() const { return m_memory.swap(); }

    /// The elements of a trainable parameter that are updated here: all, or one rank's.
    [[nodiscard]] ElementRange range(ParameterId id) const { return m_memory.range(id); }
    [[nodiscard]] bool isSharded() const { return m_memory.isSharded(); }

    /// The live moments under the names "<parameter>.<state>", in parameter order: for saving. They alias the
    /// optimizer's memory and may be strided.
    [[nodiscard]] std::vector<NamedTensor> stateTensors() const;

    /// The most exact values of a trainable parameter, under its name: its master, else itself. It aliases
    /// them, in the parameter's memory order.
    [[nodiscard]] NamedTensor exact(ParameterId id) const;
    [[nodiscard]] bool hasMaster(ParameterId id) const { return m_masters[position(id)].defined(); }
    /// Makes a parameter the nearest of its master, which was changed from outside.
    /// Errors: throws ExpectedFailure when the disk failed
    void followMaster(ParameterId id);

    /// Takes the moments of a checkpoint over, one at a time, so that they never exist twice.
    /// Errors: BadInput for a state that is missing or has another shape or type; the optimizer is then half
    ///         loaded and of no use
    [[nodiscard]] Result<void> loadState(const TensorLookup& lookup);

    /// Says that the states were zero before step `step` + 1, e.g. because a checkpoint's were pruned:
    /// corrections for the zero start count from there. 0 at first.
    void setStatesBegin(int64_t step) { m_statesBegin = step; }

    /// Bytes that moments and masters take.
    [[nodiscard]] int64_t stateBytes() const;
    /// Of them those in one tier.
    [[nodiscard]] int64_t stateBytesIn(Tier tier) const;

    /// Takes the states after their parameters, which have got other homes. Where a disk takes them all they
    /// stay there. Errors: throws c10::OutOfMemoryError, ExpectedFailure when the disk failed; what has moved
    /// is then where it belongs, the rest where it was
    void followParameters();

    [[nodiscard]] ParameterStore& store() const { return m_store; }
    /// The trainable parameters, in the order of the store.
    [[nodiscard]] const std::vector<ParameterId>& trainable() const { return m_trainable; }
    /// Position of a parameter within `trainable`; asserts that it is there.
    [[nodiscard]] size_t position(ParameterId id) const;

protected:
    /// A moment by the name that it has behind its parameter's.
    struct Moment {
        const char* name;
        at::Tensor tensor;
        int64_t unit = 1; ///< elements of the parameter that one of its own stands for
    };
    /// The live moments of the trainable parameter at a position.
    [[nodiscard]] virtual std::vector<Moment> momentsAt(size_t position) const = 0;
    /// The master of the parameter at a position; undefined where there is none.
    [[nodiscard]] const at::Tensor& masterAt(size_t position) const { return m_masters[position]; }
    /// Has the swapped states of a parameter read ahead, in the order of its update.
    virtual void wantStates(ParameterId id);
    [[nodiscard]] int64_t step() const { return m_step; }
    /// Updates that the states have seen, this one included.
    [[nodiscard]] int64_t statesAge() const { return m_step - m_statesBegin; }
    [[nodiscard]] double learningRate() const { return m_learningRate; }
    [[nodiscard]] const OptimizerConfig& config() const { return m_config; }
    [[nodiscard]] uint64_t seed() const { return m_seed; }
    [[nodiscard]] const StateMemory& memory() const { return m_memory; }

private:
    /// Where states lie.
    struct Place {
        Tier tier = Tier::Device;
        bool visits = false; ///< and where a GPU finds them
        friend bool operator==(const Place&, const Place&) = default;
    };
    [[nodiscard]] Place placeOf(int block) const {
        return {m_store.homeTier(block), m_store.updatesOnDevice(block)};
    }
    [[nodiscard]] std::vector<at::Tensor> statesAt(size_t position) const;
    void findTrainable();
    void makeMaster(ParameterId id, StateMemory& memory);

    ParameterStore& m_store;
    OptimizerConfig m_config;
    uint64_t m_seed;
    StateMemory m_memory;
    std::vector<at::Tensor> m_masters; // fp32, by position; undefined where there is none
    std::vector<ParameterId> m_trainable;
    std::vector<std::vector<int64_t>> m_positions; // [block][parameter], -1 where not trainable
    std::vector<Place> m_places;                   // by position
    std::set<int> m_expected;                      // blocks, since the last were forgotten
    int64_t m_step = 0;
    int64_t m_statesBegin = 0;
    double m_learningRate = 0.0;
};

/// Who updates beside backward: one thread where backward computes on the same processor, most of them where
/// a GPU does.
[[nodiscard]] Workers workersBesideBackward(const ParameterStore& store);

/// Copies one state out of a checkpoint.
/// Errors: BadInput if it is missing or has another shape or type
[[nodiscard]] Result<void> copyState(const NamedTensor& state, const TensorLookup& lookup);

/// Makes the optimizer that the configuration names, with zero states for every trainable parameter.
/// @param seed  of the stochastic rounding of 16-bit parameters and states
/// @param memory  of the states, which says afterwards how many bytes they take
/// Errors: throws ExpectedFailure when the disk of swapped states fails
[[nodiscard]] std::unique_ptr<Optimizer> makeOptimizer(const OptimizerConfig& config, ParameterStore& store,
                                                       uint64_t seed, StateMemory& memory);
/// With states beside the parameters.
[[nodiscard]] std::unique_ptr<Optimizer> makeOptimizer(const OptimizerConfig& config, ParameterStore& store,
                                                       uint64_t seed);

} // namespace homebooth::core
