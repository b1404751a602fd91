// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/picture_device.h"

#include "app/engine/number_format.h"
#include "app/settings/settings.h"

namespace homebooth::app {

void placePictures(core::SampleConfig& config, const Settings& settings, qint64 pixels) {
    const bool processor = settings.flag(keys::kProcessorOnly);
    config.device = processor ? core::ComputeDevice::Cpu : core::ComputeDevice::Auto;
    config.deviceBytes = processor ? 0 : settings.bytes(keys::kGpuMemory);
    config.precision = pictureFormat(settings, pixels);
}

} // namespace homebooth::app
