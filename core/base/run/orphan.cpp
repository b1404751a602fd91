// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/run/orphan.h"

#include "core/base/util/result.h"

#include <unistd.h>

namespace homebooth::core {

ParentWatch::ParentWatch()
    : m_parent(::getppid()) {}

bool ParentWatch::gone() const {
    return ::getppid() != m_parent;
}

OutcomeEvent orphanedOutcome(OutcomeEvent outcome) {
    if (outcome.result != "cancelled") return outcome;
    outcome.result = "failed";
    outcome.code = static_cast<int>(ErrorCode::Internal);
    outcome.message = "the supervisor ended while its worker went on: killed from elsewhere, or a crash; the "
                      "worker saved and stopped";
    return outcome;
}

} // namespace homebooth::core
