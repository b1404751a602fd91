// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Which GPU each process of a training gets, and when that is refused. No GPU is asked for.
#include "core/base/run/queue/rank_gpus.h"

#include <QtTest>

using namespace homebooth::core;

namespace {

using Texts = std::vector<std::string>;

/// The fastest one is the last that nvidia-smi shows; its number 1 is hidden or too old.
GpuOffer threeOfFour() {
    return {{{"GPU-dd01", "The fastest"}, {"GPU-aa01", "The second"}, {"GPU-cc01", "The third"}},
            {"GPU-aa01", "GPU-bb01", "GPU-cc01", "GPU-dd01"}};
}

TrainConfig training(int64_t processes, ComputeDevice device, const Texts& gpus = {}) {
    TrainConfig config;
    config.parallel.processes = processes;
    config.parallel.gpus = gpus;
    config.memory.device = device;
    return config;
}

} // namespace

class tst_rank_gpus : public QObject {
    Q_OBJECT

private slots:
    void eachProcessGetsOneOfTheFastest() {
        for (const ComputeDevice device : {ComputeDevice::Auto, ComputeDevice::Gpu}) {
            const auto gpus = rankGpus(training(2, device), threeOfFour());
            QVERIFY2(gpus.ok(), gpus ? "" : gpus.error().message.c_str());
            QCOMPARE(*gpus, (Texts{"GPU-dd01", "GPU-aa01"}));
        }
    }

    void namedOnesAreTakenInTheirOrder() {
        for (const Texts& names :
             {Texts{"2", "3"}, Texts{"GPU-cc01", "GPU-dd01"}, Texts{"GPU-c", "3"}, Texts{"2", "3", "0"}}) {
            const auto gpus = rankGpus(training(2, ComputeDevice::Auto, names), threeOfFour());
            QVERIFY2(gpus.ok(), gpus ? "" : gpus.error().message.c_str());
            QCOMPARE(*gpus, (Texts{"GPU-cc01", "GPU-dd01"}));
        }
        const auto one = rankGpus(training(1, ComputeDevice::Auto, {"0"}), threeOfFour());
        QVERIFY(one.ok());
        QCOMPARE(*one, Texts{"GPU-aa01"});
    }

    void withTooFewAllComputeOnProcessors() {
        const auto gpus = rankGpus(training(4, ComputeDevice::Auto), threeOfFour());
        QVERIFY(gpus.ok());
        QCOMPARE(*gpus, Texts(4, kNoGpu));
        QCOMPARE(*rankGpus(training(2, ComputeDevice::Auto), GpuOffer()), Texts(2, kNoGpu));
    }

    void whereNothingIsToBeChosenNothingChanges() {
        QCOMPARE(*rankGpus(training(1, ComputeDevice::Auto), threeOfFour()), Texts(1));
        QCOMPARE(*rankGpus(training(1, ComputeDevice::Gpu), GpuOffer()), Texts(1));
        QCOMPARE(*rankGpus(training(2, ComputeDevice::Cpu), threeOfFour()), Texts(2));
        QCOMPARE(*rankGpus(training(2, ComputeDevice::Cpu, {"17", "17"}), threeOfFour()), Texts(2));
        QVERIFY(!choosesGpus(training(1, ComputeDevice::Auto)));
        QVERIFY(!choosesGpus(training(2, ComputeDevice::Cpu, {"0"})));
        QVERIFY(choosesGpus(training(2, ComputeDevice::Auto)));
        QVERIFY(choosesGpus(training(1, ComputeDevice::Gpu, {"0"})));
    }

