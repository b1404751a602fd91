// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Before the start: what to learn, from which model, how well; the plan beside it. GUI thread.
#pragma once

#include "app/engine/plan_facts.h"
#include "app/engine/run_centre.h"
#include "app/engine/training_recipe.h"
#include "app/shell/services.h"

#include <QWidget>

class QButtonGroup;
class QCheckBox;
class QComboBox;
class QLabel;
class QLayout;
class QPushButton;

namespace homebooth::app {

class ExpertForm;
class PlanPanel;

class TrainSetup : public QWidget {
    Q_OBJECT
public:
    explicit TrainSetup(Services services, QWidget* parent = nullptr);

    /// Takes a subject as the only one to learn.
    void setSubject(int64_t subject);
    void setDataset(const QString& name, const QString& folder);
    void setModel(const QString& path);
    void toggleExpert();
    /// Whether the plan says that it can start.
    [[nodiscard]] bool ready() const;
    [[nodiscard]] RunOrder order() const;

Q_SIGNALS:
    void changed();
    /// What the chosen model will learn at, once it is known.
    void pixelsChanged(qlonglong pixels);
    void subjectWanted(); ///< there is none to choose

private:
    [[nodiscard]] QWidget* makeForm();
    [[nodiscard]] QLayout* makeLearn();
    [[nodiscard]] QLayout* makeModel();
    [[nodiscard]] QLayout* makeResult();
    [[nodiscard]] QLayout* makeQuality();
    [[nodiscard]] QLayout* makeKeep();
    [[nodiscard]] QLayout* makeExpert();
    void offerSubjects();
    [[nodiscard]] TrainingChoice choice() const;
    void fillModels();
    void fillSubjects();
    void refresh();
    void refreshQualities(const TrainingChoice& now);
    void refreshKeep(const TrainingChoice& now, int64_t examples);
    /// With the user's limits of memory.
    [[nodiscard]] core::TrainConfig limited(core::TrainConfig config) const;
    void showPlan();
    void offerRemedies();
    [[nodiscard]] double secondsPerStep() const;

    Services m_services;
    QList<qlonglong> m_learn;
    QString m_datasetName;
    QString m_datasetFolder;
    QWidget* m_chips = nullptr;
    QPushButton* m_addSubject = nullptr;
    QComboBox* m_model = nullptr;
    QLabel* m_modelNote = nullptr;
    QButtonGroup* m_result = nullptr;
    QButtonGroup* m_quality = nullptr;
    QList<QLabel*> m_qualityNotes;
    QCheckBox* m_keep = nullptr;
    QLabel* m_keepNote = nullptr;
    QPushButton* m_expertFold = nullptr;
    ExpertForm* m_expert = nullptr;
    PlanPanel* m_panel = nullptr;
    PlanAsker* m_asker = nullptr;
};

} // namespace homebooth::app
