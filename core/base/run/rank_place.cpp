// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/run/rank_place.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string_view>

namespace homebooth::core {
namespace {

constexpr int kMostRanks = 1 << 16;
constexpr int kHighestPort = 65'535;
constexpr int kUsualPort = 29'500;      // torchrun's own
constexpr int kFirstSlurmPort = 20'000; // below the ports that systems give away
constexpr int kSlurmPorts = 10'000;
constexpr const char* kThisMachine = "127.0.0.1";
constexpr const char* kMeetingFile = "HOMEBOOTH_MEETING_FILE";
constexpr const char* kNowhere = ""; // the name of no variable

/// One launcher's variables: their values, or an error that names launcher and variable.
class Launcher {
public:
    Launcher(const EnvironmentLookup& environment, std::string name)
        : m_environment(environment)
        , m_name(std::move(name)) {}

    [[nodiscard]] const std::string& name() const { return m_name; }

    [[nodiscard]] bool has(const char* variable) const {
        const char* value = m_environment(variable);
        return value != nullptr && *value != '\0';
    }
    [[nodiscard]] std::string text(const char* variable) const {
        return has(variable) ? m_environment(variable) : "";
    }
    [[nodiscard]] const char* firstSet(const char* one, const char* other) const {
        return has(one) ? one : other;
    }

    [[nodiscard]] Result<int> number(const char* variable, int least, int most) const {
        const std::string value = text(variable);
        int result = 0;
        const auto [end, fault] = std::from_chars(value.data(), value.data() + value.size(), result);
        const bool whole = fault == std::errc() && end == value.data() + value.size();
        if (whole && !value.empty() && result >= least && result <= most) return result;
        return wrong(variable,
                     "a whole number from " + std::to_string(least) + " to " + std::to_string(most));
    }

