// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/library/trigger_words.h"

#include <algorithm>

namespace homebooth::app {
namespace {

QString wordOf(const core::Subject& subject) {
    return QString::fromStdString(subject.triggerWord).simplified();
}

bool same(const QString& a, const QString& b) {
    return a.compare(b, Qt::CaseInsensitive) == 0; // as the tokenizer reads them
}

bool taken(const QString& word, const std::vector<core::Subject>& all) {
    return std::any_of(all.begin(), all.end(),
                       [&word](const core::Subject& one) { return same(wordOf(one), word); });
}

} // namespace

const std::vector<const char*>& rareWords() {
    // The second row's words are syllables that small vocabularies keep whole, too.
    static const std::vector<const char*> words{"ohwx",  "kprc",  "phol",  "shld",   "hta",    "dits",
                                                "olis",  "enei",  "inem",  "seye",   "lery",   "sks",
                                                "oling", "hashi", "phora", "diment", "issant", "strial"};
    return words;
}

std::string suggestTriggerWord(const std::vector<core::Subject>& all, const TokenCount& tokens) {
    QString best;
    int fewest = 0;
    for (const char* rare : rareWords()) {
        const QString word = QString::fromLatin1(rare);
        if (taken(word, all)) continue;
        const int needed = tokens ? tokens(word) : 0;
        if (!best.isEmpty() && needed >= fewest) continue;
        best = word;
        fewest = needed;
    }
    if (!best.isEmpty()) return best.toStdString();
    for (const char* first : rareWords())
        for (const char* second : rareWords()) {
            const QString both = QString::fromLatin1(first) + ' ' + QString::fromLatin1(second);
            if (first != second && !taken(both, all)) return both.toStdString();
        }
    return {};
}

const core::Subject* triggerTwin(const core::Subject& subject, const std::vector<core::Subject>& all) {
    const QString word = wordOf(subject);
    for (const core::Subject& one : all)
        if (!word.isEmpty() && one.id != subject.id && same(wordOf(one), word)) return &one;
    return nullptr;
}

std::optional<TriggerClash> triggerClash(const std::vector<const core::Subject*>& learned,
                                         const std::vector<core::Subject>& all, const TokenCount& tokens) {
    if (learned.size() < 2) return std::nullopt;
    for (size_t place = 0; place < learned.size(); ++place) {
        const QString word = wordOf(*learned[place]);
        const auto before = learned.begin() + static_cast<std::ptrdiff_t>(place);
        const auto twin = std::find_if(
            learned.begin(), before, [&word](const core::Subject* one) { return same(wordOf(*one), word); });
        if (!word.isEmpty() && twin == before) continue;
        TriggerClash clash{*learned[place], word.isEmpty() ? nullptr : *twin, word};
        clash.changed.triggerWord = suggestTriggerWord(all, tokens);
        return clash;
    }
    return std::nullopt;
}

} // namespace homebooth::app
