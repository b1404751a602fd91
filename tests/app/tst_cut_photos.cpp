// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Photos that are no squares, of which a training takes the middle square: the tile shows it, and where
// much is lost the photo is not called good.
#include "app/pages/subjects/subject_models.h"
#include "app/pages/subjects/subjects_page.h"
#include "app/pages/train/setup/expert_form.h"
#include "app/pages/train/train_page.h"
#include "app/shell/main_window.h"
#include "subject_fixture.h"

#include <QStandardItemModel>

using namespace homebooth;
using namespace homebooth::app;

class CutPhotosTest : public SubjectPhotosTest {
    Q_OBJECT
public:
    using SubjectPhotosTest::SubjectPhotosTest;
private Q_SLOTS:
    void init() { beginAgain(); }
    void cleanup() { end(); }
    void muchThatIsCutIsTold_data();
    void muchThatIsCutIsTold();
    void aPhotoThatIsCroppedIsGood();
    void whatIsLeftOutHasNoSquare();
    void theTileShowsWhatIsLearned();
    void whereShapesAreKeptNothingIsCut();

private:
    /// @returns the key of a subject with one photo of this size
    [[nodiscard]] int64_t subjectOf(QSize size) {
        const QString path = m_place.path(u"%1 x %2.png"_s.arg(size.width()).arg(size.height()));
        return m_services->subjects.addFromPhotos({writeTestPicture(path, 1, size)});
    }
};

void CutPhotosTest::muchThatIsCutIsTold_data() {
    QTest::addColumn<QSize>("size");
    QTest::addColumn<QString>("word");
    QTest::addColumn<QRectF>("learned");
    QTest::newRow("square") << QSize(300, 300) << u"Good"_s << QRectF();
    QTest::newRow("nearly square") << QSize(300, 299) << u"Good"_s << QRectF();
    QTest::newRow("a sixth is cut") << QSize(300, 250) << u"Good"_s
                                    << QRectF(25.0 / 300.0, 0.0, 250.0 / 300.0, 1.0);
    QTest::newRow("of a phone") << QSize(400, 300) << u"Good"_s << QRectF(0.125, 0.0, 0.75, 1.0);
    QTest::newRow("of a camera") << QSize(480, 320) << u"Good"_s
                                 << QRectF(80.0 / 480.0, 0.0, 320.0 / 480.0, 1.0);
    QTest::newRow("of a film, upright")
        << QSize(270, 480) << u"Cut"_s << QRectF(0.0, 105.0 / 480.0, 1.0, 270.0 / 480.0);
}

void CutPhotosTest::muchThatIsCutIsTold() {
    QFETCH(QSize, size);
    QFETCH(QString, word);
    QFETCH(QRectF, learned);
    PhotoInspector inspector;
    PhotoModel model(m_services->subjects, inspector);
    model.setSubject(subjectOf(size));
    QCOMPARE(model.index(0).data(LearnedPartRole).toRectF(), QRectF()); // nobody has looked at it yet
    QTRY_COMPARE(model.verdict(0).word, word);
    QCOMPARE(model.index(0).data(LearnedPartRole).toRectF(), learned);
    const bool cut = word == u"Cut"_s;
    QCOMPARE(model.goodCount(), cut ? 0 : 1);
    QVERIFY(model.verdict(0).state == (cut ? ThumbnailState::Caution : ThumbnailState::Good));
    if (!cut) return;
    const int percent = qRound(100.0 - 100.0 * learned.width() * learned.height());
    const QString sentence = model.verdict(0).sentence;
    QVERIFY2(sentence.contains(u"%1\u00A0% of the photo"_s.arg(percent)), qPrintable(sentence));
    QVERIFY2(sentence.contains(u"Crop it"_s), qPrintable(sentence));
}

