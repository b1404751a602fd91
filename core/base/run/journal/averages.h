// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// How checkpoints call moving averages (EMA) of what learns. Constants.
#pragma once

#include <string_view>

namespace homebooth::core {

/// How the names of files with moving averages begin: before that of the file of the weights.
constexpr const char* kAveragesPrefix = "ema-";

/// How the names of the tensors in them end, behind those of the parameters.
constexpr std::string_view kAverageEnding = ".ema";

} // namespace homebooth::core
