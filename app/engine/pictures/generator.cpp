// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/pictures/generator.h"

#include "app/engine/bound_process.h"
#include "app/engine/engine_words.h"
#include "core/base/system/slept_time.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace homebooth::app {
namespace {

constexpr int kIdleMs = 10 * 60 * 1000; // then the memory goes back
constexpr int kEndMs = 2000;
constexpr std::chrono::seconds kObeyTime(20); // the engine listens between two blocks of a step

/// What a picture's time grows with: pixels and steps.
double workOf(const core::SampleConfig& config) {
    const auto side = [](int64_t pixels) { return double(pixels > 0 ? pixels : 512); };
    return double(config.steps) * side(config.widthPixels) * side(config.heightPixels);
}

} // namespace

Generator::Generator(QObject* parent)
    : QObject(parent)
    , m_engineId(std::make_shared<std::atomic<qint64>>(0))
    , m_slept(core::sleptMs) {
    endWithThisProgram(m_engine);
    m_idle.setSingleShot(true);
    m_idle.setInterval(kIdleMs);
    connect(&m_idle, &QTimer::timeout, this, &Generator::closeEngine);
    m_ending.setSingleShot(true);
    m_ending.setInterval(kEndMs);
    connect(&m_ending, &QTimer::timeout, &m_engine, &QProcess::kill);
    m_stopping.setSingleShot(true);
    m_stopping.setInterval(kObeyTime);
    connect(&m_stopping, &QTimer::timeout, this, &Generator::endHanging);
    connect(&m_engine, &QProcess::started, this, [this] { *m_engineId = m_engine.processId(); });
    connect(&m_engine, &QProcess::readyReadStandardOutput, this, &Generator::readLines);
    connect(&m_engine, &QProcess::finished, this, &Generator::engineEnded);
    connect(&m_engine, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart) engineEnded();
    });
}

Generator::~Generator() {
    m_engine.disconnect(this);
    *m_engineId = 0;
    if (m_engine.state() == QProcess::NotRunning) return;
    m_engine.closeWriteChannel();
    m_engine.terminate();
    if (!m_engine.waitForFinished(kEndMs)) m_engine.kill();
    m_engine.waitForFinished(kEndMs);
}

int Generator::picturesWanted() const {
    return m_working ? static_cast<int>(m_jobs.front().config.count) : 0;
}

std::pair<int, int> Generator::picturesOfClick() const {
    int before = 0;
    int behind = 0;
    if (m_working)
        for (const GenerationJob& job : together(m_jobs.front().request)) {
            if (job.id == m_jobs.front().id) continue;
            before += static_cast<int>(job.made.size());
            behind += static_cast<int>(job.config.count);
        }
    return {before, before + picturesWanted() + behind};
}

double Generator::progress() const {
    const auto [before, all] = picturesOfClick();
    return all > 0 ? (before + m_progress * picturesWanted()) / all : m_progress;
}

QString Generator::phaseText() const {
    if (!busy()) return tr("Ready");
    if (stopping()) return tr("Stopping");
    if (m_state.state == "sampling") {
        const auto [before, all] = picturesOfClick();
        return tr("Making picture %1 of %2").arg(before + qMin(m_done + 1, picturesWanted())).arg(all);
    }
    if (m_state.state == core::kWaitsForRoom)
        return tr("The disk is full: free some space, and the finished picture is saved.");
    return m_state.state == "loading" ? tr("Loading the model") : tr("Starting");
}

void Generator::make(const core::SampleConfig& config, int64_t id, int64_t request) {
    const GenerationJob job{id, config, request};
    // Whoever asks for pictures wants them now, whatever is held from before.
    const bool first = m_held && !m_working;
    if (first || (m_held && wantedNow(m_jobs.front()))) m_wantedNow.push_back(id);
    m_jobs.insert(first ? m_jobs.begin() : m_jobs.end(), job);
    // Before anybody is told of it: among what waits it would come behind those that are held.
    if (first && !m_training) start();
    Q_EMIT jobsChanged();
    beginNext();
    Q_EMIT changed();
}

void Generator::setTraining(bool works) {
    if (works == m_training) return;
    m_training = works;
    if (!works) beginNext();
    Q_EMIT changed();
}

bool Generator::waitsForTraining() const {
    return m_training && !m_working && nextJob() != 0;
}

void Generator::beginBeside() {
    if (!m_working && !m_jobs.empty()) startNext();
}

void Generator::giveBack(std::function<void()> then) {
    if (free()) return then();
    m_whenFree.push_back(std::move(then));
    if (!m_working) closeEngine();
}

void Generator::restore(const std::vector<GenerationJob>& jobs,
                        const std::vector<GenerationJob>& companions) {
    m_restored = true;
    m_companions.insert(m_companions.end(), companions.begin(), companions.end());
    if (!jobs.empty() && !m_working && !std::exchange(m_held, true)) // those that wait are asked for now
        for (const GenerationJob& job : m_jobs) m_wantedNow.push_back(job.id);
    m_jobs.insert(m_jobs.end(), jobs.begin(), jobs.end());
    dropLonely();
    Q_EMIT jobsChanged();
    Q_EMIT cameBack();
    Q_EMIT changed();
}

