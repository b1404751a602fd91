// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a choice is for, said to screen readers. On Linux Qt gives them the chosen text as a choice's
// name and nothing else; what it is for they take from a label beside it whose buddy it is. Where none
// is seen one that is not stands there. Belongs to the choice; GUI thread.
#pragma once

#include <QObject>
#include <QPointer>

class QComboBox;
class QLabel;

namespace homebooth::app {

/// Names a choice, or names it anew. Choices that have a label of their own beside them need only that.
void nameChoice(QComboBox& choice, const QString& name);

/// The label that is not seen: goes where its choice goes.
class ChoiceName : public QObject {
    Q_OBJECT
public:
    explicit ChoiceName(QComboBox& choice);
    ~ChoiceName() override;
    ChoiceName(const ChoiceName&) = delete;
    ChoiceName& operator=(const ChoiceName&) = delete;
    void setName(const QString& name);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void follow();

    QComboBox& m_choice;
    QPointer<QLabel> m_label; ///< null until the choice has a parent; that one may take it along
    QString m_name;
};

} // namespace homebooth::app
