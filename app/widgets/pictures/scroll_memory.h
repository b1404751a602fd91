// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Brings a scroll area back to where it was left, once its content is there, and notes where it is left
// again. Owned by the area; GUI thread.
#pragma once

#include <QByteArray>
#include <QObject>
#include <QTimer>

class QAbstractScrollArea;

namespace homebooth::app {

class Settings;

class ScrollMemory : public QObject {
    Q_OBJECT
public:
    /// @param name  of the area, unique in the window
    ScrollMemory(QAbstractScrollArea* area, Settings& settings, const QByteArray& name);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void restore();

    QAbstractScrollArea* m_area;
    Settings& m_settings;
    QByteArray m_key;
    QTimer m_soon;
    int m_wanted = 0; ///< until the content is long enough, or the user's hand is at it
};

} // namespace homebooth::app
