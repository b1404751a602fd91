// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Class pictures for prior preservation: counted, and made with the model as it is where some are missing.
// They lie in a folder of the user's choice or in the cache, under a name made of everything that they depend
// on, so that runs share them. An interrupted generation goes on where it stopped: each picture is a function
// of that and of its number, and those that are there stay, but for damaged ones of the cache, which are made
// again. One job a folder: its ranks write other pictures each. In a folder of the user's made-of.json says
// which prompt and model those that were made are of.
#pragma once

#include "core/engine/data/job_context.h"
#include "core/engine/training/model_bundle.h"

#include <string>
#include <vector>

namespace homebooth::core {

/// Paths of at least config.data.classImageCount pictures; fewer only when stop was requested.
/// Errors: BadInput, also where some were to be added to those of another prompt or model; OutOfResources,
///         those of generation
[[nodiscard]] Result<std::vector<std::string>> prepareClassPictures(const JobContext& job,
                                                                    ModelBundle& model);

/// Makes the missing ones before several ranks prepare: each its part where all are on one machine; else the
/// first rank makes them, and then that of each other machine what it misses, for machines may or may not
/// share the folder. The model is loaded where there is something to make, all of it until that is done, and
/// learns nothing meanwhile. Every rank calls it.
/// @returns  false when stop was requested of any. Errors: as above; throws RankLost
[[nodiscard]] Result<bool> makeClassPicturesTogether(const JobContext& job, ModelBundle& model);

} // namespace homebooth::core
