// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/plans/plan_time.h"

#include "app/engine/figures.h"
#include "app/engine/runs/training_recipe.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>

#include <algorithm>
#include <cmath>

namespace homebooth::app {
namespace {

class Words {
    Q_DECLARE_TR_FUNCTIONS(homebooth::app::PlanTime)
};

constexpr double kExampleSteps = 25.0; // of sampling, as the engine makes them
constexpr double kPreviewSteps = 25.0;
/// A step of sampling goes forward twice, with and without the prompt; one of training forward once, and back
/// for twice as much.
constexpr double kSamplingPart = 2.0 / 3.0;
constexpr double kDecodeSteps = 4.0;        // what turning latents into a picture takes, in such steps
constexpr double kUsualDiskSpeed = 250.0e6; // bytes a second, written and synced

constexpr double kMeasured = 0.08; // what a past run tells, either way
constexpr double kPlanned = 0.25;  // what the engine predicts of a step
constexpr double kGuessed = 0.6;   // what follows from a step's time alone

TimeSpan around(double seconds, double part) {
    return {seconds / (1.0 + part), seconds, seconds * (1.0 + part)};
}

/// @param one  seconds of one as a past run took it; 0: nobody knows
TimeSpan several(int64_t count, double one, double guessed) {
    return around(double(count) * (one > 0.0 ? one : guessed), one > 0.0 ? kMeasured : kGuessed);
}

/// A step of sampling of one picture, by one of training, which has all its micro-steps.
double samplingSeconds(const core::TrainConfig& config, double step) {
    const bool examples = config.mode == core::TrainMode::DreamBooth && !config.data.classPrompt.empty();
    // Both parts of a prior-preserving batch go through the model in a step.
    const auto pictures = double(std::max<int64_t>(1, config.batchSize * config.optimizer.accumulationSteps));
    return kSamplingPart * step / (pictures * (examples ? 2.0 : 1.0));
}

double secondsOf(const RunData& run, const char* state) {
    const auto found = run.phaseSeconds.find(state);
    return found == run.phaseSeconds.end() ? 0.0 : found->second;
}

bool makesExamples(const RunData& run) {
    return run.state.state == "class-images";
}

/// Of one picture of the class, by a step's time.
double exampleSeconds(const core::TrainConfig& config, double step) {
    return (kExampleSteps + kDecodeSteps) * samplingSeconds(config, step);
}

/// What a step takes as it was planned. On the processor pictures were planned by the same measurement,
/// and where they took another time, so will steps; a GPU fetches more for a step than for a picture.
double plannedStep(const RunData& run, double example) {
    if (!run.plan) return 0.0;
    const core::ResourceUse& use = run.plan->predicted;
    const double planned = exampleSeconds(run.config, use.stepSeconds);
    const bool computesAlike = use.deviceBytes == 0 && use.swapBytes == 0;
    return computesAlike && example > 0.0 && planned > 0.0 ? use.stepSeconds * example / planned
                                                           : use.stepSeconds;
}

/// Those that are made now take this long at least, each: none of them is there yet.
double leastExampleSeconds(const RunData& run) {
    constexpr int64_t kAtOnce = 4; // as the engine makes them, in each process
    const int64_t all = kAtOnce * std::max<int64_t>(1, run.config.parallel.processes);
    return run.sinceExampleSeconds / double(std::clamp<int64_t>(run.state.total - run.state.done, 1, all));
}

/// As far as a run that works has shown it; while it makes pictures before its first step, as it was planned.
Pace paceUpToNow(const RunData& run) {
    Pace pace = paceOf(run, {});
    if (makesExamples(run)) {
        if (pace.step <= 0.0) pace.step = plannedStep(run, pace.example);
        if (pace.example <= 0.0) pace.example = exampleSeconds(run.config, pace.step);
        if (const double least = leastExampleSeconds(run); least > pace.example) {
            pace.example = least;
            if (run.secondsPerStep() <= 0.0) pace.step = plannedStep(run, least);
        }
    }
    if (pace.preview <= 0.0) pace.preview = pace.example; // they are made alike
    return pace;
}

double secondsOfExamplesLeft(const RunData& run, double one) {
    if (!makesExamples(run)) return 0.0;
    const auto left = double(std::max<int64_t>(0, run.state.total - run.state.done));
    return std::max(0.0, one * left - run.sinceExampleSeconds);
}

} // namespace

QString Pace::toText() const {
    QStringList figures;
    for (const double one : {step, example, preview, save, start})
        figures.append(QString::number(one, 'g', 6));
    return figures.join(';');
}

Pace Pace::ofText(const QString& text) {
    const QStringList figures = text.split(';');
    Pace pace;
    qsizetype place = 0;
    for (double* one : {&pace.step, &pace.example, &pace.preview, &pace.save, &pace.start}) {
        const double value = figures.value(place++).toDouble();
        if (std::isfinite(value) && value > 0.0) *one = value;
    }
    return pace;
}

Pace paceOf(const RunData& run, Pace before) {
    Pace pace = before;
    const auto each = [&run](const char* state, size_t count, double& one) {
        const double seconds = secondsOf(run, state);
        if (count > 0 && seconds > 0.0) one = seconds / double(count);
    };
    if (const double step = run.secondsPerStep(); step > 0.0) pace.step = step;
    if (run.examplesMade > 0) pace.example = run.exampleSeconds / double(run.examplesMade);
    each("sampling", run.previews.size(), pace.preview);
    each("saving", run.checkpoints.size(), pace.save);
    double start = 0.0;
    for (const char* state : {"loading", "reading", "caching"}) start += secondsOf(run, state);
    if (start > 0.0) pace.start = start;
    return pace;
}

TimeSpan& TimeSpan::operator+=(const TimeSpan& other) {
    least += other.least;
    likely += other.likely;
    most += other.most;
    return *this;
}

double slowdownBy(double processorLoad, qint64 sinceOwnMs) {
    constexpr double kHardly = 0.5;          // of each processor
    constexpr qint64 kOwnIsGoneMs = 120'000; // the load of a minute dies away over two
    constexpr double kMostOwn = 2.0;         // of each processor: a training, and pictures beside it
    const bool maybeOwn = sinceOwnMs >= 0 && sinceOwnMs < kOwnIsGoneMs;
    const double others = processorLoad - (maybeOwn ? kMostOwn : 0.0);
    return others < kHardly ? 1.0 : 1.0 + others;
}

bool sharesProcessor(const PlanFacts& facts, double slowdown) {
    return slowdown > 1.0 && facts.plan.predicted.deviceBytes == 0;
}

PlanTime planTimeOf(const PlanFacts& facts, const core::TrainConfig& config, const Pace& pace,
                    int64_t examplesThere, double slowdown) {
    PlanTime time;
    const double step = pace.step > 0.0 ? pace.step : facts.plan.predicted.stepSeconds;
    time.known = step > 0.0;
    if (!time.known) return time;
    const core::OutputConfig& output = config.output;
    const auto times = [&config](int64_t every) { return every > 0 ? config.steps / every : 0; };
    const bool examples = config.mode == core::TrainMode::DreamBooth && !config.data.classPrompt.empty();
    const int64_t missing = std::max<int64_t>(0, config.data.classImageCount - examplesThere);
    time.exampleCount = examples ? missing : 0;
    time.previewCount = timesIn(config.steps, output.previewEverySteps) * output.previewCount;
    time.saveCount = std::max<int64_t>(1, times(output.checkpointEverySteps));
    const double sampling = samplingSeconds(config, step);
    const TimeSpan steps = around(step * double(config.steps), pace.step > 0.0 ? kMeasured : kPlanned);
    const TimeSpan made = several(time.exampleCount, pace.example, exampleSeconds(config, step));
    const TimeSpan seen = several(time.previewCount, pace.preview, (kPreviewSteps + kDecodeSteps) * sampling);
    const TimeSpan saved =
        several(time.saveCount, pace.save, double(facts.checkpointBytes) / kUsualDiskSpeed);
    for (const TimeSpan& part : {steps, made, seen, saved, around(pace.start, kMeasured)}) time.whole += part;
    if (sharesProcessor(facts, slowdown)) time.whole.most *= slowdown;
    time.steps = steps.likely;
    time.examples = made.likely;
    time.previews = seen.likely;
    time.saves = saved.likely;
    return time;
}

std::optional<double> secondsLeftOf(const RunData& run) {
    const int64_t last = run.config.steps;
    const Pace pace = paceUpToNow(run);
    if (pace.step <= 0.0 || last <= 0) return std::nullopt;
    const int64_t done = std::min(run.step(), last);
    const core::OutputConfig& output = run.config.output;
    const auto times = [done, last](int64_t every) { return every > 0 ? last / every - done / every : 0; };
    const bool saveAtTheEnd = output.checkpointEverySteps <= 0 || last % output.checkpointEverySteps != 0;
    const int64_t saves = times(output.checkpointEverySteps) + (saveAtTheEnd && done < last ? 1 : 0);
    const int64_t every = output.previewEverySteps;
    const int64_t looks = every > 0 && done < last ? timesIn(last, every) - done / every : 0;
    const int64_t previews = looks * output.previewCount;
    return secondsOfExamplesLeft(run, pace.example) + pace.step * double(last - done) +
           pace.preview * double(previews) + pace.save * double(saves);
}

QString spanText(const TimeSpan& span) {
    constexpr double kMinute = 60.0;
    constexpr double kHour = 3600.0;
    const auto minutes = [](double seconds) { return static_cast<int64_t>(std::lround(seconds / kMinute)); };
    const bool inMinutes = span.least >= kMinute && span.most < kHour - kMinute;
    const QString likely = durationText(span.likely);
    QString least = durationText(span.least);
    QString most = durationText(span.most);
    if (least == most) return likely;
    if (inMinutes) {
        least = QLocale().toString(qlonglong(minutes(span.least)));
        most = QLocale().toString(qlonglong(minutes(span.most)));
    }
    return Words::tr("%1 (%2 to %3)").arg(likely, least, most);
}

QString partsText(const PlanTime& time, int64_t steps) {
    constexpr double kLeastNamed = 1.0;
    QStringList lines;
    const auto add = [&lines](double seconds, const QString& words) {
        if (seconds >= kLeastNamed) lines.append(words.arg(durationText(seconds)));
    };
    add(time.steps, Words::tr("%n step(s): %1", nullptr, int(steps)));
    add(time.examples, Words::tr("%n example picture(s): %1", nullptr, int(time.exampleCount)));
    add(time.previews, Words::tr("%n preview(s): %1", nullptr, int(time.previewCount)));
    add(time.saves, Words::tr("saving, %n time(s): %1", nullptr, int(time.saveCount)));
    return lines.join('\n');
}

} // namespace homebooth::app
