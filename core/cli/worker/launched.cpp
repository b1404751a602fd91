// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/cli/worker/launched.h"

#include "core/base/run/queue/rank_gpus.h"
#include "core/base/util/exit_codes.h"
#include "core/cli/power/sleep_inhibitor.h"
#include "core/cli/verb.h"
#include "core/cli/worker/worker_process.h"

#include <array>
#include <cstdlib>
#include <optional>

namespace homebooth::core {

Result<std::optional<RankPlace>> launchedPlace() {
    HOMEBOOTH_ASSIGN(std::optional<RankPlace> place, findRankPlace(::getenv));
    if (place && place->ranks == 1) place.reset();
    return place;
}

std::string launcherOfOne() {
    struct Variables {
        const char* launcher;
        const char* rank;
        const char* ranks;
    };
    constexpr std::array kAll{Variables{"torchrun", "RANK", "WORLD_SIZE"},
                              Variables{"mpirun", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                              Variables{"mpiexec", "PMI_RANK", "PMI_SIZE"},
                              Variables{"srun", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS"}};
    for (const Variables& one : kAll) {
        const char* ranks = std::getenv(one.ranks);
        if (std::getenv(one.rank) != nullptr && ranks != nullptr && std::string(ranks) == "1")
            return one.launcher;
    }
    return {};
}

int joinTraining(const RankPlace& place, const char* verb) {
    WorkerOptions worker;
    worker.arguments = {"join", "--launched"};
    const char* visible = std::getenv(kVisibleDevicesVariable);
    worker.device = visible != nullptr ? launchedGpu(visible, place.localRank)
                                       : launchedGpu(visible, place.localRank, gpuSlots());
    std::optional<SleepInhibitor> awake; // on the first one's machine that one has it
    if (place.localRank == 0) awake.emplace(SleepInhibitor::Kind::Awake);
    const auto end = runWorker(worker, {}, {});
    if (!end) return fail(verb, end.error());
    const OutcomeEvent outcome = outcomeOf(*end);
    if (outcome.result != "failed") return outcome.code;
    const int code = outcome.code == kExitRankLost ? static_cast<int>(ErrorCode::Internal) : outcome.code;
    const std::string name = "rank " + std::to_string(place.rank) + " of " + std::to_string(place.ranks);
    return fail(verb, {static_cast<ErrorCode>(code), name + ": " + outcome.message, {}});
}

} // namespace homebooth::core
