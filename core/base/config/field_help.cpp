// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/config/field_help.h"

#include <algorithm>
#include <sys/ioctl.h>
#include <unistd.h>

namespace homebooth::core {
namespace {

std::string alternatives(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text.append(text.empty() ? "" : "|").append(word);
    return text;
}

} // namespace

std::string typeName(const ConfigField& field) {
    if (std::holds_alternative<double*>(field.value)) return "X";
    if (!field.words.empty()) return alternatives(field.words);
    if (std::holds_alternative<std::string*>(field.value)) return field.folder ? "PATH" : "TEXT";
    if (std::holds_alternative<TextList*>(field.value)) return "LIST";
    if (const auto* choice = std::get_if<ChoiceValue>(&field.value)) return alternatives(choice->words);
    return field.bytes ? "SIZE" : "N";
}

std::string helpText(const ConfigField& field, const std::string& shown) {
    std::string text = field.help;
    const std::string range = shortRange(field);
    if (!range.empty()) text.append(" (").append(range).append(")");
    if (!shown.empty()) text.append(" [").append(shown).append("]");
    return text;
}

Result<void> setChecked(ConfigField& field, const std::string& text) {
    HOMEBOOTH_CHECK(setFieldFromText(field, text));
    std::string violation = fieldViolation(field);
    if (violation.empty()) return {};
    if (violation.starts_with(field.path)) violation.replace(0, field.path.size(), field.option);
    return Error{ErrorCode::Usage, violation, {}};
}

std::string wrappedHelp(std::string_view help, size_t width) {
    std::string wrapped;
    while (!help.empty()) {
        const size_t end = std::min(help.find('\n'), help.size());
        std::string rest(help.substr(0, end));
        help.remove_prefix(std::min(end + 1, help.size()));
        const size_t indent = rest.starts_with("  ") ? kHelpColumn : 0;
        while (rest.size() > width) {
            size_t at = rest.rfind(' ', width);
            if (at == std::string::npos || at <= indent) at = rest.find(' ', std::max(width, indent + 1));
            if (at == std::string::npos) break; // one long word, as of a path or of many choices
            wrapped.append(rest, 0, at).push_back('\n');
            rest.replace(0, at + 1, indent, ' ');
        }
        wrapped.append(rest).push_back('\n');
    }
    return wrapped;
}

size_t helpWidth() {
    constexpr size_t kElsewhere = 100;
    constexpr size_t kLeast = 60; // beside kHelpColumn
    winsize size{};
    const bool known = ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    return known ? std::max<size_t>(size.ws_col, kLeast) : kElsewhere;
}

} // namespace homebooth::core
