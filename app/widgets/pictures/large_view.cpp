// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/pictures/large_view.h"

#include "app/library/background.h"
#include "app/library/picture_album.h"
#include "app/library/picture_clip.h"
#include "app/library/thumbnails.h"
#include "app/theme/icons.h"
#include "app/theme/metrics.h"
#include "app/theme/theme.h"
#include "app/widgets/parts.h"
#include "app/widgets/wheel_steps.h"

#include <QFileInfo>
#include <QKeyEvent>
#include <QPainter>

#include <cmath>
#include <utility>

namespace homebooth::app {
namespace {
constexpr double kStep = 1.25;
constexpr double kMostZoom = 32.0;
constexpr double kPan = 80.0;
constexpr int kReadPixels = 4096;    // of the first look; more where it is zoomed into
constexpr int kWholePixels = 16'384; // no picture is larger than that at once
constexpr double kMostEnlarged = 12.0;
constexpr int kLargeStar = 28;
constexpr int kLinesOfTurn = 3; // by which a turn of the wheel moves the words
constexpr double kPageKept = 0.8;

/// F, and the menu's own Ctrl+B.
bool marks(const QKeyEvent& key) {
    const Qt::KeyboardModifiers held = key.modifiers() & ~Qt::KeypadModifier;
    return (key.key() == Qt::Key_F && held == Qt::NoModifier) ||
           (key.key() == Qt::Key_B && held == Qt::ControlModifier);
}

/// What one look at a file gives.
struct Look {
    QImage image;
    core::PictureRecord record;
};

Look lookAt(const QString& path) {
    Look look;
    look.image = loadEdited(path, {}, kReadPixels);
    look.record = pictureRecordOf(path);
    return look;
}

QString unreadableText() {
    return LargeView::tr("The picture cannot be opened: its file is gone or damaged.");
}
} // namespace

LargeView::LargeView(QWidget* parent)
    : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Large view"));
    setCursor(Qt::OpenHandCursor);
    makeTools();
    hide();
    parent->installEventFilter(this);
}

void LargeView::open(const QString& path, const QStringList& all) {
    if (!isVisible()) {
        m_before = window()->focusWidget(); // where the keys go back to
        m_image = {};                       // what was seen last time is another picture
        m_size = {};
        Q_EMIT entered();
    }
    m_all = all.contains(path) ? all : QStringList{path};
    setGeometry(parentWidget()->rect());
    show();
    raise();
    setFocus();
    change(path);
}

void LargeView::setAll(const QStringList& all) {
    if (!isVisible()) return;
    const auto place = m_all.indexOf(m_path);
    m_all = all;
    refreshTools();
    if (m_all.contains(m_path)) return update();
    if (m_all.isEmpty()) return leave();
    change(m_all[qMin(place, m_all.size() - 1)]);
}

void LargeView::setState(const core::PictureState& state) {
    if (m_state == state) return;
    m_state = state;
    refreshTools();
    describe();
    update();
}

void LargeView::setNote(const QString& line) {
    if (m_note == line) return;
    m_note = line;
    describe();
    update();
}

void LargeView::change(const QString& path) {
    m_path = path;
    m_state = {};
    m_note.clear();
    refreshTools();
    load();
    Q_EMIT shown(path);
}

void LargeView::load() {
    m_zoom = 0.0;
    m_shift = {};
    m_wholeAsked = false;
    m_unreadable = false;
    m_factsTop = 0;
    setAccessibleName(tr("Picture %1").arg(QFileInfo(m_path).fileName()));
    inBackground(
        this, [path = m_path] { return lookAt(path); },
        [this, path = m_path](const Look& look) {
            if (m_path != path) return;
            m_record = look.record;
            m_unreadable = look.image.isNull();
            describe();
            take(look.image, QSize(int(look.record.widthPixels), int(look.record.heightPixels)));
        });
}

void LargeView::describe() {
    if (m_record.path != m_path.toStdString()) return; // it is being read
    core::PictureRecord record = m_record;
    // Of a saved moment the file knows the hash alone.
    if (!m_state.model.empty()) record.model = m_state.model;
    m_facts = record.parameters.empty() ? PictureFacts() : PictureFacts::of(record);
    if (m_facts.headline.isEmpty())
        m_facts.headline = m_note;
    else if (!m_note.isEmpty())
        m_facts.lines.prepend(m_note);
    const QStringList words = QStringList{m_facts.headline} + m_facts.lines;
    setAccessibleDescription(m_unreadable ? unreadableText() : words.join(QStringLiteral(", ")));
}

