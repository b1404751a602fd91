// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Versions of this program and of the libraries that compute: the numbers of a run may differ with others.
// Free function; any thread.
#pragma once

#include <c10/core/Device.h>

#include <map>
#include <string>

namespace homebooth::core {

/// "homebooth" and "libtorch"; "cuda" and "cudnn" where a GPU computes, which alone opens them.
/// @param device  that computes; LibTorch's CUDA half is open where it is a GPU
[[nodiscard]] std::map<std::string, std::string> engineVersions(at::Device device);

} // namespace homebooth::core
