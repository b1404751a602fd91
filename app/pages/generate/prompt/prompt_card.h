// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The card beside the pictures: prompts that were used or kept, and the lists of words that they take from.
// GUI thread.
#pragma once

#include "app/pages/generate/prompt/prompt_panel.h"
#include "app/pages/generate/prompt/word_list_panel.h"
#include "app/widgets/parts.h"

class QButtonGroup;

namespace homebooth::app {

class PromptCard : public Card {
    Q_OBJECT
public:
    PromptCard(Services services, WordLists& lists, QWidget* parent = nullptr);
    [[nodiscard]] PromptPanel& prompts() { return *m_prompts; }
    [[nodiscard]] WordListPanel& lists() { return *m_lists; }
    void showPrompts();
    void showLists();

Q_SIGNALS:
    void left(); ///< with Esc

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    PromptPanel* m_prompts = nullptr;
    WordListPanel* m_lists = nullptr;
    QButtonGroup* m_tabs = nullptr;
};

} // namespace homebooth::app
