// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/pictures/thumbnail_grid.h"

#include "app/library/picture_clip.h"
#include "app/theme/icons.h"
#include "app/theme/metrics.h"
#include "app/theme/theme.h"

#include <QDrag>
#include <QKeyEvent>
#include <QMimeData>
#include <QPainter>
#include <QPainterPath>
#include <QStyle>
#include <QWheelEvent>

#include <utility>

namespace homebooth::app {
namespace {

constexpr int kPadding = 6;
constexpr int kStarSize = 20;

struct StateSign {
    QString icon;
    QColor colour;
};

StateSign signOf(ThumbnailState state) {
    switch (state) {
    case ThumbnailState::Good:
        return {QStringLiteral("ok"), colours().good};
    case ThumbnailState::Caution:
        return {QStringLiteral("caution"), colours().caution};
    case ThumbnailState::Bad:
        return {QStringLiteral("error"), colours().error};
    case ThumbnailState::LeftOut:
        return {QStringLiteral("leave-out"), colours().muted};
    case ThumbnailState::Checking:
        return {QStringLiteral("clock"), colours().muted};
    case ThumbnailState::None:
        break;
    }
    return {};
}

} // namespace

ThumbnailDelegate::ThumbnailDelegate(Thumbnails& thumbnails, QObject* parent)
    : QStyledItemDelegate(parent)
    , m_thumbnails(thumbnails) {}

void ThumbnailDelegate::setLook(int pixels, int lines) {
    m_side = pixels;
    m_lines = lines;
}

QSize ThumbnailDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const {
    const int text = m_lines > 0 ? option.fontMetrics.height() + kGapLabel : 0;
    return {m_side + 2 * kPadding, m_side + 2 * kPadding + text};
}

void ThumbnailDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                              const QModelIndex& index) const {
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setRenderHint(QPainter::SmoothPixmapTransform);
    const Colours& c = colours();
    const QRectF whole = QRectF(option.rect).adjusted(1, 1, -1, -1);
    const bool selected = option.state & QStyle::State_Selected;
    const bool over = option.state & QStyle::State_MouseOver;
    const bool focused = option.state & QStyle::State_HasFocus; // by Ctrl and arrows, also of one not chosen
    if (selected || over || focused) {
        painter->setPen(focused    ? QPen(c.link, 2)
                        : selected ? QPen(c.strong ? c.link : mixed(c.link, c.window, 0.45), 1)
                                   : QPen(Qt::NoPen));
        painter->setBrush(selected ? QBrush(mixed(c.accent, c.window, c.dark ? 0.30 : 0.12))
                          : over   ? QBrush(c.hover)
                                   : QBrush(Qt::NoBrush));
        painter->drawRoundedRect(whole.adjusted(1, 1, -1, -1), kRadius, kRadius);
    }
    const double ratio = painter->device()->devicePixelRatioF();
    const QRect place(option.rect.left() + kPadding, option.rect.top() + kPadding, m_side, m_side);
    paintPicture(painter, place, index, ratio);
    if (m_lines > 0) {
        const QRect words(place.left() + 2, place.bottom() + kGapInside, m_side - 4,
                          option.fontMetrics.height() + 2);
        painter->setFont(option.font);
        painter->setPen(c.secondary(selected || over)); // unless the state is one to look at
        paintState(painter, words, index, ratio);
    }
    if (index.data(FavouriteRole).toBool())
        painter->drawPixmap(place.right() - kStarSize - 4, place.top() + 4, favouriteMark(kStarSize, ratio));
    painter->restore();
}

void ThumbnailDelegate::paintFrame(QPainter* painter, const QRect& place, const QModelIndex& index,
                                   bool awaited) {
    const Colours& c = colours();
    painter->setPen(QPen(c.hairline, 1, awaited ? Qt::DashLine : Qt::SolidLine));
    painter->setBrush(mixed(c.text, c.window, 0.04));
    painter->drawRoundedRect(QRectF(place).adjusted(0.5, 0.5, -0.5, -0.5), kRadius, kRadius);
    const QString overlay = index.data(OverlayRole).toString();
    painter->setPen(c.muted);
    if (!overlay.isEmpty()) painter->drawText(place, Qt::AlignCenter | Qt::TextWordWrap, overlay);
}

