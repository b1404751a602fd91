// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/spoken.h"

#include <QAccessible>
#include <QAccessibleWidget>

namespace homebooth::app {
namespace {

QAccessibleInterface* notificationOf(const QString&, QObject* object) {
    auto* status = qobject_cast<SpokenStatus*>(object);
    if (status == nullptr) return nullptr;
    return new QAccessibleWidget(status, QAccessible::Notification); // Qt takes it over
}

} // namespace

SpokenStatus::SpokenStatus(QWidget* parent)
    : QWidget(parent) {
    QAccessible::installFactory(notificationOf); // which Qt does once
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFixedSize(1, 1);
    hide();
}

void SpokenStatus::say(const QString& words) {
    hide();
    setAccessibleName(words);
    setVisible(!words.isEmpty());
}

} // namespace homebooth::app
