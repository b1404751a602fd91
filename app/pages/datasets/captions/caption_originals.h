// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What stood on the disk for captions before they were changed: whoever takes changes back finds every byte
// as it was. Owned by whoever writes captions; one thread at a time. Invariant: what others wrote meanwhile
// is the original from then on.
#pragma once

#include <QHash>
#include <QString>

#include <optional>
#include <string>

namespace homebooth::app {

using CaptionBytes = std::optional<std::string>; ///< a file or a line; nothing: there is none

class CaptionOriginals {
public:
    /// What to write. @param place  file or line, by any name of its own. @param now  what stands there
    /// @param before  the caption that its picture has with it. @param made  what says `caption`, where it is
    /// not the original one
    [[nodiscard]] CaptionBytes bytesFor(const QString& place, const CaptionBytes& now, const QString& before,
                                        const QString& caption, std::string made);

private:
    struct Original {
        CaptionBytes bytes;
        QString caption;
        CaptionBytes written; ///< in its place by us
    };
    QHash<QString, Original> m_originals;
};

} // namespace homebooth::app
