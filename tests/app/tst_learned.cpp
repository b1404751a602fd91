// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a model has learned, offered below the prompt that does not say it.
#include "app/engine/models/model_shelf.h"
#include "app/engine/places.h"
#include "app/engine/runs/run_centre.h"
#include "app/pages/generate/generate_page.h"
#include "core/base/run/run_folder.h"
#include "model_fixture.h"

#include <QPlainTextEdit>
#include <QPushButton>

using namespace homebooth;
using namespace homebooth::app;

class LearnedTest : public ServicesTest {
    Q_OBJECT
public:
    using ServicesTest::ServicesTest;
private Q_SLOTS:
    void init() { beginAgain(); }
    void cleanup() { end(); }
    void itIsPutIntoThePromptOnce_data();
    void itIsPutIntoThePromptOnce();

private:
    /// Has a training that is done known. @param sentence  that it has learned @returns its model
    QString learnedModel(const QString& sentence);
};

QString LearnedTest::learnedModel(const QString& sentence) {
    const QString name = QString::fromUtf8(QTest::currentDataTag());
    const QString folder = makeRunFolder(m_services->settings.runsFolder(), name, 1);
    const auto run = core::RunFolder::open(folder.toStdString());
    core::TrainConfig config = *run->config();
    config.data.instancePrompt = sentence.toStdString();
    [&] { QVERIFY(run->setConfig(config)); }();
    const QString result = folder + u"/result/model"_s;
    QDir().mkpath(folder + u"/result"_s);
    QFile::link(builtInModel(), result);
    core::OutcomeEvent outcome;
    outcome.result = "done";
    journalOf(folder)->emit(outcome);
    m_services->runs.open(m_services->settings.runsFolder());
    [&] { QTRY_VERIFY(m_services->models.find(result) != nullptr); }();
    [&] { QTRY_COMPARE(m_services->models.find(result)->prompt, sentence); }();
    return result;
}

void LearnedTest::itIsPutIntoThePromptOnce_data() {
    QTest::addColumn<QString>("sentence");
    QTest::addColumn<QString>("typed");
    QTest::addColumn<QString>("prompt");
    QTest::newRow("alone") << u"a photo of ohwx toy"_s << QString() << u"a photo of ohwx toy"_s;
    QTest::newRow("before words") << u"a photo of ohwx toy"_s << u"a cat"_s << u"a photo of ohwx toy a cat"_s;
    QTest::newRow("before a comma") << u"ohwx toy"_s << u", at night"_s << u"ohwx toy, at night"_s;
    QTest::newRow("brackets") << u"ohwx toy (red)"_s << QString() << u"ohwx toy \\(red\\)"_s;
}
void LearnedTest::itIsPutIntoThePromptOnce() {
    QFETCH(QString, sentence);
    QFETCH(QString, typed);
    const QString model = learnedModel(sentence);
    GeneratePage page(m_services->all());
    page.resize(1200, 800);
    page.setVisible(true);
    page.setModel(model);
    auto* prompt = page.findChild<QPlainTextEdit*>();
    QPushButton* offer = nullptr;
    prompt->setPlainText(typed);
    prompt->moveCursor(QTextCursor::Start);
    const auto isOffered = [&] {
        for (auto* button : page.findChildren<QPushButton*>())
            if (button->isVisible() && button->text().startsWith(u"Learned: "_s)) offer = button;
        return offer != nullptr && offer->isVisible();
    };
    QTRY_VERIFY(isOffered());
    QCOMPARE(offer->accessibleName(), u"Learned: "_s + sentence);
    offer->click();
    QTEST(prompt->toPlainText(), "prompt");
    QVERIFY(!offer->isVisible());
    prompt->setPlainText(u"what the gallery shows"_s);
    QVERIFY(offer->isVisible());
    prompt->setPlainText(u"on the moon, "_s + sentence);
    QVERIFY(!offer->isVisible());
}

HOMEBOOTH_APP_TEST_MAIN(LearnedTest)
#include "tst_learned.moc"
