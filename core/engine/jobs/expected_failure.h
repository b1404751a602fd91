// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// An expected failure where only exceptions can travel: in the middle of a step, with LibTorch's, also from
// one thread to another. Caught by whoever runs the job, which turns it back into its Error. Never leaves the
// engine.
#pragma once

#include "core/base/util/result.h"

#include <stdexcept>

namespace homebooth::core {

class ExpectedFailure : public std::runtime_error {
public:
    explicit ExpectedFailure(Error error)
        : std::runtime_error(error.message)
        , m_error(std::move(error)) {}
    [[nodiscard]] const Error& error() const { return m_error; }

private:
    Error m_error;
};

/// Another rank of the job was lost; how that one ended says why.
class RankLost : public ExpectedFailure {
public:
    using ExpectedFailure::ExpectedFailure;
};

/// What a result holds. Errors: throws its error as an ExpectedFailure
template <class T>
[[nodiscard]] T required(Result<T> result) {
    if (!result) throw ExpectedFailure(result.error());
    return std::move(result).value();
}

} // namespace homebooth::core
