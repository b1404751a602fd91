// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// A training step of a model that nobody has to own: built from configurations alone, for rehearsals, which
// walk it without memory, and for measurements, which run it on random weights. Owns the model and what it
// learns with; neither copied nor moved. One thread.
#pragma once

#include "core/base/config/train_config.h"
#include "core/base/model/model_source.h"
#include "core/engine/learning/learner.h"
#include "core/engine/learning/step_placement.h"

#include <memory>
#include <vector>

namespace homebooth::core {

/// The networks of a trial, and one micro-step of theirs.
class TrialNetworks {
public:
    virtual ~TrialNetworks() = default;

    /// @param schedules  as learningSchedules gives them
    /// @param options    one of each
    virtual void make(std::vector<Schedule> schedules,
                      const std::vector<ParameterStore::Options>& options) = 0;
    /// In the order of the schedules.
    [[nodiscard]] virtual std::vector<LearningPart> parts() = 0;
    /// Once the learner is there, to which every micro-step hands its gradients.
    virtual void microStep(Learner& learner) = 0;
};

class TrialStep {
public:
    /// @param config  what learns and how, batch and resolution; borrowed
    /// @param model   only its configurations are read
    /// @param store   on which device and how parameters lie; on the meta device they have no contents,
    ///                elsewhere random ones
    /// @param placement  where they are at home, and what blocks keep
    /// @param ranks   who trains together, borrowed; null: as many as the configuration says are pretended
    /// Errors: BadInput from a LoRA that finds nothing to adapt or a scheduler that cannot train; those of
    ///         checkLearning
    [[nodiscard]] static Result<std::unique_ptr<TrialStep>>
    make(const TrainConfig& config, const ModelSource& model, const ParameterStore::Options& store,
         const StepPlacement& placement, const Ranks* ranks = nullptr);
    TrialStep(const TrialStep&) = delete;
    TrialStep& operator=(const TrialStep&) = delete;

    /// The networks that learn: the UNet, then the text encoder if it does; or the language model.
    [[nodiscard]] const std::vector<LearningPart>& parts() const { return m_parts; }
    [[nodiscard]] Learner& learner() const { return *m_learner; }

    /// One whole step with all its micro-steps. @param step  1 for the first
    void run(int64_t step);

private:
    TrialStep(const TrainConfig& config, std::unique_ptr<TrialNetworks> networks, const Ranks* ranks)
        : m_config(config)
        , m_networks(std::move(networks))
        , m_pretended(ranks == nullptr ? Ranks::pretended(static_cast<int>(config.parallel.processes))
                                       : nullptr)
        , m_ranks(ranks == nullptr ? *m_pretended : *ranks) {}

    Result<void> makeParts(const ModelSource& model, ParameterStore::Options store,
                           const StepPlacement& placement);
    [[nodiscard]] std::shared_ptr<BlockSpread> spreadOf(const Schedule& schedule,
                                                        const ParameterStore::Options& store) const;

    const TrainConfig& m_config;
    std::unique_ptr<TrialNetworks> m_networks;
    std::unique_ptr<Ranks> m_pretended;
    const Ranks& m_ranks;
    std::vector<LearningPart> m_parts;
    std::unique_ptr<Learner> m_learner;
};

} // namespace homebooth::core
