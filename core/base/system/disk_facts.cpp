// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/system/disk_facts.h"

#include "core/base/files/atomic_file.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <limits>
#include <linux/magic.h>
#include <memory>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <unistd.h>

namespace homebooth::core {
namespace {

using Clock = std::chrono::steady_clock;
constexpr size_t kBlockBytes = size_t{4} << 20;
constexpr size_t kAlignment = 4096; // what O_DIRECT asks for

double secondsSince(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

struct FreeDeleter {
    void operator()(char* memory) const { std::free(memory); }
};

/// An unnamed file: nothing is left behind, however this ends.
class ProbeFile {
public:
    explicit ProbeFile(const std::string& folder)
        : m_path(folder + "/.homebooth-probe-XXXXXX") {
        m_descriptor = ::mkostemp(m_path.data(), O_CLOEXEC);
        if (m_descriptor >= 0) ::unlink(m_path.c_str());
    }
    ~ProbeFile() {
        if (m_descriptor >= 0) ::close(m_descriptor);
    }
    ProbeFile(const ProbeFile&) = delete;
    ProbeFile& operator=(const ProbeFile&) = delete;
    [[nodiscard]] int descriptor() const { return m_descriptor; }

private:
    std::string m_path;
    int m_descriptor = -1;
};

/// FAT has 32 bits for the length of a file. Other file systems take as much as disks hold.
int64_t largestFileOn(const std::string& folder) {
    constexpr int64_t kFat = std::numeric_limits<uint32_t>::max();
    int64_t largest = std::numeric_limits<int64_t>::max();
    struct statfs status {};
    if (::statfs(folder.c_str(), &status) == 0 && status.f_type == MSDOS_SUPER_MAGIC) largest = kFat;
    rlimit limit{};
    if (::getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < static_cast<rlim_t>(largest))
        largest = static_cast<int64_t>(limit.rlim_cur);
    return largest;
}

} // namespace

Result<DiskFacts> diskFacts(const std::string& path) {
    std::error_code code;
    std::filesystem::path existing = std::filesystem::absolute(path, code);
    while (!std::filesystem::exists(existing, code) && existing.has_relative_path())
        existing = existing.parent_path();
    struct statvfs status {};
    struct stat folder {};
    if (::statvfs(existing.c_str(), &status) != 0 || ::stat(existing.c_str(), &folder) != 0)
        return systemError("look at the disk", path, errno);
    const auto unit = static_cast<int64_t>(status.f_frsize);
    return DiskFacts{existing.string(),
                     static_cast<int64_t>(status.f_bavail) * unit,
                     static_cast<int64_t>(status.f_blocks) * unit,
                     (status.f_flag & ST_RDONLY) != 0,
                     folder.st_dev,
                     largestFileOn(existing.string())};
}

Result<DiskSpeed> probeDiskSpeed(const std::string& folder, int64_t bytes, double seconds) {
    const ProbeFile file(folder);
    if (file.descriptor() < 0) return systemError("try the disk's speed", folder, errno);
    const std::unique_ptr<char, FreeDeleter> block(
        static_cast<char*>(std::aligned_alloc(kAlignment, kBlockBytes)));
    std::fill_n(block.get(), kBlockBytes, 'h');

    auto start = Clock::now();
    int64_t written = 0;
    while (written < bytes && secondsSince(start) < seconds) {
        const ssize_t count = ::write(file.descriptor(), block.get(), kBlockBytes);
        if (count <= 0) return systemError("try the disk's speed", folder, errno);
        written += count;
    }
    if (::fsync(file.descriptor()) != 0) return systemError("try the disk's speed", folder, errno);
    DiskSpeed speed;
    speed.writeBytesPerSecond = static_cast<double>(written) / std::max(secondsSince(start), 1e-6);

    ::posix_fadvise(file.descriptor(), 0, 0, POSIX_FADV_DONTNEED);
    const int flags = ::fcntl(file.descriptor(), F_GETFL);
    ::fcntl(file.descriptor(), F_SETFL, flags | O_DIRECT); // where it is not supported, the advice must do
    start = Clock::now();
    int64_t read = 0;
    while (read < written && secondsSince(start) < seconds) {
        const ssize_t count = ::pread(file.descriptor(), block.get(), kBlockBytes, read);
        if (count <= 0) break;
        read += count;
    }
    speed.readBytesPerSecond = static_cast<double>(read) / std::max(secondsSince(start), 1e-6);
    return speed;
}

} // namespace homebooth::core
