// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Datasets as files: what is read, found again, left out, copied and written, and what is never written over.
#include "app/pages/datasets/dataset_copy.h"
#include "app/pages/datasets/dataset_files.h"
#include "app/pages/datasets/dataset_model.h"
#include "app/pages/datasets/dataset_stats.h"
#include "app/pages/datasets/leaving_out.h"
#include "dataset_fixture.h"
#include "loop_watch.h"

#include <QDir>
#include <QTemporaryDir>
#include <QUndoStack>

#include <algorithm>
#include <linux/capability.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace homebooth;
using namespace homebooth::app;

namespace {

core::Result<void> write(const QString& folder, const QMap<QString, QString>& captions) {
    CaptionOriginals none;
    return writeCaptions(folder, captions, none);
}

/// While it lives, permissions hold for this thread even where root runs it.
class PlainUser {
public:
    PlainUser() {
        ::syscall(SYS_capget, &m_header, m_before);
        __user_cap_data_struct plain[] = {m_before[0], m_before[1]};
        plain[0].effective &= ~(1U << CAP_DAC_OVERRIDE);
        ::syscall(SYS_capset, &m_header, plain);
    }
    ~PlainUser() { ::syscall(SYS_capset, &m_header, m_before); }
    PlainUser(const PlainUser&) = delete;
    PlainUser& operator=(const PlainUser&) = delete;

private:
    __user_cap_header_struct m_header{_LINUX_CAPABILITY_VERSION_3, 0};
    __user_cap_data_struct m_before[2] = {};
};

/// What work comes to where a folder can be read alone.
template <class Work>
auto besideClosed(const QString& folder, mode_t openMode, const Work& work) {
    (void)::chmod(qPrintable(folder), 0555);
    const auto done = [&work] {
        const PlainUser user;
        return work();
    }();
    (void)::chmod(qPrintable(folder), openMode);
    return done;
}

template <class Work>
auto onFullDisk(const Work& work) {
    const FullDisk disk;
    return work();
}

bool onOneDisk(const QString& first, const QString& second) {
    struct stat one {};
    struct stat two {};
    return ::stat(qPrintable(first), &one) != 0 || ::stat(qPrintable(second), &two) != 0 ||
           one.st_dev == two.st_dev;
}

/// Hidden ones, too: what is still being written has such a name.
QStringList filesIn(const QString& folder) {
    return QDir(folder).entryList(QDir::Files | QDir::Hidden);
}

} // namespace

class DatasetFilesTest : public DatasetFoldersTest {
    Q_OBJECT
public:
    using DatasetFoldersTest::DatasetFoldersTest;
private Q_SLOTS:
    void init() { failOnAnyWarning(); }
    void tagsAreThePartsBetweenCommas();
    void aTableOfNumbersIsNoListOfTags();
    void countsShapesSizesAndWords();
    void showsWhatIsBrokenOrMissing();
    void findsMissingPicturesByName();
    void brokenPicturesAreMendedByWholeCopies();
    void leavesOutWhatCannotBeMended();
    void whatWasLeftOutIsTakenBack();
    void whatWasLeftOutWaitsForItsDrive();
    void whatCannotBeLeftOutDoesNotHoldTheOthers();
    void whatLiesOnAnotherDiskIsMovedWholeOrStays();
    void captionsMayEndInCapitals();
    void captionsMayEndAsOtherProgramsHaveThem();
    void masksOfOtherProgramsAreNoPictures();
    void masksGoWithTheirPictures();
    void copiesAWholeDataset();
    void otherKeysAndLinesOfMetadataSurvive();
    void theListOfTextsKeepsItsOthers();
    void picturesInFoldersFurtherDownAreShown();
    void aPictureWithoutALineGetsOne();
    void whatIsTakenBackLeavesNoTrace_data();
    void whatIsTakenBackLeavesNoTrace();
    void whatIsNotUnderstoodIsNeverWrittenOver_data();
    void whatIsNotUnderstoodIsNeverWrittenOver();
    void aCaptionThatCannotBeReadIsNeverWrittenOver();
    void aCaptionThatCannotBeRemovedIsNamedWithCauseAndRemedy();
};

