// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/subjects/crop_view.h"

#include "app/library/background.h"
#include "app/library/thumbnails.h"
#include "app/theme/metrics.h"
#include "app/theme/theme.h"
#include "app/widgets/parts.h"

#include <QApplication>
#include <QBoxLayout>
#include <QFileInfo>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QPushButton>

#include <utility>

namespace homebooth::app {
namespace {
constexpr int kShownPixels = 1400;
constexpr double kHandle = 12.0;
constexpr double kLeastSide = 24.0;
} // namespace

CropView::CropView(QWidget* parent)
    : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAccessibleName(tr("Crop the photo"));
    auto* column = new QVBoxLayout(this);
    tidy(column, 0, kGapLabel);
    column->addStretch();
    column->addWidget(m_foot = new QWidget);
    auto* foot = new QVBoxLayout(m_foot);
    tidy(foot, 0, kGapLabel);
    foot->addWidget(new MutedLabel(keysText())); // the buttons may leave little room beside them
    auto* row = new QHBoxLayout;
    m_keep = makeButton(tr("Keep"), QStringLiteral("ok"));
    auto* dropButton = makeButton(tr("Cancel"));
    row->addStretch();
    row->addWidget(dropButton);
    row->addWidget(m_keep);
    foot->addLayout(row);
    connect(m_keep, &QPushButton::clicked, this, &CropView::keep);
    connect(dropButton, &QPushButton::clicked, this, &CropView::dropped);
}

void CropView::open(const QString& path, const core::PhotoEdit& edit) {
    m_edit = edit;
    m_image = {};
    say(tr("Opening the photo..."));
    core::PhotoEdit turn;
    turn.quarterTurns = edit.quarterTurns;
    turn.backgroundRgb = edit.backgroundRgb;
    const auto load = [path, turn] {
        return std::pair(loadEdited(path, turn, kShownPixels), QFileInfo::exists(path));
    };
    inBackground(this, load, [this, opened = ++m_opened](const std::pair<QImage, bool>& loaded) {
        if (opened != m_opened) return;
        m_image = loaded.first;
        if (m_image.isNull())
            return say(loaded.second ? tr("The photo cannot be read: its file is damaged, or of a kind that "
                                          "cannot be used. Esc goes back.")
                                     : tr("The photo's file is gone. Esc goes back."));
        say({});
        const bool whole = m_edit.cropWidth >= 1.0 && m_edit.cropHeight >= 1.0;
        if (whole) setSquare(shown().center(), qMin(shown().width(), shown().height()));
        setAccessibleDescription(keysText() + ' ' + placeText());
    });
    setFocus();
}

QString CropView::keysText() {
    return tr("Drag the square or its corners. Arrows move it, with Shift they size it.");
}

QString CropView::placeText() const {
    const auto percent = [](double part) { return QString::number(qRound(part * 100.0)); };
    return tr("%1 % from the left, %2 % from the top, %3 % of the width.")
        .arg(percent(m_edit.cropLeft), percent(m_edit.cropTop), percent(m_edit.cropWidth));
}

void CropView::say(const QString& text) {
    m_text = text;
    m_keep->setEnabled(text.isEmpty());
    setAccessibleDescription(text);
    update();
}

QRectF CropView::shown() const {
    if (m_image.isNull()) return {};
    const int foot = m_foot->heightForWidth(width());
    const QRectF room = QRectF(rect()).adjusted(kGapLabel, kGapLabel, -kGapLabel, -foot - 2 * kGapLabel);
    QRectF place(QPointF(), QSizeF(m_image.size()).scaled(room.size(), Qt::KeepAspectRatio));
    place.moveCenter(room.center());
    return place;
}

QRectF CropView::square() const {
    const QRectF photo = shown();
    return {photo.left() + m_edit.cropLeft * photo.width(), photo.top() + m_edit.cropTop * photo.height(),
            m_edit.cropWidth * photo.width(), m_edit.cropHeight * photo.height()};
}

void CropView::setSquare(QPointF centre, double side) {
    const QRectF photo = shown();
    if (photo.isEmpty()) return;
    const double most = qMin(photo.width(), photo.height()); // of a strip less than the least
    side = qBound(qMin(kLeastSide, most), side, most);
    QRectF box(0, 0, side, side);
    box.moveCenter(centre);
    box.moveLeft(qBound(photo.left(), box.left(), qMax(photo.left(), photo.right() - side)));
    box.moveTop(qBound(photo.top(), box.top(), qMax(photo.top(), photo.bottom() - side)));
    m_edit.cropLeft = (box.left() - photo.left()) / photo.width();
    m_edit.cropTop = (box.top() - photo.top()) / photo.height();
    m_edit.cropWidth = side / photo.width();
    m_edit.cropHeight = side / photo.height();
    setAccessibleDescription(placeText()); // its keys were said when it was opened
    update();
}

