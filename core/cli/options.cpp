// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/cli/options.h"

#include <algorithm>
#include <cstdio>

namespace homebooth::core {
namespace {

std::string typeName(const ConfigField& field) {
    if (std::holds_alternative<double*>(field.value)) return "X";
    if (std::holds_alternative<std::string*>(field.value)) return field.folder ? "PATH" : "TEXT";
    if (const auto* choice = std::get_if<ChoiceValue>(&field.value)) {
        std::string words;
        for (const std::string& word : choice->words) words += (words.empty() ? "" : "|") + word;
        return words;
    }
    return field.bytes ? "SIZE" : "N";
}

std::string helpText(const ConfigField& field) {
    const std::string present = fieldText(field);
    const bool flag = std::holds_alternative<bool*>(field.value);
    return present.empty() || (flag && present == "false") ? field.help : field.help + " [" + present + "]";
}

std::string usageMessage(const CLI::App& app, const CLI::ParseError& failure) {
    std::string message = failure.what();
    const std::vector<std::string> extras = app.remaining(true);
    if (extras.empty()) return message + "; see --help";
    std::vector<std::string> known;
    for (const CLI::Option* option : app.get_options())
        for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
    const std::string nearest = nearestWord(extras.front().substr(0, extras.front().find('=')), known);
    return "unexpected \"" + extras.front() + "\"" +
           (nearest.empty() ? "; see --help" : "; did you mean " + nearest + "?");
}

} // namespace

std::optional<int> parseArguments(CLI::App& app, const Arguments& arguments) {
    constexpr size_t kColumn = 36;
    app.get_formatter()->column_width(kColumn);
    app.allow_extras(false);
    try {
        app.parse(Arguments(arguments.rbegin(), arguments.rend())); // CLI11 takes them from the back
    } catch (const CLI::CallForHelp&) {
        std::printf("%s", app.help().c_str());
        return kExitDone;
    } catch (const CLI::ParseError& failure) {
        const std::string verb = app.get_name().substr(app.get_name().find(' ') + 1);
        return fail(verb, {ErrorCode::Usage, usageMessage(app, failure), {}});
    }
    return std::nullopt;
}

void FieldOptions::addTo(CLI::App& app, const std::vector<ConfigField>& fields) {
    for (const ConfigField& field : fields) {
        if (field.option.empty()) continue;
        const auto keep = [this, path = field.path](const std::string& text) {
            m_values.emplace_back(path, text);
        };
        if (std::holds_alternative<bool*>(field.value))
            app.add_flag_function(
                field.option, [keep](int64_t count) { keep(count > 0 ? "true" : "false"); }, helpText(field));
        else
            app.add_option_function<std::string>(field.option, keep, helpText(field))
                ->type_name(typeName(field))
                ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast)
                ->allow_extra_args(false);
    }
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
        if (const auto set = setFieldFromText(*field, text); !set) {
            report(set.error().text());
        } else if (std::string violation = fieldViolation(*field); !violation.empty()) {
            if (violation.starts_with(path)) violation.replace(0, path.size(), field->option);
            report(violation);
        }
    }
    if (!problems.empty()) return Error{ErrorCode::Usage, problems, {}};
    return {};
}

bool FieldOptions::named(const std::string& path) const {
    return std::any_of(m_values.begin(), m_values.end(),
                       [&path](const auto& value) { return value.first == path; });
}

} // namespace homebooth::core
