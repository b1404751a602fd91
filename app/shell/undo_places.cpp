// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/undo_places.h"

#include <QUndoStack>

namespace homebooth::app {

UndoPlaces::UndoPlaces(QUndoStack& stack, std::function<PageId()> now, QObject* parent)
    : QObject(parent)
    , m_stack(stack)
    , m_now(std::move(now))
    , m_steps(static_cast<size_t>(stack.count()))
    , m_index(stack.index()) {
    for (int i = 0; i < stack.count(); ++i) m_steps[static_cast<size_t>(i)] = {stack.command(i), m_now()};
    connect(&stack, &QUndoStack::indexChanged, this, &UndoPlaces::follow);
}

void UndoPlaces::follow(int index) {
    const int before = std::exchange(m_index, index);
    if (index < before) {
        if (static_cast<size_t>(index) < m_steps.size())
            Q_EMIT changedOn(m_steps[static_cast<size_t>(index)].page);
        return;
    }
    if (index == 0 || index == before) return; // a step that took a later one into itself
    const auto last = static_cast<size_t>(index - 1);
    const QUndoCommand* command = m_stack.command(index - 1);
    if (last < m_steps.size() && m_steps[last].command == command)
        return Q_EMIT changedOn(m_steps[last].page);
    m_steps.resize(last);
    m_steps.push_back({command, m_now()});
}

} // namespace homebooth::app
