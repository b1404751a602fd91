// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The photos of a subject: how they are judged, what they teach, and what of them is prepared for a training.
#include "app/engine/pictures/photo_folder.h"
#include "app/engine/places.h"
#include "app/library/background.h"
#include "app/pages/subjects/subject_models.h"
#include "app/pages/train/setup/expert_form.h"
#include "app/pages/train/train_page.h"
#include "app/shell/main_window.h"
#include "core/media/picture_io.h"
#include "item_rules.h"
#include "loop_watch.h"
#include "subject_fixture.h"
#include "tests/media/picture_files.h"

#include <bit>
#include <random>

using namespace homebooth;
using namespace homebooth::app;

class PhotosTest : public SubjectPhotosTest {
    Q_OBJECT
public:
    using SubjectPhotosTest::SubjectPhotosTest;
private Q_SLOTS:
    void init() { beginAgain(); }
    void cleanup() { end(); }
    void judgesPhotos();
    void aShakenPhotoIsBlurredBesideSharpOnes();
    void aSharpPartIsEnough();
    void photosAreComparedFromThreeOn();
    void saysWhyAPhotoCannotBeRead_data();
    void saysWhyAPhotoCannotBeRead();
    void namesWithPercentSignsStayAsTheyAre();
    void preparesEditedPhotos();
    void aCopyIsAsHiddenAsItsPhoto();
    void nothingIsLeftOfAPhotoThatIsStopped();
    void captionsCarryTheTriggerWord_data();
    void captionsCarryTheTriggerWord();
    void onlyOwnCaptionsLieBesideThePhotosOfOneSubject();
    void damagedPhotosAreLeftOutOfTheTraining();
    void eachSubjectHasToHaveAPhoto();
    void aSizeThatNobodyKnowsIsNotRead();
    void likePhotosAreFoundAmongTwoThousand();
    void manyPhotosAreJudgedTogether();
    void photosAreJudgedByWhatTheChosenModelLearnsAt();
    void photosOfTooFewPixelsAreLeftOut();
    void aPhotoIsJudgedAnewWhenItsFileChanges();
    void whatChangesBeforeAPhotoIsWatchedIsNoticed();
    void photosThatAreTakenAwayAreForgotten();
    void whatIsForgottenWhileItIsLookedAtStaysSo();
    void whatChangesWhileFilesAreLookedAtIsNoticed();
    void whatChangesBeforeFilesAreWatchedIsNoticed();
    void animationsAreToldAndOnlyTheirFirstPictureIsPrepared();
};

namespace {

/// As if the camera had moved aslant while it was open. @param pixels  so far
QImage shaken(const QImage& sharp, int pixels) {
    QImage image(sharp.size(), QImage::Format_RGB32);
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) {
            int red = 0;
            int green = 0;
            int blue = 0;
            for (int step = 0; step < pixels; ++step) {
                const QRgb seen =
                    sharp.pixel(qMin(x + step, sharp.width() - 1), qMin(y + step, sharp.height() - 1));
                red += qRed(seen);
                green += qGreen(seen);
                blue += qBlue(seen);
            }
            image.setPixel(x, y, qRgb(red / pixels, green / pixels, blue / pixels));
        }
    return image;
}

QImage soft(const QImage& sharp) {
    return sharp.scaled(6, 5, Qt::IgnoreAspectRatio, Qt::SmoothTransformation)
        .scaled(sharp.size(), Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
}

/// As taken with so little light.
QImage dark(QImage bright, double part) {
    for (int y = 0; y < bright.height(); ++y)
        for (int x = 0; x < bright.width(); ++x) {
            const QColor seen = bright.pixelColor(x, y);
            bright.setPixelColor(x, y,
                                 QColor::fromRgbF(float(seen.redF() * part), float(seen.greenF() * part),
                                                  float(seen.blueF() * part)));
        }
    return bright;
}

} // namespace

