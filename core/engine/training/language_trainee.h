// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Training a language model, all of it or a LoRA: texts in, what follows each token predicted. Of several
// ranks each computes its part of every micro-step. Owns model and texts. One thread.
#pragma once

#include "core/base/model/model_source.h"
#include "core/engine/data/job_context.h"
#include "core/engine/data/token_set.h"
#include "core/engine/learning/language_step.h"
#include "core/engine/models/component.h"
#include "core/engine/training/planned_steps.h"
#include "core/engine/training/run_plan.h"
#include "core/engine/training/trainee.h"

#include <memory>
#include <optional>

namespace homebooth::core {

class LanguageTrainee : public Trainee {
public:
    /// Opens the model, keeps what goes along into the result, reads the texts, plans the steps, loads the
    /// weights. Errors: BadInput for models and texts that cannot be used, OutOfResources. When stop is
    /// requested meanwhile, the result is null.
    [[nodiscard]] static Result<std::unique_ptr<LanguageTrainee>> make(const JobContext& job);

    [[nodiscard]] StepReport step(int64_t step) override;
    [[nodiscard]] Learner& learner() override { return *m_learner; }
    [[nodiscard]] std::vector<OrderCursor> cursors() const override { return {m_order->cursor()}; }
    void restoreCursors(const std::vector<OrderCursor>& cursors, bool dataChanged) override {
        m_order->restore(cursors.front(), dataChanged);
    }
    [[nodiscard]] std::string dataHash() const override { return m_texts->hash(); }
    [[nodiscard]] int64_t heldOutPictures() const override { return m_texts->heldOutCount(); }
    [[nodiscard]] std::optional<double> validate() override;
    /// None: what it writes is seen with `generate`.
    [[nodiscard]] Result<std::vector<PreviewPicture>> preview(int64_t step) override;
    /// The folder that transformers loads, or a LoRA as PEFT has it.
    [[nodiscard]] Result<std::vector<std::string>> writeResult(const std::string& resultDir,
                                                               int64_t step) override;
    [[nodiscard]] TierMemory memory() const override;

private:
    explicit LanguageTrainee(const JobContext& job)
        : m_job(job) {}
    /// @returns  false when stop was requested
    [[nodiscard]] Result<bool> readTexts();
    [[nodiscard]] Result<void> loadModel();
    [[nodiscard]] Result<void> makeLearner();
    [[nodiscard]] StepReport compute(int64_t step, const std::vector<int64_t>& windows);
    [[nodiscard]] LanguageBatch batchOf(const std::vector<int64_t>& windows, bool heldOut) const;

    const JobContext& m_job;
    ModelSource m_source;
    RunPlan m_plan;
    std::optional<TokenSet> m_texts;
    int32_t m_separator = -1; // of the texts; -1: nothing stands between them
    std::optional<SampleOrder> m_order;
    std::unique_ptr<Component> m_network;
    std::unique_ptr<Learner> m_learner;
    std::unique_ptr<LanguageStep> m_step;
    std::unique_ptr<PlannedSteps> m_planned;
};

} // namespace homebooth::core
