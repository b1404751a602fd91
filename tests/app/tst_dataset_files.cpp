// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Datasets as files: what is read, found again, left out, copied and written, and what is never written over.
#include "app/pages/datasets/dataset_copy.h"
#include "app/pages/datasets/dataset_files.h"
#include "app/pages/datasets/dataset_model.h"
#include "app/pages/datasets/figures/dataset_stats.h"
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
    QCOMPARE(withoutTag(many, u"7"_s), many); // nothing of it is lost
    QCOMPARE(withTag(many, u"a bird"_s), many + u", a bird"_s);
    QCOMPARE(tagsOf(numbers.mid(0, 300).join(',')).size(), 300);
    const qint64 tookMs = (LoopWatch::computedUs() - begun) / 1000;
    QVERIFY2(tookMs < 1000, qPrintable(QString::number(tookMs)));
}

void DatasetFilesTest::tagsAreThePartsBetweenCommas() {
    QCOMPARE(tagsOf(u"great tit , snow,,SNOW, on a branch"_s),
             (QStringList{u"great tit"_s, u"snow"_s, u"on a branch"_s}));
    QVERIFY(tagsOf(u"a great tit on a branch"_s).isEmpty());
    QCOMPARE(withTag(u"great tit"_s, u"snow"_s), u"great tit, snow"_s);
    QCOMPARE(withTag(u"tit, snow"_s, u" Snow "_s), u"tit, snow"_s);
    QCOMPARE(withTag(QString(), u"a,b"_s), u"ab"_s);
    QCOMPARE(withoutTag(u"tit, snow, old"_s, u"SNOW"_s), u"tit, old"_s);
    QCOMPARE(withoutTag(u"a plain sentence"_s, u"plain"_s), u"a plain sentence"_s);
}

void DatasetFilesTest::countsShapesSizesAndWords() {
    std::vector<DatasetItem> items(4);
    const QSize sizes[] = {{1024, 1024}, {900, 600}, {600, 900}, {0, 0}};
    for (size_t i = 0; i < items.size(); ++i) {
        items[i].widthPixels = sizes[i].width();
        items[i].heightPixels = sizes[i].height();
        items[i].caption = u"one two three, tag"_s;
    }
    items[3].caption.clear();
    const DatasetFigures figures = figuresOf(items);
    QStringList shapes;
    for (const auto& [shape, count] : figures.shapes) shapes.append(shape + '=' + QString::number(count));
    QCOMPARE(shapes, (QStringList{u"3:2=1"_s, u"1:1=1"_s, u"2:3=1"_s}));
    QCOMPARE(figures.leastSide, 600);
    QCOMPARE(figures.mostWords, 4);
    QCOMPARE(figures.tags.front().second, 3);
    QCOMPARE(shapeOf(items[3]), QString());
}

void DatasetFilesTest::showsWhatIsBrokenOrMissing() {
    const auto items = readDataset(makeFolder(u"birds"_s));
    QVERIFY(items);
    QCOMPARE(items->size(), size_t{4});
    QVERIFY((*items)[0].problem.isEmpty());
    QCOMPARE((*items)[2].problem, u"This is no picture that can be read. Save it as JPEG or PNG."_s);
    QVERIFY(!(*items)[2].missing);
    QVERIFY((*items)[3].missing);
    QCOMPARE((*items)[3].caption, u"a lost owl"_s);
    const QString named = m_place.path(u"named"_s);
    QDir().mkpath(named);
    writeTestPicture(named + u"/here.png"_s, 1, {64, 64});
    writeBytes(
        named + u"/metadata.jsonl"_s,
        "{\"file_name\":\"here.png\",\"text\":\"one\"}\n{\"file_name\":\"gone.png\",\"text\":\"two\"}\n");
    const auto listed = readDataset(named);
    QCOMPARE(listed->size(), size_t{2});
    QVERIFY((*listed)[1].missing);
    QCOMPARE((*listed)[1].caption, u"two"_s);
}

