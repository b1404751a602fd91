// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The models and add-ons (LoRAs, learned words) that the user can choose: the built-in one, imported ones,
// results of runs.
// Owned by main; GUI thread. Files and folders are looked at off it, by threads of their drives; `changed`
// follows.
#pragma once

#include "app/engine/runs/training_recipe.h"
#include "core/base/model/inspect.h"
#include "core/library/run_store.h"

#include <QHash>
#include <QObject>
#include <QStringList>
#include <QTimer>

#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace homebooth::app {

/// What a model is called where nobody named it: its folder, or its file without what follows the last dot.
[[nodiscard]] QString modelNameOf(const QString& path);

class LibraryService;
class RunCentre;
class RunResults;

struct ModelEntry {
    enum class Origin { BuiltIn, Imported, Run };
    enum class Kind { Model, Lora, Embedding };
    QString name;
    QString path;
    Origin origin = Origin::BuiltIn;
    Kind kind = Kind::Model;
    QString runFolder;    ///< of results
    QString base;         ///< of results: path of the model that the run began with, where it is now
    QString baseSha256;   ///< of that model; empty: the run does not say
    QString prompt;       ///< of results: the sentence that it learned
    int64_t recordId = 0; ///< of imported ones
    QString sha256;       ///< as it was worked out last; empty: never
    QString note;         ///< of imported ones: what the user wrote of its licence
    int64_t addedMs = 0;
    ModelFacts facts;    ///< of an add-on its family and words alone, `usable` if the file says it
    bool looked = false; ///< whether `facts` are known yet

    [[nodiscard]] bool isModel() const { return kind == Kind::Model; }
    /// Works together with a model alone.
    [[nodiscard]] bool isAddOn() const { return !isModel(); }
    /// Whether its run began with a model of its own folder.
    [[nodiscard]] bool hasOwnBase() const { return base.startsWith(runFolder + '/'); }
};

/// A saved moment of a run that can make pictures.
struct MomentEntry {
    QString name;       ///< "robot toy, step 200"
    QString path;       ///< the checkpoint's folder
    QString base;       ///< the model that it is joined with; of an add-on: that its run began with
    QString baseSha256; ///< of that model; empty: the run does not say, or it is the run's own
    int64_t step = 0;
    bool lora = false;
    QString usable; ///< what `findUsable` makes of it
    friend bool operator==(const MomentEntry&, const MomentEntry&) = default;
};

class ModelShelf : public QObject {
    Q_OBJECT
public:
    ModelShelf(LibraryService& library, RunCentre& runs, QObject* parent = nullptr);

    [[nodiscard]] const std::vector<ModelEntry>& entries() const { return m_entries; }
    [[nodiscard]] const ModelEntry* find(const QString& path) const;
    /// The entry of a path, of a moment that of its base, whose shape it has; null if there is none.
    [[nodiscard]] const ModelEntry* shapeOf(const QString& path) const;
    /// Saved moments of all runs, those of a run together.
    [[nodiscard]] const std::vector<MomentEntry>& moments() const;
    /// Finds what the engine can open for entries and saved moments; the links or files of the latter are
    /// made if need be. `take` is called at once if there are none, unless `receiver` is gone by then.
    /// Errors: BadInput for a moment whose files are gone
    void findUsable(const QStringList& paths, QObject* receiver,
                    std::function<void(const core::Result<QStringList>&)> take) const;
    /// What people call the model of a path, be it an entry, a moment or what `findUsable` made of it.
    [[nodiscard]] QString nameOf(const QString& path) const;
    /// The size that a model was made for, of a moment that of its base; 512 while nobody knows.
    [[nodiscard]] qint64 pixelsOf(const QString& path) const;
    /// What the sides of its pictures are multiples of, see ModelFacts.
    [[nodiscard]] qint64 sizeStepOf(const QString& path) const;
    /// The family of a model or a moment, of an add-on that it was made for; none while nobody knows.
    [[nodiscard]] std::optional<core::ModelFamily> familyOf(const QString& path) const;
    /// Whether an add-on is known to be made for other models than this one.
    [[nodiscard]] bool madeForAnother(const QString& addOn, const QString& model) const;
    /// Whether it is an entry, a moment, or what `findUsable` made of one.
    [[nodiscard]] bool knows(const QString& path) const;
    /// The folder of the training that a path comes from, be it a result or a moment; empty: of none.
    [[nodiscard]] QString runOf(const QString& path) const;
    /// The moment that it is, or that `findUsable` made it of; null if it is none.
    [[nodiscard]] const MomentEntry* moment(const QString& path) const;
    /// Where the model of a moment's `base` is now.
    [[nodiscard]] QString baseOf(const MomentEntry& moment) const;
    /// Looks for what was imported and what the runs made, and once more at what could not be used.
    void refresh();
    /// Frees the cache of what was made of moments, once a session and when all runs are known.
    /// @param inUse  files and folders that pictures wait with
    void tidy(const QStringList& inUse);
    /// Whether it is known what was imported.
    [[nodiscard]] bool listed() const { return m_asked == 0; }
    /// Whether all that was asked for is in: a model that is not known now will not come by itself.
    [[nodiscard]] bool settled() const;

