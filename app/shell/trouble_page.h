// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What stands in place of all pages while the library cannot be opened: nothing could be kept then, so
// nothing can be typed. Owned by the main window; GUI thread.
#pragma once

#include "app/shell/page.h"
#include "app/shell/services.h"

namespace homebooth::app {

class EmptyState;

class TroublePage : public Page {
    Q_OBJECT
public:
    explicit TroublePage(Services services, QWidget* parent = nullptr);
    /// @param detail  the engine's own sentence: what was found, and what to do
    void setProblem(const QString& detail);

private:
    EmptyState* m_state = nullptr;
};

} // namespace homebooth::app
