// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Which GPUs of those that a driver offers are used, and in which formats; and what is known of those that
// no driver offers. Needs no GPU.
#include "core/base/run/format_warning.h"
#include "core/base/system/bus_cards.h"
#include "core/base/system/gpu_facts.h"

#include <QDir>
#include <QFile>
#include <QString>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <initializer_list>
#include <utility>

using namespace homebooth::core;

namespace {

const GpuDevice kGtx1050{"NVIDIA GeForce GTX 1050", "GPU-aa01", int64_t{2} << 30, 6, 1};
const GpuDevice kGtx1060{"NVIDIA GeForce GTX 1060 6GB", "GPU-bb01", int64_t{6} << 30, 6, 1};
const GpuDevice kGtx1660{"NVIDIA GeForce GTX 1660 Ti", "GPU-cc01", int64_t{6} << 30, 7, 5};
const GpuDevice kRtx2060{"NVIDIA GeForce RTX 2060", "GPU-dd01", int64_t{6} << 30, 7, 5};
const GpuDevice kRtx3060{"NVIDIA GeForce RTX 3060", "GPU-ee01", int64_t{12} << 30, 8, 6};

GpuFacts factsOf(const std::vector<GpuDevice>& offered) {
    GpuFacts facts;
    judgeDevices(offered, facts);
    return facts;
}

/// As Linux shows one device of a bus.
void addDevice(const QDir& bus, const char* place, const char* vendor, const char* kind, const char* device,
               const char* driver) {
    const QString folder = bus.filePath(place);
    QVERIFY(QDir().mkpath(folder));
    for (const auto& [name, text] :
         {std::pair("vendor", vendor), std::pair("class", kind), std::pair("device", device)}) {
        QFile file(folder + '/' + name);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray(text) + '\n');
    }
    if (driver[0] != '\0')
        QVERIFY(QFile::link(QStringLiteral("../../../bus/pci/drivers/") + driver, folder + "/driver"));
}

GpuFacts factsOfBus(const std::vector<BusCard>& cards, bool installed = false) {
    GpuFacts facts;
    judgeBus(cards, installed, facts);
    return facts;
}

std::vector<std::string> uuidsOf(const GpuFacts& facts) {
    std::vector<std::string> uuids;
    for (const GpuDevice& device : facts.devices) uuids.push_back(device.uuid);
    return uuids;
}

} // namespace

class tst_gpu_facts : public QObject {
    Q_OBJECT

private slots:
    void aCardThatIsTooOldIsNoneAndNamed() {
        for (const std::vector<GpuDevice>& offered :
             {std::vector{kGtx1060}, std::vector{kGtx1050, kGtx1060}}) {
            const GpuFacts facts = factsOf(offered);
            QCOMPARE(facts.state, GpuState::NoDevice);
            QVERIFY(facts.devices.empty());
            const QString message = QString::fromStdString(facts.message);
            for (const GpuDevice& one : offered)
                QVERIFY2(message.contains(QString::fromStdString(one.name)), qPrintable(message));
            QVERIFY2(message.contains(QStringLiteral("compute capability 7.5")), qPrintable(message));
        }
    }

    void usableCardsKeepTheirOrderWhateverLiesBetweenThem() {
        const GpuFacts facts = factsOf({kGtx1050, kRtx3060, kGtx1060, kRtx2060});
        QCOMPARE(facts.state, GpuState::Ready);
        QCOMPARE(uuidsOf(facts), (std::vector<std::string>{"GPU-ee01", "GPU-dd01"}));
        QCOMPARE(facts.tooOld, (std::vector<std::string>{kGtx1050.name, kGtx1060.name}));
        const QString message = QString::fromStdString(facts.message);
        QVERIFY2(message.contains(QStringLiteral("GTX 1050")), qPrintable(message));
    }

    /// A process would compute on it that does not name another one.
    void anOldCardBeforeTheUsableOnesIsKnown() {
        QVERIFY(factsOf({kGtx1050, kRtx3060}).oldOneFirst);
        QVERIFY(!factsOf({kRtx3060, kGtx1050}).oldOneFirst);
        QVERIFY(!factsOf({kRtx3060}).oldOneFirst);
        QVERIFY(!factsOf({}).oldOneFirst);
    }

