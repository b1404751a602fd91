// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Options that change nothing beside the others are refused where something else would be learned than
// was meant, and told of where not.
#include "tests/cli/supervised.h"

using namespace homebooth::core;
using namespace homebooth::test;

class tst_idle_options : public Supervised {
    Q_OBJECT

    /// `plan` of a subject, or of whatever replaces it.
    Finished planned(const QStringList& what, const QStringList& further) const {
        return run(QStringList{"plan", "--device", "cpu"} + what + further, "done");
    }
    QStringList subject() const {
        return {"--model", HOMEBOOTH_FIXTURES_DIR "/tiny-sd1", "--instance", photos(), "--prompt", "an x"};
    }
    QStringList dataset() const {
        return {"--model", HOMEBOOTH_FIXTURES_DIR "/tiny-sd1", "--dataset", photos()};
    }
    QStringList scratch() const {
        return {"--from-scratch", "--scratch-config", HOMEBOOTH_FIXTURES_DIR "/tiny-sd1", "--dataset",
                photos()};
    }

private slots:
    void initTestCase() { makePrograms(); }
    void init() { beginAgain(); }

    void whatIsLearnedInsteadIsNoSurprise_data() {
        QTest::addColumn<QStringList>("what");
        QTest::addColumn<QStringList>("further");
        QTest::addColumn<QStringList>("words");
        QTest::newRow("class") << subject() << QStringList{"--class-dir", photos()}
                               << QStringList{"--class-dir has no effect",
                                              "add --class-prompt \"a photo of a dog\", or leave it out"};
        QTest::newRow("several") << subject() << QStringList{"--prior-weight", "2", "--class-images", "8"}
                                 << QStringList{"--class-images and --prior-weight have no effect",
                                                "or leave them out"};
        QTest::newRow("class of a dataset") << dataset() << QStringList{"--class-images", "8"}
                                            << QStringList{"a data set has no class pictures; leave it out"};
        QTest::newRow("LoRA") << subject() << QStringList{"--lora-rank", "32", "--lora-alpha", "16"}
                              << QStringList{"--lora-rank and --lora-alpha have no effect",
                                             "add --method lora"};
        QTest::newRow("LoRA from scratch") << scratch() << QStringList{"--lora-rank", "32"}
                                           << QStringList{"--lora-rank has no effect", "; leave it out"};
        QTest::newRow("scratch") << dataset() << QStringList{"--component", "vae"}
                                 << QStringList{"--component has no effect", "add --from-scratch"};
        QTest::newRow("both") << subject() << QStringList{"--lora-dropout", "0.1", "--class-images", "8"}
                              << QStringList{"--class-images has", "; --lora-dropout has"};
    }
    void whatIsLearnedInsteadIsNoSurprise() {
        QFETCH(QStringList, what);
        QFETCH(QStringList, further);
        QFETCH(QStringList, words);
        const QStringList train = QStringList{"train", "--device", "cpu", "--output", m_run} + what + further;
        for (const Finished& ended : {planned(what, further), run(train, "done")}) {
            QCOMPARE(ended.code, 2);
            QCOMPARE(std::count(ended.err.begin(), ended.err.end(), '\n'), std::ptrdiff_t{1});
            for (const QString& part : words)
                QVERIFY2(contains(ended.err, part.toStdString()), ended.err.c_str());
        }
        QVERIFY(!QFile::exists(m_run));
    }

    void othersAreToldOf_data() {
        QTest::addColumn<QStringList>("what");
        QTest::addColumn<QStringList>("further");
        QTest::addColumn<QString>("words");
        QTest::newRow("tags") << subject() << QStringList{"--keep-tags", "2"} << "add --shuffle-tags";
        QTest::newRow("text encoder")
            << subject() << QStringList{"--text-encoder-lr", "1e-5"} << "add --train-text-encoder";
        QTest::newRow("held out photos")
            << subject() << QStringList{"--validate-every", "10"} << "none is held out; leave it out";
        QTest::newRow("held out") << dataset() << QStringList{"--validate-every", "10"}
                                  << "add --validation-share";
        QTest::newRow("previews") << subject() << QStringList{"--preview-prompt", "an x in the sea"}
                                  << "add --preview-every";
        QTest::newRow("prompt") << dataset() << QStringList{"--prompt", "an x"} << "captions are learned";
        QTest::newRow("optimizer") << subject() << QStringList{"--optimizer", "adafactor", "--beta1", "0.8"}
                                   << "--beta1 has no effect";
        QTest::newRow("autoencoder") << scratch() << QStringList{"--component", "vae", "--min-snr", "5"}
                                     << "--min-snr has no effect: an autoencoder";
    }
    void othersAreToldOf() {
        QFETCH(QStringList, what);
        QFETCH(QStringList, further);
        QFETCH(QString, words);
        std::ofstream(photos().toStdString() + "/good.txt") << "an x";
        const Finished ended = planned(what, further);
        QVERIFY2(ended.code == 0, ended.err.c_str());
        QVERIFY2(contains(ended.out, words.toStdString()), ended.out.c_str());
    }

