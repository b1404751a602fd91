// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// QCustomPlot's header, which needs Qt's keywords; everything else here does without them, because base has
// functions named emit. Include this instead of qcustomplot.h.
#pragma once

#include <QObject>

#define signals Q_SIGNALS
#define slots Q_SLOTS
#define emit
#define foreach Q_FOREACH
#include <qcustomplot.h> // IWYU pragma: export
#undef signals
#undef slots
#undef emit
#undef foreach
