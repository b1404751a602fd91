// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Lists of words for prompts: edited with a way back, read from files, known to the form that takes from
// them, and never changed before the library has answered.
#include "app/library/word_lists.h"
#include "app/pages/generate/generate_form.h"
#include "app/pages/generate/generate_page.h"
#include "app/pages/generate/prompt/word_list_panel.h"
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
    const int64_t id = lists.add(u"  {animal}  "_s, u"cat\n\n # no word\n dog \n"_s);
    panel.choose(id);
    QCOMPARE(lists.entries(u"Animal"_s).value_or(QStringList()), (QStringList{u"cat"_s, u"dog"_s}));
    QVERIFY(!lists.entries(u"bird"_s).has_value());
    auto* text = panel.findChild<QPlainTextEdit*>();
    const int steps = m_services->undo.count();
    for (const char* word : {"owl", "owl\nhen"}) text->setPlainText(QString::fromLatin1(word));
    QCOMPARE(m_services->undo.count(), steps + 1); // one pause of typing, one step
    QCOMPARE(lists.entries(u"animal"_s)->size(), 2);
    auto* name = fieldNamed(panel, u"Name"_s);
    name->setFocus();
    name->selectAll();
    QTest::keyClicks(name, u"subject"_s);
    QCOMPARE(shownTexts(panel).filter(u"Take another name"_s).size(), 1);
    QVERIFY(lists.named(u"subject"_s) == nullptr);
    const QString taken = QString::fromStdString(lists.find(id)->name);
    const int64_t twin = lists.add(taken.toUpper(), {});
    QCOMPARE(QString::fromStdString(lists.find(twin)->name), taken.toUpper() + u" 2"_s);
    lists.remove(id);
    QVERIFY(lists.find(id) == nullptr);
    m_services->undo.undo();
    QCOMPARE(QString::fromStdString(lists.find(id)->text), u"owl\nhen"_s);
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
    const QString file = m_place.path(u"wild_animals.txt"_s);
    writeBytes(file, "fox\r\nbear\r\n");
    lists.addFile(file);
    QTRY_COMPARE(added.size(), 1);
    const QString name = u"wild_animals"_s;
    QCOMPARE(lists.entries(name).value_or(QStringList()), (QStringList{u"fox"_s, u"bear"_s}));
    writeBytes(file, "wolf\n");
    lists.addFile(file); // the same list, as the file is now
    QTRY_COMPARE(added.size(), 2);
    QCOMPARE(lists.entries(name).value_or(QStringList()), QStringList{u"wolf"_s});
    m_services->undo.undo();
    QCOMPARE(lists.entries(name)->size(), 2);
    for (const QByteArray& bytes : {QByteArray(), QByteArray("\xff\xfe"
                                                             "a\0",
                                                             4)}) {
        writeBytes(file, bytes);
        const auto before = failed.size();
        lists.addFile(file);
        QTRY_COMPARE(failed.size(), before + 1);
        QVERIFY(failed.back()[0].toString().contains(u"wild_animals.txt"_s));
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
    m_closed = std::make_unique<ClosedServices>(m_place, u"library"_s);
}

void WordListsTest::aFileThatComesBeforeTheLibraryChangesTheListOfItsName() {
    leaveInTheLibrary("colours", "red");
    const QString file = m_place.path(u"colours.txt"_s);
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
    QCOMPARE(QString::fromStdString(lists.all().front().text), u"blue\n"_s);
    m_closed->undo.undo();
    QCOMPARE(QString::fromStdString(lists.all().front().text), u"red"_s);
    m_closed->undo.redo();
    m_closed.reset();
    beginAgain();
    WordLists kept(m_services->library, m_services->undo);
    kept.load();
    QTRY_VERIFY(kept.loaded());
    QCOMPARE(kept.all().size(), size_t{1});
    QCOMPARE(QString::fromStdString(kept.all().front().text), u"blue\n"_s);
}

void WordListsTest::aListIsOpenedOnceTheLibraryHasAnswered() {
    leaveInTheLibrary("animal", "cat");
    WordLists lists(m_closed->library, m_closed->undo);
    WordListPanel panel(lists);
    panel.show();
    lists.load();
    panel.open(u"Animal"_s);
    QVERIFY(!panel.isEnabled());
    QCOMPARE(m_closed->undo.count(), 0);
    writeBytes(m_place.path(u"no folder"_s), "a file");
    m_closed->library.open(m_place.path(u"no folder/library.db"_s));
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
    const int64_t id = lists.add(u"animal"_s, u"cat\ndog\nowl"_s);
    GenerateForm form(m_services->all(), &lists);
    form.show();
    form.setPrompt(u"a rocket"_s);
    QCOMPARE(shownTexts(form).filter(u"With this seed"_s).size(), 0);
    form.setPrompt(u"a"_s);
    form.insert(u"{animal}"_s); // at the end of what is there
    form.setSeed(7);
    QCOMPARE(shownTexts(form).filter(u"With this seed: "_s + form.filled().text).size(), 1);
    QSet<QString> seen;
    for (quint64 seed = 0; seed < 40; ++seed) {
        form.setSeed(seed);
        seen.insert(form.filled().text);
    }
    QVERIFY(seen.size() == 3);
    form.setPrompt(u"a {robot}"_s);
    QCOMPARE(shownTexts(form).filter(u"no word list \"robot\""_s).size(), 1);
    lists.add(u"robot"_s, u"tin man"_s); // the form follows
    QCOMPARE(shownTexts(form).filter(u"With this seed: a tin man"_s).size(), 1);
    lists.remove(lists.named(u"robot"_s)->id);
    lists.remove(id);
}

void WordListsTest::aNameOfNoListStaysInThePrompt() {
    GeneratePage page(m_services->all());
    page.resize(1200, 800);
    page.show();
    auto* form = page.findChild<GenerateForm*>();
    form->setPrompt(u"a {robot}"_s);
    QPushButton* make = buttonNamed(page, u"Make the list"_s);
    QTRY_VERIFY(make->isVisible());
    QCOMPARE(shownTexts(*form).filter(u"no word list \"robot\""_s).size(), 1);
    m_services->generator.setTraining(true); // it takes jobs, but begins none
    page.mainButton()->click();
    QTRY_COMPARE(m_services->generator.jobs().size(), size_t{1});
    QCOMPARE(m_services->generator.jobs().front().config.prompt, std::string("a {robot}"));
    make->click();
    auto* panel = page.findChild<WordListPanel*>();
    QVERIFY(panel->isVisible());
    QCOMPARE(fieldNamed(*panel, u"Name"_s)->text(), u"robot"_s);
    QCOMPARE(form->filled().problem, FilledPrompt::Problem::EmptyList);
    panel->findChild<QPlainTextEdit*>()->setPlainText(u"tin man"_s);
    QCOMPARE(form->filled().text, u"a tin man"_s);
    QVERIFY(!make->isVisible());
    // What a picture was made with has no places left to fill in.
    core::GenerationParameters facts;
    facts.prompt = "a {robot}";
    facts.steps = 20;
    facts.sampler = "Euler a";
    facts.seed = 7;
    facts.widthPixels = facts.heightPixels = 64;
    QVERIFY(page.useParameters(QString::fromStdString(core::writeGenerationParameters(facts)), {}));
    QCOMPARE(form->prompt(), u"a \\{robot\\}"_s);
    QCOMPARE(form->filled().text, u"a {robot}"_s);
}

HOMEBOOTH_APP_TEST_MAIN(WordListsTest)
#include "tst_word_lists.moc"
