// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Activation functions by the names that model configurations use. Stateless; any thread.
#pragma once

#include <ATen/ATen.h>

#include <string>

namespace homebooth::core {

enum class Activation { Silu, Mish, Gelu, QuickGelu, GeluTanh, Relu };

/// Throws c10::Error on a name that configurations do not let through.
[[nodiscard]] Activation activationNamed(const std::string& name);

/// Applies `activation`; in place where the caller hands over memory that nobody else holds and no gradient
/// is recorded.
[[nodiscard]] at::Tensor activate(Activation activation, at::Tensor x);

} // namespace homebooth::core
