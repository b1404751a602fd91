// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is kept of the user's photos and texts beside them, and stays where a subject or a training is
// deleted: how much it is, and the way to empty it. Part of the settings; GUI thread.
#pragma once

#include "app/engine/runs/prepared_data.h"
#include "app/shell/services.h"

#include <QWidget>

#include <functional>
#include <utility>

class QLabel;
class QPushButton;

namespace homebooth::app {

class KeptCopies : public QWidget {
    Q_OBJECT
public:
    explicit KeptCopies(Services services, QWidget* parent = nullptr);
    /// What a search finds it by.
    [[nodiscard]] QString words() const;
    using Bytes = std::pair<qint64, qint64>; ///< of small pictures, and by trainings
    /// How they are measured, by another way than the disk's. `measured` is called on another thread.
    void setLook(std::function<Bytes()> measured) { m_measured = std::move(measured); }

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
    std::function<Bytes()> m_measured;
    int m_turn = 0; ///< of measuring: an answer to an earlier one is of no use
    QLabel* m_name = nullptr;
    QLabel* m_meaning = nullptr;
    QLabel* m_size = nullptr;
    QPushButton* m_empty = nullptr;
};

} // namespace homebooth::app
