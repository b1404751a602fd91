// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Before the start: what to learn, from which model, how well; the plan beside it. GUI thread.
#pragma once

#include "app/engine/plans/plan_facts.h"
#include "app/engine/plans/plan_time.h"
#include "app/engine/plans/setting_clashes.h"
#include "app/engine/runs/learned_sizes.h"
#include "app/engine/runs/run_centre.h"
#include "app/engine/runs/training_recipe.h"
#include "app/shell/services.h"
#include "core/base/config/colour.h"

#include <QElapsedTimer>
#include <QJsonObject>
#include <QWidget>

#include <memory>
#include <optional>
#include <string>
#include <utility>

class QButtonGroup;
class QCheckBox;
class QComboBox;
class QLabel;
class QLayout;
class QPushButton;
class QRadioButton;
class QScrollArea;
class QTimer;

namespace homebooth::app {

class ExampleFolder;
class ExpertForm;
class GpuWatch;
class LearnChoice;
class PlanPanel;
class RemedyFinder;
struct DatasetKnown;
struct ModelEntry;
struct PlanChange;
struct PlanPast;
struct PlanRemedy;
struct WorkCount;

class TrainSetup : public QWidget {
    Q_OBJECT
public:
    explicit TrainSetup(Services services, QWidget* parent = nullptr);
    ~TrainSetup() override;

