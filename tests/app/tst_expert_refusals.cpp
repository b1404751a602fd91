// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Values that are typed into expert settings: read and shown as people write them; those that one cannot
// take are told with a sign, and mended by one click.
#include "app/engine/figures.h"
#include "app/pages/train/setup/expert_form.h"
#include "app/pages/train/setup/plan_panel.h"
#include "app/pages/train/setup/train_setup.h"
#include "app_files.h"

using namespace homebooth;
using namespace homebooth::app;

namespace {

/// Of all labels, also of a form that nobody has opened.
QStringList textsIn(const QWidget& root) {
    QStringList texts;
    for (const auto* label : root.findChildren<QLabel*>()) texts.append(label->text());
    return texts;
}

} // namespace

class ExpertRefusalsTest : public ServicesTest {
    Q_OBJECT
public:
    using ServicesTest::ServicesTest;
private Q_SLOTS:
    void init() { beginAgain(); }
    void cleanup() { end(); }
    void whatWasRefusedAndIsTypedAnewIsTold();
    void aRefusedValueIsMendedByOneClick_data();
    void aRefusedValueIsMendedByOneClick();
    void aRefusalIsAlsoMendedBesideStart();
    void anEndThatDoesNotBelongToARangeIsToldSo();
    void numbersAreReadAsPeopleWriteThem_data();
    void numbersAreReadAsPeopleWriteThem();
    void numbersAreShownAsPeopleWriteThem();
};

void ExpertRefusalsTest::whatWasRefusedAndIsTypedAnewIsTold() {
    ExpertForm form;
    form.setDefaults({});
    QLineEdit* size = fieldNamed(form, u"Picture size"_s);
    QVERIFY(size != nullptr);
    const auto type = [size](const char* text) {
        size->selectAll();
        QTest::keyClicks(size, QLatin1String(text));
        Q_EMIT size->editingFinished();
    };
    type("768");
    QVERIFY(!form.refuses());
    type("7");
    QVERIFY(form.refuses());
    QSignalSpy changed(&form, &ExpertForm::changed);
    type("768"); // as it was
    QVERIFY(!form.refuses());
    QVERIFY(!changed.isEmpty());
}

void ExpertRefusalsTest::aRefusedValueIsMendedByOneClick_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("typed");
    QTest::addColumn<QString>("mended");
    QTest::addColumn<int>("changes");
    const QString size = u"Picture size"_s;
    QTest::newRow("no multiple, the default is near") << size << "513"
                                                      << "512" << 0;
    QTest::newRow("no multiple") << size << "765"
                                 << "768" << 1;
    QTest::newRow("too small") << size << "1"
                               << "8" << 1;
    QTest::newRow("too large") << size << "1e9"
                               << "8192" << 1;
    QTest::newRow("no number") << size << "many"
                               << "512" << 0;
    QTest::newRow("a half step") << u"Steps"_s << "0.4"
                                 << "1" << 1;
    QTest::newRow("more than all") << u"Pictures without words"_s << "150 %"
                                   << "1" << 1;
    QTest::newRow("an end that does not belong to it") << u"Average of the past"_s << "1"
                                                       << "0" << 0;
}

void ExpertRefusalsTest::aRefusedValueIsMendedByOneClick() {
    QFETCH(QString, name);
    QFETCH(QString, typed);
    QFETCH(QString, mended);
    QFETCH(int, changes);
    ExpertForm form;
    form.setDefaults({});
    QLineEdit* field = fieldNamed(form, name);
    QVERIFY(field != nullptr);
    const auto signs = [&form] {
        int count = 0;
        for (const auto* label : form.findChildren<QLabel*>())
            if (!label->isHidden() && !label->pixmap().isNull()) ++count;
        return count;
    };
    QCOMPARE(signs(), 0);
    field->setText(typed);
    Q_EMIT field->editingFinished();
    QVERIFY(form.refuses());
    QCOMPARE(signs(), 1); // beside the words, as other refusals have it
    QPushButton* remedy = buttonNamed(form, u"Use %1"_s.arg(mended));
    QVERIFY(remedy != nullptr && !remedy->isHidden());
    remedy->click();
    QVERIFY(!form.refuses());
    QCOMPARE(field->text(), mended);
    QCOMPARE(int(form.changes().size()), changes);
    QCOMPARE(signs(), 0);
    QVERIFY(remedy->isHidden());
}

