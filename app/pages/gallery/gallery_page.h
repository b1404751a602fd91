// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Gallery: every picture that was made, with how it was made. Owned by the main window; GUI thread.
#pragma once

#include "app/pages/gallery/gallery_model.h"
#include "app/shell/page.h"
#include "app/shell/services.h"

#include <QSet>
#include <QTimer>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSlider;
class QStackedWidget;
class QVBoxLayout;

namespace homebooth::app {

class DetailsDrawer;

class GalleryPage : public Page {
    Q_OBJECT
public:
    explicit GalleryPage(Services services, QWidget* parent = nullptr);

    [[nodiscard]] GalleryModel& model() { return m_model; }
    /// Paths in the order of the page, for the large view: of all, or of those chosen together for it.
    [[nodiscard]] QStringList paths() const;
    /// What a model is called whose name stands with a picture: the built-in one in the language of now.
    [[nodiscard]] std::string shownModel(const std::string& name) const;
    /// Chooses the picture of a file, and no other: what the large view shows is what commands mean.
    void choose(const QString& path);
    /// The large view is left: those that were chosen together for it are so again.
    void chooseWalked();

    void activated() override;
    bool command(Command command) override;
    [[nodiscard]] QWidget* searchField() override;
    void setCompact(bool compact) override;

Q_SIGNALS:
    void useSettings(const QString& parameters, const QString& modelPath);
    void largeWanted(const QString& path);
    void startWanted(const QString& path); ///< other pictures are to begin from it
    /// A picture is to be made once more, larger. @param size  that it has, pixels
    void enlargeWanted(const QString& path, QSize size, const QString& parameters, const QString& modelPath);

protected:
    [[nodiscard]] bool ready(Command command) const override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void connectPictures();
    [[nodiscard]] QWidget* makeFilters();
    [[nodiscard]] QWidget* makeWall();
    void makeSize();
    [[nodiscard]] QWidget* makeDetails();
    /// As wide as what is in it needs, beside a scroll bar.
    void fitDetails();
    /// The buttons for what is chosen.
    [[nodiscard]] QWidget* makeActions();
    void applyFilter();
    void fillModels();
    /// Takes the names that the built-in model has in pictures, in whichever language they were made.
    /// @returns whether they are others than before
    bool takeBuiltIn(const std::vector<std::string>& names);
    void fillSubjects();
    void searchEverywhere();
    void refresh();
    void showDetails();
    void useChosen();
    void startFromChosen();
    void enlargeChosen();
    /// Of the picture that is chosen alone; null, which is told: it does not say how it was made.
    [[nodiscard]] const core::PictureRecord* chosenRecipe();
    void trashChosen();
    void toggleFavourite();
    void copyChosen();
    void openLarge(const QString& path);
    /// Asks for a folder and puts copies of the chosen ones there.
    void saveCopies();
    /// @param gone  how many of those that were chosen have no file
    void copyTo(const QString& folder, const QStringList& files, int gone);
    void zoom(Command command);
    void openFolder();
    /// Of the chosen ones those whose file is there, or is not.
    [[nodiscard]] QModelIndexList chosenFiles() const;
    [[nodiscard]] QStringList chosenPaths() const;
    [[nodiscard]] QModelIndexList goneAmongChosen() const;
    [[nodiscard]] QWidget* makeGone();
    void showGone();
    void findGone();
    void lookFor(const QString& folder);
    /// Looks where pictures are made for those whose files are gone: their folder may have another name.
    void lookForGone();
    void removeGone();
    /// @param place  on the screen
    void openMenu(const QPoint& place);
    void chooseRow(int row);
    /// Chooses what was chosen last, also in an earlier session; the first one where it is not among these.
    void chooseLast();
    [[nodiscard]] QModelIndexList chosen() const;

    Services m_services;
    GalleryModel m_model;
    QStackedWidget* m_stack = nullptr;
    QLineEdit* m_search = nullptr;
    QComboBox* m_subjects = nullptr;
    QComboBox* m_models = nullptr;
    std::vector<std::string> m_builtIn; ///< names of the built-in model, which depend on who made a picture
    QSlider* m_size = nullptr;
    QPushButton* m_favourites = nullptr;
    SectionGrid* m_grid = nullptr;
    DetailsDrawer* m_details = nullptr;
    QWidget* m_card = nullptr;  ///< of the details
    QWidget* m_words = nullptr; ///< what scrolls in it
    QLabel* m_prompt = nullptr;
    QLabel* m_facts = nullptr;
    QLabel* m_counted = nullptr;
    QWidget* m_actions = nullptr;
    QWidget* m_gonePart = nullptr;
    QLabel* m_gone = nullptr;
    QPushButton* m_everywhere = nullptr;
    QList<QWidget*> m_single; ///< for one alone
    QList<QWidget*> m_files;  ///< for what has a file
    QSet<QString> m_walked;   ///< paths of the large view; empty: all
    QPushButton* m_save = nullptr;
    QTimer m_typing;
};

} // namespace homebooth::app
