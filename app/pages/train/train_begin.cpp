// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the page Train says before a training begins: its photos are copied, with their count and a way to
// stop, or the disk has no room for them.
#include "app/engine/runs/run_centre.h"
#include "app/engine/runs/run_session.h"
#include "app/library/subject_book.h"
#include "app/pages/train/setup/train_setup.h"
#include "app/pages/train/train_page.h"
#include "app/widgets/message_bar.h"
#include "app/widgets/progress_message.h"
#include "app/widgets/room_message.h"
#include "core/base/config/train_config_json.h"
#include "core/media/picture_list.h"

namespace homebooth::app {
namespace {
constexpr int kLongMs = 700; // a few photos are no news

/// All settings but where it swaps to, which goes by what is free just then.
std::string settingsOf(const RunOrder& order) {
    core::TrainConfig config = order.config;
    config.memory.swapDir.clear();
    config.memory.swapBytes = 0;
    return core::toJson(config);
}

/// What was chosen: the answer about the GPUs, which changes the others, may come after the press.
std::string pressedSettings(RunOrder order) {
    order.config.memory.device = {};
    order.config.precision = {};
    return settingsOf(order);
}

} // namespace

bool TrainPage::starting() const {
    // Another run that begins or fails meanwhile ends the first of these, and no copying.
    return m_starting || m_services.runs.prepares();
}

void TrainPage::begin(const RunOrder& order, const QString& elsewhere) {
    m_starting = true;
    if (!m_begun.empty() && m_begun.back().folder.isEmpty()) m_begun.pop_back(); // nothing came of it
    m_begun.push_back({{}, settingsOf(order), order.subjects});
    m_services.runs.begin(order, elsewhere);
    refresh();
}

void TrainPage::wantStart() {
    if (starting() || !sameUnderWay().isEmpty()) return;
    const RunOrder order = m_setup->order();
    m_wanted = Begun{{}, pressedSettings(order), order.subjects};
    refresh();
}

void TrainPage::startWanted() {
    if (!m_wanted) return;
    const RunOrder order = m_setup->order();
    const bool same = m_wanted->config == pressedSettings(order) && m_wanted->subjects == order.subjects;
    if (same && m_setup->working()) return;
    m_wanted.reset();
    if (!same || !m_setup->ready() || starting() || !sameUnderWay().isEmpty()) return;
    messages().drop(QStringLiteral("failed"));
    begin(order);
}

QString TrainPage::sameUnderWay() const {
    if (m_begun.empty()) return {};
    const RunCentre& runs = m_services.runs;
    const RunOrder order = m_setup->order();
    const std::string settings = settingsOf(order);
    for (const Begun& one : m_begun) {
        const bool same = one.config == settings && one.subjects == order.subjects;
        const bool waits = runs.startWanted(one.folder) || runs.queue().contains(one.folder);
        // A data set is learned in its place, and may be another one since somebody works on it.
        const RunSession* session = order.subjects.empty() ? runs.session(one.folder) : nullptr;
        const bool mayDiffer = session != nullptr && session->data().workerAlive;
        if (same && (waits || (runs.works(one.folder) && !mayDiffer))) return one.folder;
    }
    return {};
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
    connect(runs, &RunCentre::folderMade, this, [this](const RunOrder& order, const QString& folder) {
        for (Begun& one : m_begun)
            if (one.folder.isEmpty() && one.config == settingsOf(order) && one.subjects == order.subjects)
                one.folder = folder;
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
                           [this, order](const QString& other) { begin(order, other); });
                refresh();
            });
    connect(runs, &RunCentre::failed, this, [this](const QString&, const QString& detail) {
        if (detail.toStdString().find(core::kPhotoGoneWords) == std::string::npos) return;
        connect(
            &m_services.subjects, &SubjectBook::changed, this, // perhaps it is found, or left out
            [this] { messages().drop(QStringLiteral("failed")); }, Qt::SingleShotConnection);
    });
}

} // namespace homebooth::app
