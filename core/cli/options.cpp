// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/cli/options.h"

#include "core/cli/told_lines.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <stdexcept>

namespace homebooth::core {
namespace {

/// "--no-flip" of "--flip".
std::string offName(const ConfigField& field) {
    return "--no-" + field.option.substr(2);
}

std::string verbOf(const CLI::App& app) {
    return app.get_name().substr(app.get_name().find(' ') + 1);
}

/// Leaves the negative names of switches out of the list, which says once for all that there are some.
class HelpFormatter : public CLI::Formatter {
public:
    std::string make_option_name(const CLI::Option* option, bool positional) const override {
        const std::vector<std::string>& names = option->get_lnames();
        if (names.size() == 2 && names.back() == "no-" + names.front()) return "--" + names.front();
        return Formatter::make_option_name(option, positional);
    }
};

/// --NAME, --NAME=true or false, and --no-NAME; the last one counts.
void addSwitch(CLI::App& app, const ConfigField& field, const std::string& help,
               const std::function<void(const std::string&)>& keep) {
    app.add_flag_function(
           field.option + ",!" + offName(field),
           [keep](int64_t count) { keep(count > 0 ? "true" : "false"); }, help)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
}

/// Of two values of an option the first would be lost without a word.
std::string givenTwice(const ConfigField& field, const std::string& first, const std::string& second) {
    std::string words = field.option + " was given twice, \"";
    words.append(first).append("\" and \"").append(second).append("\"; leave one out");
    if (field.folder && field.path.starts_with("data.")) words.append(", or put both into one folder");
    return words;
}

/// A mistake in the command line. Programs are told of it, too, where they asked to be.
int failUsage(const CLI::App& app, const Arguments& arguments, const std::string& message) {
    const bool json = app.get_option_no_throw("--json") != nullptr &&
                      std::find(arguments.begin(), arguments.end(), "--json") != arguments.end();
    return failTold(verbOf(app), {ErrorCode::Usage, message, {}}, json);
}

constexpr const char* kSwitchFooter =
    "Switches (options without a value) also take --no-NAME and --NAME=false.";

} // namespace

std::string shownValue(const ConfigField& field) {
    const std::string present = fieldText(field);
    if (!std::holds_alternative<bool*>(field.value)) return present;
    return present == "true" ? "on; " + offName(field) + ": off" : "";
}

std::string markedValue(const ConfigField& field) {
    const std::string shown = shownValue(field);
    if (!shown.empty()) return shown + " *";
    return std::holds_alternative<bool*>(field.value) ? "off *" : "*";
}

std::optional<int> parseArguments(CLI::App& app, const Arguments& arguments,
                                  const std::function<void()>& beforeHelp) {
    app.get_formatter()->column_width(kHelpColumn);
    app.allow_extras(false);
    try {
        app.parse(Arguments(arguments.rbegin(), arguments.rend())); // CLI11 takes them from the back
    } catch (const CLI::CallForHelp&) {
        if (beforeHelp) beforeHelp();
        printHelp(app);
        return kExitDone;
    } catch (const std::logic_error&) { // what CLI11 makes of --flip=perhaps
        return failUsage(app, arguments, wrongSwitch(app, arguments));
    } catch (const CLI::ParseError& failure) {
        return failUsage(app, arguments, usageMessage(app, arguments, failure));
    }
    return std::nullopt;
}

void FieldOptions::addTo(CLI::App& app, const std::vector<ConfigField>& fields,
                         const std::function<std::string(const ConfigField&)>& shown) {
    app.formatter(std::make_shared<HelpFormatter>());
    app.footer(kSwitchFooter);
    for (const ConfigField& field : fields) {
        if (field.option.empty()) continue;
        const auto keep = [this, path = field.path](const std::string& text) {
            m_values.emplace_back(path, text);
        };
        if (std::holds_alternative<bool*>(field.value))
            addSwitch(app, field, helpText(field, shown(field)), keep);
        else
            app.add_option_function<std::string>(field.option, keep, helpText(field, shown(field)))
                ->type_name(typeName(field))
                ->trigger_on_parse() // by each of several values
                ->allow_extra_args(false);
    }
}

void FieldOptions::showValues(CLI::App& app, const std::vector<ConfigField>& fields,
                              const std::string& source) {
    for (const ConfigField& field : fields)
        if (!field.option.empty())
            app.get_option(field.option)->description(helpText(field, shownValue(field)));
    app.footer(std::string(kSwitchFooter) + "\n" + source);
}

Result<void> FieldOptions::apply(std::vector<ConfigField> fields, GivenFields& given) const {
    std::string problems;
    const auto report = [&problems](const std::string& text) {
        problems += (problems.empty() ? "" : "; ") + text;
    };
    for (const auto& [path, text] : m_values) {
        const auto field = std::find_if(fields.begin(), fields.end(),
                                        [&path](const ConfigField& one) { return one.path == path; });
        given.insert(path);
        const auto first = std::find_if(m_values.begin(), m_values.end(),
                                        [&path](const auto& value) { return value.first == path; });
        if (first->second != text && !std::holds_alternative<bool*>(field->value)) {
            report(givenTwice(*field, first->second, text));
        } else if (const auto set = setChecked(*field, text); !set) {
            report(set.error().text());
        }
    }
    if (!problems.empty()) return Error{ErrorCode::Usage, problems, {}};
    return {};
}

bool FieldOptions::named(const std::string& path) const {
    return std::any_of(m_values.begin(), m_values.end(),
                       [&path](const auto& value) { return value.first == path; });
}

NamedOptions FieldOptions::namedOf(const std::vector<ConfigField>& fields) const {
    NamedOptions options;
    for (const ConfigField& field : fields) {
        const bool* const* flag = std::get_if<bool*>(&field.value);
        if (named(field.path) && (flag == nullptr || **flag)) options.push_back(field.option);
    }
    return options;
}

} // namespace homebooth::core
