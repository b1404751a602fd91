// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// SHA-256 of streams and files, by OpenSSL. One Sha256 is used by one thread at a time.
// Source: FIPS 180-4.
#pragma once

#include "core/base/util/cancel.h"
#include "core/base/util/result.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace homebooth::core {

/// Told between pieces of long work. @param done and @param total in bytes
using ProgressCallback = std::function<void(int64_t done, int64_t total)>;

class Sha256 {
public:
    Sha256();
    ~Sha256();
    Sha256(Sha256&& other) noexcept;
    Sha256& operator=(Sha256&& other) noexcept;

    void update(std::span<const std::byte> data);
    void update(std::string_view text);

    /// The digest as 64 lower-case hexadecimal digits; the object is spent afterwards.
    [[nodiscard]] std::string finish();

private:
    struct State;
    std::unique_ptr<State> m_state;
};

[[nodiscard]] std::string sha256Text(std::string_view text);

/// Hashes a file without keeping more than one buffer of it in memory.
/// Returns nothing when `cancel` was requested. Errors: BadInput if the file cannot be read
[[nodiscard]] Result<std::optional<std::string>>
sha256File(const std::string& path, const ProgressCallback& progress = {}, const CancelToken& cancel = {});

} // namespace homebooth::core
