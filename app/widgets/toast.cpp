// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/toast.h"

#include "app/theme/metrics.h"
#include "app/widgets/parts.h"
#include "app/widgets/spoken.h"

#include <QAbstractButton>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QBoxLayout>
#include <QComboBox>
#include <QEvent>
#include <QLineEdit>
#include <QPainter>
#include <QPlainTextEdit>

#include <algorithm>

namespace homebooth::app {
namespace {
constexpr int kToastMs = 10'000;
constexpr int kWatchMs = 200;

bool isControl(const QWidget* widget) {
    return qobject_cast<const QAbstractButton*>(widget) != nullptr ||
           qobject_cast<const QAbstractSlider*>(widget) != nullptr || // scroll bars, too
           qobject_cast<const QAbstractSpinBox*>(widget) != nullptr ||
           qobject_cast<const QComboBox*>(widget) != nullptr ||
           qobject_cast<const QLineEdit*>(widget) != nullptr ||
           qobject_cast<const QPlainTextEdit*>(widget) != nullptr;
}

} // namespace

Toast::Toast(QWidget* parent)
    : QWidget(parent)
    , m_text(makeLabel({}))
    , m_spoken(new SpokenStatus(this)) {
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
    m_life.setObjectName(QStringLiteral("life"));
    m_life.setParent(this);
    m_life.setInterval(kToastMs);
    connect(&m_life, &QTimer::timeout, this, [this] {
        // Its own focusWidget() is the one that had the focus last.
        if (underMouse() || isAncestorOf(QApplication::focusWidget())) return;
        m_life.stop();
        hide();
    });
    m_watch.setInterval(kWatchMs);
    connect(&m_watch, &QTimer::timeout, this, [this] {
        if (isHidden()) return m_watch.stop();
        if (!underMouse()) place(); // it does not flee from a click
    });
    parent->installEventFilter(this);
    QWidget::hide();
}

void Toast::show(const QString& text) {
    m_text->setText(text);
    setAccessibleName(text);
    m_spoken->say(text);
    QWidget::show();
    place();
    raise();
    m_life.start();
    m_watch.start();
}

void Toast::place() {
    adjustSize();
    move(freePlace());
}

std::vector<QRect> Toast::controls() const {
    const QWidget* parent = parentWidget();
    std::vector<QRect> all;
    for (const QWidget* widget : parent->findChildren<QWidget*>()) {
        if (!widget->isVisible() || isAncestorOf(widget) || !isControl(widget)) continue;
        const QRect seen = widget->visibleRegion().boundingRect();
        if (!seen.isEmpty()) all.emplace_back(widget->mapTo(parent, seen.topLeft()), seen.size());
    }
    return all;
}

QPoint Toast::freePlace() const {
    const std::vector<QRect> taken = controls();
    const auto covers = [&taken, this](QPoint at, int gap) {
        const QRect mine = QRect(at, size()).adjusted(-gap, -gap, gap, gap);
        return std::any_of(taken.begin(), taken.end(),
                           [&mine](const QRect& one) { return one.intersects(mine); });
    };
    const int middle = (parentWidget()->width() - width()) / 2;
    const QPoint lowest(middle, parentWidget()->height() - height() - kJobBarHeight - kPageMargin);
    for (const int gap : {kGapLabel, 0})
        for (int y = lowest.y(); y >= kPageMargin; y -= kGapLabel)
            for (int aside = 0; aside <= middle - kPageMargin; aside += kGapSection)
                for (const int x : {middle + aside, middle - aside})
                    if (!covers({x, y}, gap)) return {x, y};
    return lowest;
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
