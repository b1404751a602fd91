// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Weights in 8 bits for pictures: proposed where memory is short, known of a picture that had them.
#include "app/engine/engine_words.h"
#include "app/engine/models/model_shelf.h"
#include "app/engine/pictures/generator.h"
#include "app/library/picture_facts.h"
#include "app/pages/generate/generate_form.h"
#include "app/pages/generate/generate_page.h"
#include "app/pages/generate/model_choice.h"
#include "app/pages/models/models_page.h"
#include "app/pages/models/prediction_trial.h"
#include "app/settings/settings.h"
#include "app/widgets/message_bar.h"
#include "app_files.h"

using namespace homebooth;
using namespace homebooth::app;

namespace {

/// Is short of memory unless weights are in 8 bits: it ends so, or warns.
constexpr const char* kShortEngine = R"sh(#!/bin/bash
say() { printf '{"v":1,"seq":1,"time":"2026-11-21T10:00:00.000Z",%s}\n' "$1"; }
end() {
    say "$(printf '"type":"outcome","outcome":"%s","code":%s,"message":"%s"' "$@"),$facts"
}
facts='"measured":{},"result":[],"kept":""'
say '"type":"state","state":"ready","detail":"","done":0,"total":0'
while read -r line; do
    case "$line" in
    *'"stop"'*) continue ;;
    *'"quantization":"int8"'*) end done 0 "" ;;
    *)
        if [ -n "$TROUBLE" ]; then
            end failed 4 "$TROUBLE"
        else
            say "$(printf '"type":"warning","code":"%s","message":"memory is short"' "${WARNING:-vae-tiling}")"
            end done 0 ""
        fi
        ;;
    esac
    say '"type":"state","state":"ready","detail":"","done":0,"total":0'
done
)sh";

constexpr const char* kShort = "this needs about 9 GiB of memory, and 2 GiB may be used";

} // namespace

class LighterWeightsTest : public ServicesTest {
    Q_OBJECT
public:
    using ServicesTest::ServicesTest;
private Q_SLOTS:
    void initTestCase() { QVERIFY(useEngine(m_place, kShortEngine)); }
    void init();
    void cleanup() { end(); }
    void aLackOfMemoryProposesThem_data();
    void aLackOfMemoryProposesThem();
    void whereTheyDoNotHelpTheyAreNotProposed_data();
    void whereTheyDoNotHelpTheyAreNotProposed();
    void otherWaysProposeThemForTheNextPictures_data();
    void otherWaysProposeThemForTheNextPictures();
    void aTrialOfAModelProposesThem();
    void eachSideOfAComparisonHasItsOwn();
    void aPictureTellsThatItHadThem();
    void aPictureThatHadOthersSaysSo();

private:
    /// Asks for pictures and waits for their end.
    void make(GeneratePage& page, const QString& model);
    [[nodiscard]] QPushButton* proposal(Page& page) const {
        return buttonNamed(page.messages(), u"Use weights in 8 bits"_s);
    }
    [[nodiscard]] QString kept() const { return m_services->settings.text(keys::kPictureWeights); }
    QString m_large; ///< a model for pictures of 1024 pixels
};

void LighterWeightsTest::init() {
    qputenv("TROUBLE", kShort);
    beginAgain();
    m_services->settings.reset(keys::kPictureWeights);
    m_services->settings.reset(keys::kGenerateModel);
    if (m_large.isEmpty()) m_large = sdxlModel(m_place.path(u"large model"_s));
    m_services->models.import(m_large);
    QTRY_COMPARE(m_services->models.pixelsOf(m_large), 1024);
    QTRY_VERIFY(m_services->models.find(builtInModel())->looked);
}

void LighterWeightsTest::make(GeneratePage& page, const QString& model) {
    page.show();
    auto* form = page.findChild<GenerateForm*>();
    form->setModel(model);
    form->setPrompt(u"a hat"_s);
    QSignalSpy ended(&m_services->generator, &Generator::ended);
    page.mainButton()->click();
    QTRY_COMPARE(ended.size(), 1);
}

void LighterWeightsTest::aLackOfMemoryProposesThem_data() {
    QTest::addColumn<QByteArray>("trouble");
    QTest::newRow("refused") << QByteArray(kShort);
    QTest::newRow("killed") << QByteArray("the system killed the worker because memory ran out");
}

