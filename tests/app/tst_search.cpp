// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Search fields find what is meant: in either case and with marks in one piece or in two. What filters a
// dataset is seen.
#include "app/pages/datasets/dataset_model.h"
#include "app/pages/datasets/datasets_page.h"
#include "app/pages/models/model_list.h"
#include "app/pages/subjects/subjects_page.h"
#include "app/pages/train/expert_form.h"
#include "dataset_fixture.h"
#include "layout_checks.h"

#include <QComboBox>
#include <QLineEdit>
#include <QListView>

using namespace homebooth;
using namespace homebooth::app;

class SearchTest : public DatasetFoldersTest {
    Q_OBJECT
public:
    using DatasetFoldersTest::DatasetFoldersTest;
private Q_SLOTS:
    void init() { beginAgain(); }
    void cleanup() { end(); }
    void captionsAreFound();
    void subjectsAreFound();
    void modelsAreFound();
    void settingsAreFound();
    void whatIsFoundIsReplaced();
    void filtersOfAnotherDatasetHideNothing_data();
    void filtersOfAnotherDatasetHideNothing();
};

void SearchTest::captionsAreFound() {
    DatasetModel model(m_services->undo);
    std::vector<DatasetItem> items(2);
    items[0].path = QStringLiteral("/1.png");
    items[0].caption = QStringLiteral("Stra\u00DFe mit A\u0308pfeln");
    items[1].path = QStringLiteral("/2.png");
    items[1].caption = QStringLiteral("Apfelmus");
    model.set(QStringLiteral("/data"), items);
    for (const QString& words :
         {QStringLiteral("\u00E4pfel"), QStringLiteral("\u00C4PFEL STRASSE"), QStringLiteral("a\u0308pf")}) {
        model.setFilter({words, {}, {}, false});
        QCOMPARE(model.rowCount(), 1);
        QCOMPARE(model.at(0).path, items[0].path);
    }
    model.setFilter({QStringLiteral("APFEL"), {}, {}, false});
    QCOMPARE(model.rowCount(), 1);
    QCOMPARE(model.at(0).path, items[1].path);
}

void SearchTest::subjectsAreFound() {
    SubjectsPage page(m_services->all());
    page.show();
    for (const char* name : {"Ba\u0308r", "Bar"}) {
        core::Subject subject = *m_services->subjects.find(m_services->subjects.addEmpty());
        subject.name = name;
        m_services->subjects.change(subject, QStringLiteral("name"));
    }
    auto* field = qobject_cast<QLineEdit*>(page.searchField());
    QVERIFY(field != nullptr);
    const auto* list = page.findChild<QListView*>();
    QTRY_COMPARE(list->model()->rowCount(), 2);
    field->setText(QStringLiteral("B\u00C4R"));
    QCOMPARE(list->model()->rowCount(), 1);
    QCOMPARE(list->model()->index(0, 0).data().toString(), QStringLiteral("Ba\u0308r"));
    field->setText(QStringLiteral("bar"));
    QCOMPARE(list->model()->rowCount(), 1);
    const auto nothing = [&page] { return shownTexts(page).contains(QStringLiteral("Nothing matches.")); };
    QVERIFY(!nothing());
    field->setText(QStringLiteral("cat"));
    QVERIFY(nothing());
    field->setText(QStringLiteral("bar"));
    QVERIFY(!nothing());
}

void SearchTest::modelsAreFound() {
    core::ModelRecord record;
    record.id = core::newRecordId();
    record.name = "K\u00C4FER";
    record.path = m_place.path(QStringLiteral("beetle")).toStdString();
    record.kind = "model";
    QFile::link(builtInModel(), m_place.path(QStringLiteral("beetle")));
    m_services->library.write([record](core::Library& library) { return core::saveModel(library, record); });
    m_services->models.refresh();
    ModelList list(m_services->models);
    QTRY_VERIFY(m_services->models.find(m_place.path(QStringLiteral("beetle"))) != nullptr);
    list.setFilter(QStringLiteral("ka\u0308fer"));
    QTRY_COMPARE(list.rowCount(), 1);
    list.setFilter(QStringLiteral("kafer"));
    QCOMPARE(list.rowCount(), 0);
}

void SearchTest::settingsAreFound() {
    ExpertForm form;
    form.setDefaults({});
    form.setVisible(true);
    auto* field = fieldNamed(form, QStringLiteral("Search expert settings"));
    QVERIFY(field != nullptr);
    const auto nothing = [&form] {
        return !shownTexts(form).filter(QStringLiteral("No setting has this name.")).isEmpty();
    };
    field->setText(QStringLiteral("SPEED lear"));
    QVERIFY(!nothing());
    field->setText(QStringLiteral("speed lea\u0308r"));
    QVERIFY(nothing());
}

void SearchTest::whatIsFoundIsReplaced() {
    const QString apples = QStringLiteral("A\u0308pfel, dazu cafe\u0301");
    QCOMPARE(replaceWords(apples, QStringLiteral("\u00E4pfel"), QStringLiteral("Birnen")),
             QStringLiteral("Birnen, dazu caf\u00E9"));
    QCOMPARE(
        replaceWords(QStringLiteral("\u00C4pfel"), QStringLiteral("a\u0308pfel"), QStringLiteral("Obst")),
        QStringLiteral("Obst"));
    // No letter of a word is found without its mark, and what holds nothing stays as it is written.
    QCOMPARE(replaceWords(apples, QStringLiteral("cafe"), QStringLiteral("tea")), apples);
}

void SearchTest::filtersOfAnotherDatasetHideNothing_data() {
    QTest::addColumn<bool>("byShape");
    QTest::newRow("a tag") << false;
    QTest::newRow("a shape") << true;
}

void SearchTest::filtersOfAnotherDatasetHideNothing() {
    QFETCH(bool, byShape);
    const QString second = m_place.path(QStringLiteral("looked at then"));
    for (const char* name : {"/c", "/d"}) {
        writeBytes(second + QLatin1String(name) + QStringLiteral(".txt"), "an owl");
        writeTestPicture(second + QLatin1String(name) + QStringLiteral(".png"), 3, {64, 64});
    }
    DatasetsPage page(m_services->all());
    page.resize(1000, 640);
    page.show();
    page.addFolder(makeFolder(QStringLiteral("filtered first")));
    auto* grid = page.findChild<ThumbnailGrid*>();
    auto* tags = page.findChild<QComboBox*>();
    QTRY_VERIFY(tags->findData(QStringLiteral("branch")) > 0);
    if (byShape)
        buttonNamed(page, QStringLiteral("3:2   1"))->click();
    else
        tags->setCurrentIndex(tags->findData(QStringLiteral("branch")));
    QTRY_COMPARE(grid->model()->rowCount(), 1);
    page.addFolder(second);
    QTRY_COMPARE(grid->model()->rowCount(), 2);
    QCOMPARE(tags->currentIndex(), 0); // and that is what is said
}

HOMEBOOTH_APP_TEST_MAIN(SearchTest)
#include "tst_search.moc"
