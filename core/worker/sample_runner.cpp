// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/config/sample_config_json.h"
#include "core/base/run/control.h"
#include "core/engine/sampling/sample_job.h"
#include "core/worker/environment.h"
#include "core/worker/jobs.h"
#include "core/worker/media_pictures.h"

#include <condition_variable>
#include <deque>
#include <filesystem>
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
    std::error_code code;
    std::filesystem::create_directories(config->outputDir, code);
    if (code) return failedOutcome(badInput("cannot make the folder: " + code.message(), config->outputDir));
    useThreads(config->threads);
    return guarded([&] { return session.run(*config, events, cancel); });
}

/// Lines of standard input, read by a thread of their own: `stop` must be heard while a picture is made.
class RequestQueue {
public:
    RequestQueue()
        : m_thread([this] { read(); }) {
        m_thread.detach(); // it may sit in a read for ever; the process ends without it
    }

    /// Waits for the next request. Nothing at the end of the input.
    std::optional<std::string> next(CancelToken& cancel) {
        std::unique_lock lock(m_state->mutex);
        m_state->changed.wait(lock, [this] { return m_state->ended || !m_state->requests.empty(); });
        if (m_state->requests.empty()) return std::nullopt;
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

    void read() {
        const std::shared_ptr<State> state = m_state;
        for (std::string line; std::getline(std::cin, line);) {
            if (line.empty()) continue;
            const auto command =
                line.size() <= kControlLineBytes ? parseControlLine(line) : badInput("the line is too long");
            const std::lock_guard lock(state->mutex);
            if (command && command->verb == ControlVerb::Stop) {
                state->requests.clear();
                if (state->running) state->running->request();
            } else {
                // What is no command is handed on, too, so that its sender gets an answer.
                state->requests.push_back(command && command->verb == ControlVerb::Generate ? command->request
                                                                                            : std::string());
            }
            state->changed.notify_all();
        }
        const std::lock_guard lock(state->mutex);
        state->ended = true;
        state->changed.notify_all();
    }

    std::shared_ptr<State> m_state = std::make_shared<State>();
    std::thread m_thread;
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
    RequestQueue queue;
    events.emit(StateEvent{"ready", "", 0, 0});
    while (!stop.requested()) {
        CancelToken cancel;
        const auto request = queue.next(cancel);
        if (!request) return 0;
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
    return kCancelled;
}

} // namespace homebooth::core
