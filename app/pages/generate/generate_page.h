// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Generate: the form, the pictures as they appear, the prompts. Owned by the main window; GUI thread.
#pragma once

#include "app/pages/generate/result_model.h"
#include "app/pages/generate/used_settings.h"
#include "app/shell/page.h"
#include "app/shell/services.h"
#include "app/widgets/message_bar.h"

#include <optional>
#include <string>

class QStackedWidget;

namespace homebooth::app {

class CompareView;
class EmptyState;
class GenerateForm;
class PromptCard;
class PromptPanel;
class WordLists;
struct FilledPrompt;

class GeneratePage : public Page {
    Q_OBJECT
public:
    explicit GeneratePage(Services services, QWidget* parent = nullptr);
    ~GeneratePage() override;

    /// Fills the form after a training, with no picture to start from, and begins as soon as the shelf knows
    /// the model. Where another choice was made until then, that one counts; another prompt begins nothing.
    /// @param prompt  empty: what is typed already counts, and where nothing is, the page asks for it
    void makeWith(const QString& model, const QString& lora, const QString& prompt);
    /// Fills the form from a picture's own text. Where names leave open which files it means, their
    /// hashes mend that later, unless somebody chose others meanwhile. @returns whether it had one
    bool useParameters(const QString& text, const QString& recordedPath);
    /// Settings that are yet to be read, whose drive may sleep.
    struct LateSettings {
        int wish = 0;     ///< the one that they are
        std::string form; ///< what was chosen and typed then
    };
    [[nodiscard]] LateSettings awaitSettings();
    /// Uses them now that they are read, unless something else was asked for since. Where people have written
    /// on meanwhile, they are offered in a message. @returns whether the form is filled
    bool useLate(const LateSettings& asked, const QString& text, const QString& recordedPath);
    void startFrom(const QString& picture);
    /// Fills the form with what enlarges a picture.
    /// @param text, recordedPath  as `useParameters` takes them  @param size  of the picture, pixels
    void prepareToEnlarge(const QString& picture, QSize size, const QString& text,
                          const QString& recordedPath);
    /// Makes lists of words of text files.
    void addWordLists(const QStringList& files);
    /// Chooses the model alone.
    void setModel(const QString& path);
    /// Fills the form with a model or an add-on of the shelf: a LoRA joins a model that it was made for, a
    /// learned word goes to the end of the prompt.
    void prepare(const QString& path);
    /// The finished pictures in view, for the large view.
    [[nodiscard]] QStringList paths() const;
    /// Chooses the picture of a file, and no other.
    void choose(const QString& path);

