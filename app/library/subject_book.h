// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The user's subjects as the window holds them: every change is an undo command, is shown at once and goes to
// the library at once. Owned by main; GUI thread.
#pragma once

#include "app/library/photo_captions.h"
#include "app/library/trigger_words.h"
#include "core/library/subject_store.h"

#include <QObject>
#include <QStringList>

#include <future>
#include <set>
#include <vector>

class QUndoStack;

namespace homebooth::app {

class LibraryService;

class SubjectBook : public QObject {
    Q_OBJECT
public:
    SubjectBook(LibraryService& library, QUndoStack& undo, QObject* parent = nullptr);
    ~SubjectBook() override;

    void load();
    [[nodiscard]] bool loaded() const { return m_loaded; }
    [[nodiscard]] const std::vector<core::Subject>& subjects() const { return m_subjects; }
    [[nodiscard]] const core::Subject* find(int64_t id) const;
    [[nodiscard]] int rowOf(int64_t id) const; ///< -1 if unknown

    /// Takes what counts tokens in the models that there are; `vocabularyChanged` follows.
    void setTokenCount(TokenCount count);
    [[nodiscard]] const TokenCount& tokenCount() const { return m_tokens; }
    /// A trigger word that no subject has.
    [[nodiscard]] std::string freeTriggerWord() const { return suggestTriggerWord(m_subjects, m_tokens); }

    /// The first subject that has all of these photos; null: none.
    [[nodiscard]] const core::Subject* holding(const QStringList& paths) const;
    /// Makes a subject of photos; name and class come from their folder, captions that lie beside the
    /// photos in a moment, as if they had been there in this step of undo. @returns its key
    /// @param named  empty: the name of the photos' folder; numbered where another subject has it
    int64_t addFromPhotos(const QStringList& paths, const QString& named = {});
    /// Makes a subject of each list of photos, the first of them uppermost; one step of undo takes all back.
    void addEach(const std::vector<QStringList>& subjects);
    /// What a subject is called until somebody names it; several are numbered.
    [[nodiscard]] static QString newName();
    /// An empty one, to be filled.
    int64_t addEmpty();
    void addPhotos(int64_t subject, const QStringList& paths);
    void remove(int64_t subject);

    /// Replaces a subject by its changed copy. @param text  what undo says, e.g. "crop photo 3"
    /// @param field  successive changes of the same field within a typing pause become one; empty: never
    void change(const core::Subject& after, const QString& text, const QString& field = {});
    /// Replaces several by their changed copies, in one step of undo.
    void changeAll(const std::vector<core::Subject>& after, const QString& text);

Q_SIGNALS:
    void loadedAll();
    void vocabularyChanged();
    void aboutToInsert(int row);
    void inserted(int row);
    void aboutToRemove(int row);
    void removed(int row);
    void changed(int row);
    /// Files beside new photos that no training would take as captions, and that are not taken here either.
    void captionsLeftOut(int files);

private:
    friend class SubjectCommand;
    /// Now, or later than all subjects: several may be made within a millisecond.
    [[nodiscard]] int64_t newestMs() const;
    /// Captions of new photos that are looked for.
    struct Late {
        int64_t subject = 0;
        std::set<int64_t> photos; ///< keys
        std::shared_future<CaptionsBeside> found;
    };
    /// Gives the photos of a subject from this one on the captions beside them once they are read, where
    /// nobody has typed one by then: now and in all steps of undo that know the photos, so that none comes or
    /// goes by another step.
    void takeCaptions(int64_t subject, size_t first);
    void takeFound();
    void fillNow(const Late& late, bool withSteps);
    /// Sets the state of one subject: absent, new or changed.
    void put(int64_t id, const core::Subject* state, int row);

    LibraryService& m_library;
    QUndoStack& m_undo;
    std::vector<core::Subject> m_subjects;
    std::vector<Late> m_late;
    TokenCount m_tokens;
    bool m_loaded = false;
};

/// The class noun that a name suggests ("robot_toy": "toy"), and whether it is one that is known.
struct ClassGuess {
    QString noun;
    bool known = false;
};
[[nodiscard]] ClassGuess guessClass(const QString& name);

/// The same for a folder, whose name may be a camera's or a program's own ("DCIM/Camera", "train"): that
/// says nothing of what is in the photos.
[[nodiscard]] ClassGuess guessClassOfFolder(const QString& folder);

/// What the subject's name suggests; where that is nothing known, what the folder of its photos does.
[[nodiscard]] ClassGuess guessClass(const core::Subject& subject);

/// Whether nobody has said yet what the subject is, and nothing suggested it.
[[nodiscard]] bool lacksClass(const core::Subject& subject);

/// Its name within a sentence or on a button; of a long one the beginning.
[[nodiscard]] QString shortName(const core::Subject& subject);

/// The noun of all that is of its kind: "object" where nobody says any.
[[nodiscard]] QString classOf(const core::Subject& subject);

/// The sentence that stands for the subject: "a photo of ohwx toy", or without a noun "a photo of ohwx".
[[nodiscard]] QString subjectSentence(const core::Subject& subject);

/// What a photo teaches: its own caption, into which the trigger word is put where it is missing ("a toy on a
/// shelf": "a ohwx toy on a shelf"); without one the subject's sentence.
[[nodiscard]] QString captionOf(const core::Subject& subject, const core::Photo& photo);

} // namespace homebooth::app
