// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The captions that lie beside photos, or in the metadata.jsonl of their folder, as a training takes them.
// Free functions; any thread.
#pragma once

#include <QHash>
#include <QString>
#include <QStringList>

namespace homebooth::app {

struct CaptionsBeside {
    QHash<QString, QString> captions; ///< by the photos' paths; those without one are absent
    int unread = 0;                   ///< files that no training would take, as for their encoding
};

/// Looks at the disk.
[[nodiscard]] CaptionsBeside captionsBeside(const QStringList& photos);

} // namespace homebooth::app
