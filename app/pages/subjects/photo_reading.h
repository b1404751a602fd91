// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Counts on the page Subjects while many photos are looked at. Those that came in this session can be
// stopped: what was not looked at yet is not added then, as one step that can be undone. Owned by the page;
// GUI thread.
#pragma once

#include "app/pages/subjects/subject_models.h"

#include <QObject>
#include <QSet>

namespace homebooth::app {

class Page;

class PhotoReading : public QObject {
    Q_OBJECT
public:
    PhotoReading(SubjectBook& book, PhotoModel& photos, PhotoInspector& inspector, Page& page);

private:
    void takeAll();
    void look();
    void show(const QString& text, bool stoppable);
    void stop();
    [[nodiscard]] bool added(int64_t photo) const { return !m_before.contains(photo); }

    SubjectBook& m_book;
    PhotoModel& m_photos;
    PhotoInspector& m_inspector;
    Page& m_page;
    QSet<int64_t> m_before;   ///< photos of earlier sessions
    int64_t m_subject = 0;    ///< whose photos are counted; 0: nothing is told
    bool m_stoppable = false; ///< what is told has a way to stop
};

} // namespace homebooth::app
