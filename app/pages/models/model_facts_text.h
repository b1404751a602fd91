// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is known of a model file in words, looked at off the GUI thread. Free functions; any thread.
#pragma once

#include "core/base/model/inspect.h"

#include <QString>

namespace homebooth::app {

/// A few lines for a person.
[[nodiscard]] QString modelFactsText(const core::Inspection& facts);

} // namespace homebooth::app
