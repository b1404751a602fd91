// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/run/queue/job_queue.h"

#include "core/base/files/atomic_file.h"
#include "core/base/files/made_folders.h"
#include "core/base/files/sync_folder.h"
#include "core/base/text/unicode.h"
#include "core/base/util/log.h"
#include "core/base/util/regular_file.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <sstream>
#include <sys/stat.h>
#include <unistd.h>

namespace homebooth::core {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kLargestJob = 65536;
constexpr int64_t kLargestOrder = int64_t{1} << 20;
constexpr int kMostSlots = 256; // whatever a file says
constexpr const char* kEnding = ".json";

std::string usualFolder() {
    const char* state = std::getenv("XDG_STATE_HOME");
    const char* home = std::getenv("HOME");
    if (state != nullptr && state[0] == '/') return std::string(state) + "/homebooth/queue";
    return std::string(home != nullptr ? home : "/tmp") + "/.local/state/homebooth/queue";
}

/// What a job's text says; without a run if it is no job.
QueuedJob jobOf(const std::string& id, const std::string& text) {
    QueuedJob job{id, {}};
    const auto json = nlohmann::json::parse(text, nullptr, false);
    if (!json.is_object() || !json.contains("run") || !json["run"].is_string()) return job;
    job.runDir = json["run"].get<std::string>();
    // As a shell completes it.
    while (job.runDir.size() > 1 && job.runDir.ends_with('/')) job.runDir.pop_back();
    if (json.contains("slot") && json["slot"].is_number_integer())
        job.slot = std::clamp(json["slot"].get<int>(), 0, kMostSlots - 1);
    if (json.contains("device") && json["device"].is_string()) job.device = json["device"].get<std::string>();
    return job;
}

/// Whatever a driver calls its GPU.
std::string lineOf(const nlohmann::json& json) {
    return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

/// Whether two names are those of one folder: a home may be reached by a link. Runs have names of their own.
bool isSameRun(const std::string& one, const std::string& other) {
    if (one == other) return true;
    std::error_code ignored;
    return fs::path(one).filename() == fs::path(other).filename() && fs::equivalent(one, other, ignored);
}

/// Sorts by the time of its making; the rest keeps two of one millisecond apart.
std::string newId() {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
    std::random_device random;
    char text[48];
    std::snprintf(text, sizeof text, "%014lld-%08x", static_cast<long long>(ms), random());
    return text;
}

const char* folderOf(JobState state) {
    switch (state) {
    case JobState::Waiting:
        return "";
    case JobState::Running:
        return "/running";
    case JobState::Stopped:
        return "/stopped";
    case JobState::Failed:
        return "/failed";
    case JobState::Lost:
        return "/lost";
    }
    return "";
}

bool isThere(const std::string& file) {
    struct stat facts {};
    return ::lstat(file.c_str(), &facts) == 0;
}

} // namespace

JobQueue::JobQueue(std::string folder)
    : m_folder(folder.empty() ? usualFolder() : std::move(folder)) {}

std::string JobQueue::fileOf(const std::string& id, JobState state) const {
    return m_folder + folderOf(state) + "/" + id + kEnding;
}

std::string JobQueue::turnFile(int slot) const {
    return m_folder + "/turn" + (slot == 0 ? std::string() : std::to_string(slot + 1));
}

std::string JobQueue::slotsFile() const {
    return m_folder + "/slots";
}

std::vector<std::string> JobQueue::names() const {
    const auto text = readRegularFile(m_folder + "/order", kLargestOrder);
    std::vector<std::string> ids;
    if (!text) return ids;
    std::istringstream lines(*text);
    for (std::string id; std::getline(lines, id);) ids.push_back(id);
    return ids;
}

Result<std::vector<std::string>> JobQueue::idsIn(JobState state) const {
    std::vector<std::string> ids;
    const std::string folder = m_folder + folderOf(state);
    std::error_code code;
    for (fs::directory_iterator it(folder, code), end; !code && it != end; it.increment(code)) {
        const std::string name = it->path().filename().string();
        if (it->path().extension() == kEnding && !name.starts_with("."))
            ids.push_back(it->path().stem().string());
        else if (const std::string id = idOfClaim(name); state == JobState::Waiting && !id.empty())
            ids.push_back(id);
    }
    if (code && code != std::errc::no_such_file_or_directory)
        return systemError("read the queue", folder, code.value());
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end()); // one was put back meanwhile
    if (state != JobState::Waiting) return ids;
    const std::vector<std::string> wanted = names();
    const auto place = [&wanted](const std::string& id) {
        return std::find(wanted.begin(), wanted.end(), id) - wanted.begin();
    };
    std::stable_sort(ids.begin(), ids.end(),
                     [&place](const std::string& a, const std::string& b) { return place(a) < place(b); });
    return ids;
}

