// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/file_dialog.h"

#include <QDir>
#include <QFileInfo>
#include <QHash>

namespace homebooth::app {

void askForFiles(QWidget* parent, const FileQuestion& question,
                 const std::function<void(const QStringList&)>& chosen) {
    static QHash<QString, QString> lastFolders; // by filter, so by kind
    const QString begin =
        question.folder.isEmpty() ? lastFolders.value(question.filter, QDir::homePath()) : question.folder;
    auto* dialog = new QFileDialog(parent, question.title, begin, question.filter);
    dialog->setFileMode(question.mode);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    QObject::connect(dialog, &QFileDialog::filesSelected, parent,
                     [question, chosen](const QStringList& paths) {
                         if (question.folder.isEmpty())
                             lastFolders.insert(question.filter, QFileInfo(paths.value(0)).absolutePath());
                         chosen(paths);
                     });
    dialog->open();
}

void askForFile(QWidget* parent, const FileQuestion& question,
                const std::function<void(const QString&)>& chosen) {
    askForFiles(parent, question, [chosen](const QStringList& paths) { chosen(paths.value(0)); });
}

} // namespace homebooth::app
