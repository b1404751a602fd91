// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What help says of the settings that nobody names is what applies then.
#include "core/base/config/config_fields.h"
#include "core/base/config/training_defaults.h"
#include "core/base/model/model_source.h"
#include "core/base/run/run_folder.h"
#include "tests/cli/finished.h"

#include <QtTest>

using namespace homebooth::core;
using namespace homebooth::test;

namespace {

const QString kSketch = QStringLiteral(HOMEBOOTH_SOURCE_DIR "/resources/models/sketch");

/// Help with a line an option, however wide the terminal is.
std::string unbroken(const std::string& help) {
    QString text = QString::fromStdString(help);
    return text.replace(QRegularExpression(QStringLiteral("\n {36}")), QStringLiteral(" ")).toStdString();
}

Finished engine(const QStringList& arguments,
                const QProcessEnvironment& values = QProcessEnvironment::systemEnvironment()) {
    QProcess process;
    process.setProcessEnvironment(values);
    process.start(HOMEBOOTH_BIN_DIR "/homebooth-engine", arguments);
    Finished ended = finish(process);
    if (arguments.contains("--help")) ended.out = unbroken(ended.out);
    return ended;
}

/// What help says of an option, which may be several lines.
std::string said(const std::string& help, const std::string& option) {
    const size_t begin = help.find("\n  " + option + " ");
    if (begin == std::string::npos) return {};
    return help.substr(begin, help.find("\n  --", begin + 1) - begin);
}

/// Of the disks that doctor has looked at.
QStringList pathsOf(const Finished& doctor) {
    QStringList paths;
    const QJsonObject report = QJsonDocument::fromJson(QByteArray::fromStdString(doctor.out)).object();
    const QJsonArray disks = report["disks"].toArray();
    for (const QJsonValue& disk : disks) paths.append(disk.toObject()["path"].toString());
    return paths;
}

/// The first option whose brackets do not hold the field's value; empty: all of them do.
std::string firstOtherThan(std::vector<ConfigField> fields, const std::string& help) {
    for (const ConfigField& field : fields) {
        if (field.option.empty()) continue;
        const std::string found = said(help, field.option);
        if (found.empty()) return field.option + " is missing";
        const std::string value = fieldText(field);
        std::string expected = "[" + value + "]";
        if (std::holds_alternative<bool*>(field.value)) expected = value == "true" ? "[on; " : "";
        const bool nothing = expected.empty() || value.empty();
        if (nothing ? contains(found, "[") : !contains(found, expected)) return found;
    }
    return {};
}

} // namespace

class tst_help : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