    /// Looks at a file or folder and takes it up if it is a model or an add-on; one that is known keeps its
    /// name and its note.
    /// `imported`, when it is an entry, or `refused` follows.
    /// @param shapeSuffices  also configurations without weights, which new models are made from
    void import(const QString& path, bool shapeSuffices = false);
    /// What the library keeps of an imported model; nothing if it has none.
    [[nodiscard]] std::optional<core::ModelRecord> record(int64_t recordId) const;
    /// Writes an imported model, known or forgotten before.
    void put(const core::ModelRecord& record);
    /// Looks at an entry once more: its file is not what it was.
    void lookAgain(const QString& path);
    /// Notes what was worked out of an entry's files. An imported one of which it was not known takes the
    /// place of one of the same content whose file is gone.
    /// @returns whether it is imported, and its files were others before
    bool noteHash(const QString& path, const QString& sha256);
    /// Forgets an imported model; its files stay.
    void forget(int64_t recordId);

Q_SIGNALS:
    void changed();
    void imported(const QString& path, bool addOn);
    /// @param headline  in the user's language. @param detail  what the engine says beside it, which is
    ///                  English; empty: nothing more
    void refused(const QString& headline, const QString& detail);

private:
    /// Asks the library what was imported, then calls `then`, which may be null.
    void reload(std::function<void()> then);
    /// Takes what the library has, but keeps what it will have when there is room on its disk.
    void takeRecords(std::vector<core::ModelRecord> records);
    void arrange();
    void tellNamesApart();
    /// What results and moments began with may lie elsewhere by now: a model of the same content that is
    /// there stands for it.
    void followBases();
    /// @param sha256  of the one that was there. @returns  where it is; `base` where nobody knows
    [[nodiscard]] QString placeOf(const QString& base, const QString& sha256) const;
    void look(const QString& path, bool addOn);
    void takeUp(core::ModelRecord found);
    /// Gives it name and note of a gone one of the same content, which leaves the records.
    /// @returns  the key of that one, which the library still has; 0: there is none
    int64_t takePlaceOfGone(core::ModelRecord& found);
    /// Has the entries show a record.
    void keep(const core::ModelRecord& record);
    /// Gives the entries what is known of them by now, and tells of it.
    void tellFacts();
    /// Does what `tidy` has asked for, as soon as that can be.
    void tidyOnce();

    LibraryService& m_library;
    RunResults* m_results = nullptr; // a child
    std::vector<core::ModelRecord> m_records;
    std::vector<ModelEntry> m_entries;
    QHash<QString, size_t> m_entryAt; // by path; pages ask for hundreds at each change
    QMap<QString, ModelFacts> m_facts;
    QHash<std::pair<QString, qint64>, QString> m_hashes; // of what the library does not keep: path, addedMs
    QHash<QString, QString> m_placeOf;                   // of models that are there, by SHA-256
    QTimer m_tell;                                       // of what was looked at while others are looked at
    QMap<QString, int> m_beingLookedAt;                  // the look at each path that counts
    int m_looks = 0;
    int m_asked = 0;                    // questions to the library
    int m_edits = 0;                    // of records, since the start
    bool m_read = false;                // what the library has, once
    bool m_goneChanged = false;         // since bases were followed: whether a file is gone
    std::optional<QStringList> m_inUse; // nothing: not asked to tidy yet, or done
};

} // namespace homebooth::app
