// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Keeps what a library prints about a file to itself, since our own message says it.
// A guard of one scope and thread. Of other threads std::cerr writes on; so does all that uses stderr itself.
#pragma once

namespace homebooth::core {

/// While one lives, what its thread writes to std::cerr is dropped.
class QuietErrors {
public:
    QuietErrors();
    ~QuietErrors();
    QuietErrors(const QuietErrors&) = delete;
    QuietErrors& operator=(const QuietErrors&) = delete;
};

} // namespace homebooth::core
