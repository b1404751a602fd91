// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/files/atomic_file.h"
#include "core/base/run/run_folder.h"
#include "core/base/system/process_id.h"

#include <nlohmann/json.hpp>

#include <array>
#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace homebooth::core {
namespace {

struct flock wholeFile(short type) {
    struct flock lock {};
    lock.l_type = type;
    lock.l_whence = SEEK_SET;
    return lock;
}

bool locksUnsupported(int failed) {
    return failed == ENOLCK || failed == EOPNOTSUPP || failed == EINVAL || failed == ENOSYS;
}

LockOwner parseOwner(int descriptor) {
    std::array<char, 512> text{};
    const ssize_t count = ::pread(descriptor, text.data(), text.size(), 0);
    const nlohmann::json json =
        nlohmann::json::parse(text.data(), text.data() + std::max<ssize_t>(count, 0), nullptr, false);
    LockOwner owner;
    if (!json.is_object()) return owner;
    const auto number = [&json](const char* key) {
        return json.contains(key) && json[key].is_number_integer() ? json[key].get<int64_t>() : int64_t{0};
    };
    owner.pid = number("pid");
    owner.startTicks = number("startTicks");
    return owner;
}

bool sameProcessLives(const LockOwner& owner) {
    return owner.pid > 0 && owner.startTicks > 0 && processStartTicks(owner.pid) == owner.startTicks;
}

/// Whoever has it writes that into the file a moment later. Process 0: it has not said so
LockOwner namedOwner(const std::string& lockFile) {
    constexpr int kLooks = 20;
    LockOwner owner;
    for (int look = 0; look < kLooks && owner.pid <= 0; ++look) {
        if (look > 0) std::this_thread::sleep_for(std::chrono::milliseconds(10));
        owner = RunLock::owner(lockFile).value_or(LockOwner());
    }
    return owner;
}

Error heldBy(const LockOwner& owner, const std::string& what, const std::string& lockFile) {
    if (owner.stranger > 0)
        return badInput("cannot work on " + what + ": process " + std::to_string(owner.stranger) +
                            ", which is none of Homebooth's, has locked it; end that one, or remove the lock",
                        lockFile);
    std::string message = "cannot work on " + what;
    message.append(owner.pid > 0 ? ": process " + std::to_string(owner.pid) : ": another process");
    return badInput(message.append(" works on it; wait for it or stop it first"), lockFile);
}

/// Whoever may read a lock may lock it against all: earlier versions let everybody. Only where it changes
/// something, since who watches its folder would look at it once more.
void hide(int descriptor) {
    struct stat status {};
    if (::fstat(descriptor, &status) == 0 && (status.st_mode & 0077) != 0)
        static_cast<void>(::fchmod(descriptor, 0600)); // some file systems have no modes
}

Result<void> writeOwner(int descriptor, const std::string& lockFile) {
    const int64_t pid = ::getpid();
    const std::string text =
        nlohmann::json{{"pid", pid}, {"startTicks", processStartTicks(pid)}}.dump() + "\n";
    const auto size = static_cast<ssize_t>(text.size());
    // Over what is there: a full disk might not give the room back that the file had.
    if (::pwrite(descriptor, text.data(), text.size(), 0) != size || ::ftruncate(descriptor, size) != 0)
        return systemError("write the lock", lockFile, errno);
    return {};
}

} // namespace

Result<std::optional<RunLock>> RunLock::tryAcquire(const std::string& lockFile, const std::string& what) {
    const int descriptor =
        ::open(lockFile.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
    if (descriptor < 0) return systemError("lock " + what, lockFile, errno);
    RunLock lock(descriptor);
    struct flock request = wholeFile(F_WRLCK);
    hide(descriptor);
    // Locks of the open file, not of the process: children that inherit it hold it, too.
    if (::fcntl(descriptor, F_OFD_SETLK, &request) != 0) {
        const int failed = errno;
        const LockOwner other = parseOwner(descriptor);
        if (failed == EAGAIN || failed == EACCES) return std::optional<RunLock>();
        if (!locksUnsupported(failed)) return systemError("lock " + what, lockFile, failed);
        if (sameProcessLives(other) && other.pid != ::getpid()) return std::optional<RunLock>();
    }
    HOMEBOOTH_CHECK(writeOwner(descriptor, lockFile));
    return std::optional(std::move(lock));
}

Result<RunLock> RunLock::acquire(const std::string& lockFile, const std::string& what) {
    HOMEBOOTH_ASSIGN(std::optional<RunLock> lock, tryAcquire(lockFile, what));
    if (!lock) return heldBy(namedOwner(lockFile), what, lockFile);
    return std::move(*lock);
}

RunLock::RunLock(RunLock&& other) noexcept
    : m_descriptor(std::exchange(other.m_descriptor, -1)) {}

RunLock& RunLock::operator=(RunLock&& other) noexcept {
    if (this != &other) {
        if (m_descriptor >= 0) ::close(m_descriptor);
        m_descriptor = std::exchange(other.m_descriptor, -1);
    }
    return *this;
}

RunLock::~RunLock() {
    if (m_descriptor >= 0) ::close(m_descriptor);
}

std::optional<LockOwner> RunLock::owner(const std::string& lockFile) {
    const int descriptor = ::open(lockFile.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (descriptor < 0) return std::nullopt;
    LockOwner owner = parseOwner(descriptor);
    struct flock query = wholeFile(F_WRLCK);
    const bool answered = ::fcntl(descriptor, F_OFD_GETLK, &query) == 0;
    owner.alive = answered ? query.l_type != F_UNLCK : sameProcessLives(owner);
    // Those of Homebooth are of an open file, which the kernel tells no process of.
    const bool told = owner.alive && answered && query.l_pid > 0;
    if (told && processStartTicks(query.l_pid) > 0) owner.stranger = query.l_pid; // else another machine's
    ::close(descriptor);
    return owner;
}

} // namespace homebooth::core
