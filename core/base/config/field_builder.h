// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Shortens the lists of settings, and of options that are declared as these are. One thread.
#pragma once

#include "core/base/config/config_fields.h"

#include <limits>
#include <utility>

namespace homebooth::core {

class FieldBuilder {
public:
    /// Prefix of the following paths, e.g. "data.".
    void group(std::string prefix) { m_prefix = std::move(prefix); }

    void integer(const char* key, int64_t& value, const char* option, const char* help, double least,
                 double most, int64_t multipleOf = 1) {
        ConfigField& field = add(key, option, help, &value);
        field.range = {least, most, false, false, multipleOf};
    }
    void bytes(const char* key, int64_t& value, const char* option, const char* help) {
        integer(key, value, option, help, 0.0, 4.6e18);
        m_fields.back().bytes = true;
    }
    void seed(const char* key, uint64_t& value, const char* option, const char* help) {
        add(key, option, help, &value);
    }
    void real(const char* key, double& value, const char* option, const char* help, FieldRange range) {
        add(key, option, help, &value).range = range;
    }
    void flag(const char* key, bool& value, const char* option, const char* help) {
        add(key, option, help, &value);
    }
    void text(const char* key, std::string& value, const char* option, const char* help) {
        add(key, option, help, &value);
    }
    void texts(const char* key, TextList& value, const char* option, const char* help) {
        add(key, option, help, &value);
    }
    void folder(const char* key, std::string& value, const char* option, const char* help) {
        add(key, option, help, &value).folder = true;
    }
    void colour(const char* key, std::string& value, const char* option, const char* help) {
        add(key, option, help, &value).colour = true;
    }
    /// A text that is one of these words, or empty.
    void word(const char* key, std::string& value, const char* option, const char* help,
              std::vector<std::string> words) {
        add(key, option, help, &value).words = std::move(words);
    }
    template <class Choice>
    void choice(const char* key, Choice& value, const char* option, const char* help,
                std::vector<std::string> words) {
        add(key, option, help,
            ChoiceValue{std::move(words), [&value] { return static_cast<size_t>(value); },
                        [&value](size_t index) { value = static_cast<Choice>(index); }});
    }

    [[nodiscard]] std::vector<ConfigField> take() { return std::move(m_fields); }

private:
    ConfigField& add(const char* key, const char* option, const char* help, FieldValue value) {
        m_fields.push_back({m_prefix + key, option, help, std::move(value), {}, false, false, false, {}});
        return m_fields.back();
    }

    std::string m_prefix;
    std::vector<ConfigField> m_fields;
};

} // namespace homebooth::core
