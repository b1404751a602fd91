// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The library of prompts beside the form: history and favourites with what they leave out, over a restart;
// every change of the list has a way back. And the models of prompts and results keep the rules.
#include "app/pages/generate/generate_form.h"
#include "app/pages/generate/generate_page.h"
#include "app/pages/generate/prompt/prompt_panel.h"
#include "app_files.h"
#include "item_rules.h"

#include <QLineEdit>
#include <QListView>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QTextDocument>

using namespace homebooth;
using namespace homebooth::app;

class PromptsTest : public ServicesTest {
    Q_OBJECT
public:
    using ServicesTest::ServicesTest;
private Q_SLOTS:
    void init();
    void cleanup();
    void promptsComeBackAfterARestart();
    void findsPromptsByWhatTheyLeaveOut();
    void aPromptIsKeptBeforeItWasUsed();
    void favouritesAndDeletionsHaveAWayBack();
    void deletingLeavesTheNeighbourChosen();
    void whatIsForgottenDoesNotComeBack();
    void whatIsForgottenComesNotBackUnderAnotherKey();
    void keysMeanTheListOnlyWhereItHasTheFocus();
    void withoutAChosenPromptThereIsNothingToDelete();
    void theFormIsAsItWasLeft();
    void promptModelKeepsTheRules();
    void promptsAreNoMarkupInTooltips();
    void resultModelKeepsTheRules();

private:
    /// Services and a panel over the same folders, as after a start.
    void start();
    void note(const char* text, const char* negative);
    /// Says yes to the question that is asked.
    void agree();
    /// Shows what the library has once all is written that was asked for.
    void awaitAnswer();
    [[nodiscard]] QStringList shown() const;
    [[nodiscard]] QListView* list() const { return m_panel->findChild<QListView*>(); }
    std::unique_ptr<PromptPanel> m_panel;
};

void PromptsTest::start() {
    cleanup();
    m_services = std::make_unique<TestServices>(m_place);
    m_panel = std::make_unique<PromptPanel>(m_services->all());
    m_panel->resize(260, 500);
    m_panel->show();
    m_panel->refresh();
}

void PromptsTest::init() {
    beginAgain();
    m_services->library.write([](core::Library& library) -> core::Result<void> {
        HOMEBOOTH_ASSIGN(const std::vector<core::Prompt> all, core::findPrompts(library, {}, 1000));
        for (const core::Prompt& prompt : all) HOMEBOOTH_CHECK(core::removePrompt(library, prompt.id));
        return {};
    });
    start(); // so that the panel never saw what other tests have kept
}

void PromptsTest::cleanup() {
    m_panel.reset();
    end();
}

void PromptsTest::note(const char* text, const char* negative) {
    m_services->library.write(
        [text = std::string(text), negative = std::string(negative)](core::Library& library) {
            return core::notePromptUse(library, text, negative);
        });
    bool written = false;
    m_services->library.ask<int>(
        m_panel.get(), [](core::Library&) { return core::Result<int>(0); },
        [&written](int) { written = true; });
    QTRY_VERIFY(written);
    QTest::qWait(2); // the latest comes first, by the millisecond
}

QStringList PromptsTest::shown() const {
    QStringList texts;
    for (int row = 0; row < m_panel->model().rowCount(); ++row)
        texts.append(QString::fromStdString(m_panel->model().at(row).text));
    return texts;
}

void PromptsTest::promptsComeBackAfterARestart() {
    note("a photo of {subject} in {red|blue} light", "blurred, text");
    note("a rocket", "");
    m_panel->refresh();
    QTRY_COMPARE(shown().size(), 2);
    list()->setCurrentIndex(m_panel->model().index(1));
    m_panel->toggleFavourite();
    QTRY_VERIFY(m_panel->model().at(0).favourite);
    start();
    QTRY_COMPARE(shown(), (QStringList{u"a photo of {subject} in {red|blue} light"_s,
                                       u"a rocket"_s})); // the favourite stands first
    QVERIFY(m_panel->model().at(0).favourite);
    const QString line = m_panel->model().index(0).data().toString();
    QVERIFY2(line.contains(u"blurred, text"_s), qPrintable(line));
    QSignalSpy chosen(m_panel.get(), &PromptPanel::chosen);
    list()->setCurrentIndex(m_panel->model().index(0));
    list()->setFocus();
    Q_EMIT list()->activated(list()->currentIndex());
    QCOMPARE(chosen.size(), 1);
    QCOMPARE(chosen[0][0].toString(), u"a photo of {subject} in {red|blue} light"_s);
    QCOMPARE(chosen[0][1].toString(), u"blurred, text"_s);
}

void PromptsTest::findsPromptsByWhatTheyLeaveOut() {
    note("a rocket", "people");
    note("a red apple", "");
    fieldNamed(*m_panel, u"Search prompts"_s)->setText(u"people"_s);
    QTRY_COMPARE(shown(), QStringList{u"a rocket"_s});
}

