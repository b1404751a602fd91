// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/progress_message.h"

#include "app/widgets/message_bar.h"

namespace homebooth::app {
namespace {
constexpr int kTellMs = 200;
} // namespace

ProgressMessage::ProgressMessage(MessageBar& bar, QString key, std::shared_ptr<WorkCount> count, Text text,
                                 int afterMs)
    : QObject(&bar)
    , m_bar(bar)
    , m_key(std::move(key))
    , m_count(std::move(count))
    , m_text(std::move(text)) {
    connect(&m_timer, &QTimer::timeout, this, &ProgressMessage::tell);
    if (afterMs == 0) tell();
    m_timer.start(afterMs == 0 ? kTellMs : afterMs);
}

void ProgressMessage::tell() {
    m_timer.setInterval(kTellMs);
    const QString text = m_text(m_count->done, m_count->total);
    if (m_shown) return m_bar.setText(m_key, text); // closed: it stays away
    m_shown = true;
    m_bar.show(
        {MessageKind::Note, text, {{tr("Stop"), [count = m_count] { count->stopped = true; }}}, m_key});
}

void ProgressMessage::end() {
    m_timer.stop();
    if (m_shown) m_bar.drop(m_key);
    deleteLater();
}

} // namespace homebooth::app
