// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// A training whose model's folder is removed while it learns.
#pragma once

#include "training_support.h"

namespace homebooth::core::testing {

/// Removes a folder once the first step is done.
class RemovingSink : public EventList {
public:
    explicit RemovingSink(std::string folder)
        : m_folder(std::move(folder)) {}
    void emit(const Event& event) override {
        EventList::emit(event);
        if (std::holds_alternative<StepEvent>(event)) fs::remove_all(m_folder);
    }

private:
    std::string m_folder;
};

/// A fresh run that loses `folder` behind its first step.
inline OutcomeEvent runLosing(const std::string& folder, const TrainConfig& config) {
    JobWorld world;
    RemovingSink events(folder);
    const OutcomeEvent outcome = runTrainJob(config, makeRun(config), events, world.control, world.pictures,
                                             world.writer, world.options);
    EXPECT_FALSE(fs::exists(folder));
    return outcome;
}

} // namespace homebooth::core::testing
