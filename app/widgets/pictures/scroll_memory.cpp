// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/pictures/scroll_memory.h"

#include "app/settings/settings.h"

#include <QAbstractScrollArea>
#include <QEvent>
#include <QScrollBar>

namespace homebooth::app {
namespace {
constexpr int kSoonMs = 300;
} // namespace

ScrollMemory::ScrollMemory(QAbstractScrollArea* area, Settings& settings, const QByteArray& name)
    : QObject(area)
    , m_area(area)
    , m_settings(settings)
    , m_key("state/scroll/" + name)
    , m_wanted(settings.value(m_key.constData()).toInt()) {
    QScrollBar* bar = area->verticalScrollBar();
    m_soon.setSingleShot(true);
    m_soon.setInterval(kSoonMs);
    connect(&m_soon, &QTimer::timeout, this,
            [this] { m_settings.set(m_key.constData(), m_area->verticalScrollBar()->value()); });
    connect(bar, &QScrollBar::rangeChanged, this, &ScrollMemory::restore);
    connect(bar, &QScrollBar::actionTriggered, this, [this] { m_wanted = 0; }); // a hand is at it
    connect(bar, &QScrollBar::valueChanged, this, [this] {
        if (m_wanted == 0) m_soon.start();
    });
    area->installEventFilter(this);
    area->viewport()->installEventFilter(this);
    restore();
}

bool ScrollMemory::eventFilter(QObject*, QEvent* event) {
    // Lists that follow a key or a click move the bar without telling whose hand it was.
    if (event->type() == QEvent::KeyPress || event->type() == QEvent::MouseButtonPress) m_wanted = 0;
    return false;
}

void ScrollMemory::restore() {
    QScrollBar* bar = m_area->verticalScrollBar();
    if (m_wanted <= 0 || bar->maximum() < m_wanted) return;
    const int wanted = m_wanted;
    // The range may still grow while it is laid out: the value is set when the event is done.
    QTimer::singleShot(0, this, [this, bar, wanted] {
        if (m_wanted != wanted) return;
        bar->setValue(wanted);
        m_wanted = 0;
    });
}

} // namespace homebooth::app
