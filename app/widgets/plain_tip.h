// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tooltips of words that are not ours. Functions; plainTip on any thread.
#pragma once

#include <QTextDocument>
#include <QWidget>

namespace homebooth::app {

/// A tooltip that shows these words as they are; empty: none. Captions, prompts and what files say may look
/// like markup, which tooltips obey: images of it would be read. Made into markup, long ones are wrapped,
/// too.
[[nodiscard]] inline QString plainTip(const QString& text) {
    return text.isEmpty() ? QString() : Qt::convertFromPlainText(text, Qt::WhiteSpaceNormal);
}

/// Gives a widget such a tooltip. Where it has no description screen readers read its tooltip, with the
/// markup, so the words become that, too. Items of models have no need of it: nobody reads their tooltips.
inline void setPlainTip(QWidget& widget, const QString& text) {
    widget.setToolTip(plainTip(text));
    widget.setAccessibleDescription(text);
}

} // namespace homebooth::app
