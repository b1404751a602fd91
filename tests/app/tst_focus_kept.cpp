// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where the keyboard is once the thing that was pressed, or that had the focus, is gone: beside it,
// never nowhere.
#include "app/pages/generate/lora_rows.h"
#include "app/pages/train/setup/expert_form.h"
#include "app/pages/train/setup/learn_choice.h"
#include "app/pages/train/setup/plan_panel.h"
#include "app/widgets/message_bar.h"
#include "app/widgets/parts.h"
#include "picture_fixture.h"

#include <QApplication>
#include <QBoxLayout>
#include <QToolButton>

using namespace homebooth;
using namespace homebooth::app;

class FocusKeptTest : public PicturesTest {
    Q_OBJECT
public:
    using PicturesTest::PicturesTest;
private Q_SLOTS:
    void initTestCase() { beginEngine(); }
    void init() { beginAgain(); }
    void cleanup() { end(); }
    void ofAnAddOnThatIsRemoved();
    void ofASubjectThatIsNotLearned();
    void ofARemedyWhileOthersAreTried();
    void ofARemedyThatGoes();
    void ofAMessageWhileAnotherIsTakenBack();
    void ofASettingThatIsPutBack();

private:
    /// What the chip with the focus says; empty: none has it.
    [[nodiscard]] static QString focusedChip() {
        const auto* chip = qobject_cast<const QPushButton*>(QApplication::focusWidget());
        return chip != nullptr && chip->property(kThingProperty).toBool() ? chip->text() : QString();
    }
};

namespace {

/// Shows it with the keyboard in its window.
[[nodiscard]] bool inUse(QWidget& widget) {
    widget.show();
    widget.activateWindow();
    return QTest::qWaitForWindowActive(&widget);
}

/// As a user does, until what goes is gone.
void press(QWidget* button) {
    button->setFocus(Qt::TabFocusReason);
    QTest::keyClick(button, Qt::Key_Space);
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
}

PlanFacts refused() {
    PlanFacts facts;
    facts.verdict = PlanFacts::Verdict::Refused;
    facts.problem = u"a setting is not as it must be"_s;
    return facts;
}

} // namespace

void FocusKeptTest::ofAnAddOnThatIsRemoved() {
    addModel(u"hat.safetensors"_s, "lora");
    addModel(u"style.safetensors"_s, "lora");
    LoraRows rows(m_services->models);
    const std::string hat = m_place.path(u"hat.safetensors"_s).toStdString();
    const std::string style = m_place.path(u"style.safetensors"_s).toStdString();
    rows.setLoras({{hat, 1.0}, {style, 0.5}});
    QVERIFY(inUse(rows));
    QList<QToolButton*> crosses = rows.findChildren<QToolButton*>();
    QCOMPARE(crosses.size(), 2);
    const QWidget* other = crosses[1];
    press(crosses[0]);
    QCOMPARE(rows.loras().size(), size_t{1});
    QCOMPARE(QApplication::focusWidget(), other);
    press(QApplication::focusWidget());
    QVERIFY(rows.loras().empty());
    QCOMPARE(QApplication::focusWidget(), buttonNamed(rows, u"Add an add-on (LoRA)"_s));
    rows.setLoras({{hat, 1.0}});
    QCoreApplication::processEvents();
    rows.findChild<QToolButton*>()->setFocus();
    QVERIFY(rows.findChild<QToolButton*>()->hasFocus());
    rows.setLoras({}); // a model that is chosen elsewhere takes them away
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    QVERIFY(rows.isAncestorOf(QApplication::focusWidget()));
}

