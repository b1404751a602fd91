// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Trainings in several processes, for tests of what comes of them. A test program that uses it has this test,
// which each of its ranks runs:
//
//   TEST(ARank, DISABLED_trains) { trainAsRank(); }
//   TEST(ARank, DISABLED_triesToTrain) { static_cast<void>(tryAsRank()); } // for trySpread
//
// What is put in the way of one rank alone stands in files of the job's folder (rankFile):
//   config   its own settings instead of config.json
//   broken   ends of names, one a line, of pictures that it cannot decode
//   stop     the end of a picture's name: as it is decoded, the rank is asked to stop
//   cache    the folder of its cache; else it has none
//   ram      the most that its steps are planned with in RAM beside the device, bytes
//   spoil    a file of weights that becomes unusable after its first step
//   block    a path where a file appears after its first step
//   refuses  a state: when it first tells of it, it is refused the next tensor
//   clock    anything: its clock has checkpoints written after each step
//   gives-up anything: as it waits for room on the disk, the rank is asked to stop
// A rank that waits for room leaves the text "waits".
#pragma once

#include "failing_once.h"
#include "rank_processes.h"
#include "training_support.h"

#include "core/base/config/train_config_json.h"
#include "core/base/formats/safetensors_reader.h"
#include "core/engine/io/tensor_files.h"
#include "core/engine/training/memory_report.h"

#include <ATen/Parallel.h>

#include <cmath>
#include <cstring>

