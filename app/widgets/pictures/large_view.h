// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A picture as large as the window: arrows, Home and End walk, + - zoom, 0 fits, 1 shows pixel by pixel,
// also on screens of high density; dragging and Shift with arrows pan, Ctrl+C copies, I hides the words
// beside it, Page Up and Page Down move them, Del and F ask to delete it and to mark it, Esc goes back.
// Buttons for the mouse show while it moves. GUI thread.
#pragma once

#include "app/library/picture_facts.h"
#include "core/library/picture_store.h"

#include <QFont>
#include <QImage>
#include <QPointer>
#include <QStringList>
#include <QTimer>
#include <QWidget>

#include <vector>

class QToolButton;

namespace homebooth::app {

class Card;

class LargeView : public QWidget {
    Q_OBJECT
public:
    explicit LargeView(QWidget* parent);
    /// Shows `path` over the parent. @param all  what the arrows walk through
    void open(const QString& path, const QStringList& all);
    /// Takes what there is now; if the one that is shown is gone, the one in its place follows, or the end.
    void setAll(const QStringList& all);
    void leave();
    /// @param steps  in, or out below 0; 0: fits
    void zoomBy(int steps);
    /// What the library has of the picture in view: deleting it and marking it is offered for those alone,
    /// and its model has the name that the library has for it.
    void setState(const core::PictureState& state);
    [[nodiscard]] const core::PictureState& state() const { return m_state; }
    /// A line about the picture in view that neither its file nor the library has; empty: there is none.
    void setNote(const QString& line);
    [[nodiscard]] const QString& path() const { return m_path; }
    /// Pixels of the screen for one of the picture.
    [[nodiscard]] double zoomFactor() const { return scale(); }
    /// Where the picture lies within the view.
    [[nodiscard]] QRectF pictureRect() const { return place(); }
    /// Whether there is room for the words beside the picture, and something to say.
    [[nodiscard]] bool showsFacts() const;
    /// How far those words can be moved, in pixels; 0: all of them are seen.
    [[nodiscard]] int factsRange() const;

Q_SIGNALS:
    void entered();                  ///< it covers the window from now on
    void left();                     ///< it does not any more
    void shown(const QString& path); ///< this picture is in view now
    void trashWanted(const QString& path);
    void favouriteWanted(const QString& path);
    void startWanted(const QString& path); ///< other pictures are to begin from it

protected:
    /// Keys of menus whose commands are meant for the picture here.
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    /// Tab walks through the buttons alone, and shows them.
    bool focusNextPrevChild(bool next) override;

private:
    void makeTools();
    void refreshTools();
    void revealTools();
    void hideTools();
    /// The button that has the focus; null: none of them.
    [[nodiscard]] QToolButton* focusedTool() const;
    void load();
    void loadWhole();
    /// Takes what was read of the picture in view.
    void take(const QImage& image, QSize size);
    /// Puts into words how the picture in view was made, once it was read.
    void describe();
    /// One of the words' parts, within the whole of them.
    struct Paragraph {
        QString text;
        QFont font;
        QColor colour;
        QRect place;
    };
    [[nodiscard]] std::vector<Paragraph> paragraphs() const;
    [[nodiscard]] int factsWidth() const;
    [[nodiscard]] bool overFacts(QPointF place) const;
    void moveFacts(int by);
    void paintFacts(QPainter& painter) const;
    void paintMoreFacts(QPainter& painter, const QRect& part, int top, int range) const;
    void paintFoot(QPainter& painter) const;
    void paintStar(QPainter& painter) const;
    /// The part of the view that the picture has.
    [[nodiscard]] QRectF room() const;
    void shift(QPointF by);
    void walk(int by);
    void zoom(double factor, QPointF around);
    void fit();
    void change(const QString& path);
    [[nodiscard]] static QPoint arrowOf(int key);
    [[nodiscard]] double fitting() const;
    [[nodiscard]] double scale() const { return m_zoom > 0.0 ? m_zoom : fitting(); }
    [[nodiscard]] QRectF place() const;

    static constexpr int kMargin = 24;

    QString m_path;
    QStringList m_all;
    QImage m_image;               ///< perhaps smaller than the picture
    QSize m_size;                 ///< of the picture
    core::PictureRecord m_record; ///< what the picture that was read last says of itself
    PictureFacts m_facts;
    core::PictureState m_state;
    QString m_note;
    bool m_wantsFacts = true;
    int m_factsTop = 0; ///< of the words, how much lies above the view
    bool m_wholeAsked = false;
    bool m_unreadable = false; ///< the picture in view was looked for, and cannot be shown
    QPointer<QWidget> m_before;
    double m_zoom = 0.0; ///< pixels of the screen for one of the picture; 0: fits
    QPointF m_shift;
    QPointF m_grab;
    bool m_dragged = false;
    Card* m_tools = nullptr;
    QList<QToolButton*> m_buttons;
    QToolButton* m_earlier = nullptr;
    QToolButton* m_later = nullptr;
    QToolButton* m_mark = nullptr;
    QToolButton* m_trash = nullptr;
    QTimer m_idle;
};

} // namespace homebooth::app
