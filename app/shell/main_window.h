// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The window: navigation, pages, job bar, menus; it connects the pages with each other and holds no logic of
// theirs. Owned by main; GUI thread.
#pragma once

#include "app/shell/page.h"
#include "app/shell/services.h"
#include "core/library/picture_store.h"

#include <QMainWindow>
#include <QPointer>

#include <functional>
#include <map>
#include <memory>
#include <optional>

class QAbstractItemView;
class QMimeData;
class QPushButton;
class QStackedWidget;

namespace homebooth::app {

class DatasetsPage;
class DropOverlay;
class GalleryPage;
class GeneratePage;
class ImportNews;
class JobBar;
class LargeView;
class ModelsPage;
class Notices;
class Navigation;
class QueuePage;
class SubjectsPage;
class Toast;
class TrainPage;
class TroublePage;
enum class MessageKind;
struct DropContent;
struct DropZone;

class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    explicit MainWindow(Services services, QWidget* parent = nullptr);
    ~MainWindow() override;

    /// Files from the command line or another instance: photos make a subject, those of each folder one of
    /// their own, each folder of captioned or of many pictures a dataset, a text file a list of words; a
    /// model is imported.
    void openPaths(const QStringList& paths);
    void showPage(PageId page);
    [[nodiscard]] Page* page(PageId id) const;
    [[nodiscard]] PageId currentPage() const;
    /// Where a screen is smaller than the least window, all of it scrolls: else the job bar would be out of
    /// reach.
    void fitInto(const QSize& screen);

protected:
    void closeEvent(QCloseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    [[nodiscard]] QString dropFolder() const; ///< for pictures that came without a file
    void makePages();
    void makeWelcome();
    void makeTrouble();
    void makeUndo();
    void connectPages();
    void connectTraining();
    void connectStores();
    void connectLargeViews();
    void connectJobs();
    void connectLibrary();
    /// Of trainings that went into the trash together: one step of undo, one toast.
    void takeTrashed(const std::vector<int64_t>& ids, const QStringList& titles);
    void tellThatMomentsStay(const QStringList& folders);
    void tellDamagedSettings();
    void connectModels();
    /// What an imported model predicts is asked on Models, which may not be the page in view.
    void askAboutImported();
    /// A message on the page in view.
    void say(MessageKind kind, const QString& text, const QString& key);
    /// Takes a message back, on whichever page it was said.
    void unsay(const QString& key);
    /// What `where` says itself, for whoever looks at another page.
    void sayElsewhere(PageId where, const QString& headline, const QString& detail);
    void makeMenus();
    void makeFileMenu();
    void makeEditMenu();
    void makeViewMenu();
    void makePageMenu();
    /// Puts the buttons of the page in view into its menu, as they are now.
    void fillPageMenu(QMenu& menu);
    void makeJobMenu();
    /// What Edit offers for the rows of a list, where one of them was pressed.
    void showMenu(QAbstractItemView& list, const QPoint& place);
    void run(Page::Command command);
    void refreshCommands();
    /// Whether a command has something to act on now: the picture in the large view first, else the page.
    [[nodiscard]] bool offers(Page::Command command) const;
    void addPage(Page* page, const QString& iconName, const QString& name);
    void addCommand(QMenu* menu, const QString& text, const QKeySequence& key, Page::Command command);
    void offerDrop(const QMimeData& dragged);
    void dragLeft();
    void showZones(const DropContent& content);
    void offerDatasets(const DropContent& content, std::vector<DropZone>& zones);
    void offerSubjects(const DropContent& content, std::vector<DropZone>& zones);
    void offerPhotos(const DropContent& content, std::vector<DropZone>& zones);
    /// Photos as files: a picture that came without one is written first, off the GUI thread.
    void withPhotos(const QStringList& photos, const QImage& picture,
                    const std::function<void(const QStringList&)>& use);
    /// Writes a picture into a folder, or where the user says if that has no room.
    void keepPicture(const QImage& picture, const QString& folder,
                     const std::function<void(const QStringList&)>& use);
    void makeSubject(const QStringList& photos, bool namedByFolder);
    /// One of the photos of each list, all in one step of undo.
    void makeSubjects(const std::vector<QStringList>& photos);
    void makeDatasets(const DropContent& content);
    /// Datasets, and subjects of the other photos.
    void makeBoth(const DropContent& content);
    void makeAll(const DropContent& content);
    /// What takes a picture's settings once they are read, unless it is too late for that.
    [[nodiscard]] std::function<void(const QString&)> takeLate();
    /// A generated picture fills the form with what it says of itself; else as `openPaths`.
    void pasteFile(const QString& path);
    /// The same with a picture that came without a file, as another program gives its bytes.
    void pastePng(const QByteArray& png);
    /// Makes a subject of a picture, if it is one.
    void pastePicture(const QImage& picture);
    void sayUnusable(const DropContent& content);
    /// What of a drop was not taken, on the page that shows the rest of it.
    /// @param subject  took the photos, and will take those of further folders, too; 0: none that there was
    void tellRest(const DropContent& content, int64_t subject = 0);
    void sayRest(MessageKind kind, const QString& text, const DropContent& content, int64_t subject = 0);
    void addFolders(int64_t subject, const QStringList& folders);
    void sayElsewhere();
    void importModels(const QStringList& models);
    /// As `modelsOf` says.
    void importChosen(const QStringList& paths);
    void makeWordLists(const QStringList& files);
    /// The coloured button of the page, if it is seen and can be pressed.
    [[nodiscard]] QPushButton* nextStep() const;
    void pressMain();
    void paste();
    void walkAreas(bool back);
    void showLarge(const QString& path);
    /// The picture takes the whole screen; when it is left the window is as it was.
    void enterLarge();
    /// What the arrows of the large view walk through on the page in view.
    [[nodiscard]] QStringList largePaths(const QString& path) const;
    /// Asks the library for what it has of the picture in the large view.
    void askLarge(const std::function<void(const core::PictureState&)>& take);
    void refreshLarge();
    /// Deletes or marks the picture in the large view; nothing where the library does not have it.
    void trashLarge();
    void markLarge();
    /// Whether the large view, which is open, has a use for a command; nothing if it is none of its own.
    [[nodiscard]] std::optional<bool> largeOffers(Page::Command command) const;
    /// @returns  whether it was a command for the picture in the large view
    bool runLarge(Page::Command command);
    void toast(const QString& text);
    void refreshBadges();
    /// The place on the screen and the page in view, as they were.
    void restore();
    /// Changes that wait for room are lost with the window: that cannot be undone.
    void askToClose();
    /// The library is there: what pages show can be asked for, what is typed is kept.
    void begin();
    /// Whether edits can be kept: not while the library could not be opened.
    [[nodiscard]] bool usable() const;
    /// A message with a way to what ended while the window was closed.
    void tellMissed(const QString& text, const QString& runFolder, bool well);
    void showRun(const QString& folder);

    Services m_services;
    Navigation* m_navigation = nullptr;
    QStackedWidget* m_stack = nullptr;
    JobBar* m_jobBar = nullptr;
    LargeView* m_large = nullptr;
    Toast* m_toast = nullptr;
    Notices* m_notices = nullptr;
    DropOverlay* m_overlay = nullptr;
    SubjectsPage* m_subjects = nullptr;
    TrainPage* m_train = nullptr;
    GeneratePage* m_generate = nullptr;
    GalleryPage* m_gallery = nullptr;
    DatasetsPage* m_datasets = nullptr;
    ModelsPage* m_models = nullptr;
    QueuePage* m_queue = nullptr;
    TroublePage* m_trouble = nullptr;
    std::map<PageId, Page*> m_pages;
    int m_toastStep = 0;    ///< the undo stack's place when the toast was shown
    int m_kept = 0;         ///< counts pictures without a file, whose messages hold them
    int m_drag = 0;         ///< counts drags: what is learned late of one that is over is dropped
    QStringList m_imported; ///< models that were not looked at yet
    std::unique_ptr<ImportNews> m_importNews;
    QList<std::pair<QAction*, Page::Command>> m_commands;
    bool m_compact = false;
    QPointer<QWidget> m_closing; ///< whether the window is to close is being asked
    bool m_closesAnyway = false;
    bool m_wasFullScreen = false; ///< before the large view
};

} // namespace homebooth::app
