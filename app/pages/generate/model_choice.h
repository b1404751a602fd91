// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The model that makes the pictures, and the one beside it while two are compared. GUI thread.
#pragma once

#include <QStringList>
#include <QWidget>

class QComboBox;
class QLabel;
class QPushButton;

namespace homebooth::app {

class ModelShelf;

class ModelChoice : public QWidget {
    Q_OBJECT
public:
    explicit ModelChoice(ModelShelf& models, QWidget* parent = nullptr);
    /// Path of an entry or of a saved moment of the shelf.
    [[nodiscard]] QString path() const;
    /// The other one; empty while nothing is compared.
    [[nodiscard]] QString otherPath() const;
    /// The saved moment of an add-on that works together with the other one; empty: the model alone.
    [[nodiscard]] QString otherAddOn() const;
    /// Those that work together with the model: beside itself it is compared as it is without them.
    void setAddOns(const QStringList& files);
    /// A folder of a model that the shelf does not know, such as a run's own, is offered, too; another path
    /// that it does not know changes nothing.
    void setPath(const QString& path);
    /// Chooses a path as soon as the shelf knows it, unless another one is chosen before.
    void setWanted(const QString& path);
    void setComparing(bool on);
    /// Leads to the list, with the focus.
    void choose();

Q_SIGNALS:
    void changed();
    void chosen(const QString& path); ///< not because the shelf changed

private:
    /// What is shown is what was chosen.
    void keepChosen();
    void fill();
    void tellChanged();
    /// Says that another model stands for the one that was chosen, which is not there.
    void tellAway();
    /// Whether both sides would make the same pictures.
    [[nodiscard]] bool comparesAlike() const;
    /// Beside itself a model says nothing.
    void takeAnother();
    void fillOne(QComboBox& box, const QString& keep, int fallback);
    /// Behind the models, each with its own.
    void addMomentsOfAddOns(QComboBox& box) const;

    ModelShelf& m_models;
    QString m_unknown; ///< a model that the shelf does not know
    QString m_wanted;  ///< what was chosen last: it may be away for a while
    QString m_name;    ///< of that, as it was called last
    QComboBox* m_model = nullptr;
    QComboBox* m_other = nullptr;
    QPushButton* m_compare = nullptr;
    QWidget* m_otherPart = nullptr;
    QWidget* m_alike = nullptr; ///< says that both sides are the same
    QLabel* m_away = nullptr;
    QStringList m_addOns;
};

} // namespace homebooth::app
