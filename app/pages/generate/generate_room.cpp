// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the page Generate says while a finished picture waits for room on its disk; where pictures go.
#include "app/engine/pictures/generator.h"
#include "app/pages/generate/generate_page.h"
#include "app/settings/settings.h"
#include "app/widgets/room_message.h"
#include "core/base/run/failure_cause.h"
#include "core/base/util/result.h"

#include <QFileInfo>
#include <QSet>

#include <utility>

namespace homebooth::app {

void GeneratePage::tellFullDisk() {
    // Once for each folder that was tried.
    const std::optional<PictureWait> wait = m_services.generator.roomWait();
    const int number = wait ? wait->number : 0;
    if (std::exchange(m_toldWait, number) == number) return;
    if (number == 0) return messages().drop(QLatin1String(kRoomMessage));
    const QString folder = wait->folder;
    const bool ofSettings = folder.startsWith(m_pictures + '/'); // whose name says more than a date
    RoomMessage message{ofSettings ? m_pictures : folder,
                        {0, wait->freeBytes},
                        tr("The finished picture waits and is saved in %1 by itself once that is possible. "
                           "What comes after it waits, too.")
                            .arg(folder),
                        QLatin1String(kRoomMessage)};
    if (core::lacksRoom(static_cast<int>(core::ErrorCode::OutOfResources), wait->detail.toStdString())) {
        message.remedies.push_back({tr("Free room"), [this, folder] {
                                        m_toldWait = 0; // nothing has changed yet
                                        Q_EMIT roomWanted(folder);
                                    }});
    } else {
        message.trouble = tr("Nothing can be written into \"%1\".").arg(QFileInfo(folder).fileName());
    }
    tellNoRoom(*this, messages(), message, [this, folder](const QString& other) {
        if (other == folder) m_toldWait = 0; // it is as it was
        m_services.generator.movePictures(folder, other);
        refresh();
    });
}

void GeneratePage::followFolder() {
    const QString before = std::exchange(m_pictures, m_services.settings.picturesFolder());
    if (before == m_pictures) return;
    QSet<QString> folders; // of days, and perhaps others that were chosen
    for (const GenerationJob& job : m_services.generator.jobs())
        folders.insert(QString::fromStdString(job.config.outputDir));
    for (const QString& folder : std::as_const(folders))
        if (folder.startsWith(before + '/'))
            m_services.generator.movePictures(folder, m_pictures + folder.mid(before.size()));
}

void GeneratePage::clearMessages() {
    messages().clear();
    m_toldWait = 0;
    tellFullDisk();
}

} // namespace homebooth::app
