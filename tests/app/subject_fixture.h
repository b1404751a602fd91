// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the tests of subjects share: photos in a folder. One a test program; GUI thread.
#pragma once

#include "app_files.h"

namespace homebooth::app {

class SubjectPhotosTest : public ServicesTest {
public:
    using ServicesTest::ServicesTest;

protected:
    /// Photos in the folder "robot_toy". @returns their paths
    [[nodiscard]] QStringList photos(int count) const {
        QDir().mkpath(m_place.path(QStringLiteral("robot_toy")));
        QStringList paths;
        for (int i = 0; i < count; ++i)
            paths.append(writeTestPicture(m_place.path(QStringLiteral("robot_toy/%1.png").arg(i)), i));
        return paths;
    }
};

} // namespace homebooth::app
