// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/run/control/control_protocol.h"
#include "core/base/util/regular_file.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

namespace homebooth::core {
namespace {

class Connection {
public:
    explicit Connection(int timeoutMs)
        : m_descriptor(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        // A worker that is stopped takes nobody in, and its queue fills with those that gave up.
        const timeval patience{timeoutMs / 1000, timeoutMs % 1000 * 1000};
        ::setsockopt(m_descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    }
    ~Connection() { ::close(m_descriptor); }
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    [[nodiscard]] bool connect(const std::string& path) const {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        if (path.size() >= sizeof(address.sun_path)) return false;
        std::memcpy(address.sun_path, path.data(), path.size());
        return ::connect(m_descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    }

    [[nodiscard]] bool send(const std::string& text) const {
        return ::send(m_descriptor, text.data(), text.size(), MSG_NOSIGNAL) ==
               static_cast<ssize_t>(text.size());
    }

    /// Everything up to the first line break; nothing after timeoutMs or when the worker hangs up.
    [[nodiscard]] std::string receiveLine(int timeoutMs) const {
        using Clock = std::chrono::steady_clock;
        const auto deadline = Clock::now() + std::chrono::milliseconds(timeoutMs);
        std::string line;
        while (line.find('\n') == std::string::npos && line.size() <= kControlLineBytes) {
            const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
            pollfd watched{m_descriptor, POLLIN, 0};
            if (left.count() <= 0 || ::poll(&watched, 1, static_cast<int>(left.count())) <= 0) return {};
            std::array<char, 4096> buffer{};
            const ssize_t count = ::recv(m_descriptor, buffer.data(), buffer.size(), 0);
            if (count <= 0) return {};
            line.append(buffer.data(), static_cast<size_t>(count));
        }
        return line.substr(0, line.find('\n'));
    }

private:
    int m_descriptor;
};

} // namespace

Result<ControlReply> sendControl(const std::string& controlFile, const ControlCommand& command,
                                 int timeoutMs) {
    constexpr int64_t kLongestPath = 4096;
    const auto content = readRegularFile(controlFile, kLongestPath);
    if (!content) return badInput("no worker is running here", controlFile);
    const std::string path = content->substr(0, content->find('\n'));
    const Error silent =
        badInput("the worker did not answer within " + std::to_string(timeoutMs) + " ms", controlFile);
    const Connection connection(timeoutMs);
    if (!connection.connect(path))
        return errno == EAGAIN ? silent : badInput("no worker answers here; it has ended", controlFile);
    if (!connection.send(commandLine(command))) return badInput("the worker hung up", controlFile);
    const std::string line = connection.receiveLine(timeoutMs);
    if (line.empty()) return silent;
    return parseReply(line);
}

} // namespace homebooth::core
