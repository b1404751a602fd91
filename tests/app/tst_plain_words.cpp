// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Names, paths, captions and what files say stand on the pages as they are, also where they look like markup.
#include "app/pages/datasets/datasets_page.h"
#include "app/pages/models/models_page.h"
#include "app/pages/subjects/subjects_page.h"
#include "app/shell/main_window.h"
#include "app/widgets/pictures/thumbnail_grid.h"
#include "model_fixture.h"

#include <QAbstractItemView>
#include <QComboBox>

using namespace homebooth;
using namespace homebooth::app;

namespace {

const QString kOdd = u"<b>odd"_s;

/// Tooltips of a model's items that would be taken for markup.
QStringList markupIn(const QAbstractItemModel* model) {
    QStringList found;
    if (model == nullptr) return found;
    for (int row = 0; row < model->rowCount(); ++row)
        for (int column = 0; column < model->columnCount(); ++column) {
            const QString tip = model->index(row, column).data(Qt::ToolTipRole).toString();
            if (tip.contains(kOdd)) found.append(u"item: "_s + tip);
        }
    return found;
}

/// What below a widget would be taken for markup: labels, tooltips, and those of items.
QStringList markupOn(const QWidget& root) {
    QStringList found;
    for (const auto* label : root.findChildren<QLabel*>())
        if (label->text().contains(kOdd) && label->textFormat() != Qt::PlainText)
            found.append(u"label: "_s + label->text());
    for (const auto* widget : root.findChildren<QWidget*>())
        if (widget->toolTip().contains(kOdd)) found.append(u"tooltip: "_s + widget->toolTip());
    for (const auto* view : root.findChildren<QAbstractItemView*>()) found += markupIn(view->model());
    for (const auto* choice : root.findChildren<QComboBox*>()) found += markupIn(choice->model());
    return found;
}

/// How many labels below a widget say such a name.
int saying(const QWidget& root) {
    return static_cast<int>(shownTexts(root).filter(kOdd).size());
}

} // namespace

class PlainWordsTest : public KnownModelsTest {
    Q_OBJECT
public:
    using KnownModelsTest::KnownModelsTest;
private Q_SLOTS:
    void init() { beginAgain(); }
    void cleanup() { end(); }
    void namesAreNoMarkupOnAnyPage();

private:
    void addSubjects(MainWindow& window);
    void addDataset(MainWindow& window) const;
    void addModels(MainWindow& window);
};

/// Two with the same trigger word, which is told with the other one's name.
void PlainWordsTest::addSubjects(MainWindow& window) {
    const QString photo = writeTestPicture(m_place.path(kOdd + u" photo.png"_s), 1);
    const QString other = writeTestPicture(m_place.path(kOdd + u" other.png"_s), 2);
    const int64_t twin = m_services->subjects.addFromPhotos({other}, kOdd + u" twin"_s);
    const int64_t first = m_services->subjects.addFromPhotos({photo}, kOdd + u" toy"_s);
    for (const int64_t id : {twin, first}) {
        core::Subject subject = *m_services->subjects.find(id);
        subject.triggerWord = kOdd.toStdString();
        m_services->subjects.change(subject, u"name it"_s);
    }
    auto* page = static_cast<SubjectsPage*>(window.page(PageId::Subjects));
    page->select(first);
    auto* grid = page->findChild<ThumbnailGrid*>();
    QTRY_COMPARE(grid->model()->rowCount(), 1);
    grid->setCurrentIndex(grid->model()->index(0, 0));
    QTRY_VERIFY(saying(*page) >= 3); // the sentence, the twin and the photo's file
}

void PlainWordsTest::addDataset(MainWindow& window) const {
    const QString folder = m_place.path(kOdd + u" birds"_s);
    QDir().mkpath(folder);
    writeTestPicture(folder + '/' + kOdd + u".png"_s, 1, {300, 200});
    writeBytes(folder + '/' + kOdd + u".txt"_s, kOdd.toUtf8() + ", snow");
    auto* page = static_cast<DatasetsPage*>(window.page(PageId::Datasets));
    page->addFolder(folder);
    auto* grid = page->findChild<ThumbnailGrid*>();
    QTRY_COMPARE(grid->model()->rowCount(), 1);
    grid->setCurrentIndex(grid->model()->index(0, 0));
    QTRY_VERIFY(saying(*page) > 0);
}

/// A run that the built-in model was the beginning of, and an add-on with words of its own on its licence.
void PlainWordsTest::addModels(MainWindow& window) {
    makeRun(kOdd + u" run"_s, builtInModel());
    auto* page = static_cast<ModelsPage*>(window.page(PageId::Models));
    choose(*page, m_services->models.find(builtInModel())->name);
    QTRY_VERIFY(saying(*page) > 0); // what was made from it
    QVERIFY2(markupOn(*page).isEmpty(), qPrintable(markupOn(*page).join('\n')));
    const QString path = m_place.path(kOdd + u" style.safetensors"_s);
    {
        auto writer = core::SafetensorsWriter::create(
            path.toStdString(),
            {core::makeTensorInfo(std::string(kFirstLayer) + ".lora_down.weight", core::DataType::F32,
                                  {2, 32}),
             core::makeTensorInfo(std::string(kFirstLayer) + ".lora_up.weight", core::DataType::F32,
                                  {32, 2})},
            {{"modelspec.license", (kOdd + u" licence"_s).toStdString()}});
        QVERIFY(writer);
        const std::vector<float> values(64, 0.5F);
        for (const char* end : {".lora_down.weight", ".lora_up.weight"})
            QVERIFY(writer->write(std::string(kFirstLayer) + end, std::as_bytes(std::span(values))));
        QVERIFY(writer->commit());
    }
    m_services->models.import(path);
    QTRY_VERIFY(shownTexts(*page).contains(kOdd + u" licence"_s));
}

void PlainWordsTest::namesAreNoMarkupOnAnyPage() {
    MainWindow window(m_services->all());
    window.resize(1400, 900);
    window.show();
    addSubjects(window);
    addDataset(window);
    addModels(window);
    m_services->settings.set(keys::kSwap, m_place.path(kOdd));
    for (const PageId id : kPages) {
        window.showPage(id);
        QCoreApplication::processEvents();
        const QStringList found = markupOn(window);
        QVERIFY2(found.isEmpty(), qPrintable(window.page(id)->accessibleName() + u": "_s + found.join('\n')));
    }
}

HOMEBOOTH_APP_TEST_MAIN(PlainWordsTest)
#include "tst_plain_words.moc"
