// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A wall of pictures under headings: cells of one size that fill the width, so that the place of any of
// them is arithmetic and ten thousand cost what ten do. Paints what is seen alone. One stop of the Tab
// key, arrows within, Ctrl with them and with Space chooses some here and there; pictures drag out to
// other programs; a screen reader has it as a list. What is in view stays there while rows come and go.
// GUI thread.
#pragma once

#include "app/widgets/pictures/thumbnail_grid.h"

#include <QAbstractItemView>
#include <QAccessible>
#include <QPersistentModelIndex>
#include <QSet>

#include <functional>
#include <vector>

namespace homebooth::app {

/// Rows of a model from `first` on, up to the next section.
struct GridSection {
    int first = 0;
    QString title;
};

class SectionGrid : public QAbstractItemView {
    Q_OBJECT
public:
    explicit SectionGrid(Thumbnails& thumbnails, QWidget* parent = nullptr);
    /// @param source  asked whenever rows came or went; its sections are in the order of rows
    void setSections(std::function<std::vector<GridSection>()> source);
    /// @param pixels  least side of a cell; cells grow until they fill the width
    void setSide(int pixels);
    /// What tells an item from others for good: with it choice and place outlast a reset of the model.
    void setKeyRole(int role) { m_keyRole = role; }
    /// A sentence in the middle while the model has no rows.
    void setEmptyText(const QString& text);
    [[nodiscard]] int columns() const { return m_columns; }

    void setModel(QAbstractItemModel* model) override;
    [[nodiscard]] QRect visualRect(const QModelIndex& index) const override;
    void scrollTo(const QModelIndex& index, ScrollHint hint = EnsureVisible) override;
    [[nodiscard]] QModelIndex indexAt(const QPoint& point) const override;
    void reset() override;
    void doItemsLayout() override;

Q_SIGNALS:
    void opened(const QModelIndex& index); ///< double click, Return
    void large(const QModelIndex& index);  ///< Space

protected:
    /// Tells a screen reader what happened to a picture.
    virtual void tellReader(QAccessible::Event what, const QModelIndex& index);
    QModelIndex moveCursor(CursorAction action, Qt::KeyboardModifiers modifiers) override;
    [[nodiscard]] int horizontalOffset() const override { return 0; }
    [[nodiscard]] int verticalOffset() const override;
    [[nodiscard]] bool isIndexHidden(const QModelIndex&) const override { return false; }
    void setSelection(const QRect& rect, QItemSelectionModel::SelectionFlags command) override;
    [[nodiscard]] QRegion visualRegionForSelection(const QItemSelection& selection) const override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void startDrag(Qt::DropActions actions) override;
    void updateGeometries() override;
    void rowsInserted(const QModelIndex& parent, int start, int end) override;
    void currentChanged(const QModelIndex& now, const QModelIndex& before) override;
    void selectionChanged(const QItemSelection& chosen, const QItemSelection& left) override;
    void focusInEvent(QFocusEvent* event) override;

private:
    struct Block {
        int first = 0;
        int count = 0;
        int top = 0; ///< of its heading, within the whole wall
        QString title;
    };
    /// What stays where it is while the model changes.
    struct Held {
        QPersistentModelIndex row; ///< while rows come or go
        QString key;               ///< while all are read anew
        int y = 0;                 ///< of its cell, within the viewport
    };
    /// Has Qt know how screen readers see a wall.
    static void installReader();
    void hold(int goneFrom, int goneTo);
    void putBack(int row);
    void holdAll();
    void putAllBack();
    /// A row in the middle of the view, or the next one below; -1: there is none.
    [[nodiscard]] int middleRow() const;
    void putIntoMiddle(int row);
    void layOut();
    [[nodiscard]] int headingHeight() const;
    [[nodiscard]] int bottomOf(const Block& block) const;
    [[nodiscard]] const Block* blockOf(int row) const;
    [[nodiscard]] QRect cellOf(int row) const; ///< within the whole wall
    [[nodiscard]] int rowAt(const QPoint& wall) const;
    [[nodiscard]] int rowBelow(int row, int lines) const;
    /// Rows whose cells touch a part of the wall, as ranges.
    [[nodiscard]] std::vector<std::pair<int, int>> rowsIn(int top, int bottom) const;
    void paintBlock(QPainter& painter, const Block& block, int from, int to);

    ThumbnailDelegate* m_delegate = nullptr;
    std::function<std::vector<GridSection>()> m_source;
    std::vector<Block> m_blocks;
    QString m_emptyText;
    Held m_held;
    QSet<QString> m_chosenKeys;
    QString m_currentKey;
    int m_keyRole = 0;
    int m_side = 152;
    int m_cell = 152;
    int m_columns = 1;
    int m_height = 0;
};

} // namespace homebooth::app
