// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/collective/meeting_file.h"

#include "core/base/files/descriptor.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>

namespace homebooth::core {

Result<void> prepareMeetingFile(const std::string& path) {
    const Descriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
    struct stat facts {};
    if (file.get() < 0 || ::fstat(file.get(), &facts) != 0)
        return Error{ErrorCode::OutOfResources,
                     std::string("the file in which ranks meet cannot be made: ") + std::strerror(errno) +
                         "; choose a folder of your own",
                     path};
    if (!S_ISREG(facts.st_mode) || facts.st_uid != ::geteuid() || (facts.st_mode & 077) != 0)
        return badInput(
            "ranks meet in a file that only its owner may read and write (mode 0600); this one is "
            "another's or open to others; remove it or choose another path",
            path);
    return {};
}

} // namespace homebooth::core
