// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Datasets: folders of captioned pictures, for teaching a style or much new material. Owned by the main
// window; GUI thread.
#pragma once

#include "app/pages/datasets/dataset_model.h"
#include "app/shell/page.h"
#include "app/shell/services.h"
#include "core/library/dataset_store.h"

class QLabel;
class QLineEdit;
class QListWidget;
class QPlainTextEdit;
class QStackedWidget;

namespace homebooth::app {

class DatasetsPage : public Page {
    Q_OBJECT
public:
    explicit DatasetsPage(Services services, QWidget* parent = nullptr);

    void addFolder(const QString& folder);
    void activated() override;
    bool command(Command command) override;
    [[nodiscard]] QWidget* searchField() override;

Q_SIGNALS:
    void trainWanted(const QString& name, const QString& folder);

private:
    [[nodiscard]] QWidget* makeList();
    [[nodiscard]] QWidget* makeContent();
    [[nodiscard]] QWidget* makeDetails();
    void load();
    void fillList();
    void chooseFolder();
    void refresh();
    void showCaption();
    [[nodiscard]] QString figures() const;

    Services m_services;
    DatasetModel m_model;
    std::vector<core::DatasetRecord> m_records;
    QString m_wanted; ///< folder to choose once the list is there
    QStackedWidget* m_stack = nullptr;
    QListWidget* m_list = nullptr;
    QLineEdit* m_filter = nullptr;
    QPushButton* m_problems = nullptr;
    ThumbnailGrid* m_grid = nullptr;
    QLabel* m_state = nullptr;
    QLineEdit* m_find = nullptr;
    QLineEdit* m_replace = nullptr;
    QPlainTextEdit* m_caption = nullptr;
    QLabel* m_facts = nullptr;
    QLabel* m_figures = nullptr;
    bool m_filling = false;
};

} // namespace homebooth::app