void ThumbnailDelegate::paintPicture(QPainter* painter, const QRect& place, const QModelIndex& index,
                                     double ratio) const {
    const QString path = index.data(PathRole).toString();
    ThumbnailKey key{path, index.data(EditRole).value<core::PhotoEdit>(), qRound(m_side * ratio)};
    const QImage image = path.isEmpty() ? QImage() : m_thumbnails.find(key);
    if (image.isNull()) {
        paintFrame(painter, place, index, path.isEmpty());
        const bool said = !index.data(OverlayRole).toString().isEmpty();
        if (!path.isEmpty() && !said && m_thumbnails.unreadable(key)) {
            const int sign = m_side / 4;
            painter->drawPixmap(place.center().x() - sign / 2, place.center().y() - sign / 2,
                                iconPixmap(QStringLiteral("image"), colours().muted, sign, ratio));
        }
        return;
    }
    // Small generated pictures are shown larger, never softer than they are.
    const QSizeF shown = QSizeF(image.size()).scaled(place.size(), Qt::KeepAspectRatio);
    QRectF target(QPointF(), shown);
    target.moveCenter(QRectF(place).center());
    QPainterPath clip;
    clip.addRoundedRect(target, kRadius - 2, kRadius - 2);
    painter->save();
    painter->setClipPath(clip);
    if (index.data(DimmedRole).toBool()) painter->setOpacity(0.35);
    painter->drawImage(target, image);
    paintCut(painter, target, index.data(LearnedPartRole).toRectF());
    painter->restore();
    const QString overlay = index.data(OverlayRole).toString();
    if (overlay.isEmpty()) return;
    const QRectF strip(target.left(), target.bottom() - painter->fontMetrics().height() - 4, target.width(),
                       painter->fontMetrics().height() + 4);
    painter->save();
    painter->setClipPath(clip);
    painter->fillRect(strip, QColor(0, 0, 0, 150));
    painter->setPen(Qt::white);
    painter->drawText(strip, Qt::AlignCenter, overlay);
    painter->restore();
}

void ThumbnailDelegate::paintCut(QPainter* painter, const QRectF& picture, const QRectF& part) {
    if (part.isEmpty()) return;
    const QRectF kept(picture.left() + part.left() * picture.width(),
                      picture.top() + part.top() * picture.height(), part.width() * picture.width(),
                      part.height() * picture.height());
    QPainterPath cut;
    cut.addRect(picture);
    cut.addRect(kept); // what lies in both is outside
    painter->fillPath(cut, QColor(0, 0, 0, 150));
    painter->setPen(QPen(Qt::white, 1));
    painter->setBrush(Qt::NoBrush);
    painter->drawRect(kept.adjusted(0.5, 0.5, -0.5, -0.5));
}

void ThumbnailDelegate::paintState(QPainter* painter, const QRect& place, const QModelIndex& index,
                                   double ratio) const {
    const auto state = static_cast<ThumbnailState>(index.data(StateRole).toInt());
    const StateSign sign = signOf(state);
    QRect words = place;
    if (!sign.icon.isEmpty()) {
        painter->drawPixmap(place.left(), place.top() + (place.height() - kIconSize) / 2,
                            iconPixmap(sign.icon, sign.colour, kIconSize, ratio));
        words.setLeft(place.left() + kIconSize + kGapInside + 1);
    }
    const QString text = state == ThumbnailState::None ? index.data(Qt::DisplayRole).toString()
                                                       : index.data(StateTextRole).toString();
    if (state != ThumbnailState::Checking && state != ThumbnailState::LeftOut)
        painter->setPen(colours().text);
    painter->drawText(words, Qt::AlignVCenter | Qt::AlignLeft,
                      painter->fontMetrics().elidedText(text, Qt::ElideRight, words.width()));
}

