// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/library/subject_book.h"

#include "app/library/background.h"
#include "app/library/class_nouns.h"
#include "app/library/library_service.h"

#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>
#include <QSet>
#include <QUndoCommand>
#include <QUndoStack>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <set>

namespace homebooth::app {
namespace {

constexpr qint64 kTypingPauseMs = 1500;
constexpr std::chrono::seconds kLongestWait{5};        // for captions, once the window is closed
const QString kUnknownNoun = QStringLiteral("object"); // while nothing says what it is

QString tidyName(const QString& folder) {
    QString name = folder;
    name.replace(QRegularExpression(QStringLiteral("[_\\-.]+")), QStringLiteral(" "));
    return name.simplified();
}

QString folderOf(const QString& photo) {
    return QFileInfo(photo).dir().dirName();
}

/// Whether it is one that people write ahead of what a thing is, and models know well.
bool isCommonWord(const QString& word) {
    static const QSet<QString> common = [] {
        constexpr const char* kWords =
            "a an the this that my our your his her their its one two three some all "
            "mein meine unser unsere sein seine ihr ihre der die das ein eine "
            "new old big small little large young best good nice cute beautiful real "
            "black white red green blue yellow orange purple pink brown grey gray "
            "golden silver photo photos picture pictures image images";
        const QStringList words = QString::fromLatin1(kWords).split(' ');
        return QSet<QString>(words.begin(), words.end());
    }();
    return common.contains(word.toLower());
}

/// Takes the word that captions have from a folder named for Kohya's trainers: "10_sks dog", learned 10
/// times, holds a dog called sks.
void takeKohyasWord(const QString& folder, const std::vector<core::Subject>& all, core::Subject& subject) {
    static const QRegularExpression form(QStringLiteral("^\\d{1,3}_(\\S+)\\s+(\\S.*)$"));
    const QRegularExpressionMatch found = form.match(folder);
    if (!found.hasMatch() || !guessClass(found.captured(2)).known || guessClass(found.captured(1)).known)
        return;
    if (isCommonWord(found.captured(1))) return; // "1_my dog"
    core::Subject named = subject;
    named.triggerWord = found.captured(1).toStdString();
    if (triggerTwin(named, all) != nullptr) return;
    named.name = tidyName(found.captured(1) + ' ' + found.captured(2)).toStdString();
    subject = std::move(named);
}

/// Gives the photos of these keys that have no caption theirs.
void fillCaptions(core::Subject& subject, const QHash<QString, QString>& captions,
                  const std::set<int64_t>& wanting) {
    for (core::Photo& photo : subject.photos)
        if (photo.caption.empty() && wanting.contains(photo.id))
            photo.caption = captions.value(QString::fromStdString(photo.path)).toStdString();
}

/// Numbers a name that another one has, too: side by side the two would look alike.
void tellApart(const std::vector<core::Subject>& all, core::Subject& subject) {
    const std::string name = subject.name;
    const auto same = [&subject](const core::Subject& one) { return one.name == subject.name; };
    for (int number = 2; std::any_of(all.begin(), all.end(), same); ++number)
        subject.name = name + ' ' + std::to_string(number);
}

core::Photo photoOf(const QString& path) {
    core::Photo photo;
    photo.id = core::newRecordId();
    photo.path = path.toStdString();
    return photo;
}

} // namespace

ClassGuess guessClass(const QString& name) {
    const QStringList words =
        name.toLower().split(QRegularExpression(QStringLiteral("[^\\p{L}]+")), Qt::SkipEmptyParts);
    for (auto word = words.crbegin(); word != words.crend(); ++word) {
        if (knownNouns().contains(*word)) return {*word, true};
        if (word->endsWith('s') && knownNouns().contains(word->chopped(1))) return {word->chopped(1), true};
        if (const QString meant = englishNoun(*word); meant != *word) return {meant, true};
    }
    return {kUnknownNoun, false};
}

ClassGuess guessClassOfFolder(const QString& folder) {
    static const QStringList ownNames{QStringLiteral("camera"), QStringLiteral("camera roll"),
                                      QStringLiteral("train")};
    const QString name = tidyName(folder);
    // Cameras write it in the user's language; "train" in another one is no folder of a dataset.
    const bool own = ownNames.contains(name.toLower()) || englishNoun(name) == ownNames.front();
    return own ? ClassGuess{kUnknownNoun, false} : guessClass(folder);
}

ClassGuess guessClass(const core::Subject& subject) {
    const ClassGuess ofName = guessClass(QString::fromStdString(subject.name));
    if (ofName.known || subject.photos.empty()) return ofName;
    return guessClassOfFolder(folderOf(QString::fromStdString(subject.photos.front().path)));
}

bool lacksClass(const core::Subject& subject) {
    const QString noun = QString::fromStdString(subject.classNoun).trimmed();
    return noun.isEmpty() || (subject.classGuessed && noun == kUnknownNoun);
}

QString shortName(const core::Subject& subject) {
    constexpr qsizetype kMost = 24;
    const QString name = QString::fromStdString(subject.name);
    return name.size() <= kMost ? name : name.left(kMost - 1) + QChar(0x2026);
}

QString classOf(const core::Subject& subject) {
    const QString noun = QString::fromStdString(subject.classNoun).trimmed();
    return noun.isEmpty() ? kUnknownNoun : noun;
}

QString subjectSentence(const core::Subject& subject) {
    const QString trigger = QString::fromStdString(subject.triggerWord).trimmed();
    const QString noun = trigger.isEmpty() ? classOf(subject) // a sentence says what is on the photo
                                           : QString::fromStdString(subject.classNoun).trimmed();
    return QStringLiteral("a photo of %1").arg((trigger + ' ' + noun).simplified());
}

QString captionOf(const core::Subject& subject, const core::Photo& photo) {
    const QString caption = QString::fromStdString(photo.caption).simplified();
    const QString trigger = QString::fromStdString(subject.triggerWord).simplified();
    if (caption.isEmpty()) return subjectSentence(subject);
    const auto word = [](const QString& text) {
        return QRegularExpression(QStringLiteral("(?<!\\w)%1(?!\\w)").arg(QRegularExpression::escape(text)),
                                  QRegularExpression::CaseInsensitiveOption |
                                      QRegularExpression::UseUnicodePropertiesOption);
    };
    if (trigger.isEmpty() || caption.contains(word(trigger))) return caption;
    const QString noun = QString::fromStdString(subject.classNoun).simplified();
    const QRegularExpressionMatch found =
        noun.isEmpty() ? QRegularExpressionMatch() : word(noun).match(caption);
    if (!found.hasMatch()) return subjectSentence(subject) + QStringLiteral(", ") + caption;
    return QString(caption).insert(found.capturedStart(), trigger + ' ');
}

/// One step of undo: what a subject was before and after; nothing stands for "not there".
class SubjectCommand : public QUndoCommand {
public:
    using State = std::optional<core::Subject>;
    SubjectCommand(SubjectBook& book, State before, State after, int row, const QString& text, QString field)
        : QUndoCommand(text)
        , m_book(book)
        , m_before(std::move(before))
        , m_after(std::move(after))
        , m_row(row)
        , m_field(std::move(field))
        , m_timeMs(QDateTime::currentMSecsSinceEpoch()) {}

