// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Cutting a photo to a square that is moved and sized over it. Return keeps, Esc drops. Arrows move, with
// Shift they size. GUI thread.
#pragma once

#include "core/library/subject_store.h"

#include <QImage>
#include <QWidget>

class QPushButton;

namespace homebooth::app {

class CropView : public QWidget {
    Q_OBJECT
public:
    explicit CropView(QWidget* parent = nullptr);
    /// Shows a photo, decoded off the GUI thread.
    void open(const QString& path, const core::PhotoEdit& edit);

Q_SIGNALS:
    void kept(const homebooth::core::PhotoEdit& edit);
    void dropped();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    /// @param text  what stands in place of the photo; empty: there is one
    void say(const QString& text);
    void keep();
    [[nodiscard]] static QString keysText();
    [[nodiscard]] QString placeText() const; ///< of the square, for those who do not see it
    [[nodiscard]] QRectF shown() const;      ///< where the photo lies
    [[nodiscard]] QRectF square() const;
    void setSquare(QPointF centre, double side); ///< in widget pixels
    [[nodiscard]] int cornerAt(const QPointF& point) const;

    int m_opened = 0;          ///< counts photos: one that is opened anew may be turned otherwise
    QString m_text;            ///< in place of a photo
    QImage m_image;            ///< turned, not cut
    QWidget* m_foot = nullptr; ///< what stands below the photo
    QPushButton* m_keep = nullptr;
    core::PhotoEdit m_edit;
    QPointF m_grab;
    int m_corner = -1;
    bool m_moving = false;
};

} // namespace homebooth::app
