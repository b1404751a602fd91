// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Two models side by side: the same seeds and words for both, each in a column of its own.
#include "app/engine/pictures/generation_keeper.h"
#include "app/pages/generate/compare_view.h"
#include "app/pages/generate/model_choice.h"
#include "app/widgets/message_bar.h"
#include "app/widgets/parts.h"
#include "app/widgets/pictures/thumbnail_grid.h"
#include "picture_fixture.h"
#include "prompt_page.h"

#include <QComboBox>

using namespace homebooth;
using namespace homebooth::app;

namespace {

QList<quint64> seedsOf(const ResultModel& model) {
    QList<quint64> seeds;
    for (int row = 0; row < model.rowCount(); ++row)
        if (model.index(row).data(ResultModel::DoneRole).toBool())
            seeds.append(model.index(row).data(ResultModel::SeedRole).toULongLong());
    return seeds;
}

} // namespace

class CompareTest : public PicturesTest {
    Q_OBJECT
public:
    using PicturesTest::PicturesTest;
private Q_SLOTS:
    void initTestCase() { beginEngine(); }
    void init() {
        QVERIFY(useEngine(m_place, kPictureEngine)); // one may have put another into its place
        beginAgain();
    }
    void cleanup() {
        end();
        qunsetenv("MADE");
    }
    void comparesTwoModelsWithTheSameSeeds();
    void aComparisonBeginsWithAnotherModel();
    void anAddOnIsComparedWithItsModelAlone();
    void picturesOfAComparisonFillTheirColumns();
    void aComparisonGoesOnAfterARestart_data();
    void aComparisonGoesOnAfterARestart();
    void aStopAfterARestartStopsBothSides();
    void anUnfinishedComparisonIsSeenAtOnce_data() { aComparisonGoesOnAfterARestart_data(); }
    void anUnfinishedComparisonIsSeenAtOnce();
    void aPictureThatIsGoneLeavesNoEmptyFrame_data() { aComparisonGoesOnAfterARestart_data(); }
    void aPictureThatIsGoneLeavesNoEmptyFrame();
    void aSideWithoutItsPicturesIsComparedNoMore();
    void aHalfThatIsAloneIsForgotten();
    void aComparisonWithoutAPictureLeavesNoColumns_data();
    void aComparisonWithoutAPictureLeavesNoColumns();

private:
    /// Compares five pictures each of two models and ends the window once some are made.
    void compareAndRestart(int made);
    [[nodiscard]] static QStringList headsOf(const CompareView& view);

    QStringList m_made; ///< before the restart, in the order in which they came
};

void CompareTest::comparesTwoModelsWithTheSameSeeds() {
    addModel("second model", "model");
    GeneratePage page(m_services->all());
    page.resize(1024, 600);
    page.show();
    auto* choice = page.findChild<ModelChoice*>();
    choice->setComparing(true);
    QVERIFY(!choice->otherPath().isEmpty());
    auto* form = page.findChild<GenerateForm*>();
    form->setPrompt(u"a {red|blue|green} apple"_s);
    form->setCount(3);
    QCOMPARE(page.mainButton()->text(), u"Make 6 pictures"_s);
    QSignalSpy begun(&m_services->generator, &Generator::begun);
    QSignalSpy ended(&m_services->generator, &Generator::ended);
    QStringList said;
    connect(&m_services->generator, &Generator::changed, &page, [&] { said.append(shownTexts(page)); });
    page.mainButton()->click();
    auto* view = page.findChild<CompareView*>();
    QTRY_VERIFY(!begun.isEmpty());
    QCOMPARE(view->column(1).rowCount(), 3); // they are seen to wait
    QTRY_COMPARE(ended.size(), 2);
    for (const char* words : {"Making picture 1 of 6", "Making picture 4 of 6"})
        QVERIFY2(said.contains(QLatin1String(words)), words);
    QVERIFY(view->isVisible());
    const QList<quint64> seeds = seedsOf(view->column(0));
    QCOMPARE(seeds.size(), 3);
    QCOMPARE(seedsOf(view->column(1)), seeds);
    const auto first = begun[0][0].value<core::SampleConfig>();
    const auto second = begun[1][0].value<core::SampleConfig>();
    QVERIFY(first.model != second.model);
    QCOMPARE(first.prompt, second.prompt); // the same words by chance
    QCOMPARE(first.seed, second.seed);
}

