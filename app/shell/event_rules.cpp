// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/event_rules.h"

#include "app/shell/drops/drop_content.h"
#include "app/shell/drops/drop_overlay.h"
#include "app/shell/navigation.h"

#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QCursor>
#include <QDragEnterEvent>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSlider>
#include <QToolButton>
#include <QWindow>

namespace homebooth::app {

namespace {

/// Whether a field has something of its own to take back (or to do again).
bool canUndoItself(const QWidget& widget, bool undo) {
    if (widget.property(kWindowUndoProperty).toBool()) return false;
    if (const auto* line = qobject_cast<const QLineEdit*>(&widget))
        return undo ? line->isUndoAvailable() : line->isRedoAvailable();
    if (const auto* text = qobject_cast<const QPlainTextEdit*>(&widget))
        return undo ? text->document()->isUndoAvailable() : text->document()->isRedoAvailable();
    return false;
}

/// Whether a label has chosen text, which the key for copying means, and no menu's command.
bool copiesItself(const QWidget& widget, const QKeyEvent& key) {
    const auto* label = qobject_cast<const QLabel*>(&widget);
    return label != nullptr && key.matches(QKeySequence::Copy) && label->hasSelectedText();
}

/// The other key for doing again, which Qt's own fields do not know on every desktop.
bool isSecondRedo(const QKeyEvent& key) {
    return key.key() == Qt::Key_Y && key.modifiers() == Qt::ControlModifier;
}

/// Lets a field do again what it took back itself.
void redoItself(QWidget& widget) {
    if (auto* line = qobject_cast<QLineEdit*>(&widget)) line->redo();
    if (auto* text = qobject_cast<QPlainTextEdit*>(&widget)) text->redo();
}

/// Whether a key is Return on a button, which Space alone presses in Qt; in dialogs Qt knows itself which
/// one it means. What is only ticked or chosen is left to Space and the arrows.
bool presses(const QWidget& widget, const QKeyEvent& key) {
    const bool plain = (key.modifiers() & ~Qt::KeypadModifier) == Qt::NoModifier && !key.isAutoRepeat();
    if (!plain || (key.key() != Qt::Key_Return && key.key() != Qt::Key_Enter)) return false;
    if (const auto* push = qobject_cast<const QPushButton*>(&widget)) return !push->autoDefault();
    return qobject_cast<const QToolButton*>(&widget) != nullptr ||
           qobject_cast<const NavigationButton*>(&widget) != nullptr;
}

/// Whether a key is the widget's own or one of the window's menus. @returns  false: the widget may say
bool decides(const QWidget& widget, QKeyEvent& key) {
    if (copiesItself(widget, key)) {
        key.accept();
        return true;
    }
    const bool undo = key.matches(QKeySequence::Undo);
    if (!undo && !key.matches(QKeySequence::Redo) && !isSecondRedo(key)) return false;
    const bool itself = canUndoItself(widget, undo);
    if (itself && !isSecondRedo(key)) return false;
    key.setAccepted(itself);
    return true;
}

/// Opens the menu of what has the focus, as the key does for it that not all keyboards have.
void openMenu(QWidget& widget) {
    const QPoint place = widget.inputMethodQuery(Qt::ImCursorRectangle).toRect().center();
    QContextMenuEvent menu(QContextMenuEvent::Keyboard, place, widget.mapToGlobal(place));
    QApplication::sendEvent(&widget, &menu);
}

/// Does what a key means wherever it is pressed. @returns  false: it is the widget's
bool takes(QWidget& widget, const QKeyEvent& key) {
    if (presses(widget, key))
        static_cast<QAbstractButton&>(widget).click();
    else if (key.key() == Qt::Key_F10 && key.modifiers() == Qt::ShiftModifier)
        openMenu(widget);
    else if (isSecondRedo(key) && canUndoItself(widget, false))
        redoItself(widget);
    else
        return false;
    return true;
}

/// What the wheel would change.
bool turns(const QWidget& widget) {
    return qobject_cast<const QComboBox*>(&widget) != nullptr ||
           qobject_cast<const QAbstractSpinBox*>(&widget) != nullptr ||
           qobject_cast<const QSlider*>(&widget) != nullptr;
}

/// Takes the wheel as a reason for the focus from a field: Qt gives it before any rule here hears of the
/// turn, and the field would turn along.
void leaveFocusToOthers(QWidget& widget) {
    if (turns(widget) && widget.focusPolicy() == Qt::WheelFocus) widget.setFocusPolicy(Qt::StrongFocus);
}

/// The pointer left a field while its list was open, of which Qt tells it nothing: else it looks as if the
/// pointer were over it until that comes by.
void noteLeft(const QWidget& closed) {
    auto* field = closed.isWindow() ? qobject_cast<QComboBox*>(closed.parentWidget()) : nullptr;
    if (field == nullptr || field->rect().contains(field->mapFromGlobal(QCursor::pos()))) return;
    field->setAttribute(Qt::WA_UnderMouse, false);
    field->update();
}

} // namespace

bool becomesText(const QWidget& widget, const QMimeData& data) {
    const bool field = qobject_cast<const QLineEdit*>(&widget) != nullptr ||
                       qobject_cast<const QPlainTextEdit*>(&widget) != nullptr ||
                       qobject_cast<const QPlainTextEdit*>(widget.parentWidget()) != nullptr; // its viewport
    return field && maybeOurs(data);
}

DragShare shareOf(const QObject* source, const QWidget& widget, const QMimeData& data) {
    if (source == nullptr && maybeOurs(data)) return DragShare::Window;
    return becomesText(widget, data) ? DragShare::Nobody : DragShare::Widget;
}

EventRules::EventRules(QWidget* window)
    : QObject(window)
    , m_window(window) {
    qApp->installEventFilter(this);
}

bool EventRules::eventFilter(QObject* watched, QEvent* event) {
    // A drag that was not taken yet leaves the window itself, no widget in it.
    if (event->type() == QEvent::DragLeave && watched == m_window->windowHandle()) Q_EMIT dragLeft();
    if (!watched->isWidgetType()) return false;
    auto* widget = static_cast<QWidget*>(watched);
    switch (event->type()) {
    case QEvent::ShortcutOverride:
        return decides(*widget, *static_cast<QKeyEvent*>(event));
    case QEvent::KeyPress:
        return takes(*widget, *static_cast<QKeyEvent*>(event));
    case QEvent::Show:
        leaveFocusToOthers(*widget);
        return false;
    case QEvent::Hide:
        noteLeft(*widget);
        return false;
    case QEvent::Wheel:
        if (!turns(*widget) || widget->hasFocus()) return false;
        event->ignore();
        return true;
    case QEvent::DragEnter: {
        auto* drag = static_cast<QDragEnterEvent*>(event);
        if (widget->window() != m_window || qobject_cast<DropOverlay*>(widget) != nullptr) return false;
        const DragShare share = shareOf(drag->source(), *widget, *drag->mimeData());
        if (share == DragShare::Widget) return false;
        if (share == DragShare::Window) Q_EMIT dragged(drag->mimeData());
        event->ignore();
        return true;
    }
    default:
        return false;
    }
}

} // namespace homebooth::app
