// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A grid of small pictures over any model that answers the roles below: one stop of the Tab key, arrows
// within, Ctrl with them and with Space chooses some here and there, pictures drag out to other
// programs, ten thousand items without stutter. GUI thread.
#pragma once

#include "app/library/thumbnails.h"

#include <QListView>
#include <QStyledItemDelegate>

class QMimeData;

namespace homebooth::app {

/// What a model says of an item; the display role is its first line.
enum ThumbnailRole {
    PathRole = Qt::UserRole + 1, ///< QString; empty: nothing to show yet
    EditRole,                    ///< core::PhotoEdit
    StateRole,                   ///< ThumbnailState
    StateTextRole,               ///< QString: the word beside the state's sign
    FavouriteRole,               ///< bool
    DimmedRole,                  ///< bool: kept out
    RecordIdRole,                ///< qlonglong: key in the library; 0: none
    OverlayRole,                 ///< QString over an item without picture, e.g. "step 12/20"
    GoneRole,                    ///< bool: its file is not there any more
    LearnedPartRole,             ///< QRectF: the part that is learned, of 1 x 1; null: all of it
};

enum class ThumbnailState { None, Checking, Good, Caution, Bad, LeftOut };

class ThumbnailDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    ThumbnailDelegate(Thumbnails& thumbnails, QObject* parent);
    /// @param pixels  side of the picture's place; @param lines  of text below it, 0 or 1
    void setLook(int pixels, int lines);
    [[nodiscard]] int side() const { return m_side; }
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    /// The place of a picture that is not there yet. @param awaited  its file does not exist so far
    static void paintFrame(QPainter* painter, const QRect& place, const QModelIndex& index, bool awaited);
    void paintPicture(QPainter* painter, const QRect& place, const QModelIndex& index, double ratio) const;
    /// Darkens what is not learned. @param picture  where all of it lies. @param part  of 1 x 1
    static void paintCut(QPainter* painter, const QRectF& picture, const QRectF& part);
    void paintState(QPainter* painter, const QRect& place, const QModelIndex& index, double ratio) const;

    Thumbnails& m_thumbnails;
    int m_side = 160;
    int m_lines = 1;
};

/// The files of chosen items as other programs take them. @returns null if there are none; the caller owns it
[[nodiscard]] QMimeData* mimeOfPictures(const QModelIndexList& chosen);

/// Lets the files of chosen items be dragged to other programs.
void dragPictures(QWidget* source, const QModelIndexList& chosen);

class ThumbnailGrid : public QListView {
    Q_OBJECT
public:
    explicit ThumbnailGrid(Thumbnails& thumbnails, QWidget* parent = nullptr);
    void setLook(int pixels, int lines);
    /// The same for pictures of about this size: of the one by which they fill the width.
    void setFittedLook(int pixels, int lines);
    /// A sentence in the middle while the model has no rows.
    void setEmptyText(const QString& text);
    /// Lets chosen pictures be dragged to another place among the others; `moved` asks for it.
    void setReorders(bool reorders);
    /// What is dragged of the chosen ones. @returns null if there are none; the caller owns it
    [[nodiscard]] QMimeData* dragged() const;
    /// Before which row something dropped here goes; the number of rows: behind all.
    [[nodiscard]] int dropRowAt(const QPoint& place) const;

Q_SIGNALS:
    void opened(const QModelIndex& index); ///< double click, Return
    void large(const QModelIndex& index);  ///< Space
    void moved(int before);                ///< the chosen ones, to before this row as it is now

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragMoveEvent(QDragMoveEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void startDrag(Qt::DropActions actions) override;
    void paintEvent(QPaintEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void fit();
    /// Tells this grid's own drags from all others.
    [[nodiscard]] QByteArray ownMark() const;
    [[nodiscard]] bool isOwn(const QDropEvent& event) const;
    void setDropRow(int row);
    void paintDropLine(QPainter& painter) const;

    ThumbnailDelegate* m_delegate = nullptr;
    QString m_emptyText;
    bool m_reorders = false;
    int m_fitted = 0; ///< the size that was asked for, pixels; 0: it is taken as it is
    int m_fittedLines = 0;
    int m_fittedSide = 0; ///< as they are shown
    int m_dropRow = -1;   ///< before which what is dragged would go; -1: nothing is
};

} // namespace homebooth::app

Q_DECLARE_METATYPE(homebooth::core::PhotoEdit)
