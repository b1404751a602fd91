// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is made of saved moments in the cache: how it is found, how long it stays, and what it goes with.
#include "app/engine/request_pool.h"
#include "app/engine/runs/moments.h"
#include "app/engine/runs/run_files.h"
#include "app/library/drive_pools.h"
#include "app/pages/generate/lora_rows.h"
#include "app/pages/models/model_removal.h"
#include "core/base/model/configs/told_prediction.h"
#include "core/base/model/lora/lora_file.h"
#include "model_fixture.h"

#include <QPushButton>
#include <QSet>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <vector>

using namespace homebooth;
using namespace homebooth::app;

namespace {

QString checkpointOf(const QString& run, int64_t step) {
    return run + u"/checkpoints/step-%1"_s.arg(step, 6, 10, QLatin1Char('0'));
}

/// As if nobody had touched a folder, nor the files in it, for so long.
void letRest(const QString& folder, int days) {
    const auto then = std::filesystem::file_time_type::clock::now() - std::chrono::hours(24 * days);
    for (const QFileInfo& file : QDir(folder).entryInfoList(QDir::Files | QDir::NoSymLinks))
        std::filesystem::last_write_time(file.filePath().toStdString(), then);
    std::filesystem::last_write_time(folder.toStdString(), then);
}

constexpr const char* kModule = "down_blocks.0.attentions.0.transformer_blocks.0.attn1.to_q";
constexpr float kAverage = 0.25F; // none of the weights has it

/// Moving averages beside the weights of an add-on, as the engine saves them.
void writeAverages(const QString& checkpoint) {
    const std::string name = kModule;
    const std::vector<core::TensorInfo> tensors{
        core::makeTensorInfo(name + ".lora_down.weight.ema", core::DataType::F32, {2, 4}),
        core::makeTensorInfo(name + ".lora_up.weight.ema", core::DataType::F32, {4, 2})};
    auto file =
        core::SafetensorsWriter::create((checkpoint + u"/ema-unet.safetensors"_s).toStdString(), tensors);
    QVERIFY(file);
    const std::vector<float> values(8, kAverage);
    for (const core::TensorInfo& info : tensors)
        QVERIFY(file->write(info.name, std::as_bytes(std::span(values))));
    QVERIFY(file->commit());
}

/// The first number of the add-on of a checkpoint; negative: there is none.
float numberOf(const QString& checkpoint) {
    const auto file = momentLora(checkpoint, builtInModel());
    if (!file) return -1.0F;
    const auto lora = core::openLora(file->toStdString());
    std::vector<float> values(8);
    const auto bytes = std::as_writable_bytes(std::span(values));
    if (!lora || !lora->tensors->read(lora->modules.front().upTensor, bytes)) return -1.0F;
    return values.front();
}

/// Whether the add-on of a checkpoint is there.
bool isMade(const QString& checkpoint) {
    return QFileInfo::exists(momentLoraFile(checkpoint));
}

} // namespace

class MadeMomentsTest : public ServicesTest {
    Q_OBJECT
public:
    using ServicesTest::ServicesTest;
private Q_SLOTS:
    void init() {
        beginAgain();
        QDir(madeFolder()).removeRecursively();
    }
    void cleanup() { end(); }
    void theirPathsAreWorkedOutOnce();
    void whatWasNotUsedForLongestGoes();
    void ofATrainingOneIsAdded();
    void anAddOnSaysWhatItsTrainingWasTold();
    void averagesAreWhatPreviewsShowed();
    void twoAtOnceFindOneThing_data();
    void twoAtOnceFindOneThing();
    void oneThatHangsHoldsNoOther();
    void whatIsAsItShouldBeStays();
    void aSessionFreesWhatIsOfNoMoment();
    void whatIsOfATrainingGoesWithIt();

private:
    static QString madeFolder() { return cacheFolder() + u"/moments"_s; }
    /// A run that has saved an add-on at steps 40 and 80. Known to the window. @returns its folder
    QString addOnRun(const QString& name);
    static void writeAddOn(const QString& run, int64_t step);
};

