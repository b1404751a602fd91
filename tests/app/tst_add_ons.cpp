// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The add-ons that pictures are made with: their weights, and what becomes of one that is away.
#include "app/engine/places.h"
#include "app/pages/generate/generate_form.h"
#include "app/pages/generate/lora_rows.h"
#include "app/shell/main_window.h"
#include "app/widgets/parts.h"
#include "core/base/model/model_writer.h"
#include "picture_fixture.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QPushButton>
#include <QScreen>
#include <QSlider>

#include <memory>

using namespace homebooth;
using namespace homebooth::app;

class AddOnsTest : public PicturesTest {
    Q_OBJECT
public:
    using PicturesTest::PicturesTest;
private Q_SLOTS:
    void initTestCase() { beginEngine(); }
    void init() { beginAgain(); }
    void cleanup() { end(); }
    void severalAddOnsKeepTheirWeights();
    void inPlaceOfOneThatIsGoneNoOtherIsTaken();
    void anotherOneIsAdded();
    void aNarrowFormHasRoomForTheWeight();
    void longNamesAreReadWhereTheyAreChosen();
    void namesThatBeginAlikeAreToldApart();
    void theyStayWhenAModelIsImported();
};

void AddOnsTest::severalAddOnsKeepTheirWeights() {
    addModel(u"hat.safetensors"_s, "lora");
    addModel(u"style.safetensors"_s, "lora");
    LoraRows rows(m_services->models);
    QVERIFY(rows.loras().empty());
    const std::string hat = m_place.path(u"hat.safetensors"_s).toStdString();
    const std::string style = m_place.path(u"style.safetensors"_s).toStdString();
    rows.setLoras({{style, 0.75}, {"/gone.safetensors", 1.0}, {hat, -0.5}});
    const std::vector<core::LoraReference> loras = rows.loras();
    QCOMPARE(loras.size(), size_t{2});
    QCOMPARE(loras[0].file, style);
    QCOMPARE(loras[0].weight, 0.75);
    QCOMPARE(loras[1].file, hat);
    QCOMPARE(loras[1].weight, -0.5);
    GenerateForm form(m_services->all());
    core::SampleConfig config = form.config();
    config.loras = loras;
    form.setConfig(config);
    QCOMPARE(form.config().loras.size(), size_t{2});
    form.setModel(builtInModel());
    QVERIFY(form.config().loras.empty());
}

void AddOnsTest::inPlaceOfOneThatIsGoneNoOtherIsTaken() {
    addModel(u"hat.safetensors"_s, "lora");
    addModel(u"style.safetensors"_s, "lora");
    const QString hat = m_place.path(u"hat.safetensors"_s);
    const QString style = m_place.path(u"style.safetensors"_s);
    ModelShelf& shelf = m_services->models;
    const core::ModelRecord record = *shelf.record(shelf.find(style)->recordId);
    LoraRows rows(shelf);
    rows.setLoras({{hat.toStdString(), 0.5}, {style.toStdString(), 0.75}});
    shelf.forget(record.id);
    QCOMPARE(rows.loras().size(), size_t{1});
    QCOMPARE(QString::fromStdString(rows.loras()[0].file), hat);
    const QList<QComboBox*> choices = rows.findChildren<QComboBox*>();
    QCOMPARE(choices.size(), 2);
    QCOMPARE(choices[1]->currentIndex(), -1);
    QVERIFY(!choices[1]->placeholderText().isEmpty());
    shelf.put(record); // it is back, with its weight
    QCOMPARE(rows.loras().size(), size_t{2});
    QCOMPARE(QString::fromStdString(rows.loras()[1].file), style);
    QCOMPARE(rows.loras()[1].weight, 0.75);
    shelf.forget(record.id);
    choices[1]->setCurrentIndex(choices[1]->findData(hat)); // the user takes another one
    shelf.put(record);
    QCOMPARE(QString::fromStdString(rows.loras()[1].file), hat);
}

