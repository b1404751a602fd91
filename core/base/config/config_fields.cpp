// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/config/config_fields.h"

#include "core/base/config/byte_size.h"
#include "core/base/config/colour.h"
#include "core/base/text/unicode.h"
#include "core/base/util/joined.h"
#include "core/base/util/regular_file.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <numeric>

namespace homebooth::core {
namespace {

Error expected(const ConfigField& field, const std::string& what, std::string_view found) {
    return {ErrorCode::Usage, "expected " + what + ", found \"" + std::string(found) + "\"",
            field.option.empty() ? field.path : field.option};
}

/// Whole numbers without an exponent; a point in every locale, as setNumber reads it.
std::string numberText(double value) {
    constexpr int kDigits = 15;
    char text[40];
    return {text, std::to_chars(text, std::end(text), value, std::chars_format::general, kDigits).ptr};
}

std::string rangeText(const FieldRange& range) {
    std::string text = range.leastExcluded ? "more than " : "at least ";
    text += numberText(range.least);
    text += range.mostExcluded ? " and less than " : " and at most ";
    return text + numberText(range.most);
}

template <class Number>
Result<void> setNumber(const ConfigField& field, Number* target, std::string_view text) {
    Number parsed{};
    const char* end = text.data() + text.size();
    const auto [rest, failed] = std::from_chars(text.data(), end, parsed);
    if (failed != std::errc{} || rest != end) return expected(field, expectedNumber(field), text);
    *target = parsed;
    return {};
}

Result<void> setFlag(const ConfigField& field, bool* target, std::string_view text) {
    if (text == "true" || text == "1" || text == "yes" || text == "on")
        *target = true;
    else if (text == "false" || text == "0" || text == "no" || text == "off")
        *target = false;
    else
        return expected(field, "true or false", text);
    return {};
}

bool inRange(double value, const FieldRange& range) {
    if (!std::isfinite(value)) return false;
    const bool low = range.leastExcluded ? value > range.least : value >= range.least;
    const bool high = range.mostExcluded ? value < range.most : value <= range.most;
    return low && high;
}

/// Whether a text may be what it is; empty ones always may.
bool isWordOf(const ConfigField& field, std::string_view text) {
    return field.words.empty() || text.empty() ||
           std::find(field.words.begin(), field.words.end(), text) != field.words.end();
}

std::string numberViolation(const ConfigField& field, double value) {
    if (!inRange(value, field.range))
        return field.path + " must be " + rangeText(field.range) + ", found " + numberText(value);
    if (field.range.multipleOf > 1 && std::fmod(value, static_cast<double>(field.range.multipleOf)) != 0.0)
        return field.path + " must be divisible by " + std::to_string(field.range.multipleOf) + ", found " +
               numberText(value);
    return {};
}

} // namespace

std::string expectedNumber(const ConfigField& field) {
    if (std::holds_alternative<uint64_t*>(field.value)) return "a whole number from 0";
    const bool whole = std::holds_alternative<int64_t*>(field.value);
    std::string text = (whole ? "a whole number " : "a number ") + rangeText(field.range);
    if (field.range.multipleOf > 1) text += ", divisible by " + std::to_string(field.range.multipleOf);
    return text;
}

std::string shortRange(const ConfigField& field) {
    constexpr double kNearlyAll = 1e6;
    const FieldRange& range = field.range;
    const bool number =
        std::holds_alternative<int64_t*>(field.value) || std::holds_alternative<double*>(field.value);
    if (!number || field.bytes) return {};
    std::string text = range.leastExcluded ? "more than " : "";
    text += numberText(range.least);
    if (range.most >= kNearlyAll) return range.leastExcluded ? text : std::string();
    text += range.leastExcluded ? (range.mostExcluded ? ", less than " : ", at most ")
                                : (range.mostExcluded ? " to less than " : " to ");
    return text + numberText(range.most);
}

Result<void> setFieldFromText(ConfigField& field, std::string_view text) {
    if (auto* integer = std::get_if<int64_t*>(&field.value)) {
        if (!field.bytes) return setNumber(field, *integer, text);
        auto bytes = parseByteSize(text);
        if (!bytes) return Error{ErrorCode::Usage, bytes.error().message, field.option};
        **integer = *bytes;
        return {};
    }
    if (auto* seed = std::get_if<uint64_t*>(&field.value)) return setNumber(field, *seed, text);
    if (auto* real = std::get_if<double*>(&field.value)) return setNumber(field, *real, text);
    if (auto* flag = std::get_if<bool*>(&field.value)) return setFlag(field, *flag, text);
    if (auto* words = std::get_if<std::string*>(&field.value)) {
        if (!isWordOf(field, text)) return expected(field, "one of " + joined(field.words), text);
        **words = text;
        return {};
    }
    if (auto* list = std::get_if<TextList*>(&field.value)) {
        **list = textsOf(text);
        return {};
    }
    const auto& choice = std::get<ChoiceValue>(field.value);
    const auto found = std::find(choice.words.begin(), choice.words.end(), text);
    if (found == choice.words.end()) return expected(field, "one of " + joined(choice.words), text);
    choice.set(static_cast<size_t>(found - choice.words.begin()));
    return {};
}

TextList textsOf(std::string_view text) {
    constexpr const char* kBlanks = " \t\r\n";
    TextList texts;
    while (!text.empty()) {
        std::string_view one = text.substr(0, text.find(','));
        text.remove_prefix(std::min(text.size(), one.size() + 1));
        one.remove_prefix(std::min(one.size(), one.find_first_not_of(kBlanks)));
        one = one.substr(0, one.find_last_not_of(kBlanks) + 1);
        if (!one.empty()) texts.emplace_back(one);
    }
    return texts;
}

std::string fieldViolation(const ConfigField& field) {
    if (const auto* integer = std::get_if<int64_t*>(&field.value))
        return numberViolation(field, static_cast<double>(**integer));
    if (const auto* real = std::get_if<double*>(&field.value)) return numberViolation(field, **real);
    if (const auto* text = std::get_if<std::string*>(&field.value);
        text && (*text)->find('\0') != std::string::npos)
        return field.path + " must not hold a NUL character";
    if (const auto* text = std::get_if<std::string*>(&field.value); text && !isWordOf(field, **text))
        return field.path + " must be one of " + joined(field.words) + ", or empty, found " +
               displayName(**text);
    if (const auto* text = std::get_if<std::string*>(&field.value);
        text && field.colour && !parseColour(**text))
        return field.path + " must be a colour such as #ffffff, found " + displayName(**text);
    if (const auto* text = std::get_if<std::string*>(&field.value); text && field.folder && !isUtf8(**text))
        return field.path + " must be UTF-8, since run.json is, found " + displayName(**text) +
               "; rename the folder or file";
    return {};
}

std::string fieldText(const ConfigField& field) {
    if (const auto* integer = std::get_if<int64_t*>(&field.value))
        return field.bytes && **integer != 0 ? byteSizeText(**integer) : std::to_string(**integer);
    if (const auto* seed = std::get_if<uint64_t*>(&field.value)) return std::to_string(**seed);
    if (const auto* real = std::get_if<double*>(&field.value)) return numberText(**real);
    if (const auto* flag = std::get_if<bool*>(&field.value)) return **flag ? "true" : "false";
    if (const auto* text = std::get_if<std::string*>(&field.value)) return **text;
    if (const auto* list = std::get_if<TextList*>(&field.value)) return joined(**list, ",");
    const auto& choice = std::get<ChoiceValue>(field.value);
    return choice.words.at(choice.get());
}

std::string nearestWord(std::string_view word, const std::vector<std::string>& known) {
    size_t best = std::max<size_t>(2, word.size() / 3) + 1;
    std::string nearest;
    for (const std::string& candidate : known) {
        std::vector<size_t> row(candidate.size() + 1);
        std::iota(row.begin(), row.end(), size_t{0});
        for (size_t i = 0; i < word.size(); ++i) {
            size_t diagonal = row[0];
            row[0] = i + 1;
            for (size_t j = 0; j < candidate.size(); ++j) {
                const size_t replaced = diagonal + (word[i] == candidate[j] ? 0 : 1);
                diagonal = row[j + 1];
                row[j + 1] = std::min({row[j] + 1, row[j + 1] + 1, replaced});
            }
        }
        if (row.back() < best) {
            best = row.back();
            nearest = candidate;
        }
    }
    return nearest;
}

} // namespace homebooth::core
