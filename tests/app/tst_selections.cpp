// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is chosen on the pages of stores is chosen again after a restart; and what stands beside names in
// their lists.
#include "app/pages/datasets/datasets_page.h"
#include "app/widgets/message_bar.h"
#include "app/widgets/pictures/scroll_memory.h"
#include "gallery_fixture.h"
#include "item_rules.h"
#include "model_fixture.h"

#include <QPainter>
#include <QScrollArea>
#include <QScrollBar>
#include <QStringListModel>

using namespace homebooth;
using namespace homebooth::app;

class SelectionsTest : public KnownModelsTest {
    Q_OBJECT
public:
    using KnownModelsTest::KnownModelsTest;
private Q_SLOTS:
    void init();
    void cleanup() { end(); }
    void theSamePictureIsChosen();
    void theSameModelIsShown();
    void aModelThatIsGoneIsLeftOut();
    void theSameDatasetIsOpened();
    void datasetsSayHowManyPicturesTheyHave();
    void aCountGivesWayToWhatWasRead();
    void addOnsHaveAHeadingOfTheirOwn();
    void aLongNameLeavesTheRestInSight();
    void thePlaceOfLastTimeGivesWayToAHand_data();
    void thePlaceOfLastTimeGivesWayToAHand();

private:
    void restart();
    /// A folder of pictures with captions. @returns its path
    [[nodiscard]] QString makeDataset(const QString& name, int pictures) const;
};

namespace {

QListView& listOf(const DatasetsPage& page) {
    return *page.findChild<QListView*>(u"datasets"_s);
}

QString shownModel(const ModelsPage& page) {
    return page.findChild<QListView*>()->currentIndex().data().toString();
}

} // namespace

void SelectionsTest::init() {
    m_place.removeLibrary();
    beginAgain();
}

void SelectionsTest::restart() {
    m_services.reset();
    m_services = std::make_unique<TestServices>(m_place);
}

QString SelectionsTest::makeDataset(const QString& name, int pictures) const {
    const QString folder = m_place.path(name);
    QDir().mkpath(folder);
    for (int i = 0; i < pictures; ++i) {
        writeTestPicture(folder + u"/%1.png"_s.arg(i), i, {32, 32});
        writeBytes(folder + u"/%1.txt"_s.arg(i), "a bird");
    }
    return folder;
}

void SelectionsTest::theSamePictureIsChosen() {
    const auto chosen = [](const GalleryPage& page) {
        return page.findChild<SectionGrid*>()->currentIndex().data(GalleryModel::IdRole).toLongLong();
    };
    {
        GalleryPage page(m_services->all());
        page.show();
        page.model().set(picturesDownFrom(5));
        QCOMPARE(chosen(page), 5);
        page.choose(u"/nowhere/3.png"_s);
        QCOMPARE(chosen(page), 3);
    }
    restart();
    {
        GalleryPage page(m_services->all());
        page.show();
        page.model().set(picturesDownFrom(6));
        QCOMPARE(chosen(page), 3);
    }
    restart();
    GalleryPage page(m_services->all()); // where it is gone the newest one is
    page.show();
    page.model().set(picturesDownFrom(2));
    QCOMPARE(chosen(page), 2);
}

void SelectionsTest::theSameModelIsShown() {
    addModel("mine");
    addModel("yours");
    { PageOfModel page(*m_services, u"yours"_s); }
    restart();
    ModelsPage page(m_services->all());
    page.show();
    QCOMPARE(shownModel(page), u"Sketch (built in)"_s); // no other is known so far
    m_services->models.refresh();
    QTRY_COMPARE(shownModel(page), u"yours"_s);
    choose(page, u"mine"_s); // and it is not chosen over another one
    m_services->models.refresh();
    QTRY_VERIFY(m_services->models.settled());
    QCOMPARE(shownModel(page), u"mine"_s);
}

void SelectionsTest::aModelThatIsGoneIsLeftOut() {
    const core::ModelRecord record = addModel("mine");
    addModel("yours");
    { PageOfModel page(*m_services, u"mine"_s); }
    m_services->models.forget(record.id);
    restart();
    ModelsPage page(m_services->all());
    page.show();
    m_services->models.refresh();
    QTRY_VERIFY(m_services->models.find(m_place.path("yours")) != nullptr);
    QTRY_VERIFY(m_services->models.settled());
    QCOMPARE(shownModel(page), u"Sketch (built in)"_s);
    QVERIFY(page.messages().currentText().isEmpty());
}

void SelectionsTest::theSameDatasetIsOpened() {
    const QString birds = makeDataset(u"birds"_s, 2);
    const QString maps = makeDataset(u"maps"_s, 3);
    const auto chosen = [](const DatasetsPage& page) {
        return listOf(page).currentIndex().data(DatasetList::FolderRole).toString();
    };
    {
        DatasetsPage page(m_services->all());
        page.show();
        page.addFolder(birds);
        QTRY_COMPARE(chosen(page), birds);
        page.addFolder(maps);
        QTRY_COMPARE(chosen(page), maps);
    }
    restart();
    DatasetsPage page(m_services->all());
    page.show();
    page.activated();
    QTRY_COMPARE(chosen(page), maps); // although birds stand before them
}

