// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Whether an object of JSON has a text, as far as one can tell without reading all of it. Private to
// core/base/text; needs nlohmann/json. Value type; one thread.
#pragma once

#include "core/base/util/shallow_json.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace homebooth::core {

/// Looks at one, byte by byte. Whether it is sound is for those who read it.
class TextKey {
public:
    /// @param names  of what a text can be
    explicit TextKey(std::vector<std::string> names)
        : m_names(std::move(names)) {}

    /// Takes the next byte; the first opens the object.
    /// @returns  whether no more are needed: a text, or null, was met, or the object ends
    bool take(char byte) {
        if (!m_quoted) return takeOutside(byte);
        m_quoted = m_escaped || byte != '"';
        m_escaped = !m_escaped && byte == '\\';
        if (m_quoted && m_part == Part::Key) m_key += byte;
        return false;
    }
    [[nodiscard]] bool found() const { return m_found; }

private:
    enum class Part { Key, Value, Rest }; // of a pair in the object itself; Value up to its first byte

    bool takeOutside(char byte) {
        if (byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n') return false;
        if (m_part == Part::Value) {
            m_part = Part::Rest;
            m_found = (byte == '"' || byte == 'n') && isNamed();
            if (m_found) return true;
        }
        if (byte == '"') m_quoted = true;
        if (byte == '{' || byte == '[') ++m_depth;
        if (byte == '}' || byte == ']') return --m_depth <= 0;
        if (m_depth == 1 && byte == ':') m_part = Part::Value;
        if (m_depth == 1 && byte == ',') {
            m_part = Part::Key;
            m_key.clear();
        }
        return false;
    }

    [[nodiscard]] bool isNamed() const {
        const auto key = parseShallow<nlohmann::json>(std::string("\"").append(m_key).append("\""));
        return key.is_string() &&
               std::find(m_names.begin(), m_names.end(), key.get<std::string>()) != m_names.end();
    }

    std::vector<std::string> m_names;
    Part m_part = Part::Key;
    std::string m_key; // as it stands there
    int64_t m_depth = 0;
    bool m_quoted = false;
    bool m_escaped = false;
    bool m_found = false;
};

} // namespace homebooth::core