void PromptsTest::aPromptIsKeptBeforeItWasUsed() {
    m_panel->keep(u"a {big|small} house"_s, u"trees"_s);
    QTRY_COMPARE(shown().size(), 1);
    QVERIFY(m_panel->model().at(0).favourite);
    QCOMPARE(m_panel->model().at(0).uses, int64_t{0});
    m_panel->keep(u"a {big|small} house"_s, u"trees"_s); // once is enough
    QTest::qWait(100);
    QCOMPARE(m_services->undo.count(), 1);
    m_services->undo.undo();
    QTRY_COMPARE(shown().size(), 0);
    // One that was used before stays in the history when keeping it is taken back.
    note("a rocket", "");
    m_panel->keep(u"a rocket"_s, {});
    QTRY_VERIFY(m_panel->model().rowCount() == 1 && m_panel->model().at(0).favourite);
    m_services->undo.undo();
    QTRY_VERIFY(m_panel->model().rowCount() == 1 && !m_panel->model().at(0).favourite);
    QCOMPARE(m_panel->model().at(0).uses, int64_t{1});
}

void PromptsTest::favouritesAndDeletionsHaveAWayBack() {
    note("a rocket", "people");
    m_panel->refresh();
    QTRY_COMPARE(shown().size(), 1);
    const core::Prompt before = m_panel->model().at(0);
    list()->setCurrentIndex(m_panel->model().index(0));
    m_panel->toggleFavourite();
    QTRY_VERIFY(m_panel->model().at(0).favourite);
    m_services->undo.undo();
    QTRY_VERIFY(!m_panel->model().at(0).favourite);
    QSignalSpy toast(m_panel.get(), &PromptPanel::toast);
    m_panel->removeChosen();
    QTRY_COMPARE(shown().size(), 0);
    QCOMPARE(toast.size(), 1);
    m_services->undo.undo();
    QTRY_COMPARE(shown().size(), 1);
    QVERIFY(m_panel->model().at(0) == before);
}

void PromptsTest::agree() {
    auto* box = m_panel->findChild<QMessageBox*>();
    QVERIFY(box != nullptr && box->defaultButton() == box->button(QMessageBox::Cancel));
    for (auto* button : box->buttons())
        if (box->buttonRole(button) == QMessageBox::DestructiveRole) button->click();
    delete box;
}

void PromptsTest::awaitAnswer() {
    m_panel->refresh();
    const auto answered = std::make_shared<bool>(false);
    m_services->library.work(
        m_panel.get(), [](core::Library&) { return true; }, [answered](bool) { *answered = true; });
    QTRY_VERIFY(*answered);
}

void PromptsTest::whatIsForgottenDoesNotComeBack() {
    note("a rocket", "");
    note("a secret", "");
    m_panel->refresh();
    QTRY_COMPARE(shown().size(), 2);
    list()->setCurrentIndex(m_panel->model().index(0));
    m_panel->toggleFavourite();
    QTRY_VERIFY(m_panel->model().at(0).favourite);
    m_panel->askToForget(false);
    QCOMPARE(shown().size(), 2); // nothing happened yet
    agree();
    QTRY_COMPARE(shown(), QStringList{u"a rocket"_s});
    list()->setCurrentIndex(m_panel->model().index(0));
    m_panel->removeChosen();
    QTRY_VERIFY(shown().isEmpty());
    m_services->undo.undo();
    QTRY_COMPARE(shown(), QStringList{u"a rocket"_s});
    m_panel->askToForget(true);
    agree();
    QTRY_VERIFY(shown().isEmpty());
    m_services->undo.redo();
    m_services->undo.undo(); // neither has anything left to do
    m_services->undo.undo();
    awaitAnswer();
    QCOMPARE(shown(), QStringList());
}

void PromptsTest::whatIsForgottenComesNotBackUnderAnotherKey() {
    note("a secret", "");
    m_panel->refresh();
    QTRY_COMPARE(shown().size(), 1);
    list()->setCurrentIndex(m_panel->model().index(0));
    m_panel->removeChosen();
    QTRY_VERIFY(shown().isEmpty());
    note("a secret", ""); // once more
    m_panel->refresh();
    QTRY_COMPARE(shown().size(), 1);
    list()->setCurrentIndex(m_panel->model().index(0));
    m_panel->askToForget(false);
    agree();
    QTRY_VERIFY(shown().isEmpty());
    m_services->undo.undo(); // of the deletion before
    awaitAnswer();
    QCOMPARE(shown(), QStringList());
    m_panel->keep(u"a secret"_s, {}); // as somebody wishes who comes back to it
    QTRY_COMPARE(shown(), QStringList{u"a secret"_s});
    m_services->undo.undo();
    QTRY_VERIFY(shown().isEmpty());
}

