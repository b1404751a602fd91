// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/worker/bench_arguments.h"

#include "core/base/util/result.h"

#include <cstdio>

namespace homebooth::core {

std::optional<int> parseBenchArguments(CLI::App& app, const char* name,
                                       const std::vector<std::string>& arguments) {
    try {
        app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
        return std::nullopt;
    } catch (const CLI::CallForHelp&) {
        std::printf("%s", app.help().c_str());
        return 0;
    } catch (const CLI::ParseError& failure) {
        std::fprintf(stderr, "error: %s: %s; see --help\n", name, failure.what());
        return static_cast<int>(ErrorCode::Usage);
    }
}

} // namespace homebooth::core
