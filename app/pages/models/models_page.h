// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Models: the built-in one, imported ones, results of runs; what they are, what they cost on the disk, what
// can be done with them. Owned by the main window; GUI thread.
#pragma once

#include "app/pages/models/model_list.h"
#include "app/shell/page.h"
#include "app/shell/services.h"

class QLabel;
class QLineEdit;
class QListView;

namespace homebooth::app {

class ModelsPage : public Page {
    Q_OBJECT
public:
    explicit ModelsPage(Services services, QWidget* parent = nullptr);

    void activated() override;
    bool command(Command command) override;
    [[nodiscard]] QWidget* searchField() override;

Q_SIGNALS:
    void picturesWanted(const QString& model);
    void trainWanted(const QString& model);
    void runWanted(const QString& folder);

private:
    [[nodiscard]] QWidget* makeList();
    [[nodiscard]] QWidget* makeDetails();
    [[nodiscard]] const ModelEntry* chosen() const;
    void refresh();
    void look();
    void hash();
    void measureRuns();
    void chooseImport(bool folder);
    void exportChosen(const QString& kind);
    void removeChosen();
    void renameChosen();

    Services m_services;
    ModelList m_list;
    QListView* m_view = nullptr;
    QLineEdit* m_search = nullptr;
    QLineEdit* m_name = nullptr;
    QLabel* m_title = nullptr;
    QLabel* m_facts = nullptr;
    QLabel* m_hash = nullptr;
    QLabel* m_made = nullptr;
    QLabel* m_disk = nullptr;
    QPushButton* m_pictures = nullptr;
    QPushButton* m_train = nullptr;
    QPushButton* m_run = nullptr;
    QPushButton* m_export = nullptr;
    QPushButton* m_remove = nullptr;
    QString m_shown;
};

} // namespace homebooth::app
