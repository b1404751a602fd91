// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/config/fields_json.h"

#include "core/base/util/joined.h"
#include "core/base/util/shallow_json.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

namespace homebooth::core {
namespace {

using Json = nlohmann::ordered_json;
constexpr int kDeepest = 4;
constexpr std::array<const char*, 5> kRunKeys{"v", "created", "versions", "config", "facts"}; // of run.json

/// A JSON number as an integer, if it is one: 400 and 4e2, not 1.5.
std::optional<int64_t> integerOf(const Json& value) {
    if (value.is_number_unsigned())
        return value.get<uint64_t>() <= static_cast<uint64_t>(std::numeric_limits<int64_t>::max())
                   ? std::optional(static_cast<int64_t>(value.get<uint64_t>()))
                   : std::nullopt;
    if (value.is_number_integer()) return value.get<int64_t>();
    if (!value.is_number_float()) return std::nullopt;
    const double real = value.get<double>();
    if (std::trunc(real) != real || std::fabs(real) > 9e15) return std::nullopt;
    return static_cast<int64_t>(real);
}

/// What was found, for messages. Never descends: a hostile file may be nested a million deep.
std::string shortText(const Json& value) {
    constexpr size_t kLongest = 60;
    if (value.is_structured()) return value.is_object() ? "an object" : "a list";
    const std::string text = dumpJson(value, -1);
    return text.size() <= kLongest ? text : text.substr(0, kLongest) + "...";
}

bool setChoice(const ChoiceValue& choice, const Json& value) {
    if (!value.is_string()) return false;
    const auto found = std::find(choice.words.begin(), choice.words.end(), value.get<std::string>());
    if (found == choice.words.end()) return false;
    choice.set(static_cast<size_t>(found - choice.words.begin()));
    return true;
}

/// A list of texts, or one text as the command line takes it.
bool setTexts(TextList& list, const Json& value) {
    TextList texts;
    if (value.is_string()) texts = textsOf(value.get<std::string>());
    if (!value.is_string() && !value.is_array()) return false;
    for (const Json& one : value.is_array() ? value : Json::array()) {
        if (!one.is_string()) return false;
        for (std::string& text : textsOf(one.get<std::string>())) texts.push_back(std::move(text));
    }
    list = std::move(texts);
    return true;
}

/// Takes the value over; returns what was expected if it does not fit.
std::string setField(ConfigField& field, const Json& value) {
    if (auto* integer = std::get_if<int64_t*>(&field.value)) {
        if (field.bytes && value.is_string())
            return setFieldFromText(field, value.get<std::string>()) ? "" : "a size such as \"6GiB\"";
        const auto parsed = integerOf(value);
        if (parsed) **integer = *parsed;
        return parsed ? "" : expectedNumber(field);
    }
    if (auto* seed = std::get_if<uint64_t*>(&field.value)) {
        if (!value.is_number_unsigned()) return expectedNumber(field);
        **seed = value.get<uint64_t>();
    } else if (auto* real = std::get_if<double*>(&field.value)) {
        if (!value.is_number()) return expectedNumber(field);
        **real = value.get<double>();
    } else if (auto* flag = std::get_if<bool*>(&field.value)) {
        if (!value.is_boolean()) return "true or false";
        **flag = value.get<bool>();
    } else if (auto* text = std::get_if<std::string*>(&field.value)) {
        if (!value.is_string()) return "a text";
        **text = value.get<std::string>();
    } else if (auto* list = std::get_if<TextList*>(&field.value)) {
        if (!setTexts(**list, value)) return "a list of texts";
    } else if (const auto& choice = std::get<ChoiceValue>(field.value); !setChoice(choice, value)) {
        return "one of " + joined(choice.words, ", ");
    }
    return {};
}

/// The setting whose last word is nearest to that of `path`, for keys in the wrong group.
std::string sameLastWord(const std::string& path, const std::vector<ConfigField>& fields) {
    const auto lastWord = [](const std::string& full) { return full.substr(full.rfind('.') + 1); };
    std::vector<std::string> words;
    for (const ConfigField& field : fields) words.push_back(lastWord(field.path));
    const std::string nearest = nearestWord(lastWord(path), words);
    for (const ConfigField& field : fields)
        if (!nearest.empty() && lastWord(field.path) == nearest) return field.path;
    return {};
}

/// The complaint about a key that nobody knows, with the nearest known one.
/// @param known  keys besides those of the settings
std::string unknownKey(const std::string& path, const std::vector<ConfigField>& fields,
                       std::vector<std::string> known) {
    for (const ConfigField& field : fields) known.push_back(field.path);
    for (const ConfigField& field : fields)
        if (const size_t dot = field.path.find('.'); dot != std::string::npos)
            known.push_back(field.path.substr(0, dot));
    std::string nearest = nearestWord(path, known);
    if (nearest.empty()) nearest = sameLastWord(path, fields);
    return "unknown key \"" + path + "\"" + (nearest.empty() ? "" : " (did you mean \"" + nearest + "\"?)");
}

/// Goes through one object; `prefix` ends with a dot unless empty.
class FieldWalk {
public:
    FieldWalk(std::vector<ConfigField>& fields, GivenFields& given, std::vector<std::string>& problems)
        : m_fields(fields)
        , m_given(given)
        , m_problems(problems) {}

