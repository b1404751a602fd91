// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The page Datasets: tags, shapes, what is broken or missing and how it is mended, import with copying.
#include "app/pages/datasets/caption_panel.h"
#include "app/pages/datasets/dataset_files.h"
#include "app/pages/datasets/dataset_model.h"
#include "app/pages/datasets/dataset_stats.h"
#include "app/pages/datasets/datasets_page.h"
#include "app_fixture.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QDir>
#include <QLineEdit>
#include <QPlainTextEdit>

using namespace homebooth;
using namespace homebooth::app;

class DatasetsTest : public QObject {
    Q_OBJECT
public:
    explicit DatasetsTest(const TestPlace& place)
        : m_place(place) {}
private Q_SLOTS:
    void init() {
        failOnAnyWarning();
        m_services = std::make_unique<TestServices>(m_place);
    }
    void cleanup() { m_services.reset(); }
    void tagsAreThePartsBetweenCommas();
    void countsShapesSizesAndWords();
    void showsWhatIsBrokenOrMissing();
    void findsMissingPicturesByName();
    void leavesOutWhatCannotBeMended();
    void copiesAWholeDataset();
    void modelFiltersByTagAndShape();
    void pageEditsTagsAndOffersRepair();

private:
    /// A folder with two whole pictures, a broken one and a caption without its picture.
    QString makeFolder(const QString& name);
    const TestPlace& m_place;
    std::unique_ptr<TestServices> m_services;
};

namespace {

void write(const QString& path, const QByteArray& text) {
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
}

QByteArray read(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("nothing");
}

} // namespace

QString DatasetsTest::makeFolder(const QString& name) {
    const QString folder = m_place.path(name);
    QDir(folder).removeRecursively();
    QDir().mkpath(folder);
    writeTestPicture(folder + QStringLiteral("/a.png"), 1, {300, 200});
    write(folder + QStringLiteral("/a.txt"), "great tit, snow");
    writeTestPicture(folder + QStringLiteral("/b.png"), 2, {128, 128});
    write(folder + QStringLiteral("/b.txt"), "robin, Snow, branch");
    write(folder + QStringLiteral("/broken.jpg"), "no picture");
    write(folder + QStringLiteral("/gone.txt"), "a lost owl");
    return folder;
}

void DatasetsTest::tagsAreThePartsBetweenCommas() {
    QCOMPARE(
        tagsOf(QStringLiteral("great tit , snow,,SNOW, on a branch")),
        (QStringList{QStringLiteral("great tit"), QStringLiteral("snow"), QStringLiteral("on a branch")}));
    QVERIFY(tagsOf(QStringLiteral("a great tit on a branch")).isEmpty());
    QCOMPARE(withTag(QStringLiteral("great tit"), QStringLiteral("snow")), QStringLiteral("great tit, snow"));
    QCOMPARE(withTag(QStringLiteral("tit, snow"), QStringLiteral(" Snow ")), QStringLiteral("tit, snow"));
    QCOMPARE(withTag(QString(), QStringLiteral("a,b")), QStringLiteral("ab"));
    QCOMPARE(withoutTag(QStringLiteral("tit, snow, old"), QStringLiteral("SNOW")),
             QStringLiteral("tit, old"));
    QCOMPARE(withoutTag(QStringLiteral("a plain sentence"), QStringLiteral("plain")),
             QStringLiteral("a plain sentence"));
}

void DatasetsTest::countsShapesSizesAndWords() {
    std::vector<DatasetItem> items(4);
    const QSize sizes[] = {{1024, 1024}, {900, 600}, {600, 900}, {0, 0}};
    for (size_t i = 0; i < items.size(); ++i) {
        items[i].widthPixels = sizes[i].width();
        items[i].heightPixels = sizes[i].height();
        items[i].caption = QStringLiteral("one two three, tag");
    }
    items[3].caption.clear();
    const DatasetFigures figures = figuresOf(items);
    QStringList shapes;
    for (const auto& [shape, count] : figures.shapes) shapes.append(shape + '=' + QString::number(count));
    QCOMPARE(shapes,
             (QStringList{QStringLiteral("3:2=1"), QStringLiteral("1:1=1"), QStringLiteral("2:3=1")}));
    QCOMPARE(figures.leastSide, 600);
    QCOMPARE(figures.mostWords, 4);
    QCOMPARE(figures.tags.front().second, 3);
    QCOMPARE(shapeOf(items[3]), QString());
}

void DatasetsTest::showsWhatIsBrokenOrMissing() {
    const auto items = readDataset(makeFolder(QStringLiteral("birds")));
    QVERIFY(items);
    QCOMPARE(items->size(), size_t{4});
    QVERIFY((*items)[0].problem.isEmpty());
    QVERIFY(!(*items)[2].problem.isEmpty() && !(*items)[2].missing);
    QVERIFY((*items)[3].missing);
    QCOMPARE((*items)[3].caption, QStringLiteral("a lost owl"));
    const QString named = m_place.path(QStringLiteral("named"));
    QDir().mkpath(named);
    writeTestPicture(named + QStringLiteral("/here.png"), 1, {64, 64});
    write(named + QStringLiteral("/metadata.jsonl"),
          "{\"file_name\":\"here.png\",\"text\":\"one\"}\n{\"file_name\":\"gone.png\",\"text\":\"two\"}\n");
    const auto listed = readDataset(named);
    QCOMPARE(listed->size(), size_t{2});
    QVERIFY((*listed)[1].missing);
    QCOMPARE((*listed)[1].caption, QStringLiteral("two"));
}

