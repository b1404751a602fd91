// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a screen reader finds of the wall and is told of it: a list with a row for each picture, the one
// that the keys are at, and what is chosen. Qt has all this for its own lists alone; a view of another
// kind is to it a frame with bars.
#include "app/widgets/pictures/section_grid.h"

#include <QAccessibleWidget>
#include <QHash>
#include <QPersistentModelIndex>
#include <QPointer>

namespace homebooth::app {
namespace {

/// A picture of the wall; stays the same one while others come and go.
class ReadPicture : public QAccessibleInterface {
public:
    ReadPicture(SectionGrid& wall, const QModelIndex& index)
        : m_wall(&wall)
        , m_index(index) {}
    [[nodiscard]] int row() const { return m_index.row(); }

    [[nodiscard]] bool isValid() const override { return !m_wall.isNull() && m_index.isValid(); }
    [[nodiscard]] QObject* object() const override { return nullptr; }
    [[nodiscard]] QAccessibleInterface* parent() const override {
        return QAccessible::queryAccessibleInterface(m_wall.data());
    }
    [[nodiscard]] QAccessibleInterface* child(int) const override { return nullptr; }
    [[nodiscard]] QAccessibleInterface* childAt(int, int) const override { return nullptr; }
    [[nodiscard]] int childCount() const override { return 0; }
    [[nodiscard]] int indexOfChild(const QAccessibleInterface*) const override { return -1; }
    [[nodiscard]] QAccessible::Role role() const override { return QAccessible::ListItem; }
    [[nodiscard]] QString text(QAccessible::Text what) const override;
    void setText(QAccessible::Text, const QString&) override {}
    [[nodiscard]] QRect rect() const override;
    [[nodiscard]] QAccessible::State state() const override;

private:
    QPointer<SectionGrid> m_wall;
    QPersistentModelIndex m_index;
};

QString ReadPicture::text(QAccessible::Text what) const {
    if (!isValid()) return {};
    if (what == QAccessible::Description) return m_index.data(Qt::AccessibleDescriptionRole).toString();
    if (what != QAccessible::Name) return {};
    const QString said = m_index.data(Qt::AccessibleTextRole).toString();
    return said.isEmpty() ? m_index.data(Qt::DisplayRole).toString() : said;
}

QRect ReadPicture::rect() const {
    if (!isValid()) return {};
    const QRect cell = m_wall->visualRect(m_index);
    return {m_wall->viewport()->mapToGlobal(cell.topLeft()), cell.size()};
}

QAccessible::State ReadPicture::state() const {
    QAccessible::State state;
    if (!isValid()) {
        state.invalid = true;
        return state;
    }
    const bool seen = m_wall->viewport()->rect().intersects(m_wall->visualRect(m_index));
    const bool current = m_index == m_wall->currentIndex();
    state.focusable = true;
    state.selectable = true;
    state.extSelectable = true;
    state.selected = m_wall->selectionModel()->isSelected(m_index);
    state.active = current;
    state.focused = current && m_wall->hasFocus();
    state.offscreen = !seen;
    state.invisible = !seen || !m_wall->isVisible();
    return state;
}

/// The wall itself. Its pictures are made when they are asked for; Qt keeps them until they are given
/// back.
class ReadWall : public QAccessibleWidget {
public:
    explicit ReadWall(SectionGrid& wall)
        : QAccessibleWidget(&wall, QAccessible::List) {}
    ReadWall(const ReadWall&) = delete;
    ReadWall& operator=(const ReadWall&) = delete;

    [[nodiscard]] int childCount() const override;
    [[nodiscard]] QAccessibleInterface* child(int row) const override;
    [[nodiscard]] QAccessibleInterface* childAt(int x, int y) const override;
    [[nodiscard]] int indexOfChild(const QAccessibleInterface* one) const override;
    [[nodiscard]] QAccessibleInterface* focusChild() const override;

protected:
    ~ReadWall() override;

private:
    /// Null while the wall is being taken down.
    [[nodiscard]] SectionGrid* wall() const { return qobject_cast<SectionGrid*>(object()); }
    /// Gives back those whose pictures are gone.
    void forgetGone() const;

