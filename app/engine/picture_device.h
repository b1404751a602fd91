// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where pictures are computed, and with how much memory, as the settings have it. Free function; GUI thread.
#pragma once

#include "core/base/config/sample_config.h"

#include <QtGlobal>

namespace homebooth::app {

class Settings;

/// Puts device, limit of its memory and number format into a job. Without a graphics card RAM stands for one
/// within that limit, as in a training.
/// @param pixels  side of the pictures that the model was made for
void placePictures(core::SampleConfig& config, const Settings& settings, qint64 pixels);

} // namespace homebooth::app
