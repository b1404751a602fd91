// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Which GPUs of those that a driver offers are used, and in which formats. Needs no GPU.
#include "core/base/run/format_warning.h"
#include "core/base/system/gpu_facts.h"

#include <QString>
#include <QTest>

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
