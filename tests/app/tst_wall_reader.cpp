// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Walls and grids of pictures for those who see little or use keys alone: a screen reader finds each
// picture and is told which one the keys are at, and pictures that lie apart are chosen together.
#include "app/widgets/pictures/section_grid.h"
#include "app_fixture.h"

#include <QAccessible>
#include <QBoxLayout>
#include <QLineEdit>
#include <QStandardItemModel>

#include <algorithm>

using namespace homebooth;
using namespace homebooth::app;

class WallReaderTest : public ServicesTest {
    Q_OBJECT
public:
    using ServicesTest::ServicesTest;
private Q_SLOTS:
    void init() { beginAgain(); }
    void cleanup() { end(); }
    void aScreenReaderFindsAListOfPictures();
    void picturesStayTheSameWhileOthersComeAndGo();
    void aScreenReaderIsToldWhereTheKeysAre();
    void picturesThatLieApartAreChosenByKeys_data();
    void picturesThatLieApartAreChosenByKeys();
};

namespace {

/// Pictures that are called by their numbers.
void fill(QStandardItemModel& model, int count) {
    for (int i = 0; i < count; ++i) model.appendRow(new QStandardItem(u"picture %1"_s.arg(i)));
}

QString nameOf(const QAccessibleInterface* one) {
    return one != nullptr ? one->text(QAccessible::Name) : u"nothing"_s;
}

/// A wall that notes what it tells a screen reader.
class TellingWall : public SectionGrid {
public:
    using SectionGrid::SectionGrid;
    struct Told {
        QAccessible::Event what;
        QString name;
        friend bool operator==(const Told&, const Told&) = default;
    };
    QList<Told> told;

protected:
    void tellReader(QAccessible::Event what, const QModelIndex& index) override {
        told.append({what, nameOf(QAccessible::queryAccessibleInterface(this)->child(index.row()))});
    }
};

/// A wall of a few pictures in a window, beside a field.
struct Shown {
    Shown(Thumbnails& thumbnails, int count)
        : wall(new TellingWall(thumbnails)) {
        fill(model, count);
        auto* column = new QVBoxLayout(&window);
        column->addWidget(field);
        column->addWidget(wall);
        wall->setModel(&model);
        wall->setAccessibleName(u"Pictures"_s);
        wall->setSide(100);
        window.resize(520, 480);
        window.show();
        window.activateWindow();
    }
    [[nodiscard]] QAccessibleInterface& list() const { return *QAccessible::queryAccessibleInterface(wall); }
    QStandardItemModel model;
    QWidget window;
    QLineEdit* field = new QLineEdit;
    TellingWall* wall = nullptr;
};

/// A wall, or a grid.
std::unique_ptr<QAbstractItemView> pictureView(Thumbnails& thumbnails, bool wall) {
    if (wall) {
        auto one = std::make_unique<SectionGrid>(thumbnails);
        one->setSide(100);
        return one;
    }
    auto one = std::make_unique<ThumbnailGrid>(thumbnails);
    one->setLook(100, 1);
    return one;
}

QList<int> chosenRows(const QAbstractItemView& view) {
    QList<int> rows;
    for (const QModelIndex& index : view.selectionModel()->selectedIndexes()) rows.append(index.row());
    std::sort(rows.begin(), rows.end());
    return rows;
}

} // namespace

void WallReaderTest::aScreenReaderFindsAListOfPictures() {
    const Shown shown(m_services->thumbnails, 12);
    QVERIFY(QTest::qWaitForWindowActive(shown.wall->window()));
    const QAccessibleInterface& list = shown.list();
    QCOMPARE(list.role(), QAccessible::List);
    QCOMPARE(nameOf(&list), u"Pictures"_s);
    QCOMPARE(list.childCount(), 12);
    for (int row = 0; row < 12; ++row) QCOMPARE(nameOf(list.child(row)), u"picture %1"_s.arg(row));
    QVERIFY(list.child(12) == nullptr && list.child(-1) == nullptr);
    const QAccessibleInterface* third = list.child(2);
    QCOMPARE(third->role(), QAccessible::ListItem);
    QVERIFY(third->parent() == &list);
    QCOMPARE(list.indexOfChild(third), 2);
    const QRect cell = shown.wall->visualRect(shown.model.index(2, 0));
    const QPoint centre = shown.wall->viewport()->mapToGlobal(cell.center());
    QVERIFY(third->rect().contains(centre));
    QVERIFY(list.childAt(centre.x(), centre.y()) == third);
    shown.wall->setFocus();
    shown.wall->setCurrentIndex(shown.model.index(2, 0));
    QVERIFY(third->state().selected && third->state().focused && third->state().focusable);
    QVERIFY(!list.child(3)->state().selected && !list.child(3)->state().focused);
    QVERIFY(list.focusChild() == third);
}

