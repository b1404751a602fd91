// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Command lines by CLI11, bound to the lists of settings. One thread.
#pragma once

#include "core/base/config/config_fields.h"
#include "core/base/config/field_option.h"
#include "core/base/config/idle_options.h"
#include "core/base/config/train_config_json.h"
#include "core/cli/verb.h"

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace homebooth::core {

/// Parses. Returns an exit code when there is nothing more to do: --help was printed, or the usage is
/// wrong.
/// @param beforeHelp  is called before help is printed, when the options beside --help have been taken
[[nodiscard]] std::optional<int> parseArguments(CLI::App& app, const Arguments& arguments,
                                                const std::function<void()>& beforeHelp = {});

/// A field's value as help shows it in brackets; empty: there is nothing to show.
[[nodiscard]] std::string shownValue(const ConfigField& field);

/// The same of one that a model's folder may bring another value for: marked, see kOwnDefaultsFooter.
[[nodiscard]] std::string markedValue(const ConfigField& field);

constexpr const char* kOwnDefaultsFooter =
    "*: a model's folder may bring a default of its own. --model MODEL --help shows what that model takes.";

/// What the command line said about settings, applied later so that a configuration file comes first.
class FieldOptions {
public:
    /// Adds an option for each field that has one, with its meaning.
    /// @param shown  what help says in brackets of the default; empty: nothing
    void addTo(CLI::App& app, const std::vector<ConfigField>& fields,
               const std::function<std::string(const ConfigField&)>& shown = shownValue);

    /// Help shows these fields' present values from now on.
    /// @param source  where they are from, in a sentence
    static void showValues(CLI::App& app, const std::vector<ConfigField>& fields, const std::string& source);

    /// Sets the fields; everything wrong is reported at once, an option with two different values, too. Of
    /// switches the last one counts. Errors: Usage
    [[nodiscard]] Result<void> apply(std::vector<ConfigField> fields, GivenFields& given) const;

    [[nodiscard]] bool named(const std::string& path) const;

    /// The options of the fields that were named, but for switches that are off.
    [[nodiscard]] NamedOptions namedOf(const std::vector<ConfigField>& fields) const;

private:
    std::vector<std::pair<std::string, std::string>> m_values; // path, text
};

} // namespace homebooth::core