void DatasetFilesTest::findsMissingPicturesByName() {
    const QString folder = makeFolder(u"seeking"_s);
    const QString elsewhere = m_place.path(u"elsewhere/deep"_s);
    QDir().mkpath(elsewhere);
    writeBytes(elsewhere + u"/gone.doc"_s, "no picture");
    writeTestPicture(elsewhere + u"/gone.jpg"_s, 5, {90, 90});
    QCOMPARE(findMissing(folder, *readDataset(folder), m_place.path(u"elsewhere"_s)), 1);
    QVERIFY(QFile::exists(folder + u"/gone.jpg"_s));
    const auto items = readDataset(folder);
    QCOMPARE(
        std::count_if(items->begin(), items->end(), [](const DatasetItem& item) { return item.missing; }), 0);
    QCOMPARE(findMissing(folder, *items, m_place.path(u"elsewhere"_s)), 0);
}

void DatasetFilesTest::brokenPicturesAreMendedByWholeCopies() {
    const QString folder = makeFolder(u"to be mended"_s);
    const QString copies = m_place.path(u"copies/deep"_s);
    QDir().mkpath(copies);
    QVERIFY(QFile::copy(folder + u"/broken.jpg"_s, copies + u"/a.jpg"_s));
    writeBytes(m_place.path(u"copies/broken.jpg"_s), "broken as well");
    writeTestPicture(copies + u"/broken.jpg"_s, 4, {50, 50});
    const auto before = readDataset(folder);
    QCOMPARE(findMissing(folder, *before, m_place.path(u"copies"_s)), 1);
    const auto after = readDataset(folder);
    for (const DatasetItem& item : *after)
        if (item.path.endsWith(u"broken.jpg"_s)) {
            QCOMPARE(item.problem, QString());
            QCOMPARE(item.widthPixels, 50);
        }
    QCOMPARE(bytesOf(folder + u"/left out/broken.jpg"_s), QByteArray("no picture")); // kept
}

void DatasetFilesTest::leavesOutWhatCannotBeMended() {
    const QString folder = makeFolder(u"mended"_s);
    writeBytes(folder + u"/broken.txt"_s, "a broken one");
    QVERIFY(leaveOutProblems(folder, *readDataset(folder)));
    const auto items = readDataset(folder);
    QCOMPARE(items->size(), size_t{2});
    QCOMPARE(QDir(folder + u"/left out"_s).entryList(QDir::Files),
             (QStringList{u"broken.jpg"_s, u"broken.txt"_s, u"gone.txt"_s}));
    const QString named = m_place.path(u"lines"_s);
    QDir().mkpath(named);
    writeTestPicture(named + u"/here.png"_s, 1, {64, 64});
    writeBytes(named + u"/metadata.jsonl"_s, "{\"file_name\":\"here.png\",\"text\":\"one\",\"more\":"
                                             "1}\n{\"file_name\":\"gone.png\",\"text\":\"two\"}\n");
    QVERIFY(leaveOutProblems(named, *readDataset(named)));
    QCOMPARE(bytesOf(named + u"/metadata.jsonl"_s),
             QByteArray("{\"file_name\":\"here.png\",\"text\":\"one\",\"more\":1}\n"));
    QCOMPARE(bytesOf(named + u"/left out/metadata.jsonl"_s),
             QByteArray("{\"file_name\":\"gone.png\",\"text\":\"two\"}\n"));
}

