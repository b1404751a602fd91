// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the window's rules make of events before any widget has them: the wheel scrolls, and changes no
// field that nobody has chosen.
#include "app/shell/main_window.h"
#include "app_fixture.h"

#include <QApplication>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QSlider>
#include <QSpinBox>
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

/// @param angle  above 0: away from the user
void turnWheel(QWidget& widget, int angle) {
    const QPointF at = widget.rect().center();
    QWheelEvent turned(at, widget.mapToGlobal(at), {}, QPoint(0, angle), Qt::NoButton, Qt::NoModifier,
                       Qt::NoScrollPhase, false);
    QApplication::sendEvent(&widget, &turned);
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
    list->addItems({QStringLiteral("a"), QStringLiteral("b"), QStringLiteral("c")});
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
    QStringList kinds;
    for (const PageId id : kPages) {
        m_window->showPage(id);
        for (QWidget* field : m_window->page(id)->findChildren<QWidget*>()) {
            const QVariant before = valueOf(*field);
            if (!before.isValid()) continue;
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

HOMEBOOTH_APP_TEST_MAIN(EventRulesTest)
#include "tst_event_rules.moc"
