// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/toast.h"

#include "app/theme/metrics.h"
#include "app/widgets/parts.h"

#include <QBoxLayout>
#include <QEvent>
#include <QPainter>

namespace homebooth::app {
namespace {
constexpr int kLifeMs = 10'000;
} // namespace

Toast::Toast(QWidget* parent)
    : QWidget(parent)
    , m_text(new QLabel) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(kPageMargin, kGapLabel, kGapLabel, kGapLabel);
    row->setSpacing(kGapBlock);
    auto* undo = makeButton(tr("Undo"), {}, "quiet");
    row->addWidget(m_text);
    row->addWidget(undo);
    connect(undo, &QPushButton::clicked, this, [this] {
        hide();
        Q_EMIT undone();
    });
    m_life.setInterval(kLifeMs);
    connect(&m_life, &QTimer::timeout, this, [this] {
        if (underMouse() || isAncestorOf(focusWidget())) return;
        m_life.stop();
        hide();
    });
    parent->installEventFilter(this);
    QWidget::hide();
}

void Toast::show(const QString& text) {
    m_text->setText(text);
    setAccessibleName(text);
    QWidget::show();
    place();
    raise();
    m_life.start();
}

void Toast::place() {
    adjustSize();
    move((parentWidget()->width() - width()) / 2,
         parentWidget()->height() - height() - kJobBarHeight - kPageMargin);
}

void Toast::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Colours& c = colours();
    painter.setBrush(c.dark ? mixed(c.text, c.base, 0.12) : c.base);
    painter.setPen(QPen(c.outline, 1));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), kRadius + 2, kRadius + 2);
}

bool Toast::eventFilter(QObject* watched, QEvent* event) {
    if (watched == parentWidget() && event->type() == QEvent::Resize && isVisible()) place();
    return QWidget::eventFilter(watched, event);
}

} // namespace homebooth::app
