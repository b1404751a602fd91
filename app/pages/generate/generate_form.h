// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a picture should be: model, add-on, prompt, how many, how large, which seed; expert settings folded.
// GUI thread.
#pragma once

#include "app/pages/generate/prompt/prompt_text.h"
#include "app/shell/services.h"
#include "core/base/config/sample_config.h"

#include <QWidget>

#include <optional>
#include <set>
#include <string>
#include <vector>

class QBoxLayout;
class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;

namespace homebooth::app {

/// Whether both are the same files with the same weights.
[[nodiscard]] bool sameLoras(const std::vector<core::LoraReference>& one,
                             const std::vector<core::LoraReference>& other);

struct ModelEntry;
class CountBox;
class EmbeddingWords;
class ExactSlider;
class LoraRows;
class ModelChoice;
class PromptLength;
class WordLists;

/// The folder that pictures of today go to.
[[nodiscard]] QString todaysPictures(const Settings& settings);

/// Why a prompt cannot be asked for, and what to do; empty if it can.
[[nodiscard]] QString promptProblem(const FilledPrompt& filled);

class GenerateForm : public QWidget {
    Q_OBJECT
public:
    /// @param lists  that prompts take from; null: there are none
    explicit GenerateForm(Services services, const WordLists* lists = nullptr, QWidget* parent = nullptr);

    [[nodiscard]] core::SampleConfig config() const;
    /// Fills the form. The seed counts for the next pictures; it is not locked.
    void setConfig(const core::SampleConfig& config);
    /// Mends what it was filled with: model and add-ons, and the numbers that another model changes. What is
    /// not as in `filled` was set by somebody and stays.
    void correct(const core::SampleConfig& filled, const core::SampleConfig& found);
    /// Chooses model and add-on; empty: none. Add-ons that were there go.
    void setModel(const QString& path, const QString& lora = {});
    /// Chooses the model alone: what works with it stays.
    void setModelAlone(const QString& path);
    /// Leads to the list of models.
    void chooseModel();
    /// Goes on without an add-on. @param file  as the shelf or the engine names it
    void dropLora(const QString& file);
    /// The model to compare with; empty while nothing is compared.
    [[nodiscard]] QString otherModel() const;
    /// What is made beside these pictures while something is compared.
    [[nodiscard]] core::SampleConfig compared(core::SampleConfig config) const;
    /// What stands for {subject}: "ohwx toy"; empty if there is no subject.
    [[nodiscard]] QString subjectWords() const;
    void setSubject(qlonglong subject);
    void setPrompt(const QString& prompt, const QString& negative = {});
    [[nodiscard]] QString prompt() const;
    /// The prompt as it was typed or pasted, with its lines.
    [[nodiscard]] QString typedPrompt() const;
    /// Takes prompt, negative prompt and add-ons, and leaves all else as it is.
    void takeWords(const core::SampleConfig& config);
    void focusPrompt();
    /// What the prompt asks for with the seed that stands in the form.
    [[nodiscard]] FilledPrompt filled() const;
    /// Puts text into the prompt where the cursor is.
    void insert(const QString& text);
    /// Puts a learned word where the cursor is, into the prompt or what is left out, whichever had the focus
    /// last.
    void insertWord(const QString& word);
    /// Puts a learned word to the end of the prompt, unless it is named already.
    void addWord(const QString& word);
    [[nodiscard]] QString negative() const;
    /// Both texts.
    [[nodiscard]] QString words() const { return prompt() + '\n' + negative(); }
    void setCount(int count);
    /// A seed to keep; the lock is set.
    void setSeed(quint64 seed);
    /// One picture with it, and again as many as before once the seed is not kept any more.
    void setSeedOfOne(quint64 seed);
    /// Draws a new seed unless it is locked.
    void nextSeed();
    void setStart(const QString& picture);
    /// Counts what was set as the start, also as none: what was looked for before may come too late.
    [[nodiscard]] int startsSet() const { return m_startsSet; }
    /// One picture, from a picture, as `enlarging` has it. @param size  that it gets, pixels
    void enlarge(const QString& picture, QSize size);
    void toggleExpert();
    /// Takes what is being typed, e.g. before pictures are made.
    void finishTyping();

Q_SIGNALS:
    void changed();
    void picked();                        ///< another model, or another picture to start from
    void modelPicked();                   ///< likewise, of a model alone
    void makeWanted();                    ///< Ctrl+Return within the prompt
    void listWanted(const QString& name); ///< that the prompt names and nobody made
    void takeOverWanted();                ///< of a prompt that is written as other programs have it

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    [[nodiscard]] QWidget* makeWords();
    [[nodiscard]] QWidget* makeNumbers();
    [[nodiscard]] QWidget* makeCount();
    [[nodiscard]] QWidget* makeSize();
    [[nodiscard]] QWidget* makeGuidance();
    [[nodiscard]] QWidget* makeSeed();
    [[nodiscard]] QWidget* makeExpert();
    [[nodiscard]] QWidget* makeStart();
    void addFewSteps(QBoxLayout& column);
    void connectModel();
    void connectSubjects();
    [[nodiscard]] core::SamplerKind sampler() const;
    [[nodiscard]] bool takesKarras() const;
    /// Says what a model for few steps needs, where pictures are asked for as of one.
    void showFewSteps();
    [[nodiscard]] QPushButton* makeLearned();
    void showLearned();
    /// The sentence that was learned by what is chosen and that the prompt does not say; empty: there is
    /// none.
    [[nodiscard]] QString unsaidSentence() const;
    [[nodiscard]] bool says(const QString& prompt, const ModelEntry& entry) const;
    void takeModel();
    void fillSizes();
    /// Takes as many layers as the models can do without.
    /// @param otherKind  those of the last model were counted from another layer
    void fillClipSkip(bool otherKind);
    /// Chooses a size, or the nearest that the models take, and says so.
    void takeSize(QSize wanted);
    /// What was typed as a size, "768 x 512"; what is none goes back to what was there, with a word about it.
    void takeTypedSize();
    /// Leaves the digits, which lock the seed, but for what stands for none.
    void takeTypedSeed(const QString& typed);
    /// An empty field asks for a seed by chance, as -1 does in other programs.
    void drawMissingSeed();
    void fillSubjects();
    void showStart();
    /// Takes one picture that is dragged onto the button. @returns whether the event was about that
    bool takeDrag(QEvent& event);
    void connectFilled();
    void showFilled();
    /// What is not done here of what other programs would do with these words; offers to take it over.
    /// @param asked  the prompt with its places filled in
    [[nodiscard]] QStringList showSyntax(const QString& asked);
    /// What of both texts the model does not read. @param asked  likewise
    [[nodiscard]] QStringList lengthLines(const QString& asked) const;
    void connectState();
    /// Writes down what stands in the form, unless it is being filled.
    void keepState();
    void restoreState();
    /// Takes the picture that an earlier session began from, and drops it once it is known to be gone.
    void restoreStart(const QString& picture);
    /// Takes LoRAs of deleted trainings out of what is kept: their names may be those of people.
    void forgetDeleted(const std::vector<core::LoraReference>& loras);
    void dropLoras(const std::set<std::string>& deleted);
    /// Takes the numbers of an earlier session once their model is there.
    void takeRestored();
    void takeNumbers(const core::SampleConfig& config);
    void takeStrength(double strength);