void Generator::setHeld(bool held) {
    if (held == m_held) return;
    m_held = held;
    m_wantedNow.clear();
    Q_EMIT jobsChanged();
    if (!held) beginNext();
    Q_EMIT changed();
}

void Generator::drop(int64_t id) {
    const auto found = std::find_if(m_jobs.begin() + (m_working ? 1 : 0), m_jobs.end(),
                                    [id](const GenerationJob& job) { return job.id == id; });
    if (found == m_jobs.end()) return;
    if (found->request != 0) m_dropped.push_back(*found);
    m_jobs.erase(found);
    dropLonely();
    Q_EMIT jobsChanged();
    Q_EMIT changed();
}

void Generator::putBack(const GenerationJob& job) {
    const auto belong =
        std::stable_partition(m_aside.begin(), m_aside.end(),
                              [&job](const GenerationJob& done) { return done.request != job.request; });
    std::move(belong, m_aside.end(), std::back_inserter(m_companions));
    m_aside.erase(belong, m_aside.end());
    std::erase_if(m_dropped, [&job](const GenerationJob& dropped) { return dropped.id == job.id; });
    m_jobs.push_back(job);
    Q_EMIT jobsChanged();
    beginNext();
    Q_EMIT changed();
}

std::optional<double> Generator::secondsFor(const core::SampleConfig& config) const {
    const auto speed = m_speeds.constFind(QString::fromStdString(config.model));
    if (speed == m_speeds.cend()) return std::nullopt;
    return *speed * workOf(config) * double(config.count);
}

GenerationJob Generator::restOf(const GenerationJob& job) const {
    GenerationJob rest = job;
    const int done = m_working && job.id == m_jobs.front().id ? m_done : 0;
    rest.config.seed += static_cast<uint64_t>(done);
    rest.config.count -= done;
    return rest;
}

std::vector<GenerationJob> Generator::together(int64_t request) const {
    std::vector<GenerationJob> all;
    for (const auto* jobs : {&m_companions, &m_jobs})
        for (const GenerationJob& job : *jobs)
            if (request != 0 && job.request == request) all.push_back(restOf(job));
    // The first one's key is the request's.
    std::stable_partition(all.begin(), all.end(),
                          [request](const GenerationJob& job) { return job.id == request; });
    return all;
}

void Generator::dropLonely() {
    std::erase_if(m_companions, [this](const GenerationJob& done) {
        const auto belongs = [&done](const GenerationJob& job) { return job.request == done.request; };
        if (std::any_of(m_jobs.begin(), m_jobs.end(), belongs)) return false;
        if (std::any_of(m_dropped.begin(), m_dropped.end(), belongs)) m_aside.push_back(done);
        return true;
    });
}

std::optional<PictureWait> Generator::roomWait() const {
    if (!m_working || !m_sent || stopping() || m_state.state != core::kWaitsForRoom) return std::nullopt;
    return PictureWait{m_roomWaits, QString::fromStdString(m_jobs.front().config.outputDir), m_state.done,
                       QString::fromStdString(m_state.detail)};
}

void Generator::movePictures(const QString& from, const QString& to) {
    bool some = false;
    for (GenerationJob& job : m_jobs) {
        if (job.config.outputDir != from.toStdString()) continue;
        job.config.outputDir = to.toStdString();
        some = true;
        if (m_working && m_sent && &job == &m_jobs.front()) sendFolder();
    }
    if (some) Q_EMIT jobsChanged();
}

void Generator::setOrder(const std::vector<int64_t>& ids) {
    const auto before = m_jobs;
    std::stable_sort(m_jobs.begin() + (m_working ? 1 : 0), m_jobs.end(),
                     [&ids](const GenerationJob& a, const GenerationJob& b) {
                         return std::find(ids.begin(), ids.end(), a.id) <
                                std::find(ids.begin(), ids.end(), b.id);
                     });
    const auto same = [](const GenerationJob& a, const GenerationJob& b) { return a.id == b.id; };
    if (std::equal(m_jobs.begin(), m_jobs.end(), before.begin(), same)) return;
    Q_EMIT jobsChanged();
    Q_EMIT changed();
}

void Generator::stop() {
    const int64_t request = m_working ? m_jobs.front().request : 0;
    const auto rest = std::remove_if(
        m_jobs.begin() + (request != 0 ? 1 : 0), m_jobs.end(),
        [request](const GenerationJob& job) { return request != 0 && job.request == request; });
    if (rest != m_jobs.end()) {
        m_jobs.erase(rest, m_jobs.end());
        Q_EMIT jobsChanged();
    }
    if (m_working && m_sent) m_engine.write("{\"command\":\"stop\"}\n");
    // Asked again, it has no more time than before.
    const bool waits = m_working && (m_sent || !m_ready) && !m_stopping.isActive();
    if (m_working && !m_sent) finishJob(false); // the engine is still starting and need not hear of it
    if (waits && m_engine.state() != QProcess::NotRunning) m_stopping.start();
    Q_EMIT changed();
}