void DatasetsTest::findsMissingPicturesByName() {
    const QString folder = makeFolder(QStringLiteral("seeking"));
    const QString elsewhere = m_place.path(QStringLiteral("elsewhere/deep"));
    QDir().mkpath(elsewhere);
    write(elsewhere + QStringLiteral("/gone.doc"), "no picture");
    writeTestPicture(elsewhere + QStringLiteral("/gone.jpg"), 5, {90, 90});
    QCOMPARE(findMissing(*readDataset(folder), m_place.path(QStringLiteral("elsewhere"))), 1);
    QVERIFY(QFile::exists(folder + QStringLiteral("/gone.jpg")));
    const auto items = readDataset(folder);
    QCOMPARE(
        std::count_if(items->begin(), items->end(), [](const DatasetItem& item) { return item.missing; }), 0);
    QCOMPARE(findMissing(*items, m_place.path(QStringLiteral("elsewhere"))), 0);
}

void DatasetsTest::leavesOutWhatCannotBeMended() {
    const QString folder = makeFolder(QStringLiteral("mended"));
    write(folder + QStringLiteral("/broken.txt"), "a broken one");
    QVERIFY(leaveOutProblems(folder, *readDataset(folder)));
    const auto items = readDataset(folder);
    QCOMPARE(items->size(), size_t{2});
    QCOMPARE(QDir(folder + QStringLiteral("/left out")).entryList(QDir::Files),
             (QStringList{QStringLiteral("broken.jpg"), QStringLiteral("broken.txt"),
                          QStringLiteral("gone.txt")}));
    const QString named = m_place.path(QStringLiteral("lines"));
    QDir().mkpath(named);
    writeTestPicture(named + QStringLiteral("/here.png"), 1, {64, 64});
    write(named + QStringLiteral("/metadata.jsonl"), "{\"file_name\":\"here.png\",\"text\":\"one\",\"more\":"
                                                     "1}\n{\"file_name\":\"gone.png\",\"text\":\"two\"}\n");
    QVERIFY(leaveOutProblems(named, *readDataset(named)));
    QCOMPARE(read(named + QStringLiteral("/metadata.jsonl")),
             QByteArray("{\"file_name\":\"here.png\",\"text\":\"one\",\"more\":1}\n"));
}

void DatasetsTest::copiesAWholeDataset() {
    const QString folder = makeFolder(QStringLiteral("original"));
    const QString copy = m_place.path(QStringLiteral("copies/original"));
    QVERIFY(copyDataset(folder, copy));
    QCOMPARE(read(copy + QStringLiteral("/b.txt")), QByteArray("robin, Snow, branch"));
    QCOMPARE(readDataset(copy)->size(), size_t{3}); // what is missing cannot be copied
    QVERIFY(!copyDataset(folder, copy));            // never over what is there
    QVERIFY(QFile::exists(folder + QStringLiteral("/a.png")));
}

void DatasetsTest::modelFiltersByTagAndShape() {
    DatasetModel model(m_services->undo);
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const QString folder = makeFolder(QStringLiteral("filtered"));
    model.set(folder, *readDataset(folder));
    QCOMPARE(model.rowCount(), 4);
    QCOMPARE(model.broken(), 1);
    QCOMPARE(model.missing(), 1);
    model.setFilter({{}, QStringLiteral("snow"), {}, false});
    QCOMPARE(model.rowCount(), 2);
    model.setFilter({QStringLiteral("robin"), QStringLiteral("snow"), {}, false});
    QCOMPARE(model.rowCount(), 1);
    model.setFilter({{}, {}, QStringLiteral("3:2"), false});
    QCOMPARE(model.rowCount(), 1);
    model.setFilter({{}, {}, {}, true});
    QCOMPARE(model.rowCount(), 2);
}

void DatasetsTest::pageEditsTagsAndOffersRepair() {
    const QString folder = makeFolder(QStringLiteral("on page"));
    DatasetsPage page(m_services->all());
    page.resize(1000, 640);
    page.show();
    page.addFolder(folder);
    auto* grid = page.findChild<ThumbnailGrid*>();
    QTRY_COMPARE(grid->model()->rowCount(), 4);
    QVERIFY(!page.mainButton()->isEnabled()); // something is broken
    grid->setCurrentIndex(grid->model()->index(0, 0));
    auto* caption = page.findChild<QPlainTextEdit*>();
    QCOMPARE(caption->toPlainText(), QStringLiteral("great tit, snow"));
    for (auto* field : page.findChildren<QLineEdit*>())
        if (field->accessibleName() == QStringLiteral("Add a tag")) {
            field->setText(QStringLiteral("winter"));
            QTest::keyClick(field, Qt::Key_Return);
        }
    QCOMPARE(caption->toPlainText(), QStringLiteral("great tit, snow, winter"));
    QTRY_COMPARE(read(folder + QStringLiteral("/a.txt")), QByteArray("great tit, snow, winter"));
    m_services->undo.undo();
    QTRY_COMPARE(read(folder + QStringLiteral("/a.txt")), QByteArray("great tit, snow"));
    for (auto* button : page.findChildren<QPushButton*>())
        if (button->text() == QStringLiteral("Leave out")) {
            QVERIFY(button->isVisible());
            button->click();
        }
    QTRY_COMPARE(grid->model()->rowCount(), 2);
    QVERIFY(page.mainButton()->isEnabled());
    QTRY_VERIFY(page.findChild<QComboBox*>()->findData(QStringLiteral("snow")) > 0);
}

HOMEBOOTH_APP_TEST_MAIN(DatasetsTest)
#include "tst_datasets.moc"