void ExpertRefusalsTest::aRefusalIsAlsoMendedBesideStart() {
    qputenv("HOMEBOOTH_ENGINE", "/bin/true");
    TrainSetup setup(m_services->all());
    const auto* form = setup.findChild<ExpertForm*>();
    const auto* panel = setup.findChild<PlanPanel*>();
    QLineEdit* size = fieldNamed(setup, u"Picture size"_s);
    for (const char* typed : {"513", "765"}) { // what is offered follows what is typed
        size->setText(QLatin1String(typed));
        Q_EMIT size->editingFinished();
    }
    const QString remedy = u"Use 768"_s;
    QVERIFY(buttonNamed(*form, remedy) != nullptr && buttonNamed(*panel, remedy) != nullptr);
    QVERIFY(!setup.ready());
    QVERIFY(!textsIn(*panel).filter(u"Picture size: Give a whole number"_s).isEmpty());
    buttonNamed(*panel, remedy)->click(); // the fold may be closed
    QVERIFY(!form->refuses());
    QCOMPARE(size->text(), u"768"_s);
    QCOMPARE(form->changes().value(u"data.resolutionPixels"_s), u"768"_s);
}

void ExpertRefusalsTest::anEndThatDoesNotBelongToARangeIsToldSo() {
    ExpertForm form;
    form.setDefaults({});
    const auto refusedFor = [&form](const char* name, const char* typed) {
        QLineEdit* field = fieldNamed(form, QLatin1String(name));
        field->setText(QLatin1String(typed));
        Q_EMIT field->editingFinished();
        return form.refusal()->reason;
    };
    QCOMPARE(refusedFor("Average of the past", "1"),
             u"Average of the past: Give a number: 0 to less than 1."_s);
    QVERIFY(!textsIn(form).filter(u", 0 to less than 1"_s).isEmpty());
    form.mend(u"optimizer.emaDecay"_s);
    QCOMPARE(refusedFor("Learning speed", "0"), u"Learning speed: Give a number: more than 0, at most 10."_s);
}

void ExpertRefusalsTest::numbersAreReadAsPeopleWriteThem_data() {
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("typed");
    QTest::addColumn<double>("value"); // < 0: none
    const auto row = [](const char* path, const char* typed, double value) {
        QTest::addRow("%s %s", path, typed) << QString::fromLatin1(path) << QString::fromUtf8(typed) << value;
    };
    for (const char* text :
         {"1e-6", "1E-6", "0.000001", "0,000001", "1.0e-6", " 1e-6 ", "0.0001 %", "0,0001%"})
        row("optimizer.learningRate", text, 1e-6);
    row("optimizer.learningRate", "5e-6", 5e-6);
    row("optimizer.learningRate", "0", -1.0); // it would learn nothing
    row("optimizer.learningRate", "fast", -1.0);
    row("optimizer.emaDecay", "99,9 %", 0.999);
    row("steps", "1200", 1200);
    row("steps", "1,200", 1200);
    row("steps", "1.200", 1200);
    row("steps", "1 200", 1200);
    row("steps", "1e3", 1000);
    row("steps", "12.5", -1.0);
    row("steps", "50 %", -1.0);
    row("data.resolutionPixels", "513", -1.0);
}

void ExpertRefusalsTest::numbersAreReadAsPeopleWriteThem() {
    QFETCH(QString, path);
    QFETCH(QString, typed);
    QFETCH(double, value);
    core::TrainConfig config;
    std::vector<core::ConfigField> fields = core::configFields(config);
    for (core::ConfigField& field : fields) {
        if (QString::fromStdString(field.path) != path) continue;
        const auto text = engineValue(field, typed);
        QCOMPARE(text.has_value(), value >= 0.0);
        if (text) QCOMPARE(text->toDouble(), value);
    }
}

void ExpertRefusalsTest::numbersAreShownAsPeopleWriteThem() {
    core::TrainConfig config;
    config.optimizer.learningRate = 2e-6;
    config.steps = 1200;
    ExpertForm form;
    form.setDefaults(config);
    QCOMPARE(fieldNamed(form, u"Learning speed"_s)->text(), u"2e-6"_s);
    QCOMPARE(fieldNamed(form, u"Steps"_s)->text(), u"1200"_s);
    QCOMPARE(shownTexts(form).filter(u"default 2e-6"_s).size(), 1); // it is said, too
    QCOMPARE(numberText(0.01), u"0.01"_s);
    QCOMPARE(numberText(9.99e-5, 2), u"1e-4"_s);
    QCOMPARE(numberText(7.4289e-5, 3), u"7.43e-5"_s);
    QLocale::setDefault(QLocale(u"de"_s));
    config.optimizer.learningRate = 2.5e-6;
    config.optimizer.weightDecay = 0.01;
    form.setDefaults(config);
    QCOMPARE(fieldNamed(form, u"Learning speed"_s)->text(), u"2,5e-6"_s);
    QCOMPARE(fieldNamed(form, u"Forgetting"_s)->text(), u"0,01"_s);
    QLocale::setDefault(QLocale(u"en"_s));
}

HOMEBOOTH_APP_TEST_MAIN(ExpertRefusalsTest)
#include "tst_expert_refusals.moc"