    void cardsOfTheOldestKindAreUsed() {
        const GpuFacts facts = factsOf({kGtx1660});
        QCOMPARE(facts.state, GpuState::Ready);
        QCOMPARE(facts.message, std::string("1 GPU(s) ready"));
        QVERIFY(facts.tooOld.empty());
    }

    void aDriverWithoutCardsHasNoDevice() {
        const GpuFacts facts = factsOf({});
        QCOMPARE(facts.state, GpuState::NoDevice);
        QVERIFY(!facts.message.empty());
    }

    void anOldDriverOfOldCardsIsNotToBeReplaced() {
        for (const bool usable : {false, true}) {
            GpuFacts facts;
            facts.driverVersion = "535.183.01";
            judgeOldDriver(usable ? std::vector{kGtx1060, kRtx3060} : std::vector{kGtx1060, kGtx1050}, facts);
            QCOMPARE(facts.state, usable ? GpuState::DriverTooOld : GpuState::NoDevice);
            QCOMPARE(facts.tooOld.size(), usable ? size_t{0} : size_t{2});
            QCOMPARE(facts.message.find("580") != std::string::npos, usable);
        }
        for (const std::vector<GpuDevice>& unknown : {std::vector<GpuDevice>(), std::vector<GpuDevice>(1)}) {
            GpuFacts facts;
            judgeOldDriver(unknown, facts);
            QCOMPARE(facts.state, GpuState::DriverTooOld);
        }
    }

    void cardsAreSeenOnTheBusWhoeverDrivesThem() {
        const QTemporaryDir folder;
        const QDir bus(folder.path());
        addDevice(bus, "0000:00:02.0", "0x8086", "0x030000", "0x9a49", "i915");
        addDevice(bus, "0000:01:00.0", "0x10de", "0x030000", "0x1f82", "nouveau");
        addDevice(bus, "0000:01:00.1", "0x10de", "0x040300", "0x10fa", "snd_hda_intel"); // its sound
        addDevice(bus, "0000:02:00.0", "0x10de", "0x030200", "0x25a2", "");
        addDevice(bus, "0000:03:00.0", "0x10de", "0x030000", "0x2504", "vfio-pci"); // lent
        const std::vector<BusCard> cards = nvidiaCardsOnBus(folder.path().toStdString());
        QCOMPARE(cards.size(), size_t{2});
        QCOMPARE(idOf(cards[0]), std::string("10de:1f82"));
        QCOMPARE(cards[0].driver, std::string("nouveau"));
        QCOMPARE(idOf(cards[1]), std::string("10de:25a2"));
        QVERIFY(cards[1].driver.empty());
        QVERIFY(nvidiaCardsOnBus("/nowhere").empty());
    }

    void aCardWithoutItsDriverIsNamedWithWhatToDo() {
        const BusCard gtx1650{0x1f82, "nouveau"};
        const BusCard rtx3050{0x2507, ""};
        const auto says = [](const GpuFacts& facts, std::initializer_list<const char*> parts) {
            return std::all_of(parts.begin(), parts.end(), [&facts](const char* part) {
                return facts.message.find(part) != std::string::npos;
            });
        };
        const GpuFacts bare = factsOfBus({gtx1650});
        QCOMPARE(bare.state, GpuState::NoDriver); // so the CPU computes
        QVERIFY(bare.withoutDriver);
        QVERIFY2(says(bare, {"NVIDIA card found", "its driver does not work", "nouveau", "580"}),
                 bare.message.c_str());
        const GpuFacts kept = factsOfBus({rtx3050}, /*installed=*/true);
        QVERIFY(kept.withoutDriver);
        QVERIFY2(says(kept, {"NVIDIA card found", "Secure Boot", "kernel"}), kept.message.c_str());
        const auto warning = deviceWarning(ComputeDevice::Auto, bare);
        QVERIFY(warning && warning->code == "card-without-driver" && warning->message == bare.message);
        QVERIFY(!deviceWarning(ComputeDevice::Cpu, bare)); // as the user chose
        QVERIFY(!deviceWarning(ComputeDevice::Auto, factsOfBus({})));
        QVERIFY(!factsOfBus({}).withoutDriver);
        QVERIFY(!gpusWithoutDriver().message.empty());
    }

