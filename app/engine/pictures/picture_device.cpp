// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/pictures/picture_device.h"

#include "app/engine/number_format.h"
#include "app/settings/settings.h"

namespace homebooth::app {

namespace {

/// As the settings have it.
core::Quantization chosenWeights(const Settings& settings) {
    const QString name = settings.text(keys::kPictureWeights);
    for (const core::Quantization weights : {core::Quantization::Int8, core::Quantization::W8A8})
        if (name == QLatin1String(core::quantizationName(weights))) return weights;
    return core::Quantization::None;
}

} // namespace

void placePictures(core::SampleConfig& config, const Settings& settings, qint64 pixels) {
    const bool processor = settings.flag(keys::kProcessorOnly);
    config.device = processor ? core::ComputeDevice::Cpu : core::ComputeDevice::Auto;
    config.deviceBytes = processor ? 0 : settings.bytes(keys::kGpuMemory);
    config.precision = pictureFormat(settings, pixels);
    const bool large = config.precision != core::Precision::Fp32;
    config.quantization = large ? chosenWeights(settings) : core::Quantization::None;
}

bool couldHaveLighterWeights(const core::SampleConfig& config) {
    return config.precision != core::Precision::Fp32 && config.quantization == core::Quantization::None;
}

void setPictureWeights(Settings& settings, core::Quantization weights) {
    settings.set(keys::kPictureWeights, QString::fromLatin1(core::quantizationName(weights)));
}

} // namespace homebooth::app
