// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/generate/prompt/prompt_text.h"

#include "core/base/text/prompt_weights.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace homebooth::app {
namespace {

/// Characters read for one prompt, all entries and choices included: lists whose lines take from each other
/// many times would else be at work for hours, for a text that is still short.
constexpr qsizetype kMostRead = 1'000'000;

/// Stand for signs of places. Nobody types them, and they are neither blanks nor parts of words.
constexpr QChar kHiddenBar(0x1F);
constexpr QChar kHiddenColon(0x1E);

bool isBrace(QChar character) {
    return character == '{' || character == '}';
}

/// Whether a backslash stands here that makes the brace after it a mere character.
bool isEscape(const QString& text, qsizetype at) {
    return text[at] == '\\' && at + 1 < text.size() && isBrace(text[at + 1]);
}

/// For each brace that opens the place of the one that closes it; -1 for all else.
std::vector<qsizetype> partnersOf(const QString& text) {
    std::vector<qsizetype> partners(static_cast<size_t>(text.size()), -1);
    std::vector<qsizetype> open;
    for (qsizetype i = 0; i < text.size(); ++i) {
        if (isEscape(text, i)) {
            ++i;
        } else if (text[i] == '{') {
            open.push_back(i);
        } else if (text[i] == '}' && !open.empty()) {
            partners[static_cast<size_t>(open.back())] = i;
            open.pop_back();
        }
    }
    return partners;
}

bool hasPlaces(const QString& text) {
    const std::vector<qsizetype> partners = partnersOf(text);
    return std::any_of(partners.begin(), partners.end(), [](qsizetype close) { return close >= 0; });
}

/// The choices of "a|b|{c|d}": bars within inner braces do not divide.
QStringList choicesOf(const QString& inside) {
    QStringList choices{QString()};
    int depth = 0;
    for (qsizetype i = 0; i < inside.size(); ++i) {
        if (isEscape(inside, i)) {
            choices.back() += inside.mid(i++, 2);
            continue;
        }
        depth += inside[i] == '{' ? 1 : inside[i] == '}' ? -1 : 0;
        if (inside[i] == '|' && depth == 0)
            choices.append(QString());
        else
            choices.back() += inside[i];
    }
    return choices;
}

/// Fills one prompt; remembers which lists it is in.
class Filler {
public:
    Filler(QString subject, const EntriesOf& entries, uint64_t seed)
        : m_subject(std::move(subject))
        , m_entries(entries)
        , m_state(seed) {}

    QString fill(const QString& text) {
        m_read += text.size();
        if (m_read > kMostRead || text.size() > kMostPromptCharacters)
            return refuse(FilledPrompt::Problem::TooLong, {});
        const std::vector<qsizetype> partners = partnersOf(text);
        QString filled;
        for (qsizetype i = 0; i < text.size() && m_result.problem == FilledPrompt::Problem::None; ++i) {
            const qsizetype close = partners[static_cast<size_t>(i)];
            if (close >= 0) {
                filled += place(text.mid(i + 1, close - i - 1));
                i = close;
            } else {
                if (isEscape(text, i)) ++i;
                filled += text[i];
            }
            if (filled.size() > kMostPromptCharacters) return refuse(FilledPrompt::Problem::TooLong, {});
        }
        return filled;
    }
    [[nodiscard]] const FilledPrompt& result() const { return m_result; }

private:
    QString place(const QString& inside) {
        if (m_depth == kMostPromptDepth) return refuse(FilledPrompt::Problem::TooDeep, {});
        ++m_depth;
        const QString filled = whatStandsFor(inside);
        --m_depth;
        return filled;
    }

    QString whatStandsFor(const QString& inside) {
        const QString name = inside.simplified();
        if (name == QLatin1String("subject")) return m_subject;
        const QStringList choices = choicesOf(inside);
        if (choices.size() > 1) return fill(choices[draw(choices.size())].trimmed());
        return name.isEmpty() || hasPlaces(inside) ? fill(inside) : entryOf(name, inside);
    }

