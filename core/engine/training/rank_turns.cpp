// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/training/rank_turns.h"

#include "core/engine/memory/tier_meter.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

namespace homebooth::core {
namespace {

/// What stands before each picture: place, width, height, length of its text.
using Head = std::array<int64_t, 4>;

std::string packed(const std::vector<PreviewPicture>& previews) {
    std::string bytes;
    for (const PreviewPicture& preview : previews) {
        const Head head = {preview.place, preview.picture.widthPixels, preview.picture.heightPixels,
                           std::ssize(preview.parameters)};
        bytes.append(reinterpret_cast<const char*>(head.data()), sizeof head);
        bytes += preview.parameters;
        bytes.append(preview.picture.rgb.begin(), preview.picture.rgb.end());
    }
    return bytes;
}

/// Adds those that another rank has packed.
void unpack(const std::string& bytes, std::vector<PreviewPicture>& previews) {
    const char* next = bytes.data();
    const char* const end = next + bytes.size();
    while (next != end) {
        Head head{};
        std::memcpy(head.data(), next, sizeof head);
        next += sizeof head;
        PreviewPicture preview;
        preview.place = head[0];
        preview.picture.widthPixels = head[1];
        preview.picture.heightPixels = head[2];
        preview.parameters.assign(next, static_cast<size_t>(head[3]));
        next += head[3];
        const int64_t pixelBytes = 3 * head[1] * head[2];
        preview.picture.rgb.assign(next, next + pixelBytes);
        next += pixelBytes;
        previews.push_back(std::move(preview));
    }
}

} // namespace

std::vector<RankTurn> turnsOf(size_t count, int rank, int ranks, bool together) {
    std::vector<RankTurn> turns;
    for (size_t first = 0; first < count; first += static_cast<size_t>(ranks)) {
        const size_t place = first + static_cast<size_t>(rank);
        if (place < count)
            turns.push_back({place, true});
        else if (together)
            turns.push_back({count - 1, false});
    }
    return turns;
}

std::vector<RankTurn> ownTurns(const JobContext& job, size_t count) {
    return turnsOf(count, job.ranks().rank(), job.ranks().count(), job.spreadsParameters());
}

std::optional<double> meanOfAll(const Ranks& ranks, const std::vector<std::optional<double>>& own,
                                bool stopped) {
    const TierScope onTheHost(Tier::Ram);
    // Of what others have computed: 0, so that sums are what each has said, bit by bit.
    std::vector<int64_t> numbers(2 * own.size() + 1);
    for (size_t place = 0; place < own.size(); ++place) {
        if (!own[place]) continue;
        numbers[2 * place] = 1;
        numbers[2 * place + 1] = std::bit_cast<int64_t>(*own[place]);
    }
    numbers.back() = stopped ? 1 : 0;
    numbers = ranks.patientSums(std::move(numbers));
    if (numbers.back() > 0) return std::nullopt;
    double sum = 0.0;
    int64_t computed = 0;
    for (size_t place = 0; place < own.size(); ++place) {
        if (numbers[2 * place] == 0) continue;
        sum += std::bit_cast<double>(numbers[2 * place + 1]);
        ++computed;
    }
    if (computed == 0) return std::nullopt;
    return sum / static_cast<double>(computed);
}

Result<std::vector<PreviewPicture>> gatherPreviews(const Ranks& ranks,
                                                   Result<std::vector<PreviewPicture>> own) {
    if (ranks.count() == 1) return own;
    const TierScope onTheHost(Tier::Ram);
    HOMEBOOTH_CHECK(ranks.agreeOn(own ? Result<void>() : own.error()));
    const std::vector<std::string> all = ranks.texts(packed(*own));
    std::vector<PreviewPicture> previews;
    if (!ranks.isFirst()) return previews;
    for (const std::string& bytes : all) unpack(bytes, previews);
    std::sort(previews.begin(), previews.end(),
              [](const PreviewPicture& a, const PreviewPicture& b) { return a.place < b.place; });
    return previews;
}

} // namespace homebooth::core
