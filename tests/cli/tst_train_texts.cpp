// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Trainings of language models as people ask for them: texts count before they are read, and the model's kind
// is said before anything of single settings.
#include "finished.h"

#include <QtTest>

using namespace homebooth::test;

namespace {

constexpr const char* kLanguage = HOMEBOOTH_FIXTURES_DIR "/language/opt";
constexpr const char* kPictures = HOMEBOOTH_FIXTURES_DIR "/tiny-sd1";
constexpr qint64 kLarge = qint64{6} << 30;

} // namespace

class TrainTextsTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    [[nodiscard]] QString path(const char* name) const { return m_folder.filePath(name); }

    Finished engine(const QStringList& arguments) const {
        QProcess process;
        process.start(HOMEBOOTH_BIN_DIR "/homebooth-engine", arguments);
        return finish(process);
    }

    Finished planned(const char* text, const QStringList& further) const {
        return engine(QStringList{"plan", "--model", kLanguage, "--text", path(text), "--context", "16"} +
                      further);
    }

    static QJsonObject jsonOf(const Finished& ended) {
        return QJsonDocument::fromJson(QByteArray::fromStdString(ended.out)).object();
    }

    static QByteArray contentOf(const QString& path) {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    /// The tiny OPT with as much of a tokenizer as its vocabulary has room for.
    void makeModel() const {
        constexpr int kEntries = 272;
        constexpr int kUnmerged = 260; // special ones and bytes; behind them one a merge
        if (QFile::exists(path("model"))) return;
        QVERIFY(QDir(m_folder.path()).mkdir("model"));
        for (const char* name : {"config.json", "model.safetensors"})
            QVERIFY(QFile::copy(QString("%1/%2").arg(kLanguage, name), path("model/") + name));
        QJsonObject tokenizer =
            QJsonDocument::fromJson(contentOf(HOMEBOOTH_FIXTURES_DIR "/language/tokenizer/tokenizer.json"))
                .object();
        QJsonObject model = tokenizer["model"].toObject();
        QJsonObject entries = model["vocab"].toObject();
        for (const QString& entry : entries.keys())
            if (entries[entry].toInt() >= kEntries) entries.remove(entry);
        QCOMPARE(entries.size(), qsizetype{kEntries});
        QJsonArray merges = model["merges"].toArray();
        while (merges.size() > kEntries - kUnmerged) merges.removeLast();
        model["vocab"] = entries;
        model["merges"] = merges;
        tokenizer["model"] = model;
        write("model/tokenizer.json", QJsonDocument(tokenizer).toJson());
    }

    void write(const char* name, const QByteArray& content) const {
        QFile file(path(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(content);
    }

private slots:
    void initTestCase() {
        const QByteArray words = QByteArray("The dog sat on the moon. ").repeated(40'000);
        write("small.txt", words);
        write("large.txt", words.repeated(4));
        QVERIFY(QFile::resize(path("large.txt"), kLarge)); // nothing is read of it but the beginning
        QVERIFY(QDir(m_folder.path()).mkdir("photos"));
    }

    void plansHaveTheTexts_data() {
        QTest::addColumn<QStringList>("machine");
        QTest::newRow("this machine") << QStringList{"--device", "cpu"};
        QTest::newRow("a part of it") << QStringList{"--device", "cpu", "--gpu-memory", "64MiB"};
        QTest::newRow("a card") << QStringList{"--device", "RTX 3060", "--ram", "32GiB"};
        QTest::newRow("cards") << QStringList{"--device", "RTX 3060", "--ram", "64GiB",  "--processes",
                                              "2",        "--batch",  "2",     "--zero", "2"};
    }
    void plansHaveTheTexts() {
        QFETCH(QStringList, machine);
        const Finished ended = planned("small.txt", machine + QStringList{"--json"});
        QVERIFY2(ended.code == 0, ended.err.c_str());
        const QJsonObject plan = jsonOf(ended);
        double texts = 0.0;
        for (const QJsonValue& one : plan["reasons"].toArray())
            if (one["code"].toString() == "texts-in-ram") texts = one["facts"]["textBytes"].toDouble();
        QVERIFY(texts > 2e6 && texts < 7e6); // a million bytes, in windows of sixteen tokens
        QCOMPARE(plan["tiers"]["ram"]["cacheBytes"].toDouble(), texts);
        const Finished said = planned("small.txt", machine);
        QVERIFY2(contains(said.out, "- texts: up to "), said.out.c_str());
        QVERIFY2(contains(said.out, "  texts "), said.out.c_str());
        QVERIFY2(!contains(said.out, "moving average"), said.out.c_str());
    }

    void refusesTextsThatRamHasNoRoomFor_data() {
        QTest::addColumn<QStringList>("machine");
        QTest::newRow("this machine") << QStringList{"--device", "cpu", "--ram", "2GiB"};
        QTest::newRow("all streamed") << QStringList{"--device", "cpu", "--ram", "2GiB", "--policy", "cpu"};
        QTest::newRow("a part of it")
            << QStringList{"--device", "cpu", "--ram", "2GiB", "--gpu-memory", "64MiB"};
        QTest::newRow("a card") << QStringList{"--device", "RTX 3060", "--ram", "8GiB"};
    }
    void refusesTextsThatRamHasNoRoomFor() {
        QFETCH(QStringList, machine);
        const Finished ended = planned("large.txt", machine);
        QCOMPARE(ended.code, 4);
        QVERIFY2(contains(ended.err, "take fewer texts (the tokens of --text count for "), ended.err.c_str());
        QCOMPARE(planned("small.txt", machine).code, 0);
    }

    void aTrainingIsRefusedBeforeItBegins() {
        const Finished ended =
            engine({"train", "--model", kLanguage, "--text", path("large.txt"), "--context", "16", "--device",
                    "cpu", "--ram", "2GiB", "--output", path("run")});
        QCOMPARE(ended.code, 4);
        QVERIFY2(contains(ended.err, "take fewer texts"), ended.err.c_str());
        QVERIFY(!QFile::exists(path("run")));
    }

    /// How much is learned, and how well.
    void aTrainingTellsOfItsTextsAndOfWhatIsHeldOut() {
        makeModel();
        write("few.txt", QByteArray("The dog sat on the moon. ").repeated(100));
        const QStringList asked{"--model",  path("model"), "--text", path("few.txt"),      "--context",
                                "16",       "--steps",     "3",      "--validation-share", "0.1",
                                "--device", "cpu"};
        const Finished ahead = engine(QStringList{"plan"} + asked);
        QVERIFY2(ahead.code == 0, ahead.err.c_str());
        QVERIFY2(contains(ahead.out, "- texts: roughly 1,"), ahead.out.c_str());
        QVERIFY2(contains(ahead.out, " steps, the run's 3 steps make 0."), ahead.out.c_str());
        const Finished ended =
            engine(QStringList{"train"} + asked + QStringList{"--output", path("learned")});
        QVERIFY2(ended.code == 0, ended.err.c_str());
        const QRegularExpression texts("\ntexts: [0-9,]+ tokens, [0-9]+ windows of 16, [0-9]+ more held out; "
                                       "an epoch takes [0-9]+ steps, the run's 3 steps make 0\\.[0-9]+ "
                                       "epochs\n");
        const QString said = QString::fromStdString(ended.out);
        QVERIFY2(texts.match(said).hasMatch(), ended.out.c_str());
        QCOMPARE(said.count("texts: "), qsizetype{1});
        for (const char* words : {"\nstep 0: held-out loss ", "\nstep 3: held-out loss "})
            QVERIFY2(contains(ended.out, words), ended.out.c_str());
        QVERIFY(contentOf(path("learned/events.jsonl")).contains("\"texts-learned\""));
        for (const char* folder : {"learned", "learned/result"}) { // are no models, but have one
            const Finished told =
                engine({"generate", "--model", path(folder), "--prompt", "The", "--device", "cpu"});
            QCOMPARE(told.code, 3);
            const std::string made = path("learned/result/model").toStdString();
            QVERIFY2(contains(told.err, "what it has made: " + made), told.err.c_str());
        }
    }

    /// Before there is a result; what is made is that result, byte for byte.
    void aMomentBecomesWhatTheResultIs_data() {
        QTest::addColumn<QString>("result");
        QTest::addColumn<QString>("form");
        QTest::newRow("full") << "model"
                              << "transformers";
        QTest::newRow("lora") << "lora"
                              << "peft-lora";
    }
    void aMomentBecomesWhatTheResultIs() {
        QFETCH(QString, result);
        QFETCH(QString, form);
        makeModel();
        write("few.txt", QByteArray("The dog sat on the moon. ").repeated(100));
        const QString run = m_folder.filePath("moment-" + result);
        const QString moment = run + "/checkpoints/step-000002";
        const Finished trained =
            engine({"train", "--model", path("model"), "--text", path("few.txt"), "--context", "16",
                    "--steps", "2", "--device", "cpu", "--precision", "bf16", "--ema", "0.5", "--method",
                    QTest::currentDataTag(), "--output", run});
        QVERIFY2(trained.code == 0, trained.err.c_str());
        const QString kept = m_folder.filePath("kept-" + result);
        QVERIFY(QDir().rename(run + "/result/" + result, kept));
        const Finished told = engine({"generate", "--model", moment, "--prompt", "The", "--device", "cpu"});
        QCOMPARE(told.code, 3);
        const QString way = QString("convert \"%1\" %2 --to %3\n").arg(moment, result, form);
        QVERIFY2(contains(told.err, way.toStdString()), told.err.c_str());
        const QString made = m_folder.filePath("made-" + result);
        const Finished other = engine({"convert", moment, made, "--to", "diffusers"});
        QVERIFY2(contains(other.err, "expected --to " + form.toStdString()), other.err.c_str());
        const Finished ended = engine({"convert", moment, made, "--to", form});
        QVERIFY2(ended.code == 0, ended.err.c_str());
        const QStringList files = QDir(kept).entryList(QDir::Files);
        QCOMPARE(QDir(made).entryList(QDir::Files), files);
        for (const QString& file : files)
            QVERIFY2(contentOf(made + "/" + file) == contentOf(kept + "/" + file), qPrintable(file));
    }

    /// By what their beginnings have: a bound would be twice as much.
    void aPlanMeasuresManyTexts() {
        makeModel();
        const QStringList machine{"--device", "RTX 3060", "--ram", "27GiB"};
        QCOMPARE(planned("large.txt", machine).code, 4); // of a model without a tokenizer
        const QStringList named{"plan",      "--model", path("model"), "--text", path("large.txt"),
                                "--context", "16"};
        const Finished ended = engine(named + machine);
        QVERIFY2(ended.code == 0, ended.err.c_str());
        QVERIFY2(contains(ended.out, "- texts: about "), ended.out.c_str());
        QVERIFY2(contains(ended.out, " tokens a byte, and a quarter more is counted"), ended.out.c_str());
        const Finished refused = engine(named + QStringList{"--device", "RTX 3060", "--ram", "16GiB"});
        QCOMPARE(refused.code, 4);
        QVERIFY2(contains(refused.err, "take fewer texts"), refused.err.c_str());
    }

    /// Their journals are no texts, neither of this run nor of the next one.
    void aRunLiesAmongItsTexts() {
        makeModel();
        QVERIFY(QDir(m_folder.path()).mkdir("notes"));
        write("notes/a.txt", QByteArray("The dog sat on the moon. ").repeated(100));
        const auto trained = [this](const char* output) {
            return engine({"train", "--model", path("model"), "--text", path("notes"), "--context", "16",
                           "--steps", "2", "--device", "cpu", "--output", path(output)});
        };
        const std::string left = "left out of the texts: 1 folder of a run or model (run)\n";
        const Finished first = trained("notes/run");
        QVERIFY2(first.code == 0, first.err.c_str());
        QVERIFY2(contains(first.out, left), first.out.c_str());
        const Finished again = engine({"resume", path("notes/run"), "--steps", "3", "--device", "cpu"});
        QVERIFY2(again.code == 0, again.err.c_str());
        QVERIFY2(!contains(again.out, "left out"), again.out.c_str());
        const Finished other = trained("other");
        QVERIFY2(other.code == 0, other.err.c_str());
        QVERIFY2(contains(other.out, left), other.out.c_str());
    }

    void refusesTextsOfOtherKinds() {
        write("table.csv", "text\nThe dog sat.\n");
        const Finished ended = planned("table.csv", {"--device", "cpu"});
        QCOMPARE(ended.code, 3);
        QVERIFY2(contains(ended.err, "found .csv; make it .jsonl"), ended.err.c_str());
        write("list.json", "[\n{\"text\": \"The dog sat on the moon.\"},\n{\"text\": \"The end.\"}\n]\n");
        QCOMPARE(planned("list.json", {"--device", "cpu"}).code, 0);
    }

    void saysOfWhichKindTheModelIs_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("code");
        QTest::addColumn<QStringList>("words");
        const QString photos = path("photos");
        const QString text = path("small.txt");
        const QString file = path("pictures.json");
        const QStringList ofTexts{"a language model (OPT)", "learns from --text"};
        const auto add = [](const char* name, const QStringList& arguments, int code,
                            const QStringList& words) { QTest::newRow(name) << arguments << code << words; };
        write("pictures.json", R"({"mode": "dreambooth", "data": {"instancePrompt": "a dog"}})");
        for (const char* folder : {"models--gpt2/blobs", "models--gpt2/snapshots/b2", "bare"})
            QVERIFY(QDir(m_folder.path()).mkpath(folder));
        write("bare/pytorch_model.bin", "{}");
        write("bare/vocab.json", "{}");
        add("dataset", {"--model", kLanguage, "--dataset", photos}, 3, ofTexts + QStringList{"--dataset"});
        add("photos", {"--model", kLanguage, "--instance", photos, "--prompt", "p", "--resolution", "64"}, 3,
            ofTexts + QStringList{"--instance, --prompt, --resolution"});
        add("no photos there", {"--model", kLanguage, "--instance", "/nowhere"}, 3, ofTexts);
        add("nothing", {"--model", kLanguage}, 3, ofTexts + QStringList{"found none"});
        add("file", {"--model", kLanguage, "--config", file}, 3, ofTexts + QStringList{file});
        add("file and texts", {"--model", kLanguage, "--config", file, "--text", text}, 3,
            ofTexts + QStringList{file});
        add("scratch", {"--from-scratch", "--scratch-config", kLanguage, "--dataset", photos}, 3,
            {"a language model (OPT)", "trained from its weights"});
        add("texts beside pictures", {"--model", kLanguage, "--text", text, "--dataset", photos}, 2,
            {"found --dataset"});
        add("hub's cache", {"--model", path("models--gpt2"), "--text", text}, 3,
            {"Hugging Face's cache", "models--gpt2/snapshots/b2"});
        add("no config.json", {"--model", path("bare"), "--text", text}, 3,
            {"expected config.json", "pytorch_model.bin"});
        add("pictures", {"--model", kPictures, "--text", text}, 3, {"found a model for pictures"});
        add("pictures and photos", {"--model", kPictures, "--text", text, "--instance", photos}, 3,
            {"found a model for pictures", "instead"});
    }
    void saysOfWhichKindTheModelIs() {
        QFETCH(QStringList, arguments);
        QFETCH(int, code);
        QFETCH(QStringList, words);
        for (const char* verb : {"train", "plan"}) {
            const Finished ended =
                engine(QStringList{verb} + arguments + QStringList{"--output", path("no")});
            QVERIFY2(ended.code == code, ended.err.c_str());
            for (const QString& part : words)
                QVERIFY2(contains(ended.err, part.toStdString()), ended.err.c_str());
            QCOMPARE(std::count(ended.err.begin(), ended.err.end(), '\n'), 1);
        }
        QVERIFY(!QFile::exists(path("no")));
    }

    void blocksAreALanguageModels() {
        const Finished ended = planned("small.txt", {"--device", "cpu", "--blocks", "--json"});
        QVERIFY2(ended.code == 0, ended.err.c_str());
        const QJsonArray blocks = jsonOf(ended)["blocks"].toArray();
        QVERIFY(blocks.size() > 2);
        for (const QJsonValue& block : blocks) {
            const QString name = block.toObject()["name"].toString();
            QVERIFY2(name.startsWith("language ") && name.size() > 9, qPrintable(name));
        }
    }

    void aColumnNeedsAFileOfLines() {
        const QStringList named{"--device", "cpu", "--text-column", "story"};
        const Finished ended = planned("small.txt", named);
        QCOMPARE(ended.code, 2);
        QVERIFY2(contains(ended.err, "leave --text-column out"), ended.err.c_str());
        write("lines.jsonl", QByteArray("{\"story\": \"The dog sat on the moon.\"}\n").repeated(20));
        QCOMPARE(planned("lines.jsonl", named).code, 0);
    }

    void aLoraOfPeftIsNoModel() {
        QVERIFY(QDir(m_folder.path()).mkdir("lora"));
        write("lora/adapter_config.json", R"({"peft_type": "LORA", "r": 4, "lora_alpha": 8,
            "base_model_name_or_path": "facebook/opt-125m", "target_modules": ["fc1"]})");
        write("lora/adapter_model.safetensors", QByteArray());
        for (const QStringList& arguments :
             {QStringList{"plan", "--model", path("lora"), "--text", path("small.txt"), "--output",
                          path("no")},
              QStringList{"generate", "--model", path("lora"), "--device", "cpu"}}) {
            const Finished ended = engine(arguments);
            QCOMPARE(ended.code, 3);
            for (const char* words : {"found a LoRA", "facebook/opt-125m", "as --model", "as --lora"})
                QVERIFY2(contains(ended.err, words), ended.err.c_str());
        }
    }
};

QTEST_GUILESS_MAIN(TrainTextsTest)
#include "tst_train_texts.moc"