void CutPhotosTest::aPhotoThatIsCroppedIsGood() {
    PhotoInspector inspector;
    PhotoModel model(m_services->subjects, inspector);
    const int64_t id = subjectOf({270, 480});
    model.setSubject(id);
    QTRY_COMPARE(model.verdict(0).word, u"Cut"_s);
    core::Subject cropped = *m_services->subjects.find(id);
    cropped.photos[0].edit.cropTop = 0.1; // the head is there
    cropped.photos[0].edit.cropHeight = 270.0 / 480.0;
    m_services->subjects.change(cropped, u"crop"_s);
    QTRY_COMPARE(model.verdict(0).word, u"Good"_s);
    QCOMPARE(model.index(0).data(LearnedPartRole).toRectF(), QRectF());
    m_services->undo.undo();
    cropped = *m_services->subjects.find(id);
    cropped.photos[0].edit.quarterTurns = 1; // it lies now: its left and right go
    m_services->subjects.change(cropped, u"turn"_s);
    QTRY_COMPARE(model.verdict(0).word, u"Cut"_s);
    QCOMPARE(model.index(0).data(LearnedPartRole).toRectF().height(), 1.0);
}

void CutPhotosTest::whatIsLeftOutHasNoSquare() {
    PhotoInspector inspector;
    PhotoModel model(m_services->subjects, inspector);
    const int64_t id = subjectOf({270, 480});
    model.setSubject(id);
    QTRY_COMPARE(model.verdict(0).word, u"Cut"_s);
    core::Subject without = *m_services->subjects.find(id);
    without.photos[0].leftOut = true;
    m_services->subjects.change(without, u"leave out"_s);
    QCOMPARE(model.verdict(0).word, u"Left out"_s);
    QCOMPARE(model.index(0).data(LearnedPartRole).toRectF(), QRectF());
}

void CutPhotosTest::theTileShowsWhatIsLearned() {
    const QString path = m_place.path(u"white.png"_s);
    QImage white(200, 400, QImage::Format_RGB32);
    white.fill(Qt::white);
    QVERIFY(white.save(path));
    QStandardItemModel model;
    auto* item = new QStandardItem(u"photo"_s);
    item->setData(path, PathRole);
    model.appendRow(item);
    ThumbnailGrid grid(m_services->thumbnails);
    grid.setLook(160, 0);
    grid.setModel(&model);
    grid.resize(300, 300);
    grid.show();
    QVERIFY(QTest::qWaitForWindowExposed(&grid));
    const auto lightAt = [&grid, &model](double part) { // of the height, in the middle
        const QRect cell = grid.visualRect(model.index(0, 0));
        const QImage seen = grid.viewport()->grab(cell).toImage();
        return qGray(seen.pixel(seen.width() / 2, qRound(seen.height() * part)));
    };
    QTRY_VERIFY(lightAt(0.5) > 250 && lightAt(0.15) > 250 && lightAt(0.85) > 250); // all is learned
    item->setData(QRectF(0.0, 0.25, 1.0, 0.5), LearnedPartRole);
    QVERIFY(lightAt(0.5) > 250);
    for (const double cut : {0.15, 0.85}) {
        QVERIFY2(lightAt(cut) < 160, qPrintable(QString::number(lightAt(cut))));
        QVERIFY(lightAt(cut) > 60); // dimmed: what goes is still seen
    }
}

void CutPhotosTest::whereShapesAreKeptNothingIsCut() {
    const int64_t id = subjectOf({270, 480});
    MainWindow window(m_services->all());
    window.show();
    auto* page = static_cast<SubjectsPage*>(window.page(PageId::Subjects));
    page->select(id);
    const auto* grid = page->findChild<ThumbnailGrid*>();
    const auto word = [grid] { return grid->model()->index(0, 0).data(StateTextRole).toString(); };
    QTRY_COMPARE(word(), u"Cut"_s); // the built-in model learns squares of 128
    auto* expert = window.page(PageId::Train)->findChild<ExpertForm*>();
    expert->setChange(u"data.framing"_s, u"buckets"_s);
    QTRY_COMPARE(word(), u"Good"_s);
    QCOMPARE(grid->model()->index(0, 0).data(LearnedPartRole).toRectF(), QRectF());
    expert->setChange(u"data.framing"_s, u"crop"_s);
    QTRY_COMPARE(word(), u"Cut"_s);
}

HOMEBOOTH_APP_TEST_MAIN(CutPhotosTest)
#include "tst_cut_photos.moc"
