// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/gpu_answer.h"

#include "app/engine/engine_call.h"
#include "app/library/background.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QPointer>
#include <QTimer>

#include <algorithm>
#include <array>
#include <utility>

namespace homebooth::app {
namespace {

constexpr int kLongestMs = 20'000; // a driver wakes its cards in a second or few

/// The kernel's module says so where there is one; the management library also where a virtual machine
/// has none of its own.
bool hasDriver() {
    return QFile::exists(QStringLiteral("/proc/driver/nvidia/version")) || !core::numberedGpus().empty();
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

void askEngine(QObject* receiver, const TakeGpus& take) {
    EngineCall* call = EngineCall::start(
        receiver, {QStringLiteral("doctor"), QStringLiteral("--json"), QStringLiteral("--gpus-only")},
        [take](const EngineAnswer& answer) {
            take(answer.exitCode == 0 ? gpuFactsOf(answer.output) : std::nullopt);
        });
    QTimer::singleShot(kLongestMs, call, [call, take, owner = QPointer<QObject>(receiver)] {
        call->cancel();
        if (owner) take(std::nullopt);
    });
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

void askGpus(QObject* receiver, const TakeGpus& take) {
    inBackground(receiver, hasDriver, [receiver, take](bool driver) {
        if (driver) return askEngine(receiver, take);
        take(core::GpuFacts()); // NoDriver
    });
}

void askSlots(QObject* receiver, const TakeSlots& take) {
    if (const QByteArray told = qgetenv("HOMEBOOTH_SLOTS"); !told.isEmpty()) {
        const auto places = [told] { return core::slotsOf({told.constData(), size_t(told.size())}); };
        return inBackground(receiver, places,
                            [take](const std::vector<core::JobSlot>& found) { take(found); });
    }
    askGpus(receiver, [take](const std::optional<core::GpuFacts>& gpus) {
        if (!gpus) return take(std::nullopt);
        take(slotsOfGpus(gpus->devices));
    });
}

} // namespace homebooth::app
