// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/config/byte_size.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdio>

namespace homebooth::core {
namespace {

struct Unit {
    std::string_view name; // lower case
    double bytes;
};

constexpr double kKibi = 1024.0;
constexpr std::array<Unit, 14> kUnits{{
    {"", 1.0},
    {"b", 1.0},
    {"k", kKibi},
    {"kib", kKibi},
    {"kb", 1e3},
    {"m", kKibi* kKibi},
    {"mib", kKibi* kKibi},
    {"mb", 1e6},
    {"g", kKibi* kKibi* kKibi},
    {"gib", kKibi* kKibi* kKibi},
    {"gb", 1e9},
    {"t", kKibi* kKibi* kKibi* kKibi},
    {"tib", kKibi* kKibi* kKibi* kKibi},
    {"tb", 1e12},
}};

Error notASize(std::string_view text) {
    return {ErrorCode::Usage,
            "expected a size such as 6GiB, 40GB or 512MiB, found \"" + std::string(text) + "\"",
            {}};
}

} // namespace

Result<int64_t> parseByteSize(std::string_view text) {
    const char* end = text.data() + text.size();
    double amount = 0.0;
    const auto [rest, failed] = std::from_chars(text.data(), end, amount, std::chars_format::fixed);
    if (failed != std::errc{} || !std::isfinite(amount) || amount < 0.0) return notASize(text);
    std::string unit(rest, end);
    unit.erase(0,
               unit.find_first_not_of(' ') == std::string::npos ? unit.size() : unit.find_first_not_of(' '));
    std::transform(unit.begin(), unit.end(), unit.begin(),
                   [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
    for (const Unit& known : kUnits) {
        if (known.name != unit) continue;
        const double bytes = amount * known.bytes;
        if (bytes > std::ldexp(1.0, 62)) return notASize(text);
        return static_cast<int64_t>(bytes);
    }
    return notASize(text);
}

std::string byteSizeText(int64_t bytes) {
    constexpr std::array<const char*, 5> kNames{"bytes", "KiB", "MiB", "GiB", "TiB"};
    double amount = static_cast<double>(bytes);
    size_t unit = 0;
    while (std::fabs(amount) >= kKibi && unit + 1 < kNames.size()) {
        amount /= kKibi;
        ++unit;
    }
    std::array<char, 48> text{};
    const int digits = unit == 0 ? 0 : amount < 10.0 ? 2 : amount < 100.0 ? 1 : 0;
    std::snprintf(text.data(), text.size(), "%.*f %s", digits, amount, kNames.at(unit));
    return text.data();
}

std::string wholeMebibytes(int64_t bytes) {
    constexpr int64_t kMebibyte = int64_t{1} << 20;
    return std::to_string((bytes + kMebibyte - 1) / kMebibyte) + " MiB";
}

std::string fullMebibytes(int64_t bytes) {
    constexpr int64_t kMebibyte = int64_t{1} << 20;
    if (bytes > 0 && bytes < kMebibyte) return byteSizeText(bytes); // "0 MiB" would be nothing
    return std::to_string(bytes / kMebibyte) + " MiB";
}

} // namespace homebooth::core