void MadeMomentsTest::writeAddOn(const QString& run, int64_t step) {
    const std::string name = kModule;
    writeCheckpoint(run, step);
    const QString weights = checkpointOf(run, step) + u"/unet.safetensors"_s;
    QVERIFY(QFile::remove(weights));
    writeTensors(weights, {{name + ".lora_down.weight", {2, 4}}, {name + ".lora_up.weight", {4, 2}}});
    sealCheckpoint(checkpointOf(run, step), step);
}

QString MadeMomentsTest::addOnRun(const QString& name) {
    const QString folder = makeRunFolder(m_services->settings.runsFolder(), name, 80);
    const auto run = core::RunFolder::open(folder.toStdString());
    core::TrainConfig config = *run->config();
    config.method = core::TrainMethod::Lora;
    config.lora.rank = 2;
    [&] { QVERIFY(run->setConfig(config)); }();
    for (const int64_t step : {40, 80}) writeAddOn(folder, step);
    journalOf(folder)->emit(core::OutcomeEvent{"done", {}, {}, 0, "", ""});
    m_services->runs.open(m_services->settings.runsFolder());
    [&] { QTRY_VERIFY(m_services->models.moment(checkpointOf(folder, 80)) != nullptr); }();
    return folder;
}

void MadeMomentsTest::theirPathsAreWorkedOutOnce() {
    const QString checkpoint = checkpointOf(addOnRun(u"once"_s), 40);
    const ModelShelf& models = m_services->models;
    const QString made = momentLoraFile(checkpoint);
    // Whoever works one out anew finds another one from here on; pages ask for hundreds at each change.
    const QByteArray cache = qgetenv("XDG_CACHE_HOME");
    qputenv("XDG_CACHE_HOME", m_place.path(u"other cache"_s).toUtf8());
    const QString anew = momentLoraFile(checkpoint);
    const MomentEntry* known = models.moment(made);
    const MomentEntry* unknown = models.moment(anew);
    qputenv("XDG_CACHE_HOME", cache);
    QVERIFY(anew != made);
    QVERIFY(known != nullptr && unknown == nullptr);
    QCOMPARE(known->path, checkpoint);
    QCOMPARE(known->usable, made);
    QVERIFY(models.moment(checkpoint) == known);
    QVERIFY(models.moment(QString()) == nullptr && models.find(QString()) == nullptr);
}

void MadeMomentsTest::whatWasNotUsedForLongestGoes() {
    const QString run = addOnRun(u"used"_s);
    const QString early = checkpointOf(run, 40);
    const QString late = checkpointOf(run, 80);
    qint64 bytes = 0;
    for (const QString& checkpoint : {early, late}) {
        const auto file = momentLora(checkpoint, builtInModel());
        QVERIFY2(file, file ? "" : file.error().text().c_str());
        bytes += QFileInfo(*file).size();
    }
    tidyMoments({}, {}, 0);
    QVERIFY(isMade(early) && isMade(late)); // used within the last days
    for (const QString& checkpoint : {early, late}) letRest(checkpoint, 10);
    letRest(momentFolder(early), 6);
    letRest(momentFolder(late), 5);
    tidyMoments({early, late}, {}, bytes);
    QVERIFY(isMade(early) && isMade(late)); // there is room
    QVERIFY(momentLora(early, builtInModel()));
    tidyMoments({early, late}, {}, bytes - 1);
    QVERIFY(isMade(early)); // was asked for since
    QVERIFY(!QFileInfo::exists(momentFolder(late)));
    letRest(momentFolder(early), 5);
    for (const QString& inUse : {momentLoraFile(early), momentFolder(early)}) {
        tidyMoments({late}, {inUse}, 0);
        QVERIFY(isMade(early)); // pictures wait for their turn with it
    }
    tidyMoments({late}, {momentFolder(early) + u"0"_s}, bytes);
    QVERIFY(!QFileInfo::exists(momentFolder(early))); // is no moment any more
}

void MadeMomentsTest::ofATrainingOneIsAdded() {
    const QString folder = addOnRun(u"added"_s);
    LoraRows rows(m_services->models);
    rows.setLoras({{checkpointOf(folder, 40).toStdString(), 1.0}});
    QPushButton* add = buttonNamed(rows, u"Add an add-on (LoRA)"_s);
    while (add->isEnabled()) add->click(); // those of other trainings, if there are any
    QStringList runs;
    for (const core::LoraReference& one : rows.loras())
        runs.append(m_services->models.runOf(QString::fromStdString(one.file)));
    QCOMPARE(runs.count(folder), 1); // another moment of it would count twice
    QVERIFY2(add->toolTip().contains(u"saved moment"_s), qPrintable(add->toolTip())); // it is not in use
}

