// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The version of this build. Any thread.
#pragma once

namespace homebooth::core {

/// "0.1.0"
[[nodiscard]] const char* versionText();

} // namespace homebooth::core
