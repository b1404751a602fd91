// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Settings: derived from the list of settings; each applies at once, changed ones carry a dot and the way
// back. Owned by the main window; GUI thread.
#pragma once

#include "app/settings/settings.h"
#include "app/shell/page.h"

#include <QStringListModel>

class QLineEdit;
class QLabel;
class QListView;
class QScrollArea;

namespace homebooth::app {

class SettingsPage : public Page {
    Q_OBJECT
public:
    explicit SettingsPage(Settings& settings, QWidget* parent = nullptr);
    [[nodiscard]] QWidget* searchField() override;

private:
    struct Row {
        const Setting* setting = nullptr;
        QWidget* whole = nullptr;
        QWidget* field = nullptr;
        QWidget* mark = nullptr;
        QWidget* reset = nullptr;
        QLabel* room = nullptr; ///< of folders: what is free there
    };
    void addGroup(const QString& name);
    void addRow(const Setting& setting);
    [[nodiscard]] QLayout* makeSide();
    [[nodiscard]] QWidget* makeForm();
    [[nodiscard]] QWidget* makeField(const Setting& setting);
    [[nodiscard]] QWidget* makeNumberField(const Setting& setting);
    [[nodiscard]] QWidget* makeFolderField(const Setting& setting);
    void show(const Row& row);
    /// Says what is free where a folder lies.
    void measure(const Row& row);
    void filter(const QString& words);

    Settings& m_settings;
    QLineEdit* m_search = nullptr;
    QStringListModel m_groupNames;
    QListView* m_groups = nullptr;
    QScrollArea* m_scroll = nullptr;
    QLayout* m_column = nullptr;
    std::vector<Row> m_rows;
    std::vector<std::pair<QString, QWidget*>> m_titles;
};

} // namespace homebooth::app
