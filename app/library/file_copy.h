// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Copies a file so that a full disk is told from other troubles, which QFile::copy cannot. Free functions;
// any thread.
#pragma once

#include "core/base/util/result.h"

#include <QString>

#include <functional>

namespace homebooth::app {

/// Makes the folder, too; writes over a file of that name. Others may read the copy if they may read its
/// source. When it fails nothing of that name is left.
/// Errors: OutOfResources for a full disk, BadInput
[[nodiscard]] core::Result<void> copyFile(const QString& from, const QString& to);

/// The same of a large file, which is on the disk then.
/// @param goesOn  asked as often as a stretch of it has reached the disk; false ends the copy
/// Errors: as above; BadInput where it was ended
[[nodiscard]] core::Result<void> copyLargeFile(const QString& from, const QString& to,
                                               const std::function<bool()>& goesOn);

/// Takes from others what they may not do with the source, e.g. of a copy that was made anew.
void hideAs(const QString& source, const QString& copy);

} // namespace homebooth::app
