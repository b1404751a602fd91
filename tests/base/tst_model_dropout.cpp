// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Dropout that a model's configurations name: what it keeps from learning, and what is told of it.
#include "core/base/plan/model_dropout.h"
#include "core/base/plan/training/train_plan.h"
#include "tests/base/support/tiny_model.h"

#include <QtTest>

using namespace homebooth::core;

namespace {

ModelSource pictureModel() {
    ModelSource model = test::fullSizeModel(ModelFamily::StableDiffusion1, PredictionType::Epsilon);
    model.path = "/models/m";
    return model;
}

const QString kRefusal =
    "/models/m: training: expected a UNet without dropout, since none but a LoRA's is applied here, found "
    "\"dropout\": 0.1 in its configuration; make pictures with it as it is, or set that to 0 there to train "
    "it without";

QString refusalOf(const TrainConfig& config, const ModelSource& model) {
    const auto checked = checkLearning(config, model);
    return checked ? QString() : QString::fromStdString(checked.error().text());
}

} // namespace

class tst_model_dropout : public QObject {
    Q_OBJECT

private slots:
    void aUNetWithSomeDoesNotLearn() {
        ModelSource model = pictureModel();
        model.unetJson = R"({"dropout": 0.1})";
        TrainConfig config;
        for (const TrainMethod method : {TrainMethod::Full, TrainMethod::Lora}) {
            config.method = method;
            QCOMPARE(refusalOf(config, model), kRefusal);
        }
        const auto planned = planTraining(config, model, {false, 0, int64_t{1} << 45});
        QVERIFY(!planned.ok());
        QCOMPARE(planned.error().code, ErrorCode::BadInput);
        config.mode = TrainMode::FromScratch;
        QVERIFY(refusalOf(config, model).contains("expected a UNet without dropout"));
        config.scratch.component = "vae"; // of which the UNet is no part
        QCOMPARE(refusalOf(config, model), QString());
        for (const char* none : {R"({"dropout": 0.0})", R"({"dropout": null})", R"({"dropout": false})"}) {
            model.unetJson = none;
            QCOMPARE(refusalOf(TrainConfig(), model), QString());
        }
    }

    void aTextEncoderWithSomeMayStayAsItIs() {
        ModelSource model = pictureModel();
        TrainConfig config;
        for (const char* json : {R"({"attention_dropout": 0.25})",
                                 R"({"text_config": {"attention_dropout": 0.25}, "attention_dropout": 0})"}) {
            model.text.json = json;
            config.trainTextEncoder = false;
            QCOMPARE(refusalOf(config, model), QString());
            config.trainTextEncoder = true;
            const QString refusal = refusalOf(config, model);
            QVERIFY2(refusal.contains("expected a text encoder without dropout"), qPrintable(refusal));
            QVERIFY2(refusal.contains("found \"attention_dropout\": 0.25"), qPrintable(refusal));
        }
    }

    void thatOfLanguageModelsIsTold_data() {
        QTest::addColumn<QByteArray>("json");
        QTest::addColumn<QString>("told");
        const auto add = [](const char* name, const char* json, const char* told) {
            QTest::newRow(name) << QByteArray(json) << QString::fromLatin1(told);
        };
        add("GPT-2", R"({"model_type": "gpt2", "attn_pdrop": 0, "embd_pdrop": 0.1, "resid_pdrop": 0.2})",
            "(\"resid_pdrop\": 0.2, \"embd_pdrop\": 0.1)");
        add("OPT, as usual", R"({"model_type": "opt"})", "(\"dropout\": 0.1)");
        add("OPT without", R"({"model_type": "opt", "dropout": 0.0})", "");
        add("BLOOM, as usual", R"({"model_type": "bloom"})", "");
        add("BLOOM", R"({"model_type": "bloom", "hidden_dropout": 0.1})", "(\"hidden_dropout\": 0.1)");
    }
    void thatOfLanguageModelsIsTold() {
        QFETCH(QByteArray, json);
        QFETCH(QString, told);
        ModelSource model;
        LanguagePart& part = model.language.emplace();
        part.json = json.toStdString();
        part.config = LanguageConfig::fromJson(part.json).value();
        const QString warning = QString::fromStdString(dropoutWarning(model).value_or(""));
        QCOMPARE(warning.isEmpty(), told.isEmpty());
        QVERIFY2(warning.contains(told), qPrintable(warning));
        QVERIFY(!dropoutWarning(pictureModel()));
    }
};

QTEST_APPLESS_MAIN(tst_model_dropout)
#include "tst_model_dropout.moc"
