// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/generate/prompt_text.h"

#include <QStringList>

namespace homebooth::app {
namespace {

/// The choices of "a|b|{c|d}": bars within inner braces do not divide.
QStringList choicesOf(const QString& inside) {
    QStringList choices{QString()};
    int depth = 0;
    for (const QChar character : inside) {
        depth += character == '{' ? 1 : character == '}' ? -1 : 0;
        if (character == '|' && depth == 0)
            choices.append(QString());
        else
            choices.back() += character;
    }
    return choices;
}

/// The place of the brace that closes the one at `open`; -1 if there is none.
qsizetype closingBrace(const QString& text, qsizetype open) {
    int depth = 0;
    for (qsizetype i = open; i < text.size(); ++i) {
        depth += text[i] == '{' ? 1 : text[i] == '}' ? -1 : 0;
        if (depth == 0) return i;
    }
    return -1;
}

} // namespace

QString fillPrompt(const QString& text, const QString& subject, const std::function<int(int)>& draw) {
    QString filled;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const qsizetype close = text[i] == '{' ? closingBrace(text, i) : -1;
        if (close < 0) {
            filled += text[i];
            continue;
        }
        const QString inside = text.mid(i + 1, close - i - 1);
        if (inside.trimmed() == QLatin1String("subject")) {
            filled += subject;
        } else {
            const QStringList choices = choicesOf(inside);
            const QString chosen = choices.size() > 1 ? choices[draw(int(choices.size()))] : inside;
            filled += fillPrompt(choices.size() > 1 ? chosen.trimmed() : chosen, subject, draw);
        }
        i = close;
    }
    return filled;
}

} // namespace homebooth::app
