// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/library/word_lists.h"

#include "app/library/library_service.h"

#include <QDateTime>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QUndoCommand>
#include <QUndoStack>

#include <algorithm>
#include <cassert>

namespace homebooth::app {
namespace {

constexpr qint64 kListPauseMs = 1500;
constexpr qint64 kMostBytes = 1 << 20; // of a list's file

bool sameName(const QString& a, const QString& b) {
    return a.compare(b, Qt::CaseInsensitive) == 0;
}

/// The text of a file, or why there is none.
struct ListFile {
    QString text;
    QString problem;
};

ListFile readList(const QString& path) {
    QFile file(path);
    const QString name = QFileInfo(path).fileName();
    if (!file.open(QIODevice::ReadOnly))
        return {{}, WordLists::tr("%1 cannot be read: %2").arg(name, file.errorString())};
    if (file.size() > kMostBytes)
        return {{}, WordLists::tr("%1 is larger than 1 MB. A list has one word or phrase a line.").arg(name)};
    const QByteArray bytes = file.readAll();
    const QString text = QString::fromUtf8(bytes);
    if (bytes.contains('\0') || text.contains(QChar::ReplacementCharacter))
        return {{}, WordLists::tr("%1 is no text in UTF-8. Save it as such.").arg(name)};
    if (core::entriesOf(text.toStdString()).empty())
        return {{}, WordLists::tr("%1 has no words. A list has one word or phrase a line.").arg(name)};
    return {text, {}};
}

} // namespace

/// One step of undo: what a list was before and after; nothing stands for "not there".
class WordListCommand : public QUndoCommand {
public:
    using State = std::optional<core::WordList>;
    WordListCommand(WordLists& lists, State before, State after, const QString& text, QString field)
        : QUndoCommand(text)
        , m_lists(lists)
        , m_before(std::move(before))
        , m_after(std::move(after))
        , m_field(std::move(field))
        , m_timeMs(QDateTime::currentMSecsSinceEpoch()) {}

    void redo() override { m_lists.put(key(), m_after ? &*m_after : nullptr); }
    void undo() override { m_lists.put(key(), m_before ? &*m_before : nullptr); }
    [[nodiscard]] int id() const override { return m_field.isEmpty() ? -1 : 2; }
    bool mergeWith(const QUndoCommand* other) override {
        const auto* later = dynamic_cast<const WordListCommand*>(other);
        if (later == nullptr || later->m_field != m_field || later->key() != key() ||
            later->m_timeMs - m_timeMs >= kListPauseMs)
            return false;
        m_after = later->m_after;
        m_timeMs = later->m_timeMs;
        return true;
    }

private:
    [[nodiscard]] int64_t key() const { return m_before ? m_before->id : m_after->id; }

