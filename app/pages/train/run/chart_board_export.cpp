// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The part of the charts that asks where to one is to be saved.
#include "app/charts/chart.h"
#include "app/engine/places.h"
#include "app/engine/runs/run_session.h"
#include "app/library/background.h"
#include "app/pages/train/run/chart_board.h"

#include <QDir>
#include <QFileDialog>

namespace homebooth::app {

void ChartBoard::exportChart(Chart* chart) {
    const QString name =
        safeFileName((m_run ? m_run->title() + ' ' : QString()) + chart->accessibleName().toLower());
    const auto propose = [folder = QDir::homePath(), name] {
        return freeFile(folder, name, QStringLiteral("png"));
    };
    inBackground(this, propose, [this, chart = QPointer<Chart>(chart)](const QString& path) {
        if (chart) askWhereTo(chart, path);
    });
}

void ChartBoard::askWhereTo(Chart* chart, const QString& proposed) {
    auto* dialog = new QFileDialog(this, tr("Export the chart"), proposed,
                                   tr("Picture (*.png);;Drawing (*.svg);;All values (*.csv)"));
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setDefaultSuffix(QStringLiteral("png"));
    connect(dialog, &QFileDialog::filterSelected, dialog, [dialog](const QString& filter) {
        dialog->setDefaultSuffix(filter.section(QStringLiteral("*."), 1).section(')', 0, 0));
    });
    connect(dialog, &QFileDialog::fileSelected, this, [this, chart](const QString& path) {
        chart->exportTo(path, [this, path](bool written) { Q_EMIT exported(path, written); });
    });
    dialog->open();
}

} // namespace homebooth::app