void DatasetFilesTest::whatWasLeftOutIsTakenBack() {
    const QString folder = m_place.path(u"put back"_s);
    const QString metadata = folder + u"/metadata.jsonl"_s;
    const QString kept = folder + u"/left out/metadata.jsonl"_s;
    const QByteArray broken = "{\"file_name\":\"deep/1.png\",\"text\":\"one\"}\n";
    const QByteArray whole = "{\"file_name\":\"2.png\",\"text\":\"two\"}\r\n\n";
    const QByteArray gone = "{\"file_name\":\"3.png\",\"text\":\"three\"}\n";
    const QByteArray earlier = "{\"file_name\":\"0.png\",\"text\":\"null\"}"; // without its end
    writeBytes(metadata, broken + whole + gone);
    writeBytes(folder + u"/deep/1.png"_s, "no picture");
    writeBytes(kept, earlier);
    writeTestPicture(folder + u"/2.png"_s, 1, {64, 64});
    LeftOut out;
    QVERIFY(leaveOutProblems(folder, *readDataset(folder), &out));
    QCOMPARE(bytesOf(metadata), whole);
    QCOMPARE(bytesOf(kept), QByteArray(earlier + '\n' + broken + gone));
    QVERIFY(!QFile::exists(folder + u"/deep/1.png"_s));
    QVERIFY(takeBack(folder, out));
    QCOMPARE(bytesOf(metadata), QByteArray(broken + whole + gone));
    QCOMPARE(bytesOf(kept), QByteArray(earlier + '\n'));
    QCOMPARE(bytesOf(folder + u"/deep/1.png"_s), QByteArray("no picture"));
    out = {};
    QVERIFY(leaveOutProblems(folder, *readDataset(folder), &out));
    writeTestPicture(folder + u"/deep/1.png"_s, 2, {64, 64}); // another copy, with a new caption
    const QByteArray anew = "{\"file_name\":\"deep/1.png\",\"text\":\"anew\"}\n";
    writeBytes(metadata, whole + anew);
    QVERIFY(takeBack(folder, out));
    QCOMPARE(bytesOf(metadata), QByteArray(whole + anew + gone));
    QVERIFY(QFile::exists(folder + u"/left out/1.png"_s));
    QCOMPARE(bytesOf(kept), QByteArray(earlier + '\n' + broken)); // and its caption
}

void DatasetFilesTest::whatWasLeftOutWaitsForItsDrive() {
    const QString folder = m_place.path(u"plugged"_s);
    const QString away = m_place.path(u"unplugged"_s);
    const QString metadata = folder + u"/metadata.jsonl"_s;
    const QByteArray first = "{\"file_name\":\"1.png\",\"text\":\"one\"}\n";
    const QByteArray second = "{\"file_name\":\"2.png\",\"text\":\"two\"}\n";
    const QByteArray third = "{\"file_name\":\"3.png\",\"text\":\"three\"}\n";
    writeBytes(metadata, first + second + third);
    writeBytes(folder + u"/1.png"_s, "no picture");
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
    writeBytes(folder + u"/3.png"_s, "no picture");
    QVERIFY(leaveOutProblems(folder, *readDataset(folder), &out));
    QCOMPARE(bytesOf(metadata), second);
    QVERIFY(takeBack(folder, out));
    QVERIFY(out.files.empty() && out.lines.empty());
    for (const char* name : {"/1.png", "/3.png"})
        QCOMPARE(bytesOf(folder + QLatin1String(name)), QByteArray("no picture"));
    const QByteArray lines = bytesOf(metadata);
    for (const QByteArray& line : {first, second, third}) QVERIFY(lines.contains(line));
    QVERIFY(!QFile::exists(folder + u"/left out"_s));
}

void DatasetFilesTest::whatCannotBeLeftOutDoesNotHoldTheOthers() {
    const QString folder = m_place.path(u"partly closed"_s);
    const QString closed = folder + u"/closed"_s;
    const QByteArray stays = "{\"file_name\":\"closed/1.png\",\"text\":\"a\"}\n";
    for (const char* name : {"/closed/1.png", "/open/2.png"})
        writeBytes(folder + QLatin1String(name), "no picture");
    writeBytes(folder + u"/metadata.jsonl"_s, stays + "{\"file_name\":\"open/2.png\",\"text\":\"b\"}\n");
    const auto items = readDataset(folder);
    QVERIFY(items);
    const auto left = besideClosed(closed, 0755, [&] { return leaveOutProblems(folder, *items); });
    QVERIFY(!left);
    QVERIFY(left.error().text().find("(Permission denied)") != std::string::npos);
    QVERIFY(QFile::exists(folder + u"/left out/2.png"_s));
    QCOMPARE(bytesOf(folder + u"/metadata.jsonl"_s), stays);
}

