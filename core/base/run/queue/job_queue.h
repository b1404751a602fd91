// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The queue of trainings: a folder that the window, the supervisor and scripts share.
//
//   <id>.json           waits: {"run": "/path/of/the/run"}
//   running/<id>.json   the supervisor works on it; where jobs have GPUs of their own, it says which:
//                       {"run": ..., "slot": 1, "device": "GeForce RTX 3060"}
//   stopped/<id>.json   the user stopped it; it begins again only when somebody puts it back
//   failed/<id>.json    it failed, or is no job
//   lost/<id>.json      when its turn came its run was not there; it waits again once that is found
//   order               ids, one a line: which comes first; also what others do between trainings (see 6)
//   hold                while this exists, nothing new begins
//   .<id>.next          what a job is to say whose run was moved
//   .<id>.claim         a job that waits while it is told so, where a file system knows no exchange of names
//   lock                held by the one supervisor that works the queue off
//   names               held by who tells jobs where their runs are now
//   turn                held by who may begin with a job
//   turn2, turn3 ...    the same for the other slots, where there are several GPUs
//   words, window       of the window: what the desktop is told of ends that it does not see (end_words.h)
//   slots               what the last supervisor found to compute on (job_slots.h), if that is several GPUs
//
// A value; any thread, any number of processes. Invariants:
//   1. A job is its id, the file's name, from its beginning to its end. Its place is no part of it.
//   2. Its state is the folder in which its file lies, and changing it is one rename: of two programs that
//      want different things of a job one gets its way, the other is told, and the job is neither lost nor
//      doubled. A lock between the programs was considered; a window that hangs would hold the supervisor.
//   3. The order is one file, replaced as a whole. Jobs that it does not name come last, by name; names
//      without a job mean nothing. So a script adds a job by writing one file (under another name first).
//   4. Only who holds the lock takes jobs. What lies in running/ without one was cut short: it waits again.
//   5. A done job's file goes. What became of it is in the run's journal.
//   6. The window's pictures stand in the order, too, under names of their own ("pictures-17"). They mean
//   nothing to the supervisor: while they come next or are made, the window holds the turn, and no training
//   is taken. The kernel drops the turn with the window, so that trainings go on without one.
//   7. With several GPUs each has a slot, in which one job at a time runs, and a turn. The window holds that
//   of one slot alone, or while all are used those of all, until one comes free. A run whose settings name
//   GPUs (parallel.gpus) has the slots of all of them, and waits until they are free; one of several
//   processes that may compute on GPUs and names none has the first ones (slotsWanted in rank_gpus.h).
//   Meanwhile the supervisor holds the turns of all of them but the first.
#pragma once

#include "core/base/run/queue/job_slots.h"
#include "core/base/run/run_folder.h"
#include "core/base/util/result.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace homebooth::core {

enum class JobState { Waiting, Running, Stopped, Failed, Lost };

struct QueuedJob {
    std::string id;
    std::string runDir;
    int slot = 0;            ///< of one that runs: in which, the first of several
    std::string device = {}; ///< and the names of its GPUs; empty where there is one slot alone

    friend bool operator==(const QueuedJob&, const QueuedJob&) = default;
};

class JobQueue {
public:
    /// @param folder  empty: $XDG_STATE_HOME/homebooth/queue, else ~/.local/state/homebooth/queue
    explicit JobQueue(std::string folder = {});
    [[nodiscard]] const std::string& folder() const { return m_folder; }

    /// The jobs of a state; the waiting ones in their order, others by name. Files that are no job are left
    /// out. A missing folder has none.
    [[nodiscard]] Result<std::vector<QueuedJob>> jobs(JobState state = JobState::Waiting) const;

    /// Lets a run wait, as the last one or the first. A run that waits already keeps its id and gets the
    /// place; one that was stopped, failed or lost waits again; one that is worked on stays as it is. So does
    /// the name by which it is known, where this is another one of the same folder.
    /// @returns its id
    /// Errors: BadInput (the queue's folder cannot be written, the run's is no UTF-8), OutOfResources
    [[nodiscard]] Result<std::string> add(const std::string& runDir, bool first = false) const;

    /// Changes a job's state. @returns false if it was not in `from` any more; then nothing happened
    [[nodiscard]] Result<bool> move(const std::string& id, JobState from, JobState to) const;

    /// Drops a job. @returns false if it was not in `from` any more; then nothing happened
    [[nodiscard]] Result<bool> remove(const std::string& id, JobState from) const;