    void walk(const Json& object, const std::string& prefix, const std::vector<std::string>& skip,
              int depth) {
        for (const auto& [key, value] : object.items()) {
            if (std::find(skip.begin(), skip.end(), key) != skip.end()) continue;
            const std::string path = prefix + key;
            if (isGroup(path))
                enter(value, path, depth);
            else if (ConfigField* field = find(path))
                take(*field, value);
            else
                unknown(path);
        }
    }

private:
    ConfigField* find(const std::string& path) {
        const auto found = std::find_if(m_fields.begin(), m_fields.end(),
                                        [&](const ConfigField& field) { return field.path == path; });
        return found == m_fields.end() ? nullptr : &*found;
    }
    bool isGroup(const std::string& path) const {
        return std::any_of(m_fields.begin(), m_fields.end(),
                           [&](const ConfigField& field) { return field.path.starts_with(path + "."); });
    }
    void enter(const Json& value, const std::string& path, int depth) {
        if (value.is_object() && depth < kDeepest)
            walk(value, path + ".", {}, depth + 1);
        else
            m_problems.push_back(path + ": expected an object");
    }
    void take(ConfigField& field, const Json& value) {
        const std::string expected = setField(field, value);
        if (expected.empty())
            m_given.insert(field.path);
        else
            m_problems.push_back(field.path + ": expected " + expected + ", found " + shortText(value));
    }
    void unknown(const std::string& path) { m_problems.push_back(unknownKey(path, m_fields, {})); }

    std::vector<ConfigField>& m_fields;
    GivenFields& m_given;
    std::vector<std::string>& m_problems;
};

} // namespace

std::string dumpJson(const Json& value, int indent) {
    return value.dump(indent, ' ', false, Json::error_handler_t::replace);
}

Json fieldToJson(const ConfigField& field) {
    if (const auto* integer = std::get_if<int64_t*>(&field.value)) return **integer;
    if (const auto* seed = std::get_if<uint64_t*>(&field.value)) return **seed;
    if (const auto* real = std::get_if<double*>(&field.value)) return **real;
    if (const auto* flag = std::get_if<bool*>(&field.value)) return **flag;
    if (const auto* text = std::get_if<std::string*>(&field.value)) return **text;
    if (const auto* list = std::get_if<TextList*>(&field.value)) return **list;
    const auto& choice = std::get<ChoiceValue>(field.value);
    return choice.words.at(choice.get());
}

Json fieldsToJson(const std::vector<ConfigField>& fields) {
    Json object = Json::object();
    for (const ConfigField& field : fields) {
        const size_t dot = field.path.find('.');
        if (dot == std::string::npos)
            object[field.path] = fieldToJson(field);
        else
            object[field.path.substr(0, dot)][field.path.substr(dot + 1)] = fieldToJson(field);
    }
    return object;
}

Result<ConfigObject> parseConfigObject(std::string_view text) {
    Json parsed = parseShallow<Json>(text);
    if (parsed.is_discarded())
        return badInput(
            "cannot read the configuration: expected JSON, found something else or a damaged file");
    if (!parsed.is_object())
        return badInput("cannot read the configuration: expected a JSON object, found something else");
    ConfigObject object;
    if (!parsed.contains("config")) {
        object.settings = std::move(parsed);
        return object;
    }
    object.wholeRun = true;
    for (const auto& [key, value] : parsed.items())
        if (std::find(kRunKeys.begin(), kRunKeys.end(), key) == kRunKeys.end())
            object.unknownKeys.push_back(key);
    object.settings = std::move(parsed["config"]);
    if (!object.settings.is_object())
        return badInput(
            "cannot read the configuration: expected an object as \"config\", found something else");
    return object;
}

void readFields(const ConfigObject& object, std::vector<ConfigField>& fields, GivenFields& given,
                std::vector<std::string>& problems, const std::vector<std::string>& skip) {
    for (const std::string& key : object.unknownKeys)
        problems.push_back(unknownKey(key, fields, {kRunKeys.begin(), kRunKeys.end()}));
    FieldWalk(fields, given, problems).walk(object.settings, "", skip, 0);
}

void checkFields(const std::vector<ConfigField>& fields, std::vector<std::string>& problems) {
    for (const ConfigField& field : fields)
        if (std::string violation = fieldViolation(field); !violation.empty())
            problems.push_back(std::move(violation));
}

Result<void> problemsResult(const std::string& operation, const std::vector<std::string>& problems) {
    if (problems.empty()) return {};
    return badInput("cannot " + operation + ": " + joined(problems, "; "));
}

} // namespace homebooth::core
