// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What a job asks of its model beside the pictures: by this a session knows whether the one in memory will
// do. Free functions without state; any thread.
#pragma once

#include "core/base/config/sample_config.h"
#include "core/base/model/configs/told_prediction.h"

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace homebooth::core {

/// The files of a model, with what says beside one how it predicts, and when each was last changed: writing
/// into one changes no folder's time.
[[nodiscard]] std::vector<std::pair<std::filesystem::path, std::filesystem::file_time_type>>
fileTimes(const std::string& model);

/// What a job adds to the numbers of its model, in words; empty: nothing.
[[nodiscard]] std::string additionsOf(const SampleConfig& config);

/// What the job's LoRAs were told of a model that does not say how it predicts.
[[nodiscard]] std::optional<ToldPrediction> toldByLoras(const SampleConfig& config);

/// How the model shall predict where that is not its own affair, in words.
[[nodiscard]] std::string predictionWords(const SampleConfig& config,
                                          const std::optional<ToldPrediction>& told);

} // namespace homebooth::core