    void whatCannotBeIsRefused_data() {
        QTest::addColumn<qint64>("processes");
        QTest::addColumn<QStringList>("names");
        QTest::addColumn<QStringList>("words");
        QTest::newRow("too few") << qint64{4} << QStringList()
                                 << QStringList{"a GPU for each of 4", "found 3 GPUs", "--processes 3",
                                                "--device cpu"};
        QTest::newRow("too few named")
            << qint64{2} << QStringList{"0"}
            << QStringList{"a GPU for each of 2", "found 1 GPU in --gpus", "name more"};
        QTest::newRow("one twice") << qint64{2} << QStringList{"0", "0"}
                                   << QStringList{"each GPU once", "GPU-aa01"};
        QTest::newRow("one by two names")
            << qint64{2} << QStringList{"3", "GPU-dd01"} << QStringList{"each GPU once", "GPU-dd01"};
        QTest::newRow("no such number")
            << qint64{2} << QStringList{"0", "4"}
            << QStringList{"--gpus", "found \"4\"", "3 or GPU-dd01 (The fastest)"};
        QTest::newRow("one that is hidden")
            << qint64{2} << QStringList{"0", "1"} << QStringList{"found \"1\""};
        QTest::newRow("no such name")
            << qint64{2} << QStringList{"0", "GPU-ee"} << QStringList{"found \"GPU-ee\""};
        QTest::newRow("several") << qint64{2} << QStringList{"0", "GPU-"}
                                 << QStringList{"found \"GPU-\", which begins several"};
        QTest::newRow("no number") << qint64{2} << QStringList{"0", "-1"} << QStringList{"found \"-1\""};
    }
    void whatCannotBeIsRefused() {
        QFETCH(qint64, processes);
        QFETCH(QStringList, names);
        QFETCH(QStringList, words);
        Texts gpus;
        for (const QString& name : names) gpus.push_back(name.toStdString());
        const auto found = rankGpus(training(processes, ComputeDevice::Gpu, gpus), threeOfFour());
        QVERIFY(!found.ok());
        QCOMPARE(found.error().code, ErrorCode::Usage);
        const QString message = QString::fromStdString(found.error().message);
        for (const QString& word : words) QVERIFY2(message.contains(word), qPrintable(message));
    }

    void namedOnesThatAreTooFewAreRefusedEvenWhereProcessorsWouldDo() {
        QVERIFY(!rankGpus(training(2, ComputeDevice::Auto, {"0"}), threeOfFour()).ok());
        QVERIFY(!rankGpus(training(2, ComputeDevice::Auto, {"0", "1"}), GpuOffer()).ok());
    }

    void aLaunchedProcessTakesTheOneWithItsNumber() {
        QCOMPARE(launchedGpu(nullptr, 0), std::string("0"));
        QCOMPARE(launchedGpu(nullptr, 3), std::string("3"));
        QCOMPARE(launchedGpu("4,5,6", 1), std::string("5"));
        QCOMPARE(launchedGpu("GPU-a, GPU-b", 1), std::string("GPU-b"));
        QCOMPARE(launchedGpu("4,5", 2), std::string(kNoGpu));
        QCOMPARE(launchedGpu("", 0), std::string(kNoGpu));
        QCOMPARE(launchedGpu("7", 3), std::string("7")); // the launcher has chosen
        QCOMPARE(launchedGpu(kNoGpu, 1), std::string(kNoGpu));
    }

    /// The driver's numbers count GPUs that are too old, too.
    void aLaunchedProcessTakesNoneThatCannotBeUsed() {
        const std::vector<JobSlot> usable = threeOfFour().usable;
        QCOMPARE(launchedGpu(nullptr, 0, usable), std::string("GPU-dd01"));
        QCOMPARE(launchedGpu(nullptr, 2, usable), std::string("GPU-cc01"));
        QCOMPARE(launchedGpu(nullptr, 3, usable), std::string(kNoGpu));
        QCOMPARE(launchedGpu("4,5,6", 1, usable), std::string("5")); // somebody has chosen
        QCOMPARE(launchedGpu("7", 3, usable), std::string("7"));
        QCOMPARE(launchedGpu("", 0, usable), std::string(kNoGpu));
        QCOMPARE(launchedGpu(nullptr, 1, {}), std::string("1")); // what is not there is told elsewhere
        QCOMPARE(launchedGpu(nullptr, 1, std::vector<JobSlot>(2)), std::string("1"));
    }

