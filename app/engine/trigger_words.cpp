// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/trigger_words.h"

#include <algorithm>

namespace homebooth::app {
namespace {

QString wordOf(const core::Subject& subject) {
    return QString::fromStdString(subject.triggerWord).simplified();
}

bool same(const QString& a, const QString& b) {
    return a.compare(b, Qt::CaseInsensitive) == 0; // as the tokenizer reads them
}

std::string freeWord(const std::vector<core::Subject>& all) {
    for (const char* word : rareWords())
        if (std::none_of(all.begin(), all.end(), [word](const core::Subject& one) {
                return same(wordOf(one), QString::fromLatin1(word));
            }))
            return word;
    return {};
}

} // namespace

const std::vector<const char*>& rareWords() {
    static const std::vector<const char*> words{"ohwx", "kprc", "olis", "dits", "phol", "shld", "hta", "sks"};
    return words;
}

std::optional<TriggerClash> triggerClash(const std::vector<const core::Subject*>& learned,
                                         const std::vector<core::Subject>& all) {
    if (learned.size() < 2) return std::nullopt;
    for (size_t place = 0; place < learned.size(); ++place) {
        const QString word = wordOf(*learned[place]);
        const auto before = learned.begin() + static_cast<std::ptrdiff_t>(place);
        const auto twin = std::find_if(
            learned.begin(), before, [&word](const core::Subject* one) { return same(wordOf(*one), word); });
        if (!word.isEmpty() && twin == before) continue;
        TriggerClash clash{*learned[place], word.isEmpty() ? nullptr : *twin, word};
        clash.changed.triggerWord = freeWord(all);
        return clash;
    }
    return std::nullopt;
}

} // namespace homebooth::app
