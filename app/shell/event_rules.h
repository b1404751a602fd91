// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rules for all fields of the window: Ctrl+Z belongs to the page's undo, the wheel scrolls the page and not
// a field without focus, things dragged over a field go to the window, Ctrl+C copies the text that is chosen
// in a label, Return presses the button that has the focus, Shift+F10 is the menu key, the pointer is over
// no list whose choices were open while it went. Owned by the main window; GUI thread.
#pragma once

#include <QObject>

class QMimeData;
class QWidget;

namespace homebooth::app {

/// In fields with this property every change is a step of the window's undo already, so the keys mean that;
/// all other fields take back what was typed in them, as long as there is anything.
constexpr const char* kWindowUndoProperty = "windowUndo";

/// Whether something that is dragged over a field would become a text that nobody wants, such as a
/// picture's path: also what comes from the window itself.
[[nodiscard]] bool becomesText(const QWidget& widget, const QMimeData& data);

/// What of a drag over a widget is not the widget's.
enum class DragShare {
    Widget, ///< it may have it
    Window, ///< the window takes it
    Nobody
};
/// @param source  null: it comes from another program
[[nodiscard]] DragShare shareOf(const QObject* source, const QWidget& widget, const QMimeData& data);

class EventRules : public QObject {
    Q_OBJECT
public:
    explicit EventRules(QWidget* window);

Q_SIGNALS:
    /// Something came over the window.
    void dragged(const QMimeData* data);
    /// It left the window.
    void dragLeft();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QWidget* m_window;
};

} // namespace homebooth::app
