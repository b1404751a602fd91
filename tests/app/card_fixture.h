// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A computer with a graphics card, for tests: its driver is a library of theirs (one_card.cpp), whose
// name the test program has as HOMEBOOTH_ONE_CARD. GUI thread.
#pragma once

#include <dlfcn.h>

namespace homebooth::app {

/// Its card, and that it has a driver, while this lives.
class OneCard {
public:
    OneCard()
        : m_library(::dlopen(HOMEBOOTH_ONE_CARD, RTLD_NOW | RTLD_LOCAL)) {}
    ~OneCard() {
        if (m_library != nullptr) ::dlclose(m_library);
    }
    OneCard(const OneCard&) = delete;
    OneCard& operator=(const OneCard&) = delete;
    [[nodiscard]] bool isThere() const { return m_library != nullptr; }

private:
    void* m_library;
};

} // namespace homebooth::app
