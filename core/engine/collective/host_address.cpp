// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/collective/host_address.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace homebooth::core {
namespace {

using Addresses = std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)>;

/// @param flags  of getaddrinfo. @param failure  what it says, where nothing was found
Addresses addressesOf(const std::string& host, int port, int flags, std::string& failure) {
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = flags | AI_NUMERICSERV;
    addrinfo* found = nullptr;
    const int code =
        ::getaddrinfo(host.empty() ? nullptr : host.c_str(), std::to_string(port).c_str(), &hints, &found);
    if (code != 0) failure = ::gai_strerror(code);
    return {code == 0 ? found : nullptr, &::freeaddrinfo};
}

std::string textOf(const sockaddr* address, socklen_t length) {
    std::array<char, NI_MAXHOST> text{};
    const int code = ::getnameinfo(address, length, text.data(), text.size(), nullptr, 0, NI_NUMERICHOST);
    return code == 0 ? text.data() : "";
}

const addrinfo* preferred(const addrinfo* found) {
    for (const addrinfo* one = found; one != nullptr; one = one->ai_next)
        if (one->ai_family == AF_INET) return one;
    return found;
}

Error cannotListen(const std::string& address, int port, int code) {
    std::string message = "rank 0 cannot listen at port " + std::to_string(port) +
                          (address.empty() ? std::string() : " of " + address) + ": " + std::strerror(code);
    if (code == EADDRINUSE)
        message += "; another job uses it, so choose another MASTER_PORT for all";
    else if (code == EADDRNOTAVAIL)
        message += "; MASTER_ADDR must be the machine of rank 0";
    else
        message += "; choose another MASTER_ADDR or MASTER_PORT for all";
    return badInput(message);
}

} // namespace

Result<std::string> numericAddress(const std::string& host) {
    std::string failure;
    const Addresses found = addressesOf(host, 0, 0, failure);
    if (!found)
        return badInput("expected the name or address of the machine of rank 0, found one that is not known "
                        "here (" +
                            failure + "); set MASTER_ADDR to an address that all machines reach",
                        host);
    const addrinfo* one = preferred(found.get());
    return textOf(one->ai_addr, one->ai_addrlen);
}

Result<std::string> addressTowards(const std::string& address) {
    constexpr int kAnyPort = 9; // nothing is sent
    std::string failure;
    const Addresses other = addressesOf(address, kAnyPort, AI_NUMERICHOST, failure);
    sockaddr_storage own{};
    socklen_t length = sizeof own;
    if (other) {
        const Descriptor socket(::socket(other->ai_family, SOCK_DGRAM | SOCK_CLOEXEC, 0));
        const bool found = ::connect(socket.get(), other->ai_addr, other->ai_addrlen) == 0 &&
                           ::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&own), &length) == 0;
        if (found) return textOf(reinterpret_cast<const sockaddr*>(&own), length);
        failure = std::strerror(errno);
    }
    return badInput("the machine of rank 0 cannot be reached from here (" + failure +
                        "); look at the network, or set MASTER_ADDR to an address that all machines reach",
                    address);
}

bool isLoopback(const std::string& address) {
    return address.starts_with("127.") || address == "::1";
}

std::optional<std::string> outsideAddress(const std::string& interface) {
    ifaddrs* all = nullptr;
    if (::getifaddrs(&all) != 0) return std::nullopt;
    const std::unique_ptr<ifaddrs, decltype(&::freeifaddrs)> owner(all, &::freeifaddrs);
    for (const int family : {AF_INET, AF_INET6})
        for (const ifaddrs* one = all; one != nullptr; one = one->ifa_next) {
            if (one->ifa_addr == nullptr || one->ifa_addr->sa_family != family) continue;
            if ((one->ifa_flags & IFF_UP) == 0) continue;
            if (interface.empty() ? (one->ifa_flags & IFF_LOOPBACK) != 0 : interface != one->ifa_name)
                continue;
            return textOf(one->ifa_addr, family == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6));
        }
    return std::nullopt;
}

Result<std::unique_ptr<Descriptor>> listenAt(const std::string& address, int port) {
    std::string failure;
    const Addresses found = addressesOf(address, port, AI_NUMERICHOST | AI_PASSIVE, failure);
    if (!found) return cannotListen(address, port, EADDRNOTAVAIL);
    const addrinfo* one = preferred(found.get());
    auto socket = std::make_unique<Descriptor>(::socket(one->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const int yes = 1;
    ::setsockopt(socket->get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (::bind(socket->get(), one->ai_addr, one->ai_addrlen) != 0 || ::listen(socket->get(), SOMAXCONN) != 0)
        return cannotListen(address, port, errno);
    return socket;
}

Result<void> tryConnecting(const std::string& address, int port, std::chrono::milliseconds limit) {
    std::string failure;
    const Addresses found = addressesOf(address, port, AI_NUMERICHOST, failure);
    if (!found) return badInput(failure, address);
    const addrinfo* one = preferred(found.get());
    const Descriptor socket(::socket(one->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    int code = ::connect(socket.get(), one->ai_addr, one->ai_addrlen) == 0 ? 0 : errno;
    if (code == EINPROGRESS) {
        pollfd made{socket.get(), POLLOUT, 0};
        socklen_t length = sizeof code;
        if (::poll(&made, 1, static_cast<int>(limit.count())) != 1)
            code = ETIMEDOUT;
        else if (::getsockopt(socket.get(), SOL_SOCKET, SO_ERROR, &code, &length) != 0)
            code = errno;
    }
    if (code == 0) return {};
    return badInput(std::strerror(code), address);
}

} // namespace homebooth::core
