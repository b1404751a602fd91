// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Asking for files and folders that are there already. Free functions; GUI thread.
#pragma once

#include <QFileDialog>

#include <functional>

namespace homebooth::app {

/// What is asked for. Dialogs that ask for the same kind of files begin where the last of them ended.
struct FileQuestion {
    QString title;
    QFileDialog::FileMode mode = QFileDialog::ExistingFile;
    QString filter = {}; ///< as QFileDialog has it; empty for folders
    QString folder = {}; ///< to begin in; empty: where the last one ended, at first the home folder
};

/// Opens the dialog and returns at once; `chosen` gets the absolute paths, unless the parent is gone by then.
void askForFiles(QWidget* parent, const FileQuestion& question,
                 const std::function<void(const QStringList&)>& chosen);
/// The same for one file or folder.
void askForFile(QWidget* parent, const FileQuestion& question,
                const std::function<void(const QString&)>& chosen);

} // namespace homebooth::app
