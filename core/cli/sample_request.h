// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What the command line asks to generate. One thread.
#pragma once

#include "core/base/config/sample_config.h"
#include "core/cli/options.h"

#include <string>
#include <vector>

namespace homebooth::core {

class SampleRequest {
public:
    void addTo(CLI::App& app);

    /// Reads the file and applies the options. Errors: Usage, BadInput
    [[nodiscard]] Result<SampleConfig> prepare();

private:
    FieldOptions m_options;
    std::vector<std::string> m_loras;
    std::string m_configFile;
};

} // namespace homebooth::core
