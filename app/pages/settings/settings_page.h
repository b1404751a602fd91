// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Settings: derived from the list of settings; each applies at once, changed ones carry a dot and the way
// back, and each change is a step of undo. Owned by the main window; GUI thread.
#pragma once

#include "app/settings/settings.h"
#include "app/shell/page.h"

#include <QStringListModel>

#include <string>
#include <utility>
#include <vector>

class QLineEdit;
class QLabel;
class QBoxLayout;
class QListView;
class QScrollArea;
class QUndoStack;

namespace homebooth::app {

class KeptCopies;

class SettingsPage : public Page {
    Q_OBJECT
public:
    /// @param copies  taken: what stands below "Privacy"; null: nothing but its sentence
    /// @param undo    null: what is changed is not taken back
    explicit SettingsPage(Settings& settings, KeptCopies* copies = nullptr, QUndoStack* undo = nullptr,
                          QWidget* parent = nullptr);
    [[nodiscard]] QWidget* searchField() override;

protected:
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    struct Row {
        const Setting* setting = nullptr;
        QWidget* whole = nullptr;
        QWidget* field = nullptr;
        QWidget* mark = nullptr;
        QWidget* reset = nullptr;
        QBoxLayout* parts = nullptr; ///< words, and beside or below them the field
        QBoxLayout* tail = nullptr;  ///< the field with its default
        QLabel* room = nullptr;      ///< of folders: what is free there
    };
    void addGroup(const QString& name);
    void addRow(const Setting& setting);
    [[nodiscard]] QLayout* makeSide();
    [[nodiscard]] QWidget* makeForm();
    [[nodiscard]] QWidget* makeField(const Setting& setting);
    [[nodiscard]] QWidget* makeNumberField(const Setting& setting);
    [[nodiscard]] QWidget* makeFolderField(const Setting& setting);
    void show(const Row& row);
    void change(const char* key, const QVariant& value);
    /// Says what is free where a folder lies.
    void measure(const Row& row);
    void filter(const QString& typed);
    /// The same of the last group, which has no settings. @returns whether something of it matches
    bool filterPrivacy(const std::vector<std::string>& words);
    /// Puts the fields beside their words, or below them where there is no room.
    void arrange();

    Settings& m_settings;
    KeptCopies* m_copies = nullptr;
    QUndoStack* m_undo = nullptr;
    QLineEdit* m_search = nullptr;
    QLabel* m_nothing = nullptr; ///< said where nothing matches
    QLabel* m_privacy = nullptr;
    QStringListModel m_groupNames;
    QListView* m_groups = nullptr;
    QScrollArea* m_scroll = nullptr;
    QLayout* m_column = nullptr;
    std::vector<Row> m_rows;
    std::vector<std::pair<QString, QWidget*>> m_titles;
};

} // namespace homebooth::app
