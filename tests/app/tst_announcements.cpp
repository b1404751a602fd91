// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What those who listen hear without looking for it: messages, milestones, what a field refused; each
// once, and nothing of what changes all the time.
#include "app/engine/runs/run_session.h"
#include "app/pages/train/setup/expert_form.h"
#include "app/shell/job_bar.h"
#include "app/shell/navigation.h"
#include "app/widgets/message_bar.h"
#include "app/widgets/parts.h"
#include "app/widgets/spoken.h"
#include "app/widgets/toast.h"
#include "picture_fixture.h"

#include <QAccessible>
#include <QBoxLayout>
#include <QButtonGroup>
#include <QComboBox>
#include <QEvent>

#include <memory>

using namespace homebooth;
using namespace homebooth::app;

class AnnouncementsTest : public PicturesTest {
    Q_OBJECT
public:
    using PicturesTest::PicturesTest;
private Q_SLOTS:
    void initTestCase() { beginEngine(); }
    void init() { beginAgain(); }
    void cleanup() { end(); }
    void eachMessageIsReadOut();
    void aMessageThatWasCoveredIsReadOut();
    void progressIsNotReadOut();
    void toastsAreReadOut();
    void milestonesAreReadOutAndStepsAreNot();
    void theEndOfPicturesIsReadOut();
    void figuresLeaveTheNameOfTheirLabel();
    void whatAFieldRefusesIsReadOut();
    void aChoiceThatCanBeTypedInSaysWhatItIsFor();
    void oneOfSeveralIsNoCheckBox();
};

namespace {

/// What a screen reader reads out: it comes into view as a notification.
class Heard : public QObject {
public:
    explicit Heard(const QWidget& speaker)
        : m_status(speaker.findChild<SpokenStatus*>()) {
        m_status->installEventFilter(this);
    }
    [[nodiscard]] const QStringList& words() const { return m_words; }
    [[nodiscard]] QAccessible::Role role() const {
        return QAccessible::queryAccessibleInterface(m_status)->role();
    }

protected:
    bool eventFilter(QObject*, QEvent* event) override {
        if (event->type() == QEvent::Show)
            m_words.append(QAccessible::queryAccessibleInterface(m_status)->text(QAccessible::Name));
        return false;
    }

private:
    SpokenStatus* m_status;
    QStringList m_words;
};

/// A message bar in a window that is shown.
struct Shown {
    QWidget window;
    MessageBar* bar = new MessageBar;
    Shown() {
        auto* column = new QVBoxLayout(&window);
        column->addWidget(bar);
        column->addWidget(new QLineEdit);
        window.show();
    }
    void say(const char* text, const char* key) const {
        bar->show({MessageKind::Error, QLatin1String(text), {}, QLatin1String(key)});
    }
};

void learn(core::JournalWriter& journal, int64_t from, int64_t to) {
    for (int64_t step = from; step <= to; ++step)
        journal.emit(core::StepEvent{step, 1, 0.5, 1e-4, 0.5, 2.0, {}, {}, {}, {}});
}

} // namespace

void AnnouncementsTest::eachMessageIsReadOut() {
    const Shown shown;
    const Heard heard(*shown.bar);
    QCOMPARE(heard.role(), QAccessible::Notification);
    shown.say("<b>The list is empty.</b> Write a line.", "list");
    QCOMPARE(heard.words(), QStringList{u"The list is empty. Write a line."_s});
    shown.say("<b>The list is empty.</b> Write a line.", "list"); // somebody pressed again
    QCOMPARE(heard.words().size(), 2);
    shown.say("Another one.", "other");
    QCOMPARE(heard.words().size(), 3);
    QCOMPARE(heard.words().last(), u"Another one."_s);
    Q_EMIT m_services->theme.changed(); // its sign is drawn anew
    shown.bar->drop(u"none of these"_s);
    QCOMPARE(heard.words().size(), 3);
}

void AnnouncementsTest::aMessageThatWasCoveredIsReadOut() {
    const Shown shown;
    const Heard heard(*shown.bar);
    shown.say("The first.", "first");
    shown.say("The second.", "second");
    shown.bar->drop(u"second"_s);
    QCOMPARE(heard.words().size(), 3);
    QCOMPARE(heard.words().last(), u"The first."_s);
    shown.bar->drop(u"first"_s);
    QCOMPARE(heard.words().size(), 3);
}

void AnnouncementsTest::progressIsNotReadOut() {
    const Shown shown;
    const Heard heard(*shown.bar);
    shown.say("1 of 40", "copy");
    for (int i = 2; i < 10; ++i) shown.bar->setText(u"copy"_s, u"%1 of 40"_s.arg(i));
    QCOMPARE(heard.words(), QStringList{u"1 of 40"_s});
}

void AnnouncementsTest::toastsAreReadOut() {
    QWidget window;
    window.resize(600, 400);
    Toast toast(&window);
    const Heard heard(toast);
    window.show();
    toast.show(u"The prompt was deleted."_s);
    QCOMPARE(heard.words(), QStringList{u"The prompt was deleted."_s});
    toast.show(u"The list was deleted."_s); // while the other is there
    QCOMPARE(heard.words().size(), 2);
    QCOMPARE(heard.words().last(), u"The list was deleted."_s);
    QCOMPARE(heard.role(), QAccessible::Notification);
}

