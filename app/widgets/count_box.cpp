// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/count_box.h"

namespace homebooth::app {

bool CountBox::isTooMany(const QString& text) const {
    constexpr qsizetype kMostDigits = 7; // nobody means more
    bool known = false;
    const int number = locale().toInt(text, &known);
    return known && text.size() <= kMostDigits && number > maximum();
}

QValidator::State CountBox::validate(QString& text, int& place) const {
    return isTooMany(text) ? QValidator::Intermediate : QSpinBox::validate(text, place);
}

void CountBox::fixup(QString& text) const {
    if (!isTooMany(text)) return QSpinBox::fixup(text);
    const QString typed = text;
    text = textFromValue(maximum());
    Q_EMIT tooMany(typed);
}

} // namespace homebooth::app
