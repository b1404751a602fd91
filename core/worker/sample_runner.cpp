// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/config/sample_config_json.h"
#include "core/base/config/sample_spread.h"
#include "core/base/files/made_folders.h"
#include "core/base/run/control/control.h"
#include "core/base/util/exit_codes.h"
#include "core/engine/jobs/expected_failure.h"
#include "core/engine/memory/memory_relief.h"
#include "core/engine/parallel/ranks.h"
#include "core/engine/sampling/guidance_halves.h"
#include "core/engine/sampling/picture_folder.h"
#include "core/engine/sampling/picture_names.h"
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
#include <sstream>
#include <thread>

namespace homebooth::core {
namespace {

Result<SampleConfig> readRequest(std::string_view text) {
    SampleConfig config;
    HOMEBOOTH_CHECK(readJson(text, config));
    HOMEBOOTH_CHECK(validate(config));
    return config;
}

OutcomeEvent generate(const SampleConfig& config, const SampleShare& share, SampleSession& session,
                      EventStream& events, const CancelToken& cancel) {
    const auto device = chooseDevice(config.device);
    if (!device) return failedOutcome(device.error());
    warnOfFormat(*device, config.precision, /*convolves=*/true, events);
    const auto folders = MadeFolders::make(config.outputDir);
    if (!folders) return failedOutcome(folders.error());
    warnOfThreads(config.threads, events);
    useThreads(config.threads);
    OutcomeEvent outcome = guarded([&] { return session.run(config, events, cancel, share); });
    if (outcome.resultPaths.empty()) folders->removeEmpty();
    return outcome;
}

OutcomeEvent generate(std::string_view request, const PictureFolder& folder, SampleSession& session,
                      EventStream& events, const CancelToken& cancel) {
    const auto config = readRequest(request);
    if (!config) return failedOutcome(config.error());
    SampleShare all;
    all.folder = folder;
    return generate(*config, all, session, events, cancel);
}

/// The numbers in pictures' names, which the first rank finds before any of them writes one. Afterwards ranks
/// know nothing of each other. Errors: of meeting the others; throws RankLost
Result<std::vector<int64_t>> shareNumbers(const RankPlace& place, const SampleConfig& config) {
    HOMEBOOTH_ASSIGN(const std::unique_ptr<Ranks> ranks, Ranks::meet(place));
    std::string own;
    Result<void> found;
    if (ranks->isFirst()) {
        const auto numbers = freePictureNumbers(config.outputDir, config.seed, config.count);
        if (!numbers) found = numbers.error();
        for (const int64_t number : numbers ? *numbers : std::vector<int64_t>())
            own += std::to_string(number) + " ";
    }
    HOMEBOOTH_CHECK(ranks->agreeOn(found));
    std::istringstream told(ranks->texts(own).front());
    std::vector<int64_t> numbers;
    for (int64_t number = 0; told >> number;) numbers.push_back(number);
    ranks->meetAgain(); // whoever goes earlier is one that was lost
    return numbers;
}

/// The two ranks of a team, which meet by themselves.
Result<std::unique_ptr<Ranks>> meetPair(const RankPlace& place, int64_t team) {
    RankPlace own = place;
    own.rank = place.rank % 2;
    own.ranks = 2;
    own.meetingFile += "-pair" + std::to_string(team);
    return Ranks::meet(own);
}

/// Makes what of the pictures is this rank's. Errors: throws RankLost
OutcomeEvent generateShare(std::string_view request, const RankPlace& place, SampleSession& session,
                           EventStream& events, const CancelToken& cancel) {
    const auto config = readRequest(request);
    if (!config) return failedOutcome(config.error());
    const SampleSpread spread = spreadSampling(*config, place.ranks);
    if (spread.processes != place.ranks)
        return failedOutcome({ErrorCode::Internal, "expected as many processes as have something to do", {}});
    auto numbers = shareNumbers(place, *config);
    if (!numbers) return notMetOutcome(numbers.error());
    SampleShare share{spread.teamOf(place.rank), spread.teams(), std::move(numbers).value()};
    if (!spread.halves) return generate(*config, share, session, events, cancel);
    const auto pair = meetPair(place, share.team);
    if (!pair) return notMetOutcome(pair.error());
    const GuidanceHalves halves(**pair);
    share.halves = &halves;
    return generate(*config, share, session, events, cancel);
}

OutcomeEvent generateAsRank(std::string_view request, const RankPlace& place, SampleSession& session,
                            EventStream& events, const CancelToken& cancel) {
    try {
        return generateShare(request, place, session, events, cancel);
    } catch (const RankLost& lost) {
        return notMetOutcome(lost.error());
    }
}

/// Lines of standard input, read by a thread of their own: `stop` and `elsewhere` must be heard while a
/// picture is made.
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
        PictureFolder folder = {};
    };

    /// Waits for the next request. Nothing after the last one before the end of the input or a signal to
    /// stop.
    /// @param cancel  of it
    std::optional<Request> next(CancelToken& cancel) {
        std::unique_lock lock(m_state->mutex);
        m_state->changed.wait(lock, [this] { return m_state->ended || !m_state->requests.empty(); });
        if (m_state->requests.empty()) return std::nullopt;
        Request request = std::move(m_state->requests.front());
        m_state->requests.pop_front();
        m_state->running = cancel;
        m_state->folder = request.folder;
        return request;
    }

private:
    struct State {
        std::mutex mutex;
        std::condition_variable changed;
        std::deque<Request> requests;
        std::optional<CancelToken> running;
        PictureFolder folder; ///< of the one that runs
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
            } else if (command && command->verb == ControlVerb::Elsewhere) {
                // Also of one that was read and has not begun.
                for (const Request& request : state.requests) request.folder.move(command->folder);
                state.folder.move(command->folder);
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
        return failedOutcome(
            badInput("expected {\"command\":\"generate\",\"request\":{...}}, "
                     "{\"command\":\"stop\"} or "
                     "{\"command\":\"elsewhere\",\"folder\":\"/...\"}, found something else"));
    return generate(request.text, request.folder, session, events, cancel);
}

} // namespace

int runSampling(const RankPlace& place, EventStream& events) {
    const std::string request{std::istreambuf_iterator<char>(std::cin), {}};
    const CancelToken cancel;
    stopOnSignals(cancel);
    MediaPictureSource pictures;
    MediaPictureWriter writer;
    SampleSession session(pictures, writer);
    const OutcomeEvent outcome = guarded([&] {
        return place.ranks > 1 ? generateAsRank(request, place, session, events, cancel)
                               : generate(request, {}, session, events, cancel);
    });
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
        releaseIdleMemory(at::kCPU); // the next request may be hours away
        events.emit(StateEvent{"ready", "", 0, 0});
    }
    return stop.requested() ? kExitCancelled : kExitDone;
}

} // namespace homebooth::core