int CropView::cornerAt(const QPointF& point) const {
    const QRectF box = square();
    const QPointF corners[] = {box.topLeft(), box.topRight(), box.bottomLeft(), box.bottomRight()};
    for (int i = 0; i < 4; ++i)
        if (QLineF(corners[i], point).length() < kHandle) return i;
    return -1;
}

void CropView::keep() {
    if (!m_image.isNull()) Q_EMIT kept(m_edit);
}

void CropView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    if (m_image.isNull()) {
        painter.setPen(colours().muted);
        painter.drawText(rect().adjusted(kGapBlock, 0, -kGapBlock, 0), Qt::AlignCenter | Qt::TextWordWrap,
                         m_text);
        return;
    }
    const QRectF photo = shown();
    const QRectF box = square();
    painter.drawImage(photo, m_image);
    QPainterPath outside;
    outside.addRect(photo);
    outside.addRect(box);
    painter.fillPath(outside, QColor(0, 0, 0, 140));
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(Qt::white, 1));
    for (const double third : {1.0 / 3, 2.0 / 3}) {
        painter.drawLine(QPointF(box.left() + third * box.width(), box.top()),
                         QPointF(box.left() + third * box.width(), box.bottom()));
        painter.drawLine(QPointF(box.left(), box.top() + third * box.height()),
                         QPointF(box.right(), box.top() + third * box.height()));
    }
    painter.setPen(QPen(Qt::white, 2));
    painter.drawRect(box);
    painter.setPen(QPen(colours().accent, 2));
    painter.setBrush(Qt::white);
    for (const QPointF& corner : {box.topLeft(), box.topRight(), box.bottomLeft(), box.bottomRight()})
        painter.drawEllipse(corner, kHandle / 2, kHandle / 2);
}

void CropView::mousePressEvent(QMouseEvent* event) {
    m_corner = cornerAt(event->position());
    m_moving = m_corner < 0 && square().contains(event->position());
    m_grab = event->position() - square().center();
}

void CropView::mouseMoveEvent(QMouseEvent* event) {
    const QRectF box = square();
    if (!(event->buttons() & Qt::LeftButton)) {
        const bool corner = cornerAt(event->position()) >= 0;
        setCursor(corner                            ? Qt::SizeFDiagCursor
                  : box.contains(event->position()) ? Qt::SizeAllCursor
                                                    : Qt::ArrowCursor);
        return;
    }
    if (m_moving) return setSquare(event->position() - m_grab, box.width());
    if (m_corner < 0) return;
    // The opposite corner stays where it is.
    const QPointF opposite[] = {box.bottomRight(), box.bottomLeft(), box.topRight(), box.topLeft()};
    const QPointF fixed = opposite[m_corner];
    const double side =
        qMax(qAbs(event->position().x() - fixed.x()), qAbs(event->position().y() - fixed.y()));
    const QPointF way(m_corner % 2 == 0 ? -side : side, m_corner < 2 ? -side : side);
    setSquare(fixed + way / 2, side);
}

void CropView::keyPressEvent(QKeyEvent* event) {
    constexpr double kStep = 6.0;
    const QRectF box = square();
    const bool size = event->modifiers().testFlag(Qt::ShiftModifier);
    QPointF way;
    switch (event->key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
        // Buttons leave this key to what they stand in.
        if (auto* button = qobject_cast<QAbstractButton*>(QApplication::focusWidget());
            button != nullptr && isAncestorOf(button))
            return button->click();
        return keep();
    case Qt::Key_Escape:
        return Q_EMIT dropped();
    case Qt::Key_Left:
        way = {-kStep, 0};
        break;
    case Qt::Key_Right:
        way = {kStep, 0};
        break;
    case Qt::Key_Up:
        way = {0, -kStep};
        break;
    case Qt::Key_Down:
        way = {0, kStep};
        break;
    default:
        return QWidget::keyPressEvent(event);
    }
    if (size)
        setSquare(box.center(), box.width() + way.x() - way.y());
    else
        setSquare(box.center() + way, box.width());
}

} // namespace homebooth::app