void Generator::dropAll() {
    m_jobs.resize(m_working ? 1 : 0);
    dropLonely();
    m_held = false;
    Q_EMIT jobsChanged();
    stop();
}

void Generator::beginNext() {
    if (!m_working && !m_training && nextJob() != 0) startNext();
}

void Generator::startNext() {
    const auto next = std::find_if(m_jobs.begin(), m_jobs.end(),
                                   [id = nextJob()](const GenerationJob& job) { return job.id == id; });
    if (next != m_jobs.end()) std::rotate(m_jobs.begin(), next, next + 1);
    start();
}

int64_t Generator::nextJob() const {
    const auto next = std::find_if(m_jobs.begin() + (m_working ? 1 : 0), m_jobs.end(),
                                   [this](const GenerationJob& job) { return goesOn(job); });
    return next == m_jobs.end() ? 0 : next->id;
}

int Generator::heldBack() const {
    return static_cast<int>(std::count_if(m_jobs.begin() + (m_working ? 1 : 0), m_jobs.end(),
                                          [this](const GenerationJob& job) { return !goesOn(job); }));
}

bool Generator::wantedNow(const GenerationJob& job) const {
    return std::find(m_wantedNow.begin(), m_wantedNow.end(), job.id) != m_wantedNow.end();
}

void Generator::start() {
    m_idle.stop();
    m_working = true;
    m_sent = false;
    m_current = m_jobs.front().id;
    m_done = 0;
    m_progress = 0.0;
    m_pictureTime.invalidate();
    m_state = {};
    Q_EMIT begun(m_jobs.front().config);
    if (m_engineDevice != m_device) closeEngine(); // another one takes its place
    ensureEngine();
    if (m_ready) sendFirst();
    Q_EMIT changed();
}

void Generator::take(const core::JournalEntry& entry) {
    const core::Event& event = entry.event;
    if (const auto* state = std::get_if<core::StateEvent>(&event)) {
        if (state->state == "sampling" && m_state.state != "sampling") m_pictureTime.start();
        m_state = *state;
        if (state->state == core::kWaitsForRoom) {
            m_pictureTime.invalidate(); // it is not what a picture takes
            ++m_roomWaits;
        }
        if (state->state == "sampling" && state->total > 0) {
            const double wanted = std::max(1, picturesWanted());
            const double share = double(state->done) / double(state->total); // of what the engine knows of
            m_progress = (m_before + share * (wanted - m_before)) / wanted;
        }
        if (state->state == "ready" && !m_closing && !m_hung) becomeReady();
    } else if (const auto* shown = std::get_if<core::PreviewEvent>(&event); shown && busy()) {
        takePicture(*shown);
    } else if (const auto* warning = std::get_if<core::WarningEvent>(&event)) {
        Q_EMIT warned(warningHeadline(warning->code), QString::fromStdString(warning->message));
    } else if (const auto* outcome = std::get_if<core::OutcomeEvent>(&event)) {
        takeOutcome(*outcome);
    }
    Q_EMIT changed();
}

void Generator::takePicture(const core::PreviewEvent& shown) {
    const QString path = QString::fromStdString(shown.path);
    const int place = m_before + static_cast<int>(shown.index);
    if (path.section('/', -1).startsWith('.')) // it is not finished
        return Q_EMIT preview(place, static_cast<int>(shown.step), path);
    GenerationJob& job = m_jobs.front();
    ++m_done;
    if (m_pictureTime.isValid())
        m_speeds.insert(QString::fromStdString(job.config.model),
                        double(m_pictureTime.restart()) / 1000.0 / workOf(job.config));
    if (m_state.state == core::kWaitsForRoom) { // there was room: the next one is being made
        m_state.state = "sampling";
        m_pictureTime.start();
    }
    job.made.append(path);
    Q_EMIT made(place, path, m_jobs.front().config);
}

void Generator::finishJob(bool complete) {
    GenerationJob done = restOf(m_jobs.front());
    done.config.count = 0; // also of one that was stopped
    m_jobs.erase(m_jobs.begin());
    m_working = false;
    m_sent = false;
    m_again = false;
    if (done.request != 0 && !done.made.isEmpty()) m_companions.push_back(std::move(done));
    dropLonely();
    Q_EMIT jobsChanged();
    Q_EMIT ended(complete);
    beginNext(); // the engine takes it once it says that it is ready
}

void Generator::takeOutcome(const core::OutcomeEvent& outcome) {
    if (!m_working || !m_sent) return;
    const bool again = outcome.result == "failed" && lostInSleep(outcome.code, outcome.message);
    m_stopping.stop();
    if (again)
        return makeAgain(core::causeOf(outcome.code, outcome.message) == core::FailureCause::Crash,
                         QString::fromStdString(outcome.message));
    if (outcome.result == "failed")
        Q_EMIT failed(picturesTrouble(outcome.code, outcome.message),
                      QString::fromStdString(outcome.message));
    finishJob(outcome.result == "done");
}

} // namespace homebooth::app
