// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What a file of the cache says of each tensor, so that one whose bytes a disk has changed is made again
// instead of learned. Free functions; any thread.
#pragma once

#include "core/base/files/sha256.h"

#include <ATen/ATen.h>

#include <charconv>
#include <cstdint>
#include <span>
#include <string>

namespace homebooth::core {

/// @param tensor  on the CPU
[[nodiscard]] inline uint64_t checksumOf(const at::Tensor& tensor) {
    constexpr int kDigits = 16;
    const at::Tensor dense = tensor.contiguous();
    Sha256 hash;
    hash.update(std::span(static_cast<const std::byte*>(dense.data_ptr()), dense.nbytes()));
    const std::string digest = hash.finish();
    uint64_t sum = 0;
    std::from_chars(digest.data(), digest.data() + kDigits, sum, kDigits);
    return sum;
}

/// As it stands in the file's metadata under the tensor's name.
[[nodiscard]] inline std::string checksumText(const at::Tensor& tensor) {
    return std::to_string(checksumOf(tensor));
}

} // namespace homebooth::core
