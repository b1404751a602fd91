// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Whether what a family is set to teaches it a subject, and draws as the family does.
#include "core/base/config/training_defaults.h"

#include <QtTest>

using namespace homebooth::core;

class tst_training_defaults : public QObject {
    Q_OBJECT

private slots:
    void aWholeModelMovesFarEnoughAndNotTooFar_data() {
        QTest::addColumn<int>("family");
        QTest::addColumn<bool>("others");
        for (const bool others : {false, true}) {
            const char* beside = others ? "beside its class" : "alone";
            QTest::addRow("SD 1.x %s", beside) << int(ModelFamily::StableDiffusion1) << others;
            QTest::addRow("SD 2.x %s", beside) << int(ModelFamily::StableDiffusion2) << others;
            QTest::addRow("SDXL %s", beside) << int(ModelFamily::StableDiffusionXl) << others;
        }
    }
    /// Adam moves a weight by about the rate in a step: less than a thousandth in all leaves a subject
    /// unlearned.
    void aWholeModelMovesFarEnoughAndNotTooFar() {
        QFETCH(int, family);
        QFETCH(bool, others);
        TrainConfig config;
        if (others) config.data.classPrompt = "a photo of a dog";
        config = TrainingDefaults::ofFamily(ModelFamily(family), 512).fill(config, {}).config;
        const double way = config.optimizer.learningRate * static_cast<double>(config.steps);
        QVERIFY2(way >= 1e-3 && way <= 5e-3, qPrintable(QString::number(way)));
    }

    void sdxlIsDrawnAtItsOwnGuidance() {
        TrainingDefaults defaults = TrainingDefaults::ofFamily(ModelFamily::StableDiffusionXl, 1024);
        QCOMPARE(defaults.guidanceScale(), std::optional(5.0));
        TrainConfig config = defaults.fill({}, {}).config;
        QCOMPARE(config.data.classGuidanceScale, 5.0);
        QCOMPARE(config.output.guidanceScale, 5.0);
        config.data.classGuidanceScale = config.output.guidanceScale = 7.0; // the user says so
        config = defaults.fill(config, {"data.classGuidanceScale", "output.guidanceScale"}).config;
        QCOMPARE(config.data.classGuidanceScale, 7.0);
        QCOMPARE(config.output.guidanceScale, 7.0);
        QVERIFY(
            defaults.read(R"({"all":{"data":{"classGuidanceScale":1},"output":{"guidanceScale":4}}})", "file")
                .ok());
        config = defaults.fill({}, {}).config;
        QCOMPARE(config.data.classGuidanceScale, 1.0);
        QCOMPARE(config.output.guidanceScale, 4.0);
        QCOMPARE(defaults.guidanceScale(), std::optional(4.0));
        const TrainingDefaults first = TrainingDefaults::ofFamily(ModelFamily::StableDiffusion1, 512);
        QCOMPARE(first.fill({}, {}).config.data.classGuidanceScale, 7.5);
        QVERIFY(!first.guidanceScale());
    }
};

QTEST_GUILESS_MAIN(tst_training_defaults)
#include "tst_training_defaults.moc"
