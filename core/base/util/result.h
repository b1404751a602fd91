// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The one way in which an expected failure travels: Result<T> holds a value or an Error.
// Value type, no owner; any thread. A Result is never empty.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace homebooth::core {

/// What kind of failure it was. The numbers are the exit codes of the command line.
/// Cancellation (exit code 5) is an outcome and therefore not listed here.
enum class ErrorCode : int {
    Internal = 1,       ///< a fault of ours
    Usage = 2,          ///< wrong command line
    BadInput = 3,       ///< a file, model, picture or configuration that cannot be used
    OutOfResources = 4, ///< memory or disk
    DeviceLost = 6,     ///< the accelerator stopped answering
};

/// A failure in words: the operation, what was expected, what was found, what the user can do.
/// `context` names the file or object concerned and may be empty.
struct Error {
    ErrorCode code = ErrorCode::Internal;
    std::string message;
    std::string context;

    /// The message with its context in front, on one line.
    [[nodiscard]] std::string text() const { return context.empty() ? message : context + ": " + message; }
};

[[nodiscard]] inline Error badInput(std::string message, std::string context = {}) {
    return Error{ErrorCode::BadInput, std::move(message), std::move(context)};
}

/// A value or an Error; test with `if (!result)`. Asking for the one that is not there throws.
template <class T>
class [[nodiscard]] Result {
public:
    Result(T value) // NOLINT: implicit on purpose, `return value;`
        : m_state(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) // NOLINT: implicit on purpose, `return badInput(...);`
        : m_state(std::in_place_index<1>, std::move(error)) {}

    [[nodiscard]] bool ok() const { return m_state.index() == 0; }
    explicit operator bool() const { return ok(); }

    [[nodiscard]] T& value() & { return std::get<0>(m_state); }
    [[nodiscard]] const T& value() const& { return std::get<0>(m_state); }
    [[nodiscard]] T&& value() && { return std::get<0>(std::move(m_state)); }
    [[nodiscard]] const Error& error() const { return std::get<1>(m_state); }
    T& operator*() & { return value(); }
    const T& operator*() const& { return value(); }
    T* operator->() { return &value(); }
    const T* operator->() const { return &value(); }

private:
    std::variant<T, Error> m_state;
};

template <>
class [[nodiscard]] Result<void> {
public:
    Result() = default;
    Result(Error error) // NOLINT: implicit on purpose
        : m_error(std::move(error)) {}

    [[nodiscard]] bool ok() const { return !m_error.has_value(); }
    explicit operator bool() const { return ok(); }
    [[nodiscard]] const Error& error() const { return m_error.value(); }

private:
    std::optional<Error> m_error;
};

} // namespace homebooth::core

/// Returns the error of `expression` (a Result) from the calling function, if it holds one.
#define HOMEBOOTH_CHECK(expression)                                                                          \
    do {                                                                                                     \
        if (auto checkedResult_ = (expression); !checkedResult_) return checkedResult_.error();              \
    } while (false)

#define HOMEBOOTH_CONCAT_(a, b) a##b
#define HOMEBOOTH_CONCAT(a, b) HOMEBOOTH_CONCAT_(a, b)

/// Declares `declaration` from the value of `expression` (a Result) or returns its error.
#define HOMEBOOTH_ASSIGN(declaration, expression)                                                            \
    auto HOMEBOOTH_CONCAT(result_, __LINE__) = (expression);                                                 \
    if (!HOMEBOOTH_CONCAT(result_, __LINE__)) return HOMEBOOTH_CONCAT(result_, __LINE__).error();            \
    declaration = std::move(HOMEBOOTH_CONCAT(result_, __LINE__)).value()