void WallReaderTest::picturesStayTheSameWhileOthersComeAndGo() {
    Shown shown(m_services->thumbnails, 6);
    const QAccessibleInterface& list = shown.list();
    const QAccessibleInterface* third = list.child(2);
    shown.model.removeRow(0);
    QCOMPARE(list.childCount(), 5);
    QVERIFY(list.child(1) == third);
    QCOMPARE(list.indexOfChild(third), 1);
    QCOMPARE(nameOf(third), u"picture 2"_s);
    shown.model.insertRow(0, new QStandardItem(u"new"_s));
    QVERIFY(list.child(2) == third);
    QCOMPARE(nameOf(list.child(0)), u"new"_s);
    shown.model.removeRow(2);
    QVERIFY(!third->isValid());
    QStringList names; // what is gone is given back meanwhile
    for (int row = 0; row < list.childCount(); ++row) names.append(nameOf(list.child(row)));
    const QStringList left{u"new"_s, u"picture 1"_s, u"picture 3"_s, u"picture 4"_s, u"picture 5"_s};
    QCOMPARE(names, left);
    shown.model.removeRows(0, shown.model.rowCount());
    QCOMPARE(list.childCount(), 0);
    fill(shown.model, 2);
    QCOMPARE(nameOf(list.child(1)), u"picture 1"_s);
}

void WallReaderTest::aScreenReaderIsToldWhereTheKeysAre() {
    const Shown shown(m_services->thumbnails, 6);
    QVERIFY(QTest::qWaitForWindowActive(shown.wall->window()));
    using Told = TellingWall::Told;
    const auto said = [&shown](QAccessible::Event what, int picture) {
        return shown.wall->told.contains(Told{what, u"picture %1"_s.arg(picture)});
    };
    shown.field->setFocus();
    shown.wall->setCurrentIndex(shown.model.index(0, 0));
    QVERIFY(!said(QAccessible::Focus, 0)); // the keys are elsewhere
    shown.wall->setFocus();
    QTRY_VERIFY(said(QAccessible::Focus, 0));
    for (int picture = 1; picture < 4; ++picture) {
        shown.wall->told.clear();
        QTest::keyClick(shown.wall, Qt::Key_Right);
        QVERIFY(said(QAccessible::SelectionRemove, picture - 1));
        QVERIFY(said(QAccessible::SelectionAdd, picture));
        QVERIFY(said(QAccessible::Focus, picture));
        QVERIFY(shown.wall->told.last().what == QAccessible::Focus); // what is spoken last
    }
    shown.wall->told.clear();
    QTest::keyClick(shown.wall, Qt::Key_Right, Qt::ControlModifier);
    QVERIFY(said(QAccessible::Focus, 4) && !said(QAccessible::SelectionAdd, 4));
    QTest::keyClick(shown.wall, Qt::Key_Space, Qt::ControlModifier);
    QVERIFY(said(QAccessible::SelectionAdd, 4));
}

void WallReaderTest::picturesThatLieApartAreChosenByKeys_data() {
    QTest::addColumn<bool>("wall");
    QTest::newRow("wall") << true;
    QTest::newRow("grid") << false;
}

void WallReaderTest::picturesThatLieApartAreChosenByKeys() {
    QFETCH(bool, wall);
    QStandardItemModel model;
    fill(model, 6);
    const std::unique_ptr<QAbstractItemView> view = pictureView(m_services->thumbnails, wall);
    view->setModel(&model);
    view->resize(520, 400);
    view->show();
    view->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(view.get()));
    view->setFocus();
    view->setCurrentIndex(model.index(0, 0));
    QTRY_VERIFY(view->visualRect(model.index(1, 0)).left() > 0); // it is laid out
    const QSignalSpy large(view.get(), SIGNAL(large(QModelIndex)));
    const auto chosen = [&view] { return chosenRows(*view); };
    const auto seen = [&view, &model] {
        return view->viewport()->grab(view->visualRect(model.index(1, 0))).toImage();
    };
    const QImage before = seen();
    QTest::keyClick(view.get(), Qt::Key_Right, Qt::ControlModifier);
    QCOMPARE(view->currentIndex().row(), 1);
    QCOMPARE(chosen(), QList<int>{0});
    QVERIFY(seen() != before); // where the keys are is seen, chosen or not
    QTest::keyClick(view.get(), Qt::Key_Right, Qt::ControlModifier);
    QCOMPARE(seen(), before);
    QTest::keyClick(view.get(), Qt::Key_Space, Qt::ControlModifier);
    QCOMPARE(chosen(), (QList<int>{0, 2}));
    QCOMPARE(large.size(), 0);
    QTest::keyClick(view.get(), Qt::Key_Space, Qt::ControlModifier);
    QCOMPARE(chosen(), QList<int>{0});
    QTest::keyClick(view.get(), Qt::Key_Space);
    QCOMPARE(large.size(), 1);
}

HOMEBOOTH_APP_TEST_MAIN(WallReaderTest)
#include "tst_wall_reader.moc"
