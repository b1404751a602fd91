// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Expert settings of a training: rows made from the engine's own list of settings, with plain names beside
// the real ones. What is changed is kept apart from what the choices above give. GUI thread. Invariants:
//   1. A row that does nothing in this training is hidden, and its change does not count.
//   2. What a row refused stays in its field, with the reason and a remedy below, until it can be taken.
//   3. What does not go with other settings is taken all the same, and told under its field with a remedy.
//   4. What was chosen of several processes or cards counts, and is shown, while nobody knows whether
//      this computer has them: the engine refuses what is not there.
//   5. What the model does not allow is shown with the reason, cannot be changed, and a change made for
//      another model does not count.
#pragma once

#include "app/engine/plans/setting_clashes.h"
#include "app/pages/train/setup/expert_words.h"

#include <QMap>
#include <QWidget>

#include <optional>
#include <vector>

class QGridLayout;
class QLabel;
class QLineEdit;
class QPushButton;

namespace homebooth::app {

class GpuChoice;
class SpokenStatus;
struct GpuCard;

class ExpertForm : public QWidget {
    Q_OBJECT
public:
    explicit ExpertForm(QWidget* parent = nullptr);
    ~ExpertForm() override;

    /// The values that the choices give; those that were changed stay.
    /// @param prediction, family  of the model
    void setDefaults(const core::TrainConfig& config,
                     core::PredictionType prediction = core::PredictionType::Epsilon,
                     core::ModelFamily family = core::ModelFamily::Other);
    /// That nobody knows what this computer has for several processes or cards: what was chosen of them
    /// counts until somebody does. So it is at first. To be seen with the next defaults.
    /// @param problem  why it could not be found out; empty: it is not known yet
    void setGpusUnknown(const QString& problem);
    /// Whether several processes could train here: settings of theirs are hidden else. To be seen with
    /// the next defaults.
    void offerProcesses(bool offered);
    /// The cards to choose from, the fastest first; with fewer than two there is no choice. Where there is,
    /// each chosen one has its process. @returns whether they are others than before; to be seen with the
    /// next defaults then
    bool offerCards(const std::vector<GpuCard>& cards);
    /// Path in run.json to text, of the settings that apply and can be changed.
    [[nodiscard]] QMap<QString, QString> changes() const;
    /// What was changed, also of settings that do not apply now.
    [[nodiscard]] const QMap<QString, QString>& allChanges() const { return m_changes; }
    /// Takes the changes of an earlier session; what is no setting any more, or no value of it, is left out.
    void restoreChanges(const QMap<QString, QString>& changes);
    /// Whether a field holds something that it cannot take.
    [[nodiscard]] bool refuses() const;
    /// The first such field, what is wrong with it, by its name, and what it could hold instead.
    [[nodiscard]] std::optional<SettingClash> refusal() const;
    /// Takes what is offered instead of what a field was refused for.
    void mend(const QString& path);
    /// Tells under their fields which values do not go together; those that are not named do.
    void showClashes(const std::vector<SettingClash>& clashes);
    void setChange(const QString& path, const QString& text);
    /// Takes a change back.
    void drop(const QString& path);
    void clearChanges();
    /// Takes what is being typed: a key that begins something moves no focus.
    void finishTyping();
    [[nodiscard]] QLineEdit* searchField() const { return m_search; }
    /// Whether somebody who looks at the page can take a setting here.
    [[nodiscard]] bool shows(const QString& path) const;
    /// Takes what was dropped for a setting, as if it were typed.
    void take(const QString& path, const QString& text);

Q_SIGNALS:
    void changed();

protected:
    void hideEvent(QHideEvent* event) override;

private:
    struct Row {
        QString path;
        QString words; ///< what a search looks at
        QString real;
        QWidget* names = nullptr;
        QLabel* note = nullptr;
        QWidget* field = nullptr;
        QWidget* chooser = nullptr; ///< of a folder; null: it is typed or chosen in the field
        QWidget* reset = nullptr;
        QLabel* sign = nullptr;
        QLabel* problem = nullptr;
        QPushButton* remedy = nullptr;
        QString fallback;
        QString refusal;    ///< why what is in the field was not taken; empty: it was
        PlanChange instead; ///< of what was refused; without a label: nothing
        QString clash;      ///< why it does not go with other settings
        PlanChange mended;  ///< of the clash
        QString fixed;      ///< why it cannot be changed with this model; empty: it can
        bool applies = true;
    };
    void addRow(const core::ConfigField& field, const SettingWords& words);
    void addCards(const SettingWords& words);
    /// Adds a button that asks for a folder, beside the names above its field.
    void addChooser(Row& row);
    /// @param wide  the field stands below its names
    void addRow(const SettingWords& words, const QString& range, QWidget* field, bool wide = false);
    /// Whether this computer has a use for a setting.
    [[nodiscard]] bool offers(const QString& path) const;
    /// The same of settings for several while nobody knows: for what was chosen of them.
    [[nodiscard]] bool mayHave(const QString& path) const;
    /// What the row of the cards says below its name.
    [[nodiscard]] QString cardsNote(const Row& row) const;
    /// What a row says below its name, and whether it can be changed.
    void describe(Row& row);
    /// The defaults with what was changed.
    [[nodiscard]] core::TrainConfig chosenConfig() const;
    [[nodiscard]] QWidget* makeNames(const SettingWords& words, Row& row);
    [[nodiscard]] QWidget* makeField(const core::ConfigField& field, const QString& path);
    [[nodiscard]] Row& rowOf(const QString& path);
    /// The field of a row, pointing into `config`.
    [[nodiscard]] static core::ConfigField fieldOf(const QString& path, core::TrainConfig& config);
    void takeCards();
    /// Says whether the text could be taken.
    bool judge(Row& row, const QString& text);
    static void showProblem(const Row& row);
    /// @param whileTyped  also over what somebody is typing, or what was refused
    void show(Row& row, bool whileTyped);
    void filter();

    core::TrainConfig m_defaults;
    core::ModelFamily m_family = core::ModelFamily::Other;
    QGridLayout* m_grid = nullptr;
    QLineEdit* m_search = nullptr;
    QLabel* m_nothing = nullptr;
    SpokenStatus* m_spoken = nullptr; ///< says what was refused
    std::vector<Row> m_rows;
    QMap<QString, QString> m_changes;
    bool m_filling = false;
    bool m_gpusKnown = false;
    QString m_gpusProblem; ///< why not; empty: not yet
    bool m_offersProcesses = false;
    GpuChoice* m_cards = nullptr;
    qsizetype m_cardCount = 0;
};

} // namespace homebooth::app
