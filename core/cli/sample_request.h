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

    /// For plans: no folder for the pictures is needed.
    void allowNoOutput() { m_outputOptional = true; }

    /// Reads the file and applies the options. Errors: Usage, BadInput
    [[nodiscard]] Result<SampleConfig> prepare();

private:
    FieldOptions m_options;
    std::vector<std::string> m_loras;
    std::vector<std::string> m_embeddings;
    std::string m_configFile;
    bool m_outputOptional = false;
};

} // namespace homebooth::core