    /// Takes a subject as the only one to learn. What an earlier session left in the form is not meant for
    /// another subject than its own, unless somebody has been at it since.
    void setSubject(int64_t subject);
    /// Takes one more to learn together with them.
    void addSubject(int64_t subject);
    /// Leaves it open what is to be learned.
    void setNothing();
    /// @param scratch  new weights, instead of the model's own learning further
    void setDataset(const QString& name, const QString& folder, bool scratch = false,
                    uint32_t background = core::kWhite);
    /// Whether of a new model the autoencoder is to be made, or all else on top of one.
    void setAutoencoder(bool autoencoder);
    /// Whether pictures of the dataset that cannot be read are left out, unless the expert settings say
    /// otherwise.
    void setSkipBroken(bool skip);
    /// How many pictures of the dataset can be learned, by which it is told how many steps do; 0: nobody
    /// knows.
    void setPictures(int64_t pictures);
    /// Looks how many pictures of the chosen dataset can be learned by now, and whether others have to
    /// be left out; as long as its folder does not answer, what was known of it counts.
    /// @param chosen  just now, in the form, so that nobody has said yet whether some are to be left out
    void lookAtDataset(bool chosen = false);
    /// @param path  of the shelf, also what it made of a saved moment
    void setModel(const QString& path);
    /// Takes a model that was just imported and looked at: whoever has the form in view means it to learn,
    /// and else it takes the place of the built-in one.
    void takeImported(const QString& path);
    void toggleExpert();
    /// Whether a folder of example pictures can be taken, and somebody sees where it is named.
    [[nodiscard]] bool takesExamples() const;
    void takeExamples(const QString& folder);
    /// Finds expert settings, which are unfolded for it.
    [[nodiscard]] QWidget* searchField();
    /// What is to be learned comes into view, wherever in the form somebody was before.
    void showTop();
    /// Takes what is being typed, e.g. before a training begins; what changes by that asks for another plan.
    void finishTyping();
    /// Whether the plan says that it can start.
    [[nodiscard]] bool ready() const;
    /// Whether that is being worked out.
    [[nodiscard]] bool working() const;
    [[nodiscard]] RunOrder order() const;

Q_SIGNALS:
    void changed();
    /// What the chosen model will learn at, once it is known.
    void pixelsChanged(qlonglong pixels);
    /// And at which sizes, shapes included.
    void sizesChanged(const homebooth::app::LearnedSizes& sizes);
    void subjectWanted();                   ///< there is none to choose
    void settingsWanted();                  ///< another folder or limit would help
    void roomWanted(const QString& folder); ///< what trainings keep on its disk could go
    void photosWanted(qlonglong subject);   ///< it has none to learn, or they are gone
    void classWanted(qlonglong subject);    ///< it is to be said what it is
    void importWanted();                    ///< of a model: there is none but the built-in one

protected:
    void showEvent(QShowEvent* event) override;
    bool event(QEvent* event) override;

private:
    void connectParts();
    [[nodiscard]] QWidget* makeForm();
    [[nodiscard]] QWidget* makePlan();
    [[nodiscard]] QLayout* makeModel();
    [[nodiscard]] QLayout* makeResult();
    [[nodiscard]] QWidget* makePart();
    [[nodiscard]] QLayout* makeQuality();
    [[nodiscard]] QLayout* makeKeep();
    [[nodiscard]] QLayout* makeExpert();
    /// Wants to know whether several processes or cards could train on this computer. What was chosen of
    /// them before counts until that is known.
    void wantGpus();
    void takeGpus();
    [[nodiscard]] TrainingChoice choice() const;
    void fillModels();
    /// Writes down what stands in the form; what it is after a restart is that.
    void keepState();
    void restoreState();
    void takeState(const QJsonObject& state);
    /// All but what is to be learned.
    [[nodiscard]] QJsonObject formState() const;
    /// The form as it is at first, but for what is to be learned and for the model that learns it.
    void forgetRestored();
    /// Why the form is looked at anew: the list of models or of GPUs alone asks for no plan that was
    /// asked for already.
    enum class Reason { Models, Gpus, Other };
    void refresh() { refreshBy(Reason::Other); }
    void refreshBy(Reason reason);
    /// Takes back what was typed for something else to learn: prompts of previews, which hold its word, and
    /// examples of another kind.
    void followLearned();
    /// Whether another subject is to be learned by now, of another kind.
    [[nodiscard]] bool kindChanged();
    /// What the chosen model is, or why it cannot be taken.
    [[nodiscard]] QString modelNote(const ModelEntry* model, const TrainingChoice& now) const;
    /// What is missing in the model for this training, with what to do; empty: nothing.
    [[nodiscard]] static QString lackOf(const ModelEntry& model, const TrainingChoice& now);
    void tellSizes(const core::DataConfig& learned, int64_t bucketStep);
    void refreshQualities(const TrainingChoice& now);
    void refreshKeep(const TrainingChoice& now, const core::DataConfig& examples);
    /// Which example pictures are learned along, and how many of them are made.
    [[nodiscard]] QString exampleNote(const core::DataConfig& learned) const;
    /// Whether the folder of example pictures is not looked at yet that a training would learn from.
    [[nodiscard]] bool awaitsExamples() const;
    /// With the user's limits of memory, the disk to swap to where that is needed, and a folder of the runs.
    [[nodiscard]] core::TrainConfig limited(core::TrainConfig config) const;
    /// The first one to learn with no photo, or none that is not left out: nothing would be learned of it,
    /// and yet it would count as trained. Null: each has some.
    [[nodiscard]] const core::Subject* subjectWithoutPhotos() const;
    /// The first one of whose photos the engine says that they are in the way: they are gone, or cannot be
    /// read. Null: it says so of none.
    [[nodiscard]] const core::Subject* subjectWithLostPhotos() const;
    void askPlan(const TrainingChoice& now, bool modelUsable, Reason reason);
    /// Says what is in the way of a plan, with what would help.
    void showObstacle();
    [[nodiscard]] std::vector<PlanRemedy> remediesOfLack(const TrainingChoice& now);
    /// Of a plan that advises against a size that was chosen by hand.
    [[nodiscard]] std::vector<PlanRemedy> remediesOfAdvice();
    /// What counts of a question that was asked twice, without swapping and with it: what fits, else what
    /// keeps it from swapping, else what is lacking without.
    [[nodiscard]] const PlanFacts& facts() const;
    void showPlan();
    /// Shows what is known of the plan, with what other programs take of the processor by now.
    void showFacts();
    /// Something of Homebooth's own begins or ends to compute.
    void noteWork();
    /// Asks anew where memory was short or a folder gone: meanwhile other programs may have given some back,
    /// or somebody connected its drive.
    void askAgain();
    /// A folder on the disk that the plan found full.
    [[nodiscard]] QString fullPlace() const;
    /// While a disk is full: looks whether somebody, or another program, has made room there.
    void watchRoom();
    void takeRoom(qint64 freeBytes);
    /// Of which time's memory the plan has to be: what waits for its turn has that of what works now.
    [[nodiscard]] PlanMoment momentThatCounts() const;
    /// Asks anew where the plan is of another time's memory, in a while: who just began leaves the form.
    void followTurn();
    void takeTurn();
    /// Whether memory is short, and the engine that makes pictures holds some of it for nothing: it gives
    /// that back, as it does before every training, and the plan is asked anew.
    bool takeMemoryOfPictures();
    void lookForRemedies();
    void showRemedies();
    void apply(const PlanChange& change);
    /// What trainings like that one took.
    [[nodiscard]] PlanPast pastOf(const core::TrainConfig& config) const;
    /// How long a quality takes, and what it is good for.
    [[nodiscard]] QString qualityText(const TrainingChoice& choice, const QString& good) const;

