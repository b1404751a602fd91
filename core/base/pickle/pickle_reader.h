// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads pickles as data. Python's own reader is a machine that imports modules and calls functions as the
// file tells it; this one builds values and calls nothing, so a hostile file can at most be refused. Free
// function without state; any thread.
//
// What is bounded: the pickle (its reader's buffer), and once more as many bytes in names that it puts
// together; a million values, entries of the stack and of the memo; four million items in them. Formats:
// protocols 2 to 5, of which those parts that torch.save writes and a few neighbours; protocols 0 and 1,
// which are text, are refused. Source: CPython, Lib/pickletools.py.
#pragma once

#include "core/base/pickle/pickle_value.h"
#include "core/base/util/result.h"

namespace homebooth::core {

/// The most that a pickle may have. Whole models have less than 2 MB of names.
constexpr int64_t kMostPickleBytes = int64_t{64} << 20;

/// @param bytes  the pickle, and what follows it
/// Errors: BadInput, without the file's name: the byte, what was expected there and what was found; with
///         kCutOffWords in it where the bytes ended early
[[nodiscard]] Result<Pickle> readPickle(std::string_view bytes);

} // namespace homebooth::core
