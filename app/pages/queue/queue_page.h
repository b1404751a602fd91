// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Queue: what works, what waits, what is done. Owned by the main window; GUI thread.
#pragma once

#include "app/pages/queue/queue_model.h"
#include "app/shell/page.h"

#include <QSet>

class QLabel;
class QLayout;
class QLineEdit;
class QListView;
class QStackedWidget;
class QUndoCommand;

namespace homebooth::app {

class InUseMessage;
struct ModelEntry;

class QueuePage : public Page {
    Q_OBJECT
public:
    explicit QueuePage(Services services, QWidget* parent = nullptr);
    void activated() override;
    bool command(Command command) override;
    QWidget* searchField() override;

Q_SIGNALS:
    void runWanted(const QString& folder);

protected:
    /// The second click of a double click meets what took the place of what the first one took out.
    bool eventFilter(QObject* watched, QEvent* event) override;
    [[nodiscard]] bool ready(Command command) const override;

private:
    void refresh();
    /// What can be done with the chosen row.
    void allowActions();
    void move(int by);
    void keepChosen();
    void removeChosen();
    /// With a way back for all of them at once.
    void takeOut(const QModelIndexList& rows);
    /// One of them. @param parent  what it is a part of; null: it stands alone
    QUndoCommand* removalOfRow(const QModelIndex& row, QUndoCommand* parent);
    void openChosen();
    void resumeChosen();
    /// Plans what found no room with less memory.
    void fitChosen();
    /// The row that is chosen alone; invalid: none is, or several are.
    [[nodiscard]] QModelIndex chosen() const;
    /// Those of the chosen rows that wait, first to last.
    [[nodiscard]] QModelIndexList chosenWaiting() const;
    /// Folders of the chosen trainings that neither work nor wait.
    [[nodiscard]] QStringList chosenToDelete() const;
    /// What came out of a training, whether or not there is anything.
    [[nodiscard]] ModelEntry entryOf(const QString& folder) const;
    /// Asks once, and says what goes with the trainings and how much that frees.
    void askToDelete();
    void askAbout(const QStringList& folders, const QString& text);
    /// What the queue does as a whole.
    enum class Flow { Empty, Rests, Works, Held };
    [[nodiscard]] Flow flow() const;
    void pressHold();
    [[nodiscard]] QWidget* makeJobs();
    void makeList();
    [[nodiscard]] QWidget* makeActions();

    Services m_services;
    QueueModel m_model;
    QStackedWidget* m_stack = nullptr;
    QListView* m_list = nullptr;
    InUseMessage* m_inUse = nullptr;
    QLineEdit* m_search = nullptr;
    QLabel* m_nothing = nullptr;
    QSet<QString> m_chosenJobs; ///< while rows come and go, by their names
    QString m_currentJob;       ///< likewise
    int m_currentRow = -1;
    QPushButton* m_open = nullptr;
    QPushButton* m_hold = nullptr;
    QWidget* m_up = nullptr;
    QWidget* m_down = nullptr;
    QPushButton* m_again = nullptr;
    QPushButton* m_remove = nullptr;
    QPushButton* m_resume = nullptr;
    QPushButton* m_fit = nullptr;
    QPushButton* m_delete = nullptr;
};

} // namespace homebooth::app
