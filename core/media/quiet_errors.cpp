// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/media/quiet_errors.h"

#include <iostream>
#include <streambuf>

namespace homebooth::core {
namespace {

thread_local int quiet = 0; // guards that live in this thread

/// Stands before the buffer of std::cerr and holds nothing itself. A buffer that took its place for the
/// length of a scope would take what other threads write, too.
class Sieve : public std::streambuf {
public:
    Sieve()
        : m_behind(std::cerr.rdbuf(this)) {}
    ~Sieve() override {
        if (std::cerr.rdbuf() == this) std::cerr.rdbuf(m_behind);
    }
    Sieve(const Sieve&) = delete;
    Sieve& operator=(const Sieve&) = delete;

protected:
    int_type overflow(int_type letter) override {
        if (traits_type::eq_int_type(letter, traits_type::eof())) return traits_type::not_eof(letter);
        return quiet > 0 ? letter : m_behind->sputc(traits_type::to_char_type(letter));
    }
    std::streamsize xsputn(const char* text, std::streamsize count) override {
        return quiet > 0 ? count : m_behind->sputn(text, count);
    }
    int sync() override { return quiet > 0 ? 0 : m_behind->pubsync(); }

private:
    std::streambuf* m_behind;
};

Sieve sieve; // before main, while there is one thread

} // namespace

QuietErrors::QuietErrors() {
    ++quiet;
}

QuietErrors::~QuietErrors() {
    --quiet;
}

} // namespace homebooth::core
