// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What can be done with pictures of the library wherever they are shown: the same words, the same undo.
// Items answer RecordIdRole and FavouriteRole; those without a key are left alone. GUI thread.
#pragma once

#include <QModelIndexList>
#include <QString>

#include <functional>
#include <vector>

class QPoint;
class QWidget;

namespace homebooth::app {

class PictureAlbum;

/// Marks pictures as favourites, or takes the marks away where all have one.
void toggleFavourites(PictureAlbum& album, const QModelIndexList& chosen);

/// Hides pictures. @returns what to tell, with a way back; empty if there was none to hide
[[nodiscard]] QString trashPictures(PictureAlbum& album, const QModelIndexList& chosen);

/// An entry of a menu over pictures.
struct PictureAction {
    QString text;
    QString icon;
    std::function<void()> run;
    bool enabled = true;
};

/// Opens a menu at a place on the screen; it goes by itself.
void openPictureMenu(QWidget& owner, const QPoint& place, const std::vector<PictureAction>& actions);

} // namespace homebooth::app
