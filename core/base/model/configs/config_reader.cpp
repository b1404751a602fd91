// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/model/configs/config_reader.h"

#include "core/base/util/joined.h"
#include "core/base/util/shallow_json.h"

#include <algorithm>
#include <cmath>

namespace homebooth::core {
namespace {

constexpr size_t kMostShownCharacters = 80;

std::string shown(const nlohmann::json& value) {
    std::string text = value.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
    if (text.size() > kMostShownCharacters) text = text.substr(0, kMostShownCharacters) + "...";
    return text;
}

std::string range(int64_t least, int64_t most) {
    return "an integer of " + std::to_string(least) + " to " + std::to_string(most);
}

} // namespace

Result<ConfigReader> ConfigReader::parse(std::string_view text, std::string what) {
    ConfigReader reader;
    reader.m_object = parseShallow<nlohmann::json>(text);
    reader.m_what = std::move(what);
    if (!reader.m_object.is_object())
        return badInput("reading the " + reader.m_what + ": expected a JSON object, found " +
                        (reader.m_object.is_discarded()
                             ? std::string("text that is not JSON, or JSON nested too deeply")
                             : shown(reader.m_object)) +
                        "; take the config.json that came with the model");
    return reader;
}

void ConfigReader::enter(const std::string& key) {
    const nlohmann::json* object = find(key);
    if (object != nullptr && object->is_object()) {
        nlohmann::json inner = *object;
        m_object = std::move(inner);
    }
}

const nlohmann::json* ConfigReader::find(const std::string& key) const {
    const auto found = m_object.find(key);
    return found == m_object.end() || found->is_null() ? nullptr : &*found;
}

bool ConfigReader::isNull(const std::string& key) const {
    return find(key) == nullptr;
}

std::string ConfigReader::found(const std::string& key) const {
    const nlohmann::json* value = find(key);
    return value == nullptr ? "nothing" : shown(*value);
}

void ConfigReader::refuse(const std::string& key, const std::string& supported) {
    complain("\"" + key + "\" is " + found(key) + ", supported: " + supported);
}

bool ConfigReader::readInteger(const nlohmann::json& value, int64_t least, int64_t most,
                               int64_t& result) const {
    if (!value.is_number()) return false;
    const double number = value.get<double>();
    if (!(number >= static_cast<double>(least) && number <= static_cast<double>(most))) return false;
    if (number != std::floor(number)) return false;
    result = static_cast<int64_t>(number);
    return true;
}

int64_t ConfigReader::integer(const std::string& key, int64_t fallback, int64_t least, int64_t most) {
    const nlohmann::json* value = find(key);
    if (value == nullptr) return fallback;
    int64_t result = fallback;
    if (!readInteger(*value, least, most, result)) refuse(key, range(least, most));
    return result;
}

double ConfigReader::real(const std::string& key, double fallback) {
    const nlohmann::json* value = find(key);
    if (value == nullptr) return fallback;
    if (value->is_number() && std::isfinite(value->get<double>())) return value->get<double>();
    refuse(key, "a finite number");
    return fallback;
}

bool ConfigReader::flag(const std::string& key, bool fallback) {
    const nlohmann::json* value = find(key);
    if (value == nullptr) return fallback;
    if (value->is_boolean()) return value->get<bool>();
    refuse(key, "true or false");
    return fallback;
}

std::string ConfigReader::text(const std::string& key, const std::string& fallback,
                               const std::vector<std::string>& supported) {
    const nlohmann::json* value = find(key);
    if (value == nullptr) return fallback;
    const bool isText = value->is_string();
    const std::string result = isText ? value->get<std::string>() : fallback;
    const bool known =
        supported.empty() || std::find(supported.begin(), supported.end(), result) != supported.end();
    if (isText && known) return result;
    refuse(key, supported.empty() ? "a text" : joined(supported, ", "));
    return fallback;
}

std::vector<std::string> ConfigReader::texts(const std::string& key, const std::vector<std::string>& fallback,
                                             const std::vector<std::string>& supported) {
    const nlohmann::json* value = find(key);
    if (value == nullptr) return fallback;
    std::vector<std::string> result;
    const bool usable =
        value->is_array() && !value->empty() &&
        std::all_of(value->begin(), value->end(), [&](const nlohmann::json& entry) {
            return entry.is_string() &&
                   std::find(supported.begin(), supported.end(), entry.get<std::string>()) != supported.end();
        });
    if (!usable) {
        refuse(key, "a list of " + joined(supported, ", "));
        return fallback;
    }
    return value->get<std::vector<std::string>>();
}

std::vector<int64_t> ConfigReader::integers(const std::string& key, const std::vector<int64_t>& fallback,
                                            size_t count, int64_t least, int64_t most) {
    const std::string expected = range(least, most);
    const nlohmann::json* value = find(key);
    if (value == nullptr) return fallback;
    int64_t single = 0;
    if (count > 0 && readInteger(*value, least, most, single)) return std::vector<int64_t>(count, single);
    std::vector<int64_t> result;
    if (value->is_array())
        for (const nlohmann::json& entry : *value) {
            if (!readInteger(entry, least, most, single)) break;
            result.push_back(single);
        }
    const bool complete = value->is_array() && !result.empty() && result.size() == value->size();
    if (complete && (count == 0 || result.size() == count)) return result;
    refuse(key, count == 0 ? "a list, each " + expected
                           : expected + ", or a list of " + std::to_string(count) + " of them");
    return fallback;
}

std::vector<int64_t> ConfigReader::oneOrMore(const std::string& key, int64_t fallback, int64_t least,
                                             int64_t most) {
    const nlohmann::json* value = find(key);
    if (value == nullptr) return {fallback};
    const nlohmann::json list = value->is_array() ? *value : nlohmann::json::array({*value});
    std::vector<int64_t> result;
    for (const nlohmann::json& entry : list) {
        result.push_back(fallback);
        if (readInteger(entry, least, most, result.back())) continue;
        refuse(key, range(least, most) + ", or a list of them");
        break;
    }
    return result;
}

void ConfigReader::mustBeUnset(const std::string& key, const std::vector<std::string>& harmless) {
    const nlohmann::json* value = find(key);
    if (value == nullptr) return;
    if (value->is_boolean() && !value->get<bool>()) return;
    if (value->is_number() && value->get<double>() == 0.0) return;
    if (std::find(harmless.begin(), harmless.end(), value->dump()) != harmless.end()) return;
    refuse(key, harmless.empty() ? "null" : "null, " + joined(harmless, ", "));
}

void ConfigReader::mustBeShare(const std::string& key) {
    const nlohmann::json* value = find(key);
    if (value == nullptr) return;
    if (value->is_boolean() && !value->get<bool>()) return;
    if (value->is_number() && value->get<double>() >= 0.0 && value->get<double>() <= 1.0) return;
    refuse(key, "null, or a number of 0 to 1");
}

Error ConfigReader::error() const {
    return badInput("reading the " + m_what + ": the model needs what this program does not have: " +
                    joined(m_problems, "; ") + "; use another model");
}

nlohmann::json collapse(const std::vector<int64_t>& values) {
    const bool equal =
        std::adjacent_find(values.begin(), values.end(), std::not_equal_to<>()) == values.end();
    if (equal && !values.empty()) return values.front();
    return values;
}

} // namespace homebooth::core
