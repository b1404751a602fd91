// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What of a model is not computed here and goes into saved ones. Components' folders as they are downloaded
// often have the same weights several times. Private to core/base/model. Stateless; any thread.
#pragma once

#include "core/base/model/model_source.h"

namespace homebooth::core {

/// A model's card.
constexpr const char* kReadmeName = "README.md";

/// The files directly inside a component's folder, of weights those alone that opening it would read, as far
/// as they have a usual name. Links to files count as files. They are noted, of pickles what they would call
/// is read.
/// @param model      the model's folder. @param component  the name of one in it
/// @param leftAside  gets those that shall not go along
/// Errors: BadInput for a folder that cannot be listed
[[nodiscard]] Result<KeptFiles> carriedFiles(const std::filesystem::path& model, const std::string& component,
                                             LeftAside& leftAside);

/// Whether a file directly in the model's folder goes along: LICENSE*, NOTICE*, README.md, which often is the
/// only one that names the licence, training_defaults.json; none whose name has control characters.
/// @param name  without folders
[[nodiscard]] bool goesAlong(const std::string& name);

/// Leaves aside what says what this model is and does not hold for what is learned from it: README.md. The
/// licence that this names does, and is noted (noteLicence).
void dropDescription(ModelSource& model);

/// Whether a component is saved along: networks only with their weights.
[[nodiscard]] bool canCarry(const CarriedComponent& carried);

/// What goes along into the folder of a model that makes pictures, as it is, all of it kept.
/// Errors: BadInput, naming what cannot be read or listed and what to do
[[nodiscard]] Result<KeptFiles> filesAlong(const ModelSource& model);
/// Likewise of a language model.
[[nodiscard]] Result<KeptFiles> filesAlong(const LanguagePart& model);

} // namespace homebooth::core