Result<std::vector<QueuedJob>> JobQueue::jobs(JobState state) const {
    HOMEBOOTH_ASSIGN(const auto ids, idsIn(state));
    std::vector<QueuedJob> jobs;
    for (const std::string& id : ids) {
        HOMEBOOTH_ASSIGN(auto job, read(id, state));
        if (job && !job->runDir.empty()) jobs.push_back(std::move(*job));
    }
    return jobs;
}

Result<std::optional<QueuedJob>> JobQueue::read(const std::string& id, JobState state) const {
    const std::string file = fileOf(id, state);
    // It may be on its way to a claim and back.
    for (const std::string& place : {file, state == JobState::Waiting ? claimOf(id) : file, file}) {
        const auto text = readRegularFile(place, kLargestJob);
        if (text) return std::optional(jobOf(id, *text));
        if (text.error().code == ErrorCode::OutOfResources) return text.error();
    }
    return isThere(file) ? std::optional(QueuedJob{id, {}}) : std::nullopt;
}

Result<std::optional<JobQueue::Place>> JobQueue::find(const std::string& runDir) const {
    // What runs is read twice: a job may begin or be put back between the two looks.
    for (const JobState state : {JobState::Running, JobState::Waiting, JobState::Running, JobState::Stopped,
                                 JobState::Failed, JobState::Lost}) {
        HOMEBOOTH_ASSIGN(const auto known, jobs(state));
        for (const QueuedJob& job : known)
            if (isSameRun(job.runDir, runDir)) return std::optional(Place{job.id, state});
    }
    return std::optional<Place>();
}

Result<std::string> JobQueue::add(const std::string& runDir, bool first) const {
    if (!isUtf8(runDir))
        return badInput(
            "cannot queue the run: its folder must be UTF-8, since the queue's files are, found " +
            displayName(runDir) + "; rename the folder");
    HOMEBOOTH_CHECK(MadeFolders::make(m_folder));
    HOMEBOOTH_ASSIGN(const auto known, find(runDir));
    if (known && known->state == JobState::Running) return known->id;
    const std::string id = known ? known->id : newId();
    HOMEBOOTH_ASSIGN(auto ids, order());
    std::erase(ids, id);
    ids.insert(first ? ids.begin() : ids.end(), id);
    // The order first: a job that the supervisor can see has its place.
    HOMEBOOTH_CHECK(setOrder(ids));
    if (known && known->state == JobState::Waiting) return id;
    if (known) {
        HOMEBOOTH_ASSIGN(const bool moved, move(id, known->state, JobState::Waiting));
        if (moved) return id;
    }
    HOMEBOOTH_CHECK(
        writeFileAtomically(fileOf(id, JobState::Waiting), nlohmann::json{{"run", runDir}}.dump() + "\n"));
    return id;
}

Result<bool> JobQueue::move(const std::string& id, JobState from, JobState to) const {
    const std::string target = m_folder + folderOf(to);
    HOMEBOOTH_CHECK(MadeFolders::make(target));
    if (::rename(fileOf(id, from).c_str(), fileOf(id, to).c_str()) != 0) {
        if (errno == ENOENT) return false;
        return systemError("change the state of a job", fileOf(id, from), errno);
    }
    HOMEBOOTH_CHECK(syncFolder(target));
    HOMEBOOTH_CHECK(syncFolder(m_folder + folderOf(from)));
    return true;
}

Result<bool> JobQueue::remove(const std::string& id, JobState from) const {
    if (::unlink(fileOf(id, from).c_str()) != 0) {
        if (errno == ENOENT) return false;
        return systemError("take a job out of the queue", fileOf(id, from), errno);
    }
    HOMEBOOTH_CHECK(syncFolder(m_folder + folderOf(from)));
    return true;
}

Result<std::vector<std::string>> JobQueue::order() const {
    HOMEBOOTH_ASSIGN(const auto waiting, idsIn(JobState::Waiting));
    std::vector<std::string> all;
    // Both say the same of the jobs' order; what the file does not name comes last.
    auto next = waiting.begin();
    for (const std::string& name : names()) {
        const bool waits = next != waiting.end() && *next == name;
        if (waits) ++next;
        if (waits || name.starts_with(kPictures)) all.push_back(name);
    }
    all.insert(all.end(), next, waiting.end());
    return all;
}

