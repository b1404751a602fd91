// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tooltips of words that are not ours. A function; any thread.
#pragma once

#include <QTextDocument>

namespace homebooth::app {

/// A tooltip that shows these words as they are; empty: none. Captions, prompts and what files say may look
/// like markup, which tooltips obey: images of it would be read. Made into markup, long ones are wrapped,
/// too.
[[nodiscard]] inline QString plainTip(const QString& text) {
    return text.isEmpty() ? QString() : Qt::convertFromPlainText(text, Qt::WhiteSpaceNormal);
}

} // namespace homebooth::app