void PhotosTest::judgesPhotos() {
    const QStringList paths = photos(2);
    const PhotoFacts sharp = inspectPhoto(paths[0]);
    QVERIFY(sharp.state == PhotoFacts::State::Ready);
    QCOMPARE(sharp.widthPixels, int64_t{600});
    QVERIFY(sharp.sharpness > kBlurredBelow);
    const QString blurred = m_place.path("soft.png");
    soft(QImage(paths[0])).save(blurred);
    QVERIFY(inspectPhoto(blurred).sharpness < kBlurredBelow);
    const QString unlit = m_place.path("unlit.png");
    dark(QImage(paths[0]), 0.1).save(unlit);
    QVERIFY(inspectPhoto(unlit).sharpness > kBlurredBelow);
    dark(soft(QImage(paths[0])), 0.3).save(unlit);
    QVERIFY(inspectPhoto(unlit).sharpness < kBlurredBelow);
    QImage(paths[0])
        .scaled(300, 250, Qt::IgnoreAspectRatio, Qt::SmoothTransformation)
        .save(m_place.path("half.jpg"));
    const PhotoFacts half = inspectPhoto(m_place.path("half.jpg"));
    QVERIFY(std::popcount(half.likeness ^ sharp.likeness) <= kAlikeBits);
    QVERIFY(inspectPhoto(m_place.path("none.png")).state == PhotoFacts::State::Missing);
    QFile broken(m_place.path("broken.jpg"));
    QVERIFY(broken.open(QIODevice::WriteOnly));
    broken.write("no picture");
    broken.close();
    const PhotoFacts bad = inspectPhoto(broken.fileName());
    QVERIFY(bad.state == PhotoFacts::State::Unreadable);
    QVERIFY(!bad.problem.isEmpty());
}

void PhotosTest::aShakenPhotoIsBlurredBesideSharpOnes() {
    QStringList paths = photos(5);
    const QString path = m_place.path("shaken.png");
    QVERIFY(shaken(QImage(paths[4]), 8).save(path));       // 54 of a photo of 4032 pixels
    QVERIFY(inspectPhoto(path).sharpness > kBlurredBelow); // alone it would do
    paths[4] = path;
    PhotoInspector inspector;
    PhotoModel model(m_services->subjects, inspector);
    const int64_t id = m_services->subjects.addFromPhotos(paths);
    model.setSubject(id);
    QTRY_COMPARE(model.verdict(4).word, u"Blurred"_s);
    QVERIFY(model.verdict(4).state == ThumbnailState::Caution);
    QVERIFY(model.verdict(4).sentence.contains(u"less sharp than the other photos"_s));
    for (int row = 0; row < 4; ++row) QVERIFY(model.verdict(row).word != u"Blurred"_s);
    for (int i = 0; i < 6; ++i) // dots are not learned, and say nothing of the others
        m_services->subjects.addPhotos(id,
                                       {writeTestPicture(m_place.path(u"dot %1.png"_s.arg(i)), i, {2, 2})});
    QTRY_COMPARE(model.verdict(10).word, u"Too small"_s);
    QTest::qWait(200); // until all are compared again
    QCOMPARE(model.verdict(4).word, u"Blurred"_s);
    core::Subject fewer = *m_services->subjects.find(id);
    for (size_t row = 0; row < 3; ++row) fewer.photos[row].leftOut = true; // one other is left
    m_services->subjects.change(fewer, u"leave out"_s);
    QTRY_VERIFY(model.verdict(4).word != u"Blurred"_s);
}

void PhotosTest::aSharpPartIsEnough() {
    QStringList paths = photos(5);
    const QImage sharp(paths[4]);
    QImage portrait = soft(sharp).convertToFormat(QImage::Format_RGB32);
    for (int y = 160; y < 326; ++y) // a ninth of all
        for (int x = 200; x < 400; ++x) portrait.setPixel(x, y, sharp.pixel(x, y));
    const QString path = m_place.path("portrait.png");
    QVERIFY(portrait.save(path));
    paths[4] = path;
    std::vector<double> sharpnesses;
    for (const QString& one : paths) sharpnesses.push_back(inspectPhoto(one).sharpness);
    QVERIFY2(sharpnesses[4] > blurredBeside(sharpnesses), qPrintable(QString::number(sharpnesses[4])));
    QVERIFY(sharpnesses[4] > kBlurredBelow);
}