    void whetherAGpuIsSeenIsKnownWithoutTheDriver() {
        QVERIFY(namesGpu(nullptr, 1));
        QVERIFY(!namesGpu(nullptr, 0));
        QVERIFY(namesGpu("1", 2));
        QVERIFY(!namesGpu("2", 2));
        QVERIFY(namesGpu("GPU-aa01", 2));
        QVERIFY(!namesGpu("GPU-aa01", 0)); // a test's
        QVERIFY(!namesGpu("", 2));
        QVERIFY(!namesGpu(kNoGpu, 2));
    }

    void aTrainingWantsTheSlotsOfItsGpus() {
        using Slots = std::vector<int>;
        const auto wanted = [](int64_t processes, const Texts& names) {
            const auto found = slotsWanted(training(processes, ComputeDevice::Auto, names), threeOfFour());
            return found ? *found : Slots{-1};
        };
        QCOMPARE(wanted(2, {"2", "3"}), (Slots{0, 2}));
        QCOMPARE(wanted(2, {"GPU-cc01", "GPU-d"}), (Slots{0, 2}));
        QCOMPARE(wanted(1, {"0"}), Slots{1});
        QCOMPARE(wanted(2, {"2", "3", "0"}), (Slots{0, 2})); // the third one stays free for others
        QCOMPARE(wanted(1, {"0", "2", "3"}), Slots{1});
        QCOMPARE(wanted(2, {}), (Slots{0, 1}));    // the fastest; the third one stays free for others
        QCOMPARE(wanted(4, {}), (Slots{0, 1, 2})); // all, though they are too few
        QCOMPARE(wanted(1, {}), Slots{});
        for (const Texts& unknown : {Texts{"0", "1"}, Texts{"0", "GPU-ee"}, Texts{"0", "GPU-aa01"}})
            QCOMPARE(wanted(2, unknown), Slots{-1});
        const auto plain = slotsWanted(training(2, ComputeDevice::Cpu, {"17"}), threeOfFour());
        QVERIFY(plain.ok() && plain->empty());
    }

    /// As a queued job does: it sees the slots that it was given.
    void namesBehindThoseOfTheProcessesSayNothing() {
        GpuOffer given = threeOfFour();
        given.usable = {given.usable[0], given.usable[2]};
        const auto gpus = rankGpus(training(2, ComputeDevice::Gpu, {"2", "3", "0"}), given);
        QVERIFY2(gpus.ok(), gpus ? "" : gpus.error().message.c_str());
        QCOMPARE(*gpus, (Texts{"GPU-cc01", "GPU-dd01"}));
    }

    void slotsThatNobodyNumbersHaveTheirOwnOrder() {
        const std::vector<JobSlot> known = threeOfFour().usable;
        QCOMPARE(offerOf(known, threeOfFour().numbered).numbered, threeOfFour().numbered);
        for (const Texts& others : {Texts{}, Texts{"GPU-ff01", "GPU-ee01"}})
            QCOMPARE(offerOf(known, others).numbered, (Texts{"GPU-dd01", "GPU-aa01", "GPU-cc01"}));
    }

    void gpusOfATestStandInTheirPlace() {
        QVERIFY(qputenv("HOMEBOOTH_SLOTS", "GPU-1=The first;GPU-2=The second"));
        const GpuOffer offer = gpuOffer();
        QVERIFY(qunsetenv("HOMEBOOTH_SLOTS"));
        QCOMPARE(offer.usable.size(), size_t{2});
        QCOMPARE(offer.numbered, (Texts{"GPU-1", "GPU-2"}));
        QCOMPARE(*rankGpus(training(2, ComputeDevice::Gpu, {"1", "0"}), offer), (Texts{"GPU-2", "GPU-1"}));
    }
};

QTEST_GUILESS_MAIN(tst_rank_gpus)
#include "tst_rank_gpus.moc"
