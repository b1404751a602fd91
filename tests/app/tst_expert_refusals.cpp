// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Values that an expert setting cannot take: told with a sign, and mended by one click.
#include "app/pages/train/expert_form.h"
#include "app/pages/train/plan_panel.h"
#include "app/pages/train/train_setup.h"
#include "app_files.h"

using namespace homebooth;
using namespace homebooth::app;

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
};

void ExpertRefusalsTest::whatWasRefusedAndIsTypedAnewIsTold() {
    ExpertForm form;
    form.setDefaults({});
    QLineEdit* size = fieldNamed(form, QStringLiteral("Picture size"));
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
    const QString size = QStringLiteral("Picture size");
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
    QTest::newRow("a half step") << QStringLiteral("Steps") << "0.4"
                                 << "1" << 1;
    QTest::newRow("more than all") << QStringLiteral("Pictures without words") << "150 %"
                                   << "1" << 1;
    QTest::newRow("an end that does not belong to it") << QStringLiteral("Average of the past") << "1"
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
    QPushButton* remedy = buttonNamed(form, QStringLiteral("Use %1").arg(mended));
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
    QLineEdit* size = fieldNamed(setup, QStringLiteral("Picture size"));
    for (const char* typed : {"513", "765"}) { // what is offered follows what is typed
        size->setText(QLatin1String(typed));
        Q_EMIT size->editingFinished();
    }
    const QString remedy = QStringLiteral("Use 768");
    QVERIFY(buttonNamed(*form, remedy) != nullptr && buttonNamed(*panel, remedy) != nullptr);
    QVERIFY(!setup.ready());
    buttonNamed(*panel, remedy)->click(); // the fold may be closed
    QVERIFY(!form->refuses());
    QCOMPARE(size->text(), QStringLiteral("768"));
    QCOMPARE(form->changes().value(QStringLiteral("data.resolutionPixels")), QStringLiteral("768"));
}

HOMEBOOTH_APP_TEST_MAIN(ExpertRefusalsTest)
#include "tst_expert_refusals.moc"
