// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/queue/job_order.h"

#include "app/engine/pictures/generator.h"
#include "app/engine/runs/run_centre.h"

namespace homebooth::app {

QString nameOfPictures(int64_t job) {
    return QLatin1String(core::JobQueue::kPictures) + QString::number(job);
}

int64_t picturesOfName(const QString& name) {
    const QLatin1String start(core::JobQueue::kPictures);
    return name.startsWith(start) ? name.mid(start.size()).toLongLong() : 0;
}

QStringList waitingJobs(const RunCentre& runs, const Generator& generator) {
    QStringList pictures;
    for (size_t place = generator.busy() ? 1 : 0; place < generator.jobs().size(); ++place)
        pictures.append(nameOfPictures(generator.jobs()[place].id));
    QStringList all;
    for (const QString& name : runs.order()) {
        const bool waits = picturesOfName(name) != 0 ? pictures.removeOne(name) : !runs.works(name);
        if (waits) all.append(name);
    }
    return all + pictures;
}

} // namespace homebooth::app
