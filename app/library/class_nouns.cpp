// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/library/class_nouns.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <algorithm>

namespace homebooth::app {
namespace {

constexpr const char* kContext = "homebooth::app::ClassNouns";
//: The same nouns in the same order. Several words for one thing stand with / between them; the first is
//: shown.
constexpr const char* kNouns = QT_TRANSLATE_NOOP(
    "homebooth::app::ClassNouns",
    "backpack, bag, ball, bear, bicycle, bird, boat, book, boot, bottle, bowl, boy, building, bus, cake, "
    "camera, can, candle, car, cat, chair, child, clock, cup, dog, doll, dress, duck, elephant, face, fish, "
    "flower, glasses, girl, guitar, hat, horse, house, lamp, man, mug, object, painting, person, plant, "
    "plushie, rabbit, robot, shirt, shoe, sneaker, sofa, statue, style, sunglasses, table, teapot, toy, "
    "train, tree, truck, vase, watch, woman");

/// What each means in the window's language, in the same order; nothing where that is English.
QStringList meanings() {
    const QString words = QCoreApplication::translate(kContext, kNouns);
    const QStringList all = words.split(QStringLiteral(", "));
    const bool others = words != QLatin1String(kNouns) && all.size() == knownNouns().size();
    return others ? all : QStringList();
}

QString withMeaning(const QString& noun, const QString& meaning) {
    const QString first = meaning.section('/', 0, 0);
    const bool same = first.compare(noun, Qt::CaseInsensitive) == 0;
    return first.isEmpty() || same ? noun : QStringLiteral("%1 (%2)").arg(noun, first);
}

/// The noun that has this word among its meanings; empty: none.
QString nounMeant(const QStringList& all, const QString& word, Qt::CaseSensitivity letters) {
    for (qsizetype row = 0; row < all.size(); ++row)
        if (all[row].split('/').contains(word, letters)) return knownNouns()[row];
    return {};
}

} // namespace

const QStringList& knownNouns() {
    static const QStringList nouns = QString::fromLatin1(kNouns).split(QStringLiteral(", "));
    return nouns;
}

QString nounWithMeaning(const QString& noun) {
    return withMeaning(noun, meanings().value(knownNouns().indexOf(noun)));
}

QString englishNoun(const QString& said) {
    const QStringList all = meanings();
    const QString word = said.trimmed();
    // "Boot" is German for a boat, "boot" an English word for something else.
    const QString meant = nounMeant(all, word, Qt::CaseSensitive);
    if (!meant.isEmpty()) return meant;
    if (knownNouns().contains(word, Qt::CaseInsensitive)) return said;
    for (qsizetype row = 0; row < all.size(); ++row)
        if (withMeaning(knownNouns()[row], all[row]) == word) return knownNouns()[row];
    const QString alike = nounMeant(all, word, Qt::CaseInsensitive);
    return alike.isEmpty() ? said : alike;
}

QString betterNoun(const QString& noun) {
    static const QRegularExpression space(QStringLiteral("\\s+"));
    const QStringList words = noun.split(space, Qt::SkipEmptyParts);
    if (words.isEmpty()) return {};
    if (knownNouns().contains(words.last(), Qt::CaseInsensitive)) return {};
    const bool english = meanings().isEmpty();
    const auto strange = [english](const QString& word) {
        constexpr ushort kLastOfAscii = 127;
        const auto other = [](QChar letter) { return letter.unicode() > kLastOfAscii; };
        return std::any_of(word.begin(), word.end(), other) || (!english && word.front().isUpper());
    };
    if (const QString meant = englishNoun(words.last()); meant != words.last()) return meant;
    return std::any_of(words.begin(), words.end(), strange) ? QStringLiteral("dog") : QString();
}

} // namespace homebooth::app