    /// No driver would help it.
    void anOldCardWithoutADriverIsNotToGetOne() {
        const BusCard gtx1060{0x1c03, "nouveau"};
        const BusCard titanV{0x1d81, ""};
        const GpuFacts facts = factsOfBus({gtx1060, titanV});
        QCOMPARE(facts.state, GpuState::NoDriver);
        QVERIFY(!facts.withoutDriver);
        QCOMPARE(facts.tooOld, (std::vector<std::string>{"NVIDIA 10de:1c03", "NVIDIA 10de:1d81"}));
        QVERIFY2(facts.message.find("GTX 16, RTX 20") != std::string::npos, facts.message.c_str());
        QVERIFY(factsOfBus({gtx1060, {0x1e02, ""}}).withoutDriver); // TITAN RTX
    }

    void cardsWithoutBf16AreKnown() {
        QVERIFY(takeBfloat16({}));
        QVERIFY(takeBfloat16({kRtx3060}));
        QVERIFY(!takeBfloat16({kRtx3060, kRtx2060}));
    }

    void cardsThatSpoilFp16AreKnown() {
        QVERIFY(takeFloat16({}));
        QVERIFY(takeFloat16({kRtx2060, kRtx3060}));
        QVERIFY(!takeFloat16({kGtx1660}));
        QVERIFY(!takeFloat16({kRtx2060, kGtx1660}));
        for (const char* name : {"Quadro T1000", "NVIDIA T600 Laptop GPU", "NVIDIA GeForce MX450"})
            QVERIFY2(!takeFloat16({GpuDevice{name, "", 0, 7, 5}}), name);
        for (const char* name : {"Tesla T4", "NVIDIA TITAN RTX", "Quadro RTX 5000"})
            QVERIFY2(takeFloat16({GpuDevice{name, "", 0, 7, 5}}), name);
    }

    void aFormatThatACardSpoilsIsWarnedOf() {
        const auto warning = formatWarning(Precision::Fp16, true, {kGtx1660});
        QVERIFY(warning);
        QCOMPARE(warning->code, std::string("faulty-format"));
        for (const char* part : {"GTX 1660 Ti", "NaN", "--precision bf16"})
            QVERIFY2(warning->message.find(part) != std::string::npos, warning->message.c_str());
        QVERIFY(!formatWarning(Precision::Fp16, false, {kGtx1660})); // only convolutions are at fault
        QVERIFY(!formatWarning(Precision::Fp16, true, {kRtx2060, kGtx1660})); // the first one computes
        for (const Precision other : {Precision::Bf16, Precision::Fp32})
            QVERIFY(!formatWarning(other, true, {kGtx1660}));
        QVERIFY(!formatWarning(Precision::Fp16, true, {}));
    }

    void farMoreThreadsThanCoresAreWarnedOf() {
        const auto warning = threadsWarning(64, 16);
        QVERIFY(warning && warning->code == "many-threads");
        QVERIFY(warning->message.starts_with("64 threads share 16 cores: --threads 0, "));
        QVERIFY(threadsWarning(4, 1)->message.starts_with("4 threads share 1 core: "));
        for (const int64_t threads : {0, 16, 63}) QVERIFY(!threadsWarning(threads, 16));
    }

    void aFormatThatACardIsSlowInIsWarnedOf() {
        for (const bool convolves : {true, false}) {
            const auto warning = formatWarning(Precision::Bf16, convolves, {kRtx2060});
            QVERIFY(warning);
            QCOMPARE(warning->code, std::string("slow-format"));
        }
        for (const Precision other : {Precision::Fp16, Precision::Fp32})
            QVERIFY(!formatWarning(other, true, {kRtx2060}));
        QVERIFY(!formatWarning(Precision::Bf16, true, {kRtx3060}));
    }
};

QTEST_APPLESS_MAIN(tst_gpu_facts)
#include "tst_gpu_facts.moc"
