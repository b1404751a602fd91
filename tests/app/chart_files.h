// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Files that charts are exported to. Free functions; GUI thread.
#pragma once

#include "app/charts/chart.h"
#include "app_fixture.h"

#include <optional>

namespace homebooth::app {

/// Whether a chart was written.
[[nodiscard]] inline bool exported(Chart& chart, const QString& path) {
    std::optional<bool> written;
    chart.exportTo(path, [&written](bool fine) { written = fine; });
    return QTest::qWaitFor([&written] { return written.has_value(); }, kLongestMs) && *written;
}

} // namespace homebooth::app
