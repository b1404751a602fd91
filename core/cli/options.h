// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Command lines by CLI11, bound to the lists of settings. One thread.
#pragma once

#include "core/base/config/config_fields.h"
#include "core/base/config/train_config_json.h"
#include "core/cli/verb.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace homebooth::core {

/// Parses. Returns an exit code when there is nothing more to do: --help was printed, or the usage is wrong.
[[nodiscard]] std::optional<int> parseArguments(CLI::App& app, const Arguments& arguments);

/// What the command line said about settings, applied later so that a configuration file comes first.
class FieldOptions {
public:
    /// Adds an option for each field that has one, with its meaning and present value as the default.
    /// @param byModel  paths whose default depends on the model
    void addTo(CLI::App& app, const std::vector<ConfigField>& fields, const GivenFields& byModel = {});

    /// Sets the fields; everything wrong is reported at once. Errors: Usage
    [[nodiscard]] Result<void> apply(std::vector<ConfigField> fields, GivenFields& given) const;

    [[nodiscard]] bool named(const std::string& path) const;

private:
    std::vector<std::pair<std::string, std::string>> m_values; // path, text
};

} // namespace homebooth::core