void PhotosTest::photosAreComparedFromThreeOn() {
    QCOMPARE(blurredBeside({}), 0.0);
    QCOMPARE(blurredBeside({1000.0, 100.0}), 0.0);
    QCOMPARE(blurredBeside({1000.0, 50.0, 500.0}), 100.0);
    QCOMPARE(blurredBeside({4000.0, 50.0, 500.0, 1000.0}), 150.0);
    QCOMPARE(blurredBeside({9000.0, 300.0, 9000.0}), 250.0); // a sharp photo among drawings
}

void PhotosTest::saysWhyAPhotoCannotBeRead_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("sentence");
    QTest::newRow("empty") << QByteArray() << u"The file is empty. Copy it again. It is left out."_s;
    QTest::newRow("no picture")
        << QByteArray("a letter to somebody")
        << u"This is no picture that can be read. Save it as JPEG or PNG. It is left out."_s;
    const QByteArray whole = bytesOf(photos(1).front());
    QTest::newRow("cut short") << whole.left(whole.size() / 2) << u"The file is damaged. It is left out."_s;
}

void PhotosTest::saysWhyAPhotoCannotBeRead() {
    QFETCH(QByteArray, bytes);
    QFETCH(QString, sentence);
    const QString path = m_place.path("unread.png");
    writeBytes(path, bytes);
    PhotoInspector inspector;
    PhotoModel model(m_services->subjects, inspector);
    model.setSubject(m_services->subjects.addFromPhotos({path}));
    QTRY_COMPARE(model.verdict(0).word, u"Unreadable"_s);
    QCOMPARE(model.verdict(0).sentence, sentence);
}

void PhotosTest::namesWithPercentSignsStayAsTheyAre() {
    const QString path = writeTestPicture(m_place.path("cat%2C 1.png"), 1); // as from the web
    PhotoInspector inspector;
    PhotoModel model(m_services->subjects, inspector);
    const int64_t id = m_services->subjects.addFromPhotos({path});
    model.setSubject(id);
    QTRY_COMPARE(model.fileText(0), u"cat%2C 1.png, 600 x 500"_s);
    const QString name = u"50%1 off"_s;
    const QString folder = m_place.path(name);
    QVERIFY(preparePhotos({*m_services->subjects.find(id)}, folder, false));
    QCOMPARE(QDir(folder).entryList(QDir::Files), QStringList{u"001.png"_s});
    QCOMPARE(freeFolder(m_place.path({}), name), m_place.path("50%1 off 2"));
}

void PhotosTest::preparesEditedPhotos() {
    core::Subject subject = toyOf(photos(3));
    subject.photos[0].edit = {1, 0.0, 0.0, 0.5, 0.5};
    subject.photos[1].leftOut = true;
    subject.photos[2].caption = "its own words";
    const QString folder = m_place.path("prepared");
    const auto made = preparePhotos({subject}, folder, true);
    QVERIFY2(made, made ? "" : made.error().text().c_str());
    QCOMPARE(QDir(folder).entryList(QDir::Files), (QStringList{"001.png", "001.txt", "002.png", "002.txt"}));
    // Turned clockwise, 600 x 500 is 500 x 600; half of it is 250 x 300.
    const QImage cut(folder + u"/001.png"_s);
    QCOMPARE(cut.size(), QSize(250, 300));
    const QImage whole(QString::fromStdString(subject.photos[0].path));
    QCOMPARE(cut.pixel(0, 0), whole.pixel(0, 499));
    QCOMPARE(cut.pixel(249, 0), whole.pixel(0, 250));
    QFile own(folder + u"/002.txt"_s);
    QVERIFY(own.open(QIODevice::ReadOnly));
    QCOMPARE(own.readAll(), QByteArray("a photo of ohwx toy, its own words"));
    subject.photos[0].leftOut = subject.photos[2].leftOut = true;
    QVERIFY(!preparePhotos({subject}, m_place.path("nothing"), false));
}

