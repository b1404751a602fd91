// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Where an object or a string of JSON ends, in texts that come in pieces. Private to core/base/text.
// Value type; one thread.
#pragma once

#include <cstdint>

namespace homebooth::core {

/// Looks at one, byte by byte. Whether it is sound is for those who read it.
class EntryEnd {
public:
    /// Takes the next byte. @returns  whether the entry ends with it
    bool take(char byte) {
        if (m_escaped) {
            m_escaped = false;
        } else if (m_quoted) {
            m_escaped = byte == '\\';
            m_quoted = byte != '"';
            return !m_quoted && m_depth == 0;
        } else if (byte == '"') {
            m_quoted = true;
        } else if (byte == '{' || byte == '[') {
            ++m_depth;
        } else if (byte == '}' || byte == ']') {
            return --m_depth <= 0;
        }
        return false;
    }

private:
    int64_t m_depth = 0;
    bool m_quoted = false;
    bool m_escaped = false;
};

} // namespace homebooth::core
