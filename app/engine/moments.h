// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Saved moments of a run as models to make pictures with: the run's checkpoint holds weights alone, so a
// folder of links joins them with the configurations of the model. Free functions; any thread.
#pragma once

#include "core/base/util/result.h"

#include <QString>

#include <vector>

namespace homebooth::app {

struct Moment {
    int64_t step = 0;
    QString path; ///< the checkpoint's folder
};

/// The checkpoints of a run that hold a whole model, oldest first. None for a run that learns a LoRA.
[[nodiscard]] std::vector<Moment> momentsOf(const QString& runFolder);

/// Where `momentModel` puts its links.
[[nodiscard]] QString momentFolder(const QString& checkpoint);

/// Makes a diffusers folder of links: the checkpoint's weights, all else of `base`. Known ones are made anew.
/// @param base  the diffusers folder that the run began with, or its result
/// Errors: BadInput if the checkpoint or the base is gone, or the base is a single file
[[nodiscard]] core::Result<QString> momentModel(const QString& checkpoint, const QString& base);

} // namespace homebooth::app