Result<void> JobQueue::setOrder(const std::vector<std::string>& ids) const {
    std::string text;
    for (const std::string& id : ids) text += id + "\n";
    return writeFileAtomically(m_folder + "/order", text);
}

bool JobQueue::held() const {
    std::error_code ignored;
    return fs::exists(m_folder + "/hold", ignored);
}

Result<void> JobQueue::setHeld(bool held) const {
    const std::string sign = m_folder + "/hold";
    HOMEBOOTH_CHECK(MadeFolders::make(m_folder));
    if (held) return writeFileAtomically(sign, "");
    if (::unlink(sign.c_str()) != 0 && errno != ENOENT)
        return systemError("let the queue go on", sign, errno);
    return {};
}

bool JobQueue::supervised() const {
    const auto owner = RunLock::owner(m_folder + "/lock");
    return owner && owner->alive;
}

Result<RunLock> JobQueue::supervise() const {
    HOMEBOOTH_CHECK(MadeFolders::make(m_folder));
    HOMEBOOTH_ASSIGN(RunLock lock, RunLock::acquire(m_folder + "/lock", "the queue"));
    if (const auto done = putRight(); !done) log(LogLevel::Warning, done.error().text());
    HOMEBOOTH_ASSIGN(const auto cut, idsIn(JobState::Running));
    if (cut.empty()) return lock;
    HOMEBOOTH_ASSIGN(auto ids, order());
    ids.insert(ids.begin(), cut.begin(), cut.end());
    HOMEBOOTH_CHECK(setOrder(ids));
    for (const std::string& id : cut) HOMEBOOTH_CHECK(move(id, JobState::Running, JobState::Waiting));
    return lock;
}

Result<std::optional<RunLock>> JobQueue::takeTurn(int slot) const {
    HOMEBOOTH_CHECK(MadeFolders::make(m_folder));
    return RunLock::tryAcquire(turnFile(slot), "the queue's turn");
}

std::optional<int64_t> JobQueue::turnOwner(int slot) const {
    const auto owner = RunLock::owner(turnFile(slot));
    if (!owner || !owner->alive) return std::nullopt;
    return owner->pid;
}

Result<std::optional<QueuedJob>> JobQueue::take(const std::function<bool(const QueuedJob&)>& wanted) const {
    if (held()) return std::optional<QueuedJob>();
    HOMEBOOTH_ASSIGN(const auto ids, idsIn(JobState::Waiting));
    for (const std::string& id : ids) {
        HOMEBOOTH_ASSIGN(std::optional<QueuedJob> job, read(id, JobState::Waiting));
        if (!job) continue; // somebody has taken it out
        const bool isJob = !job->runDir.empty();
        if (isJob && wanted && !wanted(*job)) continue;
        HOMEBOOTH_ASSIGN(const bool ours,
                         move(id, JobState::Waiting, isJob ? JobState::Running : JobState::Failed));
        if (ours && isJob) return job;
        if (ours)
            log(LogLevel::Warning, fileOf(id, JobState::Failed) + ": expected {\"run\": PATH}; put aside");
    }
    return std::optional<QueuedJob>();
}

Result<void> JobQueue::tellSlot(const QueuedJob& job) const {
    const nlohmann::json told{{"run", job.runDir}, {"slot", job.slot}, {"device", job.device}};
    return writeFileAtomically(fileOf(job.id, JobState::Running), lineOf(told));
}

std::vector<JobSlot> JobQueue::knownSlots() const {
    std::vector<JobSlot> slots;
    const auto text = readRegularFile(slotsFile(), kLargestJob);
    const auto json = nlohmann::json::parse(text ? *text : std::string(), nullptr, false);
    if (!json.is_array()) return std::vector<JobSlot>(1);
    for (const auto& one : json) {
        const bool whole = one.is_object() && one.contains("device") && one["device"].is_string() &&
                           one.contains("name") && one["name"].is_string();
        if (whole) slots.push_back({one["device"].get<std::string>(), one["name"].get<std::string>()});
    }
    return slots.size() > 1 ? slots : std::vector<JobSlot>(1);
}

Result<void> JobQueue::setKnownSlots(const std::vector<JobSlot>& found) const {
    if (found == knownSlots()) return {};
    if (found.size() < 2) {
        if (::unlink(slotsFile().c_str()) != 0 && errno != ENOENT)
            return systemError("say what there is to compute on", slotsFile(), errno);
        return {};
    }
    auto json = nlohmann::json::array();
    for (const JobSlot& slot : found) json.push_back({{"device", slot.device}, {"name", slot.name}});
    return writeFileAtomically(slotsFile(), lineOf(json));
}

} // namespace homebooth::core
