// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/held_out.h"

#include "core/base/run/run_folder.h"

#include <QDir>

namespace homebooth::app {

double heldOutShare(const QStringList& runs, const QString& dataset) {
    const QString wanted = QDir::cleanPath(dataset);
    for (const QString& folder : runs) {
        const auto run = core::RunFolder::open(folder.toStdString());
        if (!run) continue;
        const auto config = run->config();
        if (!config || config->data.datasetDir.empty()) continue;
        if (QDir::cleanPath(QString::fromStdString(config->data.datasetDir)) == wanted)
            return config->data.validationShare;
    }
    return 0.0;
}

} // namespace homebooth::app