    void activated() override;
    bool command(Command command) override;
    [[nodiscard]] QWidget* searchField() override;
    void setCompact(bool compact) override;

Q_SIGNALS:
    void largeWanted(const QString& path);
    void picturesChanged(); ///< `paths` are others now, or in another state

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    [[nodiscard]] bool ready(Command command) const override;

private:
    static constexpr const char* kWaitsMessage = "waits";
    static constexpr const char* kHeldMessage = "held";
    static constexpr const char* kRoomMessage = "room";
    static constexpr const char* kTooLongMessage = "too long";
    static constexpr int kSoonMs = 500; ///< what takes longer is told
    enum View { kEmptyView, kResultsView, kComparedView };
    /// Two jobs whose pictures stand side by side.
    struct Pair {
        int64_t jobs[2] = {0, 0};
        QString models[2]; ///< their paths
        QString addOns[2]; ///< what only one of both has, if it is that
        QString names[2];
    };
    /// What a training made.
    struct Learned {
        QString model;
        QString addOn;
        QString prompt; ///< that its pictures were asked for with
    };
    /// Fills in what the jobs differ by, and its names.
    void takeSides(Pair& pair, const core::SampleConfig& first, const core::SampleConfig& second) const;
    [[nodiscard]] QString nameOf(const Pair& pair, size_t side) const;
    [[nodiscard]] QWidget* makeParts();
    void fitForm(); ///< makes it as wide as its text needs
    [[nodiscard]] QWidget* makeViews();
    [[nodiscard]] QWidget* makeResults();
    [[nodiscard]] QWidget* makeResultActions();
    [[nodiscard]] QWidget* makeEmpty();
    void connectGenerator();
    void connectPrompts();
    /// Fills the form with what a picture was made with: its prompt has no places left to fill in.
    void use(core::SampleConfig config);
    void showWordList(const QString& name);
    /// Says why a prompt cannot be asked for, with the way to mend it.
    void refusePrompt(const FilledPrompt& filled);
    void make() {
        forgetTraining();
        makeSome({});
    }
    /// @param count  of pictures, none: as the form has it
    void makeSome(std::optional<int> count);
    /// The configurations that one click asks for: one, or two to be compared.
    [[nodiscard]] std::vector<core::SampleConfig> order(std::optional<int> count);
    /// Gives jobs to the generator, once it can open their models. @param prompt  as it was typed
    void handUsable(const std::vector<core::SampleConfig>& jobs, const std::string& prompt);
    /// Gives jobs to the generator, whose models it can open. @param prompt  likewise
    void hand(const std::vector<core::SampleConfig>& jobs, const std::string& prompt);
    void makeAfterTraining();
    /// For a choice that was made since: what a training made is not waited for any more.
    void forgetTraining();
    /// For another wish of what the form is to hold: what was asked for before does not come any more.
    void newWish();
    /// What was chosen and typed. Other numbers change with the models' own, which are found late.
    [[nodiscard]] std::string handMade() const;
    /// What an add-on can work with: what it was trained on, the chosen model, else another of its family.
    [[nodiscard]] QString modelFor(const QString& addOn) const;
    /// Says that there is no model for an add-on.
    void sayNoModelFor(const QString& addOn);
    /// Says that an add-on's own model is not here, where another one takes its place.
    void sayOtherBase(const ModelEntry& addOn, const QString& model);
    /// Says that prompts cannot name a learned word, since another one has its name.
    void sayWordIsTaken(const QString& file);
    /// Names of what the form was to be filled with after a training and could not take.
    [[nodiscard]] QStringList notTaken(const QString& model, const QString& lora) const;
    /// Says that pictures were not made for want of these.
    void sayWhatTheyNeed(const QStringList& names);
    void askForPrompt();
    void begin(const core::SampleConfig& config);
    /// The job's column where it is compared, with what is there of both; null: it is alone.
    [[nodiscard]] ResultModel* comparedColumn(int64_t job);
    /// The pair of a job; of an earlier session it is put together again. Null: it is alone.
    [[nodiscard]] Pair* pairOf(int64_t job);
    /// Begins the view of a pair: what is there already of its jobs, but for one, and what waits while that
    /// one is made.
    void showPair(Pair& pair, int64_t without);
    /// Takes the frames away of what will not be made any more of the pair that is shown.
    void endStopped();
    /// What an earlier session made of a comparison that it did not end.
    void showUnfinished();
    /// Names of models become known, or are changed, while their pictures are seen.
    void namePair(Pair& pair);
    void refresh();
    void sayThatTheyWait();
    /// Says that a finished picture waits for room, with what helps, until it is saved.
    void tellFullDisk();
    /// Pictures that are yet to be made go where the settings have them now.
    void followFolder();
    /// Takes back what was said, but for what still holds.
    void clearMessages();
    /// Lets what is held from before go on, for as long as it is.
    void offerToGoOn();
    /// Remembers the job at work, which failed, for `makeAgain`, with others of the same click.
    void noteFailed();
    /// Makes what failed and nothing else, whatever the form holds by now; device and weights are those of
    /// the settings. @param without  an add-on's file as the job names it; empty: with all of them
    void makeAgain(const std::string& without = {});
    /// Says that pictures were not made, and what to do. @param headline  as `picturesTrouble` gives it
    void sayFailure(const QString& headline, const QString& detail);
    /// @param headline  as `warningHeadline` gives it
    void sayWarning(const QString& headline, const QString& detail);
    /// The message of an add-on that was made for other models; nothing if that is not the reason.
    [[nodiscard]] std::optional<Message> mismatch(const core::SampleConfig& config);
    /// That pictures were not made, with the ways to make them after all. @param headline, detail  as the
    /// generator gives them
    [[nodiscard]] Message failure(const QString& headline, const QString& detail);
    /// Adds that what failed can be made without the graphics card.
    void proposeProcessor(Message& message);
    /// For another wish: a text's settings will not come any more, nor what is yet to be said of them.
    void stopComparing();
    /// Says that files are compared, with a way to stop it; nothing if they are not.
    void sayThatItCompares();
    /// Stops it, and names those that nothing was chosen for.
    void giveUpComparing();
    /// Goes on with the text of a picture while files are to be compared with it.
    void useCompared(const QString& text, const QString& modelPath, const FileHashes& hashes);
    /// Mends what was filled in by names alone.
    void takeCompared(const QString& text, const QString& modelPath, const FileHashes& hashes);
    /// Looks for the picture that another one began from.
    void findStart();
    /// Says what of `m_used` is not here, once.
    void sayWhatIsMissing();
    /// Has a prompt that is written as other programs have it mean here what it can.
    void takeOver();
    struct WeightWords {
        QString text;
        QString remedy;
    };
    /// What to say of a picture whose weights were kept otherwise than they would be now.
    [[nodiscard]] static WeightWords weightWords(core::Quantization used);
    /// Says that a picture was made with other weights than those that are to come, with the way to have its.
    void sayOtherWeights(core::Quantization used);
    void vary(bool sameSeed);
    /// Makes the chosen picture once more at twice its size.
    void enlarge();
    /// Says that a picture is as large as it is made.
    void sayLargeEnough(QSize size);
    /// The one that is chosen alone among the pictures of one model.
    [[nodiscard]] QModelIndex chosen() const;
    /// All finished ones that are chosen in the view that is seen.
    [[nodiscard]] QModelIndexList allChosen() const;
    [[nodiscard]] std::vector<ThumbnailGrid*> grids() const;
    /// What a click, keys and the menu do in a grid of pictures.
    void connectGrid(ThumbnailGrid& grid);
    /// What the buttons and the menus offer, after another choice.
    void refreshActions();
    void openMenu(ThumbnailGrid& grid, const QPoint& place);
    void askStates();
    void takeStates(ResultModel& model);
    void trashChosen();
    /// Fills the form with what the chosen picture was made with. @returns  whether there is a chosen one
    bool useChosen();
    void toggleFavourite();

