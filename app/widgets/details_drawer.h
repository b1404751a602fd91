// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Details at the side of a page's content; in a compact window a drawer: put away behind a handle until they
// are wanted. Whether it is open is kept for the next session. Owned by its page; GUI thread.
#pragma once

#include <QByteArray>
#include <QWidget>

class QToolButton;

namespace homebooth::app {

class Settings;

class DetailsDrawer : public QWidget {
    Q_OBJECT
public:
    /// @param details  taken. @param settings  outlives this. @param name  of the page, for what is kept
    DetailsDrawer(QWidget* details, Settings& settings, const QByteArray& name, QWidget* parent = nullptr);

    /// As the window is compact or not. What somebody is busy with stays open.
    void setCompact(bool compact);
    void setOpen(bool open);
    /// Whether the details are there; always where the window is wide.
    [[nodiscard]] bool isOpen() const { return !m_compact || m_open; }

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void arrange();

    Settings& m_settings;
    QByteArray m_key;
    QWidget* m_details = nullptr;
    QToolButton* m_handle = nullptr;
    bool m_compact = false;
    bool m_open = false;
};

} // namespace homebooth::app
