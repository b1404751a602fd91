// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/train/setup/example_folder.h"

#include "app/engine/runs/training_recipe.h"
#include "app/library/background.h"
#include "core/media/picture_list.h"

#include <QFileInfo>

#include <utility>

namespace homebooth::app {

void ExampleFolder::setFolder(const QString& folder) {
    if (std::exchange(m_folder, folder) == folder) return;
    m_found = {};
    m_looking = false; // at another one, whose drive may never answer
    look();
}

void ExampleFolder::look() {
    if (m_folder.isEmpty() || std::exchange(m_looking, true)) return;
    inBackground(
        this, [folder = m_folder] { return lookInto(folder); },
        [this, folder = m_folder](const Found& found) { take(folder, found); }, &lookPool());
}

ExampleFolder::Found ExampleFolder::lookInto(const QString& folder) {
    const QFileInfo info(folder);
    if (!info.isAbsolute() || !info.exists()) return {State::Gone, 0};
    if (!info.isDir()) return {State::File, 0};
    const auto list = core::listPictures(folder.toStdString());
    if (!list) return {State::Unreadable, 0};
    return {State::There, std::ssize(list->pictures)};
}

void ExampleFolder::take(const QString& folder, const Found& found) {
    if (folder != m_folder) return;
    m_looking = false;
    if (std::exchange(m_found, found) != found) Q_EMIT changed();
}

std::optional<SettingClash> ExampleFolder::clash() const {
    QString reason;
    switch (m_found.state) {
    case State::Unknown:
    case State::There:
        return std::nullopt;
    case State::Gone:
        reason =
            tr("The folder of your example pictures is not there: %1. Connect its drive, or name another "
               "one.");
        break;
    case State::File:
        reason =
            tr("Expected a folder of example pictures, found a file: %1. Name the folder that it is in.");
        break;
    case State::Unreadable:
        reason = tr("The folder of your example pictures cannot be read: %1. Look whether you may open it.");
        break;
    }
    const QString path = QString::fromLatin1(kClassFolderPath);
    return SettingClash{path, reason.arg(m_folder), {tr("Let the model make them"), {}, {{path, QString()}}}};
}

} // namespace homebooth::app
