// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Lists of words for prompts: edited with a way back, read from files, known to the form that takes from
// them, and never changed before the library has answered.
#include "app/library/word_lists.h"
#include "app/pages/generate/generate_form.h"
#include "app/pages/generate/generate_page.h"
#include "app/pages/generate/word_list_panel.h"
#include "app_files.h"
#include "core/base/text/generation_parameters.h"

#include <QPlainTextEdit>
#include <QSet>

using namespace homebooth;
using namespace homebooth::app;

class WordListsTest : public ServicesTest {
    Q_OBJECT
public:
    using ServicesTest::ServicesTest;
private Q_SLOTS:
    void init() { beginAgain(); }
    void cleanup() {
        m_closed.reset();
        end();
    }
    void wordListsAreEditedWithAWayBack();
    void aTextFileBecomesAList();
    void thePromptSaysWhatItWillAskFor();
    void aNameOfNoListStaysInThePrompt();
    void aFileThatComesBeforeTheLibraryChangesTheListOfItsName();
    void aListIsOpenedOnceTheLibraryHasAnswered();

private:
    /// A list in the library, of which no window knows yet; the services are over a closed library then.
    void leaveInTheLibrary(const char* name, const char* text);
    std::unique_ptr<ClosedServices> m_closed;
};

void WordListsTest::wordListsAreEditedWithAWayBack() {
    WordLists lists(m_services->library, m_services->undo);
    lists.load();
    QTRY_VERIFY(lists.loaded());
    WordListPanel panel(lists);
    panel.show();
    const int64_t id =
        lists.add(QStringLiteral("  {animal}  "), QStringLiteral("cat\n\n # no word\n dog \n"));
    panel.choose(id);
    QCOMPARE(lists.entries(QStringLiteral("Animal")).value_or(QStringList()),
             (QStringList{QStringLiteral("cat"), QStringLiteral("dog")}));
    QVERIFY(!lists.entries(QStringLiteral("bird")).has_value());
    auto* text = panel.findChild<QPlainTextEdit*>();
    const int steps = m_services->undo.count();
    for (const char* word : {"owl", "owl\nhen"}) text->setPlainText(QString::fromLatin1(word));
    QCOMPARE(m_services->undo.count(), steps + 1); // one pause of typing, one step
    QCOMPARE(lists.entries(QStringLiteral("animal"))->size(), 2);
    auto* name = fieldNamed(panel, QStringLiteral("Name"));
    name->setFocus();
    name->selectAll();
    QTest::keyClicks(name, QStringLiteral("subject"));
    QCOMPARE(shownTexts(panel).filter(QStringLiteral("Take another name")).size(), 1);
    QVERIFY(lists.named(QStringLiteral("subject")) == nullptr);
    const QString taken = QString::fromStdString(lists.find(id)->name);
    const int64_t twin = lists.add(taken.toUpper(), {});
    QCOMPARE(QString::fromStdString(lists.find(twin)->name), taken.toUpper() + QStringLiteral(" 2"));
    lists.remove(id);
    QVERIFY(lists.find(id) == nullptr);
    m_services->undo.undo();
    QCOMPARE(QString::fromStdString(lists.find(id)->text), QStringLiteral("owl\nhen"));
    // Over a restart.
    WordLists again(m_services->library, m_services->undo);
    again.load();
    QTRY_VERIFY(again.loaded());
    QVERIFY(again.all() == lists.all());
    lists.remove(id);
    lists.remove(twin);
}

void WordListsTest::aTextFileBecomesAList() {
    WordLists lists(m_services->library, m_services->undo);
    QSignalSpy added(&lists, &WordLists::added);
    QSignalSpy failed(&lists, &WordLists::failed);
    lists.load();
    const QString file = m_place.path(QStringLiteral("wild_animals.txt"));
    writeBytes(file, "fox\r\nbear\r\n");
    lists.addFile(file);
    QTRY_COMPARE(added.size(), 1);
    const QString name = QStringLiteral("wild_animals");
    QCOMPARE(lists.entries(name).value_or(QStringList()),
             (QStringList{QStringLiteral("fox"), QStringLiteral("bear")}));
    writeBytes(file, "wolf\n");
    lists.addFile(file); // the same list, as the file is now
    QTRY_COMPARE(added.size(), 2);
    QCOMPARE(lists.entries(name).value_or(QStringList()), QStringList{QStringLiteral("wolf")});
    m_services->undo.undo();
    QCOMPARE(lists.entries(name)->size(), 2);
    for (const QByteArray& bytes : {QByteArray(), QByteArray("\xff\xfe"
                                                             "a\0",
                                                             4)}) {
        writeBytes(file, bytes);
        const auto before = failed.size();
        lists.addFile(file);
        QTRY_COMPARE(failed.size(), before + 1);
        QVERIFY(failed.back()[0].toString().contains(QStringLiteral("wild_animals.txt")));
    }
    lists.remove(lists.named(name)->id);
}

void WordListsTest::leaveInTheLibrary(const char* name, const char* text) {
    WordLists before(m_services->library, m_services->undo);
    before.load();
    QTRY_VERIFY(before.loaded());
    while (!before.all().empty()) before.remove(before.all().front().id);
    before.add(QString::fromLatin1(name), QString::fromLatin1(text));
    end();
    m_closed = std::make_unique<ClosedServices>(m_place, QStringLiteral("library"));
}

