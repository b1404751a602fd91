// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is told stands where it is in nobody's way, and goes by itself where nothing has to be done: the short
// message that offers the way back, and what a page says of what went well.
#include "app/shell/main_window.h"
#include "app/widgets/message_bar.h"
#include "app/widgets/parts.h"
#include "app/widgets/toast.h"
#include "app_files.h"

#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QBoxLayout>
#include <QComboBox>
#include <QPlainTextEdit>
#include <QTimer>
#include <QToolButton>

using namespace homebooth;
using namespace homebooth::app;

class ToastTest : public ServicesTest {
    Q_OBJECT
public:
    using ServicesTest::ServicesTest;
private Q_SLOTS:
    void init() { beginAgain(); }
    void cleanup() { end(); }
    void coversNoControl_data();
    void coversNoControl();
    void givesWayToControlsThatComeBelowIt();
    void goesOnceItsButtonHasTheFocusNoMore();
    void goodMessagesGoAndOthersStay_data();
    void goodMessagesGoAndOthersStay();
    void aGoodMessageStaysWhileItIsLookedAt();
    void aGoodMessageWaitsUntilItIsInView();
    void namesStandAsTheyAre();

private:
    /// Names of the controls that are seen below the toast.
    [[nodiscard]] static QStringList coveredBy(const Toast& toast, const QWidget& window);
    /// The page Generate with a picture that was made, and what is to be done with it.
    void showResults(MainWindow& window);
};

QStringList ToastTest::coveredBy(const Toast& toast, const QWidget& window) {
    const QRect mine(toast.mapTo(&window, QPoint()), toast.size());
    QStringList names;
    const auto take = [&](const auto& widgets) {
        for (const auto* widget : widgets) {
            const QRect seen = widget->visibleRegion().boundingRect();
            if (!widget->isVisible() || seen.isEmpty() || toast.isAncestorOf(widget)) continue;
            if (mine.intersects(QRect(widget->mapTo(&window, seen.topLeft()), seen.size())))
                names.append(u"%1 %2"_s.arg(QString::fromLatin1(widget->metaObject()->className()),
                                            widget->accessibleName()));
        }
    };
    take(window.findChildren<QAbstractButton*>());
    take(window.findChildren<QLineEdit*>());
    take(window.findChildren<QComboBox*>());
    take(window.findChildren<QAbstractSpinBox*>());
    take(window.findChildren<QAbstractSlider*>());
    take(window.findChildren<QPlainTextEdit*>());
    return names;
}

void ToastTest::showResults(MainWindow& window) {
    window.showPage(PageId::Generate);
    Generator& generator = m_services->generator;
    const core::SampleConfig config = pictureOrder(m_place, 1);
    Q_EMIT generator.begun(config);
    Q_EMIT generator.made(0, writeTestPicture(m_place.path(u"made.png"_s), 1, {64, 64}), config);
    Q_EMIT generator.ended(true);
    QVERIFY(buttonNamed(window, u"Same seed"_s)->isVisible());
}

void ToastTest::coversNoControl_data() {
    QTest::addColumn<int>("page");
    QTest::addColumn<QSize>("size");
    QTest::addColumn<bool>("prompts");
    const auto row = [](const char* name, PageId page, QSize size, bool prompts = false) {
        QTest::addRow("%s, %d x %d", name, size.width(), size.height()) << int(page) << size << prompts;
    };
    for (const QSize size : {QSize(800, 480), QSize(1024, 640), QSize(1180, 780), QSize(1600, 1000)}) {
        row("pictures", PageId::Generate, size);
        row("pictures beside prompts", PageId::Generate, size, true);
        row("subjects", PageId::Subjects, size);
        row("gallery", PageId::Gallery, size);
        row("datasets", PageId::Datasets, size);
        row("models", PageId::Models, size);
        row("queue", PageId::Queue, size);
    }
}

void ToastTest::coversNoControl() {
    QFETCH(int, page);
    QFETCH(QSize, size);
    QFETCH(bool, prompts);
    MainWindow window(m_services->all());
    window.resize(size);
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    showResults(window);
    buttonNamed(*window.page(PageId::Generate), u"Prompts"_s)->setChecked(prompts);
    window.showPage(static_cast<PageId>(page));
    QTest::qWait(50); // places are given out
    Q_EMIT window.page(static_cast<PageId>(page))->toast(u"3 pictures were deleted."_s);
    const auto* toast = window.findChild<Toast*>();
    QVERIFY(toast->isVisible());
    QVERIFY(window.centralWidget()->rect().contains(toast->geometry()));
    QCOMPARE(coveredBy(*toast, window), QStringList());
}

void ToastTest::givesWayToControlsThatComeBelowIt() {
    QWidget window;
    window.resize(600, 400);
    QPushButton button(&window);
    button.setGeometry(0, 200, 600, 32);
    Toast toast(&window);
    window.show();
    toast.show(u"The list was deleted."_s);
    const QPoint first = toast.pos();
    button.setGeometry(0, first.y(), 600, 32);
    constexpr int kGap = 4; // it does not touch it either
    QTRY_VERIFY(!toast.geometry().adjusted(-kGap, -kGap, kGap, kGap).intersects(button.geometry()));
    button.setGeometry(0, 0, 600, 32);
    QTRY_COMPARE(toast.pos(), first);
    button.setGeometry(0, 0, 600, 400); // no place is free
    QTRY_COMPARE(toast.pos(), first);
    QVERIFY(toast.isVisible());
}

