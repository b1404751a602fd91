// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// A port for programs that a test starts. Free function; any thread.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <fstream>
#include <random>

namespace homebooth::testing {

/// A port of loopback that nobody uses now; 0: none was found. It is below those that the system gives away
/// by itself, so that no connection of another program gets it until somebody listens there.
inline int freePort() {
    constexpr int kLowest = 10'000;
    int given = 0;
    std::ifstream("/proc/sys/net/ipv4/ip_local_port_range") >> given;
    if (given <= kLowest) given = 32'768; // Linux's own
    std::random_device random;
    std::uniform_int_distribution<int> choice(kLowest, given - 1);
    for (int attempt = 0; attempt < 100; ++attempt) {
        const int port = choice(random);
        const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        address.sin_port = htons(static_cast<uint16_t>(port));
        const bool free = ::bind(socket, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
        ::close(socket);
        if (free) return port;
    }
    return 0;
}

} // namespace homebooth::testing