void CompareTest::aComparisonBeginsWithAnotherModel() {
    ModelChoice choice(m_services->models);
    addModel("second model", "model"); // while the lists knew one alone
    choice.setComparing(true);
    QVERIFY(choice.path() != choice.otherPath());
    choice.setComparing(false);
    choice.setPath(choice.path() == builtInModel() ? m_place.path("second model") : builtInModel());
    choice.setComparing(true);
    QVERIFY(choice.path() != choice.otherPath());
}

void CompareTest::anAddOnIsComparedWithItsModelAlone() {
    addModel("second model", "model");
    addModel("hat.safetensors", "lora");
    const QString hat = m_place.path("hat.safetensors");
    PromptPage page(*m_services);
    page.form->setPrompt(u"a red apple"_s);
    page.form->setCount(1);
    page.form->setModel(builtInModel());
    auto* choice = page.findChild<ModelChoice*>();
    choice->setComparing(true);
    for (auto* box : choice->findChildren<QComboBox*>()) box->setCurrentIndex(box->findData(builtInModel()));
    const QString alike = u"Both are the same: each picture would be made twice."_s;
    QVERIFY(shownTexts(*choice).contains(alike));
    page.form->setModel(builtInModel(), hat);
    QVERIFY(!shownTexts(*choice).contains(alike));
    QSignalSpy begun(&m_services->generator, &Generator::begun);
    QSignalSpy ended(&m_services->generator, &Generator::ended);
    page.mainButton()->click();
    QTRY_COMPARE(ended.size(), 2);
    QCOMPARE(begun[0][0].value<core::SampleConfig>().loras.size(), size_t{1});
    QVERIFY(begun[1][0].value<core::SampleConfig>().loras.empty());
    const QString model = m_services->models.nameOf(builtInModel());
    QCOMPARE(headsOf(*page.findChild<CompareView*>()),
             (QStringList{u"%1 + %2"_s.arg(model, m_services->models.nameOf(hat)), model}));
    page.form->setModel(m_place.path("second model"), hat); // another model is compared with the same ones
    QCOMPARE(page.form->compared(page.form->config()).loras.size(), size_t{1});
}

void CompareTest::picturesOfAComparisonFillTheirColumns() {
    CompareView view(m_services->thumbnails);
    core::SampleConfig config = pictureOrder(m_place, 4);
    view.column(0).begin(config);
    auto* grid = view.findChild<ThumbnailGrid*>();
    for (const int width : {420, 740, 900, 1400}) {
        view.resize(width, 500);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        const auto right = [grid] {
            int most = 0;
            for (int row = 0; row < grid->model()->rowCount(); ++row)
                most = qMax(most, grid->visualRect(grid->model()->index(row, 0)).right());
            return most;
        };
        const int room = grid->viewport()->width();
        QTRY_VERIFY2(right() <= room && right() > room * 3 / 4,
                     qPrintable(u"%1 of %2"_s.arg(right()).arg(room)));
    }
    view.resize(300, 500); // heads that begin alike are told apart
    view.setNames(u"Sketch (built in) + dog two"_s, u"Sketch (built in) + dog 20"_s);
    QStringList ends;
    for (const auto* head : view.findChildren<ElidedLabel*>()) ends.append(head->text().right(2));
    QCOMPARE(ends, (QStringList{u"wo"_s, u"20"_s}));
}

void CompareTest::compareAndRestart(int made) {
    addModel("second model", "model");
    {
        const GenerationKeeper keeper(m_services->library, m_services->generator, m_services->models);
        QTRY_VERIFY(m_services->generator.restored());
        GeneratePage page(m_services->all());
        page.findChild<ModelChoice*>()->setComparing(true);
        auto* form = page.findChild<GenerateForm*>();
        form->setPrompt(u"a red apple"_s);
        form->setCount(5);
        QSignalSpy finished(&m_services->generator, &Generator::made);
        const QString lines = m_place.path("made lines");
        writeBytes(lines, {});
        qputenv("MADE", lines.toUtf8());
        qputenv("MOST_PICTURES", QByteArray::number(made));
        page.mainButton()->click();
        QTRY_COMPARE(finished.size(), made);
        m_made.clear();
        for (const QList<QVariant>& one : finished) m_made.append(one[1].toString());
    }
    m_services.reset();
    qunsetenv("MADE");
    m_services = std::make_unique<TestServices>(m_place);
    addModel("second model", "model");
}