void LighterWeightsTest::aLackOfMemoryProposesThem() {
    QFETCH(QByteArray, trouble);
    qputenv("TROUBLE", trouble);
    GeneratePage page(m_services->all());
    make(page, m_large);
    QVERIFY(page.messages().currentText().startsWith(u"<b>Memory or disk space ran out"_s));
    QVERIFY(page.messages().currentText().contains(u"half the memory"_s));
    QVERIFY(buttonNamed(page.messages(), u"Try again"_s) != nullptr);
    QVERIFY(proposal(page) != nullptr);
    QCOMPARE(kept(), u"none"_s);
    page.findChild<GenerateForm*>()->setPrompt(u"a boat"_s); // somebody goes on meanwhile
    QSignalSpy begun(&m_services->generator, &Generator::begun);
    QSignalSpy ended(&m_services->generator, &Generator::ended);
    proposal(page)->click();
    QCOMPARE(kept(), u"int8"_s);
    QTRY_COMPARE(ended.size(), 1);
    QVERIFY(ended.front().front().toBool()); // the engine got them
    QCOMPARE(begun.front().front().value<core::SampleConfig>().prompt, std::string("a hat"));
    QCOMPARE(page.messages().count(), 0);
}

void LighterWeightsTest::whereTheyDoNotHelpTheyAreNotProposed_data() {
    QTest::addColumn<bool>("large");
    QTest::addColumn<QByteArray>("trouble");
    QTest::newRow("a small model") << false << QByteArray(kShort);
    QTest::newRow("a full disk") << true << QByteArray("/pictures: the disk is full");
}

void LighterWeightsTest::whereTheyDoNotHelpTheyAreNotProposed() {
    QFETCH(bool, large);
    QFETCH(QByteArray, trouble);
    qputenv("TROUBLE", trouble);
    GeneratePage page(m_services->all());
    make(page, large ? m_large : builtInModel());
    const bool full = trouble.endsWith("the disk is full");
    const QString words = full ? u"<b>The disk is full."_s : u"<b>Memory or disk"_s;
    QVERIFY(page.messages().currentText().startsWith(words));
    QVERIFY(proposal(page) == nullptr);
}

void LighterWeightsTest::otherWaysProposeThemForTheNextPictures_data() {
    QTest::addColumn<QByteArray>("warning");
    QTest::addColumn<QString>("words");
    QTest::newRow("tiles") << QByteArray("vae-tiling") << u"overlapping parts"_s;
    QTest::newRow("streaming") << QByteArray("model-streams") << u"come from RAM"_s;
}

void LighterWeightsTest::otherWaysProposeThemForTheNextPictures() {
    QFETCH(QByteArray, warning);
    QFETCH(QString, words);
    qputenv("TROUBLE", "");
    qputenv("WARNING", warning);
    GeneratePage page(m_services->all());
    make(page, m_large);
    QVERIFY(page.messages().currentText().contains(words));
    QVERIFY(proposal(page) != nullptr);
    QSignalSpy begun(&m_services->generator, &Generator::begun);
    proposal(page)->click();
    QCOMPARE(kept(), u"int8"_s);
    QCOMPARE(page.messages().count(), 0);
    QTest::qWait(100);
    QCOMPARE(begun.size(), 0); // the pictures are there
}

void LighterWeightsTest::aTrialOfAModelProposesThem() {
    ModelsPage page(m_services->all());
    auto* trial = page.findChild<PredictionTrial*>();
    const QString headline = picturesTrouble(static_cast<int>(core::ErrorCode::OutOfResources));
    Q_EMIT trial->failed(headline, QLatin1String(kShort));
    QVERIFY(proposal(page) == nullptr); // of which job, nobody knows
    GenerationJob job{core::newRecordId(), pictureOrder(m_place, 1)};
    job.config.precision = core::Precision::Bf16;
    m_services->generator.restore({job}, {});
    Q_EMIT trial->failed(headline, QLatin1String(kShort));
    QVERIFY(proposal(page) != nullptr);
    proposal(page)->click();
    QCOMPARE(kept(), u"int8"_s);
    QCOMPARE(page.messages().count(), 0);
}

