// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What goes when a model is deleted, and what depends on it. Free functions; GUI thread, unless they say
// otherwise.
#pragma once

#include "app/shell/services.h"

#include <QString>
#include <QStringList>

#include <optional>
#include <utility>
#include <vector>

namespace homebooth::app {

class ModelShelf;
struct ModelEntry;

struct ModelRemoval {
    QStringList usedBy;   ///< jobs that work with it or wait for it: while there are some it stays
    QStringList madeFrom; ///< models that began with it; they go on working
    QStringList neededBy; ///< add-ons that make pictures with it alone
    QString path;         ///< what goes into the trash
    bool run = false;     ///< a whole run, with charts and saved moments
    bool model = false;   ///< and with a model that came out of it
    bool addOn = false;   ///< or an add-on
    bool gone = false;    ///< nothing is there any more: it is forgotten alone
};

/// The first of what there may be hundreds of, each cut where it is long, and how many more there are.
[[nodiscard]] QString firstOf(const QStringList& names, int most);

/// So many of them as a question can have, as HTML: one that named all would be higher than the screen, with
/// its buttons below.
[[nodiscard]] QString listOf(const QStringList& names);

/// What was made from the model of a path, the newest first.
[[nodiscard]] QStringList namesMadeFrom(const ModelShelf& models, const QString& path);

/// @param with  folders of other trainings that go at once, and paths of other models
[[nodiscard]] ModelRemoval removalOf(const Services& services, const ModelEntry& entry,
                                     const QStringList& with = {});

/// From where to where in the trash.
using TrashedModel = std::vector<std::pair<QString, QString>>;

/// Moves a model or an add-on into the trash, and with a single file the .yaml beside it that Homebooth
/// wrote: other programs would read it for the next file of that name. Any thread.
/// @returns  what was moved, nothing of what was gone before; none: the model is there still
[[nodiscard]] std::optional<TrashedModel> moveModelToTrash(const QString& path);

/// Takes it out again. Any thread. @param path  of the model
/// @returns  what of it stays in the trash, beside the model; none: the model does
[[nodiscard]] std::optional<TrashedModel> bringBackModel(const QString& path, const TrashedModel& trashed);

/// The question before it is done, or why it cannot be.
[[nodiscard]] QString removalText(const ModelRemoval& removal, const QString& name);

/// The one question about several: how many go into the trash, how many leave the list alone.
[[nodiscard]] QString removalText(const std::vector<ModelRemoval>& several, const QStringList& names);

} // namespace homebooth::app
