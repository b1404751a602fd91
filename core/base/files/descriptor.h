// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// A file descriptor that is closed at the end of its scope. Owns it; neither copied nor moved. One thread.
#pragma once

#include <unistd.h>

namespace homebooth::core {

class Descriptor {
public:
    /// @param value  -1: none
    explicit Descriptor(int value = -1)
        : m_value(value) {}
    ~Descriptor() { reset(); }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;

    [[nodiscard]] int get() const { return m_value; }

    /// Closes what it has and takes another.
    void reset(int value = -1) {
        if (m_value >= 0) ::close(m_value);
        m_value = value;
    }

private:
    int m_value;
};

} // namespace homebooth::core
