// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/files/atomic_file.h"
#include "core/base/run/control/control_protocol.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <new>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace homebooth::core {
namespace {

constexpr size_t kMostClients = 16;
constexpr int kRestMs = 100; // while nobody can be let in, e.g. for want of descriptors

sockaddr_un addressOf(const std::string& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, path.data(), std::min(path.size(), sizeof(address.sun_path) - 1));
    return address;
}

/// Whether somebody answers at this socket.
bool answers(const std::string& path) {
    const int probe = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const sockaddr_un address = addressOf(path);
    const bool connected = ::connect(probe, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    ::close(probe);
    return connected;
}

Result<int> listenAt(const std::string& path) {
    if (path.size() >= sizeof(sockaddr_un::sun_path))
        return badInput("the path of a control socket may have at most 107 bytes", path);
    struct stat status {};
    if (::lstat(path.c_str(), &status) == 0) {
        if (!S_ISSOCK(status.st_mode)) return badInput("a file lies where the control socket belongs", path);
        if (answers(path)) return badInput("another worker listens here; stop it first", path);
        ::unlink(path.c_str());
    }
    const int listener = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (listener < 0) return systemError("make the control socket", path, errno);
    const sockaddr_un address = addressOf(path);
    const mode_t before = ::umask(0177); // never readable by others, not even for a moment
    const bool listens = ::bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 &&
                         ::listen(listener, static_cast<int>(kMostClients)) == 0;
    const int failed = errno;
    ::umask(before);
    if (listens) return listener;
    ::close(listener);
    return systemError("make the control socket", path, failed);
}

struct Client {
    int descriptor = -1;
    std::string received; // not yet a whole line
    std::chrono::steady_clock::time_point heard = std::chrono::steady_clock::now();
};

/// Sends without waiting: a client that does not read is dropped.
bool sendAll(int descriptor, const std::string& text) {
    const ssize_t sent = ::send(descriptor, text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    return sent == static_cast<ssize_t>(text.size());
}

} // namespace

struct ControlServer::State {
    std::string socketPath;
    std::string controlFile;
    ControlHandler handler;
    int listener = -1;
    int wake = -1;
    std::vector<Client> clients;
    std::thread thread;

    void serve();
    /// Waits until somebody says something and answers. @param resting  whether nobody is let in meanwhile
    /// @returns  false when the server shall end
    bool serveOnce(bool& resting);
    /// False when nobody can be let in for now; whoever knocked keeps waiting.
    bool acceptClient();
    /// Drops whoever has been silent for longest: some never hang up, and stop has to get through.
    void makeRoom();
    /// False when the client is done with, also where memory ran out: it may ask again.
    bool attend(Client& client);
    bool readClient(Client& client);
    bool answerLine(const Client& client, std::string_view line) const;
};

void ControlServer::State::serve() {
    for (bool resting = false, goesOn = true; goesOn;) {
        try {
            goesOn = serveOnce(resting);
        } catch (const std::bad_alloc&) { // the job goes on
            std::this_thread::sleep_for(std::chrono::milliseconds(kRestMs));
        }
    }
}

bool ControlServer::State::serveOnce(bool& resting) {
    // Whom accept cannot let in stays readable: without a rest this would turn round and round.
    std::vector<pollfd> watched{{wake, POLLIN, 0}, {resting ? -1 : listener, POLLIN, 0}};
    for (const Client& client : clients) watched.push_back({client.descriptor, POLLIN, 0});
    if (::poll(watched.data(), watched.size(), resting ? kRestMs : -1) < 0) return errno == EINTR;
    if (watched[0].revents != 0) return false;
    // Backwards, so that erasing does not move those still to come.
    for (size_t index = clients.size(); index-- > 0;) {
        if (watched[index + 2].revents == 0 || attend(clients[index])) continue;
        ::close(clients[index].descriptor);
        clients.erase(clients.begin() + static_cast<std::ptrdiff_t>(index));
    }
    resting = watched[1].revents != 0 && !acceptClient();
    return true;
}

bool ControlServer::State::acceptClient() {
    const int descriptor = ::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (descriptor < 0) return errno == EAGAIN || errno == EINTR || errno == ECONNABORTED;
    if (!isSameUser(descriptor)) {
        ::close(descriptor);
        return true;
    }
    if (clients.size() >= kMostClients) makeRoom();
    clients.push_back({descriptor, {}});
    return true;
}

void ControlServer::State::makeRoom() {
    const auto silent =
        std::min_element(clients.begin(), clients.end(),
                         [](const Client& one, const Client& other) { return one.heard < other.heard; });
    ::close(silent->descriptor);
    clients.erase(silent);
}

bool ControlServer::State::attend(Client& client) {
    try {
        return readClient(client);
    } catch (const std::bad_alloc&) {
        return false;
    }
}

bool ControlServer::State::readClient(Client& client) {
    std::array<char, 4096> buffer{};
    const ssize_t count = ::recv(client.descriptor, buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (count < 0) return errno == EAGAIN || errno == EINTR;
    if (count == 0) return false;
    client.heard = std::chrono::steady_clock::now();
    client.received.append(buffer.data(), static_cast<size_t>(count));
    for (size_t end = client.received.find('\n'); end != std::string::npos;
         end = client.received.find('\n')) {
        if (!answerLine(client, std::string_view(client.received).substr(0, end))) return false;
        client.received.erase(0, end + 1);
    }
    if (client.received.size() <= kControlLineBytes) return true;
    sendAll(client.descriptor, replyLine({false, "the line is too long", {}}));
    return false;
}

bool ControlServer::State::answerLine(const Client& client, std::string_view line) const {
    if (line.size() > kControlLineBytes) return false;
    const auto command = parseControlLine(line);
    if (!command) return sendAll(client.descriptor, replyLine({false, command.error().message, {}}));
    return sendAll(client.descriptor, replyLine(handler(*command)));
}

Result<std::unique_ptr<ControlServer>>
ControlServer::start(const std::string& socketPath, const std::string& controlFile, ControlHandler handler) {
    auto state = std::make_unique<State>();
    state->clients.reserve(kMostClients); // whom it lets in needs no memory then
    HOMEBOOTH_ASSIGN(state->listener, listenAt(socketPath));
    state->socketPath = socketPath;
    state->handler = std::move(handler);
    state->wake = ::eventfd(0, EFD_CLOEXEC);
    const int failed = errno;
    auto server = std::unique_ptr<ControlServer>(new ControlServer(std::move(state)));
    if (server->m_state->wake < 0) return systemError("make the control socket", socketPath, failed);
    if (!controlFile.empty()) {
        HOMEBOOTH_CHECK(writeFileAtomically(controlFile, socketPath + "\n"));
        server->m_state->controlFile = controlFile;
    }
    server->m_state->thread = std::thread([raw = server->m_state.get()] { raw->serve(); });
    return server;
}

ControlServer::ControlServer(std::unique_ptr<State> state)
    : m_state(std::move(state)) {}

ControlServer::~ControlServer() {
    if (m_state->thread.joinable()) {
        const uint64_t one = 1; // the only one that is ever written, so it cannot be refused
        const ssize_t ignored = ::write(m_state->wake, &one, sizeof one);
        (void)ignored;
        m_state->thread.join();
    }
    ::unlink(m_state->socketPath.c_str());
    if (!m_state->controlFile.empty()) ::unlink(m_state->controlFile.c_str());
    for (const Client& client : m_state->clients) ::close(client.descriptor);
    ::close(m_state->listener);
    ::close(m_state->wake);
}

const std::string& ControlServer::socketPath() const {
    return m_state->socketPath;
}

} // namespace homebooth::core
