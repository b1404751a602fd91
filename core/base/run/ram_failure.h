// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Which memory ran out in a training that failed for want of it: a GPU's, or RAM. Told by the fixed
// parts of sentences, as in failure_cause.h: LibTorch and the system have no other sign. Free function;
// any thread.
#pragma once

#include <string_view>

namespace homebooth::core {

/// Whether it was RAM for certain; a lower limit of a GPU's memory does not help then.
/// @param code, message  of the outcome, or what LibTorch or a library said
[[nodiscard]] bool ramRanOut(int code, std::string_view message);

} // namespace homebooth::core
