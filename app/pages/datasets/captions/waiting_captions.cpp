// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/datasets/captions/waiting_captions.h"

#include "app/library/background.h"
#include "app/pages/datasets/dataset_files.h"

#include <optional>

namespace homebooth::app {

bool sameCaption(const QString& one, const QString& other) {
    if (one == other) return true; // nearly always
    return one.normalized(QString::NormalizationForm_C).simplified() ==
           other.normalized(QString::NormalizationForm_C).simplified();
}

bool WaitingCaptions::add(const QString& folder, const QMap<QString, QString>& captions,
                          const QMap<QString, QString>& expected) {
    const std::lock_guard held(m_mutex);
    const bool first = !m_waiting.contains(folder);
    m_waiting[folder].append({captions, expected});
    return first;
}

core::Result<int> WaitingCaptions::gather(const QString& folder, const Edit& edit,
                                          QMap<QString, QString>& all) {
    if (edit.expected.isEmpty()) {
        all.insert(edit.captions);
        return 0;
    }
    QMap<QString, QString> unknown; // of the others an edit before this one says what will stand there
    for (auto it = edit.captions.cbegin(); it != edit.captions.cend(); ++it)
        if (!all.contains(it.key())) unknown.insert(it.key(), *it);
    HOMEBOOTH_ASSIGN(auto now, captionsNow(folder, unknown));
    now.insert(all);
    int stay = 0;
    for (auto it = edit.captions.cbegin(); it != edit.captions.cend(); ++it) {
        if (sameCaption(now.value(it.key()), edit.expected.value(it.key())))
            all.insert(it.key(), *it);
        else if (!sameCaption(now.value(it.key()), *it))
            ++stay;
    }
    return stay;
}

core::Result<int> WaitingCaptions::writeTogether(const QString& folder, const QList<Edit>& edits,
                                                 CaptionOriginals& originals) {
    QMap<QString, QString> all;
    int stay = 0;
    for (const Edit& edit : edits) {
        HOMEBOOTH_ASSIGN(const int ofIt, gather(folder, edit, all));
        stay += ofIt;
    }
    tellWriting();
    if (!all.isEmpty()) HOMEBOOTH_CHECK(writeCaptions(folder, all, originals));
    return stay;
}

core::Result<int> WaitingCaptions::write(const QString& folder) {
    QList<Edit> edits;
    CaptionOriginals* originals = nullptr;
    {
        const std::lock_guard held(m_mutex);
        edits = m_waiting.take(folder);
        originals = &m_originals[folder]; // stays where it is when others come
    }
    tellWriting();
    auto written = writeTogether(folder, edits, *originals);
    if (written || edits.size() < 2) return written;
    std::optional<core::Error> first;
    int stay = 0;
    for (const Edit& edit : edits) {
        written = writeTogether(folder, {edit}, *originals);
        if (written)
            stay += *written;
        else if (!first)
            first = written.error();
    }
    if (first) return *first;
    return stay;
}

} // namespace homebooth::app
