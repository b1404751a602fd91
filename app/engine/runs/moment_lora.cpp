// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The part of the saved moments that makes an add-on of a checkpoint.
#include "app/engine/runs/moments.h"
#include "app/library/disk_cache.h"
#include "core/base/model/saved_moment.h"

#include <QDateTime>
#include <QDir>
#include <QFileInfo>

#include <mutex>

namespace homebooth::app {
namespace {

QString runOf(const QString& checkpoint) {
    return QDir::cleanPath(checkpoint + QStringLiteral("/../.."));
}

/// Whether what was made of a checkpoint is what would be made of it now. Earlier versions left averages out.
bool isUpToDate(const QString& file, const QString& checkpoint) {
    const QFileInfo made(file);
    const QFileInfo manifest(checkpoint + QStringLiteral("/manifest.json"));
    if (!made.exists() || !manifest.exists() || made.lastModified() < manifest.lastModified()) return false;
    return core::isLoraOfAverages(file.toStdString()) == core::momentHasAverages(checkpoint.toStdString());
}

} // namespace

QString momentLoraFile(const QString& checkpoint) {
    // Pictures name an add-on by its file.
    return QStringLiteral("%1/%2 %3.safetensors")
        .arg(momentFolder(checkpoint), QFileInfo(runOf(checkpoint)).fileName(),
             QFileInfo(checkpoint).fileName());
}

core::Result<QString> momentLora(const QString& checkpoint, const QString& base) {
    const std::lock_guard turn(makingOf(checkpoint));
    const QString file = momentLoraFile(checkpoint);
    if (isUpToDate(file, checkpoint)) {
        markUsed(file);
        return file;
    }
    QFile::remove(file);
    HOMEBOOTH_ASSIGN(const core::SavedMoment moment, core::openSavedMoment(checkpoint.toStdString()));
    if (!QDir().mkpath(momentFolder(checkpoint)))
        return core::badInput("preparing a saved moment: the folder could not be made",
                              momentFolder(checkpoint).toStdString());
    const auto written =
        core::writeMomentLora(moment, base.toStdString(), file.toStdString(), core::LoraFormat::Kohya);
    if (!written) return written.error();
    return file;
}

} // namespace homebooth::app
