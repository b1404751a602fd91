// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/gpu_answer.h"

#include "app/engine/engine_call.h"
#include "app/library/background.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QStringList>

#include <algorithm>
#include <array>
#include <utility>

namespace homebooth::app {
namespace {

constexpr int kWrongUsage = 2; // of an engine that knows no shorter answer

/// The kernel's module says so where there is one; the management library also where a virtual machine
/// has none of its own. Where neither does, no engine is needed to tell what there is.
std::optional<core::GpuFacts> lookWithoutEngine() {
    if (QFile::exists(QStringLiteral("/proc/driver/nvidia/version")) || !core::numberedGpus().empty())
        return std::nullopt;
    return core::gpusWithoutDriver();
}

std::optional<core::GpuState> stateOf(const QString& name) {
    using core::GpuState;
    static const std::array<std::pair<const char*, GpuState>, 5> kStates{
        {{"no driver", GpuState::NoDriver},
         {"driver too old", GpuState::DriverTooOld},
         {"broken", GpuState::Broken},
         {"no device", GpuState::NoDevice},
         {"ready", GpuState::Ready}}};
    for (const auto& [text, state] : kStates)
        if (name == QLatin1String(text)) return state;
    return {};
}

core::GpuDevice deviceOf(const QJsonObject& json) {
    core::GpuDevice device;
    device.name = json.value(QLatin1String("name")).toString().toStdString();
    device.uuid = json.value(QLatin1String("uuid")).toString().toStdString();
    device.totalBytes = static_cast<int64_t>(json.value(QLatin1String("totalBytes")).toDouble());
    const QStringList compute = json.value(QLatin1String("computeCapability")).toString().split('.');
    device.computeMajor = compute.value(0).toInt();
    device.computeMinor = compute.value(1).toInt();
    return device;
}

} // namespace

std::optional<core::GpuFacts> gpuFactsOf(const QByteArray& report) {
    const QJsonObject gpu = QJsonDocument::fromJson(report).object().value(QLatin1String("gpu")).toObject();
    const auto state = stateOf(gpu.value(QLatin1String("state")).toString());
    if (!state) return {};
    core::GpuFacts facts;
    facts.state = *state;
    facts.driverVersion = gpu.value(QLatin1String("driver")).toString().toStdString();
    facts.message = gpu.value(QLatin1String("message")).toString().toStdString();
    for (const QJsonValue& one : gpu.value(QLatin1String("devices")).toArray())
        facts.devices.push_back(deviceOf(one.toObject()));
    for (const QJsonValue& one : gpu.value(QLatin1String("tooOld")).toArray())
        facts.tooOld.push_back(one.toString().toStdString());
    facts.withoutDriver = gpu.value(QLatin1String("withoutDriver")).toBool();
    return facts;
}

std::vector<core::JobSlot> slotsOfGpus(const std::vector<core::GpuDevice>& gpus) {
    const bool named =
        std::none_of(gpus.begin(), gpus.end(), [](const core::GpuDevice& one) { return one.uuid.empty(); });
    if (gpus.size() < 2 || !named) return std::vector<core::JobSlot>(1);
    std::vector<core::JobSlot> places;
    for (const core::GpuDevice& one : gpus) places.push_back({one.uuid, one.name});
    return places;
}

GpuAnswer::GpuAnswer(QObject* parent, GpuPatience patience)
    : QObject(parent)
    , m_patience(patience)
    , m_pauseMs(patience.pauseMs) {
    for (QTimer* one : {&m_limit, &m_pause}) one->setSingleShot(true);
    connect(&m_limit, &QTimer::timeout, this, &GpuAnswer::giveUp);
    connect(&m_pause, &QTimer::timeout, this, &GpuAnswer::want);
}

GpuAnswer::State GpuAnswer::state() const {
    if (m_facts) return State::Known;
    return m_problem.isEmpty() ? State::Unknown : State::Failed;
}

std::optional<std::vector<core::JobSlot>> GpuAnswer::places() const {
    if (const QByteArray told = qgetenv("HOMEBOOTH_SLOTS"); !told.isEmpty())
        return core::slotsOf({told.constData(), size_t(told.size())});
    if (!m_facts) return std::nullopt;
    return slotsOfGpus(m_facts->devices);
}

void GpuAnswer::want() {
    if (m_facts || m_asking) return;
    if (m_call) return m_pause.start(m_pauseMs); // the driver holds the process that was given up
    m_asking = true;
    m_pause.stop();
    inBackground(this, lookWithoutEngine, [this](const std::optional<core::GpuFacts>& found) {
        if (!found && !m_facts) return ask();
        m_asking = false;
        if (found) know(*found);
    });
}

bool GpuAnswer::renew() {
    // The whole answer takes longer, and tries the disk, which nobody wants every few seconds.
    if (m_asking || m_call || !m_brief) return false;
    m_asking = true;
    ask();
    return true;
}

void GpuAnswer::ask() {
    QStringList question{QStringLiteral("doctor"), QStringLiteral("--json")};
    if (m_brief) question.append(QStringLiteral("--gpus-only"));
    m_limit.start(m_patience.longestMs);
    m_call = EngineCall::start(this, question, [this](const EngineAnswer& answer) { take(answer); });
}

void GpuAnswer::take(const EngineAnswer& answer) {
    m_limit.stop();
    m_call = nullptr; // its process has ended
    if (answer.exitCode == kWrongUsage && std::exchange(m_brief, false)) return ask();
    const auto facts = answer.exitCode == 0 ? gpuFactsOf(answer.output) : std::nullopt;
    if (!facts) return fail(answer.error);
    // A driver that does not answer now may do so later, and then there are cards.
    if (facts->state == core::GpuState::Broken)
        return fail(plainError(QString::fromStdString(facts->message)), /*driver=*/true);
    m_asking = false;
    m_report = answer.output;
    know(*facts);
    Q_EMIT reported();
}

void GpuAnswer::giveUp() {
    if (m_call) m_call->cancel();
    fail(tr("The graphics driver gave no answer. Restart the computer if it stays like that."),
         /*driver=*/true);
}

void GpuAnswer::fail(const QString& reason, bool driver) {
    m_asking = false;
    if (m_facts) { // figures were asked for
        m_report.clear();
        return Q_EMIT reported();
    }
    m_driverSilent = driver;
    m_problem =
        reason.isEmpty() ? tr("The engine's answer cannot be read. Install Homebooth again.") : reason;
    m_pause.start(m_pauseMs);
    m_pauseMs = std::min(2 * m_pauseMs, m_patience.longestPauseMs);
    Q_EMIT changed();
}

void GpuAnswer::know(core::GpuFacts facts) {
    if (m_facts) return;
    m_facts = std::move(facts);
    m_problem.clear();
    m_driverSilent = false;
    m_pause.stop();
    Q_EMIT changed();
}

} // namespace homebooth::app
