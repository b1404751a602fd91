// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/util/log.h"

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

namespace homebooth::core {
namespace {

spdlog::logger& logger() {
    static const auto instance = [] {
        auto created = spdlog::stderr_color_mt("homebooth");
        created->set_pattern("%^%l%$: %v");
        return created;
    }();
    return *instance;
}

spdlog::level::level_enum toSpdlog(LogLevel level) {
    switch (level) {
    case LogLevel::Debug:
        return spdlog::level::debug;
    case LogLevel::Info:
        return spdlog::level::info;
    case LogLevel::Warning:
        return spdlog::level::warn;
    case LogLevel::Error:
        return spdlog::level::err;
    }
    return spdlog::level::info;
}

} // namespace

void log(LogLevel level, std::string_view message) {
    logger().log(toSpdlog(level), "{}", message);
}

} // namespace homebooth::core