    [[nodiscard]] Error wrong(const char* variable, const std::string& expected) const {
        const std::string found = has(variable) ? "\"" + text(variable) + "\"" : "nothing";
        return {ErrorCode::Usage,
                std::string("expected ") + expected + " in " + variable + ", found " + found +
                    "; set it, or start with " + m_name + " and leave its variables as they are",
                "started by " + m_name};
    }

private:
    const EnvironmentLookup& m_environment;
    std::string m_name;
};

/// Names of the variables that all launchers have, but for the last one, without which nobody says how many
/// ranks share a machine.
struct Names {
    const char* rank;
    const char* ranks;
    const char* localRank;
    const char* localRanks;
};

Result<RankPlace> numbersOf(const Launcher& launcher, const Names& names) {
    RankPlace place;
    place.launcher = launcher.name();
    HOMEBOOTH_ASSIGN(place.ranks, launcher.number(names.ranks, 1, kMostRanks));
    HOMEBOOTH_ASSIGN(place.rank, launcher.number(names.rank, 0, place.ranks - 1));
    if (launcher.has(names.localRank)) {
        HOMEBOOTH_ASSIGN(place.localRank, launcher.number(names.localRank, 0, place.ranks - 1));
    }
    if (!launcher.has(names.localRanks)) return place;
    HOMEBOOTH_ASSIGN(place.localRanks, launcher.number(names.localRanks, 1, place.ranks));
    return place;
}

bool isAddress(const std::string& text) {
    const auto fits = [](unsigned char c) {
        return std::isalnum(c) != 0 || std::strchr(".:-_%", c) != nullptr;
    };
    return !text.empty() && std::all_of(text.begin(), text.end(), fits);
}

/// Where rank 0 is: as MASTER_ADDR and MASTER_PORT say, else as concluded (empty, 0: nothing is).
Result<RankPlace> withMaster(const Launcher& launcher, RankPlace place, const std::string& address,
                             int port) {
    place.masterAddress = launcher.has("MASTER_ADDR") ? launcher.text("MASTER_ADDR") : address;
    if (!isAddress(place.masterAddress))
        return launcher.wrong("MASTER_ADDR", "the name or address of the machine of rank 0");
    place.masterPort = port;
    if (port != 0 && !launcher.has("MASTER_PORT")) return place;
    HOMEBOOTH_ASSIGN(place.masterPort, launcher.number("MASTER_PORT", 1, kHighestPort));
    return place;
}

/// Ranks of one machine may meet in a file.
Result<RankPlace> withMeeting(const Launcher& launcher, RankPlace place, bool oneMachine,
                              const std::string& address, int port) {
    place.oneMachine = oneMachine;
    if (!launcher.has(kMeetingFile))
        return withMaster(launcher, std::move(place), oneMachine ? kThisMachine : address, port);
    place.meetingFile = launcher.text(kMeetingFile);
    if (!oneMachine)
        return Error{ErrorCode::Usage,
                     std::string("expected ranks of one machine to meet in a file, found ranks of several; "
                                 "unset ") +
                         kMeetingFile + ", and they meet at MASTER_ADDR",
                     "started by " + launcher.name()};
    if (!place.meetingFile.starts_with('/')) return launcher.wrong(kMeetingFile, "an absolute path");
    return place;
}

/// An address that no other machine could reach.
bool isOfThisMachineAlone(const std::string& address) {
    return address.starts_with("127.") || address == "::1" || address == "localhost";
}

Result<RankPlace> torchrunPlace(const Launcher& launcher) {
    HOMEBOOTH_ASSIGN(RankPlace place,
                     numbersOf(launcher, {"RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE"}));
    place.storeIsThere = launcher.text("TORCHELASTIC_USE_AGENT_STORE") == "True";
    place.job = launcher.text("TORCHELASTIC_RUN_ID") + "." + launcher.text("TORCHELASTIC_RESTART_COUNT");
    place.oneMachine = place.localRanks == place.ranks || isOfThisMachineAlone(launcher.text("MASTER_ADDR"));
    return withMaster(launcher, std::move(place), "", 0);
}

Result<RankPlace> openMpiPlace(const Launcher& launcher) {
    HOMEBOOTH_ASSIGN(RankPlace place,
                     numbersOf(launcher, {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE",
                                          "OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE"}));
    place.job = launcher.text("PMIX_NAMESPACE");
    const bool oneMachine = place.localRanks == place.ranks;
    return withMeeting(launcher, std::move(place), oneMachine, "", kUsualPort);
}

/// Any launcher that speaks MPICH's protocol.
Result<RankPlace> pmiPlace(const Launcher& launcher) {
    const char* localRank = launcher.has("MPI_LOCALRANKID") ? "MPI_LOCALRANKID" : "PMI_RANK";
    HOMEBOOTH_ASSIGN(RankPlace place,
                     numbersOf(launcher, {"PMI_RANK", "PMI_SIZE", localRank, "MPI_LOCALNRANKS"}));
    const bool oneMachine = place.localRanks == place.ranks;
    return withMeeting(launcher, std::move(place), oneMachine, "", kUsualPort);
}

/// Jobs that share a machine mostly meet at different ports.
Result<int> slurmPort(const Launcher& launcher) {
    if (!launcher.has("SLURM_JOB_ID")) return kUsualPort;
    HOMEBOOTH_ASSIGN(const int job, launcher.number("SLURM_JOB_ID", 0, std::numeric_limits<int>::max()));
    return kFirstSlurmPort + job % kSlurmPorts;
}

const char* tasksOf(const Launcher& slurm) {
    return slurm.firstSet("SLURM_STEP_NUM_TASKS", "SLURM_NTASKS");
}

/// Ranks of this node; where Slurm does not say, as many as each has where they are alike. 0: unknown
int localRanksOf(const Launcher& slurm, int ranks) {
    constexpr int kMostNodes = kMostRanks;
    const auto node = slurm.number("SLURM_NODEID", 0, kMostNodes);
    const char* list = slurm.firstSet("SLURM_STEP_TASKS_PER_NODE", "SLURM_TASKS_PER_NODE");
    const int said = node ? tasksOfNode(slurm.text(list), *node, ranks) : 0;
    if (said > 0) return said;
    const auto nodes = slurm.number(slurm.firstSet("SLURM_STEP_NUM_NODES", "SLURM_NNODES"), 1, kMostNodes);
    return nodes ? (ranks + *nodes - 1) / *nodes : 0;
}

Result<RankPlace> slurmPlace(const Launcher& launcher) {
    HOMEBOOTH_ASSIGN(RankPlace place,
                     numbersOf(launcher, {"SLURM_PROCID", tasksOf(launcher), "SLURM_LOCALID", kNowhere}));
    place.job = launcher.text("SLURM_JOB_ID") + "." + launcher.text("SLURM_STEP_ID");
    const bool oneMachine = launcher.text(launcher.firstSet("SLURM_STEP_NUM_NODES", "SLURM_NNODES")) == "1";
    place.localRanks = localRanksOf(launcher, place.ranks);
    const std::string first =
        firstOfNodeList(launcher.text(launcher.firstSet("SLURM_STEP_NODELIST", "SLURM_JOB_NODELIST")));
    HOMEBOOTH_ASSIGN(const int port, slurmPort(launcher));
    return withMeeting(launcher, std::move(place), oneMachine, first, port);
}

/// Of a launcher that started one process alone nothing else counts, whatever of it is set.
/// @param ranks  the variable with their number
Result<std::optional<RankPlace>> placeBy(const Launcher& launcher, const char* ranks,
                                         Result<RankPlace> (*placeOf)(const Launcher&)) {
    HOMEBOOTH_ASSIGN(const int count, launcher.number(ranks, 1, kMostRanks));
    if (count == 1) return std::optional<RankPlace>();
    HOMEBOOTH_ASSIGN(RankPlace place, placeOf(launcher));
    return std::optional(std::move(place));
}

/// One of the two variables alone is often another program's.
bool isByTorchrun(const Launcher& torchrun) {
    const bool rank = torchrun.has("RANK");
    const bool ranks = torchrun.has("WORLD_SIZE");
    return (rank && ranks) || ((rank || ranks) && torchrun.has("MASTER_ADDR"));
}

/// The repetitions of "2(x3)"; 1 without any, 0 where that is not what it says.
int repeatsIn(std::string_view text) {
    if (text.empty()) return 1;
    if (!text.starts_with("(x") || !text.ends_with(')')) return 0;
    text = text.substr(2, text.size() - 3);
    int count = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), count);
    return fault == std::errc() && end == text.data() + text.size() ? count : 0;
}

} // namespace

