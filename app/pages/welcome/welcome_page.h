// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The first run: what this machine can do, where things go, and a first step. Owned by the main window; GUI
// thread.
#pragma once

#include "app/pages/welcome/machine_facts.h"
#include "app/shell/page.h"
#include "app/shell/services.h"

#include <optional>
#include <vector>

class QGridLayout;

namespace homebooth::app {

class ElidedLabel;

class WelcomePage : public Page {
    Q_OBJECT
public:
    explicit WelcomePage(Services services, QWidget* parent = nullptr);
    void activated() override;

Q_SIGNALS:
    void photosWanted();
    void firstPictureWanted();

private:
    [[nodiscard]] QWidget* makeMachine();
    void look();
    void take(const QByteArray& report, const QString& error);
    void measureDisk();
    void showFacts();
    /// The ways out of what is missing, as buttons.
    [[nodiscard]] QWidget* makeHelp(const MachineFact& fact);
    [[nodiscard]] static QString wordsOf(FactHelp way);
    void help(FactHelp way);
    void chooseFolder();

    Services m_services;
    QGridLayout* m_facts = nullptr;
    QPushButton* m_change = nullptr; ///< of the folder
    ElidedLabel* m_folder = nullptr;
    std::vector<MachineFact> m_machine;
    std::optional<MachineFact> m_disk;
    bool m_looked = false;
};

} // namespace homebooth::app
