// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The first run: what this machine can do, where things go, and a first step. Owned by the main window; GUI
// thread.
#pragma once

#include "app/pages/welcome/machine_facts.h"
#include "app/shell/page.h"
#include "app/shell/services.h"

#include <QElapsedTimer>

#include <optional>
#include <vector>

class QGridLayout;
class QLabel;

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
    [[nodiscard]] QWidget* makeFirst();
    /// Memory and engine; cards are the window's to know.
    void look();
    void takeCards();
    void measureDisk();
    /// Anew where they are others than before: their buttons may have the keyboard.
    void showFacts();
    /// @param row  from which on @returns  the next row
    int addFact(const MachineFact& fact, int row);
    /// In the order of the page.
    [[nodiscard]] std::vector<MachineFact> facts() const;
    /// The ways out of what is missing, as buttons.
    [[nodiscard]] QWidget* makeHelp(const MachineFact& fact);
    [[nodiscard]] static QString wordsOf(FactHelp way);
    void help(FactHelp way);
    void chooseFolder();
    /// Measures how long a first picture by the built-in model takes, whoever asks for it.
    void followPictures();
    /// Says how long one took here last; nothing while none was made.
    void showPictureTime();

    Services m_services;
    QGridLayout* m_facts = nullptr;
    QPushButton* m_change = nullptr; ///< of the folder
    ElidedLabel* m_folder = nullptr;
    QLabel* m_pictureTime = nullptr;
    QElapsedTimer m_measured;           ///< while a first picture is made
    std::vector<MachineFact> m_machine; ///< all but cards and disk
    std::optional<MachineFact> m_disk;
    QString m_told; ///< why nobody knows of cards, as a message said it
    struct Shown {
        bool looking = false; ///< for cards
        std::vector<MachineFact> facts;
    };
    std::optional<Shown> m_shown;
    QList<QWidget*> m_helps; ///< buttons of what is shown
};

} // namespace homebooth::app