QStringList CompareTest::headsOf(const CompareView& view) {
    QStringList heads;
    for (const auto* head : view.findChildren<ElidedLabel*>()) heads.append(head->fullText());
    return heads;
}

void CompareTest::aComparisonGoesOnAfterARestart_data() {
    QTest::addColumn<int>("made");
    QTest::newRow("in the first model") << 2;
    QTest::newRow("in the second model") << 7;
}

void CompareTest::aComparisonGoesOnAfterARestart() {
    QFETCH(int, made);
    compareAndRestart(made);
    const GenerationKeeper keeper(m_services->library, m_services->generator, m_services->models);
    Generator& generator = m_services->generator;
    QTRY_VERIFY(generator.restored());
    QCOMPARE(generator.jobs().size(), size_t{made < 5 ? 2U : 1U});
    PromptPage page(*m_services);
    QSignalSpy finished(&generator, &Generator::made);
    auto* goOn = buttonNamed(page.messages(), u"Go on"_s);
    QVERIFY(goOn != nullptr);
    goOn->click();
    QCOMPARE(page.messages().count(), 0);
    QTRY_VERIFY(generator.jobs().empty());
    QVERIFY(finished.size() <= 10 - made); // what was made is not made again
    auto* view = page.findChild<CompareView*>();
    QVERIFY(view->isVisible());
    const QList<quint64> seeds = seedsOf(view->column(0));
    QCOMPARE(seeds.size(), 5);
    for (int place = 1; place < 5; ++place) QCOMPARE(seeds[place], seeds[0] + quint64(place));
    QCOMPARE(seedsOf(view->column(1)), seeds);
    QVERIFY(generator.companions().empty());
    QCOMPARE(headsOf(*view).filter(u"second model"_s).size(), 1);
}

void CompareTest::aStopAfterARestartStopsBothSides() {
    compareAndRestart(2);
    const GenerationKeeper keeper(m_services->library, m_services->generator, m_services->models);
    Generator& generator = m_services->generator;
    QTRY_COMPARE(generator.jobs().size(), size_t{2});
    QSignalSpy begun(&generator, &Generator::begun);
    GeneratePage page(m_services->all());
    generator.setHeld(false);
    auto* view = page.findChild<CompareView*>();
    QCOMPARE(view->column(0).rowCount() + view->column(1).rowCount(), 10);
    generator.stop();
    QTRY_VERIFY(generator.jobs().empty());
    QCOMPARE(begun.size(), 1);
    QCOMPARE(view->column(0).rowCount() + view->column(1).rowCount(), int(m_made.size()));
}

void CompareTest::anUnfinishedComparisonIsSeenAtOnce() {
    QFETCH(int, made);
    compareAndRestart(made);
    PromptPage page(*m_services); // as in the window, before what was kept is known
    const GenerationKeeper keeper(m_services->library, m_services->generator, m_services->models);
    QTRY_VERIFY(m_services->generator.restored());
    auto* view = page.findChild<CompareView*>();
    QVERIFY(view->isVisible());
    QStringList seen = page.paths();
    std::sort(seen.begin(), seen.end());
    std::sort(m_made.begin(), m_made.end());
    QCOMPARE(seen, m_made);
    QCOMPARE(view->column(0).rowCount() + view->column(1).rowCount(), int(m_made.size()));
    QVERIFY(!m_services->generator.busy());
    QTRY_COMPARE(headsOf(*view).filter(u"second model"_s).size(), 1);
    m_services->generator.dropAll();
}

void CompareTest::aPictureThatIsGoneLeavesNoEmptyFrame() {
    QFETCH(int, made);
    compareAndRestart(made);
    QVERIFY(QFile::remove(m_made[1]));
    const GenerationKeeper keeper(m_services->library, m_services->generator, m_services->models);
    Generator& generator = m_services->generator;
    QTRY_VERIFY(generator.restored());
    PromptPage page(*m_services);
    QVERIFY(!page.paths().contains(m_made[1]));
    generator.setHeld(false);
    QTRY_VERIFY(generator.jobs().empty());
    for (const QString& path : page.paths()) QVERIFY2(QFile::exists(path), qPrintable(path));
    auto* view = page.findChild<CompareView*>();
    const QList<quint64> all = seedsOf(view->column(1));
    QCOMPARE(all.size(), 5);
    QCOMPARE(seedsOf(view->column(0)), (QList<quint64>{all[0], all[2], all[3], all[4]}));
}

