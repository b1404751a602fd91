// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/room_message.h"

#include "app/engine/figures.h"
#include "app/widgets/file_dialog.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QPointer>

#include <algorithm>

namespace homebooth::app {
namespace {

/// Small needs, too, are seen to be more than nothing.
QString roomText(qint64 bytes) {
    constexpr qint64 kMega = 1'000'000;
    return diskText(bytes > 0 ? std::max(bytes, kMega) : 0);
}

struct RoomWords {
    Q_DECLARE_TR_FUNCTIONS(homebooth::app::RoomMessage)
};

/// What is wrong, as HTML.
QString troubleText(const RoomMessage& message) {
    const auto bold = [](const QString& text) {
        return QStringLiteral("<b>%1</b>").arg(text.toHtmlEscaped());
    };
    if (!message.trouble.isEmpty()) return bold(message.trouble);
    const QString name = QFileInfo(message.folder).fileName();
    const qint64 needed = message.shortage.neededBytes;
    const bool full = needed <= 0 || message.shortage.freeBytes < needed; // else it is a quota's end
    const QString headline = full ? RoomWords::tr("The disk of \"%1\" is full.")
                                  : RoomWords::tr("Nothing more can be written into \"%1\".");
    return bold(headline.arg(name)) + ' ' + shortageText(message.shortage).toHtmlEscaped();
}

} // namespace

QString shortageText(const Shortage& shortage) {
    if (shortage.neededBytes <= 0) return RoomWords::tr("%1 are free.").arg(diskText(shortage.freeBytes));
    const QString needed = roomText(shortage.neededBytes);
    if (shortage.freeBytes < 0) return RoomWords::tr("%1 are needed.").arg(needed);
    return RoomWords::tr("%1 are needed, %2 are free.").arg(needed, diskText(shortage.freeBytes));
}

Remedy otherFolder(QWidget& page, const std::function<void(const QString&)>& elsewhere) {
    return {RoomWords::tr("Other folder"), [page = &page, elsewhere] {
                askForFile(page,
                           {RoomWords::tr("Another folder, on a disk with room"), QFileDialog::Directory},
                           elsewhere);
            }};
}

void tellNoRoom(QWidget& page, MessageBar& bar, const RoomMessage& message,
                const std::function<void(const QString&)>& elsewhere) {
    QString text = troubleText(message);
    if (!message.kept.isEmpty()) text += ' ' + message.kept.toHtmlEscaped();
    const auto drop = [bar = QPointer(&bar), key = message.key] {
        if (bar) bar->drop(key);
    };
    std::vector<Remedy> remedies;
    for (const Remedy& one : message.remedies)
        remedies.push_back({one.label, [drop, act = one.act] {
                                drop();
                                act();
                            }});
    remedies.push_back(otherFolder(page, [drop, elsewhere](const QString& folder) {
        drop();
        elsewhere(folder);
    }));
    bar.show({MessageKind::Error, text, remedies, message.key});
}

} // namespace homebooth::app