QMimeData* mimeOfPictures(const QModelIndexList& chosen) {
    QStringList paths;
    for (const QModelIndex& index : chosen)
        if (!index.data(GoneRole).toBool()) paths.append(index.data(PathRole).toString());
    return mimeOfFiles(paths);
}

void dragPictures(QWidget* source, const QModelIndexList& chosen) {
    QMimeData* dragged = mimeOfPictures(chosen);
    if (dragged == nullptr) return;
    auto* drag = new QDrag(source);
    drag->setMimeData(dragged);
    drag->exec(Qt::CopyAction);
}

ThumbnailGrid::ThumbnailGrid(Thumbnails& thumbnails, QWidget* parent)
    : QListView(parent)
    , m_delegate(new ThumbnailDelegate(thumbnails, this)) {
    setItemDelegate(m_delegate);
    setViewMode(QListView::IconMode);
    setMovement(QListView::Static);
    setResizeMode(QListView::Adjust);
    setUniformItemSizes(true);
    setLayoutMode(QListView::Batched);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setFrameShape(QFrame::NoFrame);
    setSpacing(2);
    setMouseTracking(true);
    setDragEnabled(true);
    setDragDropMode(QAbstractItemView::DragOnly);
    viewport()->setAutoFillBackground(false);
    connect(&thumbnails, &Thumbnails::ready, this, [this] { viewport()->update(); });
    connect(this, &QAbstractItemView::doubleClicked, this, &ThumbnailGrid::opened);
}

void ThumbnailGrid::setLook(int pixels, int lines) {
    m_delegate->setLook(pixels, lines);
    scheduleDelayedItemsLayout();
}

void ThumbnailGrid::setFittedLook(int pixels, int lines) {
    m_fitted = pixels;
    m_fittedLines = lines;
    m_fittedSide = 0;
    fit();
}

void ThumbnailGrid::fit() {
    constexpr int kStep = 8; // each size needs thumbnails of its own
    if (m_fitted == 0) return;
    const int beside = 2 * (kPadding + spacing());
    // The scroll bar has its room also while there is none: or each would bring the other.
    const int room = width() - spacing() - style()->pixelMetric(QStyle::PM_ScrollBarExtent, nullptr, this);
    const int columns = qMax(1, qRound(double(room) / (m_fitted + beside)));
    const int side = qMax(kStep, (room / columns - beside) / kStep * kStep);
    if (side != std::exchange(m_fittedSide, side)) setLook(side, m_fittedLines);
}

void ThumbnailGrid::resizeEvent(QResizeEvent* event) {
    QListView::resizeEvent(event);
    fit();
}

void ThumbnailGrid::setEmptyText(const QString& text) {
    m_emptyText = text;
    viewport()->update();
}

void ThumbnailGrid::keyPressEvent(QKeyEvent* event) {
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    const bool control = event->modifiers().testFlag(Qt::ControlModifier);
    if (event->key() == Qt::Key_Space && currentIndex().isValid()) {
        if (!control) return Q_EMIT large(currentIndex());
        return selectionModel()->select(currentIndex(), selectionCommand(currentIndex(), event));
    }
    if (enter && !control && currentIndex().isValid()) return Q_EMIT opened(currentIndex());
    QListView::keyPressEvent(event);
}

void ThumbnailGrid::paintEvent(QPaintEvent* event) {
    QListView::paintEvent(event);
    if (m_dropRow >= 0) {
        QPainter line(viewport());
        paintDropLine(line);
    }
    if (m_emptyText.isEmpty() || (model() != nullptr && model()->rowCount(rootIndex()) > 0)) return;
    QPainter painter(viewport());
    painter.setPen(colours().muted);
    painter.drawText(viewport()->rect().adjusted(kPageMargin, kPageMargin, -kPageMargin, -kPageMargin),
                     Qt::AlignCenter | Qt::TextWordWrap, m_emptyText);
}

void ThumbnailGrid::wheelEvent(QWheelEvent* event) {
    if (event->modifiers().testFlag(Qt::ControlModifier)) return event->ignore();
    QListView::wheelEvent(event);
}

} // namespace homebooth::app