    /// A run's folder lies elsewhere now: its job waits on, in its place and under its id; what it left among
    /// the stopped and failed ones goes. One that was lost missed its turn, and waits again as the first,
    /// also where its folder is back (`from` is `to`). One that somebody has just begun with stays as it is;
    /// one that was cut short waits.
    /// Errors: BadInput or OutOfResources; the job is where it was then, or waits under its old name
    [[nodiscard]] Result<void> follow(const std::string& from, const std::string& to) const;

    /// Puts right what a program left that died in `follow`: the job waits. Nothing while one is at it.
    [[nodiscard]] Result<void> putRight() const;

    /// How names of pictures in the order begin; behind it is the window's own key for them.
    static constexpr const char* kPictures = "pictures-";

    /// Everything that waits, first to last: ids of trainings and names of pictures.
    [[nodiscard]] Result<std::vector<std::string>> order() const;

    /// Which come first. Ids of jobs that have gone meanwhile do no harm.
    [[nodiscard]] Result<void> setOrder(const std::vector<std::string>& ids) const;

    [[nodiscard]] bool held() const;
    [[nodiscard]] Result<void> setHeld(bool held) const;

    /// Whether a supervisor works the queue off.
    [[nodiscard]] bool supervised() const;

    /// Makes the caller the supervisor while the lock lives, and lets wait what another one left running.
    /// Errors: BadInput if another supervisor works on it or the folder cannot be made
    [[nodiscard]] Result<RunLock> supervise() const;

    /// The right to begin with a job in a slot, while the lock lives; nothing while somebody else has it.
    /// Errors: BadInput or OutOfResources (the folder cannot be written)
    [[nodiscard]] Result<std::optional<RunLock>> takeTurn(int slot = 0) const;

    /// The process that has a slot's turn; nothing while nobody has it.
    [[nodiscard]] std::optional<int64_t> turnOwner(int slot = 0) const;

    /// For the supervisor, in its turn: the first job, running from now on; nothing when none waits or all
    /// are held.
    /// Files that are no job are put aside.
    /// @param wanted  asked in the jobs' order until it says yes; empty: the first one is
    [[nodiscard]] Result<std::optional<QueuedJob>>
    take(const std::function<bool(const QueuedJob&)>& wanted = {}) const;

    /// For the supervisor, of a job that it has just taken: tells in which slot it runs, by `slot` and
    /// `device`. Errors: BadInput or OutOfResources; nobody is told then
    [[nodiscard]] Result<void> tellSlot(const QueuedJob& job) const;

    /// What there is to compute on, as the last supervisor left it; never empty.
    [[nodiscard]] std::vector<JobSlot> knownSlots() const;
    [[nodiscard]] Result<void> setKnownSlots(const std::vector<JobSlot>& found) const;

private:
    [[nodiscard]] std::string fileOf(const std::string& id, JobState state) const;
    [[nodiscard]] std::string turnFile(int slot) const;
    [[nodiscard]] std::string slotsFile() const;
    [[nodiscard]] std::string nextOf(const std::string& id) const;
    [[nodiscard]] std::string claimOf(const std::string& id) const;
    /// Of a file in the queue's folder; empty if it is no claim.
    [[nodiscard]] static std::string idOfClaim(const std::string& name);
    [[nodiscard]] std::vector<std::string> names() const;
    [[nodiscard]] Result<std::vector<std::string>> idsIn(JobState state) const;
    /// A job, without a run if that is none; nothing if it is not in that state, or no more.
    /// Errors: OutOfResources where this process cannot read it at the moment, which says nothing of it
    [[nodiscard]] Result<std::optional<QueuedJob>> read(const std::string& id, JobState state) const;
    [[nodiscard]] Result<RunLock> lockNames() const;
    [[nodiscard]] Result<void> removeEnded(const std::string& runDir) const;
    /// Lets wait what a supervisor left running that is no more, as the next one does.
    [[nodiscard]] Result<void> letCutWait(const std::string& runDir) const;
    /// Has a job that waits name another folder; nothing if it does not wait any more.
    [[nodiscard]] Result<void> rename(const std::string& id, const std::string& to) const;
    /// The same of one in any state, which waits then. @param next  what it is to say
    [[nodiscard]] Result<void> renameByClaim(const std::string& id, JobState from,
                                             const std::string& next) const;
    [[nodiscard]] Result<void> bringBack(const std::string& id, const std::string& to) const;
    struct Place {
        std::string id;
        JobState state = JobState::Waiting;
    };
    [[nodiscard]] Result<std::optional<Place>> find(const std::string& runDir) const;

    std::string m_folder;
};

} // namespace homebooth::core
