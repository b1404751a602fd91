// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What programs and outcomes end with besides ErrorCode, whose numbers are exit codes, too.
#pragma once

namespace homebooth::core {

constexpr int kExitDone = 0;
constexpr int kExitCancelled = 5; ///< an outcome, no error
/// Between worker and supervisor only: another rank of the job was lost, and its end says why.
constexpr int kExitRankLost = 7;
/// The same where ranks that were waited for never came, so that nothing began.
constexpr int kExitRankAbsent = 8;

} // namespace homebooth::core
