// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Numbers at a linear axis: all of one axis have as many decimals as the step between them needs, and
// none is rounded to another value than the one where it stands. Owned by its axis; GUI thread.
#pragma once

#include "app/charts/plot.h"

namespace homebooth::app {

class ExactTicker : public QCPAxisTicker {
protected:
    QVector<double> createTickVector(double tickStep, const QCPRange& range) override;
    QString getTickLabel(double tick, const QLocale& locale, QChar format, int precision) override;

private:
    int m_decimals = 0;
    int m_power = 0; ///< of ten, in which the numbers are told; 0: as they are
};

} // namespace homebooth::app