    void redo() override { m_book.put(key(), m_after ? &*m_after : nullptr, m_row); }
    void undo() override { m_book.put(key(), m_before ? &*m_before : nullptr, m_row); }
    [[nodiscard]] int id() const override { return m_field.isEmpty() ? -1 : 1; }
    bool mergeWith(const QUndoCommand* other) override {
        const auto* later = dynamic_cast<const SubjectCommand*>(other);
        const bool same = later != nullptr && later->m_field == m_field && later->key() == key() &&
                          later->m_timeMs - m_timeMs < kTypingPauseMs;
        if (!same) return false;
        m_after = later->m_after;
        m_timeMs = later->m_timeMs;
        return true;
    }
    [[nodiscard]] int64_t key() const { return m_before ? m_before->id : m_after->id; }
    /// Both states get captions that came late, as `fillCaptions` says.
    void fill(const QHash<QString, QString>& captions, const std::set<int64_t>& wanting) const {
        for (State* state : {&m_before, &m_after})
            if (*state) fillCaptions(**state, captions, wanting);
    }

private:
    SubjectBook& m_book;
    mutable State m_before; // the stack shows its commands as they are
    mutable State m_after;
    int m_row;
    QString m_field;
    qint64 m_timeMs;
};

namespace {

/// As SubjectCommand::fill, of all commands of a subject in a step of undo.
void fillStep(const QUndoCommand& step, int64_t subject, const QHash<QString, QString>& captions,
              const std::set<int64_t>& wanting) {
    if (const auto* own = dynamic_cast<const SubjectCommand*>(&step); own != nullptr && own->key() == subject)
        own->fill(captions, wanting);
    for (int i = 0; i < step.childCount(); ++i) fillStep(*step.child(i), subject, captions, wanting);
}

} // namespace

SubjectBook::SubjectBook(LibraryService& library, QUndoStack& undo, QObject* parent)
    : QObject(parent)
    , m_library(library)
    , m_undo(undo) {}

void SubjectBook::load() {
    m_library.ask<std::vector<core::Subject>>(
        this, [](core::Library& library) { return core::loadSubjects(library); },
        [this](const std::vector<core::Subject>& subjects) {
            m_subjects = subjects;
            m_loaded = true;
            Q_EMIT loadedAll();
        });
}

void SubjectBook::setTokenCount(TokenCount count) {
    m_tokens = std::move(count);
    Q_EMIT vocabularyChanged();
}

const core::Subject* SubjectBook::find(int64_t id) const {
    const int row = rowOf(id);
    return row < 0 ? nullptr : &m_subjects[static_cast<size_t>(row)];
}

int SubjectBook::rowOf(int64_t id) const {
    for (size_t row = 0; row < m_subjects.size(); ++row)
        if (m_subjects[row].id == id) return static_cast<int>(row);
    return -1;
}

QString SubjectBook::newName() {
    return tr("New subject");
}

int64_t SubjectBook::newestMs() const {
    int64_t newest = core::nowMs();
    for (const core::Subject& subject : m_subjects) newest = std::max(newest, subject.createdMs + 1);
    return newest;
}

const core::Subject* SubjectBook::holding(const QStringList& paths) const {
    for (const core::Subject& subject : m_subjects) {
        QSet<QString> held;
        for (const core::Photo& photo : subject.photos) held.insert(QString::fromStdString(photo.path));
        if (!paths.isEmpty() && held.contains(QSet<QString>(paths.begin(), paths.end()))) return &subject;
    }
    return nullptr;
}

int64_t SubjectBook::addFromPhotos(const QStringList& paths, const QString& named) {
    core::Subject subject;
    subject.id = core::newRecordId();
    subject.createdMs = newestMs();
    subject.triggerWord = freeTriggerWord();
    const QString folder = paths.isEmpty() ? QString() : folderOf(paths.front());
    const QString name = named.isEmpty() ? tidyName(folder) : named;
    const ClassGuess guess = named.isEmpty() ? guessClassOfFolder(folder) : guessClass(name);
    subject.name = (name.isEmpty() ? newName() : name).toStdString();
    subject.classNoun = guess.noun.toStdString();
    subject.classGuessed = true;
    if (named.isEmpty()) takeKohyasWord(folder, m_subjects, subject);
    tellApart(m_subjects, subject);
    for (const QString& path : paths) subject.photos.push_back(photoOf(path));
    const QString text = tr("make subject %1").arg(QString::fromStdString(subject.name));
    m_undo.push(new SubjectCommand(*this, {}, subject, 0, text, {}));
    takeCaptions(subject.id, 0);
    return subject.id;
}

SubjectBook::~SubjectBook() {
    // The window is closed: nobody would look for the captions again. A drive that does not answer is no
    // reason to stay.
    const auto end = std::chrono::steady_clock::now() + kLongestWait;
    for (const Late& one : m_late)
        if (one.found.wait_until(end) == std::future_status::ready) fillNow(one, false);
}

void SubjectBook::takeCaptions(int64_t id, size_t first) {
    const core::Subject& subject = *find(id);
    QStringList paths;
    std::set<int64_t> photos;
    for (size_t i = first; i < subject.photos.size(); ++i) {
        paths.append(QString::fromStdString(subject.photos[i].path));
        photos.insert(subject.photos[i].id);
    }
    if (paths.isEmpty()) return;
    const auto found = std::make_shared<std::promise<CaptionsBeside>>();
    m_late.push_back({id, std::move(photos), found->get_future().share()});
    inBackground(
        this, [paths, found] { found->set_value(captionsBeside(paths)); }, [this] { takeFound(); });
}

void SubjectBook::takeFound() {
    const auto isAwaited = [](const Late& one) {
        return one.found.wait_for(std::chrono::seconds(0)) != std::future_status::ready;
    };
    const auto ready = std::stable_partition(m_late.begin(), m_late.end(), isAwaited);
    const std::vector<Late> found(ready, m_late.end());
    m_late.erase(ready, m_late.end());
    int unread = 0;
    for (const Late& one : found) {
        unread += one.found.get().unread;
        fillNow(one, true);
    }
    if (unread > 0) Q_EMIT captionsLeftOut(unread);
}

void SubjectBook::fillNow(const Late& late, bool withSteps) {
    const QHash<QString, QString>& captions = late.found.get().captions;
    if (captions.isEmpty()) return;
    const core::Subject* subject = find(late.subject);
    core::Subject now = subject == nullptr ? core::Subject() : *subject;
    std::set<int64_t> wanting = late.photos;
    for (const core::Photo& photo : now.photos)
        if (!photo.caption.empty()) wanting.erase(photo.id);
    for (int i = 0; withSteps && i < m_undo.count(); ++i)
        fillStep(*m_undo.command(i), late.subject, captions, wanting);
    fillCaptions(now, captions, wanting);
    if (subject != nullptr && now != *subject) put(late.subject, &now, rowOf(late.subject));
}

void SubjectBook::addEach(const std::vector<QStringList>& subjects) {
    m_undo.beginMacro(tr("make %n subject(s)", nullptr, static_cast<int>(subjects.size())));
    for (auto photos = subjects.crbegin(); photos != subjects.crend(); ++photos) addFromPhotos(*photos);
    m_undo.endMacro();
}

int64_t SubjectBook::addEmpty() {
    core::Subject subject;
    subject.id = core::newRecordId();
    subject.createdMs = core::nowMs();
    subject.name = newName().toStdString();
    tellApart(m_subjects, subject);
    subject.classNoun = kUnknownNoun.toStdString();
    subject.classGuessed = true;
    subject.triggerWord = freeTriggerWord();
    m_undo.push(new SubjectCommand(*this, {}, subject, 0, tr("make a subject"), {}));
    return subject.id;
}

void SubjectBook::addPhotos(int64_t id, const QStringList& paths) {
    const core::Subject* subject = find(id);
    if (subject == nullptr || paths.isEmpty()) return;
    core::Subject after = *subject;
    for (const QString& path : paths) after.photos.push_back(photoOf(path));
    if (after.classGuessed && lacksClass(after)) after.classNoun = guessClass(after).noun.toStdString();
    const size_t before = subject->photos.size(); // it is replaced
    change(after, tr("add %n photo(s)", nullptr, static_cast<int>(paths.size())));
    takeCaptions(id, before);
}

void SubjectBook::remove(int64_t id) {
    const core::Subject* subject = find(id);
    if (subject == nullptr) return;
    const QString text = tr("remove subject %1").arg(QString::fromStdString(subject->name));
    m_undo.push(new SubjectCommand(*this, *subject, {}, rowOf(id), text, {}));
}

void SubjectBook::change(const core::Subject& after, const QString& text, const QString& field) {
    const core::Subject* before = find(after.id);
    if (before == nullptr || *before == after) return;
    m_undo.push(new SubjectCommand(*this, *before, after, rowOf(after.id), text, field));
}

void SubjectBook::changeAll(const std::vector<core::Subject>& after, const QString& text) {
    if (after.empty()) return;
    m_undo.beginMacro(text);
    for (const core::Subject& subject : after) change(subject, text);
    m_undo.endMacro();
}

void SubjectBook::put(int64_t id, const core::Subject* state, int row) {
    const int known = rowOf(id);
    if (state == nullptr) {
        if (known < 0) return;
        Q_EMIT aboutToRemove(known);
        m_subjects.erase(m_subjects.begin() + known);
        Q_EMIT removed(known);
        m_library.write([id](core::Library& library) { return core::removeSubject(library, id); });
        return;
    }
    if (known < 0) {
        row = qBound(0, row, static_cast<int>(m_subjects.size()));
        Q_EMIT aboutToInsert(row);
        m_subjects.insert(m_subjects.begin() + row, *state);
        Q_EMIT inserted(row);
    } else {
        m_subjects[static_cast<size_t>(known)] = *state;
        Q_EMIT changed(known);
    }
    // The list's order is that of the keys' times, newest first.
    m_library.write([copy = *state](core::Library& library) {
        return core::saveSubject(library, copy, -copy.createdMs);
    });
}

} // namespace homebooth::app
