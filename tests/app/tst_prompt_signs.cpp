// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What other programs write into prompts, in the form: what is not done here is said and can be taken over.
#include "app/widgets/message_bar.h"
#include "picture_fixture.h"
#include "prompt_page.h"

#include <QPlainTextEdit>

using namespace homebooth;
using namespace homebooth::app;

class PromptSignsTest : public PicturesTest {
    Q_OBJECT
public:
    using PicturesTest::PicturesTest;
private Q_SLOTS:
    void initTestCase() { beginEngine(); }
    void init() { beginForm(); }
    void cleanup() { end(); }
    void signsOfOtherProgramsAreSaid_data();
    void signsOfOtherProgramsAreSaid();
    void signsOfOtherProgramsAreTakenOver();
    void theTextOfAPictureIsTakenOver();
};

void PromptSignsTest::signsOfOtherProgramsAreSaid_data() {
    QTest::addColumn<QString>("negative");
    QTest::addColumn<QString>("told"); // empty: nothing is
    const auto row = [](const char* prompt, const char* negative, const char* told) {
        QTest::newRow(prompt) << QString::fromLatin1(negative) << QString::fromLatin1(told);
    };
    row("a (small) hat :)", "[ugly]", "");
    row("(masterpiece:1.2), ((a hat))", "[[ugly]]", "");
    row("a [cat|dog]", "", "\"[cat|dog]\"");
    row("a [{red|blue} hat]", "", ""); // a choice, within a weight
    row("a [{red|blue}|green] hat", "", "|green]\"");
    row("a hat <lora:hat:0.8>", "", "\"<lora:hat:0.8>\"");
    row("a hat BREAK a cat", "", "\"BREAK\"");
    row("a hat AND a cat", "", "\"AND\"");
    row("a {2$$red|blue|green} hat", "", "makes it \"{red|blue|green}\"");
    row("a __colours__ hat", "__ugly__", "makes it \"{colours}\"");
    row("a hat", "[ugly:1.5]", "\"[ugly:1.5]\"");
}

void PromptSignsTest::signsOfOtherProgramsAreSaid() {
    QFETCH(QString, negative);
    QFETCH(QString, told);
    GenerateForm form(m_services->all());
    form.setPrompt(QString::fromLatin1(QTest::currentDataTag()), negative);
    QPushButton* takeOver = buttonNamed(form, u"Take over"_s);
    QVERIFY(takeOver != nullptr);
    QCOMPARE(takeOver->isHidden(), told.isEmpty());
    QCOMPARE(shownTexts(form).filter(u"here: \""_s).size(), told.isEmpty() ? 0 : 1);
    QVERIFY(told.isEmpty() || shownTexts(form).filter(told).size() == 1);
    form.setPrompt(u"a hat"_s);
    QVERIFY(takeOver->isHidden());
    QVERIFY(shownTexts(form).filter(u"here: \""_s).isEmpty());
    form.setPrompt(u"a [hat|cap]"_s); // where no add-on is called, of none is spoken
    QVERIFY(!takeOver->toolTip().contains(u"add-on"_s));
}

void PromptSignsTest::signsOfOtherProgramsAreTakenOver() {
    addModel("hat.safetensors", "lora");
    PromptPage page(*m_services);
    auto* form = page.form;
    const core::SampleConfig before = form->config();
    form->setPrompt(u"(masterpiece:1.2), a toy <lora:hat:0.8>\non a hill"_s, u"((ugly)), [grey|dull]"_s);
    QPushButton* takeOver = buttonNamed(page, u"Take over"_s);
    QVERIFY(takeOver != nullptr && !takeOver->isHidden());
    QCOMPARE(shownTexts(*form).filter(u"makes it \"grey, dull\"."_s).size(), 1);
    takeOver->click();
    QCOMPARE(form->typedPrompt(), u"(masterpiece:1.2), a toy\non a hill"_s);
    QCOMPARE(form->negative(), u"((ugly)), grey, dull"_s);
    QCOMPARE(form->config().loras.size(), size_t{1});
    QCOMPARE(QString::fromStdString(form->config().loras[0].file), m_place.path("hat.safetensors"));
    QCOMPARE(form->config().loras[0].weight, 0.8);
    QCOMPARE(form->config().steps, before.steps);
    QCOMPARE(form->config().seed, before.seed);
    QVERIFY(takeOver->isHidden());
    QVERIFY(page.messages().currentText().isEmpty());
    form->setPrompt(u"a toy <lora:gone:1>"_s);
    takeOver->click();
    QCOMPARE(form->prompt(), u"a toy"_s);
    QVERIFY(page.messages().currentText().contains(u"gone"_s));
    QCOMPARE(form->config().loras.size(), size_t{1}); // that was chosen stays
    form->findChild<QPlainTextEdit*>()->undo();
    QCOMPARE(form->prompt(), u"a toy <lora:gone:1>"_s);
}

void PromptSignsTest::theTextOfAPictureIsTakenOver() {
    addModel("hat.safetensors", "lora");
    PromptPage page(*m_services);
    auto* form = page.form;
    form->setPrompt({});
    form->findChild<QPlainTextEdit*>()->insertPlainText(
        u"a (red:1.2) [hat|cap] <lora:hat:0.5>\nNegative prompt: blurry\nSteps: 17, Sampler: Euler, "
        "CFG scale: 6, Seed: 77, Size: 64x64"_s);
    QCOMPARE(shownTexts(*form).filter(u"text of a picture"_s).size(), 1);
    QVERIFY(shownTexts(*form).filter(u"here: \""_s).isEmpty());
    QPushButton* use = buttonNamed(page, u"Use settings"_s);
    QVERIFY(use != nullptr && !use->isHidden());
    use->click();
    QCOMPARE(form->prompt(), u"a (red:1.2) hat, cap"_s);
    QCOMPARE(form->negative(), u"blurry"_s);
    const core::SampleConfig config = form->config();
    QCOMPARE(config.steps, int64_t{17});
    QCOMPARE(config.guidanceScale, 6.0);
    QCOMPARE(config.seed, uint64_t{77});
    QCOMPARE(config.loras.size(), size_t{1});
    QCOMPARE(config.loras[0].weight, 0.5);
    QVERIFY(page.messages().currentText().contains(u"changed while"_s)); // as of a picture
    QVERIFY(use->isHidden());
}

HOMEBOOTH_APP_TEST_MAIN(PromptSignsTest)
#include "tst_prompt_signs.moc"