namespace homebooth::core::testing {

constexpr int64_t kBatch = 6; // two and three ranks share it
constexpr int64_t kSteps = 20;
constexpr double kTolerance = 1e-5; ///< of what one process learns and several do, relative

/// A training that one and several processes can do. Adam's steps hang on nothing but signs where gradients
/// are rounding noise, so its epsilon is larger than that noise.
inline TrainConfig sharedTraining(const std::string& root) {
    TrainConfig config = tinyDreamBooth(root);
    config.batchSize = kBatch;
    config.steps = kSteps;
    config.optimizer.epsilon = 1e-4;
    config.output.checkpointEverySteps = kSteps;
    return config;
}

struct Spread {
    int ranks;
    int64_t zero;
};

/// Puts something into the folder of a job before its ranks start.
using Preparation = std::function<void(const std::string& folder)>;

inline Preparation nothing() {
    return [](const std::string&) {};
}

/// Writes for a rank what is put in its way.
inline Preparation obstacle(int rank, const char* kind, const std::string& text) {
    return [=](const std::string& folder) { std::ofstream(rankFile(folder, rank, kind)) << text; };
}

/// Settings of a rank alone, made from those of all.
inline Preparation
settingsOf(int rank, const TrainConfig& all, const Spread& spread,
           const std::function<void(TrainConfig& own, const std::string& folder)>& change) {
    return [=](const std::string& folder) {
        TrainConfig own = inFolder(all, folder);
        own.parallel = {spread.ranks, spread.zero};
        change(own, folder);
        obstacle(rank, "config", toJson(own))(folder);
    };
}

/// A job of so many ranks that is about to be started: its folder, with run and settings.
inline TrainConfig prepareSpread(TrainConfig config, const Spread& spread, const std::string& name,
                                 const Preparation& prepare) {
    const std::string folder = freshFolder(name);
    config.parallel = {spread.ranks, spread.zero};
    config = inFolder(config, folder);
    makeRun(config);
    std::ofstream(folder + "/config.json") << toJson(config);
    prepare(folder);
    return config;
}

inline std::string folderOf(const TrainConfig& config) {
    return fs::path(config.output.runDir).parent_path().string();
}

/// Trains in processes of their own, in a run of this name. Returns its configuration.
inline TrainConfig trainSpread(const TrainConfig& config, const Spread& spread, const std::string& name,
                               const Preparation& prepare = nothing()) {
    TrainConfig made = prepareSpread(config, spread, name, prepare);
    RankProcesses(spread.ranks, "ARank.DISABLED_trains", folderOf(made)).expectSuccessOfAll();
    return made;
}

inline TrainConfig trainAlone(const TrainConfig& config, const std::string& name) {
    const TrainConfig alone = inFolder(config, freshFolder(name));
    JobWorld world;
    EXPECT_EQ(runFresh(alone, world).result, "done");
    return alone;
}

/// What a rank has left of one kind.
inline std::string leftBy(const TrainConfig& config, int rank, const char* kind) {
    return fileText(rankFile(folderOf(config), rank, kind));
}

inline std::vector<std::string> linesBy(const TrainConfig& config, int rank, const char* kind) {
    std::vector<std::string> lines;
    std::istringstream text(leftBy(config, rank, kind));
    for (std::string line; std::getline(text, line);) lines.push_back(line);
    return lines;
}

inline std::vector<double> numbersBy(const TrainConfig& config, int rank, const char* kind) {
    std::vector<double> numbers;
    std::istringstream text(leftBy(config, rank, kind));
    for (double number = 0.0; text >> number;) numbers.push_back(number);
    return numbers;
}

inline int64_t numberOf(const TrainConfig& config, int rank, const char* kind) {
    return std::atoll(leftBy(config, rank, kind).c_str());
}

// Of a start, on a busy machine with few cores; who waits for a step does so for longer.
constexpr auto kEndsWithin = std::chrono::minutes(6);

/// Trains with something in the way. Returns the settings, when all ranks have ended, which is soon.
inline TrainConfig trySpread(const TrainConfig& config, const Spread& spread, const std::string& name,
                             const Preparation& prepare) {
    const TrainConfig made = prepareSpread(config, spread, name, prepare);
    const auto begin = std::chrono::steady_clock::now();
    RankProcesses(spread.ranks, "ARank.DISABLED_triesToTrain", folderOf(made)).expectSuccessOfAll();
    EXPECT_LT(std::chrono::steady_clock::now() - begin, kEndsWithin) << name;
    return made;
}

/// "7 what it says"
inline void expectOutcome(const TrainConfig& config, int rank, const std::string& code,
                          const std::string& words) {
    const std::string outcome = leftBy(config, rank, "outcome");
    EXPECT_TRUE(outcome.starts_with(code + " ")) << "rank " << rank << ": " << outcome;
    EXPECT_NE(outcome.find(words), std::string::npos) << "rank " << rank << ": " << outcome;
}

/// The difference of two files of tensors over what the second one holds, norm-wise.
inline double difference(const std::string& actual, const std::string& expected) {
    const auto found = SafetensorsReader::open(actual);
    const auto wanted = SafetensorsReader::open(expected);
    if (!found || !wanted) return 1.0;
    double squares = 0.0;
    double all = 0.0;
    for (const TensorInfo& info : (*wanted)->tensors()) {
        const at::Tensor value = readWholeTensor(**wanted, info.name)->to(at::kDouble);
        squares +=
            (readWholeTensor(**found, info.name)->to(at::kDouble) - value).square().sum().item<double>();
        all += value.square().sum().item<double>();
    }
    return std::sqrt(squares / all);
}

inline void expectNear(const std::vector<double>& found, const std::vector<double>& expected,
                       const char* what) {
    ASSERT_EQ(found.size(), expected.size()) << what;
    for (size_t i = 0; i < found.size(); ++i)
        EXPECT_NEAR(found[i] / expected[i], 1.0, kTolerance) << what << " " << i;
}

template <class E>
std::vector<double> lossesIn(const EventList& events) {
    std::vector<double> losses;
    for (const E& event : events.of<E>()) losses.push_back(event.loss);
    return losses;
}

inline void expectSameTensors(const TrainConfig& actual, const TrainConfig& expected, int64_t step) {
    int files = 0;
    for (const auto& entry : fs::directory_iterator(checkpointOf(expected, step))) {
        if (entry.path().extension() != ".safetensors") continue;
        ++files;
        const fs::path other = fs::path(checkpointOf(actual, step)) / entry.path().filename();
        EXPECT_TRUE(fileBytes(other) == fileBytes(entry.path())) << other << " differs";
    }
    EXPECT_GE(files, 2);
}

/// Notes what was sent up to the end of each step, and does something after the first one, and with each
/// state that is told.
class RankEvents : public EventList {
public:
    void emit(const Event& event) override {
        EventList::emit(event);
        const auto* state = std::get_if<StateEvent>(&event);
        if (state != nullptr && whenTold) whenTold(state->state);
        if (!std::holds_alternative<StepEvent>(event)) return;
        sent.push_back(ranks->collective().traffic().sentBytes);
        if (sent.size() == 1 && afterFirstStep) afterFirstStep();
    }
    const Ranks* ranks = nullptr;
    std::vector<int64_t> sent;
    std::function<void()> afterFirstStep;
    std::function<void(const std::string& state)> whenTold;
};

/// Overwrites what a file of tensors holds behind its header with what is no number.
inline void spoil(const std::string& path) {
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    uint64_t headerBytes = 0;
    file.read(reinterpret_cast<char*>(&headerBytes), sizeof headerBytes);
    const uint64_t begin = sizeof headerBytes + headerBytes;
    file.seekp(static_cast<std::streamoff>(begin));
    file << std::string(static_cast<size_t>(fs::file_size(path) - begin), '\xff');
}

/// Lets a source fail on pictures. @param ends  of their names, one a line
inline void breakPictures(MeddlingSource& pictures, const std::string& ends) {
    std::vector<std::string> broken;
    std::istringstream lines(ends);
    for (std::string line; std::getline(lines, line);) broken.push_back(line);
    pictures.before = [broken](const std::string& path) {
        return std::none_of(broken.begin(), broken.end(),
                            [&](const std::string& end) { return path.ends_with(end); });
    };
}

/// What was put in the way of this rank.
class Obstacles {
public:
    explicit Obstacles(const OwnPlace& place)
        : m_place(place) {}