void DatasetFilesTest::whatLiesOnAnotherDiskIsMovedWholeOrStays() {
    const QTemporaryDir other(u"/dev/shm/homebooth-XXXXXX"_s);
    const QString folder = m_place.path(u"two disks"_s);
    const QString aside = folder + u"/left out"_s;
    const QStringList picture{u"1.jpg"_s};
    const QByteArray bytes = QByteArray("no picture") + QByteArray(5 << 19, 'x'); // of several blocks
    QVERIFY(QDir().mkpath(folder));
    if (!other.isValid() || onOneDisk(other.path(), folder)) QSKIP("/dev/shm is no disk of its own");
    QVERIFY(QFile::link(other.path(), folder + u"/linked"_s));
    writeBytes(other.filePath(picture.front()), bytes);
    DatasetItem item;
    item.path = folder + u"/linked/1.jpg"_s;
    item.problem = u"broken"_s;
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
    const QString folder = makeFolder(u"capitals"_s);
    for (const QString& name : {u"/a"_s, u"/gone"_s})
        QVERIFY(QFile::rename(folder + name + u".txt"_s, folder + name + u".TXT"_s));
    QCOMPARE(readDataset(folder)->front().caption, u"great tit, snow"_s);
    QVERIFY(write(folder, {{folder + u"/a.png"_s, u"snow"_s}}));
    QCOMPARE(bytesOf(folder + u"/a.TXT"_s), QByteArray("snow"));
    QVERIFY(!QFile::exists(folder + u"/a.txt"_s));
    QVERIFY(leaveOutProblems(folder, *readDataset(folder)));
    QCOMPARE(QDir(folder + u"/left out"_s).entryList(QDir::Files),
             (QStringList{u"broken.jpg"_s, u"gone.TXT"_s}));
}

void DatasetFilesTest::captionsMayEndAsOtherProgramsHaveThem() {
    const QString folder = makeFolder(u"other endings"_s);
    const QString caption = folder + u"/a.caption"_s;
    QVERIFY(QFile::rename(folder + u"/a.txt"_s, caption));
    for (const char* name : {"/gone.caption", "/broken.caption", "/broken.txt"})
        writeBytes(folder + QLatin1String(name), "another one");
    const auto items = readDataset(folder);
    QVERIFY(items);
    QCOMPARE(items->front().caption, u"great tit, snow"_s);
    QCOMPARE(items->size(), size_t{4}); // of the picture that lacks there is one caption
    QCOMPARE(items->back().caption, u"a lost owl"_s);
    QVERIFY(write(folder, {{folder + u"/a.png"_s, u"snow"_s}}));
    QCOMPARE(bytesOf(caption), QByteArray("snow"));
    QVERIFY(!QFile::exists(folder + u"/a.txt"_s));
    QVERIFY(leaveOutProblems(folder, *readDataset(folder)));
    QCOMPARE(readDataset(folder)->size(), size_t{2}); // no caption stayed without its picture
    QCOMPARE(QDir(folder + u"/left out"_s).entryList(QDir::Files).size(), 5);
}

void DatasetFilesTest::masksOfOtherProgramsAreNoPictures() {
    const QString folder = makeFolder(u"masked"_s);
    const size_t before = readDataset(folder)->size();
    const int counted = countPictures(folder);
    writeTestPicture(folder + u"/a-masklabel.png"_s, 3, {300, 200});
    QCOMPARE(readDataset(folder)->size(), before);
    QCOMPARE(countPictures(folder), counted);
    writeTestPicture(folder + u"/gas_mask.png"_s, 3, {300, 200}); // of no picture
    QCOMPARE(countPictures(folder), counted + 1);
}

