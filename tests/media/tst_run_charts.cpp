// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The charts that a run leaves in its folder show what its journal says.
#include "core/base/run/journal/journal.h"
#include "core/media/picture_io.h"
#include "core/worker/run_charts.h"

#include "picture_files.h"

#include <QTemporaryDir>
#include <QTest>

#undef emit // a keyword of Qt, an ordinary name here

using namespace homebooth::core;
using namespace homebooth::test;

namespace {

constexpr Colour kHeldOut{230, 126, 34};

/// A run of a dataset.
TrainConfig configIn(const QTemporaryDir& folder) {
    TrainConfig config;
    config.model = "/models/sketch";
    config.data.datasetDir = "/birds";
    config.mode = TrainMode::Dataset;
    config.output.runDir = folder.filePath("run").toStdString();
    return config;
}

/// Pixels in the colour of held-out pictures; -1 if there is no chart.
int64_t heldOutPixels(const std::string& chart) {
    const auto picture = readPicture(chart, {});
    if (!picture) return -1;
    int64_t count = 0;
    for (int64_t y = 0; y < picture->heightPixels; ++y)
        for (int64_t x = 0; x < picture->widthPixels; ++x)
            count += distance(colourAt(*picture, x, y), kHeldOut) <= 12 ? 1 : 0;
    return count;
}

} // namespace

class TestRunCharts : public QObject {
    Q_OBJECT

private slots:
    void heldOutPicturesHaveACurveOfTheirOwn();
    void theDiskIsNotAddedToTheMemory();
};

void TestRunCharts::heldOutPicturesHaveACurveOfTheirOwn() {
    QTemporaryDir folder;
    const TrainConfig config = configIn(folder);
    const auto run = RunFolder::create(config.output.runDir, config);
    QVERIFY(run.ok());
    const auto journal = JournalWriter::open(run->journalFile());
    QVERIFY(journal.ok());
    for (int64_t step = 1; step <= 50; ++step) {
        StepEvent event;
        event.step = step;
        event.loss = 0.25;
        (*journal)->emit(event);
    }
    const std::string chart = config.output.runDir + "/charts/loss.png";
    QVERIFY(drawRunCharts(*run).ok());
    QCOMPARE(heldOutPixels(chart), int64_t{0});
    for (const int64_t step : {0, 25, 50})
        (*journal)->emit(ValidationEvent{step, 0.5 - 0.004 * double(step)});
    QVERIFY(drawRunCharts(*run).ok());
    QVERIFY(heldOutPixels(chart) > 500);
    const std::filesystem::path charts = config.output.runDir + "/charts"; // a link, to what is not the run's
    const std::filesystem::path others = folder.filePath("others").toStdString();
    std::filesystem::rename(charts, others);
    std::filesystem::create_directory_symlink(others, charts);
    const auto before = std::filesystem::last_write_time(others / "loss.png");
    QVERIFY(!drawRunCharts(*run).ok());
    QVERIFY(std::filesystem::last_write_time(others / "loss.png") == before);
}

/// 100 MiB in RAM and 300 MiB on the disk: what lies between is neither.
void TestRunCharts::theDiskIsNotAddedToTheMemory() {
    QTemporaryDir folder;
    const TrainConfig config = configIn(folder);
    const auto run = RunFolder::create(config.output.runDir, config);
    QVERIFY(run.ok());
    const auto journal = JournalWriter::open(run->journalFile());
    QVERIFY(journal.ok());
    PlanEvent plan;
    plan.decisions.push_back({"budget: 150 MiB", "budget", {{"ramBytes", 150.0 * (1 << 20)}}});
    (*journal)->emit(plan);
    for (const int64_t step : {1, 2, 3}) {
        StepEvent event;
        event.step = step;
        (*journal)->emit(event);
        MemoryEvent memory;
        memory.step = step;
        memory.ram.parameterBytes = int64_t{100} << 20;
        memory.swap.stateBytes = int64_t{300} << 20;
        (*journal)->emit(memory);
    }
    QVERIFY(drawRunCharts(*run).ok());
    const auto chart = readPicture(config.output.runDir + "/charts/memory.png", {});
    QVERIFY(chart.ok());
    constexpr Colour kPlot{250, 251, 252};
    constexpr Colour kDisk{120, 120, 130};
    constexpr Colour kBudget{198, 40, 56};
    int64_t bare = 0;
    int64_t disk = 0;
    int64_t budget = 0;
    for (int64_t x = 300; x < 800; ++x)
        for (int64_t y = 66; y < 484; ++y) {
            const auto colour = colourAt(*chart, x, y);
            bare += y >= 240 && y < 260 && distance(colour, kPlot) <= 12 ? 1 : 0;
            disk += distance(colour, kDisk) <= 12 ? 1 : 0;
            budget += distance(colour, kBudget) <= 40 ? 1 : 0;
        }
    QVERIFY(bare > 7000); // of 10,000
    QVERIFY(disk > 250);
    QVERIFY(budget > 60);
}

QTEST_GUILESS_MAIN(TestRunCharts)
#include "tst_run_charts.moc"
