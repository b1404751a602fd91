// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/config/idle_options.h"

#include <algorithm>

namespace homebooth::core {

NamedOptions namedOf(std::string_view options, const NamedOptions& named) {
    NamedOptions found;
    while (!options.empty()) {
        const size_t end = std::min(options.find(' '), options.size());
        const std::string_view option = options.substr(0, end);
        options.remove_prefix(std::min(end + 1, options.size()));
        if (std::find(named.begin(), named.end(), option) != named.end()) found.emplace_back(option);
    }
    return found;
}

std::string idleText(const NamedOptions& options, std::string_view found, std::string_view remedy) {
    std::string text;
    for (size_t i = 0; i < options.size(); ++i) {
        if (i > 0) text.append(i + 1 == options.size() ? " and " : ", ");
        text.append(options[i]);
    }
    const bool several = options.size() > 1;
    text.append(several ? " have no effect: " : " has no effect: ").append(found).append("; ");
    if (!remedy.empty()) text.append(remedy).append(", or ");
    return text.append(several ? "leave them out" : "leave it out");
}

} // namespace homebooth::core