void LargeView::take(const QImage& image, QSize size) {
    m_image = image;
    // A file whose head says another shape than its picture has is believed by its picture.
    const bool alike = size.width() >= image.width() && size.height() >= image.height() &&
                       qAbs(size.width() * image.height() - size.height() * image.width()) <=
                           qMax(size.width(), size.height());
    m_size = alike ? size : image.size();
    update();
}

void LargeView::loadWhole() {
    const bool fine = m_image.width() >= m_size.width() || scale() * m_size.width() <= m_image.width();
    if (fine || std::exchange(m_wholeAsked, true)) return;
    inBackground(
        this, [path = m_path] { return loadEdited(path, {}, kWholePixels); },
        [this, path = m_path](const QImage& image) {
            if (m_path == path && !image.isNull()) take(image, m_size);
        });
}

QRectF LargeView::room() const {
    return QRectF(rect()).adjusted(0, 0, showsFacts() ? -factsWidth() : 0, 0);
}

double LargeView::fitting() const {
    if (m_size.isEmpty()) return 1.0;
    const double wide = (room().width() - 2 * kMargin) / m_size.width();
    const double high = (room().height() - 2 * kMargin) / m_size.height();
    return qMin(kMostEnlarged, qMin(wide, high)) * devicePixelRatioF();
}

QRectF LargeView::place() const {
    const double ratio = devicePixelRatioF();
    QRectF place(QPointF(), QSizeF(m_size) * scale() / ratio);
    place.moveCenter(room().center() + m_shift);
    // On whole pixels of the screen, or every one of the picture's is smeared over two.
    place.moveTopLeft(QPointF(qRound(place.left() * ratio), qRound(place.top() * ratio)) / ratio);
    return place;
}

void LargeView::shift(QPointF by) {
    const QPointF before = m_shift;
    m_shift += by;
    // Some of it stays in sight.
    if (!place().intersects(room().adjusted(kMargin, kMargin, -kMargin, -kMargin))) m_shift = before;
    update();
}

void LargeView::walk(int by) {
    const auto now = m_all.indexOf(m_path);
    const auto next = qBound<qsizetype>(0, now + by, m_all.size() - 1);
    if (next == now) return;
    change(m_all[next]);
}

void LargeView::zoom(double factor, QPointF around) {
    const double before = scale();
    const double after = qBound(qMin(1.0, fitting() / 4), before * factor, kMostZoom);
    const QPointF centre = room().center() + m_shift;
    m_shift += (around - centre) * (1.0 - after / before);
    m_zoom = after;
    loadWhole();
    update();
}

void LargeView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), QColor(12, 13, 15));
    if (m_image.isNull()) {
        painter.setPen(Qt::white);
        painter.drawText(rect(), Qt::AlignCenter | Qt::TextWordWrap,
                         m_unreadable ? unreadableText() : tr("Opening..."));
        return;
    }
    painter.save();
    painter.setClipRect(room());
    // Pictures pixel by pixel and far enlarged ones show their pixels as they are.
    const double drawn = scale() * m_size.width() / m_image.width();
    painter.setRenderHint(QPainter::SmoothPixmapTransform,
                          !qFuzzyCompare(drawn, 1.0) && (m_zoom <= 0.0 || drawn < 8.0));
    painter.drawImage(place(), m_image);
    painter.restore();
    if (showsFacts()) paintFacts(painter);
    if (m_state.favourite) paintStar(painter);
    paintFoot(painter);
}

void LargeView::paintStar(QPainter& painter) const {
    const QRectF picture = place().intersected(room());
    painter.drawPixmap(QPointF(picture.right() - kLargeStar - kGapLabel, picture.top() + kGapLabel),
                       favouriteMark(kLargeStar, devicePixelRatioF()));
}

