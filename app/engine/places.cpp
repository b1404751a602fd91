// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/places.h"

#include "core/base/files/made_folders.h"

#include <QCoreApplication>
#include <QDir>
#include <QRegularExpression>
#include <QStandardPaths>

namespace homebooth::app {

QString enginePath() {
    const QString named = qEnvironmentVariable("HOMEBOOTH_ENGINE");
    return named.isEmpty() ? QCoreApplication::applicationDirPath() + QStringLiteral("/homebooth-engine")
                           : named;
}

QString resourcesFolder() {
    const QString named = qEnvironmentVariable("HOMEBOOTH_RESOURCES");
    if (!named.isEmpty()) return named;
    const QDir bin(QCoreApplication::applicationDirPath());
    for (const char* relative : {"../share/homebooth", "../../../resources"})
        if (bin.exists(QString::fromLatin1(relative) + QStringLiteral("/models")))
            return QDir::cleanPath(bin.filePath(QString::fromLatin1(relative)));
    return QStringLiteral(HOMEBOOTH_RESOURCES_DIR);
}

QString builtInModel() {
    return resourcesFolder() + QStringLiteral("/models/sketch");
}

QString dataFolder() {
    return QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) +
           QStringLiteral("/homebooth");
}

QString cacheFolder() {
    return QStandardPaths::writableLocation(QStandardPaths::GenericCacheLocation) +
           QStringLiteral("/homebooth");
}

bool makeFolder(const QString& folder) {
    return core::MadeFolders::make(folder.toStdString()).ok();
}

void makeOwnFolders() {
    const QString settings = QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) +
                             QStringLiteral("/homebooth");
    for (const QString& folder : {dataFolder(), settings, cacheFolder()}) makeFolder(folder);
}

QString freeFolder(const QString& folder, const QString& name) {
    const QDir dir(folder);
    QString candidate = name;
    for (int number = 2; dir.exists(candidate); ++number)
        candidate = QStringLiteral("%1 %2").arg(name, QString::number(number));
    return dir.filePath(candidate);
}

QString freeFile(const QString& folder, const QString& name, const QString& ending) {
    const QDir dir(folder);
    QString candidate = QStringLiteral("%1.%2").arg(name, ending);
    for (int number = 2; dir.exists(candidate); ++number)
        candidate = QStringLiteral("%1 %2.%3").arg(name, QString::number(number), ending);
    return dir.filePath(candidate);
}

QString safeFileName(const QString& name) {
    QString safe = name;
    safe.replace(QRegularExpression(QStringLiteral("[/\\\\:*?\"<>|\\x00-\\x1f]")), QStringLiteral(" "));
    safe = safe.simplified().left(60);
    while (safe.startsWith('.')) safe.remove(0, 1);
    return safe.isEmpty() ? QStringLiteral("run") : safe;
}

} // namespace homebooth::app
