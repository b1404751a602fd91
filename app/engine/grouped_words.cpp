// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/grouped_words.h"

#include "app/engine/figures.h"

namespace homebooth::app {

QString GroupedWords::translate(const char* context, const char* source, const char* disambiguation,
                                int n) const {
    QString words = QTranslator::translate(context, source, disambiguation, n);
    return n < 0 ? words : words.replace(QStringLiteral("%n"), countText(n));
}

} // namespace homebooth::app
