// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/util/version.h"

namespace homebooth::core {

const char* versionText() {
    return HOMEBOOTH_VERSION;
}

} // namespace homebooth::core