void AnnouncementsTest::milestonesAreReadOutAndStepsAreNot() {
    const QString folder = makeRunFolder(m_services->settings.runsFolder(), u"toy"_s, 100);
    const auto journal = journalOf(folder);
    journal->emit(core::StateEvent{"training", "", 0, 100});
    learn(*journal, 1, 10);
    const auto works = core::RunLock::acquire((folder + u"/lock"_s).toStdString());
    QVERIFY(works.ok());
    m_services->runs.open(m_services->settings.runsFolder());
    QTRY_VERIFY(m_services->runs.working() != nullptr);
    QTRY_COMPARE(m_services->runs.working()->data().step(), int64_t{10});
    JobBar bar(m_services->all());
    const Heard heard(bar);
    bar.show();
    const QString title = m_services->runs.working()->title();
    QTRY_COMPARE(heard.words(), QStringList{title});
    learn(*journal, 11, 20);
    QTRY_COMPARE(m_services->runs.working()->data().step(), int64_t{20});
    QTest::qWait(300);
    QCOMPARE(heard.words(), QStringList{title});
    learn(*journal, 21, 30);
    QTRY_COMPARE(heard.words().size(), 2);
    QCOMPARE(heard.words().last(), title + u", 25 % done"_s);
    journal->emit(core::CheckpointEvent{30, "/a"});
    QTRY_COMPARE(heard.words().size(), 3);
    QCOMPARE(heard.words().last(), title + u", 25 % done, saved at 30"_s);
}

void AnnouncementsTest::theEndOfPicturesIsReadOut() {
    const QString folder = makeRunFolder(m_services->settings.runsFolder(), u"bear"_s, 100);
    journalOf(folder)->emit(core::OutcomeEvent{"done", {}, {}, 0, "", ""});
    m_services->runs.show(folder);
    QTRY_VERIFY(m_services->runs.current()->phase() == RunPhase::Done); // its records are read
    JobBar bar(m_services->all());
    const Heard heard(bar);
    bar.show();
    QTRY_COMPARE(heard.words(), QStringList{u"bear: Finished"_s});
    const auto* status = bar.findChild<SpokenStatus*>();
    Generator& generator = m_services->generator;
    generator.make(pictures("one", 2), 1);
    QVERIFY(status->accessibleName().isEmpty()); // what was said is over
    QTRY_COMPARE(heard.words().size(), 2);
    QCOMPARE(heard.words().last(), u"Finished, 2 picture(s)"_s);
    generator.make(pictures("one", 2), 2); // the same once more
    QTRY_COMPARE(heard.words().size(), 3);
    QCOMPARE(heard.words().last(), u"Finished, 2 picture(s)"_s);
    bool free = false;
    generator.giveBack([&free] { free = true; });
    QTRY_VERIFY(free);
    generator.make(pictures("one", 2), 3);
    generator.stop(); // while its engine starts
    QTRY_COMPARE(heard.words().size(), 4);
    QCOMPARE(heard.words().last(), u"Not finished"_s);
}

void AnnouncementsTest::figuresLeaveTheNameOfTheirLabel() {
    ElidedLabel label(u"10 of 100"_s);
    QCOMPARE(label.accessibleName(), u"10 of 100"_s);
    label.setAccessibleName(u"toy"_s);
    label.setShownText(u"11 of 100"_s);
    QCOMPARE(label.fullText(), u"11 of 100"_s);
    QCOMPARE(label.accessibleName(), u"toy"_s);
}

void AnnouncementsTest::whatAFieldRefusesIsReadOut() {
    ExpertForm form;
    form.setDefaults({});
    static_cast<QWidget&>(form).show(); // its own of this name is another
    const Heard heard(form);
    QLineEdit* size = fieldNamed(form, u"Picture size"_s);
    QVERIFY(size != nullptr);
    const QString effect = size->accessibleDescription();
    QVERIFY(!effect.isEmpty());
    size->setText(u"many"_s);
    Q_EMIT size->editingFinished();
    QVERIFY(form.refuses());
    QCOMPARE(heard.words().size(), 1);
    const QString start = u"Picture size: "_s;
    QVERIFY2(heard.words().front().startsWith(start), qPrintable(heard.words().front()));
    const QString refusal = heard.words().front().mid(start.size());
    QVERIFY(!refusal.isEmpty());
    QCOMPARE(size->accessibleDescription(), refusal + ' ' + effect); // for whoever comes back to it
    size->setText(u"512"_s);
    Q_EMIT size->editingFinished();
    QCOMPARE(size->accessibleDescription(), effect);
    QCOMPARE(heard.words().size(), 1);
}

void AnnouncementsTest::aChoiceThatCanBeTypedInSaysWhatItIsFor() {
    auto* choice = new QComboBox;
    choice->setEditable(true);
    const std::unique_ptr<QWidget> whole(labelled(u"Size"_s, choice, u"In pixels."_s));
    QCOMPARE(choice->lineEdit()->accessibleName(), u"Size"_s);
    QCOMPARE(choice->lineEdit()->accessibleDescription(), u"In pixels."_s);
}

void AnnouncementsTest::oneOfSeveralIsNoCheckBox() {
    const auto roleOf = [](QWidget& one) { return QAccessible::queryAccessibleInterface(&one)->role(); };
    NavigationButton entry(u"queue"_s, u"Queue"_s);
    QCOMPARE(roleOf(entry), QAccessible::RadioButton);
    QWidget row;
    QButtonGroup group;
    QPushButton* one = makeButton(u"Table"_s, {}, "segment");
    one->setParent(&row);
    group.addButton(one);
    letTabFollowChoice(group);
    QCOMPARE(roleOf(*one), QAccessible::RadioButton);
}

HOMEBOOTH_APP_TEST_MAIN(AnnouncementsTest)
#include "tst_announcements.moc"
