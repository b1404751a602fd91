// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/datasets/waiting_captions.h"

#include "app/library/background.h"
#include "app/pages/datasets/dataset_files.h"

namespace homebooth::app {

bool WaitingCaptions::add(const QString& folder, const QMap<QString, QString>& captions) {
    const std::lock_guard held(m_mutex);
    const bool first = !m_waiting.contains(folder);
    m_waiting[folder].insert(captions);
    return first;
}

core::Result<void> WaitingCaptions::write(const QString& folder) {
    QMap<QString, QString> captions;
    {
        const std::lock_guard held(m_mutex);
        captions = m_waiting.take(folder);
    }
    tellWriting();
    return writeCaptions(folder, captions, m_originals);
}

} // namespace homebooth::app
