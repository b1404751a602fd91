// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the window's rules make of events before any widget has them: the wheel scrolls, and changes no
// field that nobody has chosen; a double click and a key that is held begin one job.
#include "app/pages/generate/generate_form.h"
#include "app/pages/train/setup/train_setup.h"
#include "app/shell/job_bar.h"
#include "app/shell/main_window.h"
#include "app/widgets/parts.h"
#include "app_files.h"

#include <QApplication>
#include <QComboBox>
#include <QCursor>
#include <QDoubleSpinBox>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSlider>
#include <QSpinBox>
#include <QStyleHints>
#include <QVBoxLayout>
#include <QWheelEvent>

using namespace homebooth::app;

class EventRulesTest : public ServicesTest {
    Q_OBJECT
public:
    using ServicesTest::ServicesTest;
private Q_SLOTS:
    void init();
    void cleanup();
    void theWheelChangesAFieldInFocus();
    void theWheelChangesNoFieldOfAnyPage();
    void aListThatIsClosedIsNoLongerUnderThePointer();
    void aDoubleClickOrAHeldKeyBeginsOneJob();
    void whoGoesOnClickingIsHeard();
    void returnPressesTheButtonInFocus();
    void aMenuOpensWithoutItsKey();

private:
    std::unique_ptr<MainWindow> m_window;
};

namespace {

constexpr int kNotch = QWheelEvent::DefaultDeltasPerStep;

/// Which entry of a list, or which number; invalid: the wheel changes nothing of such a widget.
QVariant valueOf(const QWidget& widget) {
    if (const auto* list = qobject_cast<const QComboBox*>(&widget)) return list->currentIndex();
    if (const auto* slider = qobject_cast<const QSlider*>(&widget)) return slider->value();
    if (const auto* number = qobject_cast<const QSpinBox*>(&widget)) return number->value();
    if (const auto* number = qobject_cast<const QDoubleSpinBox*>(&widget)) return number->value();
    return {};
}

/// As a real wheel does, which also gives the focus: an event that is merely sent does not.
/// @param angle  above 0: away from the user
void turnWheel(QWidget& widget, int angle) {
    const QPointF at = widget.rect().center();
    QWheelEvent turned(at, widget.mapToGlobal(at), {}, QPoint(0, angle), Qt::NoButton, Qt::NoModifier,
                       Qt::NoScrollPhase, false);
    QSpontaneKeyEvent::setSpontaneous(&turned);
    qApp->notify(&widget, &turned);
}

/// @param type  as Qt tells of the press
void click(QWidget& widget, QEvent::Type type, quint64 timeMs) {
    const QPointF at(widget.rect().center());
    for (const auto& [part, buttons] :
         {std::pair(type, Qt::LeftButton), std::pair(QEvent::MouseButtonRelease, Qt::NoButton)}) {
        QMouseEvent event(part, at, widget.mapToGlobal(at), Qt::LeftButton, buttons, Qt::NoModifier);
        event.setTimestamp(timeMs);
        QApplication::sendEvent(&widget, &event);
    }
}

} // namespace

void EventRulesTest::init() {
    beginAgain();
    m_window = std::make_unique<MainWindow>(m_services->all());
    m_window->show();
}

void EventRulesTest::cleanup() {
    m_window.reset();
    end();
}

void EventRulesTest::theWheelChangesAFieldInFocus() {
    QWidget window;
    auto* column = new QVBoxLayout(&window);
    auto* list = new QComboBox;
    list->addItems({u"a"_s, u"b"_s, u"c"_s});
    list->setCurrentIndex(1);
    auto* slider = new QSlider(Qt::Horizontal);
    slider->setValue(50);
    auto* whole = new QSpinBox;
    whole->setValue(50);
    auto* real = new QDoubleSpinBox;
    real->setValue(0.5);
    const QList<QWidget*> fields{list, slider, whole, real};
    for (QWidget* field : fields) column->addWidget(field);
    window.show();
    window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    for (QWidget* field : fields) {
        const char* name = field->metaObject()->className();
        field->clearFocus(); // the first one has it with the window
        const QVariant before = valueOf(*field);
        turnWheel(*field, kNotch);
        turnWheel(*field, -2 * kNotch);
        QVERIFY2(!field->hasFocus() && valueOf(*field) == before, name);
        field->setFocus();
        QVERIFY2(field->hasFocus(), name);
        turnWheel(*field, -kNotch);
        QVERIFY2(valueOf(*field) != before, name);
    }
}

void EventRulesTest::theWheelChangesNoFieldOfAnyPage() {
    m_window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(m_window.get())); // else no turn gives the focus to any field
    m_window->page(PageId::Train)->findChild<TrainSetup*>()->toggleExpert();
    m_window->page(PageId::Generate)->findChild<GenerateForm*>()->toggleExpert();
    QStringList kinds;
    for (const PageId id : kPages) {
        m_window->showPage(id);
        for (QWidget* field : m_window->page(id)->findChildren<QWidget*>()) {
            const QVariant before = valueOf(*field);
            if (!before.isValid() || !field->isVisible()) continue;
            const QString name =
                QString::fromLatin1(field->metaObject()->className()) + ' ' + field->accessibleName();
            field->clearFocus();
            for (const int angle : {kNotch, -kNotch}) {
                turnWheel(*field, angle);
                QVERIFY2(valueOf(*field) == before, qPrintable(name));
            }
            for (const char* kind : {"QComboBox", "QSlider", "QAbstractSpinBox"})
                if (field->inherits(kind)) kinds.append(QLatin1String(kind));
        }
    }
    kinds.removeDuplicates();
    QCOMPARE(kinds.size(), 3); // there were some of each
}

