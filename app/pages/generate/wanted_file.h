// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which file of the shelf a picture's text or a prompt means by a name, and a hash where it says one.
// Names are shared and change, hashes do not. Any thread.
#pragma once

#include "app/engine/models/model_shelf.h"
#include "app/pages/generate/used_settings.h"

#include <optional>
#include <string>

namespace homebooth::app {

/// A model or an add-on that a text names.
struct Wanted {
    std::string name;
    std::string hash; ///< empty: it says none
    ModelEntry::Kind kind = ModelEntry::Kind::Model;
};

/// What it may be.
struct Found {
    QString path;                                  ///< what is taken, or for now; empty: nothing
    std::optional<FileToHash> next = std::nullopt; ///< decides more
    bool missing = false;                          ///< it is known not to be here
    bool nameIsTaken = false;                      ///< by what it is not
    bool several = false;                          ///< have the name, and nothing tells them apart
};

[[nodiscard]] Found findWanted(const Wanted& wanted, const ModelShelf& models, const FileHashes& hashes);

} // namespace homebooth::app