void SelectionsTest::datasetsSayHowManyPicturesTheyHave() {
    DatasetsPage page(m_services->all());
    page.show();
    page.addFolder(makeDataset(u"birds"_s, 2));
    page.addFolder(makeDataset(u"maps"_s, 3));
    const auto count = [&page](int row) {
        return listOf(page).model()->index(row, 0).data(DatasetList::CountTextRole).toString();
    };
    QTRY_COMPARE(listOf(page).model()->rowCount(), 2);
    QTRY_COMPARE(count(0), u"2"_s);
    QTRY_COMPARE(count(1), u"3"_s);
    const QModelIndex first = listOf(page).model()->index(0, 0);
    QVERIFY(first.data(Qt::AccessibleTextRole).toString().startsWith(u"birds, 2 "_s));
    // It is painted, too.
    QStyleOptionViewItem option;
    option.initFrom(&listOf(page));
    option.rect = QRect(0, 0, 140, 32);
    option.decorationSize = QSize(16, 16);
    const auto painted = [&page, &option](const QModelIndex& index) {
        QImage image(140, 32, QImage::Format_RGB32);
        image.fill(Qt::white);
        QPainter painter(&image);
        listOf(page).itemDelegate()->paint(&painter, option, index);
        painter.end();
        return image.copy(110, 0, 30, 32);
    };
    QImage blank(30, 32, QImage::Format_RGB32);
    blank.fill(Qt::white);
    QVERIFY(painted(first) != blank);
}

void SelectionsTest::aCountGivesWayToWhatWasRead() {
    DatasetList list;
    const ItemRules tester(list);
    core::DatasetRecord record;
    record.id = 1;
    record.name = "birds";
    record.folder = "/birds";
    list.set({record});
    const auto text = [&list] { return list.index(0).data(DatasetList::CountTextRole).toString(); };
    QCOMPARE(text(), QString());
    list.setCount(u"/elsewhere"_s, 5, false);
    QCOMPARE(text(), QString());
    list.setCount(u"/birds"_s, 1204, false);
    QCOMPARE(text(), u"1,204"_s);
    list.setCount(u"/birds"_s, 1300, true); // with those that metadata.jsonl names further down
    list.setCount(u"/birds"_s, 1204, false);
    QCOMPARE(text(), u"1,300"_s);
}

void SelectionsTest::addOnsHaveAHeadingOfTheirOwn() {
    addModel("mine");
    const auto headings = [this] {
        const ModelList list(m_services->models);
        QStringList all;
        for (int row = 0; row < list.rowCount(); ++row)
            all.append(list.index(row).data(ModelList::HeadingRole).toString());
        return all;
    };
    QCOMPARE(headings(), (QStringList{QString(), QString()})); // one kind alone needs none
    core::ModelRecord hat = modelRecord(u"hat"_s, m_place.path("hat.safetensors"), "lora");
    m_services->models.put(hat);
    QCOMPARE(headings(), (QStringList{u"Models"_s, QString(), u"Add-ons"_s}));
    ModelsPage page(m_services->all());
    page.show();
    const auto* view = page.findChild<QListView*>();
    const auto height = [view](int row) {
        return view->sizeHintForIndex(view->model()->index(row, 0)).height();
    };
    QVERIFY(height(0) > height(1)); // the heading has room of its own
    QCOMPARE(height(2), height(0));
}

void SelectionsTest::aLongNameLeavesTheRestInSight() {
    const QString name(150, QLatin1Char('w'));
    addModel(name);
    ModelsPage page(m_services->all());
    page.resize(800, 600);
    page.show();
    choose(page, name);
    QTRY_VERIFY(shownTexts(page).contains(m_place.path(name)));
    const auto* list = page.findChild<QListView*>();
    QTRY_COMPARE(list->horizontalScrollBar()->maximum(), 0);
    const auto* card = page.findChild<QScrollArea*>();
    QTRY_VERIFY(card->widget()->minimumSizeHint().width() <= card->viewport()->width());
}

void SelectionsTest::thePlaceOfLastTimeGivesWayToAHand_data() {
    QTest::addColumn<int>("presses");
    QTest::newRow("no hand") << 0;
    QTest::newRow("keys") << 9;
}

void SelectionsTest::thePlaceOfLastTimeGivesWayToAHand() {
    QFETCH(int, presses);
    constexpr int kPlace = 1000;
    m_services->settings.set("state/scroll/test", kPlace);
    QStringListModel rows(QStringList(10, u"a row"_s));
    QListView list;
    list.setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    list.setModel(&rows);
    list.setCurrentIndex(rows.index(0));
    list.resize(200, 100);
    list.show();
    QVERIFY(QTest::qWaitForWindowExposed(&list));
    new ScrollMemory(&list, m_services->settings, "test");
    const QScrollBar* bar = list.verticalScrollBar();
    QTRY_VERIFY(bar->maximum() > 0);
    QVERIFY(bar->maximum() < kPlace);
    for (int i = 0; i < presses; ++i) QTest::keyClick(&list, Qt::Key_Down);
    const int here = bar->value();
    QCOMPARE(here > 0, presses > 0);
    rows.insertRows(10, 200); // more of them come while somebody reads
    QTRY_VERIFY(bar->maximum() > kPlace);
    QTest::qWait(50);
    QCOMPARE(bar->value(), presses > 0 ? here : kPlace);
}

HOMEBOOTH_APP_TEST_MAIN(SelectionsTest)
#include "tst_selections.moc"
