// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the core finds in files of models, in the user's language. Pure functions; any thread.
#pragma once

#include "core/base/model/inspect.h"

#include <QString>

#include <string>

namespace homebooth::app {

/// Why a file or folder cannot be used, and what to do; empty for none.
[[nodiscard]] QString modelTrouble(core::ModelFault fault);

/// Why a file or folder was not imported, and what to do. @param name  plain; @param problem  as the core
/// says it
[[nodiscard]] QString importTrouble(const QString& name, core::ModelFault fault,
                                    const std::string& problem = {});

/// What was unusual in a model. @param warning  the core's sentence, which stays where it is of no known kind
[[nodiscard]] QString modelNote(const std::string& warning);

/// A part of a model by the core's name for it, "text_encoder".
[[nodiscard]] QString modelPartName(const std::string& name);

} // namespace homebooth::app
