// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the page Train says before a training begins: its photos are copied, with their count and a way to
// stop, or the disk has no room for them.
#include "app/engine/run_centre.h"
#include "app/pages/train/train_page.h"
#include "app/widgets/message_bar.h"
#include "app/widgets/progress_message.h"
#include "app/widgets/room_message.h"

namespace homebooth::app {
namespace {
constexpr int kLongMs = 700; // a few photos are no news
} // namespace

bool TrainPage::starting() const {
    // Another run that begins or fails meanwhile ends the first of these, and no copying.
    return m_starting || m_services.runs.prepares();
}

void TrainPage::connectBeginning() {
    const RunCentre* runs = &m_services.runs;
    connect(runs, &RunCentre::preparing, this, [this, runs](const std::shared_ptr<WorkCount>& count) {
        const auto text = [](int done, int total) {
            return tr("Copying the photos: %1 of %2").arg(done).arg(total).toHtmlEscaped();
        };
        auto* progress = new ProgressMessage(messages(), QStringLiteral("preparing"), count, text, kLongMs);
        connect(runs, &RunCentre::prepared, progress, &ProgressMessage::end);
    });
    connect(runs, &RunCentre::prepared, this, [this](bool stopped) {
        if (!stopped) return;
        m_starting = false;
        messages().show(
            {MessageKind::Note, tr("Stopped. Nothing was started."), {}, QStringLiteral("failed")});
        refresh();
    });
    connect(runs, &RunCentre::noRoom, this,
            [this](const RunOrder& order, const QString& folder, const Shortage& shortage) {
                m_starting = false;
                tellNoRoom(*this, messages(),
                           {folder, shortage, tr("Nothing was started."), QStringLiteral("failed")},
                           [this, order](const QString& other) {
                               m_starting = true;
                               m_services.runs.begin(order, other);
                               refresh();
                           });
                refresh();
            });
}

} // namespace homebooth::app
