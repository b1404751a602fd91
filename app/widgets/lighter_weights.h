// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Proposes weights in 8 bits where memory was short for pictures. Free functions; GUI thread.
#pragma once

#include "app/widgets/message_bar.h"
#include "core/base/config/sample_config.h"

namespace homebooth::app {

class Settings;

/// Whether a failure is one of memory. @param headline, detail  as `Generator::failed` gives them
[[nodiscard]] bool lacksMemory(const QString& headline, const QString& detail);

/// Adds the proposal to a message, unless the job has them already or its model is too small for them.
/// @param job   what memory was short for
/// @param then  called once the setting is another
void proposeLighterWeights(Message& message, const core::SampleConfig& job, Settings& settings,
                           const std::function<void()>& then);

} // namespace homebooth::app