void PhotosTest::aCopyIsAsHiddenAsItsPhoto() {
    constexpr auto kOthers = QFile::ReadGroup | QFile::ReadOther;
    core::Subject subject = toyOf(photos(3));
    subject.photos[1].edit.quarterTurns = 1;
    for (int index : {0, 1})
        QVERIFY(QFile::setPermissions(QString::fromStdString(subject.photos[size_t(index)].path),
                                      QFile::ReadOwner | QFile::WriteOwner));
    const auto shown = [kOthers](const QString& path) { return bool(QFile::permissions(path) & kOthers); };
    const bool whole = shown(QString::fromStdString(subject.photos[2].path));
    const QString folder = m_place.path("hidden");
    QDir().mkpath(folder);
    writeBytes(folder + u"/001.png"_s, "of before");
    QFile::setPermissions(folder + u"/001.png"_s, QFile::ReadOwner | QFile::WriteOwner | kOthers);
    QVERIFY(preparePhotos({subject}, folder, false));
    QVERIFY(!shown(folder + u"/001.png"_s));
    QVERIFY(!shown(folder + u"/002.png"_s));
    QCOMPARE(shown(folder + u"/003.png"_s), whole);
}

void PhotosTest::nothingIsLeftOfAPhotoThatIsStopped() {
    const core::Subject subject = toyOf(photos(1));
    const QString folder = m_place.path("stopped");
    WorkCount count;
    count.stopped = true;
    QVERIFY(!preparePhotos({subject}, folder, false, &count));
    QVERIFY(QDir(folder).entryList(QDir::Files).isEmpty());
    count.stopped = false;
    QVERIFY(preparePhotos({subject}, folder, false, &count));
    QCOMPARE(QDir(folder).entryList(QDir::Files).size(), 1);
}

void PhotosTest::captionsCarryTheTriggerWord_data() {
    QTest::addColumn<QString>("typed");
    QTest::addColumn<QString>("learned");
    QTest::newRow("none") << QString() << u"a photo of ohwx toy"_s;
    QTest::newRow("blank") << u"  "_s << u"a photo of ohwx toy"_s;
    QTest::newRow("has it") << u"Ohwx toy at night"_s << u"Ohwx toy at night"_s;
    QTest::newRow("noun") << u"a toy on a toy box"_s << u"a ohwx toy on a toy box"_s;
    QTest::newRow("part of a word") << u"toys, ohwxy"_s << u"a photo of ohwx toy, toys, ohwxy"_s;
    QTest::newRow("neither") << u"on a beach"_s << u"a photo of ohwx toy, on a beach"_s;
}

void PhotosTest::captionsCarryTheTriggerWord() {
    QFETCH(QString, typed);
    core::Photo photo;
    photo.caption = typed.toStdString();
    QTEST(captionOf(toyOf({}), photo), "learned");
}

void PhotosTest::onlyOwnCaptionsLieBesideThePhotosOfOneSubject() {
    core::Subject subject = toyOf(photos(2));
    subject.photos[1].caption = "on a beach";
    const QString folder = m_place.path("one_subject");
    const auto made = preparePhotos({subject}, folder, false);
    QVERIFY2(made, made ? "" : made.error().text().c_str());
    QCOMPARE(QDir(folder).entryList(QDir::Files), (QStringList{"001.png", "002.png", "002.txt"}));
}

void PhotosTest::damagedPhotosAreLeftOutOfTheTraining() {
    QStringList paths = photos(2);
    writeBytes(m_place.path("damaged.jpg"), "no picture");
    const QByteArray whole = bytesOf(paths[0]);
    writeBytes(m_place.path("cut short.png"), whole.first(whole.size() / 2));
    paths.insert(1, m_place.path("damaged.jpg"));
    paths.insert(2, m_place.path("cut short.png"));
    core::Subject subject = toyOf(paths);
    subject.photos[2].edit.quarterTurns = 1;
    const QString folder = m_place.path("without damaged ones");
    const auto made = preparePhotos({subject}, folder, false);
    QVERIFY2(made, made ? "" : made.error().text().c_str());
    QCOMPARE(QDir(folder).entryList(QDir::Files), (QStringList{"001.png", "002.png"}));
    subject.photos = {subject.photos[1], subject.photos[2]};
    QVERIFY(!preparePhotos({subject}, m_place.path("none whole"), false));
    subject.photos[0].path =
        "/gone.jpg"; // may be on a disk that is not there now: nobody said to leave it out
    const auto gone = preparePhotos({subject}, m_place.path("gone"), false);
    QVERIFY(!gone);
    QVERIFY(gone.error().text().find("gone.jpg") != std::string::npos);
}