    mutable QHash<QPersistentModelIndex, QAccessible::Id> m_made;
};

ReadWall::~ReadWall() {
    for (const QAccessible::Id id : std::as_const(m_made)) QAccessible::deleteAccessibleInterface(id);
}

int ReadWall::childCount() const {
    const SectionGrid* grid = wall();
    return grid == nullptr || grid->model() == nullptr ? 0 : grid->model()->rowCount(grid->rootIndex());
}

QAccessibleInterface* ReadWall::child(int row) const {
    if (row < 0 || row >= childCount()) return nullptr;
    SectionGrid* grid = wall();
    const QModelIndex index = grid->model()->index(row, 0, grid->rootIndex());
    if (const auto made = m_made.constFind(index); made != m_made.cend())
        return QAccessible::accessibleInterface(*made);
    if (m_made.size() >= childCount()) forgetGone(); // among so many there are some
    auto* picture = new ReadPicture(*grid, index);
    m_made.insert(index, QAccessible::registerAccessibleInterface(picture));
    return picture;
}

void ReadWall::forgetGone() const {
    for (auto one = m_made.begin(); one != m_made.end();) {
        if (one.key().isValid()) {
            ++one;
            continue;
        }
        QAccessible::deleteAccessibleInterface(one.value());
        one = m_made.erase(one);
    }
}

QAccessibleInterface* ReadWall::childAt(int x, int y) const {
    const SectionGrid* grid = wall();
    if (grid == nullptr) return nullptr;
    const QPoint place = grid->viewport()->mapFromGlobal(QPoint(x, y));
    return grid->viewport()->rect().contains(place) ? child(grid->indexAt(place).row()) : nullptr;
}

int ReadWall::indexOfChild(const QAccessibleInterface* one) const {
    const auto* picture = dynamic_cast<const ReadPicture*>(one);
    return picture != nullptr && picture->parent() == this ? picture->row() : -1;
}

QAccessibleInterface* ReadWall::focusChild() const {
    const SectionGrid* grid = wall();
    if (grid == nullptr || !grid->hasFocus()) return nullptr;
    QAccessibleInterface* current = child(grid->currentIndex().row());
    return current != nullptr ? current : QAccessibleWidget::focusChild();
}

QAccessibleInterface* readWall(const QString&, QObject* object) {
    auto* wall = qobject_cast<SectionGrid*>(object);
    return wall != nullptr ? new ReadWall(*wall) : nullptr; // Qt takes it over
}

} // namespace

void SectionGrid::installReader() {
    QAccessible::installFactory(readWall); // which Qt does once
}

void SectionGrid::tellReader(QAccessible::Event what, const QModelIndex& index) {
    if (!QAccessible::isActive()) return;
    QAccessibleEvent event(this, what);
    event.setChild(index.row());
    QAccessible::updateAccessibility(&event);
}

void SectionGrid::currentChanged(const QModelIndex& now, const QModelIndex& before) {
    QAbstractItemView::currentChanged(now, before);
    if (hasFocus() && now.isValid()) tellReader(QAccessible::Focus, now);
}

void SectionGrid::selectionChanged(const QItemSelection& chosen, const QItemSelection& left) {
    QAbstractItemView::selectionChanged(chosen, left);
    // One of each, as Qt's lists have it: of thousands that are chosen together nobody hears all.
    const auto tell = [this](QAccessible::Event what, const QItemSelection& rows) {
        if (!rows.isEmpty() && rows.front().isValid()) tellReader(what, rows.front().topLeft());
    };
    tell(QAccessible::SelectionRemove, left);
    tell(QAccessible::SelectionAdd, chosen);
}

void SectionGrid::focusInEvent(QFocusEvent* event) {
    QAbstractItemView::focusInEvent(event);
    // Once this returns Qt says that the wall has the focus: the picture in it is to be heard after
    // that.
    const auto tell = [this] {
        if (hasFocus() && currentIndex().isValid()) tellReader(QAccessible::Focus, currentIndex());
    };
    QMetaObject::invokeMethod(this, tell, Qt::QueuedConnection);
}

} // namespace homebooth::app
