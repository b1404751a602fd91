// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Pictures on their way to other programs: by the clipboard and by drag and drop. Free functions; GUI thread.
#pragma once

#include <QStringList>

class QMimeData;
class QObject;

namespace homebooth::app {

/// The files as other programs take them. @returns null if there are none; the caller owns it
[[nodiscard]] QMimeData* mimeOfFiles(const QStringList& paths);

/// Puts a picture and its file onto the clipboard, once it was read off the GUI thread. Nothing happens if
/// `owner` is gone by then.
void copyPicture(QObject* owner, const QString& path);

} // namespace homebooth::app
