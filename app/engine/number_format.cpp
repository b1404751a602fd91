// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/number_format.h"

#include "app/settings/settings.h"

namespace homebooth::app {

namespace {
constexpr qint64 kSmallPixels = 128; // of models that compute in fp32 without harm
} // namespace

void rememberFormat(Settings& settings, const std::vector<core::GpuDevice>& cards) {
    const bool half = !core::takeBfloat16(cards) && core::takeFloat16(cards);
    const auto found = half ? core::Precision::Fp16 : core::Precision::Bf16;
    settings.set(keys::kHalfFormat, QString::fromLatin1(formatName(found)));
}

core::Precision halfFormat(const Settings& settings) {
    const bool half = settings.text(keys::kHalfFormat) == QLatin1String(formatName(core::Precision::Fp16));
    return half && !settings.flag(keys::kProcessorOnly) ? core::Precision::Fp16 : core::Precision::Bf16;
}

const char* formatName(core::Precision half) {
    return half == core::Precision::Fp16 ? "fp16" : "bf16";
}

core::Precision pictureFormat(const Settings& settings, qint64 pixels) {
    return pixels > kSmallPixels ? halfFormat(settings) : core::Precision::Fp32;
}

} // namespace homebooth::app