void PhotosTest::eachSubjectHasToHaveAPhoto() {
    const core::Subject robot = toyOf(photos(2));
    core::Subject lamp;
    lamp.name = "desk lamp";
    const auto none = preparePhotos({robot, lamp}, m_place.path("lamp without"), true);
    QVERIFY(!none);
    QVERIFY2(none.error().text().find("desk lamp") != std::string::npos, none.error().text().c_str());
    lamp.photos = robot.photos;
    for (core::Photo& photo : lamp.photos) photo.leftOut = true;
    QVERIFY(!preparePhotos({lamp, robot}, m_place.path("lamp left out"), true));
    lamp.photos[1].leftOut = false;
    QVERIFY(preparePhotos({robot, lamp}, m_place.path("both there"), true));
}

void PhotosTest::aSizeThatNobodyKnowsIsNotRead() {
    writeBytes(m_place.path("unreadable.png"), "no picture");
    PhotoInspector inspector;
    PhotoModel model(m_services->subjects, inspector);
    model.setSubject(
        m_services->subjects.addFromPhotos({photos(1)[0], m_place.path("unreadable.png"), u"/gone.png"_s}));
    const auto read = [&model](int row) { return model.index(row).data(Qt::AccessibleTextRole).toString(); };
    QCOMPARE(read(0), u"Photo 1, Checking"_s);
    QTRY_COMPARE(read(0), u"Photo 1, Good, 600 by 500"_s);
    QTRY_COMPARE(read(1), u"Photo 2, Unreadable"_s);
    QTRY_COMPARE(read(2), u"Photo 3, Missing"_s);
}

void PhotosTest::likePhotosAreFoundAmongTwoThousand() {
    constexpr size_t kMany = 2000;
    std::mt19937_64 chance(7);
    std::vector<std::optional<uint64_t>> likenesses(kMany);
    for (auto& one : likenesses) one = chance();
    likenesses[1500] = *likenesses[3] ^ 0b111111;  // six bits differ
    likenesses[1600] = *likenesses[4] ^ 0b1111111; // seven
    likenesses[1700] = *likenesses[1500] ^ 1;      // like both: the first one counts
    likenesses[5].reset();
    std::vector<int> wanted(kMany, -1);
    wanted[1500] = 3;
    wanted[1700] = 3;
    const qint64 before = LoopWatch::computedUs();
    QCOMPARE(likeRows(likenesses), wanted);
    const qint64 computedMs = (LoopWatch::computedUs() - before) / 1000;
    QVERIFY2(computedMs < 2000, qPrintable(QString::number(computedMs)));
    QVERIFY(likeRows({}).empty());
}

