// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The end of a text in the making: holds back bytes of a character that is not whole, and what may be the
// beginning of the words that end it. Value type; one thread.
#pragma once

#include <string>
#include <string_view>

namespace homebooth::core {

class TextTail {
public:
    /// @param stop  words that end the text, which are not of it; empty: nothing does
    explicit TextTail(std::string stop)
        : m_stop(std::move(stop)) {}

    /// Takes the bytes of a token. @returns  what can be shown now: whole characters; what is no UTF-8 has
    /// become U+FFFD
    [[nodiscard]] std::string add(std::string_view bytes);
    /// The rest, where nothing follows.
    [[nodiscard]] std::string flush();
    /// Whether the words that end the text have come; nothing is taken any more.
    [[nodiscard]] bool stopped() const { return m_stopped; }

private:
    std::string m_stop;
    std::string m_held;
    bool m_stopped = false;
};

} // namespace homebooth::core
