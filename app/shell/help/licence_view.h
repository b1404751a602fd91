// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The parts that Homebooth is made of as a list, and beside it the licence of the one that is chosen. GUI
// thread; texts are read off it.
#pragma once

#include "app/shell/help/components.h"

#include <QAbstractListModel>
#include <QWidget>

class QLabel;
class QListView;
class QPlainTextEdit;

namespace homebooth::app {

class ComponentList : public QAbstractListModel {
    Q_OBJECT
public:
    /// HeadingRole: of the row that a part begins with.
    enum Role { LicenceRole = Qt::UserRole + 1, HeadingRole };
    explicit ComponentList(QObject* parent = nullptr);
    [[nodiscard]] const Component& at(int row) const { return m_components[row]; }
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

private:
    QList<Component> m_components;
};

class LicenceView : public QWidget {
    Q_OBJECT
public:
    explicit LicenceView(QWidget* parent = nullptr);

private:
    void showLicence(int row);

    ComponentList m_components;
    QListView* m_list = nullptr;
    QLabel* m_about = nullptr;
    QPlainTextEdit* m_text = nullptr;
    int m_shown = -1;
};

} // namespace homebooth::app
