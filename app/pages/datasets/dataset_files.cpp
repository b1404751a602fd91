// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/datasets/dataset_files.h"

#include "core/base/files/atomic_file.h"
#include "core/media/picture_io.h"
#include "core/media/picture_list.h"

#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>

namespace homebooth::app {
namespace {

QString metadataFile(const QString& folder) {
    return folder + QStringLiteral("/metadata.jsonl");
}

QString captionFile(const QString& picture) {
    const QFileInfo file(picture);
    return file.path() + '/' + file.completeBaseName() + QStringLiteral(".txt");
}

QString textOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()).trimmed() : QString();
}

QMap<QString, QString> metadataCaptions(const QString& folder) {
    QMap<QString, QString> captions;
    for (const QString& line : textOf(metadataFile(folder)).split('\n', Qt::SkipEmptyParts)) {
        const QJsonObject object = QJsonDocument::fromJson(line.toUtf8()).object();
        const QString name = object.value(QLatin1String("file_name")).toString();
        if (!name.isEmpty())
            captions.insert(folder + '/' + name, object.value(QLatin1String("text")).toString());
    }
    return captions;
}

/// Other keys of a line stay as they are.
core::Result<void> writeMetadata(const QString& folder, const QMap<QString, QString>& captions) {
    QByteArray text;
    for (const QString& line : textOf(metadataFile(folder)).split('\n', Qt::SkipEmptyParts)) {
        QJsonObject object = QJsonDocument::fromJson(line.toUtf8()).object();
        const QString path = folder + '/' + object.value(QLatin1String("file_name")).toString();
        if (captions.contains(path)) {
            object.insert(QStringLiteral("text"), captions.value(path));
            text += QJsonDocument(object).toJson(QJsonDocument::Compact) + '\n';
        } else {
            text += line.toUtf8() + '\n';
        }
    }
    return core::writeFileAtomically(metadataFile(folder).toStdString(), text.toStdString());
}

} // namespace

core::Result<std::vector<DatasetItem>> readDataset(const QString& folder) {
    HOMEBOOTH_ASSIGN(const core::PictureList list, core::listPictures(folder.toStdString()));
    const QMap<QString, QString> named = metadataCaptions(folder);
    std::vector<DatasetItem> items;
    for (const auto& path : list.pictures) {
        DatasetItem item;
        item.path = QString::fromStdString(path.string());
        item.caption = named.contains(item.path) ? named.value(item.path) : textOf(captionFile(item.path));
        if (const auto info = core::pictureInfo(path)) {
            item.widthPixels = static_cast<int>(info->widthPixels);
            item.heightPixels = static_cast<int>(info->heightPixels);
        } else {
            item.problem = QString::fromStdString(info.error().message);
        }
        items.push_back(std::move(item));
    }
    return items;
}

core::Result<void> writeCaptions(const QString& folder, const QMap<QString, QString>& captions) {
    if (QFileInfo::exists(metadataFile(folder))) return writeMetadata(folder, captions);
    for (auto it = captions.cbegin(); it != captions.cend(); ++it)
        HOMEBOOTH_CHECK(core::writeFileAtomically(captionFile(it.key()).toStdString(), it->toStdString()));
    return {};
}

QString replaceWords(const QString& text, const QString& find, const QString& replace) {
    if (find.isEmpty()) return text;
    static const QRegularExpression word(QStringLiteral("^\\w.*\\w$|^\\w$"),
                                         QRegularExpression::UseUnicodePropertiesOption);
    const QString escaped = QRegularExpression::escape(find);
    const bool whole = word.match(find).hasMatch();
    const QRegularExpression pattern(whole ? QStringLiteral("\\b%1\\b").arg(escaped) : escaped,
                                     QRegularExpression::CaseInsensitiveOption |
                                         QRegularExpression::UseUnicodePropertiesOption);
    QString result;
    qsizetype end = 0;
    for (auto it = pattern.globalMatch(text); it.hasNext();) {
        const QRegularExpressionMatch match = it.next();
        result += text.mid(end, match.capturedStart() - end) + replace; // no references: the words are meant
        end = match.capturedEnd();
    }
    return result + text.mid(end);
}

} // namespace homebooth::app
