// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/generate/others_prompt.h"

#include <QRegularExpression>

#include <cmath>
#include <optional>

namespace homebooth::app {
namespace {

constexpr QStringView kBrackets = u"()[]";

/// Where a weight ends that begins at this colon, as in "(a hat:1.2)": at its bracket.
std::optional<qsizetype> weightEnd(const QString& prompt, qsizetype colon) {
    static const QRegularExpression weight(QStringLiteral("\\G:\\s*[+-]?[.\\d]+\\s*(?=\\))"));
    const QRegularExpressionMatch found = weight.match(prompt, colon);
    return found.hasMatch() ? std::optional(found.capturedEnd()) : std::nullopt;
}

} // namespace

std::vector<PromptTag> takeTags(QString& prompt) {
    static const QRegularExpression tag(
        QStringLiteral("\\s*,?\\s*<(lora|lyco|hypernet):([^:<>]+)(?::([^:<>]*))?(?::[^<>]*)?>"));
    static const QRegularExpression leading(QStringLiteral("^[,\\s]+"));
    std::vector<PromptTag> tags;
    for (auto found = tag.globalMatch(prompt); found.hasNext();) {
        const QRegularExpressionMatch one = found.next();
        const QString kind = one.captured(1);
        bool fine = false;
        const double weight = one.captured(3).toDouble(&fine); // "inf" is fine
        tags.push_back({kind == QStringLiteral("lyco") ? QStringLiteral("lora") : kind, one.captured(2),
                        fine && std::isfinite(weight) ? weight : 1.0});
    }
    if (!tags.empty()) prompt.remove(tag).remove(leading);
    return tags;
}

bool takeBrackets(QString& prompt) {
    QString plain;
    bool weighed = false;
    int depth[2] = {0, 0}; // round ones, square ones
    for (qsizetype at = 0; at < prompt.size(); ++at) {
        const QChar sign = prompt[at];
        const QChar next = at + 1 < prompt.size() ? prompt[at + 1] : QChar();
        if (sign == '\\' && (next == '\\' || kBrackets.contains(next))) {
            plain.append(next);
            ++at;
            continue;
        }
        if (sign == ':' && depth[0] > 0)
            if (const auto end = weightEnd(prompt, at)) {
                at = *end - 1; // its bracket follows
                continue;
            }
        int& alike = depth[sign == '[' || sign == ']' ? 1 : 0];
        const bool opens = sign == '(' || sign == '[';
        const bool closes = (sign == ')' || sign == ']') && alike > 0; // others are words: "smile :)"
        if (opens) ++alike;
        if (closes) --alike;
        if (opens || closes)
            weighed = true;
        else
            plain.append(sign);
    }
    prompt = plain;
    return weighed;
}

} // namespace homebooth::app
