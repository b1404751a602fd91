// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What the command line asks to train: file, options, defaults of the model, plan. One thread.
#pragma once

#include "core/base/plan/training/train_plan.h"
#include "core/base/run/rank_place.h"
#include "core/base/run/run_folder.h"
#include "core/base/swap/disk_room.h"
#include "core/cli/options.h"
#include "core/cli/worker/step_need.h"

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace homebooth::core {

class TrainRequest {
public:
    struct Ready {
        TrainConfig config;
        TrainPlan plan;
        std::vector<std::string> filledIn;  ///< defaults that were taken, in words; also in the plan
        std::vector<WarningEvent> warnings; ///< of prepareToRun: files that are left out, idle settings
        std::vector<std::string> gpus; ///< what each worker sees, see rankGpus; of a launcher's the first
    };

    /// @param resumes  a run whose settings stay: help names no defaults
    void addTo(CLI::App& app, bool resumes = false);

    /// Before help is printed: it shows what applies to the model beside --help, if one is named there.
    void showDefaults(CLI::App& app);
    /// Before help of resume is printed: it shows what the run has.
    /// @param path  of it; empty: none was named
    void showSettingsOf(const std::string& path, CLI::App& app);

    /// Every setting of `config` counts as named: defaults leave it alone, and nobody reads them.
    void keepAll(const TrainConfig& config);

    /// Configurations without weights will do, and no folder for the run is needed. Other stages of --zero
    /// are looked at, too.
    void onlyPlan() { m_onlyPlan = m_card.stages = true; }

    /// Trains as one of the processes that a launcher has started: as many as there are.
    void launchedAs(const RankPlace& place) { m_place = place; }
    /// Whether an option says how many processes train.
    [[nodiscard]] bool namesProcesses() const { return m_options.named("parallel.processes"); }

    /// Plans for a card that this machine may not have. Errors: Usage where nothing is known of it
    [[nodiscard]] Result<void> planFor(const CardName& card);
    /// The plan has a line for each block.
    void withBlocks() { m_card.blocks = true; }
    /// Plans for the pictures that a file lists (engine/data/listed_pictures), in place of those in a folder.
    void withPictures(const std::string& file) { m_card.pictures = file; }
    /// Plans for a run that waits in the queue: what works now has given its memory back by then.
    void inTurn() { m_card.inTurn = true; }
    /// Called before the step is planned, which may take a while beside other programs.
    void onPlanning(std::function<void()> tell) { m_onPlanning = std::move(tell); }

    /// Reads the file, applies the options, opens the model, fills defaults in, checks and plans.
    /// Errors: Usage, BadInput, OutOfResources (it cannot fit)
    [[nodiscard]] Result<Ready> prepare(const TrainConfig& base);
    /// The same, and looks whether there are pictures to train on before the model is opened.
    [[nodiscard]] Result<Ready> prepareToRun(const TrainConfig& base);
    /// Whether that failed because the machine has too little memory at present: not for want of disk, nor
    /// because of the limits that the settings name.
    [[nodiscard]] bool lacksMemory() const { return m_lacksMemory; }

private:
    [[nodiscard]] Result<void> showModelsDefaults(CLI::App& app);
    [[nodiscard]] Result<void> showRun(const std::string& path, CLI::App& app);
    [[nodiscard]] Result<void> takeSettings(const TrainConfig& base);
    [[nodiscard]] Result<void> keepFolder(const std::string& folder);
    [[nodiscard]] Result<Ready> plan();
    [[nodiscard]] Result<TrainPlan> planMemory(const Ready& ready, const ModelSource& model);
    [[nodiscard]] Result<void> takeProcesses();
    [[nodiscard]] std::optional<std::string> idleStage() const;
    /// What was named and changes nothing. Errors: Usage, see idleSettings
    [[nodiscard]] Result<std::vector<WarningEvent>> idleOnes(TrainConfig config) const;
    /// Processes that share this machine's memory.
    [[nodiscard]] int64_t sharing() const;
    [[nodiscard]] Result<std::vector<std::string>> gpusFor(const TrainConfig& config) const;
    /// @param heldBytes  of RAM, that count as free
    [[nodiscard]] Result<MachineLimits> limitsFor(const Ready& ready, int64_t heldBytes) const;
    [[nodiscard]] Result<void> readFile();
    [[nodiscard]] Result<void> checkRoom(const Ready& ready, const ModelSource& model) const;
    [[nodiscard]] Result<void> addSaved(const Ready& ready, DiskRoom& room) const;
    void chooseMode();
    void standInForPhotos();
    void tellUnusablePictures(TrainPlan& plan) const;
    [[nodiscard]] Result<void> checkKinds();
    [[nodiscard]] Result<void> checkModelKind();
    [[nodiscard]] std::string ofPictures();
    [[nodiscard]] Result<void> checkNamedTexts() const;
    [[nodiscard]] Result<void> checkFolders() const;

    TrainConfig m_config;
    GivenFields m_given;
    FieldOptions m_options;
    std::string m_configFile;
    bool m_fromScratch = false;
    bool m_onlyPlan = false;
    bool m_keepsAll = false;
    bool m_lacksMemory = false;
    CardName m_card;
    std::function<void()> m_onPlanning;
    std::optional<RankPlace> m_place; ///< none: no launcher
};

/// Looks at a run that exists as closely as at one that is asked for now: its settings, pictures, model, and
/// whether it fits. Errors: as TrainRequest::prepareToRun
/// @param lacksMemory  becomes what TrainRequest::lacksMemory says
[[nodiscard]] Result<TrainRequest::Ready> checkAgain(const RunFolder& run, bool& lacksMemory);

} // namespace homebooth::core
