// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What the command line asks to train: file, options, defaults of the model, plan. One thread.
#pragma once

#include "core/base/plan/train_plan.h"
#include "core/cli/options.h"

#include <string>

namespace homebooth::core {

class TrainRequest {
public:
    struct Ready {
        TrainConfig config;
        TrainPlan plan;
    };

    void addTo(CLI::App& app);

    /// Every setting of `config` counts as named: defaults leave it alone.
    void keepAll(const TrainConfig& config);

    /// For plans: configurations without weights will do.
    void allowMissingWeights() { m_weightsOptional = true; }

    /// Reads the file, applies the options, opens the model, fills defaults in, checks and plans.
    /// Errors: Usage, BadInput, OutOfResources (it cannot fit)
    [[nodiscard]] Result<Ready> prepare(const TrainConfig& base);

private:
    [[nodiscard]] Result<void> readFile();
    void chooseMode();
    [[nodiscard]] Result<void> checkFolders() const;

    TrainConfig m_config;
    GivenFields m_given;
    FieldOptions m_options;
    std::string m_configFile;
    bool m_fromScratch = false;
    bool m_weightsOptional = false;
};

} // namespace homebooth::core
