// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The prompts that were used or kept, each with what it leaves out: search, favourites, one click fills the
// form. Every change of the list can be undone. GUI thread.
#pragma once

#include "app/shell/services.h"
#include "core/library/forgetting.h"
#include "core/library/prompt_store.h"

#include <QAbstractListModel>
#include <QHash>
#include <QWidget>

#include <functional>
#include <optional>
#include <utility>

class QLabel;
class QLineEdit;
class QListView;
class QPushButton;
class QToolButton;

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
    [[nodiscard]] const PromptModel& model() const { return m_model; }
    /// Keeps a prompt among the favourites, also one that was never used. Its text keeps {subject} and {a|b}.
    void keep(const QString& text, const QString& negative);
    void toggleFavourite();
    void removeChosen();
    /// Asks whether a prompt is to go for good, from the library's backups, too. @param all  all prompts
    void askToForget(bool all);
    /// Whether keys mean the list now.
    [[nodiscard]] bool listHasFocus() const;
    /// Whether a prompt is chosen, which keys mean.
    [[nodiscard]] bool hasCurrent() const;

Q_SIGNALS:
    void chosen(const QString& text, const QString& negative);
    void keepWanted();     ///< of what stands in the form
    void currentChanged(); ///< another prompt of the list, or none
    void toast(const QString& text);

private:
    class Change;
    [[nodiscard]] QWidget* makeList();
    [[nodiscard]] QLayout* makeButtons();
    /// Those below the list, which mean the chosen prompt.
    void refreshButtons();
    void showPrompts(const std::vector<core::Prompt>& prompts);
    void forget(const std::optional<core::Prompt>& one);
    void tellForgotten(const core::Result<core::LeftFiles>& left, bool all);
    using Words = std::pair<QString, QString>; // of a prompt, and its negative ones
    [[nodiscard]] static Words wordsOf(const core::Prompt& prompt);
    /// Whether a prompt was forgotten since: a step of before brings nothing back. @param since  m_times then
    [[nodiscard]] bool forgottenSince(const Words& prompt, int since) const;
    /// @param prompt  that the steps are about
    void change(const core::Prompt& prompt, const QString& text,
                std::function<core::Result<void>(core::Library&)> redo,
                std::function<core::Result<void>(core::Library&)> undo);

    Services m_services;
    PromptModel m_model;
    QLineEdit* m_search = nullptr;
    QListView* m_list = nullptr;
    QPushButton* m_favourites = nullptr;
    QList<QToolButton*> m_buttons;
    QPushButton* m_forget = nullptr;
    int m_times = 0;               ///< that something was forgotten
    int m_allAt = 0;               ///< which of them took all, the last such one; 0: none did
    QHash<Words, int> m_forgotten; ///< which of them took a prompt
    QLabel* m_nothing = nullptr;   ///< stands in place of an empty list
};

} // namespace homebooth::app