Result<std::optional<RankPlace>> findRankPlace(const EnvironmentLookup& environment) {
    const Launcher torchrun(environment, "torchrun");
    const Launcher openMpi(environment, "mpirun");
    const Launcher slurm(environment, "srun");
    const Launcher pmi(environment, "mpiexec");
    const bool inStep = slurm.has("SLURM_STEP_ID") && slurm.has("SLURM_PROCID");
    const bool ofSlurm = inStep && pmi.text("PMI_RANK") == slurm.text("SLURM_PROCID") &&
                         pmi.text("PMI_SIZE") == slurm.text(tasksOf(slurm));
    if (isByTorchrun(torchrun)) return placeBy(torchrun, "WORLD_SIZE", torchrunPlace);
    if (openMpi.has("OMPI_COMM_WORLD_RANK")) return placeBy(openMpi, "OMPI_COMM_WORLD_SIZE", openMpiPlace);
    if (pmi.has("PMI_RANK") && !ofSlurm) return placeBy(pmi, "PMI_SIZE", pmiPlace);
    if (inStep) return placeBy(slurm, tasksOf(slurm), slurmPlace);
    return std::optional<RankPlace>();
}

std::string firstOfNodeList(const std::string& list) {
    std::string name;
    for (size_t at = 0; at < list.size() && list[at] != ',';) {
        if (list[at] != '[') {
            name += list[at++];
            continue;
        }
        const size_t close = std::min(list.find(']', at), list.size());
        const std::string range = list.substr(at + 1, close - at - 1);
        name += range.substr(0, range.find_first_of(",-"));
        at = close + 1;
    }
    return name;
}

int tasksOfNode(const std::string& list, int node, int tasks) {
    int found = 0;
    int64_t nodes = 0; // up to here
    int64_t sum = 0;
    for (size_t at = 0; at < list.size();) {
        const size_t end = std::min(list.find(',', at), list.size());
        const char* last = list.data() + end;
        int count = 0;
        const auto [rest, fault] = std::from_chars(list.data() + at, last, count);
        const int repeats = repeatsIn({rest, static_cast<size_t>(last - rest)});
        const bool fits = count >= 1 && count <= tasks && repeats >= 1 && repeats <= tasks;
        if (fault != std::errc() || !fits) return 0;
        if (node >= nodes && node < nodes + repeats) found = count;
        nodes += repeats;
        sum += int64_t{count} * repeats;
        at = end + 1;
    }
    return sum == tasks ? found : 0;
}

} // namespace homebooth::core
