// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/details_drawer.h"

#include "app/settings/settings.h"
#include "app/theme/icons.h"
#include "app/theme/metrics.h"
#include "app/widgets/parts.h"

#include <QBoxLayout>
#include <QKeyEvent>
#include <QToolButton>

namespace homebooth::app {

DetailsDrawer::DetailsDrawer(QWidget* details, Settings& settings, const QByteArray& name, QWidget* parent)
    : QWidget(parent)
    , m_settings(settings)
    , m_key("state/drawer/" + name)
    , m_details(details)
    , m_handle(makeIconButton(QStringLiteral("chevron-left"), tr("Show the details")))
    , m_open(settings.flag(m_key.constData())) {
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred); // the content takes what is left
    auto* row = new QHBoxLayout(this);
    tidy(row, 0, kGapInside);
    row->addWidget(m_handle, 0, Qt::AlignTop);
    row->addWidget(details);
    connect(m_handle, &QToolButton::clicked, this, [this] { setOpen(!m_open); });
    arrange();
}

void DetailsDrawer::setCompact(bool compact) {
    if (compact == m_compact) return;
    const QWidget* focus = focusWidget();
    if (compact && focus != nullptr && focus->hasFocus() && m_details->isAncestorOf(focus)) m_open = true;
    m_compact = compact;
    arrange();
}

void DetailsDrawer::setOpen(bool open) {
    if (open == m_open) return;
    m_open = open;
    m_settings.set(m_key.constData(), open);
    arrange();
}

void DetailsDrawer::keyPressEvent(QKeyEvent* event) {
    if (event->key() != Qt::Key_Escape || !m_compact || !m_open) return QWidget::keyPressEvent(event);
    m_handle->setFocus(Qt::OtherFocusReason);
    setOpen(false);
}

void DetailsDrawer::arrange() {
    const QString name = m_open ? tr("Put the details away") : tr("Show the details");
    m_handle->setIcon(icon(m_open ? QStringLiteral("chevron-right") : QStringLiteral("chevron-left")));
    m_handle->setToolTip(name);
    m_handle->setAccessibleName(name);
    m_handle->setVisible(m_compact);
    m_details->setVisible(isOpen());
}

} // namespace homebooth::app