namespace {

constexpr int kLifeMs = 40;          // in place of ten seconds
constexpr int kLongMs = 5 * kLifeMs; // by then it would be gone

/// A window with a message bar that forgets soon, and a field beside it that takes the focus.
struct Told {
    QWidget window;
    MessageBar* bar = new MessageBar;
    QLineEdit* field = new QLineEdit;
    Told() {
        auto* column = new QVBoxLayout(&window);
        column->addWidget(bar);
        column->addWidget(field);
        bar->findChild<QTimer*>(u"life"_s)->setInterval(kLifeMs);
    }
    void open() {
        window.show();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        field->setFocus();
    }
    void say(MessageKind kind, bool stays = false) const {
        bar->show({kind, u"It is so."_s, {}, u"told"_s, {}, stays});
    }
};

} // namespace

void ToastTest::goesOnceItsButtonHasTheFocusNoMore() {
    QWidget window;
    window.resize(600, 400);
    QPushButton other(&window);
    Toast toast(&window);
    toast.findChild<QTimer*>(u"life"_s)->setInterval(kLifeMs);
    window.show();
    window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    toast.show(u"The list was deleted."_s);
    QEvent leave(QEvent::Leave); // it waits for the pointer, too, which may lie there from the start
    QApplication::sendEvent(&toast, &leave);
    buttonNamed(toast, u"Undo"_s)->setFocus();
    QTest::qWait(kLongMs);
    QVERIFY(toast.isVisible());
    other.setFocus();
    QTRY_VERIFY(!toast.isVisible());
}

void ToastTest::goodMessagesGoAndOthersStay_data() {
    QTest::addColumn<int>("kind");
    QTest::addColumn<bool>("stays");
    QTest::addColumn<bool>("goes");
    QTest::newRow("good") << int(MessageKind::Good) << false << true;
    QTest::newRow("good, but news to nobody yet") << int(MessageKind::Good) << true << false;
    QTest::newRow("note") << int(MessageKind::Note) << false << false;
    QTest::newRow("caution") << int(MessageKind::Caution) << false << false;
    QTest::newRow("error") << int(MessageKind::Error) << false << false;
}

void ToastTest::goodMessagesGoAndOthersStay() {
    QFETCH(int, kind);
    QFETCH(bool, stays);
    QFETCH(bool, goes);
    Told told;
    told.open();
    told.say(static_cast<MessageKind>(kind), stays);
    QCOMPARE(told.bar->count(), 1);
    if (goes)
        QTRY_COMPARE(told.bar->count(), 0);
    else
        QTest::qWait(kLongMs);
    QCOMPARE(told.bar->isHidden(), goes);
}

void ToastTest::aGoodMessageStaysWhileItIsLookedAt() {
    Told told;
    told.open();
    told.bar->setAttribute(Qt::WA_UnderMouse); // as Qt has it while the pointer is there
    told.say(MessageKind::Good);
    QTest::qWait(kLongMs);
    QCOMPARE(told.bar->count(), 1);
    told.bar->findChild<QToolButton*>()->setFocus();
    told.bar->setAttribute(Qt::WA_UnderMouse, false);
    QTest::qWait(kLongMs);
    QCOMPARE(told.bar->count(), 1);
    told.field->setFocus();
    QTRY_COMPARE(told.bar->count(), 0);
    // What went wrong meanwhile is no reason to forget it.
    told.say(MessageKind::Error);
    told.bar->show({MessageKind::Good, u"Another is done."_s, {}, u"other"_s});
    QTRY_COMPARE(told.bar->count(), 1);
    QTest::qWait(kLongMs);
    QCOMPARE(told.bar->currentText(), u"It is so."_s);
}

void ToastTest::aGoodMessageWaitsUntilItIsInView() {
    Told told;
    told.say(MessageKind::Good);
    QTest::qWait(kLongMs); // on a page that is not shown
    QCOMPARE(told.bar->count(), 1);
    told.open();
    QTRY_COMPARE(told.bar->count(), 0);
    QWidget elsewhere;
    elsewhere.show();
    elsewhere.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&elsewhere));
    told.say(MessageKind::Good);
    QTest::qWait(kLongMs);
    QCOMPARE(told.bar->count(), 1);
    told.open();
    QTRY_COMPARE(told.bar->count(), 0);
}

void ToastTest::namesStandAsTheyAre() {
    const QString name = u"Tom & \"Jerry\""_s;
    const QString text = u"Exported to %1."_s.arg(name).toHtmlEscaped(); // without any tag
    MessageBar bar;
    bar.show({MessageKind::Note, text, {}, u"name"_s});
    QLabel* shown = nullptr;
    for (auto* label : bar.findChildren<QLabel*>())
        if (label->text() == text) shown = label;
    QVERIFY(shown != nullptr);
    shown->setSelection(12, static_cast<int>(name.size()));
    QCOMPARE(shown->selectedText(), name);

    const QString title = u"a <b>bold</b> robot"_s;
    ElidedLabel head(title);
    letCopy(&head);
    head.setSelection(0, static_cast<int>(title.size()));
    QCOMPARE(head.selectedText(), title);

    QWidget window;
    Toast toast(&window);
    toast.show(title);
    auto* told = toast.findChild<QLabel*>();
    QCOMPARE(told->text(), title);
    QCOMPARE(told->textFormat(), Qt::PlainText);
}

HOMEBOOTH_APP_TEST_MAIN(ToastTest)
#include "tst_toast.moc"