    static constexpr qint64 kSmallPixels = 128; ///< of the built-in model and its like, at most

    Services m_services;
    ModelChoice* m_model = nullptr;
    LoraRows* m_loras = nullptr;
    QPlainTextEdit* m_prompt = nullptr;
    PromptLength* m_length = nullptr;
    QLabel* m_filled = nullptr; ///< of a prompt with places to fill in: what it asks for
    QPushButton* m_makeList = nullptr;
    QPushButton* m_takeOver = nullptr; ///< what other programs understand
    QPushButton* m_learned = nullptr;  ///< by what is chosen; the prompt does not say it yet
    const WordLists* m_lists = nullptr;
    QComboBox* m_subject = nullptr;
    QWidget* m_subjectPart = nullptr;
    QLineEdit* m_negative = nullptr;
    EmbeddingWords* m_words = nullptr;
    bool m_intoNegative = false; ///< learned words go there
    CountBox* m_count = nullptr;
    QLabel* m_countNote = nullptr; ///< why there are fewer than was typed
    int m_countUnlocked = 0;       ///< once the seed is not kept any more; 0: as many as now
    QComboBox* m_size = nullptr;
    QLabel* m_sizeNote = nullptr; ///< why it is another one than was asked for
    ExactSlider* m_guidance = nullptr;
    QLineEdit* m_seed = nullptr;
    QPushButton* m_lock = nullptr;
    QPushButton* m_start = nullptr;
    QPushButton* m_dropStart = nullptr;
    ExactSlider* m_strength = nullptr;
    QWidget* m_strengthRow = nullptr;
    QPushButton* m_fold = nullptr;
    QWidget* m_expert = nullptr;
    QComboBox* m_sampler = nullptr;
    QCheckBox* m_karras = nullptr;
    QCheckBox* m_trailing = nullptr;
    QLabel* m_fewSteps = nullptr; ///< what a model for few steps needs
    QPushButton* m_takeTrailing = nullptr;
    CountBox* m_steps = nullptr;
    CountBox* m_clipSkip = nullptr;
    QString m_startPath;
    int m_startsSet = 0;
    QString m_lastModel;
    qint64 m_pixels = 0;
    qint64 m_sizeStep = 0;
    bool m_oneArea = false; ///< the model has sizes of many shapes and one area
    int m_suits = 0;        ///< of guidance, in tenths, as the model has it; 0: no model was looked at
    std::optional<core::SampleConfig> m_restored; ///< of an earlier session: its model is not there yet
    bool m_filling = false;
    bool m_unfit = false; ///< what was kept last has numbers that no look at the model has filled
};

} // namespace homebooth::app
