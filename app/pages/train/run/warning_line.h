// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// One line above a run's charts while its engine has something to remark: the newest in words, how many there
// are, and the way to the log, which has all of them, and to the list of what was left out. Nothing waits for
// an answer. GUI thread.
#pragma once

#include "core/base/run/journal/event.h"

#include <QWidget>

#include <vector>

class QLabel;
class QPushButton;

namespace homebooth::app {

class ElidedLabel;

class WarningLine : public QWidget {
    Q_OBJECT
public:
    explicit WarningLine(QWidget* parent = nullptr);

    /// @param warnings  oldest first; without any the line is not there
    void set(const std::vector<core::WarningEvent>& warnings);
    /// @param count  of what the training goes on without; it can be looked at where there is any
    void setLeftOut(int count);

Q_SIGNALS:
    void logWanted();
    void leftOutWanted();

private:
    void drawSign();

    QLabel* m_sign = nullptr;
    ElidedLabel* m_text = nullptr;
    QPushButton* m_leftOut = nullptr;
};

} // namespace homebooth::app