void PhotosTest::manyPhotosAreJudgedTogether() {
    constexpr int kMany = 200;
    QDir().mkpath(m_place.path("many"));
    QStringList paths;
    for (int i = 0; i < kMany; ++i) { // each one twice
        const QString path = m_place.path(u"many/%1.png"_s.arg(i, 3, 10, QLatin1Char('0')));
        QImage image(16, 16, QImage::Format_RGB32);
        std::mt19937 chance(static_cast<unsigned>(i / 2));
        for (int y = 0; y < 16; ++y)
            for (int x = 0; x < 16; ++x) image.setPixel(x, y, chance() | 0xFF000000U);
        image.save(path);
        paths.append(path);
    }
    PhotoInspector inspector;
    PhotoModel model(m_services->subjects, inspector);
    const ItemRules tester(model);
    const int64_t id = m_services->subjects.addFromPhotos(paths);
    QSignalSpy told(&model, &PhotoModel::verdictsChanged);
    int found = 0;
    connect(&inspector, &PhotoInspector::found, this, [&found] { ++found; });
    QElapsedTimer since;
    since.start();
    model.setSubject(id);
    QCOMPARE(model.goodCount(), 0);
    QTRY_COMPARE_WITH_TIMEOUT(model.goodCount(), kMany / 2, 60'000);
    QCOMPARE(found, kMany);
    QCOMPARE(model.verdict(1).word, u"Like 1"_s);
    QCOMPARE(model.verdict(kMany - 1).word, u"Like %1"_s.arg(kMany - 1));
    const qint64 gathered = 2 + since.elapsed() / 100; // once a tenth of a second
    QVERIFY2(told.count() < qMin<qint64>(kMany, qMax<qint64>(kMany / 4, gathered)),
             qPrintable(QString::number(told.count())));
    core::Subject after = *m_services->subjects.find(id);
    after.photos[0].leftOut = true; // then its twin is the first of its kind
    m_services->subjects.change(after, u"leave out"_s);
    QTRY_COMPARE(model.verdict(1).word, u"Good"_s);
    m_services->undo.undo();
    m_services->undo.undo();
}

void PhotosTest::photosAreJudgedByWhatTheChosenModelLearnsAt() {
    SubjectBook& book = m_services->subjects;
    const int64_t id = book.addFromPhotos(photos(1)); // 600 x 500
    MainWindow window(m_services->all());
    window.show();
    auto* page = static_cast<SubjectsPage*>(window.page(PageId::Subjects));
    page->select(id);
    auto* grid = page->findChild<ThumbnailGrid*>();
    const auto word = [grid] { return grid->model()->index(0, 0).data(StateTextRole).toString(); };
    QTRY_COMPARE(word(), u"Good"_s); // the built-in model learns at 128
    auto* train = static_cast<TrainPage*>(window.page(PageId::Train));
    Q_EMIT train->pixelsChanged(768);
    QTRY_COMPARE(word(), u"Small"_s);
    // What the page itself says, by an expert setting.
    auto* expert = train->findChild<ExpertForm*>();
    expert->setChange(u"data.resolutionPixels"_s, u"512"_s);
    QTRY_VERIFY(grid->model()->index(0, 0).data(Qt::ToolTipRole).toString().contains(u"512"_s));
    expert->setChange(u"data.resolutionPixels"_s, u"64"_s);
    QTRY_COMPARE(word(), u"Good"_s);
    m_services->undo.undo();
}

void PhotosTest::photosOfTooFewPixelsAreLeftOut() {
    const QString tiny = writeTestPicture(m_place.path("tiny.png"), 1, {7, 300});
    PhotoInspector inspector;
    PhotoModel model(m_services->subjects, inspector);
    const int64_t id = m_services->subjects.addFromPhotos(QStringList{tiny} + photos(2));
    model.setSubject(id);
    QTRY_COMPARE(model.verdict(0).word, u"Too small"_s);
    core::Subject subject = *m_services->subjects.find(id);
    subject.photos[1].edit.cropWidth = 0.01; // 6 of 600 pixels
    m_services->subjects.change(subject, u"crop"_s);
    QTRY_COMPARE(model.verdict(1).word, u"Too small"_s);
    const QString folder = m_place.path("too small");
    QVERIFY(preparePhotos({subject}, folder, false));
    QCOMPARE(QDir(folder).entryList(QDir::Files), QStringList{u"001.png"_s});
}

void PhotosTest::aPhotoIsJudgedAnewWhenItsFileChanges() {
    const QStringList paths = photos(2);
    PhotoInspector inspector;
    const QSignalSpy begun(inspector.findChild<FileWatch*>(), &FileWatch::begun);
    PhotoModel model(m_services->subjects, inspector);
    model.setSubject(m_services->subjects.addFromPhotos(paths));
    const auto word = [&model](int row) { return model.verdict(row).word; };
    QTRY_COMPARE(word(0), u"Good"_s);
    QTRY_VERIFY(watched(begun).contains(paths[0]));
    lookPool().waitForDone();
    QCoreApplication::processEvents(); // it was looked at once for that
    QSignalSpy changed(&inspector, &PhotoInspector::fileChanged);
    writeBytes(paths[0], "no picture any more"); // in place, as a failing disk does
    QTRY_COMPARE(word(0), u"Unreadable"_s);
    QVERIFY(model.verdict(0).canFind);
    QVERIFY(changed.size() > 0);
    QVERIFY(QFile::remove(paths[0]));
    QTRY_COMPARE(word(0), u"Missing"_s);
    QTest::qWait(500); // it was looked for once more; from then on its folder tells of it
    writeTestPicture(paths[0], 0);
    QTRY_COMPARE(word(0), u"Good"_s);
    QCOMPARE(word(1), u"Good"_s);
}

void PhotosTest::whatChangesBeforeAPhotoIsWatchedIsNoticed() {
    const QString photo = photos(1).front();
    PhotoInspector inspector;
    auto* watch = inspector.findChild<FileWatch*>();
    QSignalSpy begun(watch, &FileWatch::begun);
    QSignalSpy changed(&inspector, &PhotoInspector::fileChanged);
    (void)inspector.facts(photo);
    QTRY_VERIFY(watched(begun).contains(photo));
    const QString other = m_place.path("of others");
    QVERIFY(QDir().mkpath(other));
    watch->set({other}); // as if that of the photo had not begun yet
    QTRY_VERIFY(watched(begun).contains(other));
    lookPool().waitForDone();
    QCoreApplication::processEvents(); // it was looked at for both
    QCOMPARE(changed.size(), 0);
    writeBytes(photo, "no picture any more");
    watch->set({photo});
    QTRY_COMPARE(changed.size(), 1);
}

void PhotosTest::photosThatAreTakenAwayAreForgotten() {
    QDir().mkpath(m_place.path("taken away")); // no other subject has these
    QStringList paths;
    for (int i = 0; i < 3; ++i)
        paths.append(writeTestPicture(m_place.path(u"taken away/%1.png"_s.arg(i)), i));
    PhotoInspector inspector;
    PhotoModel model(m_services->subjects, inspector);
    const int64_t other = m_services->subjects.addFromPhotos({paths[2]});
    const int64_t id = m_services->subjects.addFromPhotos({paths[0], paths[1]});
    for (const int64_t subject : {other, id}) {
        model.setSubject(subject);
        QTRY_COMPARE(model.verdict(0).word, u"Good"_s);
    }
    QTRY_COMPARE(model.verdict(1).word, u"Good"_s);
    core::Subject fewer = *m_services->subjects.find(id);
    fewer.photos.erase(fewer.photos.begin());
    m_services->subjects.change(fewer, u"remove"_s);
    QTRY_VERIFY(!inspector.knows(paths[0]));
    QVERIFY(inspector.knows(paths[1]));
    QVERIFY(inspector.knows(paths[2])); // of a subject that is not shown
    const QSignalSpy changed(&inspector, &PhotoInspector::fileChanged);
    writeBytes(paths[0], "nobody looks at this any more");
    writeBytes(paths[1], "no picture any more");
    inspector.recheck();
    QTRY_COMPARE(model.verdict(0).word, u"Unreadable"_s);
    for (const QList<QVariant>& one : changed) QCOMPARE(one.front().toString(), paths[1]);
    m_services->subjects.remove(other);
    QTRY_VERIFY(!inspector.knows(paths[2]));
    m_services->undo.undo();
    m_services->undo.undo();
    QCOMPARE(model.rowCount(), 2);
    QTRY_COMPARE(model.verdict(0).word, u"Unreadable"_s); // as it is now
}

void PhotosTest::whatIsForgottenWhileItIsLookedAtStaysSo() {
    PhotoInspector inspector;
    const QSignalSpy found(&inspector, &PhotoInspector::found);
    const QStringList paths = photos(2);
    for (const QString& path : paths) (void)inspector.facts(path);
    inspector.keepOnly({paths[1]}); // before an answer can have come
    QTRY_VERIFY(inspector.facts(paths[1]).state == PhotoFacts::State::Ready);
    QVERIFY(!inspector.knows(paths[0]));
    QCOMPARE(found.size(), 1);
}

void PhotosTest::whatChangesWhileFilesAreLookedAtIsNoticed() {
    const QString folder = m_place.path("looked at");
    QDir().mkpath(folder + u"/one"_s);
    QDir().mkpath(folder + u"/two"_s);
    writeTestPicture(folder + u"/one/0.png"_s, 1);
    // Where a link leads to is not watched: nothing but the second request tells of the change.
    const QString link = folder + u"/now"_s;
    const QString photo = link + u"/0.png"_s;
    QVERIFY(QFile::link(folder + u"/one"_s, link));
    PhotoInspector inspector;
    QSignalSpy found(&inspector, &PhotoInspector::found);
    (void)inspector.facts(photo);
    QTRY_COMPARE(found.size(), 1);
    QTest::qWait(700); // it is watched, and looked at once for that
    QSignalSpy changed(&inspector, &PhotoInspector::fileChanged);
    inspector.recheck();
    QThread::msleep(300); // it has looked; the answer waits for the event loop
    QVERIFY(QFile::remove(link));
    QVERIFY(QFile::link(folder + u"/two"_s, link));
    inspector.recheck();
    QTRY_COMPARE(changed.size(), 1);
    QTRY_VERIFY(inspector.facts(photo).state == PhotoFacts::State::Missing);
}

void PhotosTest::whatChangesBeforeFilesAreWatchedIsNoticed() {
    const QString folder = m_place.path("moved at once");
    QDir().mkpath(folder);
    const QString photo = writeTestPicture(folder + u"/0.png"_s, 1);
    PhotoInspector inspector;
    QSignalSpy found(&inspector, &PhotoInspector::found);
    QSignalSpy changed(&inspector, &PhotoInspector::fileChanged);
    (void)inspector.facts(photo);
    QVERIFY(found.wait(kLongestMs));
    QVERIFY(QDir().rename(folder, m_place.path("moved elsewhere")));
    QTRY_COMPARE(changed.size(), 1);
    QTRY_VERIFY(inspector.facts(photo).state == PhotoFacts::State::Missing);
}

void PhotosTest::animationsAreToldAndOnlyTheirFirstPictureIsPrepared() {
    const QString still = photos(1).front();
    const std::string control = test::pngChunk("acTL", std::string("\0\0\0\2\0\0\0\0", 8));
    const QString png = m_place.path("moves.png");
    writeBytes(png, QByteArray::fromStdString(test::withPngChunk(bytesOf(still).toStdString(), control)));
    const QString webp = m_place.path("moves.webp");
    writeBytes(webp, QByteArray::fromStdString(test::animatedWebp()));
    const QString gif = m_place.path("still.gif");
    writeBytes(gif, QByteArray("GIF89a\x20\0\x20\0\0\0\0", 13));
    PhotoInspector inspector;
    PhotoModel model(m_services->subjects, inspector);
    const int64_t id = m_services->subjects.addFromPhotos({png, webp, gif});
    model.setSubject(id);
    QTRY_COMPARE(model.verdict(0).word, u"Animated"_s);
    QVERIFY(model.verdict(0).state == ThumbnailState::Caution);
    QCOMPARE(model.verdict(0).sentence, u"Animated: only its first picture is learned."_s);
    QTRY_COMPARE(model.verdict(1).word, u"Animated"_s);
    QVERIFY(model.verdict(1).state == ThumbnailState::Bad);
    QVERIFY(model.verdict(1).sentence.contains(u"WebP"_s));
    QTRY_COMPARE(model.verdict(2).word, u"GIF"_s);
    QVERIFY(model.verdict(2).sentence.contains(u"as PNG"_s));
    const QString folder = m_place.path("first pictures");
    QVERIFY(preparePhotos({*m_services->subjects.find(id)}, folder, false));
    QCOMPARE(QDir(folder).entryList(QDir::Files), QStringList{u"001.png"_s});
    const auto info = core::pictureInfo((folder + u"/001.png"_s).toStdString());
    QVERIFY(info && !info->animated); // the engine takes no animation
    QCOMPARE(QImage(folder + u"/001.png"_s).pixel(30, 40), QImage(still).pixel(30, 40));
}

HOMEBOOTH_APP_TEST_MAIN(PhotosTest)
#include "tst_subject_photos.moc"
