// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Copies a file so that a full disk is told from other troubles, which QFile::copy cannot. Free function; any
// thread.
#pragma once

#include "core/base/util/result.h"

#include <QString>

namespace homebooth::app {

/// Makes the folder, too; writes over a file of that name. When it fails nothing of that name is left.
/// Errors: OutOfResources for a full disk, BadInput
[[nodiscard]] core::Result<void> copyFile(const QString& from, const QString& to);

} // namespace homebooth::app
