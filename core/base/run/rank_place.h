// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Which rank of a job this process is, as the launcher that started it says in environment variables. They
// are asked for in this order, since one launcher may run inside another:
//
//   torchrun, or by hand   RANK WORLD_SIZE LOCAL_RANK MASTER_ADDR MASTER_PORT; LOCAL_WORLD_SIZE
//   mpirun (Open MPI)      OMPI_COMM_WORLD_RANK, _SIZE, _LOCAL_RANK, _LOCAL_SIZE
//   srun (Slurm)           SLURM_PROCID, SLURM_STEP_NUM_TASKS or SLURM_NTASKS, SLURM_LOCALID,
//                          SLURM_STEP_NUM_NODES or SLURM_NNODES, SLURM_STEP_NODELIST or SLURM_JOB_NODELIST
//   mpiexec (MPICH, Intel) PMI_RANK PMI_SIZE; MPI_LOCALRANKID MPI_LOCALNRANKS. Slurm sets the first two as
//                          well where it speaks their protocol; with its own numbers it is asked instead
//
// Where the number of ranks is 1, nothing else is asked: such variables stay set in many a shell, container
// and batch job. For the same reason RANK or WORLD_SIZE alone, without the other and MASTER_ADDR, is
// nobody's.
//
// With mpirun, mpiexec and srun MASTER_ADDR and MASTER_PORT go before what is concluded, and on one machine
// HOMEBOOTH_MEETING_FILE goes before them: a file, the same for all ranks, in which they meet so that nothing
// listens on a port that others could reach. Slurm's variables count only within a step (SLURM_STEP_ID): a
// batch script that starts the program without srun is one process, although SLURM_NTASKS may say more. How
// many ranks share a machine is in SLURM_STEP_TASKS_PER_NODE or SLURM_TASKS_PER_NODE, at SLURM_NODEID.
// Free functions; any thread.
#pragma once

#include "core/base/util/result.h"

#include <functional>
#include <optional>
#include <string>

namespace homebooth::core {

struct RankPlace {
    int rank = 0;
    int ranks = 1;
    int localRank = 0;            ///< among those of this machine: which GPU is its own
    std::string masterAddress;    ///< name or address of the machine of rank 0; empty with a file
    int masterPort = 0;           ///< 1 to 65535; 0 with a file
    std::string launcher;         ///< for messages
    std::string meetingFile = {}; ///< absolute, of this machine; empty: ranks meet at the address
    int localRanks = 0;           ///< how many this machine has, or about; 0: the launcher does not say
    bool storeIsThere = false;    ///< torchrun itself answers at the address; else rank 0 shall
    std::string job = {};         ///< names this start of it among those that use the address
    bool oneMachine = false;      ///< whether all ranks are known to be on one

    bool operator==(const RankPlace&) const = default;
};

/// The value of an environment variable; null: not set.
using EnvironmentLookup = std::function<const char*(const char* name)>;

/// @param environment  getenv, or a test's own
/// Returns nothing where no launcher started this process, or started it alone. Errors: Usage where one
/// started several, but what it says is incomplete or cannot be
[[nodiscard]] Result<std::optional<RankPlace>> findRankPlace(const EnvironmentLookup& environment);

/// The first name of a list as Slurm writes it: "gpu[007-009,012],big1" begins with gpu007.
[[nodiscard]] std::string firstOfNodeList(const std::string& list);

/// How many tasks a node has of a list as Slurm writes it: of "2(x3),1" nodes 0 to 2 have two and node 3 has
/// one. 0: there is no such node, or the list is none of so many tasks.
[[nodiscard]] int tasksOfNode(const std::string& list, int node, int tasks);

} // namespace homebooth::core