    void whatHasAnEffectIsNotToldOf() {
        std::ofstream(photos().toStdString() + "/good.txt") << "an x";
        for (const QStringList& further :
             {QStringList{"--method", "lora", "--lora-rank", "4", "--lora-alpha", "2"},
              QStringList{"--class-prompt", "a photo of a dog", "--class-dir", photos()},
              QStringList{"--shuffle-tags", "--keep-tags", "2", "--no-lora-convolutions"},
              QStringList{"--train-text-encoder", "--text-encoder-lr", "1e-5"},
              QStringList{"--preview-every", "5", "--preview-prompt", "an x in the sea"}}) {
            const Finished ended = planned(subject(), further);
            QVERIFY2(ended.code == 0, ended.err.c_str());
            QVERIFY2(!contains(ended.out, "no effect"), ended.out.c_str());
        }
        // Of a data set it is what the result is called, and a LoRA's trigger words.
        const Finished named = planned(dataset(), {"--method", "lora", "--prompt", "a picture in x style"});
        QVERIFY2(named.code == 0, named.err.c_str());
        QVERIFY2(!contains(named.out, "no effect") && !contains(named.out, "not learned"), named.out.c_str());
    }

    void aRunIsWarnedAndGoesOnWithoutAWord() {
        const Finished begun = run(trainArguments() + QStringList{"--keep-tags", "2"}, "done");
        QVERIFY2(begun.code == 0, begun.err.c_str());
        QVERIFY2(contains(begun.out, "--keep-tags has no effect"), begun.out.c_str());
        QVERIFY(contains(readAll(m_run.toStdString() + "/events.jsonl"), "\"code\":\"idle-option\""));
        const Finished resumed = run({"resume", m_run, "--keep-tags", "3", "--device", "cpu"}, "done");
        QVERIFY2(resumed.code == 0, resumed.err.c_str());
        QVERIFY2(!contains(resumed.out, "no effect"), resumed.out.c_str());
    }

    void aMetadataBesidePhotosIsToldOf() {
        std::ofstream(photos().toStdString() + "/metadata.jsonl")
            << R"({"file_name": "good.png", "text": "an x on grass"})";
        const Finished begun = run(trainArguments(), "done");
        QVERIFY2(begun.code == 0, begun.err.c_str());
        QVERIFY2(contains(begun.out, "metadata.jsonl is not read") && contains(begun.out, "by --dataset"),
                 begun.out.c_str());
        QVERIFY(contains(readAll(m_run.toStdString() + "/events.jsonl"), "\"code\":\"metadata-not-read\""));
        QVERIFY(!contains(run({"resume", m_run, "--device", "cpu"}, "done").out, "is not read"));
    }

    void masksAreNamedAsLeftOut() {
        QVERIFY(QFile::copy(photos() + "/good.png", photos() + "/good-masklabel.png"));
        const Finished begun = run(trainArguments(), "done");
        QVERIFY2(begun.code == 0, begun.err.c_str());
        QVERIFY2(contains(begun.out, "left out good-masklabel.png: a mask of another program"),
                 begun.out.c_str());
    }

    void picturesAreMadeAllTheSame_data() {
        QTest::addColumn<QStringList>("further");
        QTest::addColumn<QString>("words");
        QTest::newRow("strength") << QStringList{"--strength", "0.4"} << "add --init PICTURE";
        QTest::newRow("negative") << QStringList{"--negative", "fog", "--guidance", "1"}
                                  << "--negative has no effect: without guidance";
        QTest::newRow("spacing of LCM") << QStringList{"--spacing", "trailing", "--sampler", "lcm"}
                                        << "--spacing has no effect: lcm has timesteps of its own";
        QTest::newRow("spacing beside Karras")
            << QStringList{"--spacing", "trailing", "--sampler", "unipc", "--karras"} << "leave --karras out";
    }
    void picturesAreMadeAllTheSame() {
        QFETCH(QStringList, further);
        QFETCH(QString, words);
        const QStringList model{"--model", HOMEBOOTH_FIXTURES_DIR "/tiny-sd1", "--device", "cpu"};
        const QStringList sample =
            QStringList{"sample", "--prompt", "x", "--output", m_folder.filePath("made")} + model;
        const std::string said = run(sample + further, "").out; // the worker makes none
        QVERIFY2(contains(said, words.toStdString()), said.c_str());
        const std::string lines = run(sample + further + QStringList{"--json"}, "").out;
        QVERIFY2(contains(lines, "\"seq\":0") && contains(lines, "\"code\":\"idle-option\""), lines.c_str());
        const Finished ahead = run(QStringList{"plan", "sample"} + model + further, "done");
        QVERIFY2(ahead.code == 0 && contains(ahead.out, words.toStdString()), ahead.out.c_str());
        const QStringList right{"--negative", "fog", "--guidance", "5"};
        QVERIFY(!contains(run(sample + right, "").out, "no effect"));
    }

    void textsAreWrittenAllTheSame() {
        const QStringList generate{
            "generate", "--model", HOMEBOOTH_FIXTURES_DIR "/language/opt", "--device", "cpu", "--top-k", "4"};
        const std::string said = run(generate + QStringList{"--temperature", "0"}, "").err;
        QVERIFY2(contains(said, "warning: --top-k has no effect: the likeliest token"), said.c_str());
        QVERIFY(!contains(run(generate, "").err, "no effect"));
    }
};

QTEST_GUILESS_MAIN(tst_idle_options)
#include "tst_idle_options.moc"
