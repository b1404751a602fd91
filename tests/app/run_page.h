// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The page Train as it shows a run. GUI thread.
#pragma once

#include "app/pages/train/train_page.h"
#include "app_fixture.h"

namespace homebooth::app {

class RunPage : public TrainPage {
public:
    /// With the run of a folder.
    RunPage(TestServices& services, const QString& folder)
        : TrainPage(services.all()) {
        setVisible(true);
        services.runs.show(folder);
    }
    /// With the run that works, which is known by now.
    explicit RunPage(TestServices& services)
        : TrainPage(services.all()) {
        [&services] { QTRY_VERIFY(services.runs.busy()); }();
        Q_EMIT services.runs.currentChanged(); // it may have been that before there was a page
        setVisible(true);
        showRun();
    }
};

} // namespace homebooth::app
