// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// One order of trainings and pictures that wait. It stands in the queue's folder
// (core/base/run/queue/job_queue.h), in which pictures have names only; what they are to be is in the
// library. Free functions; GUI thread.
#pragma once

#include <QStringList>

#include <cstdint>

namespace homebooth::app {

class Generator;
class RunCentre;

/// The name of pictures in the order.
[[nodiscard]] QString nameOfPictures(int64_t job);

/// The key of the pictures with this name; 0: it is the folder of a training.
[[nodiscard]] int64_t picturesOfName(const QString& name);

/// What waits, first to last: folders of trainings and names of pictures. New pictures come last.
[[nodiscard]] QStringList waitingJobs(const RunCentre& runs, const Generator& generator);

} // namespace homebooth::app
