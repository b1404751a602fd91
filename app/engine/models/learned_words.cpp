// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/models/learned_words.h"

#include "app/engine/models/model_shelf.h"
#include "core/base/model/embedding_file.h"
#include "core/base/text/prompt_text.h"
#include "core/base/text/prompt_weights.h"

#include <algorithm>
#include <optional>
#include <set>

namespace homebooth::app {
namespace {

using Family = std::optional<core::ModelFamily>; // none while nobody knows

/// Equal for words that the engine takes for the same.
std::u32string keyOf(const QString& word) {
    return core::soughtWord(word.toStdString());
}

/// What the file says; before it was looked at, and where it is gone, the word of its name.
QStringList wordsOf(const ModelEntry& entry) {
    if (!entry.facts.words.isEmpty()) return entry.facts.words;
    return {QString::fromStdString(core::embeddingWord(entry.path.toStdString()))};
}

bool fitsOne(const ModelEntry& entry, const std::vector<Family>& families) {
    if (!entry.looked || !entry.facts.usable) return !families.empty();
    return std::any_of(families.begin(), families.end(),
                       [&entry](const Family& family) { return !family || *family == entry.facts.family; });
}

/// Leaves each word to one of them; those that have none are left out.
void keepApart(std::vector<LearnedWord>& all) {
    std::set<std::u32string> taken{U""}; // which names nothing
    std::vector<QStringList> own(all.size());
    for (const bool names : {true, false}) // a file's name is its own, whatever token another one has
        for (size_t i = 0; i < all.size(); ++i)
            for (const QString& word : names ? all[i].words.first(1) : all[i].words.mid(1))
                if (taken.insert(keyOf(word)).second) own[i].append(word);
    for (size_t i = 0; i < all.size(); ++i) all[i].words = own[i];
    std::erase_if(all, [](const LearnedWord& one) { return one.words.isEmpty(); });
}

} // namespace

std::vector<LearnedWord> learnedWords(const ModelShelf& shelf, const QStringList& models) {
    std::vector<Family> families; // asked for once: there may be hundreds of words
    for (const QString& model : models)
        if (!model.isEmpty()) families.push_back(shelf.familyOf(model));
    std::vector<LearnedWord> all;
    for (const ModelEntry& entry : shelf.entries())
        if (entry.kind == ModelEntry::Kind::Embedding && fitsOne(entry, families))
            all.push_back({entry.path, wordsOf(entry), entry.facts.vectors});
    keepApart(all);
    return all;
}

std::vector<std::string> namedEmbeddings(const ModelShelf& shelf, const core::SampleConfig& job) {
    std::vector<std::string> files;
    const bool guided = job.guidanceScale > 1.0; // else nothing is left out
    const std::vector<core::PromptPiece> positive = core::promptPieces(job.prompt);
    const std::vector<core::PromptPiece> negative = core::promptPieces(guided ? job.negativePrompt : "");
    const auto named = [&positive, &negative](const QString& word) {
        const std::string sought = word.toStdString();
        return core::namesWord(positive, sought) || core::namesWord(negative, sought);
    };
    for (const LearnedWord& one : learnedWords(shelf, {QString::fromStdString(job.model)}))
        if (std::any_of(one.words.begin(), one.words.end(), named)) files.push_back(one.file.toStdString());
    return files;
}

bool hasLearnedWord(const ModelShelf& shelf, const std::string& word) {
    const auto isIt = [sought = core::soughtWord(word)](const QString& one) { return keyOf(one) == sought; };
    const auto& all = shelf.entries();
    return std::any_of(all.begin(), all.end(), [&isIt](const ModelEntry& entry) {
        if (entry.kind != ModelEntry::Kind::Embedding) return false;
        const QStringList words = wordsOf(entry);
        return std::any_of(words.begin(), words.end(), isIt);
    });
}

} // namespace homebooth::app
