// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the page Train says while a training waits for room on its disk, or for the disk.
#include "app/engine/engine_words.h"
#include "app/engine/runs/run_session.h"
#include "app/pages/train/train_page.h"
#include "app/widgets/message_bar.h"
#include "app/widgets/room_message.h"
#include "core/base/run/checkpoints/checkpoints_elsewhere.h"
#include "core/base/run/run_place.h"

#include <QFileInfo>
#include <QPointer>

namespace homebooth::app {
namespace {

/// Tells one try of a run to save from the next; empty: its disk has room.
QString failedTry(const RunSession* run) {
    if (run == nullptr || !run->active() || run->phase() != RunPhase::DiskFull) return {};
    return QStringLiteral("%1 at %2").arg(run->folder(), QString::number(run->data().roomWaits));
}

/// What has no room: saved moments and the result may lie on another disk than the run.
QString fullFolder(const RunSession& run) {
    const auto elsewhere = core::checkpointsElsewhere(run.folder().toStdString());
    const auto says = [&run](const char* part) {
        return run.data().state.detail.find(part) != std::string::npos;
    };
    const QFileInfo result(run.folder() + QStringLiteral("/result"));
    const bool own = says("run.json") || (says("the result of step") && !result.isSymLink());
    return own || !elsewhere ? run.folder() : QString::fromStdString(*elsewhere);
}

} // namespace

void TrainPage::tellFullDisk(RunSession* run) {
    // Once for each try that failed: somebody may have said that it shall try again.
    const QString which = failedTry(run);
    if (std::exchange(m_full, which) == which) return;
    if (which.isEmpty()) return messages().drop(QLatin1String(kRoomMessage));
    const core::StateEvent& state = run->data().state;
    const auto go = [run = QPointer(run)] {
        if (run) run->send(core::ControlVerb::Resume);
    };
    const auto free = [this, folder = run->folder()] {
        m_full.clear(); // nothing has changed yet: it stands here again for who comes back
        Q_EMIT roomWanted(folder);
    };
    RoomMessage message{run->folder(),
                        {state.total, state.done},
                        tr("Training waits; nothing is lost. It goes on by itself when there is room."),
                        QLatin1String(kRoomMessage)};
    message.remedies = {{tr("Continue"), go}};
    if (core::isOfRunPlace(state.detail)) {
        message.trouble = trainingTrouble(run->lack(), state.detail);
        message.kept =
            tr("Training waits; what it has learned is not lost. It goes on by itself when its folder, or a "
               "copy of it, is back where it was.");
    } else if (run->lack() == core::FailureCause::DriveMissing) {
        message.trouble = trainingTrouble(run->lack());
        message.kept =
            tr("Training waits; nothing is lost. It goes on by itself when the drive is connected.") + ' ' +
            tr("In another folder it goes on without the moments that lie on that drive; they stay there.");
    } else if (run->lack() == core::FailureCause::FileTooLarge) {
        message.trouble = trainingTrouble(run->lack());
        message.kept = tr("Training waits; nothing is lost. It goes on in a folder on another drive.");
        message.remedies.clear(); // here it fails each time
    } else {
        message.folder = fullFolder(*run);
        message.remedies.push_back({tr("Free room"), free});
    }
    tellNoRoom(*this, messages(), message, [run = QPointer(run)](const QString& folder) {
        if (run) run->saveIn(folder);
    });
}

} // namespace homebooth::app
