// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/learned_words.h"

#include "app/engine/model_shelf.h"
#include "core/base/model/embedding_file.h"
#include "core/base/text/prompt_text.h"

#include <algorithm>

namespace homebooth::app {
namespace {

/// As the engine compares them.
bool isSame(const std::string& one, const std::string& other) {
    return core::namesWord(one, other) && core::namesWord(other, one);
}

bool isAmong(const QStringList& words, const std::string& sought) {
    return std::any_of(words.begin(), words.end(),
                       [&sought](const QString& word) { return isSame(word.toStdString(), sought); });
}

/// What the file says; before it was looked at, and where it is gone, the word of its name.
QStringList wordsOf(const ModelEntry& entry) {
    if (!entry.facts.words.isEmpty()) return entry.facts.words;
    return {QString::fromStdString(core::embeddingWord(entry.path.toStdString()))};
}

bool fitsOne(const ModelShelf& shelf, const QString& file, const QStringList& models) {
    return std::any_of(models.begin(), models.end(), [&shelf, &file](const QString& model) {
        return !model.isEmpty() && !shelf.madeForAnother(file, model);
    });
}

} // namespace

std::vector<LearnedWord> learnedWords(const ModelShelf& shelf, const QStringList& models) {
    std::vector<LearnedWord> all;
    const auto taken = [&all](const QString& word) {
        return std::any_of(all.begin(), all.end(), [&word](const LearnedWord& known) {
            return isAmong(known.words, word.toStdString());
        });
    };
    for (const ModelEntry& entry : shelf.entries()) {
        if (entry.kind != ModelEntry::Kind::Embedding || !fitsOne(shelf, entry.path, models)) continue;
        LearnedWord one{entry.path, wordsOf(entry), entry.facts.vectors};
        one.words.removeIf(taken);
        if (!one.words.isEmpty()) all.push_back(one);
    }
    return all;
}

std::vector<std::string> namedEmbeddings(const ModelShelf& shelf, const core::SampleConfig& job) {
    std::vector<std::string> files;
    const auto named = [&job](const QString& word) {
        const std::string sought = word.toStdString();
        return core::namesWord(job.prompt, sought) || core::namesWord(job.negativePrompt, sought);
    };
    for (const LearnedWord& one : learnedWords(shelf, {QString::fromStdString(job.model)})) {
        const std::string file = one.file.toStdString();
        // The engine takes no two files of one name, whatever other words they have.
        const bool twice = std::any_of(files.begin(), files.end(), [&file](const std::string& other) {
            return isSame(core::embeddingWord(file), core::embeddingWord(other));
        });
        if (!twice && std::any_of(one.words.begin(), one.words.end(), named)) files.push_back(file);
    }
    return files;
}

bool hasLearnedWord(const ModelShelf& shelf, const std::string& word) {
    const auto& all = shelf.entries();
    return std::any_of(all.begin(), all.end(), [&word](const ModelEntry& entry) {
        return entry.kind == ModelEntry::Kind::Embedding && isAmong(wordsOf(entry), word);
    });
}

} // namespace homebooth::app
