// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/generate/prompt/others_prompt.h"

#include "core/base/text/generation_parameters.h"
#include "core/base/text/prompt_syntax.h"

#include <QRegularExpression>
#include <QStringList>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <string>

namespace homebooth::app {
namespace {

/// A finite one.
std::optional<double> numberOf(const QString& text) {
    bool fine = false;
    const double number = text.toDouble(&fine); // "inf" is fine
    return fine && std::isfinite(number) ? std::optional(number) : std::nullopt;
}

/// What stands behind a tag's name, as in ":0.5:0.8", ":te=0.5:unet=0.8" or ":1:lbw=OUTALL". The first
/// number is the text encoder's, and the denoiser's, too, unless that has its own.
void takeWeights(const QString& text, PromptTag& tag) {
    std::optional<double> ofText;
    std::optional<double> ofDenoiser;
    int unnamed = 0;
    for (const QString& part : text.split(':').mid(1)) { // it begins with one
        const bool named = part.contains('=');
        const QString name = named ? part.section('=', 0, 0).trimmed() : QString();
        const auto number = numberOf(named ? part.section('=', 1) : part);
        const int place = named ? -1 : unnamed++;
        if (number && (place == 0 || name == QStringLiteral("te")))
            ofText = number;
        else if (number && (place == 1 || name == QStringLiteral("unet")))
            ofDenoiser = number;
        else
            tag.isUneven = true;
    }
    tag.weight = ofDenoiser.value_or(ofText.value_or(1.0));
    tag.isUneven = tag.isUneven || tag.weight != ofText.value_or(1.0);
}

/// Those that colons part, except within round brackets, where they stand before weights.
QStringList partsOf(const QString& words) {
    QStringList parts{QString()};
    int depth = 0;
    for (const QChar sign : words) {
        depth += sign == '(' ? 1 : sign == ')' ? -1 : 0;
        if (sign == ':' && depth <= 0)
            parts.append(QString());
        else
            parts.back() += sign;
    }
    return parts;
}

/// What stands for a square bracket whose words change on the way; nothing if they do not.
std::optional<QString> sideBySide(const QString& inside) {
    static const QRegularExpression moment(QStringLiteral(":\\s*[+-]?[.\\d]+\\s*$"));
    const bool alternates = inside.contains('|');
    QString words = inside;
    if (!alternates && words.remove(moment) == inside) return std::nullopt;
    QStringList parts = alternates ? words.split('|') : partsOf(words);
    for (QString& part : parts) part = part.trimmed();
    parts.removeAll(QString());
    return parts.join(QStringLiteral(", "));
}

/// Of square brackets within each other the innermost ones.
bool takeInnermost(QString& prompt) {
    static const QRegularExpression square(QStringLiteral("(?<!\\\\)\\[([^\\[\\]]*)(?<!\\\\)\\]"));
    QString plain;
    qsizetype done = 0;
    for (auto found = square.globalMatch(prompt); found.hasNext();) {
        const QRegularExpressionMatch one = found.next();
        const auto words = sideBySide(one.captured(1));
        if (!words) continue;
        plain += prompt.mid(done, one.capturedStart() - done) + *words;
        done = one.capturedEnd();
    }
    if (done > 0) prompt = plain + prompt.mid(done);
    return done > 0;
}

/// Of words that change in a shape that nothing stands for, the brackets.
bool takeRest(QString& prompt) {
    std::string text = prompt.toStdString();
    const std::vector<core::TextSpan> spans = core::changingWords(text);
    std::vector<size_t> brackets;
    for (const core::TextSpan& span : spans) brackets.insert(brackets.end(), {span.begin, span.end - 1});
    std::sort(brackets.begin(), brackets.end(), std::greater<>());
    for (const size_t bracket : brackets) text.erase(bracket, 1);
    if (!spans.empty()) prompt = QString::fromStdString(text);
    return !spans.empty();
}

/// Puts a comma in place of each BREAK and AND that parts words. What an AND parts is no longer weighed.
bool takeBreaks(QString& prompt) {
    static const QString weight = QStringLiteral("\\s*:\\s*-?(?:\\d+\\.?\\d*|\\.\\d+)");
    static const QRegularExpression lastWeight(weight + QStringLiteral("\\s*$"));
    static const QRegularExpression parting(
        QStringLiteral("(?:%1)?(?<![A-Z,\\s])[,\\s]+\\bAND\\b[,\\s]+(?=\\S)").arg(weight));
    static const QRegularExpression breaks(QStringLiteral("[,\\s]*\\bBREAK\\b[,\\s]*"));
    static const QRegularExpression ends(QStringLiteral("^[,\\s]+|[,\\s]+$"));
    const bool parted = prompt.contains(parting);
    if (!parted && !prompt.contains(breaks)) return false;
    const QString comma = QStringLiteral(", ");
    if (parted) prompt.remove(lastWeight).replace(parting, comma);
    prompt.replace(breaks, comma).remove(ends);
    return true;
}

} // namespace

std::vector<PromptTag> takeTags(QString& prompt) {
    static const QRegularExpression tag(
        QStringLiteral("\\s*,?\\s*<(lora|lyco|hypernet):([^:<>]+)((?::[^:<>]*)*)>"));
    static const QRegularExpression leading(QStringLiteral("^[,\\s]+"));
    std::vector<PromptTag> tags;
    for (auto found = tag.globalMatch(prompt); found.hasNext();) {
        const QRegularExpressionMatch one = found.next();
        const QString kind = one.captured(1);
        PromptTag next{kind == QStringLiteral("lyco") ? QStringLiteral("lora") : kind, one.captured(2)};
        takeWeights(one.captured(3), next);
        tags.push_back(next);
    }
    if (!tags.empty()) prompt.remove(tag).remove(leading);
    return tags;
}

bool takeChanges(QString& prompt) {
    constexpr int kMostNested = 8;
    bool any = false;
    for (int depth = 0; depth < kMostNested && takeInnermost(prompt); ++depth) any = true;
    any = takeRest(prompt) || any;
    return takeBreaks(prompt) || any;
}

void takeWildcards(QString& prompt) {
    // Choices may have other signs for their bars (prompt_text.h).
    static const QRegularExpression several(
        QStringLiteral("(?<!\\\\)\\{[\\d-]*\\$\\$(?:[^|{}$\\x1F]*\\$\\$)?"));
    static const QRegularExpression named(QStringLiteral("(?<!\\w)__([^\\W_](?:(?!__)[\\w /*-])*)__(?!\\w)"),
                                          QRegularExpression::UseUnicodePropertiesOption);
    prompt.replace(several, QStringLiteral("{")).replace(named, QStringLiteral("{\\1}"));
}

bool isPictureText(const QString& text) {
    const core::GenerationParameters found = core::parseGenerationParameters(text.toStdString());
    return found.steps > 0 && !found.sampler.empty();
}

} // namespace homebooth::app
