// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The program is cut off, or somebody stops it, while it copies the photos of a training: what would begin
// with some of them alone is no training.
#include "app/engine/places.h"
#include "app/engine/runs/run_files.h"
#include "app/library/work_count.h"
#include "app_files.h"
#include "core/base/run/moved_run.h"
#include "core/library/found_runs.h"

#include <QImage>
#include <QMap>
#include <QProcess>
#include <QRandomGenerator>
#include <QTemporaryDir>

#include <cstring>
#include <functional>
#include <sys/resource.h>
#include <sys/stat.h>

using namespace homebooth;
using namespace homebooth::app;

namespace {

constexpr const char* kMake = "--make";
constexpr auto kAll = QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot;
constexpr int kPhotos = 3;

QString photoIn(const QString& folder, int number) {
    return folder + u"/%1.png"_s.arg(number);
}

RunOrder orderOf(const QString& photos) {
    RunOrder order;
    order.title = u"robot"_s;
    order.config.model = builtInModel().toStdString();
    order.config.data.instancePrompt = "a photo of ohwx toy";
    core::Subject subject;
    for (int number = 0; number < kPhotos; ++number) {
        core::Photo photo;
        photo.path = photoIn(photos, number).toStdString();
        subject.photos.push_back(photo);
    }
    order.subjects.push_back(subject);
    return order;
}

/// A picture that no format makes small.
void writeNoise(const QString& path) {
    constexpr int kSide = 400;
    QImage image(kSide, kSide, QImage::Format_RGB32);
    QRandomGenerator chance(1);
    for (int y = 0; y < kSide; ++y)
        for (int x = 0; x < kSide; ++x) image.setPixel(x, y, chance.generate());
    QVERIFY(image.save(path));
}

/// Hears the name of each file and folder before it is synced.
std::function<void(const QString& name)> g_syncs;

/// Makes a training in this program, called again, and ends it by the system at the first byte of a file
/// beyond a limit.
void makeCutOff(const QString& photos, const QString& runs, rlim_t largestFile) {
    QProcess program;
    program.setChildProcessModifier([largestFile] {
        const rlimit limit{largestFile, largestFile};
        ::setrlimit(RLIMIT_FSIZE, &limit);
        const rlimit none{0, 0};
        ::setrlimit(RLIMIT_CORE, &none);
    });
    program.start(QCoreApplication::applicationFilePath(), {QLatin1String(kMake), photos, runs});
    QVERIFY(program.waitForFinished(kLongestMs));
    QCOMPARE(program.exitStatus(), QProcess::CrashExit);
}

} // namespace

extern "C" int __real_fsync(int descriptor);
extern "C" int __wrap_fsync(int descriptor) {
    const QFileInfo file(u"/proc/self/fd/%1"_s.arg(descriptor));
    if (g_syncs) g_syncs(QFileInfo(file.symLinkTarget()).fileName());
    return __real_fsync(descriptor);
}

class CutStartTest : public QObject {
    Q_OBJECT
public:
    explicit CutStartTest(const TestPlace& place)
        : m_place(place) {}
private Q_SLOTS:
    void init() { failOnAnyWarning(); }
    void cleanup() { g_syncs = nullptr; }
    void aStartThatIsCutOffLeavesNoTraining();
    void aPhotoIsOnTheDiskBeforeItIsCounted();
    void aStopAtTheEndLeavesNoTraining_data();
    void aStopAtTheEndLeavesNoTraining();
    void aMomentFromAnotherDiskIsCopiedLikePhotos();

private:
    /// An order for three photos that are there.
    [[nodiscard]] RunOrder makeOrder() const;

    const TestPlace& m_place;
};

RunOrder CutStartTest::makeOrder() const {
    const QString photos = m_place.path(u"whole photos"_s);
    QDir().mkpath(photos);
    for (int number = 0; number < kPhotos; ++number)
        writeTestPicture(photoIn(photos, number), number, {64, 64});
    return orderOf(photos);
}