void PromptsTest::deletingLeavesTheNeighbourChosen() {
    for (const char* text : {"one", "two", "three"}) note(text, "");
    m_panel->refresh();
    QTRY_COMPARE(shown().size(), 3);
    list()->setCurrentIndex(m_panel->model().index(1));
    m_panel->removeChosen();
    QTRY_COMPARE(shown(), (QStringList{u"three"_s, u"one"_s}));
    QCOMPARE(list()->currentIndex().row(), 1);
    m_panel->toggleFavourite(); // moves it to the front
    QTRY_COMPARE(shown(), (QStringList{u"one"_s, u"three"_s}));
    QCOMPARE(list()->currentIndex().row(), 0);
}

void PromptsTest::withoutAChosenPromptThereIsNothingToDelete() {
    const QToolButton* remove = nullptr;
    for (const auto* button : m_panel->findChildren<QToolButton*>())
        if (button->accessibleName() == QLatin1String("Delete the prompt")) remove = button;
    QVERIFY(remove != nullptr && !remove->isEnabled());
    note("a rocket", "");
    m_panel->refresh();
    QTRY_COMPARE(shown().size(), 1);
    list()->setCurrentIndex(m_panel->model().index(0));
    QVERIFY(remove->isEnabled());
    m_panel->removeChosen();
    QTRY_VERIFY(!remove->isEnabled());
}

void PromptsTest::keysMeanTheListOnlyWhereItHasTheFocus() {
    note("a rocket", "");
    GeneratePage page(m_services->all());
    page.resize(1200, 800);
    page.show();
    page.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&page));
    buttonNamed(page, u"Prompts"_s)->setChecked(true);
    auto* panel = page.findChild<PromptPanel*>();
    QTRY_COMPARE(panel->model().rowCount(), 1);
    auto* prompts = panel->findChild<QListView*>();
    prompts->setCurrentIndex(panel->model().index(0));
    panel->searchField()->setFocus();
    QVERIFY(!page.command(Page::Command::Delete));
    prompts->setFocus();
    QVERIFY(page.command(Page::Command::Delete));
    QTRY_COMPARE(panel->model().rowCount(), 0);
    // Its key leads there and back, as Esc does.
    QVERIFY(page.command(Page::Command::Prompts));
    QVERIFY(!panel->isVisible() && page.findChild<QPlainTextEdit*>()->hasFocus());
    QVERIFY(page.command(Page::Command::Prompts));
    QVERIFY(panel->searchField()->hasFocus());
    QTest::keyClick(panel->searchField(), Qt::Key_Escape);
    QVERIFY(!panel->isVisible() && page.findChild<QPlainTextEdit*>()->hasFocus());
}

void PromptsTest::theFormIsAsItWasLeft() {
    {
        GenerateForm form(m_services->all());
        form.setPrompt(u"half a sentence"_s, u"people"_s);
    }
    start();
    const GenerateForm form(m_services->all());
    QCOMPARE(form.prompt(), u"half a sentence"_s);
    QCOMPARE(form.negative(), u"people"_s);
}

void PromptsTest::promptModelKeepsTheRules() {
    PromptModel model;
    const ItemRules tester(model);
    std::vector<core::Prompt> prompts(3);
    for (size_t i = 0; i < prompts.size(); ++i) prompts[i].id = int64_t(i) + 1;
    model.set(prompts);
    prompts.pop_back();
    model.set(prompts);
    QCOMPARE(model.rowCount(), 2);
    model.set({});
    QCOMPARE(model.rowCount(), 0);
}

void PromptsTest::promptsAreNoMarkupInTooltips() {
    PromptModel model;
    std::vector<core::Prompt> prompts(1);
    prompts[0].text = "a <b>dog</b>";
    prompts[0].negative = "<img src=/dev/zero>";
    model.set(prompts);
    const QModelIndex index = model.index(0);
    QTextDocument shown;
    shown.setHtml(index.data(Qt::ToolTipRole).toString());
    QCOMPARE(shown.toPlainText(), index.data().toString());
    prompts[0].text = std::string(300, 'a');
    prompts[0].negative = "the end";
    model.set(prompts);
    const QString row = index.data().toString(); // both ends of a long one
    QVERIFY(row.size() < 200 && row.endsWith(u"the end"_s) && row.contains(QChar(0x2026)));
}

void PromptsTest::resultModelKeepsTheRules() {
    ResultModel model(m_services->thumbnails);
    const ItemRules tester(model);
    core::SampleConfig config = pictureOrder(m_place, 4);
    model.begin(config);
    QCOMPARE(model.rowCount(), 4);
    model.showPreview(0, 3, m_place.path("rough.png"));
    model.finish(0, m_place.path("done.png"));
    model.begin(config);
    QCOMPARE(model.rowCount(), 8);
    model.end(); // the places that stayed empty go
    QCOMPARE(model.rowCount(), 1);
    QVERIFY(model.index(0).data(ResultModel::DoneRole).toBool());
    config.count = 1000; // more than are kept
    model.begin(config);
    QCOMPARE(model.rowCount(), 400);
    model.clear();
    QCOMPARE(model.rowCount(), 0);
}

HOMEBOOTH_APP_TEST_MAIN(PromptsTest)
#include "tst_prompts.moc"
