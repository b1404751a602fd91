// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/library/picture_clip.h"

#include "app/library/background.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QImageReader>
#include <QMimeData>
#include <QUrl>

namespace homebooth::app {

QMimeData* mimeOfFiles(const QStringList& paths) {
    QList<QUrl> urls;
    for (const QString& path : paths)
        if (!path.isEmpty()) urls.append(QUrl::fromLocalFile(path));
    if (urls.isEmpty()) return nullptr;
    auto* mime = new QMimeData;
    mime->setUrls(urls);
    return mime;
}

void copyPicture(QObject* owner, const QString& path) {
    inBackground(
        owner, [path] { return QImageReader(path).read(); },
        [path](const QImage& picture) {
            QMimeData* copied = mimeOfFiles({path});
            if (copied == nullptr) return;
            if (!picture.isNull()) copied->setImageData(picture);
            QGuiApplication::clipboard()->setMimeData(copied);
        });
}

} // namespace homebooth::app