    Services m_services;
    enum Result { kWhole, kLora, kScratch };
    QScrollArea* m_form = nullptr;
    LearnChoice* m_learn = nullptr;
    QComboBox* m_model = nullptr;
    QLabel* m_modelNote = nullptr;
    QPushButton* m_import = nullptr;       ///< for whoever has nothing but the built-in model
    bool m_skipBroken = false;             ///< of the dataset
    std::pair<QString, int64_t> m_counted; ///< a dataset's folder, and how many pictures it has to learn
    std::shared_ptr<WorkCount> m_looking;  ///< at the dataset that was chosen last; null: nobody looks
    bool m_lookAgain = false;              ///< at what may have changed meanwhile
    /// What the last look found, with the folder of it, for the next one.
    std::pair<QString, std::shared_ptr<const DatasetKnown>> m_known;
    QStringList m_learned; ///< sentences and dataset that were to be learned last; none: nothing so far
    std::pair<qlonglong, QString> m_kind; ///< of the one subject that was to be learned last: key, class
    QString m_moment;                     ///< that is offered beside the models
    QString m_wantedModel;                ///< what was chosen last: it may be away for a while
    QJsonObject m_restored; ///< the form as an earlier session left it; empty: it is of no account any more
    bool m_keeps = false;   ///< what an earlier session left is in the form
    QButtonGroup* m_result = nullptr;
    QWidget* m_part = nullptr; ///< of a new model, which is made first
    QRadioButton* m_autoencoder = nullptr;
    QButtonGroup* m_quality = nullptr;
    QList<QLabel*> m_qualityNotes;
    QCheckBox* m_keep = nullptr;
    QLabel* m_keepNote = nullptr;
    QPushButton* m_expertFold = nullptr;
    ExpertForm* m_expert = nullptr;
    ExampleFolder* m_examples = nullptr;
    PlanPanel* m_panel = nullptr;
    PlanAsker* m_asker = nullptr;
    RemedyFinder* m_remedies = nullptr;
    GpuWatch* m_gpus = nullptr;
    std::vector<SettingClash> m_clashes;
    bool m_asked = false;                    ///< there is something to be planned
    std::string m_question;                  ///< what is planned without swapping, as JSON; empty: nothing
    PlanMoment m_memoryAt = PlanMoment::Now; ///< of the question
    QTimer* m_turn = nullptr;
    QTimer* m_room = nullptr;
    QTimer* m_shared = nullptr; ///< runs while the plan says that other programs use the processor
    QElapsedTimer m_ownWork;    ///< since something of Homebooth's own began or ended to compute
    /// Where the disk is full, as a plan was asked for last; -1: it is not, as far as is known.
    qint64 m_freeBytes = -1;
    bool m_swapping = false;                ///< the plan that is asked for may swap
    std::optional<PlanFacts> m_withoutSwap; ///< why it may
    /// The latest plan that fitted, by its `speedKey`: what a step takes while the next one is worked out.
    std::pair<QString, PlanFacts> m_timed;
};

} // namespace homebooth::app