void MadeMomentsTest::anAddOnSaysWhatItsTrainingWasTold() {
    const QString run = addOnRun(u"told"_s);
    const QString silent = m_place.path(u"silent"_s);
    std::filesystem::copy(builtInModel().toStdString(), silent.toStdString(),
                          std::filesystem::copy_options::recursive);
    QVERIFY(QDir(silent + u"/scheduler"_s).removeRecursively());
    const auto folder = core::RunFolder::open(run.toStdString());
    core::TrainConfig config = *folder->config();
    config.loss.predictionType = "v_prediction";
    QVERIFY(folder->setConfig(config));
    const auto told = [&](int step, const QString& base) {
        const auto file = momentLora(checkpointOf(run, step), base);
        return file ? core::toldPredictionOf(file->toStdString(), base.toStdString()) : std::nullopt;
    };
    const auto ofSilent = told(40, silent);
    QVERIFY(ofSilent && ofSilent->predictionType == core::PredictionType::VPrediction);
    QVERIFY(!told(80, builtInModel())); // which says it
}

void MadeMomentsTest::averagesAreWhatPreviewsShowed() {
    const QString addOn = checkpointOf(addOnRun(u"averaged"_s), 40);
    QVERIFY(numberOf(addOn) > kAverage);
    QVERIFY(isMade(addOn)); // as by an earlier version, which passed them over
    const auto manifest = (addOn + u"/manifest.json"_s).toStdString();
    const auto then = std::filesystem::last_write_time(manifest);
    writeAverages(addOn);
    sealCheckpoint(addOn, 40);
    std::filesystem::last_write_time(manifest, then);
    QCOMPARE(numberOf(addOn), kAverage);
    QCOMPARE(numberOf(addOn), kAverage);
    const QString run = makeRunFolder(m_services->settings.runsFolder(), u"whole"_s, 80);
    writeCheckpoint(run, 40);
    const QString whole = checkpointOf(run, 40);
    const QByteArray averages(1000, 'e');
    writeBytes(whole + u"/ema-unet.safetensors"_s, averages);
    const auto model = momentModel(whole, builtInModel());
    QVERIFY2(model, model ? "" : model.error().text().c_str());
    QCOMPARE(bytesOf(*model + u"/unet/diffusion_pytorch_model.safetensors"_s), averages);
}

void MadeMomentsTest::twoAtOnceFindOneThing_data() {
    QTest::addColumn<bool>("addOn");
    QTest::newRow("a model of links") << false;
    QTest::newRow("an add-on") << true;
}

void MadeMomentsTest::twoAtOnceFindOneThing() {
    QFETCH(bool, addOn);
    QString checkpoint;
    if (addOn) {
        checkpoint = checkpointOf(addOnRun(u"pressed"_s), 40);
    } else {
        const QString run = makeRunFolder(m_services->settings.runsFolder(), u"twice"_s, 80);
        writeCheckpoint(run, 40);
        checkpoint = checkpointOf(run, 40);
    }
    const QString base = builtInModel();
    for (int round = 0; round < 50; ++round) {
        QDir(momentFolder(checkpoint)).removeRecursively();
        std::atomic<int> waiting = 2;
        std::string errors[2];
        const auto make = [&](std::string& error) {
            --waiting;
            while (waiting > 0) std::this_thread::yield();
            const auto made = addOn ? momentLora(checkpoint, base) : momentModel(checkpoint, base);
            if (!made) error = made.error().text();
        };
        std::thread other(make, std::ref(errors[1]));
        make(errors[0]);
        other.join();
        for (const std::string& error : errors) QVERIFY2(error.empty(), error.c_str());
    }
}

