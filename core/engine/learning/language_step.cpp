// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/learning/language_step.h"

#include "core/engine/learning/token_loss.h"

namespace homebooth::core {
namespace {

/// Whether the table that predicts learns, wherever its block stands.
bool tableLearns(const Schedule& schedule) {
    const ValueId table = schedule.outputs().back();
    for (const Node& node : schedule.nodes())
        for (const ValueId output : node.outputs)
            if (output == table)
                return schedule.blocks()[static_cast<size_t>(node.block)].parameters.front().trainable;
    return false;
}

} // namespace

LanguageStep::LanguageStep(Component& network)
    : m_network(network)
    , m_tableLearns(tableLearns(network.schedule())) {}

double LanguageStep::run(const LanguageBatch& batch, Learner& learner) {
    TokenLoss loss;
    {
        const std::vector<at::Tensor> outputs = m_network.executor().forward(
            {m_network.prepared(batch.tokens)}, {false}, {batch.dropoutSeed, batch.part});
        TokenLossOptions options;
        options.tableLearns = m_tableLearns;
        options.gradientFactor = learner.lossFactor();
        loss = tokenLoss(outputs[0], outputs[1], batch.targets.to(m_network.device()), options);
    }
    learner.requireFinite(loss.loss);
    std::vector<at::Tensor> gradients = {std::move(loss.hiddenGradient), std::move(loss.tableGradient)};
    const auto ignored = m_network.executor().backward(gradients, learner.sink(0));
    static_cast<void>(ignored);
    learner.endMicroStep();
    return loss.loss;
}

double LanguageStep::lossOf(const LanguageBatch& batch) {
    const std::vector<at::Tensor> outputs = m_network.executor().run({m_network.prepared(batch.tokens)});
    TokenLossOptions options;
    options.gradients = false;
    return tokenLoss(outputs[0], outputs[1], batch.targets.to(m_network.device()), options).loss;
}

} // namespace homebooth::core
