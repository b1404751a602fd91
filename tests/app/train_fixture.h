// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What tests of the form that starts a training share. One a test program; GUI thread.
#pragma once

#include "app_files.h"

namespace homebooth::app {

class TrainFormTest : public ServicesTest {
public:
    using ServicesTest::ServicesTest;

protected:
    /// What a training is made of: a subject of one photo, and the default model, which is known then.
    void addRobotAndModel() {
        const QString photo = writeTestPicture(m_place.path(u"robot.png"_s), 1, {64, 64});
        m_services->subjects.addFromPhotos({photo}, u"robot"_s);
        m_services->models.refresh();
        QTRY_VERIFY(m_services->models.find(builtInModel()) != nullptr &&
                    m_services->models.find(builtInModel())->looked);
    }
};

} // namespace homebooth::app
