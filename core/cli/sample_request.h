// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What the command line asks to generate. One thread.
#pragma once

#include "core/base/config/sample_config.h"
#include "core/base/model/model_source.h"
#include "core/cli/options.h"

#include <string>
#include <vector>

namespace homebooth::core {

class SampleRequest {
public:
    void addTo(CLI::App& app);

    /// Before help is printed: it shows what applies to the model beside --help, if one is named there.
    void showDefaults(CLI::App& app);

    /// For plans: no folder for the pictures is needed.
    void allowNoOutput() { m_outputOptional = true; }

    /// Reads the file and applies the options. Errors: Usage, BadInput
    [[nodiscard]] Result<SampleConfig> prepare();

    /// What there is to say of options that were named and change nothing.
    /// @param config  that was prepared
    [[nodiscard]] std::vector<std::string> idle(SampleConfig config) const;

private:
    /// The settings that were named, and what the model's folder says of the others.
    [[nodiscard]] Result<void> takeSettings(SampleConfig& config);

    FieldOptions m_options;
    std::vector<std::string> m_loras;
    std::vector<std::string> m_embeddings;
    std::string m_configFile;
    bool m_outputOptional = false;
    bool m_prompted = false; ///< whether a prompt was named, be it an empty one
};

/// Settings as they are planned with: of pictures that begin with another one with the size that they
/// will have. Errors: BadInput for a picture that cannot be read; Usage, as withStartSize
[[nodiscard]] Result<SampleConfig> settingsToPlan(const SampleConfig& config, const ModelSource& model);

} // namespace homebooth::core
