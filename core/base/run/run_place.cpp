// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/run/run_place.h"

#include "core/base/run/run_identity.h"

#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>

namespace homebooth::core {
namespace {

namespace fs = std::filesystem;

bool hasRunFile(const std::string& folder) {
    std::error_code ignored;
    return fs::is_regular_file(folder + "/run.json", ignored);
}

/// Where an open folder is by now; empty where nobody knows.
std::string pathOf(int descriptor) {
    std::error_code ignored;
    return fs::read_symlink("/proc/self/fd/" + std::to_string(descriptor), ignored).string();
}

} // namespace

RunPlace::RunPlace(const RunFolder& run)
    : m_path(run.path())
    , m_identity(identityOf(m_path))
    , m_byPath(identityOf(m_path, /*numbersLast=*/false))
    , m_folder(::open(m_path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC))
    , m_hasRunFile(hasRunFile(m_path)) {}

Result<void> RunPlace::there() const {
    if (m_identity.empty()) return {};
    if (identityOf(m_path) != m_identity && identityOf(m_path, /*numbersLast=*/false) != m_byPath)
        return awayError();
    if (!m_hasRunFile || hasRunFile(m_path)) return {};
    return badInput(std::string("expected run.json in the run's folder, found none; put it ") + kPutRunBack,
                    m_path);
}

bool RunPlace::isCopy() const {
    struct stat held {};
    struct stat found {};
    const bool known = ::fstat(m_folder.get(), &held) == 0 && ::stat(m_path.c_str(), &found) == 0;
    return known && (held.st_dev != found.st_dev || held.st_ino != found.st_ino);
}

Error RunPlace::awayError() const {
    const std::string now = pathOf(m_folder.get());
    std::error_code ignored;
    const bool exists = fs::is_directory(now, ignored);
    std::string message = "expected the run's folder here, found none; put it ";
    if (!exists && now.ends_with(" (deleted)")) // the kernel's word
        message = "the run's folder was deleted while it worked, or moved to another disk; put it or a copy "
                  "of it ";
    else if (exists && now != m_path)
        message = "the run's folder was moved or renamed while it worked, and is " + now + " now; move it ";
    return badInput(message + kPutRunBack, m_path);
}

bool isOfRunPlace(std::string_view message) {
    return message.find(kPutRunBack) != std::string_view::npos;
}

} // namespace homebooth::core
