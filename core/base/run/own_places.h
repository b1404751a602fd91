// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Whether what a run replaces is its own where `result` or `charts` in its folder is a link: whoever made
// that may have meant another folder, and a run that came from somebody else may lead anywhere. As with
// checkpoints, such a folder says whose it is (checkpoint_places.h); an empty one, or one that is still to be
// made, becomes the run's. Free functions; one writer a run.
#pragma once

#include "core/base/run/run_folder.h"

namespace homebooth::core {

/// The run's folder of charts.
[[nodiscard]] std::string chartsDir(const RunFolder& run);

/// Whether one of the two folders may be written to. @param path  `resultDir` or `chartsDir` of the run
/// Errors: BadInput for a link to what is not the run's, with what to do
[[nodiscard]] Result<void> expectOwnPlace(const RunFolder& run, const std::string& path);

/// Likewise both, before anything is computed.
[[nodiscard]] Result<void> expectOwnPlaces(const RunFolder& run);

/// Makes the folder where there is none, and has it belong to the run where a link leads there.
/// Errors: as expectOwnPlace; OutOfResources
[[nodiscard]] Result<void> makeOwnPlace(const RunFolder& run, const std::string& path);

} // namespace homebooth::core