    QString entryOf(const QString& name, const QString& inside) {
        if (m_within.contains(name, Qt::CaseInsensitive))
            return refuse(FilledPrompt::Problem::ListWithinItself, name);
        const std::optional<QStringList>& entries = entriesNamed(name);
        if (!entries) {
            if (!m_result.unknown.contains(name)) m_result.unknown.append(name);
            return '{' + fill(inside) + '}'; // which has no places, but perhaps escapes
        }
        if (entries->isEmpty()) return refuse(FilledPrompt::Problem::EmptyList, name);
        m_within.append(name);
        const QString filled = fill((*entries)[draw(entries->size())]);
        m_within.removeLast();
        return filled;
    }

    const std::optional<QStringList>& entriesNamed(const QString& name) {
        const auto [known, isNew] = m_known.try_emplace(name);
        if (isNew && m_entries) known->second = m_entries(name);
        return known->second;
    }

    QString refuse(FilledPrompt::Problem problem, const QString& name) {
        if (m_result.problem == FilledPrompt::Problem::None) {
            m_result.problem = problem;
            m_result.list = name;
        }
        return {};
    }

    /// A number from 0 to below `many`, by SplitMix64 (Steele, Lea and Flood, 2014): the standard library's
    /// distributions differ between systems.
    qsizetype draw(qsizetype many) {
        uint64_t z = (m_state += 0x9E3779B97F4A7C15ULL);
        z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9ULL;
        z = (z ^ (z >> 27U)) * 0x94D049BB133111EBULL;
        return static_cast<qsizetype>((z ^ (z >> 31U)) % static_cast<uint64_t>(many));
    }

    QString m_subject;
    const EntriesOf& m_entries;
    uint64_t m_state;
    QStringList m_within;
    std::map<QString, std::optional<QStringList>> m_known; // a list is long: it is asked for once
    qsizetype m_read = 0;
    int m_depth = 0;
    FilledPrompt m_result;
};

} // namespace

FilledPrompt fillPrompt(const QString& text, const QString& subject, const EntriesOf& entries,
                        uint64_t seed) {
    if (!isTemplate(text)) return {text};
    Filler filler(subject, entries, seed);
    const QString filled = filler.fill(text);
    FilledPrompt result = filler.result();
    result.text = filled;
    return result;
}

bool isTemplate(const QString& text) {
    for (qsizetype i = 0; i < text.size(); ++i)
        if (isEscape(text, i)) return true;
    return hasPlaces(text);
}

QString hidePlaces(const QString& text) {
    struct Place {
        qsizetype end;
        int brackets; ///< square ones that are open in it
    };
    const std::vector<qsizetype> partners = partnersOf(text);
    std::vector<Place> open;
    QString hidden = text;
    for (qsizetype i = 0; i < text.size(); ++i) {
        if (const qsizetype end = partners[static_cast<size_t>(i)]; end >= 0) open.push_back({end, 0});
        if (open.empty()) continue;
        Place& inner = open.back();
        if (text[i] == '[') ++inner.brackets;
        if (text[i] == ']') --inner.brackets;
        if (text[i] == '|') hidden[i] = kHiddenBar; // divides the place even within brackets
        if (text[i] == ':' && inner.brackets <= 0) hidden[i] = kHiddenColon;
        if (i == inner.end) open.pop_back();
    }
    return hidden;
}

QString showPlaces(QString text) {
    return text.replace(kHiddenBar, QChar('|')).replace(kHiddenColon, QChar(':'));
}

QString literalPrompt(const QString& text) {
    if (!isTemplate(text)) return text;
    QString prompt;
    for (const QChar character : text) prompt += isBrace(character) ? QString('\\') + character : character;
    return prompt;
}

QString literalWords(const QString& text) {
    return literalPrompt(unweighedWords(text));
}

QString unweighedWords(const QString& text) {
    return QString::fromStdString(core::unweighedPrompt(text.toStdString()));
}

} // namespace homebooth::app