void LargeView::paintFoot(QPainter& painter) const {
    painter.setPen(QColor(255, 255, 255, 170));
    const auto at = m_all.indexOf(m_path) + 1;
    const QString percent = QLocale().toString(qRound(100.0 * scale()));
    QStringList parts;
    if (m_all.size() > 1) parts.append(tr("%1 of %2").arg(at).arg(m_all.size()));
    parts.append(tr("%1 %").arg(percent));
    parts.append(tr("+ - 0 1: zoom"));
    if (m_state.id != 0)
        parts.append({m_state.favourite ? tr("F: no favourite") : tr("F: favourite"), tr("Del: delete")});
    parts.append(tr("Esc: back"));
    painter.drawText(room().adjusted(kMargin, 4, -kMargin, -4), Qt::AlignBottom | Qt::AlignHCenter,
                     parts.join(QStringLiteral("    ")));
}

bool LargeView::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const bool ours = key->key() == Qt::Key_Delete || marks(*key) || key->matches(QKeySequence::Copy);
        if (ours) event->accept();
    }
    return QWidget::event(event);
}

void LargeView::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy)) return copyPicture(this, m_path);
    if (marks(*event)) return Q_EMIT favouriteWanted(m_path);
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (QToolButton* tool = focusedTool(); enter && tool != nullptr) return tool->click();
    switch (event->key()) {
    case Qt::Key_Escape:
    case Qt::Key_Space:
    case Qt::Key_Return:
    case Qt::Key_Enter:
        return leave();
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        return zoomBy(1);
    case Qt::Key_Minus:
        return zoomBy(-1);
    case Qt::Key_0:
        return zoomBy(0);
    case Qt::Key_1:
        return zoom(1.0 / scale(), room().center());
    case Qt::Key_Delete:
        return Q_EMIT trashWanted(m_path);
    case Qt::Key_I:
        m_wantsFacts = !m_wantsFacts;
        return update();
    case Qt::Key_PageUp:
    case Qt::Key_PageDown:
        return moveFacts(int(kPageKept * height()) * (event->key() == Qt::Key_PageUp ? -1 : 1));
    case Qt::Key_Home:
    case Qt::Key_End:
        return walk(static_cast<int>(m_all.size()) * (event->key() == Qt::Key_Home ? -1 : 1));
    default:
        break;
    }
    const QPoint arrow = arrowOf(event->key());
    if (arrow.isNull()) return QWidget::keyPressEvent(event);
    // A picture larger than the view is moved with Shift, or it would take the mouse to see it all.
    if (!event->modifiers().testFlag(Qt::ShiftModifier)) return walk(arrow.x() + arrow.y());
    shift(-QPointF(arrow) * kPan);
}

QPoint LargeView::arrowOf(int key) {
    return key == Qt::Key_Left    ? QPoint(-1, 0)
           : key == Qt::Key_Right ? QPoint(1, 0)
           : key == Qt::Key_Up    ? QPoint(0, -1)
           : key == Qt::Key_Down  ? QPoint(0, 1)
                                  : QPoint();
}

void LargeView::zoomBy(int steps) {
    if (steps == 0) return fit();
    zoom(steps > 0 ? kStep : 1.0 / kStep, room().center());
}

void LargeView::fit() {
    m_zoom = 0.0;
    m_shift = {};
    update();
}

void LargeView::leave() {
    if (!isVisible()) return;
    hide();
    m_tools->hide();
    if (m_before) m_before->setFocus();
    Q_EMIT left();
}

void LargeView::wheelEvent(QWheelEvent* event) {
    const double steps = wheelSteps(*event); // 0 where fingers leave a touchpad: what fits goes on to fit
    event->accept();
    if (steps == 0.0) return;
    if (overFacts(event->position()))
        return moveFacts(-qRound(steps * kLinesOfTurn * fontMetrics().lineSpacing()));
    zoom(std::pow(kStep, steps), event->position());
}

void LargeView::mousePressEvent(QMouseEvent* event) {
    m_grab = event->position();
    m_dragged = false;
}

void LargeView::mouseMoveEvent(QMouseEvent* event) {
    revealTools();
    if (!(event->buttons() & Qt::LeftButton)) return;
    shift(event->position() - m_grab);
    m_grab = event->position();
    m_dragged = true;
}

void LargeView::mouseReleaseEvent(QMouseEvent* event) {
    if (!m_dragged && room().contains(event->position()) && !place().contains(event->position())) leave();
}

bool LargeView::eventFilter(QObject* watched, QEvent* event) {
    if (watched == parentWidget() && event->type() == QEvent::Resize) setGeometry(parentWidget()->rect());
    return QWidget::eventFilter(watched, event);
}

} // namespace homebooth::app