    [[nodiscard]] TrainConfig config() const {
        const std::string own = text("config");
        TrainConfig config;
        if (!readJson(own.empty() ? fileText(m_place.folder + "/config.json") : own, config))
            throw std::runtime_error("the rank has no settings");
        return config;
    }

    void meddle(MeddlingSource& pictures, TrainControl& control) const {
        breakPictures(pictures, text("broken"));
        const std::string stop = text("stop");
        if (stop.empty()) return;
        pictures.before = [decodes = pictures.before, stop, &control](const std::string& path) {
            if (path.ends_with(stop)) control.stop.request();
            return decodes(path);
        };
    }

    /// The state with which a tensor is refused; empty: none.
    [[nodiscard]] std::string refuses() const { return text("refuses"); }
    [[nodiscard]] std::string cache() const { return text("cache"); }
    [[nodiscard]] int64_t ramBytes() const { return std::atoll(text("ram").c_str()); }
    [[nodiscard]] bool runsOutOfTime() const { return !text("clock").empty(); }
    [[nodiscard]] bool givesUp() const { return !text("gives-up").empty(); }

    void afterFirstStep() const {
        if (const std::string path = text("spoil"); !path.empty()) spoil(path);
        if (const std::string drive = text("unplug"); !drive.empty()) fs::rename(drive, drive + " unplugged");
        const std::string blocked = text("block");
        if (blocked.empty()) return;
        fs::remove_all(blocked);
        std::ofstream(blocked) << "in the way";
    }

private:
    [[nodiscard]] std::string text(const char* kind) const {
        return fileText(rankFile(m_place.folder, m_place.meeting.rank, kind));
    }
    const OwnPlace& m_place;
};

/// Leaves one number of each event for the test.
template <class E, class Number>
void leaveNumbers(const OwnPlace& place, const EventList& events, const char* kind, const Number& number) {
    std::ostringstream text;
    text.precision(17);
    for (const E& event : events.of<E>()) text << number(event) << "\n";
    place.leave(kind, text.str());
}

/// Of each plan a line: the link's rate, what is sent and what is waited.
inline void leaveExchange(const OwnPlace& place, const EventList& events) {
    std::ostringstream text;
    text.precision(17);
    for (const PlanEvent& plan : events.of<PlanEvent>())
        for (const PlanDecision& one : plan.decisions)
            if (one.code == "step-exchange")
                text << one.facts.at("linkBytesPerSecond") << " " << one.facts.at("sentBytes") << " "
                     << one.facts.at("waitedSeconds") << "\n";
    place.leave("exchange", text.str());
}

inline void leaveEvents(const OwnPlace& place, const RankEvents& events) {
    leaveNumbers<StepEvent>(place, events, "losses", [](const StepEvent& step) { return step.loss; });
    leaveNumbers<StepEvent>(place, events, "scales",
                            [](const StepEvent& step) { return step.lossScale.value_or(0.0); });
    leaveNumbers<StepEvent>(place, events, "encoding",
                            [](const StepEvent& step) { return step.encodeSeconds > 0.0 ? 1 : 0; });
    leaveNumbers<ValidationEvent>(place, events, "validations",
                                  [](const ValidationEvent& one) { return one.loss; });
    leaveNumbers<CheckpointEvent>(place, events, "saved",
                                  [](const CheckpointEvent& one) { return one.step; });
    leaveExchange(place, events);
    std::string captions; // the place of each that was told as it was encoded
    for (const StateEvent& state : events.of<StateEvent>())
        if (state.detail == "texts") captions += std::to_string(state.done) + "\n";
    place.leave("captions", captions);
    std::string warnings;
    for (const WarningEvent& warning : events.of<WarningEvent>()) warnings += warning.message + "\n";
    place.leave("warnings", warnings);
    if (const std::vector<MemoryEvent> memory = events.of<MemoryEvent>(); !memory.empty()) {
        place.leave("states", std::to_string(memory.back().ram.stateBytes));
        place.leave("gradients", std::to_string(memory.back().ram.gradientBytes));
        place.leave("parameters", std::to_string(memory.back().ram.parameterBytes));
        place.leave("held", std::to_string(memory.back().ram.cacheBytes));
        place.leave("taken", std::to_string(rankMemoryOf(memory.back()).ramBytes));
        std::string each;
        for (const RankMemory& one : memory.back().ranks) each += std::to_string(one.ramBytes) + "\n";
        place.leave("each", each);
    }
    if (events.sent.size() > 1) // of the second step: nothing is saved between the two
        place.leave("sent", std::to_string(events.sent[1] - events.sent[0]));
}

/// Trains as the rank that this process is. Returns how that ended.
inline OutcomeEvent tryAsRank() {
    const OwnPlace place = ownPlace();
    const Obstacles obstacles(place);
    const TrainConfig config = obstacles.config();
    RankPlace own;
    own.rank = place.meeting.rank;
    own.ranks = place.meeting.ranks;
    own.meetingFile = place.folder + "/meeting";
    const auto ranks = Ranks::meet(own);
    if (!ranks) throw std::runtime_error(ranks.error().text());
    (*ranks)->measureLink(at::kCPU, at::kFloat);
    RankEvents events;
    events.ranks = ranks->get();
    events.afterFirstStep = [&] { obstacles.afterFirstStep(); };
    MeddlingSource pictures;
    JobWorld rest;
    events.whenTold = [&, refuses = obstacles.refuses()](const std::string& state) mutable {
        if (state == refuses) {
            FailingAllocator::installed().any.arm(1);
            refuses.clear();
        }
        if (state != kWaitsForRoom) return;
        place.leave("waits", "for room");
        if (obstacles.givesUp()) rest.control.stop.request();
    };
    obstacles.meddle(pictures, rest.control);
    rest.options.ranks = ranks->get();
    rest.options.cacheDir = obstacles.cache();
    rest.options.ramTierBytes = obstacles.ramBytes();
    if (obstacles.runsOutOfTime()) rest.options.saveEverySeconds = 0.0;
    const OutcomeEvent outcome = runTrainJob(config, *RunFolder::open(config.output.runDir), events,
                                             rest.control, pictures, rest.writer, rest.options);
    place.leave("outcome", std::to_string(outcome.code) + " " + outcome.message);
    place.leave("threads", std::to_string(at::get_num_threads()));
    place.leave("written", std::to_string(rest.writer.written));
    place.leave("decoded", std::to_string(pictures.loaded()));
    leaveEvents(place, events);
    return outcome;
}

/// The same where the training has to come to its end.
inline void trainAsRank() {
    const OutcomeEvent outcome = tryAsRank();
    EXPECT_EQ(outcome.result, "done") << outcome.message;
}

} // namespace homebooth::core::testing
