// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/config/sample_config_json.h"
#include "core/base/files/made_folders.h"
#include "core/base/run/control.h"
#include "core/engine/sampling/sample_job.h"
#include "core/worker/environment.h"
#include "core/worker/jobs.h"
#include "core/worker/media_pictures.h"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <iostream>
#include <iterator>
#include <mutex>
#include <optional>
#include <thread>

namespace homebooth::core {
namespace {

Result<SampleConfig> readRequest(std::string_view text) {
    SampleConfig config;
    HOMEBOOTH_CHECK(readJson(text, config));
    HOMEBOOTH_CHECK(validate(config));
    return config;
}

OutcomeEvent generate(std::string_view request, SampleSession& session, EventStream& events,
                      const CancelToken& cancel) {
    const auto config = readRequest(request);
    if (!config) return failedOutcome(config.error());
    if (const auto device = chooseDevice(config->device); !device) return failedOutcome(device.error());
    const auto folders = MadeFolders::make(config->outputDir);
    if (!folders) return failedOutcome(folders.error());
    useThreads(config->threads);
    OutcomeEvent outcome = guarded([&] { return session.run(*config, events, cancel); });
    if (outcome.resultPaths.empty()) folders->removeEmpty();
    return outcome;
}

/// Lines of standard input, read by a thread of their own: `stop` must be heard while a picture is made.
/// A second thread looks at the token that signals raise, because a signal handler may take no mutex.
class RequestQueue {
public:
    explicit RequestQueue(const CancelToken& stop)
        : m_stop(stop) {
        // Detached: reading may last for ever; the process ends without them.
        std::thread([state = m_state] { read(*state); }).detach();
        std::thread([state = m_state, stop] { endWith(*state, stop); }).detach();
    }

    /// Waits for the next request. Nothing at the end of the input and after a signal to stop.
    std::optional<std::string> next(CancelToken& cancel) {
        std::unique_lock lock(m_state->mutex);
        m_state->changed.wait(lock, [this] { return m_state->ended || !m_state->requests.empty(); });
        if (m_state->requests.empty() || m_stop.requested()) return std::nullopt;
        std::string request = std::move(m_state->requests.front());
        m_state->requests.pop_front();
        m_state->running = cancel;
        return request;
    }

private:
    struct State {
        std::mutex mutex;
        std::condition_variable changed;
        std::deque<std::string> requests;
        std::optional<CancelToken> running;
        bool ended = false;
    };

    static void endWith(State& state, const CancelToken& stop) {
        constexpr std::chrono::milliseconds kPause(50);
        while (!stop.requested()) std::this_thread::sleep_for(kPause);
        const std::lock_guard lock(state.mutex);
        state.requests.clear();
        if (state.running) state.running->request();
        state.ended = true;
        state.changed.notify_all();
    }

    static void read(State& state) {
        for (std::string line; std::getline(std::cin, line);) {
            if (line.empty()) continue;
            const auto command =
                line.size() <= kControlLineBytes ? parseControlLine(line) : badInput("the line is too long");
            const std::lock_guard lock(state.mutex);
            if (command && command->verb == ControlVerb::Stop) {
                state.requests.clear();
                if (state.running) state.running->request();
            } else {
                // What is no command is handed on, too, so that its sender gets an answer.
                state.requests.push_back(command && command->verb == ControlVerb::Generate ? command->request
                                                                                           : std::string());
            }
            state.changed.notify_all();
        }
        const std::lock_guard lock(state.mutex);
        state.ended = true;
        state.changed.notify_all();
    }

    CancelToken m_stop;
    std::shared_ptr<State> m_state = std::make_shared<State>();
};

} // namespace

int runSampling(EventStream& events) {
    const std::string request{std::istreambuf_iterator<char>(std::cin), {}};
    const CancelToken cancel;
    stopOnSignals(cancel);
    MediaPictureSource pictures;
    MediaPictureWriter writer;
    SampleSession session(pictures, writer);
    const OutcomeEvent outcome = generate(request, session, events, cancel);
    events.emit(outcome);
    return outcome.code;
}

int runServer(EventStream& events) {
    const CancelToken stop;
    stopOnSignals(stop);
    MediaPictureSource pictures;
    MediaPictureWriter writer;
    SampleSession session(pictures, writer);
    RequestQueue queue(stop);
    events.emit(StateEvent{"ready", "", 0, 0});
    while (!stop.requested()) {
        CancelToken cancel;
        const auto request = queue.next(cancel);
        if (!request) break;
        OutcomeEvent outcome =
            request->empty()
                ? failedOutcome(badInput("expected {\"command\":\"generate\",\"request\":{...}} or "
                                         "{\"command\":\"stop\"}, found something else"))
                : generate(*request, session, events, cancel);
        events.emit(outcome);
        if (outcome.code == static_cast<int>(ErrorCode::DeviceLost)) return outcome.code;
        events.emit(StateEvent{"ready", "", 0, 0});
    }
    constexpr int kCancelled = 5;
    return stop.requested() ? kCancelled : 0;
}

} // namespace homebooth::core
