// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/library/day_watch.h"

#include <QDateTime>
#include <QGuiApplication>

#include <algorithm>
#include <utility>

namespace homebooth::app {
namespace {

constexpr qint64 kLookMs = 900'000; // at least so often: the clock may be set, and the machine may sleep
constexpr qint64 kBehindMs = 500;   // midnight, so that it is that day for certain

} // namespace

DayWatch::DayWatch(QObject* parent)
    : QObject(parent)
    , m_calendar([] { return QDate::currentDate(); })
    , m_told(m_calendar()) {
    m_next.setSingleShot(true);
    connect(&m_next, &QTimer::timeout, this, &DayWatch::look);
    if (const auto* application = qobject_cast<QGuiApplication*>(QCoreApplication::instance()))
        connect(application, &QGuiApplication::applicationStateChanged, this,
                [this](Qt::ApplicationState state) {
                    if (state == Qt::ApplicationActive) look();
                });
    look();
}

void DayWatch::setCalendar(std::function<QDate()> calendar) {
    m_calendar = std::move(calendar);
    look();
}

void DayWatch::look() {
    const QDateTime now = QDateTime::currentDateTime();
    const qint64 leftMs = now.msecsTo(now.date().addDays(1).startOfDay()) + kBehindMs;
    m_next.start(static_cast<int>(std::min(leftMs, kLookMs)));
    const QDate before = std::exchange(m_told, m_calendar());
    if (before != m_told) Q_EMIT changed();
}

} // namespace homebooth::app
