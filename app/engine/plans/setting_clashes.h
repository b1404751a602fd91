// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Settings that are possible each for itself but not together: the engine refuses them too, in English. Pure
// function; any thread.
#pragma once

#include "app/engine/plans/plan_savings.h"
#include "core/base/model/configs/scheduler_config.h"

#include <vector>

namespace homebooth::app {

struct SettingClash {
    QString path;      ///< of the setting that is refused
    QString reason;    ///< which names it: it is also told elsewhere
    PlanChange remedy; ///< a value that is possible
};

/// Whether what learns predicts v. @param prediction  of the model, which holds where nothing else is chosen
[[nodiscard]] bool predictsVelocity(const core::TrainConfig& config, core::PredictionType prediction);

/// @param config  as the engine would get it. @param sizeStep, prediction  of the model, see ModelFacts
[[nodiscard]] std::vector<SettingClash>
settingClashes(const core::TrainConfig& config, int64_t sizeStep,
               core::PredictionType prediction = core::PredictionType::Epsilon);

} // namespace homebooth::app
