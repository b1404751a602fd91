// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Models: the built-in one, imported ones, results of runs; what they are, what they cost on the disk, what
// can be done with them. Owned by the main window; GUI thread.
#pragma once

#include "app/engine/runs/disk_use.h"
#include "app/pages/models/model_commands.h"
#include "app/pages/models/model_list.h"
#include "app/shell/page.h"
#include "app/shell/services.h"
#include "core/base/model/inspect.h"

#include <QHash>
#include <QUrl>

#include <functional>
#include <vector>

class QFormLayout;
class QLabel;
class QLineEdit;
class QListView;
class QMenu;

namespace homebooth::app {

class InUseMessage;
class ModelCheck;
class PredictionTrial;
enum class Predicts;

class ModelsPage : public Page {
    Q_OBJECT
public:
    explicit ModelsPage(Services services, QWidget* parent = nullptr);

    /// Writes a model to a place that does not exist yet. @param kind  as `convert --to` has it
    void exportTo(const QString& from, const QString& to, const QString& kind);
    /// The name that is proposed for the file or folder, without ending: of what a run made, and of add-ons,
    /// the one that pictures have.
    [[nodiscard]] static QString exportName(const ModelEntry& entry);
    /// Chooses a model of the shelf.
    void showModel(const QString& path);
    /// Whether the user has yet to say what a model predicts.
    [[nodiscard]] bool asksAbout(const ModelEntry& entry) const;

    /// Shows what trainings keep on the disk of a folder, once the page comes into view.
    void makeRoomFor(const QString& folder) { m_roomFor = folder; }

    void activated() override;
    bool command(Command command) override;
    [[nodiscard]] QWidget* searchField() override;

Q_SIGNALS:
    void picturesWanted(const QString& path); ///< of a model or an add-on
    void trainWanted(const QString& model);
    void runWanted(const QString& folder);
    void importWanted(const QStringList& paths); ///< files or folders, chosen together

protected:
    /// Esc within the name leaves it as it was.
    bool eventFilter(QObject* watched, QEvent* event) override;
    [[nodiscard]] bool ready(Command command) const override;

private:
    void connectModels();
    [[nodiscard]] QWidget* makeList();
    [[nodiscard]] QWidget* makeDetails();
    [[nodiscard]] QFormLayout* makeFacts();
    /// The only one that is chosen; null: none is, or several are.
    [[nodiscard]] const ModelEntry* chosen() const;
    /// Those that are chosen, in the order of the list.
    [[nodiscard]] std::vector<const ModelEntry*> allChosen() const;
    /// Whether one of them is not built in.
    [[nodiscard]] bool anyToDelete() const;
    /// The one that the page shows, or that stands where several are chosen.
    [[nodiscard]] const ModelEntry* shown() const;
    [[nodiscard]] QModelIndex shownIndex() const;
    void chooseRow(int row);
    void refresh();
    /// What a result has learned, of several subjects those that are still there.
    [[nodiscard]] QStringList sentencesOf(const ModelEntry& entry) const;
    /// What it learned, what was made from it, and what it cannot do.
    [[nodiscard]] QString historyOf(const ModelEntry& entry) const;
    /// Shows what a model has; nothing but words about nothing, while none is chosen.
    void showParts(const ModelEntry* entry);
    /// What can be done with it. Each button is shown or hidden once: one that shows for a moment would move
    /// the others from under a click.
    void showButtons(const ModelEntry* entry);
    /// Keeps what was worked out, and says if the file is another one than before.
    void noteHash(const QString& path, const QString& sha256);
    void takeShown(QString path);
    void look();
    void measureRuns();
    void showDisks(const QHash<QString, RunDisk>& disks);
    void showFree();
    /// Says what can go on a disk that is full, also where that is nothing.
    void offerRoom(const DiskName& full);
    void askToPrune(const Prunable& disk);
    void prune(const Prunable& disk);
    /// @param licence  as its files name it; empty: they do not
    void showFacts(const core::Inspection& facts, const QString& licence);
    /// Whether the user may say what a model predicts: nothing in its files does.
    [[nodiscard]] bool mayAsk(const ModelEntry& entry) const;
    void showQuestion(const ModelEntry* entry);
    void answerPrediction(Predicts answer);
    void sayTrialFailed(const QString& headline, const QString& detail);
    /// Where the answer is kept that a file does not give.
    [[nodiscard]] static QByteArray predictionKey(const QString& path);
    void askToDelete();
    struct Removal;
    [[nodiscard]] Removal removalOfChosen() const;
    /// Moves models that were brought along into the trash, then trainings; what fails stays on the list.
    void deleteFiles(const Removal& removal);
    /// One step of undo. @param runs  folders of trainings that go into the trash next
    void noteTrashed(const std::vector<ModelTrashCommand::One>& trashed, const QStringList& runs);
    [[nodiscard]] QWidget* makeReadLicence();
    [[nodiscard]] QWidget* makeQuestion();
    [[nodiscard]] QWidget* makeAnswers();
    /// What opens the question for a model that is not asked about: nearly all of its family predict the
    /// same.
    [[nodiscard]] QWidget* makeDoubt();
    /// For whoever has nothing but the built-in model.
    [[nodiscard]] QWidget* makeHint();
    [[nodiscard]] QWidget* makeButtons();
    void chooseImport(bool folder);
    void fillExportMenu();
    void exportChosen(const QString& kind);
    struct AfterWriting {
        std::function<void()> done;
        std::function<void()> undone;                  ///< when it failed or was stopped; may be none
        std::function<void(const QString&)> elsewhere; ///< does it in another folder, where the disk is full
    };
    /// Has the engine write a model. @param order  from, to and options; @param going  HTML, while it works
    void write(const QStringList& order, const QString& going, const QString& failed,
               const AfterWriting& after);
    /// Calls `go` where the disk has room for another copy of a model, else says so.
    /// @param undone  called where it has none
    void ifRoom(const QString& from, const QString& to, const std::function<void()>& go,
                const std::function<void(const QString&)>& elsewhere,
                const std::function<void()>& undone = {});
    /// @param kept  what became of it
    void tellFull(const QString& from, const QString& to,
                  const std::function<void(const QString&)>& elsewhere, const QString& kept);
    void tellNoRoomFor(const Shortage& disk, const QString& to,
                       const std::function<void(const QString&)>& elsewhere, const QString& kept);
    struct Rewriting {
        QString path;
        QString name;               ///< of the new folder
        QStringList said;           ///< options of the engine
        std::function<void()> note; ///< keeps what was answered
    };
    void writeAnew(const Rewriting& model, const QString& folder);
    void forgetChosen();
    void renameChosen();
    void leaveName();
    void rename(const QString& path, const QString& name);
    void noteLicence(const QString& path, const QString& note);
    /// Keeps the licence that was typed, which is of the model that is shown.
    void noteTyped();
    /// Goes on to another model: what is being typed is of the one that was shown.
    void leaveShown(QString next);
    /// Remembers several that are chosen, before the list becomes another one.
    void noteChosen();
    void chooseShown();
    /// Chooses what was imported as soon as the list has it, unless the one that is shown is in use.
    void chooseImported();
    /// Whether something of the model that is shown is being typed, or a trial of it is out.
    [[nodiscard]] bool isBeingEdited() const;
    /// Chooses what an earlier session showed, unless somebody chose another one since.
    void chooseLast();

