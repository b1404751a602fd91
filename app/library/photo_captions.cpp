// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/library/photo_captions.h"

#include "core/base/files/file_names.h"
#include "core/base/formats/caption_file.h"
#include "core/base/util/regular_file.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <optional>

namespace homebooth::app {
namespace {

/// What the lines of a folder's metadata.jsonl say; nothing without that file.
std::optional<QHash<QString, QString>> captionsIn(const QDir& folder) {
    constexpr int64_t kMostBytes = int64_t{64} << 20;
    const QString file = folder.filePath(QStringLiteral("metadata.jsonl"));
    if (!QFileInfo::exists(file)) return std::nullopt;
    QHash<QString, QString> captions;
    const auto bytes = core::readRegularFile(file.toStdString(), kMostBytes);
    if (!bytes) return captions;
    for (const QByteArray& text : QByteArray::fromStdString(*bytes).split('\n')) {
        const QJsonObject line = QJsonDocument::fromJson(text).object();
        const QJsonValue one = line.value(QStringLiteral("text"));
        const QJsonValue first = line.value(QStringLiteral("texts")).toArray().at(0);
        const QString caption = (one.isString() ? one : first).toString().simplified();
        const QString name = line.value(QStringLiteral("file_name")).toString();
        if (!name.isEmpty() && !caption.isEmpty())
            captions.insert(QDir::cleanPath(folder.absoluteFilePath(name)), caption);
    }
    return captions;
}

} // namespace

CaptionsBeside captionsBeside(const QStringList& photos) {
    CaptionsBeside found;
    QHash<QString, std::optional<QHash<QString, QString>>> listed; // by folders
    core::FileNames names;
    for (const QString& photo : photos) {
        const QDir folder = QFileInfo(photo).dir();
        auto list = listed.find(folder.path());
        if (list == listed.end()) list = listed.insert(folder.path(), captionsIn(folder));
        QString caption;
        if (*list) { // then captions beside the pictures do not count
            caption = (*list)->value(photo);
        } else if (const auto text = core::captionBeside(photo.toStdString(), names)) {
            caption = QString::fromStdString(text->value_or(std::string())).simplified();
        } else {
            ++found.unread;
        }
        if (!caption.isEmpty()) found.captions.insert(photo, caption);
    }
    return found;
}

} // namespace homebooth::app