void FocusKeptTest::ofASubjectThatIsNotLearned() {
    SubjectBook& book = m_services->subjects;
    LearnChoice choice(book, m_services->library);
    QList<int64_t> ids;
    for (const char* name : {"robot", "car", "dog"}) {
        const QString photo = writeTestPicture(m_place.path(QLatin1String(name) + u".png"_s), 1, {64, 64});
        ids.append(book.addFromPhotos({photo}, QLatin1String(name)));
    }
    choice.setSubject(ids[0]);
    choice.addSubject(ids[1]);
    choice.addSubject(ids[2]);
    QVERIFY(inUse(choice));
    press(buttonNamed(choice, u"robot"_s));
    QCOMPARE(choice.chosen(), (QList<qlonglong>{ids[1], ids[2]}));
    QCOMPARE(focusedChip(), u"car"_s);
    core::Subject renamed = *book.find(ids[2]);
    renamed.name = "hound";
    book.change(renamed, u"rename"_s);
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    QCOMPARE(focusedChip(), u"car"_s);
    press(buttonNamed(choice, u"hound"_s)); // the last one
    QCOMPARE(focusedChip(), u"car"_s);
    while (m_services->undo.canUndo()) m_services->undo.undo();
}

void FocusKeptTest::ofARemedyWhileOthersAreTried() {
    PlanPanel panel;
    QString pressed;
    const auto remedy = [&pressed](const char* label, const char* act) {
        return PlanRemedy{QLatin1String(label), [&pressed, act] { pressed = QLatin1String(act); }};
    };
    panel.show(refused(), {}, m_place.path({}));
    panel.setRemedies({remedy("Use 512 px", "before")}, true);
    QVERIFY(inUse(panel));
    QPushButton* first = buttonNamed(panel, u"Use 512 px"_s);
    first->setFocus(Qt::TabFocusReason);
    panel.setRemedies({remedy("Parts in RAM", "ram"), remedy("Use 512 px", "now")}, true); // one more fits
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    QCOMPARE(QApplication::focusWidget(), first);
    QCoreApplication::processEvents();
    QVERIFY(buttonNamed(panel, u"Parts in RAM"_s)->y() < first->y()); // in the order of their worth
    QTest::keyClick(first, Qt::Key_Space);
    QCOMPARE(pressed, u"now"_s);
}

void FocusKeptTest::ofARemedyThatGoes() {
    PlanPanel panel;
    const auto nothing = [] {};
    panel.show(refused(), {}, m_place.path({}));
    panel.setRemedies({{u"First"_s, nothing}, {u"Second"_s, nothing}});
    QVERIFY(inUse(panel));
    buttonNamed(panel, u"Second"_s)->setFocus(Qt::TabFocusReason);
    panel.setRemedies({{u"First"_s, nothing}});
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    QCOMPARE(QApplication::focusWidget(), buttonNamed(panel, u"First"_s));
    panel.setRemedies({});
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    QCOMPARE(QApplication::focusWidget(), buttonNamed(panel, u"What the engine says"_s));
}

void FocusKeptTest::ofAMessageWhileAnotherIsTakenBack() {
    QWidget window;
    auto* column = new QVBoxLayout(&window);
    auto* bar = new MessageBar;
    column->addWidget(bar);
    bar->show({MessageKind::Error, u"It is so."_s, {{u"Try again"_s, [] {}}}, u"failed"_s});
    QVERIFY(inUse(window));
    QPushButton* again = buttonNamed(*bar, u"Try again"_s);
    again->setFocus(Qt::TabFocusReason);
    bar->drop(u"queued"_s); // which is not there
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    QCOMPARE(QApplication::focusWidget(), again);
}

void FocusKeptTest::ofASettingThatIsPutBack() {
    ExpertForm form;
    form.setDefaults({});
    QVERIFY(inUse(form));
    form.setChange(u"steps"_s, u"123"_s);
    QToolButton* reset = nullptr;
    for (auto* button : form.findChildren<QToolButton*>())
        if (button->accessibleName() == u"Default of Steps"_s) reset = button;
    QVERIFY(reset != nullptr && reset->isEnabled());
    press(reset);
    QVERIFY(form.changes().isEmpty() && !reset->isEnabled());
    QCOMPARE(QApplication::focusWidget(), fieldNamed(form, u"Steps"_s));
}

HOMEBOOTH_APP_TEST_MAIN(FocusKeptTest)
#include "tst_focus_kept.moc"
