// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is kept of the user's photos and texts beside them, and stays where a subject or a training is
// deleted: how much it is, and the way to empty it. Part of the settings; GUI thread.
#pragma once

#include "app/engine/prepared_data.h"
#include "app/shell/services.h"

#include <QWidget>

class QLabel;
class QPushButton;

namespace homebooth::app {

class KeptCopies : public QWidget {
    Q_OBJECT
public:
    explicit KeptCopies(Services services, QWidget* parent = nullptr);
    /// What a search finds it by.
    [[nodiscard]] QString words() const;

Q_SIGNALS:
    void refused(const QString& text); ///< HTML: why nothing was emptied, or not all
    void emptied();

protected:
    void showEvent(QShowEvent* event) override;

private:
    void measure();
    void empty();
    void take(Emptied how);

    Services m_services;
    QLabel* m_name = nullptr;
    QLabel* m_meaning = nullptr;
    QLabel* m_size = nullptr;
    QPushButton* m_empty = nullptr;
};

} // namespace homebooth::app