void WordListsTest::aFileThatComesBeforeTheLibraryChangesTheListOfItsName() {
    leaveInTheLibrary("colours", "red");
    const QString file = m_place.path(QStringLiteral("colours.txt"));
    writeBytes(file, "blue\n");
    WordLists lists(m_closed->library, m_closed->undo);
    QSignalSpy added(&lists, &WordLists::added);
    lists.load();
    lists.addFile(file);
    QTest::qWait(100);
    QCOMPARE(added.size(), 0);
    QCOMPARE(m_closed->undo.count(), 0);
    m_closed->library.open(m_closed->file);
    QTRY_COMPARE(added.size(), 1);
    QCOMPARE(lists.all().size(), size_t{1});
    QCOMPARE(QString::fromStdString(lists.all().front().text), QStringLiteral("blue\n"));
    m_closed->undo.undo();
    QCOMPARE(QString::fromStdString(lists.all().front().text), QStringLiteral("red"));
    m_closed->undo.redo();
    m_closed.reset();
    beginAgain();
    WordLists kept(m_services->library, m_services->undo);
    kept.load();
    QTRY_VERIFY(kept.loaded());
    QCOMPARE(kept.all().size(), size_t{1});
    QCOMPARE(QString::fromStdString(kept.all().front().text), QStringLiteral("blue\n"));
}

void WordListsTest::aListIsOpenedOnceTheLibraryHasAnswered() {
    leaveInTheLibrary("animal", "cat");
    WordLists lists(m_closed->library, m_closed->undo);
    WordListPanel panel(lists);
    panel.show();
    lists.load();
    panel.open(QStringLiteral("Animal"));
    QVERIFY(!panel.isEnabled());
    QCOMPARE(m_closed->undo.count(), 0);
    writeBytes(m_place.path(QStringLiteral("no folder")), "a file");
    m_closed->library.open(m_place.path(QStringLiteral("no folder/library.db")));
    QTRY_COMPARE(m_closed->library.state(), LibraryService::State::Refused);
    QVERIFY(!lists.loaded());
    m_closed->library.open(m_closed->file);
    QTRY_VERIFY(panel.isEnabled());
    QCOMPARE(lists.all().size(), size_t{1});
    QCOMPARE(panel.current(), qlonglong{lists.all().front().id});
    QCOMPARE(m_closed->undo.count(), 0);
}

void WordListsTest::thePromptSaysWhatItWillAskFor() {
    WordLists lists(m_services->library, m_services->undo);
    lists.load();
    QTRY_VERIFY(lists.loaded());
    const int64_t id = lists.add(QStringLiteral("animal"), QStringLiteral("cat\ndog\nowl"));
    GenerateForm form(m_services->all(), &lists);
    form.show();
    form.setPrompt(QStringLiteral("a rocket"));
    QCOMPARE(shownTexts(form).filter(QStringLiteral("With this seed")).size(), 0);
    form.setPrompt(QStringLiteral("a"));
    form.insert(QStringLiteral("{animal}")); // at the end of what is there
    form.setSeed(7);
    QCOMPARE(shownTexts(form).filter(QStringLiteral("With this seed: ") + form.filled().text).size(), 1);
    QSet<QString> seen;
    for (quint64 seed = 0; seed < 40; ++seed) {
        form.setSeed(seed);
        seen.insert(form.filled().text);
    }
    QVERIFY(seen.size() == 3);
    form.setPrompt(QStringLiteral("a {robot}"));
    QCOMPARE(shownTexts(form).filter(QStringLiteral("no word list \"robot\"")).size(), 1);
    lists.add(QStringLiteral("robot"), QStringLiteral("tin man")); // the form follows
    QCOMPARE(shownTexts(form).filter(QStringLiteral("With this seed: a tin man")).size(), 1);
    lists.remove(lists.named(QStringLiteral("robot"))->id);
    lists.remove(id);
}

void WordListsTest::aNameOfNoListStaysInThePrompt() {
    GeneratePage page(m_services->all());
    page.resize(1200, 800);
    page.show();
    auto* form = page.findChild<GenerateForm*>();
    form->setPrompt(QStringLiteral("a {robot}"));
    QPushButton* make = buttonNamed(page, QStringLiteral("Make the list"));
    QTRY_VERIFY(make->isVisible());
    QCOMPARE(shownTexts(*form).filter(QStringLiteral("no word list \"robot\"")).size(), 1);
    m_services->generator.setTraining(true); // it takes jobs, but begins none
    page.mainButton()->click();
    QTRY_COMPARE(m_services->generator.jobs().size(), size_t{1});
    QCOMPARE(m_services->generator.jobs().front().config.prompt, std::string("a {robot}"));
    make->click();
    auto* panel = page.findChild<WordListPanel*>();
    QVERIFY(panel->isVisible());
    QCOMPARE(fieldNamed(*panel, QStringLiteral("Name"))->text(), QStringLiteral("robot"));
    QCOMPARE(form->filled().problem, FilledPrompt::Problem::EmptyList);
    panel->findChild<QPlainTextEdit*>()->setPlainText(QStringLiteral("tin man"));
    QCOMPARE(form->filled().text, QStringLiteral("a tin man"));
    QVERIFY(!make->isVisible());
    // What a picture was made with has no places left to fill in.
    core::GenerationParameters facts;
    facts.prompt = "a {robot}";
    facts.steps = 20;
    facts.sampler = "Euler a";
    facts.seed = 7;
    facts.widthPixels = facts.heightPixels = 64;
    QVERIFY(page.useParameters(QString::fromStdString(core::writeGenerationParameters(facts)), {}));
    QCOMPARE(form->prompt(), QStringLiteral("a \\{robot\\}"));
    QCOMPARE(form->filled().text, QStringLiteral("a {robot}"));
}

HOMEBOOTH_APP_TEST_MAIN(WordListsTest)
#include "tst_word_lists.moc"
