// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/run/journal/progress.h"

#include "core/base/config/byte_size.h"
#include "core/base/run/failure_cause.h"
#include "core/base/run/learned_texts.h"
#include "core/base/run/run_place.h"
#include "core/base/util/terminal_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <sys/ioctl.h>
#include <unistd.h>
#include <utility>

namespace homebooth::core {
namespace {

constexpr double kRedrawSeconds = 0.1;
constexpr double kLineSeconds = 10.0;
constexpr double kSameLineSeconds = 60.0; // of a phase that has come no further
constexpr size_t kBarWidth = 24;

template <class... Values>
std::string formatted(const char* format, Values... values) {
    std::array<char, 256> text{};
    std::snprintf(text.data(), text.size(), format, values...);
    return text.data();
}

double secondsOf(Progress::Clock::duration time) {
    return std::chrono::duration<double>(time).count();
}

size_t terminalWidth() {
    constexpr size_t kUsual = 80;
    winsize size{};
    return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : kUsual;
}

std::string rateText(double secondsPerUnit) {
    if (secondsPerUnit <= 0.0) return {};
    return secondsPerUnit >= 1.0 ? formatted("%.2f s each", secondsPerUnit)
                                 : formatted("%.2f per s", 1.0 / secondsPerUnit);
}

/// What a run waits for that cannot save, and how it goes on.
struct WaitWords {
    std::string lack;
    std::string cure;
};
WaitWords waitWordsOf(const StateEvent& state) {
    const std::string needed = state.total > 0 ? byteSizeText(state.total) + " are needed, " : std::string();
    const std::string free = byteSizeText(state.done);
    if (isOfRunPlace(state.detail)) return {"the run's folder", "it goes on by itself when that is back"};
    switch (lackOf(state.detail)) {
    case FailureCause::DriveMissing:
        return {"the drive of the checkpoints", "it goes on by itself when they are there"};
    case FailureCause::FileTooLarge:
        return {"a folder on another drive", "give it one in the window (Other folder)"};
    default:
        return {"room on the disk, " + free + " free",
                needed + free + " are free; it goes on by itself when there is room"};
    }
}

} // namespace

std::string durationText(double seconds) {
    if (!std::isfinite(seconds) || seconds < 0.0) return "?";
    const auto whole = static_cast<long long>(seconds + 0.5);
    if (whole >= 3600) return formatted("%lld h %02lld min", whole / 3600, whole / 60 % 60);
    if (whole >= 60) return formatted("%lld min %02lld s", whole / 60, whole % 60);
    return formatted("%lld s", whole);
}

std::string barText(int64_t done, int64_t total, size_t width) {
    const double part =
        total > 0 ? std::clamp(static_cast<double>(done) / static_cast<double>(total), 0.0, 1.0) : 0;
    const auto filled = static_cast<size_t>(part * static_cast<double>(width));
    return "[" + std::string(filled, '#') + std::string(width - filled, '.') + "]";
}

Progress::Progress(bool terminal, int64_t totalSteps)
    : m_terminal(terminal)
    , m_totalSteps(totalSteps) {}

Progress::~Progress() {
    finish();
}

void Progress::show(const Event& event) {
    if (const auto* state = std::get_if<StateEvent>(&event)) {
        keepPace(state->state);
        if (state->state == kWaitsForRoom)
            showWaiting(*state);
        else
            showPhase(*state);
    } else if (const auto* step = std::get_if<StepEvent>(&event)) {
        showStep(*step);
    } else if (const auto* plan = std::get_if<PlanEvent>(&event)) {
        showPlan(*plan);
    } else if (const auto* held = std::get_if<ValidationEvent>(&event)) {
        note(formatted("step %lld: held-out loss %.4f", static_cast<long long>(held->step), held->loss));
    } else if (const auto* warning = std::get_if<WarningEvent>(&event)) {
        note("warning: " + warning->message);
    } else if (const auto* checkpoint = std::get_if<CheckpointEvent>(&event)) {
        note("checkpoint of step " + std::to_string(checkpoint->step) + " saved");
    } else if (const auto* resumed = std::get_if<ResumedEvent>(&event)) {
        note("resumed after step " + std::to_string(resumed->fromStep));
    }
}

void Progress::note(const std::string& text) {
    finish();
    std::fprintf(m_terminal ? stderr : stdout, "%s\n", terminalLine(text).c_str());
    std::fflush(stdout);
}

void Progress::finish() {
    if (m_drawn == 0) return;
    std::fputc('\n', stderr);
    m_drawn = 0;
}

bool Progress::dueNow(bool always) {
    const Clock::time_point now = Clock::now();
    const double since = secondsOf(now - m_lastShown);
    if (!always && since < (m_terminal ? kRedrawSeconds : kLineSeconds)) return false;
    m_lastShown = now;
    return true;
}

/// While a run is paused, or waits for room, nobody expects steps.
void Progress::keepPace(const std::string& state) {
    const bool rests = state == "paused" || state == kWaitsForRoom;
    if (rests && !m_restsSince) m_restsSince = Clock::now();
    if (rests || !m_restsSince) return;
    if (m_stepPace) m_stepPace->start += Clock::now() - *m_restsSince;
    m_restsSince.reset();
}

double Progress::Pace::secondsPerUnit(int64_t done, Clock::time_point at) const {
    const int64_t units = done - firstDone;
    return units > 0 ? secondsOf(at - start) / static_cast<double>(units) : 0.0;
}

/// Within a unit that takes long the pace stays; in the first one it is not known yet.
std::string Progress::paceText(const StateEvent& state) const {
    const Clock::time_point now = Clock::now();
    const double each = m_phasePace.secondsPerUnit(state.done, m_phaseDoneAt);
    const double lasted = secondsOf(now - m_phasePace.start);
    if (each <= 0.0 && lasted >= kLineSeconds) return ", for " + durationText(lasted);
    if (each <= 0.0 || state.done >= state.total) return {};
    const double left = each * static_cast<double>(state.total - state.done) - secondsOf(now - m_phaseDoneAt);
    return ", " + rateText(each) + ", " + durationText(std::max(left, 0.0)) + " left";
}

void Progress::showPhase(const StateEvent& state) {
    const bool changed = state.state != m_phase;
    if (changed) {
        m_phase = state.state;
        m_phasePace = {state.done, Clock::now()};
        m_phaseEnded = false;
    }
    const bool further = changed || state.done != m_phaseDone || state.detail != m_phaseDetail;
    if (further) m_phaseDoneAt = Clock::now();
    m_phaseDone = state.done;
    m_phaseDetail = state.detail;
    const bool atEnd = state.total > 0 && state.done == state.total;
    const bool endedNow = atEnd && !m_phaseEnded;
    m_phaseEnded = atEnd;
    if (atEnd && !endedNow) return;                   // said already
    if (m_stepPace && changed && !m_terminal) return; // between steps: their lines say enough
    if (!further && !m_terminal && secondsOf(Clock::now() - m_lastShown) < kSameLineSeconds) return;
    if (!dueNow(changed || endedNow)) return;
    std::string text = state.detail.empty() ? state.state : state.state + ": " + state.detail;
    if (state.total > 0) {
        if (m_terminal) text = barText(state.done, state.total, kBarWidth) + " " + text;
        text += formatted(", %lld of %lld", static_cast<long long>(state.done),
                          static_cast<long long>(state.total));
        text += paceText(state);
    }
    draw(text);
}

/// Says once what is lacking: tries that fail again tell nothing new.
void Progress::showWaiting(const StateEvent& state) {
    m_phase = state.state;
    const WaitWords words = waitWordsOf(state);
    if (!std::exchange(m_saidWaiting, true)) note(state.detail + "; waiting: " + words.cure);
    if (m_terminal) draw("waiting for " + words.lack);
}

/// Once what texts there are: later plans repeat it.
void Progress::showPlan(const PlanEvent& plan) {
    for (const PlanDecision& one : plan.decisions)
        if (one.code == kTextsLearned && !std::exchange(m_saidTexts, true)) note(one.text);
}

void Progress::showStep(const StepEvent& step) {
    m_phase = "steps";
    m_saidWaiting = false;
    const bool first = !m_stepPace;
    if (first)
        m_stepPace = Pace{step.step - 1, Clock::now() - std::chrono::duration_cast<Clock::duration>(
                                                            std::chrono::duration<double>(step.seconds))};
    m_stepSeconds += step.seconds;
    m_dataSeconds += step.dataSeconds;
    ++m_steps;
    if (!dueNow(first || step.step == m_totalSteps)) return;
    const double each = m_stepPace->secondsPerUnit(step.step);
    std::string text = m_terminal ? barText(step.step, m_totalSteps, kBarWidth) + " " : std::string();
    text += formatted("step %lld of %lld, loss %.4f", static_cast<long long>(step.step),
                      static_cast<long long>(m_totalSteps), step.loss);
    if (each > 0.0) text += ", " + rateText(each);
    constexpr double kWorthTelling = 1e-3; // of the steps' time
    if (m_dataSeconds > kWorthTelling * m_stepSeconds)
        text += formatted(", %.0f ms a step (%.1f %%) waited for data",
                          1e3 * m_dataSeconds / static_cast<double>(m_steps),
                          1e2 * m_dataSeconds / m_stepSeconds);
    if (step.step < m_totalSteps)
        text += ", " + durationText(each * static_cast<double>(m_totalSteps - step.step)) + " left";
    draw(text);
}

void Progress::draw(const std::string& text) {
    const std::string line = terminalLine(text);
    if (!m_terminal) {
        std::printf("%s\n", line.c_str());
        std::fflush(stdout);
        return;
    }
    const std::string shown = line.substr(0, terminalWidth() - 1);
    std::fprintf(stderr, "\r%s%s", shown.c_str(),
                 std::string(m_drawn > shown.size() ? m_drawn - shown.size() : 0, ' ').c_str());
    m_drawn = shown.size();
}

} // namespace homebooth::core
