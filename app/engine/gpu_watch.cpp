// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/gpu_watch.h"

#include "app/engine/gpu_answer.h"
#include "core/base/system/gpu_facts.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <utility>

namespace homebooth::app {
namespace {

/// "8.6" as 86.
int computeOf(const QJsonObject& device) {
    const QStringList parts = device.value(QLatin1String("computeCapability")).toString().split('.');
    return 10 * parts.value(0).toInt() + parts.value(1).toInt();
}

/// Those that can be computed on, as the slots are.
QList<QJsonObject> usableDevices(const QByteArray& report) {
    QList<QJsonObject> usable;
    const QJsonObject gpu = QJsonDocument::fromJson(report).object().value(QLatin1String("gpu")).toObject();
    for (const QJsonValue& one : gpu.value(QLatin1String("devices")).toArray())
        if (const QJsonObject device = one.toObject(); computeOf(device) >= core::kOldestCompute)
            usable.append(device);
    return usable;
}

QJsonObject deviceOf(const QList<QJsonObject>& devices, qsizetype place, const QString& id) {
    bool named = false;
    for (const QJsonObject& device : devices) {
        const QString own = device.value(QLatin1String("uuid")).toString();
        if (own == id) return device;
        named = named || !own.isEmpty();
    }
    return named ? QJsonObject() : devices.value(place);
}

void readFigures(const QJsonObject& device, GpuCard& card) {
    card.totalBytes = static_cast<int64_t>(device.value(QLatin1String("totalBytes")).toDouble());
    card.freeBytes = static_cast<int64_t>(device.value(QLatin1String("freeBytes")).toDouble(-1.0));
    const QJsonValue warmth = device.value(QLatin1String("temperatureCelsius"));
    if (warmth.isDouble()) card.temperatureCelsius = qRound(warmth.toDouble());
}

} // namespace

std::vector<GpuCard> gpuCardsOf(const std::vector<core::JobSlot>& places, const QByteArray& report) {
    std::vector<GpuCard> cards;
    if (places.size() < 2) return cards;
    const QList<QJsonObject> devices = usableDevices(report);
    for (const core::JobSlot& place : places) {
        GpuCard card{QString::fromStdString(place.device), QString::fromStdString(place.name)};
        readFigures(deviceOf(devices, std::ssize(cards), card.id), card);
        cards.push_back(std::move(card));
    }
    return cards;
}

GpuWatch::GpuWatch(GpuAnswer& gpus, std::function<bool()> seen, QObject* parent, int pauseMs)
    : QObject(parent)
    , m_gpus(gpus)
    , m_seen(std::move(seen)) {
    m_pause.setInterval(pauseMs);
    connect(&m_pause, &QTimer::timeout, this, [this] {
        if (m_seen()) m_gpus.renew();
    });
    connect(&gpus, &GpuAnswer::changed, this, &GpuWatch::look);
    connect(&gpus, &GpuAnswer::reported, this, &GpuWatch::look);
    look();
}

void GpuWatch::watch() {
    m_watching = true;
    if (!m_gpus.places()) m_gpus.want();
    look();
}

void GpuWatch::look() {
    const auto places = m_gpus.places();
    if (!places) return;                     // nobody knows
    if (m_watching && places->size() >= 2) { // else there is nothing to choose
        m_figures = m_figures || !m_gpus.report().isEmpty() || m_gpus.renew();
        if (!m_pause.isActive()) m_pause.start();
    }
    std::vector<GpuCard> cards = gpuCardsOf(*places, m_gpus.report());
    if (cards == m_cards) return;
    m_cards = std::move(cards);
    Q_EMIT changed();
}

} // namespace homebooth::app
