// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Says on the page Subjects that the folder of a subject's photos is gone, with the way to where it is now:
// crops and captions stay. Owned by the page; GUI thread, the disk is looked at off it.
#pragma once

#include "app/pages/subjects/subject_models.h"

#include <QObject>

namespace homebooth::app {

class Page;

class LostFolder : public QObject {
    Q_OBJECT
public:
    LostFolder(SubjectBook& book, PhotoModel& photos, Page& page);

private:
    void look();
    void tell(int64_t subject, const QString& folder);
    void find(int64_t subject, const QString& folder);
    void take(int64_t subject, const QString& before, const QString& now);

    SubjectBook& m_book;
    PhotoModel& m_photos;
    Page& m_page;
    QStringList m_looked;  ///< the folders of missing photos that were looked at last
    int64_t m_subject = 0; ///< whose they are
    bool m_told = false;
};

/// What a subject is when the photos that lay in one folder are in another: those that are there, by their
/// places in it. Looks at the disk.
[[nodiscard]] core::Subject withFolder(const core::Subject& subject, const QString& before,
                                       const QString& now);

} // namespace homebooth::app
