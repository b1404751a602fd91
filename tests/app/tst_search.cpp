// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Search fields find what is meant: in either case and with marks in one piece or in two. What filters a
// dataset is seen.
#include "app/pages/datasets/dataset_model.h"
#include "app/pages/datasets/datasets_page.h"
#include "app/pages/models/model_list.h"
#include "app/pages/subjects/subjects_page.h"
#include "app/pages/train/setup/expert_form.h"
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
    items[0].path = u"/1.png"_s;
    items[0].caption = u"Stra\u00DFe mit A\u0308pfeln"_s;
    items[1].path = u"/2.png"_s;
    items[1].caption = u"Apfelmus"_s;
    model.set(u"/data"_s, items);
    for (const QString& words : {u"\u00E4pfel"_s, u"\u00C4PFEL STRASSE"_s, u"a\u0308pf"_s}) {
        model.setFilter({words, {}, {}, false});
        QCOMPARE(model.rowCount(), 1);
        QCOMPARE(model.at(0).path, items[0].path);
    }
    model.setFilter({u"APFEL"_s, {}, {}, false});
    QCOMPARE(model.rowCount(), 1);
    QCOMPARE(model.at(0).path, items[1].path);
}

void SearchTest::subjectsAreFound() {
    SubjectsPage page(m_services->all());
    page.show();
    for (const char* name : {"Ba\u0308r", "Bar"}) {
        core::Subject subject = *m_services->subjects.find(m_services->subjects.addEmpty());
        subject.name = name;
        m_services->subjects.change(subject, u"name"_s);
    }
    auto* field = qobject_cast<QLineEdit*>(page.searchField());
    QVERIFY(field != nullptr);
    const auto* list = page.findChild<QListView*>();
    QTRY_COMPARE(list->model()->rowCount(), 2);
    field->setText(u"B\u00C4R"_s);
    QCOMPARE(list->model()->rowCount(), 1);
    QCOMPARE(list->model()->index(0, 0).data().toString(), u"Ba\u0308r"_s);
    field->setText(u"bar"_s);
    QCOMPARE(list->model()->rowCount(), 1);
    const auto nothing = [&page] { return shownTexts(page).contains(u"Nothing matches."_s); };
    QVERIFY(!nothing());
    field->setText(u"cat"_s);
    QVERIFY(nothing());
    field->setText(u"bar"_s);
    QVERIFY(!nothing());
}

void SearchTest::modelsAreFound() {
    core::ModelRecord record;
    record.id = core::newRecordId();
    record.name = "K\u00C4FER";
    record.path = m_place.path(u"beetle"_s).toStdString();
    record.kind = "model";
    QFile::link(builtInModel(), m_place.path(u"beetle"_s));
    m_services->library.write([record](core::Library& library) { return core::saveModel(library, record); });
    m_services->models.refresh();
    ModelList list(m_services->models);
    QTRY_VERIFY(m_services->models.find(m_place.path(u"beetle"_s)) != nullptr);
    list.setFilter(u"ka\u0308fer"_s);
    QTRY_COMPARE(list.rowCount(), 1);
    list.setFilter(u"kafer"_s);
    QCOMPARE(list.rowCount(), 0);
}

void SearchTest::settingsAreFound() {
    ExpertForm form;
    form.setDefaults({});
    form.setVisible(true);
    auto* field = fieldNamed(form, u"Search expert settings"_s);
    QVERIFY(field != nullptr);
    const auto nothing = [&form] {
        return !shownTexts(form).filter(u"No setting has this name."_s).isEmpty();
    };
    field->setText(u"SPEED lear"_s);
    QVERIFY(!nothing());
    field->setText(u"speed lea\u0308r"_s);
    QVERIFY(nothing());
}

void SearchTest::whatIsFoundIsReplaced() {
    const QString apples = u"A\u0308pfel, dazu cafe\u0301"_s;
    QCOMPARE(replaceWords(apples, u"\u00E4pfel"_s, u"Birnen"_s), u"Birnen, dazu caf\u00E9"_s);
    QCOMPARE(replaceWords(u"\u00C4pfel"_s, u"a\u0308pfel"_s, u"Obst"_s), u"Obst"_s);
    // No letter of a word is found without its mark, and what holds nothing stays as it is written.
    QCOMPARE(replaceWords(apples, u"cafe"_s, u"tea"_s), apples);
}

void SearchTest::filtersOfAnotherDatasetHideNothing_data() {
    QTest::addColumn<bool>("byShape");
    QTest::newRow("a tag") << false;
    QTest::newRow("a shape") << true;
}

void SearchTest::filtersOfAnotherDatasetHideNothing() {
    QFETCH(bool, byShape);
    const QString second = m_place.path(u"looked at then"_s);
    for (const char* name : {"/c", "/d"}) {
        writeBytes(second + QLatin1String(name) + u".txt"_s, "an owl");
        writeTestPicture(second + QLatin1String(name) + u".png"_s, 3, {64, 64});
    }
    DatasetsPage page(m_services->all());
    page.resize(1000, 640);
    page.show();
    page.addFolder(makeFolder(u"filtered first"_s));
    auto* grid = page.findChild<ThumbnailGrid*>();
    auto* tags = page.findChild<QComboBox*>();
    QTRY_VERIFY(tags->findData(u"branch"_s) > 0);
    if (byShape)
        buttonNamed(page, u"3:2   1"_s)->click();
    else
        tags->setCurrentIndex(tags->findData(u"branch"_s));
    QTRY_COMPARE(grid->model()->rowCount(), 1);
    page.addFolder(second);
    QTRY_COMPARE(grid->model()->rowCount(), 2);
    QCOMPARE(tags->currentIndex(), 0); // and that is what is said
}

HOMEBOOTH_APP_TEST_MAIN(SearchTest)
#include "tst_search.moc"
