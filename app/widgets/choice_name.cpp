// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/choice_name.h"

#include "app/widgets/parts.h"

#include <QComboBox>
#include <QEvent>

namespace homebooth::app {

void nameChoice(QComboBox& choice, const QString& name) {
    choice.setAccessibleName(name); // which other systems read
    auto* known = choice.findChild<ChoiceName*>(QString(), Qt::FindDirectChildrenOnly);
    (known != nullptr ? known : new ChoiceName(choice))->setName(name);
}

ChoiceName::ChoiceName(QComboBox& choice)
    : QObject(&choice)
    , m_choice(choice) {
    choice.installEventFilter(this);
}

ChoiceName::~ChoiceName() {
    delete m_label.data();
}

void ChoiceName::setName(const QString& name) {
    m_name = name;
    follow();
}

bool ChoiceName::eventFilter(QObject* watched, QEvent* event) {
    if (watched == &m_choice && event->type() == QEvent::ParentChange) follow();
    return QObject::eventFilter(watched, event);
}

void ChoiceName::follow() {
    QWidget* parent = m_choice.parentWidget();
    if (parent == nullptr) return; // it is put somewhere later
    if (m_label.isNull()) {
        m_label = new QLabel(parent);
        m_label->setTextFormat(Qt::PlainText);
        m_label->setBuddy(&m_choice);
    }
    if (m_label->parentWidget() != parent) m_label->setParent(parent);
    m_label->setText(asButtonText(m_name)); // "&" would mark a key
    m_label->hide();
}

} // namespace homebooth::app
