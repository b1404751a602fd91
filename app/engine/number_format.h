// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The 16-bit format that large models are computed in on this computer: bf16, but fp16 on graphics cards
// whose tensor cores take that alone. Free functions; GUI thread.
#pragma once

#include "core/base/config/train_config.h"
#include "core/base/system/gpu_facts.h"

#include <QtGlobal>

#include <vector>

namespace homebooth::app {

class Settings;

/// Keeps what suits these cards, as they were found.
void rememberFormat(Settings& settings, const std::vector<core::GpuDevice>& cards);

/// bf16 or fp16. On the processor, which knows bf16 alone, and before the cards are known, bf16.
[[nodiscard]] core::Precision halfFormat(const Settings& settings);

/// As it is called in settings, "bf16".
[[nodiscard]] const char* formatName(core::Precision half);

/// What pictures are made in with a model for pictures of that side: small models do without halves.
[[nodiscard]] core::Precision pictureFormat(const Settings& settings, qint64 pixels);

} // namespace homebooth::app
