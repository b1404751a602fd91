// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Subjects: list, photos, details. Owned by the main window; GUI thread.
#pragma once

#include "app/engine/models/model_vocabularies.h"
#include "app/pages/subjects/photo_check.h"
#include "app/pages/subjects/subject_models.h"
#include "app/shell/page.h"
#include "app/shell/services.h"

#include <functional>

class QLineEdit;
class QListView;
class QScrollArea;
class QSortFilterProxyModel;
class QStackedWidget;

namespace homebooth::app {

class CropView;
class DetailsDrawer;
class SubjectDetails;

class SubjectsPage : public Page {
    Q_OBJECT
public:
    explicit SubjectsPage(Services services, QWidget* parent = nullptr);

    /// The subject that is shown; 0 if none.
    [[nodiscard]] int64_t currentSubject() const { return m_photos.subjectId(); }
    void select(int64_t subject);
    /// Shows a subject to somebody who is to say what it is. @pre the page is shown
    void askForClass(int64_t subject);
    /// Adds photos to the subject that is shown; without one makes one of them.
    void choosePhotos();
    /// Makes a new subject of photos, whichever is shown.
    void chooseForNew();
    [[nodiscard]] ModelVocabularies& vocabularies() { return m_vocabularies; }
    /// What the model that was chosen for training learns at: photos below it are "small".
    void setLearningPixels(qlonglong pixels) { m_photos.setModelPixels(pixels); }
    /// Whether photos will be learned in their own shapes: of the others only the middle square is.
    void setShapesKept(bool kept) { m_photos.setShapesKept(kept); }

    [[nodiscard]] QWidget* searchField() override;
    bool command(Command command) override;
    void setCompact(bool compact) override;

Q_SIGNALS:
    /// The coloured button: train this one.
    void trainWanted(qlonglong subject);

protected:
    [[nodiscard]] bool ready(Command command) const override;

private:
    [[nodiscard]] QWidget* makeList();
    [[nodiscard]] QWidget* makePhotos();
    [[nodiscard]] QWidget* makeEmpty();
    [[nodiscard]] QWidget* makeParts();
    [[nodiscard]] QWidget* makeDetails();
    /// Shows the subjects alone whose name holds these words.
    void find(const QString& words);
    void makeListView();
    void connectBook();
    void refresh();
    void refreshActions();
    [[nodiscard]] QList<int> selectedRows() const;
    struct PhotoPlace {
        int64_t subject = 0;
        int64_t photo = 0;
    };
    /// Changes one photo wherever it stands by now; nothing if it is gone. @param text  of undo, with its
    /// number
    void changePhoto(const PhotoPlace& place, const QString& text,
                     const std::function<void(core::Photo&)>& change);
    /// Changes the chosen photos in one step.
    void changePhotos(const QString& text, const std::function<void(core::Photo&)>& change);
    void crop();
    void keepCrop(const core::PhotoEdit& edit);
    void turn();
    void leaveOut();
    void move(int by);
    /// The chosen photos, to before a row.
    void moveTo(int before);
    void openPhotoMenu(const QPoint& place);
    void removePhotos();
    void findPhoto(int row);
    /// Asks for the colour behind a photo's transparent parts.
    void chooseColour(int row);
    void removeSubject();
    /// Takes the keyboard to the name, out of the drawer if that is where it is.
    void askForName();

    Services m_services;
    ModelVocabularies m_vocabularies;
    PhotoInspector m_inspector;
    SubjectListModel m_list;
    PhotoModel m_photos;
    QSortFilterProxyModel* m_found = nullptr;
    QStackedWidget* m_stack = nullptr;
    QStackedWidget* m_content = nullptr;
    QListView* m_listView = nullptr;
    QLineEdit* m_search = nullptr;
    QWidget* m_nothing = nullptr; ///< says that the search found none
    ThumbnailGrid* m_grid = nullptr;
    CropView* m_crop = nullptr;
    PhotoPlace m_cropped;
    SubjectDetails* m_details = nullptr;
    DetailsDrawer* m_drawer = nullptr;
    QWidget* m_detailsCard = nullptr;
    QScrollArea* m_detailsScroll = nullptr;
    QWidget* m_listPart = nullptr;
    QPushButton* m_add = nullptr;
    QPushButton* m_cropButton = nullptr;
    QPushButton* m_turnButton = nullptr;
    QPushButton* m_leaveButton = nullptr;
};

/// "Image files (*.jpg ...)" for file dialogs.
[[nodiscard]] QString photoFilter();

} // namespace homebooth::app
