// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What feeds a machine, read from folders like the kernel's.
#include "core/base/system/power_facts.h"

#include <QtTest>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>

using namespace homebooth::core;
namespace fs = std::filesystem;

class tst_power_facts : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    [[nodiscard]] fs::path root() const { return m_folder.path().toStdString(); }

    void make(const std::string& name, const std::map<std::string, std::string>& files) const {
        const fs::path folder = root() / name;
        fs::create_directories(folder);
        for (const auto& [file, text] : files) std::ofstream(folder / file) << text << '\n';
    }
    void makeBattery(const std::string& name, const std::string& status, const std::string& percent) const {
        make(name, {{"type", "Battery"}, {"status", status}, {"capacity", percent}});
    }

private slots:
    void init() {
        for (const auto& entry : fs::directory_iterator(root())) fs::remove_all(entry.path());
    }

    void aComputerWithoutABatteryIsNeverLow() {
        QVERIFY(!powerFactsIn(root()).onBattery());
        QVERIFY(!powerFactsIn(root() / "missing").isLow());
        make("hidpp_battery_0", {{"type", "Battery"},
                                 {"scope", "Device"}, // a mouse
                                 {"status", "Discharging"},
                                 {"capacity", "3"}});
        QVERIFY(!powerFactsIn(root()).onBattery());
        QVERIFY(!powerFactsIn(root()).isLow());
        QCOMPARE(powerFactsIn(root()).percent, -1);
    }

    void aLaptopRunsOnItsBattery_data() {
        QTest::addColumn<std::string>("online");
        QTest::addColumn<std::string>("status");
        QTest::addColumn<std::string>("percent");
        QTest::addColumn<bool>("onBattery");
        QTest::addColumn<bool>("low");
        const auto row = [](const char* name, const char* online, const char* status, const char* percent,
                            bool onBattery, bool low) {
            QTest::newRow(name) << std::string(online) << std::string(status) << std::string(percent)
                                << onBattery << low;
        };
        row("unplugged", "0", "Discharging", "80", true, false);
        row("nearly empty", "0", "Discharging", "14", true, true);
        row("at the limit", "0", "Discharging", "15", true, false);
        row("plugged in", "1", "Charging", "5", false, false);
        row("full", "1", "Full", "100", false, false);
        row("with a charger that is too weak", "1", "Discharging", "9", false, true);
        row("that nobody can read", "0", "Unknown", "", false, false);
        row("of an unknown level", "0", "Discharging", "", true, false);
    }

    void aLaptopRunsOnItsBattery() {
        QFETCH(std::string, online);
        QFETCH(std::string, status);
        QFETCH(std::string, percent);
        make("AC", {{"type", "Mains"}, {"online", online}});
        makeBattery("BAT0", status, percent);
        const PowerFacts facts = powerFactsIn(root());
        QTEST(facts.onBattery(), "onBattery");
        QTEST(facts.isLow(), "low");
    }

    void whatWasLowIsSafeSomePercentLater_data() {
        QTest::addColumn<std::string>("status");
        QTest::addColumn<std::string>("percent");
        QTest::addColumn<bool>("safe");
        QTest::newRow("a moment later") << std::string("Charging") << std::string("15") << false;
        QTest::newRow("nearly") << std::string("Charging") << std::string("19") << false;
        QTest::newRow("then") << std::string("Charging") << std::string("20") << true;
        QTest::newRow("full") << std::string("Full") << std::string("100") << true;
        QTest::newRow("without a charger") << std::string("Discharging") << std::string("20") << false;
        QTest::newRow("of an unknown level") << std::string("Charging") << std::string() << true;
    }

    void whatWasLowIsSafeSomePercentLater() {
        QFETCH(std::string, status);
        QFETCH(std::string, percent);
        makeBattery("BAT0", status, percent);
        QTEST(powerFactsIn(root()).isSafe(), "safe");
    }

    /// Else what trains in a test would pause where a laptop is low.
    void thatOfTheMachineIsNotReadInTests() {
        QVERIFY(qEnvironmentVariableIsSet(kPowerFolderVariable));
        QCOMPARE(powerFacts().percent, -1);
        QVERIFY(!powerFacts().discharging && !powerFacts().plugged);
    }

    void twoBatteriesCountTogether() {
        makeBattery("BAT0", "Discharging", "4");
        makeBattery("BAT1", "Not charging", "90");
        QCOMPARE(powerFactsIn(root()).percent, 47);
        QVERIFY(powerFactsIn(root()).onBattery());
        QVERIFY(!powerFactsIn(root()).isLow());
        makeBattery("BAT1", "Discharging", "10");
        QVERIFY(powerFactsIn(root()).isLow());
    }
};

QTEST_GUILESS_MAIN(tst_power_facts)
#include "tst_power_facts.moc"
