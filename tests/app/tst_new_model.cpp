// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// From a dataset to the plan of a model that is trained from scratch: which model's shape it shall have.
#include "app/pages/datasets/datasets_page.h"
#include "app/pages/datasets/scratch_dialog.h"
#include "app_files.h"

#include <QDir>
#include <QListView>
#include <QPlainTextEdit>
#include <QRadioButton>

using namespace homebooth;
using namespace homebooth::app;

class NewModelTest : public QObject {
    Q_OBJECT
public:
    explicit NewModelTest(const TestPlace& place)
        : m_place(place) {}
private Q_SLOTS:
    void init() {
        failOnAnyWarning();
        m_services = std::make_unique<TestServices>(m_place);
    }
    void cleanup() { m_services.reset(); }
    void aNewModelAsksForItsShape();
    void aShapeThatKnowsNothingTeachesItsAutoencoderFirst();

private:
    const TestPlace& m_place;
    std::unique_ptr<TestServices> m_services;
};

void NewModelTest::aNewModelAsksForItsShape() {
    const QString folder = m_place.path(u"for a new model"_s);
    QDir().mkpath(folder);
    writeTestPicture(folder + u"/a.png"_s, 1, {64, 64});
    DatasetsPage page(m_services->all());
    page.show();
    page.addFolder(folder);
    auto* grid = page.findChild<ThumbnailGrid*>();
    QTRY_COMPARE(grid->model()->rowCount(), 1);
    auto* scratch = buttonNamed(page, u"Train from scratch"_s);
    QVERIFY(!scratch->isEnabled()); // no caption yet
    grid->setCurrentIndex(grid->model()->index(0, 0));
    page.findChild<QPlainTextEdit*>()->setPlainText(u"a tit"_s);
    QTRY_VERIFY(scratch->isEnabled());
    m_services->models.refresh();
    QTRY_VERIFY(m_services->models.find(builtInModel()) != nullptr &&
                m_services->models.find(builtInModel())->looked);
    scratch->click();
    auto* dialog = page.findChild<ScratchDialog*>();
    QVERIFY(dialog != nullptr && dialog->isVisible());
    QCOMPARE(shownTexts(*dialog).filter(u"Train on this"_s).size(), 1); // one picture is few
    QCOMPARE(dialog->model(), builtInModel());
    // A folder that holds none is refused with the reason, one that holds a model is taken.
    dialog->useFolder(folder);
    QTRY_COMPARE(shownTexts(*dialog).filter(u"for a new model"_s).size(), 1);
    const QString other = m_place.path(u"another shape"_s);
    QVERIFY(QFile::link(builtInModel(), other));
    dialog->useFolder(other);
    QTRY_COMPARE(dialog->model(), other);
    auto* go = buttonNamed(*dialog, u"Look at the plan"_s);
    QTRY_VERIFY(go->isEnabled());
    QSignalSpy wanted(&page, &DatasetsPage::trainWanted);
    dialog->findChild<QRadioButton*>()->setChecked(true); // the first: a pictures model, as at the beginning
    QVERIFY(!dialog->autoencoder());
    go->click();
    QCOMPARE(wanted.size(), 1);
    const auto order = wanted[0][0].value<DatasetOrder>();
    QVERIFY(!order.autoencoder && order.folder == folder);
    QCOMPARE(order.shapeOf, other);
}

void NewModelTest::aShapeThatKnowsNothingTeachesItsAutoencoderFirst() {
    const QString shape = coarseModel(m_place.path(u"configurations"_s));
    ScratchDialog dialog(m_services->models, kUnknownCount, nullptr);
    dialog.setAttribute(Qt::WA_DeleteOnClose, false);
    dialog.useFolder(shape);
    QTRY_COMPARE(dialog.model(), shape);
    auto* go = buttonNamed(dialog, u"Look at the plan"_s);
    const QString lack = u"Its autoencoder has not learned yet"_s;
    QTRY_COMPARE(shownTexts(dialog).filter(lack).size(), 1);
    QVERIFY(!go->isEnabled());
    dialog.findChildren<QRadioButton*>().constLast()->setChecked(true);
    QVERIFY(dialog.autoencoder());
    QVERIFY(go->isEnabled());
    QCOMPARE(shownTexts(dialog).filter(lack).size(), 0);
    QSignalSpy chosen(&dialog, &ScratchDialog::chosen);
    go->click();
    QCOMPARE(chosen.size(), 1);
    QCOMPARE(chosen[0][0].toString(), shape);
    QVERIFY(chosen[0][1].toBool());
}

HOMEBOOTH_APP_TEST_MAIN(NewModelTest)
#include "tst_new_model.moc"
