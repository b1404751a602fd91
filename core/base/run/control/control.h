// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The control socket of a worker: lines of JSON over a local socket, both ways.
//
//   > {"command":"pause","battery":true}        and resume: of the supervisor; what a person paused stays so
//   > {"command":"pause"}                       pause resume stop finish saveNow sampleNow status
//   > {"command":"generate","request":{...}}
//   > {"command":"elsewhere","folder":"/..."}   checkpoints, from now on; of a run that waits for room
//   < {"ok":true,"message":"...", ...}
//
// Server: owns its socket file and one thread, which also calls the handler. Client: one thread.
// Invariants:
//   1. Nobody but the owner gets in: folder 0700, socket 0600, and the peer's user is checked.
//   2. A line has at most kControlLineBytes; garbage gets an answer, never a crash; a client that does not
//      read its answers is dropped.
#pragma once

#include "core/base/util/result.h"

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace homebooth::core {

constexpr size_t kControlLineBytes = 65536;

/// Stop ends a job with what it needs to go on; Finish ends a training with its result, too.
/// Resume ends a pause, and lets a run that waits for room on the disk try again.
enum class ControlVerb { Pause, Resume, Stop, Finish, SaveNow, SampleNow, Status, Generate, Elsewhere };

/// `state` of a training that was asked for Stop or Finish. It tells its supervisor alone, at once, since its
/// end may not say so: what a person wants to end does not begin again. In the journal it could stand behind
/// the outcome, as the first word of another attempt.
constexpr const char* kEndsOnRequest = "ending";

/// `detail` of the state "paused" where nobody has asked for it.
constexpr const char* kBatteryIsLow = "the battery is low";

struct ControlCommand {
    ControlVerb verb = ControlVerb::Status;
    std::string request;     ///< generate: the JSON text of `request`
    std::string folder = {}; ///< elsewhere: absolute
    bool battery = false;    ///< pause, resume: for its sake
};

struct ControlReply {
    bool ok = true;
    std::string message;
    std::string detail; ///< JSON text of further facts, e.g. of status; may be empty
};

using ControlHandler = std::function<ControlReply(const ControlCommand&)>;

/// "pause", "saveNow", ...
[[nodiscard]] const char* controlVerbName(ControlVerb verb);

/// One line of the protocol. Errors: BadInput with what is wrong with it
[[nodiscard]] Result<ControlCommand> parseControlLine(std::string_view line);

/// Where the socket of something named `identity` (a run's absolute path) is to lie: in a folder of the
/// user's alone, $XDG_RUNTIME_DIR/homebooth, else /tmp/homebooth-<uid>, else, as where somebody else has
/// taken that, one in the cache. Errors: BadInput where there is none, also for paths of more than 107 bytes
[[nodiscard]] Result<std::string> controlSocketPath(const std::string& identity);

/// Whether who is at the other end of a connected socket belongs to the user of this process.
[[nodiscard]] bool isSameUser(int socket);

class ControlServer {
public:
    /// Listens and writes the socket's path into `controlFile` (unless empty). A dead socket is replaced.
    /// Errors: BadInput if another process answers there or it cannot be made
    [[nodiscard]] static Result<std::unique_ptr<ControlServer>>
    start(const std::string& socketPath, const std::string& controlFile, ControlHandler handler);
    ~ControlServer(); ///< stops the thread, removes socket and control file

    [[nodiscard]] const std::string& socketPath() const;

private:
    struct State;
    explicit ControlServer(std::unique_ptr<State> state);
    std::unique_ptr<State> m_state;
};

/// Sends one command to the worker of a run and waits for its answer.
/// @param controlFile  <run>/control
/// Errors: BadInput if no worker runs or it does not answer within `timeoutMs`
[[nodiscard]] Result<ControlReply> sendControl(const std::string& controlFile, const ControlCommand& command,
                                               int timeoutMs = 5000);

} // namespace homebooth::core
