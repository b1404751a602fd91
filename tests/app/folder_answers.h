// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a test answers where a page asks for a folder. Free functions; GUI thread.
#pragma once

#include <QCoreApplication>
#include <QFileDialog>
#include <QTest>

namespace homebooth::app {

/// Chooses these in the dialog that a page has open.
inline void answerWith(const QWidget& page, const QStringList& chosen) {
    auto* dialog = page.findChild<QFileDialog*>();
    QVERIFY(dialog != nullptr);
    Q_EMIT dialog->filesSelected(chosen);
    dialog->close();
    QCoreApplication::sendPostedEvents(dialog, QEvent::DeferredDelete);
}

} // namespace homebooth::app