void MadeMomentsTest::oneThatHangsHoldsNoOther() {
    constexpr int kMany = 40;
    QSet<const std::mutex*> turns;
    for (int i = 0; i < 2 * kMany; ++i) turns.insert(&makingOf(u"/runs/checkpoint %1"_s.arg(i % kMany)));
    QCOMPARE(turns.size(), kMany);
    const QString run = addOnRun(u"beside one that hangs"_s);
    const QString file = momentLoraFile(checkpointOf(run, 80));
    const std::lock_guard hangs(makingOf(checkpointOf(run, 40)));
    const Blocked requests(requestPool()); // pause and stop are no business of moments
    const Blocked drive(modelDrives().of(u"/proc/away/"_s));
    QStringList found;
    const auto take = [&found](const core::Result<QStringList>& usable) {
        if (usable) found = *usable;
    };
    m_services->models.findUsable({builtInModel(), checkpointOf(run, 80)}, this, take);
    QTRY_COMPARE(found, (QStringList{builtInModel(), file}));
}

void MadeMomentsTest::whatIsAsItShouldBeStays() {
    const QString run = makeRunFolder(m_services->settings.runsFolder(), u"stays"_s, 80);
    writeCheckpoint(run, 40);
    const QString checkpoint = checkpointOf(run, 40);
    const QString folder = momentFolder(checkpoint);
    const QString mark = folder + u".new"_s; // left by a program that was ended
    writeBytes(mark + u"/unet/config.json"_s, "torn");
    // While something holds it open, nobody else gets its number.
    const auto numberOfFolder = [&folder] {
        struct stat state {};
        return ::stat(folder.toLocal8Bit().constData(), &state) == 0 ? state.st_ino : 0;
    };
    QVERIFY(momentModel(checkpoint, builtInModel()));
    QVERIFY(!QFileInfo::exists(mark));
    const int held = ::open(folder.toLocal8Bit().constData(), O_RDONLY | O_DIRECTORY);
    QVERIFY(held >= 0);
    const auto first = numberOfFolder();
    letRest(folder, 5);
    QVERIFY(momentModel(checkpoint, builtInModel()));
    QCOMPARE(numberOfFolder(), first);
    QVERIFY(QFileInfo(folder).lastModified().secsTo(QDateTime::currentDateTime()) < 60);
    QVERIFY(QFile::remove(folder + u"/unet/config.json"_s)); // no more as it should be
    QVERIFY(momentModel(checkpoint, builtInModel()));
    QVERIFY(numberOfFolder() != first);
    QVERIFY(QFileInfo::exists(folder + u"/unet/config.json"_s));
    ::close(held);
}

void MadeMomentsTest::aSessionFreesWhatIsOfNoMoment() {
    const QString gone = madeFolder() + u"/0123456789abcdef"_s;
    const QString recent = madeFolder() + u"/fedcba9876543210"_s;
    for (const QString& folder : {gone, recent})
        writeBytes(folder + u"/robot step-000040.safetensors"_s, "adapters");
    letRest(gone, 5);
    (void)addOnRun(u"session"_s);
    QVERIFY(QFileInfo::exists(gone)); // nobody knows yet what pictures wait with
    m_services->models.tidy({});
    QTRY_VERIFY(!QFileInfo::exists(gone));
    QVERIFY(QFileInfo::exists(recent));
}

void MadeMomentsTest::whatIsOfATrainingGoesWithIt() {
    QDir().mkpath(qEnvironmentVariable("XDG_DATA_HOME")); // the trash lies below it
    const QString run = addOnRun(u"trashed"_s);
    const QString checkpoint = checkpointOf(run, 40);
    QVERIFY(momentLora(checkpoint, builtInModel()));
    ModelEntry entry;
    entry.origin = ModelEntry::Origin::Run;
    entry.runFolder = run;
    entry.path = run + u"/result/lora.safetensors"_s;
    core::SampleConfig config = pictureOrder(m_place, 1);
    config.loras = {{momentLoraFile(checkpoint).toStdString(), 1.0}};
    m_services->generator.restore({{1, config}});
    QCOMPARE(removalOf(m_services->all(), entry).usedBy.size(), 1); // so nobody deletes it
    m_services->generator.dropAll();
    QVERIFY(removalOf(m_services->all(), entry).usedBy.isEmpty());
    QCOMPARE(trashRun(run).failed, QString());
    QVERIFY(!QFileInfo::exists(momentFolder(checkpoint)));
}

HOMEBOOTH_APP_TEST_MAIN(MadeMomentsTest)
#include "tst_made_moments.moc"