void AddOnsTest::anotherOneIsAdded() {
    addModel(u"hat.safetensors"_s, "lora");
    addModel(u"style.safetensors"_s, "lora");
    const std::string hat = m_place.path(u"hat.safetensors"_s).toStdString();
    const std::string style = m_place.path(u"style.safetensors"_s).toStdString();
    LoraRows rows(m_services->models);
    rows.setLoras({{hat, 0.5}});
    QPushButton* add = buttonNamed(rows, u"Add an add-on (LoRA)"_s);
    add->click();
    QCOMPARE(rows.loras().size(), size_t{2});
    QCOMPARE(rows.loras()[1].file, style); // the one that is there already would count twice
    QVERIFY(!add->isEnabled() && !add->toolTip().isEmpty());
    rows.remove(QString::fromStdString(hat));
    QVERIFY(add->isEnabled());
}

void AddOnsTest::longNamesAreReadWhereTheyAreChosen() {
    const QString name = QString(30, 'w') + u", step 24"_s;
    addModel(name + u".safetensors"_s, "lora");
    LoraRows rows(m_services->models);
    rows.setLoras({{m_place.path(name + u".safetensors"_s).toStdString(), 1.0}});
    const QRect area = rows.screen()->availableGeometry();
    rows.setGeometry(area.right() - 270, area.top(), 270, rows.sizeHint().height());
    rows.show();
    auto* choice = rows.findChild<QComboBox*>();
    choice->showPopup();
    QTRY_VERIFY(choice->view()->isVisible());
    QVERIFY(choice->view()->viewport()->width() >= choice->view()->sizeHintForColumn(0));
    const QRect list = choice->view()->window()->geometry();
    QVERIFY2(list.left() >= area.left() && list.right() <= area.right(),
             qPrintable(QString::number(list.x())));
    choice->hidePopup();
}

void AddOnsTest::namesThatBeginAlikeAreToldApart() {
    const std::unique_ptr<QComboBox> list(makeNameList());
    for (const int step : {10, 20}) list->addItem(u"frog, green cat, blue dog, step %1"_s.arg(step));
    list->resize(130, list->sizeHint().height());
    const QImage first = list->grab().toImage();
    list->setCurrentIndex(1);
    QVERIFY(list->grab().toImage() != first);
}

void AddOnsTest::aNarrowFormHasRoomForTheWeight() {
    constexpr int kNarrow = 270; // px, about that of a compact window
    constexpr int kUsable = 60;
    addModel(u"hat.safetensors"_s, "lora");
    LoraRows rows(m_services->models);
    rows.setLoras({{m_place.path(u"hat.safetensors"_s).toStdString(), 1.0}});
    rows.resize(kNarrow, rows.sizeHint().height());
    rows.show();
    QVERIFY(QTest::qWaitForWindowExposed(&rows));
    QVERIFY2(rows.width() <= kNarrow, qPrintable(QString::number(rows.width())));
    const auto* weight = rows.findChild<QSlider*>();
    QVERIFY2(weight->width() >= kUsable, qPrintable(QString::number(weight->width())));
    auto* figure = fieldNamed(rows, u"Weight of add-on 1"_s);
    figure->selectAll();
    QTest::keyClicks(figure, u"0.5"_s);
    QCOMPARE(figure->text(), u"0.5"_s);
    rows.findChild<QSlider*>()->triggerAction(QAbstractSlider::SliderSingleStepAdd); // as the wheel does
    QCOMPARE(figure->text(), QLocale().toString(rows.loras()[0].weight, 'f', 2));
}

void AddOnsTest::theyStayWhenAModelIsImported() {
    addModel(u"hat.safetensors"_s, "lora");
    const QString hat = m_place.path(u"hat.safetensors"_s);
    const QString file = m_place.path(u"dream.safetensors"_s);
    const auto model = core::openPictureModel(builtInModel().toStdString());
    QVERIFY(model && core::writeSingleFile(*model, file.toStdString()));
    MainWindow window(m_services->all());
    auto* form = window.page(PageId::Generate)->findChild<GenerateForm*>();
    form->setModel(builtInModel(), hat);
    m_services->models.import(file);
    QTRY_COMPARE(QString::fromStdString(form->config().model), file);
    const std::vector<core::LoraReference> loras = form->config().loras;
    QCOMPARE(loras.size(), size_t{1});
    QCOMPARE(QString::fromStdString(loras[0].file), hat);
}

HOMEBOOTH_APP_TEST_MAIN(AddOnsTest)
#include "tst_add_ons.moc"
