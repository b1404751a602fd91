// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/window_place.h"

#include "app/settings/settings.h"
#include "app/shell/main_window.h"

#include <QEvent>
#include <QGuiApplication>
#include <QScreen>
#include <QWindow>

#include <algorithm>

namespace homebooth::app {
namespace {

constexpr QSize kFirstSize(1180, 780);
constexpr QSize kUsualFrame(8, 40); // around a window; only once it is shown its own can be asked for
constexpr Qt::WindowStates kAllOfIt = Qt::WindowMaximized | Qt::WindowFullScreen;

QSize frameOf(const QWidget& window) {
    return window.isVisible() ? window.frameGeometry().size() - window.size() : kUsualFrame;
}

/// Makes a window that is neither maximised nor in full screen no larger than there is room, and moves it
/// there.
void putInto(const QRect& available, QWidget& window) {
    const QSize frame = frameOf(window);
    const QSize size = window.size().boundedTo(available.size() - frame);
    if (size != window.size()) window.resize(size);
    if (!window.isVisible()) return; // the desktop finds a place for it
    const QSize outer = size + frame;
    const QPoint last(available.right() + 1 - outer.width(), available.bottom() + 1 - outer.height());
    const QPoint at(std::max(available.left(), std::min(window.x(), last.x())),
                    std::max(available.top(), std::min(window.y(), last.y())));
    if (at != window.pos()) window.move(at);
}

/// Lets the window be as small as the room. @returns  whether it could not before
bool lowerLeast(MainWindow& window, const QRect& available) {
    const QSize before = window.minimumSize();
    // As wide as a maximised one, which has no sides.
    window.fitInto({available.width(), available.height() - frameOf(window).height()});
    return window.minimumSize() != before;
}

class ScreenWatch : public QObject {
public:
    explicit ScreenWatch(MainWindow& window)
        : QObject(&window)
        , m_window(window) {
        window.installEventFilter(this);
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() != QEvent::Show || m_screen != nullptr) return QObject::eventFilter(watched, event);
        connect(m_window.windowHandle(), &QWindow::screenChanged, this, &ScreenWatch::change);
        follow(m_window.screen());
        return false;
    }

private:
    void follow(QScreen* screen) {
        disconnect(m_heard);
        m_screen = screen;
        m_heard = connect(screen, &QScreen::availableGeometryChanged, this,
                          [this](const QRect& available) { fitIntoScreen(m_window, available); });
    }
    void change(QScreen* screen) {
        if (screen == nullptr) return; // none is left, for a moment
        const bool gone = !QGuiApplication::screens().contains(m_screen);
        follow(screen);
        // One that is being moved may well lie on both.
        if (gone)
            fitIntoScreen(m_window, screen->availableGeometry());
        else
            lowerLeast(m_window, screen->availableGeometry());
    }

    MainWindow& m_window;
    QScreen* m_screen = nullptr; ///< compared alone: it may be gone
    QMetaObject::Connection m_heard;
};

} // namespace

void keepPlace(const MainWindow& window, Settings& settings) {
    settings.set(keys::kGeometry, window.saveGeometry());
    settings.set(keys::kWindowSize, window.normalGeometry().size());
    settings.set(keys::kWindowState, static_cast<int>(window.windowState() & kAllOfIt));
}

void restorePlace(MainWindow& window, const Settings& settings) {
    const QRect available = window.screen()->availableGeometry();
    const QByteArray geometry = settings.value(keys::kGeometry).toByteArray();
    if (!window.restoreGeometry(geometry)) { // none, or of a screen that was much wider or narrower
        const bool kept = !geometry.isEmpty() && settings.value(keys::kWindowSize).isValid();
        const QSize size = kept ? settings.value(keys::kWindowSize).toSize() : kFirstSize;
        window.resize(size.boundedTo(available.size() - kUsualFrame));
        const int state = kept ? settings.value(keys::kWindowState).toInt() : 0;
        window.setWindowState(window.windowState() | Qt::WindowStates(state));
    }
    fitIntoScreen(window, window.screen()->availableGeometry()); // where it is now
}

void fitIntoScreen(MainWindow& window, const QRect& available) {
    if (available.isEmpty()) return; // a screen that is off
    const bool scrolls = lowerLeast(window, available);
    if (!(window.windowState() & kAllOfIt)) putInto(available, window);
    if (scrolls)
        window.setWindowState(window.windowState() | Qt::WindowMaximized); // it needs all of the room
}

void followScreen(MainWindow& window) {
    new ScreenWatch(window);
}

} // namespace homebooth::app
