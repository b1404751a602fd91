// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Learned words (embeddings, textual inversions) of the shelf: which of them a model understands, and which a
// prompt names. Free functions; GUI thread.
#pragma once

#include "core/base/config/sample_config.h"

#include <QString>
#include <QStringList>

#include <string>
#include <vector>

namespace homebooth::app {

class ModelShelf;

/// A file with vectors that stand for a word.
struct LearnedWord {
    QString file = {};
    QStringList words = {}; ///< any of which names it; the first one is shown
    qint64 vectors = 0;     ///< 0 while nobody knows
    friend bool operator==(const LearnedWord&, const LearnedWord&) = default;
};

/// Those that one of these models understands, as far as anybody knows; empty names are no models. Of two
/// with the same word the one whose file is called so has it, else the first one on the shelf.
[[nodiscard]] std::vector<LearnedWord> learnedWords(const ModelShelf& shelf, const QStringList& models);

/// The files of those that a job's own prompts name, as far as they count, and its model understands. Files
/// that are gone are among them, and such as the engine does not take together: pictures without what was
/// asked for would be others.
[[nodiscard]] std::vector<std::string> namedEmbeddings(const ModelShelf& shelf,
                                                       const core::SampleConfig& job);

/// Whether an embedding of the shelf has this word, for whatever model.
[[nodiscard]] bool hasLearnedWord(const ModelShelf& shelf, const std::string& word);

} // namespace homebooth::app
