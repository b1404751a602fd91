// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Options that are no settings of a run, declared and told as these are, for both programs. This header
// needs CLI11. One thread.
#pragma once

#include "core/base/config/field_help.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace homebooth::core {

/// An option that sets its field while it is parsed.
/// @param field  what it points to must outlive parsing
/// @param shown  what help says in brackets of its value; empty: nothing
inline CLI::Option* addFieldOption(CLI::App& app, const ConfigField& field, const std::string& shown) {
    if (bool* const* flag = std::get_if<bool*>(&field.value))
        return app.add_flag(field.option, **flag, field.help);
    auto take = [own = field](const std::string& text) mutable {
        if (const auto set = setChecked(own, text); !set) throw CLI::ValidationError(set.error().text());
    };
    return app.add_option_function<std::string>(field.option, std::move(take), helpText(field, shown))
        ->type_name(typeName(field));
}

/// What is wrong with a switch that was given a value; empty: nothing.
inline std::string wrongSwitch(const CLI::App& app, const std::vector<std::string>& arguments) {
    constexpr std::array<std::string_view, 8> kValues{"true", "false", "1", "0", "yes", "no", "on", "off"};
    for (const std::string& argument : arguments) {
        const size_t sign = argument.find('=');
        if (sign == std::string::npos) continue;
        const std::string value = argument.substr(sign + 1);
        const CLI::Option* option = app.get_option_no_throw(argument.substr(0, sign));
        if (option == nullptr || option->get_items_expected_max() != 0) continue;
        if (std::find(kValues.begin(), kValues.end(), value) == kValues.end())
            return argument.substr(0, sign) + ": expected no value, true or false, found \"" + value + "\"";
    }
    return {};
}

/// What is wrong with a command line, in one line.
inline std::string usageMessage(const CLI::App& app, const std::vector<std::string>& arguments,
                                const CLI::ParseError& failure) {
    if (dynamic_cast<const CLI::ConversionError*>(&failure) != nullptr)
        if (std::string wrong = wrongSwitch(app, arguments); !wrong.empty()) return wrong;
    const std::vector<std::string> extras = app.remaining(true);
    std::string message = failure.what();
    if (const size_t twice = message.find(": At Most 1 required"); twice != std::string::npos)
        return message.replace(twice, std::string::npos, " was given more than once; leave one out");
    if (extras.empty()) return message + "; see --help";
    std::vector<std::string> known;
    for (const CLI::Option* option : app.get_options())
        for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
    const std::string nearest = nearestWord(extras.front().substr(0, extras.front().find('=')), known);
    return "unexpected \"" + extras.front() + "\"" +
           (nearest.empty() ? "; see --help" : "; did you mean " + nearest + "?");
}

inline void printHelp(CLI::App& app) {
    std::printf("%s", wrappedHelp(app.help(), helpWidth()).c_str());
}

} // namespace homebooth::core
