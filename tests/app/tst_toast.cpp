// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The short message that offers the way back stands where it is in nobody's way.
#include "app/shell/main_window.h"
#include "app/widgets/toast.h"
#include "app_files.h"

#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QPlainTextEdit>

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
                names.append(QStringLiteral("%1 %2").arg(
                    QString::fromLatin1(widget->metaObject()->className()), widget->accessibleName()));
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
    Q_EMIT generator.made(0, writeTestPicture(m_place.path(QStringLiteral("made.png")), 1, {64, 64}), config);
    Q_EMIT generator.ended(true);
    QVERIFY(buttonNamed(window, QStringLiteral("Same seed"))->isVisible());
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
    buttonNamed(*window.page(PageId::Generate), QStringLiteral("Prompts"))->setChecked(prompts);
    window.showPage(static_cast<PageId>(page));
    QTest::qWait(50); // places are given out
    Q_EMIT window.page(static_cast<PageId>(page))->toast(QStringLiteral("3 pictures were deleted."));
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
    toast.show(QStringLiteral("The list was deleted."));
    const QPoint first = toast.pos();
    button.setGeometry(0, first.y(), 600, 32);
    QTRY_VERIFY(!toast.geometry().intersects(button.geometry()));
    button.setGeometry(0, 0, 600, 32);
    QTRY_COMPARE(toast.pos(), first);
    button.setGeometry(0, 0, 600, 400); // no place is free
    QTRY_COMPARE(toast.pos(), first);
    QVERIFY(toast.isVisible());
}

HOMEBOOTH_APP_TEST_MAIN(ToastTest)
#include "tst_toast.moc"
