// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Datasets with transparent pictures: what stands behind them is said, chosen for all, kept, shown and
// learned.
#include "app/library/background.h"
#include "app/pages/train/setup/learn_choice.h"
#include "app/pages/train/setup/train_setup.h"
#include "dataset_pages.h"
#include "layout_checks.h"

#include <QColorDialog>

using namespace homebooth;
using namespace homebooth::app;

namespace {
constexpr uint32_t kRed = 0xC81E28;
} // namespace

class DatasetColourTest : public DatasetFoldersTest {
    Q_OBJECT
public:
    using DatasetFoldersTest::DatasetFoldersTest;
private Q_SLOTS:
    void init() { beginAgain(); }
    void cleanup() { end(); }
    void transparentPicturesAreSeenAsSuch();
    void anotherColourIsChosenAndTakenBack();
    void theColourIsLearned();
    void anAnswerThatIsOvertakenChangesNothing();

private:
    /// A folder with an opaque picture, a.png, and one with a channel of transparency, b.png.
    [[nodiscard]] QString makeClear(const QString& name) const {
        const QString folder = m_place.path(name);
        QDir().mkpath(folder);
        writeTestPicture(folder + u"/a.png"_s, 1, {64, 64});
        QImage image(64, 64, QImage::Format_ARGB32);
        image.fill(Qt::transparent);
        image.save(folder + u"/b.png"_s);
        for (const char* caption : {"/a.txt", "/b.txt"})
            writeBytes(folder + QString::fromLatin1(caption), "a tit");
        return folder;
    }
    [[nodiscard]] std::vector<core::DatasetRecord> records() {
        std::optional<std::vector<core::DatasetRecord>> found;
        m_services->library.ask<std::vector<core::DatasetRecord>>(
            this, [](core::Library& library) { return core::loadDatasets(library); },
            [&found](const std::vector<core::DatasetRecord>& all) { found = all; });
        (void)QTest::qWaitFor([&found] { return found.has_value(); }, kLongestMs);
        return found.value_or(std::vector<core::DatasetRecord>());
    }
};

void DatasetColourTest::transparentPicturesAreSeenAsSuch() {
    const QString folder = makeClear("clear");
    const auto items = readDataset(folder);
    QVERIFY(items);
    DatasetModel model(m_services->undo);
    model.set(folder, *items);
    QCOMPARE(model.rowCount(), 2);
    const auto rgbOf = [&model](int row) {
        return model.index(row).data(EditRole).value<core::PhotoEdit>().backgroundRgb;
    };
    const auto stateOf = [&model](int row) {
        return static_cast<ThumbnailState>(model.index(row).data(StateRole).toInt());
    };
    QCOMPARE(stateOf(0), ThumbnailState::None);
    QCOMPARE(stateOf(1), ThumbnailState::Caution);
    QCOMPARE(model.index(1).data(StateTextRole).toString(), u"See-through"_s);
    QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
    model.setBackground(kRed);
    QVERIFY(!changed.isEmpty());
    QCOMPARE(rgbOf(0), core::kWhite); // its small picture is kept
    QCOMPARE(rgbOf(1), kRed);
    model.setFilter({{}, {}, {}, true});
    QCOMPARE(model.rowCount(), 0); // it is no problem
}

void DatasetColourTest::anotherColourIsChosenAndTakenBack() {
    const QString folder = makeClear("chosen");
    DatasetsPage page(m_services->all());
    page.resize(1000, 700);
    auto* grid = showFolder(page, folder, 2);
    QPushButton* button = buttonNamed(page, u"Other colour"_s);
    QVERIFY(button != nullptr);
    grid->setCurrentIndex(grid->model()->index(0, 0));
    QVERIFY(!button->isVisible());
    grid->setCurrentIndex(grid->model()->index(1, 0));
    QVERIFY(button->isVisible());
    const auto said = [&page](const QString& words) { return !shownTexts(page).filter(words).isEmpty(); };
    QVERIFY(said(u"Transparent parts become white."_s));
    button->click();
    auto* dialog = page.findChild<QColorDialog*>();
    QVERIFY(dialog != nullptr);
    dialog->setCurrentColor(QColor(kRed));
    dialog->accept();
    QTRY_VERIFY(said(u"Transparent parts become this colour: #c81e28."_s));
    QCOMPARE(m_services->undo.undoText(), u"colour behind chosen"_s);
    QCOMPARE(grid->currentIndex().row(), 1);
    QCOMPARE(records().front().backgroundRgb, kRed);
    m_services->undo.undo();
    QTRY_VERIFY(said(u"Transparent parts become white."_s));
    QCOMPARE(records().front().backgroundRgb, core::kWhite);
    m_services->undo.redo();
    m_services->library.write([id = records().front().id](core::Library& library) {
        return core::removeDataset(library, id); // the tests share a library
    });
}

void DatasetColourTest::theColourIsLearned() {
    core::DatasetRecord record;
    record.id = core::newRecordId();
    record.name = "learned";
    record.folder = makeClear("learned").toStdString();
    record.backgroundRgb = kRed;
    m_services->library.write(
        [record](core::Library& library) { return core::saveDataset(library, record); });
    TrainSetup setup(m_services->all());
    setup.setDataset(u"learned"_s, QString::fromStdString(record.folder));
    const auto learned = [&setup] { return setup.order().config.data.background; };
    QTRY_COMPARE(learned(), "#c81e28");
    m_services->library.write(
        [id = record.id](core::Library& library) { return core::setDatasetBackground(library, id, 0); });
    setup.show(); // the page comes up again
    QTRY_COMPARE(learned(), "#000000");
    // What the library does not know is learned as it was.
    setup.setDataset(u"gone"_s, makeClear("gone"), false, kRed);
    QCOMPARE(learned(), "#c81e28");
}

void DatasetColourTest::anAnswerThatIsOvertakenChangesNothing() {
    core::DatasetRecord record;
    record.id = core::newRecordId();
    record.name = "overtaken";
    record.folder = makeClear("overtaken").toStdString();
    record.backgroundRgb = kRed;
    LearnChoice choice(m_services->subjects, m_services->library);
    choice.setDataset(u"overtaken"_s, QString::fromStdString(record.folder));
    QSignalSpy changed(&choice, &LearnChoice::changed);
    {
        const Blocked drive(lookPool()); // as if it slept
        m_services->library.write(
            [record](core::Library& library) { return core::saveDataset(library, record); });
        choice.show();
        m_services->library.write(
            [id = record.id](core::Library& library) { return core::setDatasetBackground(library, id, 0); });
        choice.hide();
        choice.show(); // it asks again
        bool asked = false;
        m_services->library.work(
            this, [](core::Library&) {}, [&asked] { asked = true; });
        QTRY_VERIFY(asked); // by now the drive is
    }
    QTRY_COMPARE(choice.datasetBackground(), uint32_t{0});
    QCOMPARE(changed.size(), 1);
}

HOMEBOOTH_APP_TEST_MAIN(DatasetColourTest)
#include "tst_dataset_colour.moc"
