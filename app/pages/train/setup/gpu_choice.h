// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which graphics cards train, with what is free on each and how warm it is. GUI thread. Invariants:
//   1. One at least is checked.
//   2. New figures leave what is checked and who has the focus alone.
#pragma once

#include "app/engine/gpu_watch.h"

#include <QStringList>
#include <QWidget>

#include <vector>

class QCheckBox;
class QGridLayout;
class QLabel;

namespace homebooth::app {

class GpuChoice : public QWidget {
    Q_OBJECT
public:
    explicit GpuChoice(QWidget* parent = nullptr);

    /// @returns whether these are others than before; then the first is checked, and boxes were made
    bool setCards(const std::vector<GpuCard>& cards);
    /// @param ids  those that are not there are left out; none: the first
    void choose(const QStringList& ids);
    /// None: the first one alone, which is the default.
    [[nodiscard]] QStringList chosen() const;
    [[nodiscard]] QList<QWidget*> boxes() const;

Q_SIGNALS:
    void changed(); ///< by the user

private:
    struct Row {
        QString id;
        QCheckBox* box = nullptr;
        QLabel* name = nullptr;
        QLabel* figures = nullptr;
    };
    void makeRows(const std::vector<GpuCard>& cards);
    void take(QCheckBox& box);

    QGridLayout* m_grid = nullptr;
    std::vector<Row> m_rows;
};

} // namespace homebooth::app