void EventRulesTest::aListThatIsClosedIsNoLongerUnderThePointer() {
    QWidget window;
    window.setGeometry(200, 200, 200, 100);
    auto* list = new QComboBox(&window);
    list->addItems({u"a"_s, u"b"_s});
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    QCursor::setPos(0, 0);
    list->showPopup();
    list->setAttribute(Qt::WA_UnderMouse); // it was clicked
    list->hidePopup();
    QVERIFY(!list->underMouse());
}

void EventRulesTest::aDoubleClickOrAHeldKeyBeginsOneJob() {
    m_window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    quint64 time = 1000;
    for (const PageId id : {PageId::Generate, PageId::Train}) {
        m_window->showPage(id);
        QPushButton* main = m_window->page(id)->mainButton();
        main->disconnect(m_window->page(id)); // it is counted, and begins nothing
        main->setEnabled(true);
        QSignalSpy pressed(main, &QPushButton::clicked);
        for (const QEvent::Type type : // as Qt tells of three
             {QEvent::MouseButtonPress, QEvent::MouseButtonDblClick, QEvent::MouseButtonPress})
            click(*main, type, time += 100);
        QCOMPARE(pressed.size(), 1);
        click(*main, QEvent::MouseButtonPress, time += 5000); // another one is meant
        QCOMPARE(pressed.size(), 2);
        for (const bool repeated : {false, true, true})
            QTest::simulateEvent(m_window.get(), true, Qt::Key_Return, Qt::ControlModifier, {}, repeated);
        QCOMPARE(pressed.size(), 3);
    }
    m_window.reset(); // its menu has this key, too
    GenerateForm form(m_services->all());
    QSignalSpy wanted(&form, &GenerateForm::makeWanted);
    for (const bool repeated : {false, true, true}) {
        QKeyEvent key(QEvent::KeyPress, Qt::Key_Return, Qt::ControlModifier, {}, repeated);
        QApplication::sendEvent(form.findChild<QPlainTextEdit*>(), &key);
    }
    QCOMPARE(wanted.size(), 1);
}

void EventRulesTest::whoGoesOnClickingIsHeard() {
    const std::unique_ptr<QPushButton> begin(makeButton({}, {}, "primary"));
    auto* bar = m_window->findChild<JobBar*>();
    QPushButton* pause = buttonNamed(*bar, u"Pause"_s);
    pause->disconnect(bar); // it is counted, and pauses nothing
    quint64 time = 1000;
    const auto heardOfFour = [&time](QPushButton& button) {
        const int afterMs = QGuiApplication::styleHints()->mouseDoubleClickInterval() * 3 / 4;
        QSignalSpy pressed(&button, &QPushButton::clicked);
        for (const QEvent::Type type : {QEvent::MouseButtonPress, QEvent::MouseButtonDblClick,
                                        QEvent::MouseButtonPress, QEvent::MouseButtonDblClick})
            click(button, type, time += static_cast<quint64>(afterMs));
        return pressed.size();
    };
    QCOMPARE(heardOfFour(*begin), 2);
    begin->setCheckable(true); // each click takes the one before back
    QCOMPARE(heardOfFour(*begin), 4);
    QCOMPARE(heardOfFour(*pause), 4);
}

void EventRulesTest::returnPressesTheButtonInFocus() {
    const std::unique_ptr<QPushButton> begin(makeButton({}, {}, "primary"));
    QSignalSpy pressed(begin.get(), &QPushButton::clicked);
    QTest::keyClick(begin.get(), Qt::Key_Return);
    QTest::keyClick(begin.get(), Qt::Key_Enter, Qt::KeypadModifier);
    QCOMPARE(pressed.size(), 2);
    const auto send = [&begin](Qt::KeyboardModifiers modifiers, bool held) {
        QKeyEvent event(QEvent::KeyPress, Qt::Key_Return, modifiers, u"\r"_s, held);
        QApplication::sendEvent(begin.get(), &event);
    };
    send(Qt::NoModifier, true);
    send(Qt::ShiftModifier, false);
    QCOMPARE(pressed.size(), 2);
    begin->setEnabled(false);
    send(Qt::NoModifier, false);
    QCOMPARE(pressed.size(), 2);
}

void EventRulesTest::aMenuOpensWithoutItsKey() {
    QWidget list;
    list.setContextMenuPolicy(Qt::CustomContextMenu);
    QSignalSpy asked(&list, &QWidget::customContextMenuRequested);
    QTest::keyClick(&list, Qt::Key_F10, Qt::ShiftModifier);
    QCOMPARE(asked.size(), 1);
}

HOMEBOOTH_APP_TEST_MAIN(EventRulesTest)
#include "tst_event_rules.moc"
