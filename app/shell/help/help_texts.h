// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the window says of each page when somebody asks. Pure function; GUI thread.
#pragma once

#include "app/shell/page.h"

#include <QString>
#include <QStringList>

namespace homebooth::app {

struct HelpText {
    QString purpose;
    QStringList steps;
    QList<std::pair<QString, QString>> keys; ///< what, key
};

[[nodiscard]] HelpText helpOf(PageId page);

} // namespace homebooth::app
