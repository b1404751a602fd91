// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Every setting of a configuration, declared once: where it lies in run.json, its option on the command line,
// its unit, range and meaning. Reading, writing, checking and the command line all go over this list.
// A ConfigField points into the configuration that it was made for and must not outlive it. One thread.
#pragma once

#include "core/base/config/sample_config.h"
#include "core/base/config/train_config.h"
#include "core/base/util/result.h"

#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace homebooth::core {

/// A setting with a fixed set of words; the struct's member is an enum.
struct ChoiceValue {
    std::vector<std::string> words;
    std::function<size_t()> get; ///< index into words
    std::function<void(size_t)> set;
};

/// Texts without commas and without blanks around them.
using TextList = std::vector<std::string>;

using FieldValue = std::variant<int64_t*, uint64_t*, double*, bool*, std::string*, TextList*, ChoiceValue>;

/// What numbers are allowed. Both ends belong to the range unless said otherwise.
struct FieldRange {
    double least = 0.0;
    double most = 0.0;
    bool leastExcluded = false;
    bool mostExcluded = false;
    int64_t multipleOf = 1;
};

struct ConfigField {
    std::string path;   ///< "data.resolutionPixels"
    std::string option; ///< "--resolution"; empty: in files only
    std::string help;   ///< for people, with the unit
    FieldValue value;
    FieldRange range;               ///< of numbers
    bool bytes = false;             ///< a size: "6GiB" is understood as text
    bool folder = false;            ///< a text that names a file or folder
    bool colour = false;            ///< a text that names a colour: "#rrggbb"
    std::vector<std::string> words; ///< of a text: all that it may be, beside empty; none: anything
};

/// All settings, in the order of the structure.
[[nodiscard]] std::vector<ConfigField> configFields(TrainConfig& config);
[[nodiscard]] std::vector<ConfigField> configFields(SampleConfig& config);

/// Parses `text` into the field. Errors: Usage: what was expected and what was found
[[nodiscard]] Result<void> setFieldFromText(ConfigField& field, std::string_view text);

/// What a field of numbers takes, in words: kind and range.
[[nodiscard]] std::string expectedNumber(const ConfigField& field);

/// The range of a field of numbers as help shows it, "0 to less than 1"; empty where nearly all is allowed.
[[nodiscard]] std::string shortRange(const ConfigField& field);

/// What is wrong with the field's value in words, or empty.
[[nodiscard]] std::string fieldViolation(const ConfigField& field);

/// The texts between commas, without blanks around them; empty ones are left out.
[[nodiscard]] TextList textsOf(std::string_view text);

/// The default or present value as the command line shows it.
[[nodiscard]] std::string fieldText(const ConfigField& field);

/// The known word nearest to `word` by edit distance; empty if none is near.
[[nodiscard]] std::string nearestWord(std::string_view word, const std::vector<std::string>& known);

} // namespace homebooth::core
