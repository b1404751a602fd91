// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Train: before the start, while it runs, after the end. Owned by the main window; GUI thread.
#pragma once

#include "app/engine/queue/dataset_order.h"
#include "app/engine/runs/learned_sizes.h"
#include "app/shell/page.h"
#include "app/shell/services.h"
#include "core/library/subject_store.h"

#include <optional>
#include <string>
#include <vector>

class QMenu;
class QStackedWidget;

namespace homebooth::app {

class RunSession;
class TrainProgress;
struct RunMoment;
struct RunOrder;
class TrainSetup;
struct Remedy;
struct ResumeOptions;
struct RunEnd;

class TrainPage : public Page {
    Q_OBJECT
public:
    explicit TrainPage(Services services, QWidget* parent = nullptr);

    /// Shows the form with this subject chosen, unless a run works.
    void prepareSubject(int64_t subject);
    /// A new model is one of the shape of the chosen model: `prepareModel` comes before.
    void prepareDataset(const DatasetOrder& order);
    void prepareModel(const QString& path);
    /// Whether a folder of example pictures can be taken, and somebody sees where it is named.
    [[nodiscard]] bool takesExamples() const;
    void takeExamples(const QString& folder);
    /// A model was imported: see TrainSetup::takeImported.
    void takeImported(const QString& path);
    /// Shows the run that works or ended last.
    void showRun();
    /// The previews of the run in view, for the large view.
    [[nodiscard]] QStringList pictures() const;
    /// What is known of one of them beside its file.
    [[nodiscard]] QString noteOf(const QString& picture) const;

    void activated() override;
    bool command(Command command) override;
    [[nodiscard]] QWidget* searchField() override;
    void setCompact(bool compact) override;

Q_SIGNALS:
    /// Make pictures with this model (and add-on), for this sentence; empty: nobody knows one.
    void picturesWanted(const QString& model, const QString& lora, const QString& prompt);
    /// A subject that is to be learned needs photos.
    void photosWanted(qlonglong subject);
    void classWanted(qlonglong subject); ///< it is to be said what it is
    void importWanted();                 ///< of a model
    void largeWanted(const QString& path);
    /// What the chosen model will learn at.
    void pixelsChanged(qlonglong pixels);
    /// And at which sizes, shapes included.
    void sizesChanged(const homebooth::app::LearnedSizes& sizes);

private:
    static constexpr const char* kEndMessage = "end";
    static constexpr const char* kQuietMessage = "quiet";
    static constexpr const char* kLeanerMessage = "leaner";
    static constexpr const char* kRoomMessage = "room";
    enum class View { Setup, Run };
    void show(View view);
    /// Shows the form to somebody who wants to fill it in: no run that begins meanwhile takes it away.
    void showForm();
    void refresh();
    void refreshSetup();
    void refreshRun();
    void followRun();
    void showEnd(RunSession& run);
    void nameNextSteps(const RunSession& run);
    void showDone(const RunSession& run);
    /// "A whole model, 2.1 GB, in Models as "robot toy"."
    [[nodiscard]] QString madeText(const RunSession& run);
    /// What a run's result takes of the disk; 0 until that was measured.
    [[nodiscard]] qint64 resultBytes(const RunSession& run);
    /// Says that no step has come for long, until one comes or somebody wants to wait.
    void watchQuiet(RunSession& run);
    /// Says once that a run goes on with less memory, and shows what was planned.
    void tellLeaner(const RunSession& run);
    /// Says that a run finds no room on its disk, with what helps, for as long as it waits for that.
    /// @param run  null: another thing is shown
    void tellFullDisk(RunSession* run);
    [[nodiscard]] QString nowText(const RunSession& run) const;
    void showProblem(RunSession& run, const QString& saved);
    /// That its folder is gone, with the way to find it.
    void showGone(RunSession& run);
    void showReading(const RunSession& run);
    [[nodiscard]] std::vector<Remedy> remediesOf(const RunSession& run, const RunEnd& end);
    /// Of one that swaps too little, or nowhere.
    [[nodiscard]] std::vector<Remedy> swapRemedies(const RunSession& run, const RunEnd& end);
    /// Goes on with the model that a run learns from where it is now: in the list, by its hash, or where the
    /// user says. @param model  where it was
    void findModel(const QString& folder, const QString& model);
    void goOn(const QString& folder, const ResumeOptions& options);
    void pressMain();
    /// Asks for pictures by what the run came to, or by the moment of it that was chosen.
    void makePictures(const RunSession& run);
    /// Fills the form for a pictures model on top of the autoencoder that the run made.
    void trainOnTop(const RunSession& run);
    /// For the sentence that the run learned, or for what its latest preview shows.
    void askForPictures(const RunSession& run, const QString& model, const QString& lora);
    void trainFurther();
    /// Lets it be chosen how a run that is done is trained further from its end.
    void offerFurther(const RunSession& run);
    /// Fills the form with an earlier moment as the model that learns.
    void trainFrom(const QString& checkpoint);
    /// Of a training whose subject is gone: in its place no other one is learned unasked.
    void leaveOpenWhatToLearn();
    /// Of the run that is shown, chosen instead of its end.
    [[nodiscard]] std::optional<RunMoment> earlierMoment() const;
    [[nodiscard]] QMenu* makeMore();
    void connectButtons();
    void connectRuns();
    /// What is told while the photos of a training are copied, and where they have no room.
    void connectBeginning();
    /// Whether what the form began has no end yet. Of two at once both would take the same folder.
    [[nodiscard]] bool starting() const;
    void takeBegun(const QString& folder, bool queued);
    /// Makes a run of what the form says. @param elsewhere  a folder of runs, where theirs has no room
    void begin(const RunOrder& order, const QString& elsewhere = {});
    /// The run that the form began with what it says now, where that waits or works: another would do the
    /// same once more. Empty: there is none.
    [[nodiscard]] QString sameUnderWay() const;
    /// Begins what the form says, at once or as soon as its plan is there and fits, unless something else is
    /// chosen meanwhile.
    void wantStart();
    /// Begins what waits for its plan, or gives that up.
    void startWanted();
    void keepSpeed(const QString& folder);
    void pressSecond();

    Services m_services;
    QStackedWidget* m_stack = nullptr;
    TrainSetup* m_setup = nullptr;
    TrainProgress* m_progress = nullptr;
    QPushButton* m_more = nullptr;
    QPushButton* m_second = nullptr;
    QPushButton* m_stop = nullptr;
    View m_view = View::Setup;
    bool m_formWanted = false; ///< the form is in view since somebody asked for it
    QString m_waits;           ///< the run that a message says waits
    bool m_starting = false;
    /// What the form began, in all that makes another training of it.
    struct Begun {
        QString folder; ///< empty: it is being made
        std::string config;
        std::vector<core::Subject> subjects;
    };
    std::vector<Begun> m_begun;
    std::optional<Begun> m_wanted; ///< is begun once its plan is there
    bool m_wasReady = false;       ///< before the plan that is being worked out
    bool m_quiet = false;          ///< a message says so
    qint64 m_waitedFor = 0;        ///< the last sign of life after which the user wants to wait
    QString m_measured;            ///< the result, and at which step, that m_resultBytes is of
    qint64 m_resultBytes = 0;
    QString m_told;   ///< the end that the message told of
    QString m_leaner; ///< the run and step of the leaner plan that a message told of
    QString m_full;   ///< the run and which of its waits for room a message told of
};

} // namespace homebooth::app
