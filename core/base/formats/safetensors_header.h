// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The JSON header of a .safetensors file as values: parsed and checked from untrusted text, or made.
// Private to core/base/formats. Stateless; any thread.
#pragma once

#include "core/base/formats/tensor_source.h"

namespace homebooth::core {

constexpr int64_t kHeaderLimitBytes = 100'000'000;
constexpr size_t kTensorLimit = 200'000;
constexpr size_t kRankLimit = 16;
constexpr size_t kNameLimitBytes = 1024;
constexpr std::string_view kCutOffWords = "cut off"; ///< in what is said of a file that is too short
/// In what is said of a file that is whole, but has a tensor in fp8 or of another type that is not read.
constexpr std::string_view kOtherTypeWords = "has the element type";

struct SafetensorsHeader {
    std::vector<TensorInfo> tensors; ///< in the order of their bytes
    std::vector<int64_t> offsets;    ///< first byte of each tensor, from the end of the header
    std::map<std::string, std::string> metadata;
};

/// Parses `text` and checks every rule of safetensors_reader.h.
/// @param dataBytes bytes of the file after the header
/// Errors: BadInput; the context is left empty for the caller, who knows the file
[[nodiscard]] Result<SafetensorsHeader> parseSafetensorsHeader(std::string_view text, int64_t dataBytes);

/// The header's bytes with the length in front, padded so that tensors begin at a multiple of 8.
[[nodiscard]] std::string makeSafetensorsHeader(const std::vector<TensorInfo>& tensors,
                                                const std::map<std::string, std::string>& metadata);

/// Nothing if `name` may stand in a file, else why not.
[[nodiscard]] std::optional<std::string> nameFault(std::string_view name);

/// `text` shortened and without control characters, for messages about hostile files.
[[nodiscard]] std::string printable(std::string_view text);

} // namespace homebooth::core
