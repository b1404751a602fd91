// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Why a plan is as it is, in the user's language: the engine gives each decision a code and its figures.
// Pure functions; any thread.
#pragma once

#include "core/base/run/journal/event.h"

#include <QStringList>

namespace homebooth::app {

/// One sentence; the engine's own where its code is unknown or lacks a figure, as with later engines.
[[nodiscard]] QString planSentence(const core::PlanDecision& decision);

/// A short line for each thing that is done so that it fits, and takes time; none where nothing had to be.
[[nodiscard]] QStringList fitSentences(const core::PlanEvent& plan);

/// What is not as it should be though it fits; mostly empty.
[[nodiscard]] QString planAdvice(const core::PlanEvent& plan);

/// Whether it would take less of the device with weights in 8 bits beside an add-on.
[[nodiscard]] bool proposesLighterWeights(const core::PlanEvent& plan);

/// All of a plan's.
[[nodiscard]] QStringList planSentences(const core::PlanEvent& plan);

} // namespace homebooth::app
