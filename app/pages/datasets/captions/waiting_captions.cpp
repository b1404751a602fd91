// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/datasets/captions/waiting_captions.h"

#include "app/library/background.h"
#include "app/pages/datasets/dataset_files.h"

namespace homebooth::app {

bool WaitingCaptions::add(const QString& folder, const QMap<QString, QString>& captions) {
    const std::lock_guard held(m_mutex);
    const bool first = !m_waiting.contains(folder);
    m_waiting[folder].append(captions);
    return first;
}

core::Result<void> WaitingCaptions::write(const QString& folder) {
    QList<QMap<QString, QString>> edits;
    CaptionOriginals* originals = nullptr;
    {
        const std::lock_guard held(m_mutex);
        edits = m_waiting.take(folder);
        originals = &m_originals[folder]; // stays where it is when others come
    }
    QMap<QString, QString> all;
    for (const auto& edit : edits) all.insert(edit);
    tellWriting();
    auto written = writeCaptions(folder, all, *originals);
    if (written || edits.size() < 2) return written;
    core::Result<void> first;
    for (const auto& edit : edits) {
        tellWriting();
        written = writeCaptions(folder, edit, *originals);
        if (first && !written) first = written;
    }
    return first;
}

} // namespace homebooth::app
