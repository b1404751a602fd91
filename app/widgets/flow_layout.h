// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Widgets side by side that go on in the next line where there is no room; those that expand share what a
// line has left. Owned by its widget; GUI thread.
#pragma once

#include <QLayout>
#include <QList>

namespace homebooth::app {

class FlowLayout : public QLayout {
public:
    FlowLayout(QWidget* parent, int spacing);
    ~FlowLayout() override;
    /// Has lines stand in the middle, not at the left.
    void centre() { m_centred = true; }

    void addItem(QLayoutItem* item) override;
    [[nodiscard]] int count() const override { return static_cast<int>(m_items.size()); }
    [[nodiscard]] QLayoutItem* itemAt(int index) const override { return m_items.value(index); }
    QLayoutItem* takeAt(int index) override;
    [[nodiscard]] Qt::Orientations expandingDirections() const override { return {}; }
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;
    void setGeometry(const QRect& rect) override;
    [[nodiscard]] QSize sizeHint() const override { return minimumSize(); }
    [[nodiscard]] QSize minimumSize() const override;

private:
    /// @param place  whether items are put there, or counted alone. @returns the height that it takes
    int flow(const QRect& whole, bool place) const;

    /// What an item takes of a line of this width before it grows.
    [[nodiscard]] static QSize sizeOf(const QLayoutItem& item, int room);
    void placeLine(const QList<QLayoutItem*>& line, QPoint at, int room) const;

    QList<QLayoutItem*> m_items;
    bool m_centred = false;
};

} // namespace homebooth::app
