// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Lists of settings as JSON objects and back. Private to core/base/config: this header needs nlohmann/json.
// One thread.
#pragma once

#include "core/base/config/config_fields.h"
#include "core/base/config/train_config_json.h"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace homebooth::core {

/// A dot in a path opens an object.
[[nodiscard]] nlohmann::ordered_json fieldsToJson(const std::vector<ConfigField>& fields);

/// The JSON value of one field.
[[nodiscard]] nlohmann::ordered_json fieldToJson(const ConfigField& field);

/// Settings as they were read, unchecked.
struct ConfigObject {
    nlohmann::ordered_json settings;
    bool wholeRun = false;                ///< they lay under "config", in a run.json
    std::vector<std::string> unknownKeys; ///< beside "config"
};

/// Parses a JSON object; one with "config" is a whole run.json. Errors: BadInput
[[nodiscard]] Result<ConfigObject> parseConfigObject(std::string_view text);

/// Sets the fields that `object` names. What is wrong goes to `problems`, one entry each.
/// @param skip  keys at the top that the caller reads itself
void readFields(const ConfigObject& object, std::vector<ConfigField>& fields, GivenFields& given,
                std::vector<std::string>& problems, const std::vector<std::string>& skip = {});

/// LoRAs as a list of {"file": text, "weight": number}, and back.
[[nodiscard]] nlohmann::ordered_json lorasToJson(const std::vector<LoraReference>& loras);
void readLoras(const nlohmann::ordered_json& list, std::vector<LoraReference>& loras,
               std::vector<std::string>& problems);
/// What is wrong with them, added to `problems`.
void checkLoras(const std::vector<LoraReference>& loras, std::vector<std::string>& problems);

/// All problems as one Error, or success.
[[nodiscard]] Result<void> problemsResult(const std::string& operation,
                                          const std::vector<std::string>& problems);

/// Every field out of range, added to `problems`.
void checkFields(const std::vector<ConfigField>& fields, std::vector<std::string>& problems);

/// Text of a JSON value; bytes that are no UTF-8 are replaced.
[[nodiscard]] std::string dumpJson(const nlohmann::ordered_json& value, int indent);

} // namespace homebooth::core
