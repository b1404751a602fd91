// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Saved moments of a run as models and add-ons to make pictures with, as their previews were made: with
// averages where the run keeps them (core/base/model/saved_moment.h). Free functions; any thread.
//   a whole model   the checkpoint holds weights alone: a folder of links joins them with the configurations
//                   of the model
//   an add-on       the checkpoint holds adapters under the engine's own names: a file has them under those
//                   that every program knows
#pragma once

#include "core/base/util/result.h"

#include <QString>
#include <QStringList>

#include <functional>
#include <mutex>
#include <string>
#include <vector>

namespace homebooth::app {

struct Moment {
    int64_t step = 0;
    QString path; ///< the checkpoint's folder
    bool lora = false;
    bool favourite = false; ///< stays when older ones go
    friend bool operator==(const Moment&, const Moment&) = default;
};

/// The checkpoints of a run that hold a model or an add-on, oldest first. What the clock saved in between is
/// none: it goes with the next one.
[[nodiscard]] std::vector<Moment> momentsOf(const QString& runFolder);

/// Where `momentModel` puts its links, `momentLora` its file.
[[nodiscard]] QString momentFolder(const QString& checkpoint);

/// Held while something is made of a checkpoint: of two who ask for it the second finds it made. Each has one
/// of its own, since its drive may never answer.
[[nodiscard]] std::mutex& makingOf(const QString& checkpoint);

/// The file that `momentLora` makes.
[[nodiscard]] QString momentLoraFile(const QString& checkpoint);

/// Makes a diffusers folder of links: the checkpoint's weights, all else of `base`. One that leads to just
/// that stays as it is, and counts as used now.
/// @param base  the diffusers folder that the run began with, or its result
/// Errors: BadInput if the checkpoint or the base is gone, or the base is a single file
[[nodiscard]] core::Result<QString> momentModel(const QString& checkpoint, const QString& base);

/// Makes a LoRA file of a checkpoint, unless it was made before: then it counts as used now.
/// @param base  the model that the run began with; what it is stands in the file
/// Errors: BadInput if the checkpoint or the run's settings are gone; OutOfResources, disk full
[[nodiscard]] core::Result<QString> momentLora(const QString& checkpoint, const QString& base);

/// The folders that the two have made of a run's checkpoints.
[[nodiscard]] QStringList madeOfMoments(const QString& runFolder);

/// Removes what the two have made of checkpoints that are gone, then of the rest what was not used for
/// longest, until the files take no more than `bytes`. What was used within the last days stays.
/// @param checkpoints  all that there are
/// @param inUse        files and folders that pictures wait with: what they lie in stays, too
void tidyMoments(const QStringList& checkpoints, const QStringList& inUse, qint64 bytes);

/// What `momentModel` made lasts as long as the checkpoint. Puts such a model into a run's folder for good:
/// what lies in another run comes along, without taking room where the disk can do that; what lies in the
/// folder of a model of the user's is linked.
/// @param model  any other is left alone. @param goesOn  asked while files are copied; false ends it
/// @returns the path of what is to be learned from
[[nodiscard]] core::Result<std::string> keptModel(const std::string& model, const QString& runFolder,
                                                  const std::function<bool()>& goesOn);

} // namespace homebooth::app
