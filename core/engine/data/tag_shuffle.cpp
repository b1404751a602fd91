// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/data/tag_shuffle.h"

#include "core/base/files/sha256.h"
#include "core/engine/data/caption_text.h"
#include "core/engine/learning/step_random.h"

#include <algorithm>
#include <sstream>

namespace homebooth::core {
namespace {

constexpr int64_t kDrawsForOne = 16; // enough to come upon the last of a few orders

std::vector<std::string> tagsOf(const std::string& caption) {
    std::vector<std::string> tags;
    std::istringstream parts(caption);
    for (std::string tag; std::getline(parts, tag, ',');)
        if (tag = trimmedCaption(tag); !tag.empty()) tags.push_back(tag);
    return tags;
}

/// How many orders the tags have that move, but at most `most`.
int64_t ordersOf(const std::string& caption, int64_t keepTags, int64_t most) {
    int64_t orders = 1;
    const int64_t moving = std::ssize(tagsOf(caption)) - keepTags;
    for (int64_t i = 2; i <= moving && orders < most; ++i) orders *= i;
    return std::min(orders, most);
}

uint64_t numberOf(const std::string& caption) {
    constexpr size_t kDigits = 16;
    return std::stoull(sha256Text(caption).substr(0, kDigits), nullptr, 16);
}

} // namespace

std::string shuffledTags(const std::string& caption, int64_t keepTags, uint64_t mixed) {
    if (caption.find(',') == std::string::npos) return caption;
    const std::vector<std::string> tags = tagsOf(caption);
    const int64_t kept = std::min(keepTags, std::ssize(tags));
    const std::vector<int64_t> order = permutation(std::ssize(tags) - kept, mixed);
    std::string text;
    for (int64_t i = 0; i < std::ssize(tags); ++i) {
        const int64_t from = i < kept ? i : kept + order[static_cast<size_t>(i - kept)];
        text += (i == 0 ? "" : ", ") + tags[static_cast<size_t>(from)];
    }
    return text;
}

std::vector<std::string> tagVariants(const std::string& caption, int64_t keepTags, int64_t count,
                                     uint64_t seed) {
    std::vector<std::string> variants;
    const int64_t wanted = ordersOf(caption, keepTags, count);
    const uint64_t number = numberOf(caption);
    for (int64_t i = 0; i < kDrawsForOne * wanted && std::ssize(variants) < wanted; ++i) {
        const uint64_t mixed = mixedSeed(seed, DrawPurpose::Tags, number, static_cast<uint64_t>(i));
        std::string variant = shuffledTags(caption, keepTags, mixed);
        if (std::find(variants.begin(), variants.end(), variant) == variants.end())
            variants.push_back(std::move(variant));
    }
    return variants;
}

bool hasMovingTags(const std::string& caption, int64_t keepTags) {
    return ordersOf(caption, keepTags, 2) > 1;
}

} // namespace homebooth::core
