// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Nouns that say what a subject is. Text-to-image models learned English: a word of the window's language
// is taken for the English one. Pure functions; GUI thread.
#pragma once

#include <QStringList>

namespace homebooth::app {

/// Nouns that the models know well, in English.
[[nodiscard]] const QStringList& knownNouns();

/// One of them for those who read another language, "dog (Hund)"; in English the noun alone.
[[nodiscard]] QString nounWithMeaning(const QString& noun);

/// The noun that is meant by "Hund" or by "dog (Hund)"; what means none of them stays as it is.
[[nodiscard]] QString englishNoun(const QString& said);

/// A noun to say in place of one that seems to be no English: German writes its own with a capital.
/// Empty: it will do.
[[nodiscard]] QString betterNoun(const QString& noun);

} // namespace homebooth::app
