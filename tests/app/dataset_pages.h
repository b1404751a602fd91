// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What tests of the page Datasets share: a folder that it shows, and what is chosen on its list. Free
// functions; GUI thread.
#pragma once

#include "app/pages/datasets/dataset_list.h"
#include "app/pages/datasets/datasets_page.h"
#include "app/widgets/pictures/thumbnail_grid.h"
#include "dataset_fixture.h"

#include <QListView>

namespace homebooth::app {

/// Shows a folder of so many pictures on the page. @returns where they are seen
inline ThumbnailGrid* showFolder(DatasetsPage& page, const QString& folder, int pictures) {
    page.show();
    page.addFolder(folder);
    auto* grid = page.findChild<ThumbnailGrid*>();
    [&] { QTRY_COMPARE(grid->model()->rowCount(), pictures); }();
    return grid;
}

/// The same on a page of a window's usual size, whose first picture is chosen.
inline ThumbnailGrid* showFirst(DatasetsPage& page, const QString& folder, int pictures) {
    page.resize(1000, 640);
    auto* grid = showFolder(page, folder, pictures);
    grid->setCurrentIndex(grid->model()->index(0, 0));
    return grid;
}

/// Where the page lists its data sets.
inline QListView* datasetList(const DatasetsPage& page) {
    return page.findChild<QListView*>(u"datasets"_s);
}

/// The folder that is chosen on the list.
inline QString chosenFolder(const DatasetsPage& page) {
    return datasetList(page)->currentIndex().data(DatasetList::FolderRole).toString();
}

} // namespace homebooth::app
