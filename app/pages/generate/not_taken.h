// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What other programs did for a picture, as its text says, that is done nowhere here. Pure; any thread.
#pragma once

#include "core/base/text/generation_parameters.h"

#include <QStringList>

namespace homebooth::app {

/// The model that went on with it, which is done nowhere here; empty: none.
[[nodiscard]] QString refinerOf(const core::GenerationParameters& found);

/// Its spacing of steps, enlarging, autoencoder and the like, in sentences for people.
[[nodiscard]] QStringList notTaken(const core::GenerationParameters& found);

} // namespace homebooth::app