void DatasetFilesTest::masksGoWithTheirPictures() {
    const QString folder = makeFolder(u"masked, broken"_s);
    for (const char* name : {"/a-masklabel.png", "/b-masklabel.png", "/broken-masklabel.png",
                             "/broken-condlabel.PNG", "/gone-masklabel.png", "/gone-condlabel.png"})
        writeTestPicture(folder + QLatin1String(name), 3, {64, 64});
    writeBytes(folder + u"/gone-condlabel.txt"_s, "a mask by name alone");
    writeBytes(folder + u"/b.jpg"_s, "broken"); // its mask is that of b.png, too
    const QStringList masks{u"*label*"_s};
    LeftOut out;
    QVERIFY(leaveOutProblems(folder, *readDataset(folder), &out));
    QCOMPARE(readDataset(folder)->size(), size_t{3}); // a, b, and what has a caption
    QCOMPARE(QDir(folder).entryList(masks, QDir::Files),
             (QStringList{u"a-masklabel.png"_s, u"b-masklabel.png"_s, u"gone-condlabel.png"_s,
                          u"gone-condlabel.txt"_s}));
    QVERIFY(takeBack(folder, out));
    QCOMPARE(QDir(folder).entryList(masks, QDir::Files).size(), 7);
}

void DatasetFilesTest::copiesAWholeDataset() {
    const QString folder = makeFolder(u"original"_s);
    const QString copy = m_place.path(u"copies/original"_s);
    WorkCount count;
    const auto copied = copyDataset({folder, copy}, count);
    QVERIFY(copied && !copied->stopped && !copied->full);
    QCOMPARE(copied->pictures, 3);
    QCOMPARE(count.done.load(), 3);
    QCOMPARE(bytesOf(copy + u"/b.txt"_s), QByteArray("robin, Snow, branch"));
    QCOMPARE(readDataset(copy)->size(), size_t{3}); // what is missing cannot be copied
    QVERIFY(!copyDataset({folder, copy}, count));   // never over what is there
    QVERIFY(QFile::exists(folder + u"/a.png"_s));
}

void DatasetFilesTest::otherKeysAndLinesOfMetadataSurvive() {
    const QByteArray untouched = "{ \"text\" : \"b\",  \"file_name\":\"deep/b.png\", \"score\": 1.50 }\r\n\n"
                                 "{\"file_name\":\"gone.png\",\"text\":\"c\"}";
    const QString folder = makeListed(
        u"keys"_s,
        "{\"z\":[1,{\"y\":null}],\"file_name\":\"a.png\",\"text\":\"a\",\"id\":9007199254740993}\n" +
            untouched);
    QVERIFY(write(folder, {{folder + u"/a.png"_s, u"new \"ä\""_s}}));
    QCOMPARE(bytesOf(folder + u"/metadata.jsonl"_s),
             "{\"z\":[1,{\"y\":null}],\"file_name\":\"a.png\",\"text\":\"new \\\"ä\\\"\","
             "\"id\":9007199254740993}\n" +
                 untouched);
}

void DatasetFilesTest::theListOfTextsKeepsItsOthers() {
    const QString folder = makeListed(u"texts"_s, "{\"file_name\":\"a.png\",\"texts\":[\"one\",\"two\"]}\n");
    const auto items = readDataset(folder);
    QVERIFY(items);
    QCOMPARE(items->front().caption, u"one"_s);
    QVERIFY(write(folder, {{items->front().path, u"first"_s}}));
    QCOMPARE(bytesOf(folder + u"/metadata.jsonl"_s),
             QByteArray("{\"file_name\":\"a.png\",\"texts\":[\"first\",\"two\"]}\n"));
}

void DatasetFilesTest::picturesInFoldersFurtherDownAreShown() {
    const QString folder = makeListed(u"further"_s, "{\"file_name\":\"./deep/b.png\",\"text\":\"below\"}\n");
    const auto items = readDataset(folder);
    QVERIFY(items);
    QCOMPARE(items->size(), size_t{2});
    QCOMPARE(items->back().path, folder + u"/deep/b.png"_s);
    QCOMPARE(items->back().caption, u"below"_s);
    QCOMPARE(items->back().widthPixels, 64);
    QVERIFY(!items->back().missing);
}

