// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// On which page each step of undo was made, so that the window can show what undo changes. Owned by the main
// window; GUI thread.
#pragma once

#include "app/shell/page.h"

#include <functional>
#include <vector>

class QUndoCommand;
class QUndoStack;

namespace homebooth::app {

class UndoPlaces : public QObject {
    Q_OBJECT
public:
    /// @param now  the page in view
    UndoPlaces(QUndoStack& stack, std::function<PageId()> now, QObject* parent);

Q_SIGNALS:
    /// A step that was made on this page was taken back or done again.
    void changedOn(homebooth::app::PageId page);

private:
    void follow(int index);

    struct Step {
        const QUndoCommand* command = nullptr; ///< tells a step that is new from one that is done again
        PageId page = PageId::Subjects;
    };
    QUndoStack& m_stack;
    std::function<PageId()> m_now;
    std::vector<Step> m_steps;
    int m_index = 0;
};

} // namespace homebooth::app
