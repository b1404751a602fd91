// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The prompts that were used or kept: search, favourites, one click fills the form. GUI thread.
#pragma once

#include "app/shell/services.h"
#include "core/library/prompt_store.h"

#include <QAbstractListModel>
#include <QWidget>

class QLineEdit;
class QListView;

namespace homebooth::app {

class PromptModel : public QAbstractListModel {
    Q_OBJECT
public:
    explicit PromptModel(QObject* parent = nullptr);
    void set(std::vector<core::Prompt> prompts);
    [[nodiscard]] const core::Prompt& at(int row) const { return m_prompts[static_cast<size_t>(row)]; }
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

private:
    std::vector<core::Prompt> m_prompts;
};

class PromptPanel : public QWidget {
    Q_OBJECT
public:
    explicit PromptPanel(Services services, QWidget* parent = nullptr);
    void refresh();
    [[nodiscard]] QLineEdit* searchField() const { return m_search; }

Q_SIGNALS:
    void chosen(const QString& text, const QString& negative);

private:
    void toggleFavourite();
    void removeChosen();

    Services m_services;
    PromptModel m_model;
    QLineEdit* m_search = nullptr;
    QListView* m_list = nullptr;
};

} // namespace homebooth::app
