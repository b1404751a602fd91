// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/text/token_rate.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <string_view>

namespace homebooth::core {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int64_t kPlaces = 16;
constexpr int64_t kMostOfFile = int64_t{1} << 20;
constexpr int64_t kMostOfAll = int64_t{4} << 20;
constexpr size_t kMostOfText = size_t{512} << 10; // the rest of a text counts as this
constexpr std::chrono::milliseconds kLongest{1500};

/// Files at even distances in all bytes, with how many of these places each has.
std::map<size_t, int64_t> filesAtPlaces(const Documents& texts) {
    std::map<size_t, int64_t> found;
    int64_t before = 0;
    size_t file = 0;
    for (int64_t place = 0; place < kPlaces; ++place) {
        const int64_t at = texts.totalBytes() / (2 * kPlaces) * (2 * place + 1);
        while (file + 1 < texts.files().size() && before + texts.files()[file].bytes <= at)
            before += texts.files()[file++].bytes;
        ++found[file];
    }
    return found;
}

/// Of one text, or a piece of it.
double tokensOf(const Document& document, const ByteLevelTokenizer& tokenizer) {
    constexpr double kAround = 2.0;
    const std::string_view part = std::string_view(document.text).substr(0, kMostOfText);
    std::vector<int32_t> ids;
    tokenizer.encode(part, ids);
    const double whole = part.empty()
                             ? 0.0
                             : static_cast<double>(ids.size()) * static_cast<double>(document.text.size()) /
                                   static_cast<double>(part.size());
    return whole + (document.continues ? 0.0 : kAround);
}

/// @param texts  of one file
Result<double> rateOf(Documents texts, const ByteLevelTokenizer& tokenizer, int64_t mostBytes,
                      Clock::time_point end) {
    const TextFile& file = texts.files().front();
    if (file.mostTextBytes > file.bytes)
        return static_cast<double>(file.mostTextBytes) / static_cast<double>(file.bytes);
    double tokens = 0.0;
    do {
        HOMEBOOTH_ASSIGN(const std::optional<Document> next, texts.next());
        if (!next) break;
        tokens += tokensOf(*next, tokenizer);
    } while (texts.bytesTaken() < mostBytes && Clock::now() < end);
    return tokens / static_cast<double>(std::max<int64_t>(texts.bytesTaken(), 1));
}

} // namespace

Result<double> tokensPerByte(const Documents& texts, const ByteLevelTokenizer& tokenizer) {
    const Clock::time_point end = Clock::now() + kLongest;
    if (texts.totalBytes() == 0) return 0.0;
    const std::map<size_t, int64_t> files = filesAtPlaces(texts);
    const int64_t most = std::min(kMostOfFile, kMostOfAll / std::ssize(files));
    double sum = 0.0;
    int64_t places = 0;
    for (const auto& [file, count] : files) {
        if (places > 0 && Clock::now() >= end) break;
        HOMEBOOTH_ASSIGN(const double rate, rateOf(texts.only(file), tokenizer, most, end));
        sum += rate * static_cast<double>(count);
        places += count;
    }
    return sum / static_cast<double>(places);
}

} // namespace homebooth::core
