// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Measures the pauses between two turns of the event loop while it lives: how long each was, what its thread
// computed in it, and how long it waited for a processor that others had. What is left of a pause without
// that wait, and without that of another thread, which may have held a lock meanwhile, was held by the window
// itself: it computed, or stood before a lock or a disk. However busy the machine is, by these two alone a
// test fails; the rest is told. GUI thread.
#pragma once

#include <QElapsedTimer>
#include <QString>
#include <QTimer>

#include <cstdlib>
#include <ctime>
#include <fcntl.h>
#include <filesystem>
#include <map>
#include <string>
#include <system_error>
#include <unistd.h>
#include <utility>

using namespace Qt::StringLiterals;

namespace homebooth::app {

class LoopWatch {
public:
    static constexpr qint64 kLongMs = 100; ///< a pause that people notice

    struct Pause {
        qint64 wallUs = 0; ///< the timer's own interval is part of it
        qint64 computedUs = 0;
        qint64 waitedUs = 0; ///< ready, but others had the processor
        qint64 otherUs = 0;  ///< the same of that other thread of the program which waited longest
        /// Computed, or asleep before a lock, a disk or the next event.
        [[nodiscard]] qint64 heldUs() const { return qMax(computedUs, wallUs - waitedUs - otherUs); }
    };

    LoopWatch()
        : m_schedule(::open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC))
        , m_tellsWaits(scheduled(kSlices) > 0) {
        m_timer.setInterval(5);
        QObject::connect(&m_timer, &QTimer::timeout, &m_timer, [this] { take(); });
        m_since.start();
        m_computed = computedUs();
        m_waited = waitedUs();
        if (m_tellsWaits) (void)longestOfOthersUs();
        m_timer.start();
    }
    ~LoopWatch() {
        if (m_schedule >= 0) ::close(m_schedule);
    }
    LoopWatch(const LoopWatch&) = delete;
    LoopWatch& operator=(const LoopWatch&) = delete;
    /// By this thread so far, in microseconds.
    [[nodiscard]] static qint64 computedUs() {
        timespec now{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
        return qint64(now.tv_sec) * 1'000'000 + now.tv_nsec / 1000;
    }
    /// Milliseconds, the timer's own interval among them.
    [[nodiscard]] qint64 worstMs() const { return m_worst.wallUs / 1000; }
    /// Milliseconds of the thread's own computing, reading of files that are in memory among them.
    [[nodiscard]] qint64 worstComputedMs() const { return m_worstComputed / 1000; }
    /// Milliseconds of a pause but for the wait for a processor: what the window computed, and what it waited
    /// for locks and disks. Where the system does not tell these waits, what it computed.
    [[nodiscard]] qint64 worstHeldMs() const { return m_worstHeld / 1000; }
    /// Whether the system tells how long the thread waited for a processor.
    [[nodiscard]] bool tellsWaits() const { return m_tellsWaits; }
    /// So many pauses were longer than kLongMs.
    [[nodiscard]] int longPauses() const { return m_longPauses; }
    /// All of that as one sentence, for the log of a test.
    [[nodiscard]] QString report() const {
        return u"longest pause of the event loop %1 ms (%2 computed, %3 waiting for a processor), "
               "%4 of %5 longer than %6 ms; most computed in one: %7 ms, most held: %8 ms"_s.arg(worstMs())
                   .arg(double(m_worst.computedUs) / 1000.0, 0, 'f', 1)
                   .arg(double(m_worst.waitedUs) / 1000.0, 0, 'f', 1)
                   .arg(m_longPauses)
                   .arg(m_turns)
                   .arg(kLongMs)
                   .arg(double(m_worstComputed) / 1000.0, 0, 'f', 1)
                   .arg(double(m_worstHeld) / 1000.0, 0, 'f', 1);
    }

private:
    /// Numbers of schedstat: nanoseconds but for the last, which a system that counts nothing leaves at 0.
    enum Number { kRan, kWaited, kSlices };

    [[nodiscard]] qint64 scheduled(Number number) const { return scheduled(m_schedule, number); }
    [[nodiscard]] static qint64 scheduled(int file, Number number) {
        char text[128] = {};
        if (file < 0 || ::pread(file, text, sizeof text - 1, 0) <= 0) return 0;
        char* next = text;
        for (int before = kRan; before < number; ++before) (void)std::strtoll(next, &next, 10);
        return std::strtoll(next, nullptr, 10);
    }
    [[nodiscard]] qint64 waitedUs() const { return scheduled(kWaited) / 1000; }
    /// How long that other thread waited for a processor, since the last call, which waited longest.
    [[nodiscard]] qint64 longestOfOthersUs() {
        std::map<std::string, qint64> waits;
        qint64 longest = 0;
        const std::string own = std::to_string(::gettid());
        std::error_code gone; // a thread may end meanwhile
        for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task", gone)) {
            const std::string name = thread.path().filename();
            if (name == own) continue;
            const int file = ::open((thread.path() / "schedstat").c_str(), O_RDONLY | O_CLOEXEC);
            const qint64 waited = scheduled(file, kWaited) / 1000;
            if (file >= 0) ::close(file);
            const auto before = m_others.find(name);
            longest = qMax(longest, waited - (before == m_others.end() ? 0 : before->second));
            waits.emplace(name, waited);
        }
        m_others = std::move(waits);
        m_looked.start();
        return longest;
    }
    void take() {
        const qint64 computed = computedUs();
        const qint64 waited = waitedUs();
        Pause pause{m_since.nsecsElapsed() / 1000, computed - m_computed, waited - m_waited};
        if (m_tellsWaits && m_looked.elapsed() >= kLookMs) pause.otherUs = longestOfOthersUs();
        m_since.start();
        m_computed = computed;
        m_waited = waited;
        ++m_turns;
        if (pause.wallUs > kLongMs * 1000) ++m_longPauses;
        if (pause.wallUs > m_worst.wallUs) m_worst = pause;
        m_worstComputed = qMax(m_worstComputed, pause.computedUs);
        m_worstHeld = qMax(m_worstHeld, m_tellsWaits ? pause.heldUs() : pause.computedUs);
    }

    static constexpr qint64 kLookMs = kLongMs / 2; ///< between two looks at the other threads: they are many

    int m_schedule = -1;
    bool m_tellsWaits = false;
    QTimer m_timer;
    QElapsedTimer m_since;
    QElapsedTimer m_looked;                 // at the other threads
    std::map<std::string, qint64> m_others; // by thread: how long it had waited by then, in microseconds
    Pause m_worst;
    qint64 m_computed = 0; // so far, in microseconds
    qint64 m_waited = 0;
    qint64 m_worstComputed = 0;
    qint64 m_worstHeld = 0;
    int m_longPauses = 0;
    int m_turns = 0;
};

} // namespace homebooth::app