    Services m_services;
    ResultModel m_results;
    ResultModel m_trial;             ///< pictures that answer a question of Models; not shown here
    ResultModel* m_target = nullptr; ///< takes what the job at work makes
    std::vector<Pair> m_pairs;
    std::vector<core::SampleConfig> m_failed; ///< of one click, to be made again
    int64_t m_failedRequest = 0;              ///< that click, see GenerationJob
    int64_t m_compared = 0;                   ///< the first job of the pair that is shown
    core::CancelToken m_stopComparing;        ///< of files with what a text says
    bool m_compares = false;                  ///< names alone count so far
    UsedSettings m_used;                      ///< what a text says, as far as it is known
    core::SampleConfig m_filled;              ///< what the form had of it
    QString m_lostStart;                      ///< the picture that it began from, which is not here
    QString m_tooLong;                        ///< texts of the form whose end was said not to be read
    QString m_toldMissing;                    ///< what was said of it last
    std::optional<Learned> m_afterTraining;   ///< until the shelf knows it
    QString m_pictures;                       ///< folder of all that the settings had last
    int m_toldWait = 0;                       ///< see PictureWait; 0: there is room
    int m_wish = 0;                           ///< the latest one
    CompareView* m_compare = nullptr;
    WordLists* m_lists = nullptr;
    GenerateForm* m_form = nullptr;
    QWidget* m_formPart = nullptr;
    bool m_compact = false;
    QStackedWidget* m_stack = nullptr;
    EmptyState* m_empty = nullptr; ///< of `m_stack`
    ThumbnailGrid* m_grid = nullptr;
    PromptCard* m_promptPart = nullptr;
    PromptPanel* m_prompts = nullptr; ///< of `m_promptPart`
    QPushButton* m_promptButton = nullptr;
    QPushButton* m_stop = nullptr;
    QList<QPushButton*> m_forOne;  ///< buttons for a picture that is chosen alone
    QList<QPushButton*> m_forMany; ///< buttons for all that are chosen
};

} // namespace homebooth::app