void CutStartTest::aStartThatIsCutOffLeavesNoTraining() {
    const QString photos = m_place.path(u"photos"_s);
    const QString runs = m_place.path(u"runs"_s);
    QVERIFY(QDir().mkpath(photos));
    writeTestPicture(photoIn(photos, 0), 0, {64, 64});
    writeNoise(photoIn(photos, 1));
    writeTestPicture(photoIn(photos, 2), 2, {64, 64});
    makeCutOff(photos, runs, static_cast<rlim_t>(QFileInfo(photoIn(photos, 1)).size() / 2));
    const QStringList left = QDir(runs).entryList(kAll);
    QCOMPARE(left.size(), 1);
    QVERIFY(QFileInfo::exists(runs + '/' + left[0] + u"/photos/001.png"_s));
    QVERIFY(core::lookForRuns({}, runs.toStdString()).news.empty());

    const auto made = makeRun(orderOf(photos), runs);
    QVERIFY2(made, made ? "" : made.error().text().c_str());
    QCOMPARE(*made, runs + u"/robot"_s);
    QCOMPARE(QDir(runs).entryList(kAll), QStringList{u"robot"_s}); // nor is anything left
    QCOMPARE(core::lookForRuns({}, runs.toStdString()).news.size(), size_t{1});
    const auto config = core::RunFolder::open(made->toStdString())->config();
    QVERIFY(config);
    QCOMPARE(config->data.instanceDir, made->toStdString() + "/photos");
    QCOMPARE(QDir(*made + u"/photos"_s).entryList(kAll).size(), kPhotos);
    QVERIFY(!core::movedFrom(made->toStdString()));
}

void CutStartTest::aPhotoIsOnTheDiskBeforeItIsCounted() {
    WorkCount count;
    QMap<QString, int> before; // how many were counted when one was synced first
    g_syncs = [&](const QString& name) {
        if (!before.contains(name)) before.insert(name, count.done);
    };
    const auto made = makeRun(makeOrder(), m_place.path(u"counted"_s), &count);
    QVERIFY2(made, made ? "" : made.error().text().c_str());
    QCOMPARE(count.done.load(), kPhotos);
    QCOMPARE(before.value(u"001.png"_s, -1), 0);
    QCOMPARE(before.value(u"002.png"_s, -1), 1);
    QCOMPARE(before.value(u"003.png"_s, -1), 2);
}

void CutStartTest::aStopAtTheEndLeavesNoTraining_data() {
    QTest::addColumn<QString>("at");
    QTest::newRow("while the last photo is copied") << u"003.png"_s;
    QTest::newRow("while all get their name") << u"photos"_s;
}

void CutStartTest::aStopAtTheEndLeavesNoTraining() {
    QFETCH(QString, at);
    const QString runs = m_place.path(u"stopped"_s);
    WorkCount count;
    g_syncs = [&](const QString& name) {
        if (name == at) count.stopped = true;
    };
    QVERIFY(!makeRun(makeOrder(), runs, &count));
    QVERIFY(count.stopped); // it came so far
    QVERIFY(QFileInfo::exists(runs));
    QCOMPARE(QDir(runs).entryList(kAll), QStringList());
}

void CutStartTest::aMomentFromAnotherDiskIsCopiedLikePhotos() {
    QTemporaryDir memory(u"/dev/shm/XXXXXX"_s);
    struct stat here {
    }, there{};
    QCOMPARE(::stat(qPrintable(m_place.path(QString())), &here), 0);
    if (!memory.isValid() || ::stat(qPrintable(memory.path()), &there) != 0 || here.st_dev == there.st_dev)
        QSKIP("there is no second file system");
    const QString old = m_place.path(u"old run"_s);
    const QString weights = old + u"/checkpoints/step-000001/unet.safetensors"_s;
    const QString unet = cacheFolder() + u"/moments/one/unet"_s;
    QVERIFY(QDir().mkpath(QFileInfo(weights).path()) && QDir().mkpath(unet));
    writeBytes(old + u"/run.json"_s, "{}");
    writeBytes(weights, "weights");
    QVERIFY(QFile::link(weights, unet + u"/weights.safetensors"_s));
    RunOrder order = makeOrder();
    order.config.model = (cacheFolder() + u"/moments/one"_s).toStdString();
    QStringList synced;
    WorkCount count;
    g_syncs = [&](const QString& name) { synced.append(name); };
    const auto made = makeRun(order, memory.path(), &count);
    QVERIFY2(made, made ? "" : made.error().text().c_str());
    QCOMPARE(bytesOf(*made + u"/base/unet/weights.safetensors"_s), QByteArray("weights"));
    const auto first = synced.indexOf(u"weights.safetensors"_s);
    QVERIFY(first >= 0 && first < synced.indexOf(u"001.png"_s));

    synced.clear();
    count.stopped = true;
    QVERIFY(!makeRun(order, memory.path(), &count));
    QVERIFY(!synced.contains(u"001.png"_s));
    QCOMPARE(QDir(memory.path()).entryList(kAll), QStringList{u"robot"_s});
}

int main(int argc, char** argv) {
    if (argc == 4 && std::strcmp(argv[1], kMake) == 0)
        return makeRun(orderOf(QString::fromUtf8(argv[2])), QString::fromUtf8(argv[3])) ? 0 : 1;
    TestPlace place;
    QApplication application(argc, argv);
    CutStartTest test(place);
    return QTest::qExec(&test, argc, argv);
}
#include "tst_cut_start.moc"
