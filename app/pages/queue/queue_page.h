// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Queue: what works, what waits, what is done. Owned by the main window; GUI thread.
#pragma once

#include "app/pages/queue/queue_model.h"
#include "app/shell/page.h"

class QLayout;
class QListView;
class QStackedWidget;

namespace homebooth::app {

class QueuePage : public Page {
    Q_OBJECT
public:
    explicit QueuePage(Services services, QWidget* parent = nullptr);
    void activated() override;
    bool command(Command command) override;

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
    /// With a way back. @param pictures  their job's key
    void takeOut(qlonglong pictures);
    void openChosen();
    void resumeChosen();
    /// Plans what found no room with less memory.
    void fitChosen();
    /// Asks, and says what goes with the training and how much that frees.
    void askToDelete();
    /// What the queue does as a whole.
    enum class Flow { Empty, Rests, Works, Held };
    [[nodiscard]] Flow flow() const;
    void pressHold();
    [[nodiscard]] QLayout* makeActions();

    Services m_services;
    QueueModel m_model;
    QStackedWidget* m_stack = nullptr;
    QListView* m_list = nullptr;
    QString m_chosenFolder; ///< while rows come and go
    qlonglong m_chosenJob = 0;
    int m_chosenRow = -1;
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