void DatasetFilesTest::aPictureWithoutALineGetsOne() {
    const QByteArray line = "{\"file_name\":\"deep/b.png\",\"text\":\"b\"}";
    for (const QByteArray& end : {QByteArray(), QByteArray("\n")}) {
        const QString folder = makeListed(u"unlisted"_s, line + end);
        QVERIFY(write(folder, {{folder + u"/a.png"_s, u"mine"_s}}));
        QCOMPARE(bytesOf(folder + u"/metadata.jsonl"_s),
                 line + "\n{\"file_name\":\"a.png\",\"text\":\"mine\"}" + end);
        QCOMPARE(readDataset(folder)->front().caption, u"mine"_s);
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
    const QString folder = makeListed(u"taken back"_s, lines);
    const QString metadata = folder + u"/metadata.jsonl"_s;
    const QString beside = folder + u"/a.txt"_s;
    if (lines.isEmpty()) QVERIFY(QFile::remove(metadata));
    const QString file = lines.isEmpty() ? beside : metadata;
    QUndoStack undo;
    DatasetModel model(undo);
    model.open(folder);
    QTRY_VERIFY(model.rowCount() > 0);
    const int taken = model.takeCaptions(u"title"_s);
    QCOMPARE(taken > 0, !lines.isEmpty());
    model.setCaption(0, u"typed"_s);
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
    const QString folder = makeListed(u"not understood"_s, all);
    const auto read = readDataset(folder);
    QVERIFY(!read);
    QVERIFY2(read.error().text().find("line 2") != std::string::npos, read.error().text().c_str());
    const auto written = write(folder, {{folder + u"/a.png"_s, u"new"_s}});
    QVERIFY(!written);
    DatasetItem broken;
    broken.path = folder + u"/a.png"_s;
    broken.problem = u"broken"_s;
    QVERIFY(!leaveOutProblems(folder, {broken}));
    QCOMPARE(bytesOf(folder + u"/metadata.jsonl"_s), all);
}

void DatasetFilesTest::aCaptionThatCannotBeReadIsNeverWrittenOver() {
    const QString folder = makeFolder(u"other coding"_s);
    writeBytes(folder + u"/a.txt"_s, "sch\xF6n"); // Latin-1
    const auto items = readDataset(folder);
    QVERIFY(items);
    QVERIFY2(items->front().problem.contains(u"UTF-8"_s), qPrintable(items->front().problem));
    QVERIFY(!write(folder, {{folder + u"/a.png"_s, u"new"_s}, {folder + u"/b.png"_s, u"new"_s}}));
    QCOMPARE(bytesOf(folder + u"/a.txt"_s), QByteArray("sch\xF6n"));
    QCOMPARE(bytesOf(folder + u"/b.txt"_s), QByteArray("robin, Snow, branch")); // none or all
    // A folder of that name cannot be read either, and is no file to be replaced.
    const QString named = makeListed(u"no file"_s, "{}");
    QVERIFY(QFile::remove(named + u"/metadata.jsonl"_s));
    QVERIFY(QDir().mkpath(named + u"/metadata.jsonl"_s));
    QVERIFY(!write(named, {{named + u"/a.png"_s, u"new"_s}}));
    QVERIFY(QFileInfo(named + u"/metadata.jsonl"_s).isDir());
}

void DatasetFilesTest::aCaptionThatCannotBeRemovedIsNamedWithCauseAndRemedy() {
    const QString folder = m_place.path(u"closed"_s);
    const QString picture = folder + u"/a.png"_s;
    const QString caption = folder + u"/a.txt"_s;
    QVERIFY(QDir().mkpath(folder));
    writeTestPicture(picture, 1, {64, 64});
    CaptionOriginals originals;
    QVERIFY(writeCaptions(folder, {{picture, u"typed"_s}}, originals));
    QVERIFY(QFile::exists(caption));
    const QMap<QString, QString> none{{picture, QString()}};
    const auto taken = besideClosed(folder, 0755, [&] { return writeCaptions(folder, none, originals); });
    QVERIFY(!taken);
    QVERIFY(QFile::exists(caption));
    const QString text = QString::fromStdString(taken.error().text());
    for (const QString& part : {caption, u"(Permission denied)"_s, u"writable"_s})
        QVERIFY2(text.contains(part), qPrintable(text));
}

HOMEBOOTH_APP_TEST_MAIN(DatasetFilesTest)
#include "tst_dataset_files.moc"
