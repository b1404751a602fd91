// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The window: navigation, pages, job bar, menus; it connects the pages with each other and holds no logic of
// theirs. Owned by main; GUI thread.
#pragma once

#include "app/shell/page.h"
#include "app/shell/services.h"

#include <QMainWindow>

#include <functional>
#include <map>

class QMimeData;
class QStackedWidget;

namespace homebooth::app {

class DatasetsPage;
class DropOverlay;
class GalleryPage;
class GeneratePage;
class JobBar;
class LargeView;
class ModelsPage;
class Navigation;
class QueuePage;
class SubjectsPage;
class Toast;
class TrainPage;
enum class MessageKind;
struct DropContent;
struct DropZone;

class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    explicit MainWindow(Services services, QWidget* parent = nullptr);
    ~MainWindow() override;

    /// Files from the command line or another instance: photos make a subject, a model is imported.
    void openPaths(const QStringList& paths);
    void showPage(PageId page);
    [[nodiscard]] Page* page(PageId id) const;
    [[nodiscard]] PageId currentPage() const;

protected:
    void closeEvent(QCloseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    [[nodiscard]] QString dropFolder() const; ///< for pictures that came without a file
    void makePages();
    void makeWelcome();
    void connectPages();
    void connectTraining();
    void connectStores();
    void connectLargeViews();
    void connectLibrary();
    void connectModels();
    /// A message on the page in view.
    void say(MessageKind kind, const QString& text, const QString& key);
    void makeMenus();
    void makeJobMenu();
    void addPage(Page* page, const QString& iconName, const QString& name);
    void addCommand(QMenu* menu, const QString& text, const QKeySequence& key, Page::Command command);
    void offerDrop(const QMimeData& dragged);
    void offerPhotos(const DropContent& content, std::vector<DropZone>& zones);
    /// Photos as files: a picture that came without one is written first, off the GUI thread.
    void withPhotos(const QStringList& photos, const QImage& picture,
                    const std::function<void(const QStringList&)>& use);
    void makeSubject(const QStringList& photos, bool namedByFolder);
    void pressMain();
    void paste();
    void walkAreas(bool back);
    void showLarge(const QString& path);
    void toast(const QString& text);
    void refreshBadges();
    void restore();
    void jobEnded(const QString& folder);

    Services m_services;
    Navigation* m_navigation = nullptr;
    QStackedWidget* m_stack = nullptr;
    JobBar* m_jobBar = nullptr;
    LargeView* m_large = nullptr;
    Toast* m_toast = nullptr;
    DropOverlay* m_overlay = nullptr;
    SubjectsPage* m_subjects = nullptr;
    TrainPage* m_train = nullptr;
    GeneratePage* m_generate = nullptr;
    GalleryPage* m_gallery = nullptr;
    DatasetsPage* m_datasets = nullptr;
    ModelsPage* m_models = nullptr;
    QueuePage* m_queue = nullptr;
    std::map<PageId, Page*> m_pages;
    bool m_compact = false;
};

} // namespace homebooth::app
