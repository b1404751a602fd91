// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the large view offers to whoever has no hand at the keys: six buttons, there while the mouse moves
// or one of them has the focus.
#include "app/theme/icons.h"
#include "app/theme/metrics.h"
#include "app/widgets/parts.h"
#include "app/widgets/pictures/large_view.h"

#include <QBoxLayout>

namespace homebooth::app {
namespace {
constexpr int kIdleMs = 2500;
} // namespace

void LargeView::makeTools() {
    m_tools = new Card(this);
    m_tools->setAttribute(
        Qt::WA_NoMousePropagation); // a click between the buttons is none beside the picture
    m_tools->setCursor(Qt::ArrowCursor);
    auto* row = new QHBoxLayout(m_tools);
    tidy(row, kGapInside, kGapInside);
    const auto add = [this, row](const QString& iconName, const QString& name) {
        QToolButton* button = makeIconButton(iconName, name);
        button->setFocusPolicy(Qt::TabFocus); // after a click the keys still mean the picture
        row->addWidget(button);
        m_buttons.append(button);
        return button;
    };
    m_earlier = add(QStringLiteral("chevron-left"), tr("Previous picture"));
    m_later = add(QStringLiteral("chevron-right"), tr("Next picture"));
    m_mark = add(QStringLiteral("favourite"), tr("Favourite"));
    QToolButton* start = add(QStringLiteral("image"), tr("Start from this picture"));
    m_trash = add(QStringLiteral("trash"), tr("Delete"));
    QToolButton* back = add(QStringLiteral("close"), tr("Back"));
    connect(m_earlier, &QToolButton::clicked, this, [this] { walk(-1); });
    connect(m_later, &QToolButton::clicked, this, [this] { walk(1); });
    connect(m_mark, &QToolButton::clicked, this, [this] { Q_EMIT favouriteWanted(m_path); });
    connect(start, &QToolButton::clicked, this, [this] { Q_EMIT startWanted(m_path); });
    connect(m_trash, &QToolButton::clicked, this, [this] { Q_EMIT trashWanted(m_path); });
    connect(back, &QToolButton::clicked, this, &LargeView::leave);
    m_tools->hide();
    m_idle.setSingleShot(true);
    m_idle.setInterval(kIdleMs);
    connect(&m_idle, &QTimer::timeout, this, &LargeView::hideTools);
    setMouseTracking(true);
}

void LargeView::refreshTools() {
    const auto at = m_all.indexOf(m_path);
    m_earlier->setEnabled(at > 0);
    m_later->setEnabled(at + 1 < m_all.size());
    for (QToolButton* button : {m_mark, m_trash}) button->setEnabled(m_state.id != 0);
    m_mark->setIcon(icon(QStringLiteral("favourite"), m_state.favourite));
    const QString name = m_state.favourite ? tr("No favourite") : tr("Favourite");
    m_mark->setAccessibleName(name);
    m_mark->setToolTip(name);
}

void LargeView::revealTools() {
    m_tools->adjustSize();
    m_tools->move(qMax(0, int(room().right()) - m_tools->width() - kGapBlock), kGapBlock);
    m_tools->show();
    m_tools->raise();
    m_idle.start();
}

void LargeView::hideTools() {
    if (m_tools->underMouse() || m_tools->isAncestorOf(window()->focusWidget())) return m_idle.start();
    m_tools->hide();
}

bool LargeView::focusNextPrevChild(bool next) {
    revealTools();
    QList<QWidget*> stops{this}; // what lies below is not to be reached
    for (QToolButton* button : m_buttons)
        if (button->isEnabled()) stops.append(button);
    const qsizetype now = qMax<qsizetype>(0, stops.indexOf(window()->focusWidget()));
    stops[(now + (next ? 1 : stops.size() - 1)) % stops.size()]->setFocus(next ? Qt::TabFocusReason
                                                                               : Qt::BacktabFocusReason);
    return true;
}

QToolButton* LargeView::focusedTool() const {
    auto* tool = qobject_cast<QToolButton*>(window()->focusWidget());
    return tool != nullptr && m_tools->isAncestorOf(tool) ? tool : nullptr;
}

} // namespace homebooth::app