void CompareTest::aSideWithoutItsPicturesIsComparedNoMore() {
    compareAndRestart(7);
    for (const QString& path : m_made.first(5)) QVERIFY(QFile::remove(path));
    const GenerationKeeper keeper(m_services->library, m_services->generator, m_services->models);
    Generator& generator = m_services->generator;
    QTRY_VERIFY(generator.restored());
    QVERIFY(generator.companions().empty());
    QCOMPARE(generator.jobs().size(), size_t{1});
    PromptPage page(*m_services);
    QSignalSpy finished(&generator, &Generator::made);
    generator.setHeld(false);
    QTRY_VERIFY(generator.jobs().empty());
    QVERIFY(!page.findChild<CompareView*>()->isVisible());
    QCOMPARE(page.paths().size(), finished.size());
}

void CompareTest::aHalfThatIsAloneIsForgotten() {
    Generator& generator = m_services->generator;
    GenerationJob done{1, pictures("one", 1), 1, {m_place.path("made.png")}};
    done.config.count = 0;
    GenerationJob rest{2, pictures("one", 1), 1};
    generator.restore({}, {done});
    QVERIFY(generator.companions().empty());
    generator.restore({rest}, {done});
    QCOMPARE(generator.companions().size(), size_t{1});
    generator.dropAll();
    QVERIFY(generator.companions().empty());
}

void CompareTest::aComparisonWithoutAPictureLeavesNoColumns_data() {
    QTest::addColumn<QByteArray>("end");
    QTest::addColumn<bool>("before");
    const QByteArray refuses =
        "say '\"type\":\"outcome\",\"outcome\":\"failed\",\"measured\":{},\"result\":[],\"code\":4,"
        "\"message\":\"no room\",\"kept\":\"\"'\nsay \"$ready\"\n";
    QTest::newRow("both refused") << refuses << false;
    QTest::newRow("both refused, after others") << refuses << true;
    QTest::newRow("the engine ended, the other half waits") << QByteArray("exit 1\n") << false;
}

void CompareTest::aComparisonWithoutAPictureLeavesNoColumns() {
    QFETCH(QByteArray, end);
    QFETCH(bool, before);
    addModel("second model", "model");
    PromptPage page(*m_services);
    Generator& generator = m_services->generator;
    QSignalSpy ended(&generator, &Generator::ended);
    auto* form = page.form;
    form->setPrompt(u"a red apple"_s);
    form->setCount(1);
    if (before) {
        page.mainButton()->click();
        QTRY_COMPARE(ended.size(), 1);
        bool free = false;
        generator.giveBack([&free] { free = true; });
        QTRY_VERIFY(free);
        ended.clear();
    }
    const QByteArray engine =
        "#!/bin/bash\n"
        "say() { printf '{\"v\":1,\"seq\":1,\"time\":\"2026-11-21T10:00:00.000Z\",%s}\\n' "
        "\"$1\"; }\n"
        "ready='\"type\":\"state\",\"state\":\"ready\",\"detail\":\"\",\"done\":0,"
        "\"total\":0'\n"
        "say \"$ready\"\nwhile read -r line; do\n" +
        end + "done\n";
    QVERIFY(useEngine(m_place, engine.constData()));
    QSignalSpy failed(&generator, &Generator::failed);
    page.findChild<ModelChoice*>()->setComparing(true);
    page.mainButton()->click();
    const int all = end.startsWith("exit") ? 1 : 2;
    QTRY_COMPARE(ended.size(), all);
    QCOMPARE(failed.size(), all);
    QVERIFY(!page.findChild<CompareView*>()->isVisible());
    QCOMPARE(page.paths().size(), before ? 1 : 0);
    QVERIFY(!page.messages().isHidden());
    generator.dropAll();
}

HOMEBOOTH_APP_TEST_MAIN(CompareTest)
#include "tst_compare.moc"
