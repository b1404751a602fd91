// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/train/run/run_window.h"

#include "app/widgets/bring_up.h"

#include <QDialog>

namespace homebooth::app {

QDialog* makeRunWindow(QWidget* parent, const QString& key, const QString& title) {
    auto* dialog = new QDialog(parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setObjectName(key);
    dialog->setWindowTitle(title);
    return dialog;
}

QDialog* raisedRunWindow(const QWidget& parent, const QString& key) {
    // Of the whole window: more than one part of the page asks for the same.
    for (QDialog* dialog : parent.window()->findChildren<QDialog*>(key)) {
        if (!dialog->isVisible()) continue; // was closed and is about to go
        bringUp(*dialog);
        return dialog;
    }
    return nullptr;
}

} // namespace homebooth::app