    WordLists& m_lists;
    State m_before;
    State m_after;
    QString m_field;
    qint64 m_timeMs;
};

WordLists::WordLists(LibraryService& library, QUndoStack& undo, QObject* parent)
    : QObject(parent)
    , m_library(library)
    , m_undo(undo) {}

void WordLists::load() {
    connect(&m_library, &LibraryService::roomCame, this, &WordLists::ask, Qt::UniqueConnection);
    if (m_library.state() == LibraryService::State::Open) return ask();
    connect(&m_library, &LibraryService::opened, this, &WordLists::ask, Qt::SingleShotConnection);
}

void WordLists::ask() {
    m_library.ask<std::vector<core::WordList>>(
        this, [](core::Library& library) { return core::loadWordLists(library); },
        [this](const std::vector<core::WordList>& lists) {
            m_lists = lists;
            m_loaded = true;
            Q_EMIT changed();
        });
}

void WordLists::whenLoaded(QObject* receiver, const std::function<void()>& act) {
    if (m_loaded) return act();
    connect(this, &WordLists::changed, receiver, act, Qt::SingleShotConnection);
}

const core::WordList* WordLists::find(int64_t id) const {
    const auto found = std::find_if(m_lists.begin(), m_lists.end(),
                                    [id](const core::WordList& list) { return list.id == id; });
    return found == m_lists.end() ? nullptr : &*found;
}

const core::WordList* WordLists::named(const QString& name) const {
    const auto found = std::find_if(m_lists.begin(), m_lists.end(), [&name](const core::WordList& list) {
        return sameName(QString::fromStdString(list.name), name);
    });
    return found == m_lists.end() ? nullptr : &*found;
}

std::optional<QStringList> WordLists::entries(const QString& name) const {
    const core::WordList* list = named(name);
    if (list == nullptr) return std::nullopt;
    QStringList entries;
    for (const std::string& entry : core::entriesOf(list->text))
        entries.append(QString::fromStdString(entry));
    return entries;
}

QString WordLists::tidyName(const QString& name) {
    static const QRegularExpression kNoName(QStringLiteral("[{}|\\s]+"));
    return QString(name).replace(kNoName, QStringLiteral(" ")).simplified();
}

QString WordLists::nameProblem(const QString& name, int64_t except) const {
    const QString tidy = tidyName(name);
    if (tidy.isEmpty()) return tr("A list needs a name.");
    if (sameName(tidy, QStringLiteral("subject")))
        return tr("{subject} stands for your subject. Take another name.");
    const core::WordList* other = named(tidy);
    return other != nullptr && other->id != except ? tr("There is a list of this name.") : QString();
}

int64_t WordLists::add(const QString& wanted, const QString& text) {
    assert(m_loaded);
    const QString first = tidyName(wanted).isEmpty() ? tr("list") : tidyName(wanted);
    QString name = first;
    for (int number = 2; !nameProblem(name, 0).isEmpty(); ++number)
        name = QStringLiteral("%1 %2").arg(first, QString::number(number));
    const core::WordList list{core::newRecordId(), name.toStdString(), text.toStdString(), core::nowMs()};
    m_undo.push(new WordListCommand(*this, {}, list, tr("make the list %1").arg(name), {}));
    return list.id;
}

void WordLists::change(const core::WordList& after, const QString& field) {
    const core::WordList* before = find(after.id);
    if (before == nullptr || *before == after) return;
    const QString text = tr("change the list %1").arg(QString::fromStdString(after.name));
    m_undo.push(new WordListCommand(*this, *before, after, text, field));
}

void WordLists::remove(int64_t id) {
    const core::WordList* list = find(id);
    if (list == nullptr) return;
    const QString text = tr("delete the list %1").arg(QString::fromStdString(list->name));
    m_undo.push(new WordListCommand(*this, *list, {}, text, {}));
}

void WordLists::addFile(const QString& path) {
    inBackground(
        this, [path] { return readList(path); },
        [this, path](const ListFile& file) {
            if (!file.problem.isEmpty()) return Q_EMIT failed(file.problem);
            whenLoaded(this, [this, path, text = file.text] { takeFile(path, text); });
        });
}

void WordLists::takeFile(const QString& path, const QString& text) {
    const QString name = tidyName(QFileInfo(path).completeBaseName());
    const core::WordList* known = named(name);
    if (known == nullptr) return Q_EMIT added(add(name, text));
    core::WordList after = *known;
    after.text = text.toStdString();
    change(after, {});
    Q_EMIT added(after.id);
}

void WordLists::place(const core::WordList& list) {
    const QString name = QString::fromStdString(list.name);
    const auto at = std::find_if(m_lists.begin(), m_lists.end(), [&name](const core::WordList& other) {
        return QString::fromStdString(other.name).compare(name, Qt::CaseInsensitive) > 0;
    });
    m_lists.insert(at, list);
}

void WordLists::put(int64_t id, const core::WordList* state) {
    std::erase_if(m_lists, [id](const core::WordList& list) { return list.id == id; });
    if (state != nullptr) {
        place(*state);
        m_library.write(
            [copy = *state](core::Library& library) { return core::saveWordList(library, copy); });
    } else {
        m_library.write([id](core::Library& library) { return core::removeWordList(library, id); });
    }
    Q_EMIT changed();
}

} // namespace homebooth::app
