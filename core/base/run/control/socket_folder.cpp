// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/run/control/socket_folder.h"

#include "core/base/files/atomic_file.h"
#include "core/base/files/made_folders.h"
#include "core/base/run/control/control.h"
#include "core/base/system/user_folders.h"

#include <cerrno>
#include <cstdlib>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
#include <vector>

namespace homebooth::core {
namespace {

/// Makes the folder, or takes one that is ours alone.
Result<void> claimPrivateFolder(const std::string& folder) {
    if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
        return systemError("make the folder of control sockets", folder, errno);
    struct stat status {};
    if (::lstat(folder.c_str(), &status) != 0) return systemError("look at", folder, errno);
    if (!S_ISDIR(status.st_mode) || status.st_uid != ::getuid() || (status.st_mode & 0077) != 0)
        return badInput(
            "the folder of control sockets must belong to you alone (mode 0700); remove it, or set "
            "XDG_RUNTIME_DIR to a folder of your own",
            folder);
    return {};
}

/// After su the variable may still name that of another user, where root could write.
bool isOwnFolder(const char* folder) {
    struct stat status {};
    return folder != nullptr && folder[0] == '/' && ::stat(folder, &status) == 0 &&
           status.st_uid == ::getuid() && ::access(folder, W_OK) == 0;
}

} // namespace

Result<std::string> socketFolder(size_t nameBytes) {
    std::vector<std::string> places;
    if (const char* runtime = std::getenv("XDG_RUNTIME_DIR"); isOwnFolder(runtime))
        places.push_back(std::string(runtime) + "/homebooth");
    places.push_back("/tmp/homebooth-" + std::to_string(::getuid()));
    const std::string cache = ownCacheFolder();
    if (!cache.empty()) places.push_back(cache + "/sockets");
    Result<std::string> found = badInput("expected a place for control sockets, found none");
    for (const std::string& place : places) {
        if (place.size() + nameBytes >= sizeof(sockaddr_un::sun_path)) continue;
        if (place.starts_with(cache + "/")) static_cast<void>(MadeFolders::make(cache));
        const auto claimed = claimPrivateFolder(place);
        if (claimed) return place;
        found = claimed.error();
    }
    return found;
}

bool isSameUser(int socket) {
    ucred peer{};
    socklen_t length = sizeof peer;
    return ::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0 && peer.uid == ::getuid();
}

} // namespace homebooth::core