    Services m_services;
    ModelList m_list;
    QListView* m_view = nullptr;
    QLineEdit* m_search = nullptr;
    QLineEdit* m_name = nullptr;
    InUseMessage* m_inUse = nullptr;
    QLabel* m_title = nullptr;
    QFormLayout* m_facts = nullptr;
    QWidget* m_question = nullptr;
    QWidget* m_hint = nullptr;
    PredictionTrial* m_trial = nullptr; ///< part of the question
    QPushButton* m_velocity = nullptr;  ///< likewise
    QPushButton* m_fromNoise = nullptr; ///< likewise, of SDXL
    QPushButton* m_doubt = nullptr;
    QLineEdit* m_licence = nullptr;
    QWidget* m_licencePart = nullptr;
    QPushButton* m_readLicence = nullptr;
    QUrl m_licenceUrl; ///< where the text of the licence is; empty: nowhere
    ModelCheck* m_check = nullptr;
    QLabel* m_made = nullptr;
    QLabel* m_disk = nullptr;
    QLabel* m_keeps = nullptr;
    QPushButton* m_rename = nullptr;
    QHash<QString, RunDisk> m_disks; ///< of runs, by folder
    QStringList m_several;           ///< paths of what was chosen before the list became another one
    QString m_imported;              ///< path of what is to be chosen
    QString m_last;                  ///< path that an earlier session showed, until the list has it
    QString m_renaming;              ///< path of what gets another name
    int m_row = 0;                   ///< of what is shown
    QPushButton* m_free = nullptr;
    QMenu* m_freeMenu = nullptr; ///< of `m_free`, where there are several disks
    std::vector<Prunable> m_prunable;
    QString m_roomFor;        ///< its disk is full; empty: nobody has said so
    bool m_measuring = false; ///< what runs take of the disk
    bool m_measureAgain = false;
    QString m_doubted;      ///< model of which the user opened the question
    QStringList m_answered; ///< models that are being written anew with the user's answer
    QPushButton* m_pictures = nullptr;
    QPushButton* m_train = nullptr;
    QPushButton* m_run = nullptr;
    QPushButton* m_export = nullptr;
    QPushButton* m_find = nullptr; ///< of a file that is gone
    QPushButton* m_forget = nullptr;
    QPushButton* m_delete = nullptr;
    QString m_shown;
    bool m_stale = false; ///< it is still to be looked at, or again: its file may be another one
};

} // namespace homebooth::app
