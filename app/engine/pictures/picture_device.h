// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where pictures are computed, in which numbers and with how much memory, as the settings have it. Free
// functions; GUI thread.
#pragma once

#include "core/base/config/sample_config.h"

#include <QtGlobal>

namespace homebooth::app {

class Settings;

/// Puts device, limit of its memory and number formats into a job. Without a graphics card RAM stands for one
/// within that limit, as in a training. Weights in 8 bits are for models that compute in 16.
/// @param pixels  side of the pictures that the model was made for
void placePictures(core::SampleConfig& config, const Settings& settings, qint64 pixels);

/// Whether the job would need less memory with weights in 8 bits, as `placePictures` could give it.
[[nodiscard]] bool couldHaveLighterWeights(const core::SampleConfig& config);

/// Has pictures made so from now on.
void setPictureWeights(Settings& settings, core::Quantization weights);

} // namespace homebooth::app
