// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Puts contents into a store's parameters, wherever these are and however they are kept. Several threads may
// do so for different parameters; whoever changes them between passes calls forgetNextPass first.
#pragma once

#include "core/engine/memory/parameter_store.h"

#include <functional>

namespace homebooth::core {

/// Calls fill(tensor) with the tensor that a parameter's contents are to be written to: the parameter itself,
/// or memory that lasts as long as that, where this process keeps a part of them alone.
/// @returns  what `fill` does
/// Errors: throws ExpectedFailure when the disk that is their home failed
[[nodiscard]] Result<void> fillParameter(ParameterStore& store, ParameterId id,
                                         const std::function<Result<void>(const at::Tensor&)>& fill);

/// Whether a parameter is a weight that is kept as integers, with scales in a parameter of their own.
[[nodiscard]] bool isQuantized(const ParameterStore& store, ParameterId id);

/// The parameter that holds a quantized weight's scales.
[[nodiscard]] ParameterId scalesOf(const ParameterStore& store, ParameterId weight);

/// Writes a parameter as its store keeps it, a quantized weight with its scales.
/// @param contents  of the parameter's shape and any floating type, on the host, finite
/// Errors: as fillParameter
void putContents(ParameterStore& store, ParameterId id, const at::Tensor& contents);

} // namespace homebooth::core
