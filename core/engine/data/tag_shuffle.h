// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Captions that are lists of tags with commas between, in other orders. Pure functions; any thread.
//
// With a frozen text encoder a step must only ask for captions that were encoded before the first one:
// another would bring the encoder back into memory that no plan has counted. A step then takes one of
// tagVariants. Where the text encoder learns, it may take shuffledTags of its own seed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace homebooth::core {

/// Variants of a caption that are worth the time and the room of encoding them.
constexpr int64_t kMostTagVariants = 16;

/// The tags without blanks around them and without empty ones, ", " between; those behind the first
/// `keepTags` in an order drawn from the seed. A caption without a comma comes back as it is.
/// @param keepTags   0 or more
/// @param mixed      seed of core/engine/learning/step_random.h
[[nodiscard]] std::string shuffledTags(const std::string& caption, int64_t keepTags, uint64_t mixed);

/// Different orders of a caption's tags, at least one and at most `count`, or as many as there are. Of each
/// caption they are drawn anew, and always come in the same order: fewer of them are the first of more.
/// @param count  1 or more
/// @param seed   the run's
[[nodiscard]] std::vector<std::string> tagVariants(const std::string& caption, int64_t keepTags,
                                                   int64_t count, uint64_t seed);

/// Whether a caption has tags that can change places: two or more behind those that stay.
[[nodiscard]] bool hasMovingTags(const std::string& caption, int64_t keepTags);

} // namespace homebooth::core
