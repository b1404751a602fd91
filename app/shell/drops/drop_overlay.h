// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// While something is dragged over the window: zones that say what letting go will do. GUI thread.
#pragma once

#include "app/shell/drops/drop_content.h"

#include <QImage>
#include <QTimer>
#include <QWidget>

#include <functional>
#include <vector>

namespace homebooth::app {

struct DropZone {
    QString icon;
    QString text;
    /// @param picture  what was dropped without a file; null for files
    std::function<void(const QImage& picture)> act;
    int64_t subject = 0; ///< that takes the photos; 0: none that there is
    bool models = false; ///< takes the models; else all but them
};

class DropOverlay : public QWidget {
    Q_OBJECT
public:
    explicit DropOverlay(QWidget* parent);
    /// Covers the parent with these zones.
    void show(std::vector<DropZone> zones);
    /// The drag left the window: unless it comes back at once, the zones go.
    void hideUnlessEntered();
    [[nodiscard]] const std::vector<DropZone>& zones() const { return m_zones; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragMoveEvent(QDragMoveEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;

private:
    [[nodiscard]] QRectF rectOf(size_t zone) const;
    [[nodiscard]] int zoneAt(const QPointF& point) const;

    std::vector<DropZone> m_zones;
    QTimer m_leaving;
    int m_over = -1;
};

} // namespace homebooth::app
