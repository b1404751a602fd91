// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/cli/power/sleep_watch.h"

#include <algorithm>
#include <utility>

namespace homebooth::core {
namespace {

/// Whoever closed the lid does not wait longer, whatever logind allows.
constexpr std::chrono::seconds kSavePatience(15);
/// A driver that has lost its memory says so with the next step.
constexpr std::chrono::minutes kLately(5);

constexpr std::string_view kSignal = "PrepareForSleep";

// Both subscribe like any program; monitoring a bus is for root alone, and dbus-monitor goes on without it.
constexpr const char* kGdbus[]{"gdbus",
                               "monitor",
                               "--system",
                               "--dest",
                               "org.freedesktop.login1",
                               "--object-path",
                               "/org/freedesktop/login1",
                               nullptr};
constexpr const char* kDbusMonitor[]{
    "dbus-monitor", "--system",
    "type='signal',interface='org.freedesktop.login1.Manager',member='PrepareForSleep'", nullptr};

} // namespace

std::vector<bool> takeSleepSignals(std::string& text) {
    std::vector<bool> signals;
    size_t at = text.find(kSignal);
    while (at != std::string::npos) {
        const size_t answer = std::min(text.find("true", at), text.find("false", at));
        if (answer == std::string::npos) break; // it has not come yet
        signals.push_back(text[answer] == 't');
        text.erase(0, answer);
        at = text.find(kSignal);
    }
    // What is no signal goes, but for what may be the beginning of one.
    text.erase(0, at != std::string::npos ? at : text.size() - std::min(text.size(), kSignal.size()));
    return signals;
}

SleepWatch::SleepWatch(std::function<bool()> save)
    : m_save(std::move(save))
    , m_signals({kGdbus, kDbusMonitor}, /*heard=*/true) {}

void SleepWatch::look() {
    const std::string news = m_signals.news();
    m_text += news;
    take(takeSleepSignals(m_text));
    // Where nobody hears of sleep a lock would let the machine wait for nothing.
    if (!news.empty() && !m_sleeps && !m_lock) m_lock.emplace(SleepInhibitor::Kind::Delay);
    if (m_saveBy && Clock::now() >= *m_saveBy) saved();
}

void SleepWatch::take(const std::vector<bool>& signals) {
    if (signals.empty()) return;
    m_slept = m_slept || std::find(signals.begin(), signals.end(), true) != signals.end();
    m_sleeps = signals.back();
    m_saveBy.reset();
    if (m_sleeps)
        m_saveBy = Clock::now() + (m_save() ? kSavePatience : Clock::duration::zero());
    else
        m_woke = Clock::now();
}

void SleepWatch::saved() {
    if (std::exchange(m_saveBy, std::nullopt)) m_lock.reset();
}

bool SleepWatch::takeSleep() {
    look(); // what the worker ended of may have been said just now
    return std::exchange(m_slept, false) && (m_sleeps || Clock::now() - m_woke < kLately);
}

} // namespace homebooth::core
