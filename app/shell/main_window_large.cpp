// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The large view over the pages: what it walks through, and what is done with the picture in it.
#include "app/library/library_service.h"
#include "app/library/picture_album.h"
#include "app/library/picture_clip.h"
#include "app/pages/gallery/gallery_page.h"
#include "app/pages/generate/generate_page.h"
#include "app/pages/train/train_page.h"
#include "app/settings/settings.h"
#include "app/shell/main_window.h"
#include "app/shell/window_place.h"
#include "app/widgets/pictures/large_view.h"

namespace homebooth::app {

void MainWindow::connectLargeViews() {
    connect(m_train, &TrainPage::largeWanted, this, &MainWindow::showLarge);
    connect(m_generate, &GeneratePage::largeWanted, this, &MainWindow::showLarge);
    connect(m_gallery, &GalleryPage::largeWanted, this, &MainWindow::showLarge);
    const auto start = [this](const QString& picture) {
        m_large->leave();
        m_generate->startFrom(picture);
        showPage(PageId::Generate);
    };
    connect(m_gallery, &GalleryPage::startWanted, this, start);
    connect(m_large, &LargeView::startWanted, this, start);
    connect(m_large, &LargeView::shown, this, [this](const QString& path) {
        if (currentPage() == PageId::Gallery) m_gallery->choose(path);
        if (currentPage() == PageId::Generate) m_generate->choose(path);
        if (currentPage() == PageId::Train) m_large->setNote(m_train->noteOf(path));
        refreshCommands(); // the menus mean it from now on
        refreshLarge();
    });
    connect(m_large, &LargeView::entered, this, &MainWindow::enterLarge);
    connect(m_large, &LargeView::left, this, [this] {
        if (!m_wasFullScreen) setWindowState(windowState().setFlag(Qt::WindowFullScreen, false));
        m_gallery->chooseWalked();
        refreshCommands();
    });
    connect(m_large, &LargeView::trashWanted, this, &MainWindow::trashLarge);
    connect(m_large, &LargeView::favouriteWanted, this, &MainWindow::markLarge);
    connect(&m_services.album, &PictureAlbum::changed, this, &MainWindow::refreshLarge);
    connect(&m_gallery->model(), &GalleryModel::reloaded, this, [this] {
        if (currentPage() == PageId::Gallery && m_large->isVisible()) m_large->setAll(m_gallery->paths());
    });
    connect(m_generate, &GeneratePage::picturesChanged, this, [this] {
        if (currentPage() == PageId::Generate && m_large->isVisible()) m_large->setAll(m_generate->paths());
    });
}

void MainWindow::enterLarge() {
    keepPlace(*this, m_services.settings); // should the window be closed meanwhile
    m_wasFullScreen = isFullScreen();
    setWindowState(windowState().setFlag(Qt::WindowFullScreen));
}

void MainWindow::showLarge(const QString& path) {
    m_large->open(path, largePaths(path));
}

QStringList MainWindow::largePaths(const QString& path) const {
    switch (currentPage()) {
    case PageId::Gallery:
        return m_gallery->paths();
    case PageId::Generate:
        return m_generate->paths();
    case PageId::Train:
        return m_train->pictures();
    default:
        return {path};
    }
}

void MainWindow::askLarge(const std::function<void(const core::PictureState&)>& take) {
    const QString path = m_large->path();
    m_services.library.ask<std::vector<core::PictureState>>(
        this,
        [file = path.toStdString()](core::Library& library) { return core::pictureStates(library, {file}); },
        [this, path, take](const std::vector<core::PictureState>& states) {
            if (m_large->isVisible() && path == m_large->path()) take(states.front());
        });
}

void MainWindow::refreshLarge() {
    if (!m_large->isVisible()) return;
    askLarge([this](core::PictureState state) {
        state.model = m_gallery->shownModel(state.model);
        m_large->setState(state);
        refreshCommands();
    });
}

void MainWindow::trashLarge() {
    askLarge([this](const core::PictureState& state) {
        if (state.id == 0 || state.trashed) return;
        m_services.album.trash({state.id});
        toast(PictureAlbum::trashedText(1));
    });
}

void MainWindow::markLarge() {
    askLarge([this](const core::PictureState& state) {
        if (state.id != 0) m_services.album.setFavourite({state.id}, !state.favourite);
    });
}

std::optional<bool> MainWindow::largeOffers(Page::Command command) const {
    switch (command) {
    case Page::Command::Delete:
    case Page::Command::Favourite:
        return m_large->state().id != 0;
    case Page::Command::LargeView: // it is there
        return false;
    case Page::Command::Copy:
    case Page::Command::ZoomIn:
    case Page::Command::ZoomOut:
    case Page::Command::ZoomReset:
        return true;
    default:
        return std::nullopt;
    }
}

bool MainWindow::runLarge(Page::Command command) {
    switch (command) {
    case Page::Command::Delete:
        trashLarge();
        return true;
    case Page::Command::Favourite:
        markLarge();
        return true;
    case Page::Command::Copy:
        copyPicture(this, m_large->path());
        return true;
    case Page::Command::ZoomIn:
    case Page::Command::ZoomOut:
    case Page::Command::ZoomReset:
        m_large->zoomBy(command == Page::Command::ZoomIn ? 1 : command == Page::Command::ZoomOut ? -1 : 0);
        return true;
    default:
        return false;
    }
}

} // namespace homebooth::app
