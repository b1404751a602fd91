// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/config/sample_config_json.h"
#include "core/base/files/made_folders.h"
#include "core/base/run/control.h"
#include "core/base/util/exit_codes.h"
#include "core/engine/sampling/sample_job.h"
#include "core/worker/environment.h"
#include "core/worker/jobs.h"
#include "core/worker/media_pictures.h"
#include "core/worker/memory_habits.h"

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
    explicit RequestQueue(const CancelToken& stop) {
        // Detached: reading may last for ever; the process ends without them.
        std::thread([state = m_state] { read(*state); }).detach();
        std::thread([state = m_state, stop] { endWith(*state, stop); }).detach();
    }

    struct Request {
        std::string text;
        bool cancelled = false; ///< while it waited; it is owed an answer all the same
    };

    /// Waits for the next request. Nothing after the last one before the end of the input or a signal to
    /// stop.
    std::optional<Request> next(CancelToken& cancel) {
        std::unique_lock lock(m_state->mutex);
        m_state->changed.wait(lock, [this] { return m_state->ended || !m_state->requests.empty(); });
        if (m_state->requests.empty()) return std::nullopt;
        Request request = std::move(m_state->requests.front());
        m_state->requests.pop_front();
        m_state->running = cancel;
        return request;
    }

private:
    struct State {
        std::mutex mutex;
        std::condition_variable changed;
        std::deque<Request> requests;
        std::optional<CancelToken> running;
        bool stopped = false; ///< by a signal: what still comes is not begun
        bool ended = false;

        void cancelAll() {
            for (Request& request : requests) request.cancelled = true;
            if (running) running->request();
        }
    };

    static void endWith(State& state, const CancelToken& stop) {
        constexpr std::chrono::milliseconds kPause(50);
        while (!stop.requested()) std::this_thread::sleep_for(kPause);
        const std::lock_guard lock(state.mutex);
        state.cancelAll();
        state.stopped = true;
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
                state.cancelAll();
            } else {
                // What is no command is handed on, too, so that its sender gets an answer.
                const bool known = command && command->verb == ControlVerb::Generate;
                state.requests.push_back({known ? command->request : std::string(), state.stopped});
            }
            state.changed.notify_all();
        }
        const std::lock_guard lock(state.mutex);
        state.ended = true;
        state.changed.notify_all();
    }

    std::shared_ptr<State> m_state = std::make_shared<State>();
};

OutcomeEvent answer(const RequestQueue::Request& request, SampleSession& session, EventStream& events,
                    const CancelToken& cancel) {
    if (request.cancelled) {
        OutcomeEvent outcome;
        outcome.result = "cancelled";
        outcome.code = kExitCancelled;
        outcome.message = "stopped on request, before it began";
        return outcome;
    }
    if (request.text.empty())
        return failedOutcome(badInput("expected {\"command\":\"generate\",\"request\":{...}} or "
                                      "{\"command\":\"stop\"}, found something else"));
    return generate(request.text, session, events, cancel);
}

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
    while (true) {
        CancelToken cancel;
        const auto request = queue.next(cancel);
        if (!request) break;
        const OutcomeEvent outcome = answer(*request, session, events, cancel);
        events.emit(outcome);
        if (outcome.code == static_cast<int>(ErrorCode::DeviceLost)) return outcome.code;
        giveFreedMemoryBack(); // the next request may be hours away
        events.emit(StateEvent{"ready", "", 0, 0});
    }
    return stop.requested() ? kExitCancelled : kExitDone;
}

} // namespace homebooth::core