void DatasetFilesTest::aTableOfNumbersIsNoListOfTags() {
    QStringList numbers; // of landmarks, in a file beside the picture
    for (int i = 0; i < 200'000; ++i) numbers.append(QString::number(i));
    const QString many = numbers.join(',');
    const qint64 begun = LoopWatch::computedUs();
    QVERIFY(tagsOf(many).isEmpty());
    QCOMPARE(withoutTag(many, QStringLiteral("7")), many); // nothing of it is lost
    QCOMPARE(withTag(many, QStringLiteral("a bird")), many + QStringLiteral(", a bird"));
    QCOMPARE(tagsOf(numbers.mid(0, 300).join(',')).size(), 300);
    const qint64 tookMs = (LoopWatch::computedUs() - begun) / 1000;
    QVERIFY2(tookMs < 1000, qPrintable(QString::number(tookMs)));
}

void DatasetFilesTest::tagsAreThePartsBetweenCommas() {
    QCOMPARE(
        tagsOf(QStringLiteral("great tit , snow,,SNOW, on a branch")),
        (QStringList{QStringLiteral("great tit"), QStringLiteral("snow"), QStringLiteral("on a branch")}));
    QVERIFY(tagsOf(QStringLiteral("a great tit on a branch")).isEmpty());
    QCOMPARE(withTag(QStringLiteral("great tit"), QStringLiteral("snow")), QStringLiteral("great tit, snow"));
    QCOMPARE(withTag(QStringLiteral("tit, snow"), QStringLiteral(" Snow ")), QStringLiteral("tit, snow"));
    QCOMPARE(withTag(QString(), QStringLiteral("a,b")), QStringLiteral("ab"));
    QCOMPARE(withoutTag(QStringLiteral("tit, snow, old"), QStringLiteral("SNOW")),
             QStringLiteral("tit, old"));
    QCOMPARE(withoutTag(QStringLiteral("a plain sentence"), QStringLiteral("plain")),
             QStringLiteral("a plain sentence"));
}

void DatasetFilesTest::countsShapesSizesAndWords() {
    std::vector<DatasetItem> items(4);
    const QSize sizes[] = {{1024, 1024}, {900, 600}, {600, 900}, {0, 0}};
    for (size_t i = 0; i < items.size(); ++i) {
        items[i].widthPixels = sizes[i].width();
        items[i].heightPixels = sizes[i].height();
        items[i].caption = QStringLiteral("one two three, tag");
    }
    items[3].caption.clear();
    const DatasetFigures figures = figuresOf(items);
    QStringList shapes;
    for (const auto& [shape, count] : figures.shapes) shapes.append(shape + '=' + QString::number(count));
    QCOMPARE(shapes,
             (QStringList{QStringLiteral("3:2=1"), QStringLiteral("1:1=1"), QStringLiteral("2:3=1")}));
    QCOMPARE(figures.leastSide, 600);
    QCOMPARE(figures.mostWords, 4);
    QCOMPARE(figures.tags.front().second, 3);
    QCOMPARE(shapeOf(items[3]), QString());
}

void DatasetFilesTest::showsWhatIsBrokenOrMissing() {
    const auto items = readDataset(makeFolder(QStringLiteral("birds")));
    QVERIFY(items);
    QCOMPARE(items->size(), size_t{4});
    QVERIFY((*items)[0].problem.isEmpty());
    QCOMPARE((*items)[2].problem,
             QStringLiteral("This is no picture that can be read. Save it as JPEG or PNG."));
    QVERIFY(!(*items)[2].missing);
    QVERIFY((*items)[3].missing);
    QCOMPARE((*items)[3].caption, QStringLiteral("a lost owl"));
    const QString named = m_place.path(QStringLiteral("named"));
    QDir().mkpath(named);
    writeTestPicture(named + QStringLiteral("/here.png"), 1, {64, 64});
    writeBytes(
        named + QStringLiteral("/metadata.jsonl"),
        "{\"file_name\":\"here.png\",\"text\":\"one\"}\n{\"file_name\":\"gone.png\",\"text\":\"two\"}\n");
    const auto listed = readDataset(named);
    QCOMPARE(listed->size(), size_t{2});
    QVERIFY((*listed)[1].missing);
    QCOMPARE((*listed)[1].caption, QStringLiteral("two"));
}

void DatasetFilesTest::findsMissingPicturesByName() {
    const QString folder = makeFolder(QStringLiteral("seeking"));
    const QString elsewhere = m_place.path(QStringLiteral("elsewhere/deep"));
    QDir().mkpath(elsewhere);
    writeBytes(elsewhere + QStringLiteral("/gone.doc"), "no picture");
    writeTestPicture(elsewhere + QStringLiteral("/gone.jpg"), 5, {90, 90});
    QCOMPARE(findMissing(folder, *readDataset(folder), m_place.path(QStringLiteral("elsewhere"))), 1);
    QVERIFY(QFile::exists(folder + QStringLiteral("/gone.jpg")));
    const auto items = readDataset(folder);
    QCOMPARE(
        std::count_if(items->begin(), items->end(), [](const DatasetItem& item) { return item.missing; }), 0);
    QCOMPARE(findMissing(folder, *items, m_place.path(QStringLiteral("elsewhere"))), 0);
}

void DatasetFilesTest::brokenPicturesAreMendedByWholeCopies() {
    const QString folder = makeFolder(QStringLiteral("to be mended"));
    const QString copies = m_place.path(QStringLiteral("copies/deep"));
    QDir().mkpath(copies);
    QVERIFY(QFile::copy(folder + QStringLiteral("/broken.jpg"), copies + QStringLiteral("/a.jpg")));
    writeBytes(m_place.path(QStringLiteral("copies/broken.jpg")), "broken as well");
    writeTestPicture(copies + QStringLiteral("/broken.jpg"), 4, {50, 50});
    const auto before = readDataset(folder);
    QCOMPARE(findMissing(folder, *before, m_place.path(QStringLiteral("copies"))), 1);
    const auto after = readDataset(folder);
    for (const DatasetItem& item : *after)
        if (item.path.endsWith(QStringLiteral("broken.jpg"))) {
            QCOMPARE(item.problem, QString());
            QCOMPARE(item.widthPixels, 50);
        }
    QCOMPARE(bytesOf(folder + QStringLiteral("/left out/broken.jpg")), QByteArray("no picture")); // kept
}

void DatasetFilesTest::leavesOutWhatCannotBeMended() {
    const QString folder = makeFolder(QStringLiteral("mended"));
    writeBytes(folder + QStringLiteral("/broken.txt"), "a broken one");
    QVERIFY(leaveOutProblems(folder, *readDataset(folder)));
    const auto items = readDataset(folder);
    QCOMPARE(items->size(), size_t{2});
    QCOMPARE(QDir(folder + QStringLiteral("/left out")).entryList(QDir::Files),
             (QStringList{QStringLiteral("broken.jpg"), QStringLiteral("broken.txt"),
                          QStringLiteral("gone.txt")}));
    const QString named = m_place.path(QStringLiteral("lines"));
    QDir().mkpath(named);
    writeTestPicture(named + QStringLiteral("/here.png"), 1, {64, 64});
    writeBytes(named + QStringLiteral("/metadata.jsonl"),
               "{\"file_name\":\"here.png\",\"text\":\"one\",\"more\":"
               "1}\n{\"file_name\":\"gone.png\",\"text\":\"two\"}\n");
    QVERIFY(leaveOutProblems(named, *readDataset(named)));
    QCOMPARE(bytesOf(named + QStringLiteral("/metadata.jsonl")),
             QByteArray("{\"file_name\":\"here.png\",\"text\":\"one\",\"more\":1}\n"));
    QCOMPARE(bytesOf(named + QStringLiteral("/left out/metadata.jsonl")),
             QByteArray("{\"file_name\":\"gone.png\",\"text\":\"two\"}\n"));
}

void DatasetFilesTest::whatWasLeftOutIsTakenBack() {
    const QString folder = m_place.path(QStringLiteral("put back"));
    const QString metadata = folder + QStringLiteral("/metadata.jsonl");
    const QString kept = folder + QStringLiteral("/left out/metadata.jsonl");
    const QByteArray broken = "{\"file_name\":\"deep/1.png\",\"text\":\"one\"}\n";
    const QByteArray whole = "{\"file_name\":\"2.png\",\"text\":\"two\"}\r\n\n";
    const QByteArray gone = "{\"file_name\":\"3.png\",\"text\":\"three\"}\n";
    const QByteArray earlier = "{\"file_name\":\"0.png\",\"text\":\"null\"}"; // without its end
    writeBytes(metadata, broken + whole + gone);
    writeBytes(folder + QStringLiteral("/deep/1.png"), "no picture");
    writeBytes(kept, earlier);
    writeTestPicture(folder + QStringLiteral("/2.png"), 1, {64, 64});
    LeftOut out;
    QVERIFY(leaveOutProblems(folder, *readDataset(folder), &out));
    QCOMPARE(bytesOf(metadata), whole);
    QCOMPARE(bytesOf(kept), QByteArray(earlier + '\n' + broken + gone));
    QVERIFY(!QFile::exists(folder + QStringLiteral("/deep/1.png")));
    QVERIFY(takeBack(folder, out));
    QCOMPARE(bytesOf(metadata), QByteArray(broken + whole + gone));
    QCOMPARE(bytesOf(kept), QByteArray(earlier + '\n'));
    QCOMPARE(bytesOf(folder + QStringLiteral("/deep/1.png")), QByteArray("no picture"));
    out = {};
    QVERIFY(leaveOutProblems(folder, *readDataset(folder), &out));
    writeTestPicture(folder + QStringLiteral("/deep/1.png"), 2, {64, 64}); // another copy, with a new caption
    const QByteArray anew = "{\"file_name\":\"deep/1.png\",\"text\":\"anew\"}\n";
    writeBytes(metadata, whole + anew);
    QVERIFY(takeBack(folder, out));
    QCOMPARE(bytesOf(metadata), QByteArray(whole + anew + gone));
    QVERIFY(QFile::exists(folder + QStringLiteral("/left out/1.png")));
    QCOMPARE(bytesOf(kept), QByteArray(earlier + '\n' + broken)); // and its caption
}

void DatasetFilesTest::whatWasLeftOutWaitsForItsDrive() {
    const QString folder = m_place.path(QStringLiteral("plugged"));
    const QString away = m_place.path(QStringLiteral("unplugged"));
    const QString metadata = folder + QStringLiteral("/metadata.jsonl");
    const QByteArray first = "{\"file_name\":\"1.png\",\"text\":\"one\"}\n";
    const QByteArray second = "{\"file_name\":\"2.png\",\"text\":\"two\"}\n";
    const QByteArray third = "{\"file_name\":\"3.png\",\"text\":\"three\"}\n";
    writeBytes(metadata, first + second + third);
    writeBytes(folder + QStringLiteral("/1.png"), "no picture");
    for (const char* name : {"/2.png", "/3.png"}) writeTestPicture(folder + QLatin1String(name), 2, {64, 64});
    LeftOut out;
    QVERIFY(leaveOutProblems(folder, *readDataset(folder), &out));
    QVERIFY(QDir().rename(folder, away));
    for (const bool mounted : {false, true}) { // the place of a drive may be there without it
        if (mounted) QDir().mkpath(folder);
        const auto back = takeBack(folder, out);
        QVERIFY(!back);
        QVERIFY(back.error().text().find("connect its drive") != std::string::npos);
        QVERIFY(!QFile::exists(metadata));
    }
    QVERIFY(QDir().rmdir(folder));
    QVERIFY(QDir().rename(away, folder));
    // What is left out meanwhile is added to it.
    writeBytes(folder + QStringLiteral("/3.png"), "no picture");
    QVERIFY(leaveOutProblems(folder, *readDataset(folder), &out));
    QCOMPARE(bytesOf(metadata), second);
    QVERIFY(takeBack(folder, out));
    QVERIFY(out.files.empty() && out.lines.empty());
    for (const char* name : {"/1.png", "/3.png"})
        QCOMPARE(bytesOf(folder + QLatin1String(name)), QByteArray("no picture"));
    const QByteArray lines = bytesOf(metadata);
    for (const QByteArray& line : {first, second, third}) QVERIFY(lines.contains(line));
    QVERIFY(!QFile::exists(folder + QStringLiteral("/left out")));
}

void DatasetFilesTest::whatCannotBeLeftOutDoesNotHoldTheOthers() {
    const QString folder = m_place.path(QStringLiteral("partly closed"));
    const QString closed = folder + QStringLiteral("/closed");
    const QByteArray stays = "{\"file_name\":\"closed/1.png\",\"text\":\"a\"}\n";
    for (const char* name : {"/closed/1.png", "/open/2.png"})
        writeBytes(folder + QLatin1String(name), "no picture");
    writeBytes(folder + QStringLiteral("/metadata.jsonl"),
               stays + "{\"file_name\":\"open/2.png\",\"text\":\"b\"}\n");
    const auto items = readDataset(folder);
    QVERIFY(items);
    const auto left = besideClosed(closed, 0755, [&] { return leaveOutProblems(folder, *items); });
    QVERIFY(!left);
    QVERIFY(left.error().text().find("(Permission denied)") != std::string::npos);
    QVERIFY(QFile::exists(folder + QStringLiteral("/left out/2.png")));
    QCOMPARE(bytesOf(folder + QStringLiteral("/metadata.jsonl")), stays);
}

void DatasetFilesTest::whatLiesOnAnotherDiskIsMovedWholeOrStays() {
    const QTemporaryDir other(QStringLiteral("/dev/shm/homebooth-XXXXXX"));
    const QString folder = m_place.path(QStringLiteral("two disks"));
    const QString aside = folder + QStringLiteral("/left out");
    const QStringList picture{QStringLiteral("1.jpg")};
    const QByteArray bytes = QByteArray("no picture") + QByteArray(5 << 19, 'x'); // of several blocks
    QVERIFY(QDir().mkpath(folder));
    if (!other.isValid() || onOneDisk(other.path(), folder)) QSKIP("/dev/shm is no disk of its own");
    QVERIFY(QFile::link(other.path(), folder + QStringLiteral("/linked")));
    writeBytes(other.filePath(picture.front()), bytes);
    DatasetItem item;
    item.path = folder + QStringLiteral("/linked/1.jpg");
    item.problem = QStringLiteral("broken");
    LeftOut out;
    const auto leave = [&] { return leaveOutProblems(folder, {item}, &out); };
    const auto full = onFullDisk(leave);
    QVERIFY(!full && full.error().code == core::ErrorCode::OutOfResources);
    QCOMPARE(filesIn(aside), QStringList());
    const auto closed = besideClosed(other.path(), 0700, leave);
    QVERIFY(!closed && closed.error().text().find("writable") != std::string::npos);
    QCOMPARE(filesIn(aside), QStringList()); // or the next try would make a second copy
    QCOMPARE(bytesOf(other.filePath(picture.front())), bytes);
    QVERIFY(leave());
    QCOMPARE(filesIn(other.path()), QStringList());
    QCOMPARE(filesIn(aside), picture);
    const auto stays = onFullDisk([&] { return takeBack(folder, out); });
    QVERIFY(!stays && stays.error().code == core::ErrorCode::OutOfResources);
    QCOMPARE(filesIn(other.path()), QStringList());
    QCOMPARE(bytesOf(aside + '/' + picture.front()), bytes);
    QVERIFY(takeBack(folder, out));
    QCOMPARE(bytesOf(other.filePath(picture.front())), bytes);
    QCOMPARE(filesIn(other.path()), picture);
    QVERIFY(!QFile::exists(aside));
}

void DatasetFilesTest::captionsMayEndInCapitals() {
    const QString folder = makeFolder(QStringLiteral("capitals"));
    for (const QString& name : {QStringLiteral("/a"), QStringLiteral("/gone")})
        QVERIFY(
            QFile::rename(folder + name + QStringLiteral(".txt"), folder + name + QStringLiteral(".TXT")));
    QCOMPARE(readDataset(folder)->front().caption, QStringLiteral("great tit, snow"));
    QVERIFY(write(folder, {{folder + QStringLiteral("/a.png"), QStringLiteral("snow")}}));
    QCOMPARE(bytesOf(folder + QStringLiteral("/a.TXT")), QByteArray("snow"));
    QVERIFY(!QFile::exists(folder + QStringLiteral("/a.txt")));
    QVERIFY(leaveOutProblems(folder, *readDataset(folder)));
    QCOMPARE(QDir(folder + QStringLiteral("/left out")).entryList(QDir::Files),
             (QStringList{QStringLiteral("broken.jpg"), QStringLiteral("gone.TXT")}));
}

void DatasetFilesTest::captionsMayEndAsOtherProgramsHaveThem() {
    const QString folder = makeFolder(QStringLiteral("other endings"));
    const QString caption = folder + QStringLiteral("/a.caption");
    QVERIFY(QFile::rename(folder + QStringLiteral("/a.txt"), caption));
    for (const char* name : {"/gone.caption", "/broken.caption", "/broken.txt"})
        writeBytes(folder + QLatin1String(name), "another one");
    const auto items = readDataset(folder);
    QVERIFY(items);
    QCOMPARE(items->front().caption, QStringLiteral("great tit, snow"));
    QCOMPARE(items->size(), size_t{4}); // of the picture that lacks there is one caption
    QCOMPARE(items->back().caption, QStringLiteral("a lost owl"));
    QVERIFY(write(folder, {{folder + QStringLiteral("/a.png"), QStringLiteral("snow")}}));
    QCOMPARE(bytesOf(caption), QByteArray("snow"));
    QVERIFY(!QFile::exists(folder + QStringLiteral("/a.txt")));
    QVERIFY(leaveOutProblems(folder, *readDataset(folder)));
    QCOMPARE(readDataset(folder)->size(), size_t{2}); // no caption stayed without its picture
    QCOMPARE(QDir(folder + QStringLiteral("/left out")).entryList(QDir::Files).size(), 5);
}

void DatasetFilesTest::masksOfOtherProgramsAreNoPictures() {
    const QString folder = makeFolder(QStringLiteral("masked"));
    const size_t before = readDataset(folder)->size();
    const int counted = countPictures(folder);
    writeTestPicture(folder + QStringLiteral("/a-masklabel.png"), 3, {300, 200});
    QCOMPARE(readDataset(folder)->size(), before);
    QCOMPARE(countPictures(folder), counted);
    writeTestPicture(folder + QStringLiteral("/gas_mask.png"), 3, {300, 200}); // of no picture
    QCOMPARE(countPictures(folder), counted + 1);
}

void DatasetFilesTest::masksGoWithTheirPictures() {
    const QString folder = makeFolder(QStringLiteral("masked, broken"));
    for (const char* name : {"/a-masklabel.png", "/b-masklabel.png", "/broken-masklabel.png",
                             "/broken-condlabel.PNG", "/gone-masklabel.png", "/gone-condlabel.png"})
        writeTestPicture(folder + QLatin1String(name), 3, {64, 64});
    writeBytes(folder + QStringLiteral("/gone-condlabel.txt"), "a mask by name alone");
    writeBytes(folder + QStringLiteral("/b.jpg"), "broken"); // its mask is that of b.png, too
    const QStringList masks{QStringLiteral("*label*")};
    LeftOut out;
    QVERIFY(leaveOutProblems(folder, *readDataset(folder), &out));
    QCOMPARE(readDataset(folder)->size(), size_t{3}); // a, b, and what has a caption
    QCOMPARE(QDir(folder).entryList(masks, QDir::Files),
             (QStringList{QStringLiteral("a-masklabel.png"), QStringLiteral("b-masklabel.png"),
                          QStringLiteral("gone-condlabel.png"), QStringLiteral("gone-condlabel.txt")}));
    QVERIFY(takeBack(folder, out));
    QCOMPARE(QDir(folder).entryList(masks, QDir::Files).size(), 7);
}

void DatasetFilesTest::copiesAWholeDataset() {
    const QString folder = makeFolder(QStringLiteral("original"));
    const QString copy = m_place.path(QStringLiteral("copies/original"));
    WorkCount count;
    const auto copied = copyDataset({folder, copy}, count);
    QVERIFY(copied && !copied->stopped && !copied->full);
    QCOMPARE(copied->pictures, 3);
    QCOMPARE(count.done.load(), 3);
    QCOMPARE(bytesOf(copy + QStringLiteral("/b.txt")), QByteArray("robin, Snow, branch"));
    QCOMPARE(readDataset(copy)->size(), size_t{3}); // what is missing cannot be copied
    QVERIFY(!copyDataset({folder, copy}, count));   // never over what is there
    QVERIFY(QFile::exists(folder + QStringLiteral("/a.png")));
}

void DatasetFilesTest::otherKeysAndLinesOfMetadataSurvive() {
    const QByteArray untouched = "{ \"text\" : \"b\",  \"file_name\":\"deep/b.png\", \"score\": 1.50 }\r\n\n"
                                 "{\"file_name\":\"gone.png\",\"text\":\"c\"}";
    const QString folder = makeListed(
        QStringLiteral("keys"),
        "{\"z\":[1,{\"y\":null}],\"file_name\":\"a.png\",\"text\":\"a\",\"id\":9007199254740993}\n" +
            untouched);
    QVERIFY(write(folder, {{folder + QStringLiteral("/a.png"), QStringLiteral("new \"ä\"")}}));
    QCOMPARE(bytesOf(folder + QStringLiteral("/metadata.jsonl")),
             "{\"z\":[1,{\"y\":null}],\"file_name\":\"a.png\",\"text\":\"new \\\"ä\\\"\","
             "\"id\":9007199254740993}\n" +
                 untouched);
}

void DatasetFilesTest::theListOfTextsKeepsItsOthers() {
    const QString folder =
        makeListed(QStringLiteral("texts"), "{\"file_name\":\"a.png\",\"texts\":[\"one\",\"two\"]}\n");
    const auto items = readDataset(folder);
    QVERIFY(items);
    QCOMPARE(items->front().caption, QStringLiteral("one"));
    QVERIFY(write(folder, {{items->front().path, QStringLiteral("first")}}));
    QCOMPARE(bytesOf(folder + QStringLiteral("/metadata.jsonl")),
             QByteArray("{\"file_name\":\"a.png\",\"texts\":[\"first\",\"two\"]}\n"));
}

void DatasetFilesTest::picturesInFoldersFurtherDownAreShown() {
    const QString folder =
        makeListed(QStringLiteral("further"), "{\"file_name\":\"./deep/b.png\",\"text\":\"below\"}\n");
    const auto items = readDataset(folder);
    QVERIFY(items);
    QCOMPARE(items->size(), size_t{2});
    QCOMPARE(items->back().path, folder + QStringLiteral("/deep/b.png"));
    QCOMPARE(items->back().caption, QStringLiteral("below"));
    QCOMPARE(items->back().widthPixels, 64);
    QVERIFY(!items->back().missing);
}

void DatasetFilesTest::aPictureWithoutALineGetsOne() {
    const QByteArray line = "{\"file_name\":\"deep/b.png\",\"text\":\"b\"}";
    for (const QByteArray& end : {QByteArray(), QByteArray("\n")}) {
        const QString folder = makeListed(QStringLiteral("unlisted"), line + end);
        QVERIFY(write(folder, {{folder + QStringLiteral("/a.png"), QStringLiteral("mine")}}));
        QCOMPARE(bytesOf(folder + QStringLiteral("/metadata.jsonl")),
                 line + "\n{\"file_name\":\"a.png\",\"text\":\"mine\"}" + end);
        QCOMPARE(readDataset(folder)->front().caption, QStringLiteral("mine"));
    }
}

void DatasetFilesTest::whatIsTakenBackLeavesNoTrace_data() {
    QTest::addColumn<QByteArray>("lines");
    const QByteArray second = "{ \"file_name\" : \"deep/b.png\", \"title\":\"an owl\" }";
    const QByteArray both = "{\"file_name\": \"a.png\", \"title\": \"a tit\"}\r\n" + second;
    QTest::newRow("each has a line") << QByteArray(both + "\n");
    QTest::newRow("the last one is open") << both;
    QTest::newRow("one has none") << QByteArray(second + "\n");
    QTest::newRow("one has none, the other is open") << second;
    QTest::newRow("an empty text") << QByteArray(
        "{\"text\": \"\", \"file_name\": \"a.png\", \"title\": \"a tit\"}\n");
    QTest::newRow("twice") << QByteArray(both + "\n" + both + "\n");
    QTest::newRow("twice, with other captions") << QByteArray(
        "{\"file_name\": \"a.png\", \"text\": \"one\"}\n{\"file_name\":\"a.png\", \"text\":\"two\"}\n" +
        second);
    QTest::newRow("twice, and the first as it is taken")
        << QByteArray("{\"file_name\": \"a.png\", \"text\": \"a tit\"}\n" + both + "\n");
    QTest::newRow("captions beside the pictures") << QByteArray();
}

void DatasetFilesTest::whatIsTakenBackLeavesNoTrace() {
    QFETCH(QByteArray, lines);
    const QString folder = makeListed(QStringLiteral("taken back"), lines);
    const QString metadata = folder + QStringLiteral("/metadata.jsonl");
    const QString beside = folder + QStringLiteral("/a.txt");
    if (lines.isEmpty()) QVERIFY(QFile::remove(metadata));
    const QString file = lines.isEmpty() ? beside : metadata;
    QUndoStack undo;
    DatasetModel model(undo);
    model.open(folder);
    QTRY_VERIFY(model.rowCount() > 0);
    const int taken = model.takeCaptions(QStringLiteral("title"));
    QCOMPARE(taken > 0, !lines.isEmpty());
    model.setCaption(0, QStringLiteral("typed"));
    QTRY_VERIFY(bytesOf(file).contains("typed"));
    while (undo.canUndo()) undo.undo();
    QTRY_COMPARE(bytesOf(file), lines.isEmpty() ? QByteArray("nothing") : lines);
    while (undo.canRedo()) undo.redo();
    QTRY_VERIFY(bytesOf(file).contains("typed"));
    if (!lines.isEmpty()) { // of others, since then
        writeBytes(metadata, bytesOf(metadata).replace("an owl", "an eagle owl"));
        while (undo.canUndo()) undo.undo();
        QTRY_VERIFY(!bytesOf(file).contains("typed"));
        QCOMPARE(bytesOf(file).contains("an eagle owl"), lines.contains("an owl"));
    }
}

void DatasetFilesTest::whatIsNotUnderstoodIsNeverWrittenOver_data() {
    QTest::addColumn<QByteArray>("second");
    QTest::newRow("cut short") << QByteArray("{\"file_name\":\"deep/b.png\",\"te");
    QTest::newRow("no object") << QByteArray("[1]");
    QTest::newRow("no name") << QByteArray("{\"text\":\"b\"}");
    QTest::newRow("outside") << QByteArray("{\"file_name\":\"../b.png\",\"text\":\"b\"}");
    QTest::newRow("absolute") << QByteArray("{\"file_name\":\"/b.png\",\"text\":\"b\"}");
    QTest::newRow("no UTF-8") << QByteArray("{\"file_name\":\"deep/b.png\",\"text\":\"\xE4\"}");
    QTest::newRow("too deep") << "{\"file_name\":\"b.png\",\"x\":" + QByteArray(100, '[') +
                                     QByteArray(100, ']') + "}";
}

void DatasetFilesTest::whatIsNotUnderstoodIsNeverWrittenOver() {
    QFETCH(QByteArray, second);
    const QByteArray all = "{\"file_name\":\"a.png\",\"text\":\"a\"}\n" + second + "\n";
    const QString folder = makeListed(QStringLiteral("not understood"), all);
    const auto read = readDataset(folder);
    QVERIFY(!read);
    QVERIFY2(read.error().text().find("line 2") != std::string::npos, read.error().text().c_str());
    const auto written = write(folder, {{folder + QStringLiteral("/a.png"), QStringLiteral("new")}});
    QVERIFY(!written);
    DatasetItem broken;
    broken.path = folder + QStringLiteral("/a.png");
    broken.problem = QStringLiteral("broken");
    QVERIFY(!leaveOutProblems(folder, {broken}));
    QCOMPARE(bytesOf(folder + QStringLiteral("/metadata.jsonl")), all);
}

void DatasetFilesTest::aCaptionThatCannotBeReadIsNeverWrittenOver() {
    const QString folder = makeFolder(QStringLiteral("other coding"));
    writeBytes(folder + QStringLiteral("/a.txt"), "sch\xF6n"); // Latin-1
    const auto items = readDataset(folder);
    QVERIFY(items);
    QVERIFY2(items->front().problem.contains(QStringLiteral("UTF-8")), qPrintable(items->front().problem));
    QVERIFY(!write(folder, {{folder + QStringLiteral("/a.png"), QStringLiteral("new")},
                            {folder + QStringLiteral("/b.png"), QStringLiteral("new")}}));
    QCOMPARE(bytesOf(folder + QStringLiteral("/a.txt")), QByteArray("sch\xF6n"));
    QCOMPARE(bytesOf(folder + QStringLiteral("/b.txt")), QByteArray("robin, Snow, branch")); // none or all
    // A folder of that name cannot be read either, and is no file to be replaced.
    const QString named = makeListed(QStringLiteral("no file"), "{}");
    QVERIFY(QFile::remove(named + QStringLiteral("/metadata.jsonl")));
    QVERIFY(QDir().mkpath(named + QStringLiteral("/metadata.jsonl")));
    QVERIFY(!write(named, {{named + QStringLiteral("/a.png"), QStringLiteral("new")}}));
    QVERIFY(QFileInfo(named + QStringLiteral("/metadata.jsonl")).isDir());
}

void DatasetFilesTest::aCaptionThatCannotBeRemovedIsNamedWithCauseAndRemedy() {
    const QString folder = m_place.path(QStringLiteral("closed"));
    const QString picture = folder + QStringLiteral("/a.png");
    const QString caption = folder + QStringLiteral("/a.txt");
    QVERIFY(QDir().mkpath(folder));
    writeTestPicture(picture, 1, {64, 64});
    CaptionOriginals originals;
    QVERIFY(writeCaptions(folder, {{picture, QStringLiteral("typed")}}, originals));
    QVERIFY(QFile::exists(caption));
    const QMap<QString, QString> none{{picture, QString()}};
    const auto taken = besideClosed(folder, 0755, [&] { return writeCaptions(folder, none, originals); });
    QVERIFY(!taken);
    QVERIFY(QFile::exists(caption));
    const QString text = QString::fromStdString(taken.error().text());
    for (const QString& part : {caption, QStringLiteral("(Permission denied)"), QStringLiteral("writable")})
        QVERIFY2(text.contains(part), qPrintable(text));
}

HOMEBOOTH_APP_TEST_MAIN(DatasetFilesTest)
#include "tst_dataset_files.moc"