private slots:
    void ofTrainMarksWhatAModelMayBring() {
        for (const char* verb : {"train", "plan"}) {
            const std::string help = engine({verb, "--help"}).out;
            QVERIFY2(contains(said(help, "--batch"), "[1 *]"), help.c_str());
            QVERIFY(contains(said(help, "--train-text-encoder"), "[off *]"));
            QVERIFY(contains(said(help, "--class-images"), "[100 *]"));
            QVERIFY(contains(said(help, "--lr"), "[what suits the model]"));
            QVERIFY(contains(said(help, "--keep"), "[2]"));
            QVERIFY(contains(help, "\n*: a model's folder may bring a default of its own"));
        }
    }

    void ofTrainWithAModelIsWhatApplies_data() {
        QTest::addColumn<QString>("verb");
        QTest::addColumn<bool>("lora");
        QTest::newRow("full") << "train" << false;
        QTest::newRow("lora") << "train" << true;
        QTest::newRow("plan") << "plan" << false;
    }
    void ofTrainWithAModelIsWhatApplies() {
        QFETCH(QString, verb);
        QFETCH(bool, lora);
        TrainConfig config;
        config.model = kSketch.toStdString();
        config.method = lora ? TrainMethod::Lora : TrainMethod::Full;
        const auto model = openModel(config.model);
        QVERIFY(model.ok());
        config = TrainingDefaults::of(*model)->fill(config, {"model", "method"}).config;
        QVERIFY(config.data.classImageCount != TrainConfig().data.classImageCount);
        const Finished ended =
            engine({verb, "--model", kSketch, "--method", lora ? "lora" : "full", "--help"});
        QCOMPARE(ended.code, 0);
        const std::string other = firstOtherThan(configFields(config), ended.out);
        QVERIFY2(other.empty(), other.c_str());
        QVERIFY2(!contains(ended.out, "*:"), ended.out.c_str());
    }

    void ofAModelThatCannotBeOpenedIsStillHelp() {
        for (const char* verb : {"train", "sample"}) {
            const Finished ended = engine({verb, "--model", "/no/such/model", "--help"});
            QCOMPARE(ended.code, 0);
            QVERIFY2(contains(ended.out, "cannot be told") && contains(ended.out, "/no/such/model"),
                     ended.out.c_str());
            QVERIFY(contains(said(ended.out, "--guidance"), " *]"));
        }
    }

    void ofSampleIsTheModelsOwnGuidance() {
        QVERIFY(contains(said(engine({"sample", "--help"}).out, "--guidance"), "[7.5 *]"));
        for (const QStringList& verb : {QStringList{"sample"}, QStringList{"plan", "sample"}}) {
            const Finished ended = engine(verb + QStringList{"--model", kSketch, "--help"});
            QVERIFY2(contains(said(ended.out, "--guidance"), "[4]"), ended.out.c_str());
        }
    }

    void ofResumeIsWhatTheRunHas() {
        TrainConfig defaults;
        const std::string without = engine({"resume", "--help"}).out;
        for (const ConfigField& field : configFields(defaults))
            QVERIFY2(field.option.empty() || !contains(said(without, field.option), "["),
                     field.option.c_str());
        TrainConfig config;
        config.model = kSketch.toStdString();
        config.data.instanceDir = m_folder.path().toStdString();
        config.data.instancePrompt = "a photo of x";
        config.batchSize = 5;
        config.data.flip = true;
        config.output.guidanceScale = 3.25;
        const QString path = m_folder.filePath("run");
        const auto run = RunFolder::create(path.toStdString(), config);
        QVERIFY(run.ok());
        config = *run->config();
        std::vector<ConfigField> fields = configFields(config);
        std::erase_if(fields, [](const ConfigField& field) { return field.option == "--output"; });
        const std::string help = engine({"resume", path, "--help"}).out;
        QVERIFY(said(help, "--output").empty()); // a run stays where it lies
        const std::string other = firstOtherThan(std::move(fields), help);
        QVERIFY2(other.empty(), other.c_str());
        const std::string longer = engine({"resume", path, "--steps", "77", "--help"}).out;
        QVERIFY2(contains(said(longer, "--steps"), "[77]"), longer.c_str());
    }

    void namesWhatThereIs() {
        QVERIFY(contains(said(engine({"generate", "--help"}).out, "--prompt-file"), "the texts begin with"));
        QVERIFY(contains(engine({"plan", "--help"}).out, "but for --processes and --serve"));
        const std::string sample = engine({"sample", "--help"}).out;
        QVERIFY2(contains(said(sample, "--config"), "guidanceScale, ") &&
                     contains(said(sample, "--config"), "loras: [{\"file\", \"weight\"}], embeddings"),
                 sample.c_str());
        QVERIFY(contains(said(sample, "--prompt"), "(hat:1.3) 1.3 times"));
        QVERIFY(contains(said(sample, "--serve"), "{\"command\": \"stop\"}"));
        const std::string train = engine({"train", "--help"}).out;
        for (const std::string& help : {sample, train}) QVERIFY(contains(said(help, "--model"), ".ckpt"));
        for (const char* option : {"--instance", "--prompt"})
            for (const char* name : {"NAME.txt", "NAME.caption"})
                QVERIFY(contains(said(train, option), name));
        QVERIFY(contains(said(train, "--caption-columns"), "KEY.json"));
        QVERIFY(contains(said(train, "--preview-prompt"), "captions of the data set"));
    }

    void tellsRangesAndWords() {
        const std::string train = engine({"train", "--help"}).out;
        QVERIFY2(contains(said(train, "--validation-share"), "curve (0 to 0.5) ["), train.c_str());
        QVERIFY(contains(said(train, "--ema"), "(0 to less than 1)"));
        QVERIFY(contains(said(train, "--lr"), "(more than 0, at most 10)"));
        QVERIFY(!contains(said(train, "--checkpoint-every"), "("));
        for (const char* verb : {"train", "sample", "convert"})
            QVERIFY2(contains(engine({verb, "--help"}).out, "--prediction-type epsilon|v_prediction "), verb);
        const std::string bench = engine({"bench", "--help"}).out;
        QVERIFY2(contains(bench, "WHAT train|sample|all|optimizer|swap"), bench.c_str());
        QVERIFY(contains(said(bench, "--precision"), "fp32|fp16|bf16"));
        QVERIFY(contains(said(bench, "--link-latency"), "(0 to 1) [0]"));
        QVERIFY(contains(said(bench, "--gpu-memory"), "SIZE"));
        QVERIFY(!contains(engine({"bench", "swap", "--help"}).out, "REQUIRED"));
        const std::string resume = engine({"resume", "--help"}).out;
        QVERIFY2(contains(resume, "--train-text-encoder, --precision, --lora-rank, "), resume.c_str());
    }

    void isNoWiderThanATerminal_data() {
        QTest::addColumn<QString>("verb");
        for (const char* verb : {"train", "sample", "bench", "doctor"}) QTest::newRow(verb) << verb;
    }
    void isNoWiderThanATerminal() {
        QFETCH(QString, verb);
        QProcess process;
        process.start(HOMEBOOTH_BIN_DIR "/homebooth-engine", {verb, "--help"});
        const QString help = QString::fromStdString(finish(process).out);
        const QStringList lines = help.split('\n');
        QVERIFY(lines.size() > 5);
        for (const QString& line : lines) // one long word stays whole
            QVERIFY2(line.size() <= 100 || !line.mid(40).contains(' '), qPrintable(line));
    }

    void ofDoctorNamesTheDiskOfRunsAndOthers() {
        QProcessEnvironment values = QProcessEnvironment::systemEnvironment();
        const QString home = m_folder.filePath("home");
        const QString elsewhere = m_folder.filePath("elsewhere");
        QVERIFY(QDir().mkpath(home + "/Homebooth") && QDir().mkpath(elsewhere));
        values.insert("HOME", home);
        values.insert("XDG_DATA_HOME", m_folder.path());
        values.remove("HOMEBOOTH_HOME");
        QCOMPARE(pathsOf(engine({"doctor", "--json"}, values)), QStringList{home + "/Homebooth"});
        values.insert("HOMEBOOTH_HOME", elsewhere);
        QCOMPARE(pathsOf(engine({"doctor", "--json"}, values)), QStringList{elsewhere});
        const QStringList named{home, elsewhere};
        QCOMPARE(pathsOf(engine(QStringList{"doctor", "--json"} + named, values)), named);
        const std::string typed = engine({"doctor", m_folder.filePath("nosuch")}, values).out;
        QVERIFY2(contains(typed, "/nosuch does not exist: what lies above it was looked at"), typed.c_str());
    }
};

QTEST_GUILESS_MAIN(tst_help)
#include "tst_help.moc"
