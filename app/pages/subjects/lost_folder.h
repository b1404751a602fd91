// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Says on the page Subjects that the folder of a subject's photos is gone, with the way to where it is now:
// crops and captions stay. Subjects whose photos went the same way are found with it. Owned by the page; GUI
// thread, the disk is looked at off it.
#pragma once

#include "app/pages/subjects/subject_models.h"

#include <QObject>

#include <map>
#include <string>
#include <vector>

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
    /// Mends all subjects with photos that were found, if the one that was asked for is among them.
    void mend(int64_t subject, const std::map<std::string, std::string>& files, const QString& now);

    SubjectBook& m_book;
    PhotoModel& m_photos;
    Page& m_page;
    QStringList m_looked;  ///< the folders of missing photos that were looked at last
    int64_t m_subject = 0; ///< whose they are
    bool m_told = false;
};

/// A folder that lies elsewhere now.
struct MovedFolder {
    QString before;
    QString now;

    /// The outermost folder that was moved where this one was: "/stick/toys/robot" that was
    /// "/photos/toys/robot" tells that "/photos" is "/stick" now.
    [[nodiscard]] MovedFolder outermost() const;
};

/// Where photos lie that lay below a folder and are no longer there: those that are found at the same places
/// below where it is now. By their paths before. Looks at the disk.
[[nodiscard]] std::map<std::string, std::string> movedFiles(const std::vector<core::Subject>& subjects,
                                                            const MovedFolder& folder);

} // namespace homebooth::app