void LighterWeightsTest::eachSideOfAComparisonHasItsOwn() {
    m_services->settings.set(keys::kPictureWeights, u"int8"_s);
    qputenv("TROUBLE", "");
    GeneratePage page(m_services->all());
    page.show();
    auto* form = page.findChild<GenerateForm*>();
    form->setModel(builtInModel());
    form->setPrompt(u"a hat"_s);
    page.findChild<ModelChoice*>()->setComparing(true);
    QCOMPARE(form->otherModel(), m_large);
    QSignalSpy begun(&m_services->generator, &Generator::begun);
    page.mainButton()->click();
    QTRY_COMPARE(begun.size(), 2);
    const auto small = begun[0][0].value<core::SampleConfig>();
    const auto large = begun[1][0].value<core::SampleConfig>();
    QCOMPARE(small.precision, core::Precision::Fp32);
    QCOMPARE(small.quantization, core::Quantization::None);
    QVERIFY(large.precision != core::Precision::Fp32);
    QCOMPARE(large.quantization, core::Quantization::Int8);
}

void LighterWeightsTest::aPictureTellsThatItHadThem() {
    core::GenerationParameters made;
    made.prompt = "a hat";
    made.steps = 12;
    made.sampler = "Euler a";
    core::PictureRecord picture;
    const auto tells = [&made, &picture](const char* words) {
        picture.parameters = core::writeGenerationParameters(made);
        return PictureFacts::of(picture).lines.contains(QLatin1String(words));
    };
    constexpr const char* kLight = "weights in 8 bits";
    constexpr const char* kQuick = "computed in 8 bits";
    made.others = {{"RNG", "CPU"}};
    QVERIFY(!tells(kLight) && !tells(kQuick));
    made.others = {{"RNG", "CPU"}, {"Quantization", "int8"}};
    QVERIFY(tells(kLight) && !tells(kQuick));
    made.others = {{"RNG", "CPU"}, {"Quantization", "w8a8"}};
    QVERIFY(!tells(kLight) && tells(kQuick));
}

void LighterWeightsTest::aPictureThatHadOthersSaysSo() {
    GeneratePage page(m_services->all());
    const auto* form = page.findChild<GenerateForm*>();
    const auto use = [&page](const char* text, const QString& model) {
        page.messages().clear();
        const QString made = u"a hat\nSteps: 12, Sampler: Euler a"_s + QLatin1String(text);
        QVERIFY(page.useParameters(made, model));
    };
    constexpr const char* kLight = ", Quantization: int8, Version: Homebooth 1.0.0";
    constexpr const char* kQuick = ", Quantization: w8a8, Version: Homebooth 1.0.0";
    constexpr const char* kWhole = ", Version: Homebooth 1.0.0";
    use(kLight, builtInModel()); // whose pictures never have them
    QCOMPARE(page.messages().count(), 0);
    use(kLight, m_large);
    QVERIFY(page.messages().currentText().contains(u"made with weights in 8 bits"_s));
    proposal(page)->click();
    QCOMPARE(form->config().quantization, core::Quantization::Int8);
    QCOMPARE(page.messages().count(), 0);
    use(kLight, m_large);
    QCOMPARE(page.messages().count(), 0);
    use(", Version: v1.9.4", m_large); // of another program, which does not tell
    QCOMPARE(page.messages().count(), 0);
    use(kQuick, m_large);
    QVERIFY(page.messages().currentText().contains(u"computed in 8 bits"_s));
    buttonNamed(page.messages(), u"Compute in 8 bits"_s)->click();
    QCOMPARE(form->config().quantization, core::Quantization::W8A8);
    QCOMPARE(page.messages().count(), 0);
    use(kWhole, m_large);
    QVERIFY(page.messages().currentText().contains(u"made with whole weights"_s));
    buttonNamed(page.messages(), u"Use whole weights"_s)->click();
    QCOMPARE(form->config().quantization, core::Quantization::None);
    QCOMPARE(page.messages().count(), 0);
}

HOMEBOOTH_APP_TEST_MAIN(LighterWeightsTest)
#include "tst_lighter_weights.moc"
