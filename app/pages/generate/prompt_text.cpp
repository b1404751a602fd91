// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/generate/prompt_text.h"

#include <utility>

namespace homebooth::app {
namespace {

/// The choices of "a|b|{c|d}": bars within inner braces do not divide.
QStringList choicesOf(const QString& inside) {
    QStringList choices{QString()};
    int depth = 0;
    for (const QChar character : inside) {
        depth += character == '{' ? 1 : character == '}' ? -1 : 0;
        if (character == '|' && depth == 0)
            choices.append(QString());
        else
            choices.back() += character;
    }
    return choices;
}

/// The place of the brace that closes the one at `open`; -1 if there is none.
qsizetype closingBrace(const QString& text, qsizetype open) {
    int depth = 0;
    for (qsizetype i = open; i < text.size(); ++i) {
        depth += text[i] == '{' ? 1 : text[i] == '}' ? -1 : 0;
        if (depth == 0) return i;
    }
    return -1;
}

/// Fills one prompt; remembers which lists it is in.
class Filler {
public:
    Filler(QString subject, const EntriesOf& entries, uint64_t seed)
        : m_subject(std::move(subject))
        , m_entries(entries)
        , m_state(seed) {}

    QString fill(const QString& text) {
        QString filled;
        for (qsizetype i = 0; i < text.size(); ++i) {
            const qsizetype close = text[i] == '{' ? closingBrace(text, i) : -1;
            if (close < 0) {
                filled += text[i];
                continue;
            }
            filled += place(text.mid(i + 1, close - i - 1));
            i = close;
        }
        return filled;
    }
    [[nodiscard]] const FilledPrompt& result() const { return m_result; }

private:
    QString place(const QString& inside) {
        const QString name = inside.simplified();
        if (name == QLatin1String("subject")) return m_subject;
        const QStringList choices = choicesOf(inside);
        if (choices.size() > 1) return fill(choices[draw(choices.size())].trimmed());
        return name.isEmpty() || inside.contains('{') ? fill(inside) : entryOf(name);
    }

    QString entryOf(const QString& name) {
        if (m_within.contains(name, Qt::CaseInsensitive))
            return refuse(FilledPrompt::Problem::ListWithinItself, name);
        const std::optional<QStringList> entries = m_entries ? m_entries(name) : std::nullopt;
        if (!entries) return refuse(FilledPrompt::Problem::UnknownList, name);
        if (entries->isEmpty()) return refuse(FilledPrompt::Problem::EmptyList, name);
        m_within.append(name);
        const QString filled = fill((*entries)[draw(entries->size())]);
        m_within.removeLast();
        return filled;
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
    FilledPrompt m_result;
};

} // namespace

FilledPrompt fillPrompt(const QString& text, const QString& subject, const EntriesOf& entries,
                        uint64_t seed) {
    Filler filler(subject, entries, seed);
    const QString filled = filler.fill(text);
    FilledPrompt result = filler.result();
    result.text = filled;
    return result;
}

bool isTemplate(const QString& text) {
    for (qsizetype i = 0; i < text.size(); ++i)
        if (text[i] == '{' && closingBrace(text, i) > 0) return true;
    return false;
}

} // namespace homebooth::app
