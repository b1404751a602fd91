// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the engine reports, in the user's language: it speaks English, but gives each failure a code and each
// warning a kind. Its own sentence is the detail beneath. Pure functions; any thread.
#pragma once

#include "core/base/run/failure_cause.h"

#include <QString>

#include <string>

namespace homebooth::core {
struct WarningEvent;
}

namespace homebooth::app {

/// Why a training ended early.
[[nodiscard]] QString trainingTrouble(core::FailureCause cause);
/// The same with what the engine's sentence says beside its cause: the signal, the step, that it is the
/// graphics card, or that it is one of them.
[[nodiscard]] QString trainingTrouble(core::FailureCause cause, const std::string& message);
/// What to do then; empty where going on is all.
[[nodiscard]] QString trainingAdvice(core::FailureCause cause);

/// Why pictures were not made. @param code  as above
[[nodiscard]] QString picturesTrouble(int code);
/// The same by the engine's sentence, where that says more of it: it is the graphics card that is at fault.
[[nodiscard]] QString picturesTrouble(int code, const std::string& message);

/// What a warning is about. @param kind  its code in the journal; a general one for kinds of later engines
[[nodiscard]] QString warningHeadline(const std::string& kind);
/// The same with what it says itself: the folder that took nothing, and why.
[[nodiscard]] QString warningHeadline(const core::WarningEvent& warning);

/// What the worker has at hand while it prepares, "pictures": empty if it is nothing to be told.
[[nodiscard]] QString preparedThing(const std::string& detail);

} // namespace homebooth::app
