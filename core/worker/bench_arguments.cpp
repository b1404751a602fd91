// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/worker/bench_arguments.h"

#include "core/base/util/result.h"

#include <cstdio>

namespace homebooth::core {

void addFieldOptions(CLI::App& app, const std::vector<ConfigField>& fields) {
    for (const ConfigField& field : fields) addFieldOption(app, field, fieldText(field));
}

std::optional<int> parseBenchArguments(CLI::App& app, const char* name,
                                       const std::vector<std::string>& arguments) {
    app.get_formatter()->column_width(kHelpColumn);
    try {
        app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
        return std::nullopt;
    } catch (const CLI::CallForHelp&) {
        printHelp(app);
        return 0;
    } catch (const CLI::ParseError& failure) {
        std::fprintf(stderr, "error: %s: %s\n", name, usageMessage(app, arguments, failure).c_str());
        return static_cast<int>(ErrorCode::Usage);
    }
}

} // namespace homebooth::core
