// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the tests of subjects share: photos in a folder, and the page that shows their subject. One a test
// program; GUI thread.
#pragma once

#include "app/pages/subjects/subjects_page.h"
#include "app_files.h"

namespace homebooth::app {

/// The page, which is seen, with one subject.
class PageOfSubject : public SubjectsPage {
public:
    PageOfSubject(TestServices& services, int64_t subject, QSize size = {})
        : SubjectsPage(services.all()) {
        if (size.isValid()) resize(size);
        show();
        select(subject);
    }
};

class SubjectPhotosTest : public ServicesTest {
public:
    using ServicesTest::ServicesTest;

protected:
    /// Photos in the folder "robot_toy". @returns their paths
    [[nodiscard]] QStringList photos(int count) const {
        QDir().mkpath(m_place.path("robot_toy"));
        QStringList paths;
        for (int i = 0; i < count; ++i)
            paths.append(writeTestPicture(m_place.path(u"robot_toy/%1.png"_s.arg(i)), i));
        return paths;
    }
    /// "ohwx toy" of these photos, in no library.
    [[nodiscard]] static core::Subject toyOf(const QStringList& paths) {
        core::Subject subject;
        subject.triggerWord = "ohwx";
        subject.classNoun = "toy";
        for (const QString& path : paths) {
            subject.photos.emplace_back();
            subject.photos.back().path = path.toStdString();
        }
        return subject;
    }
    /// Takes back all that was done.
    void undoAll() {
        while (m_services->undo.canUndo()) m_services->undo.undo();
    }
};

} // namespace homebooth::app
