// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is said of a subject and of a chosen photo, what can be done about it where it is said, and the order
// of photos.
#include "app/library/background.h"
#include "app/library/class_nouns.h"
#include "app/pages/subjects/crop_view.h"
#include "app/pages/subjects/subject_details.h"
#include "app/pages/subjects/subject_models.h"
#include "subject_fixture.h"
#include "tests/media/picture_files.h"

#include <QComboBox>
#include <QDropEvent>
#include <QItemSelectionModel>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMimeData>
#include <QScopeGuard>
#include <QTranslator>
#include <QUrl>

#include <algorithm>
#include <memory>
#include <optional>

using namespace homebooth;
using namespace homebooth::app;

class PhotoDetailsTest : public SubjectPhotosTest {
    Q_OBJECT
public:
    using SubjectPhotosTest::SubjectPhotosTest;
private Q_SLOTS:
    void init() { beginAgain(); }
    void cleanup() { end(); }
    void allThatWasFoundIsSaid();
    void ofASmallPhotoTheSizeIsSaidAsItIsUsed();
    void nameAndSizeAreSaid();
    void aNounOfTheWindowsLanguageIsLearnedInEnglish();
    void whatWasSetUprightIsTurnedBack();
    void whatIsMirroredIsNotTurnedBack();
    void whatWasLeftOutIsTakenBack();
    void photosAreDraggedToAnotherPlace();
    void aPhotoIsDraggedToTheFront();
    void whatIsDraggedFromElsewhereIsLeftToTheWindow();
    void photosHaveAMenu();
    void spaceAndReturnOpenTheCrop_data();
    void spaceAndReturnOpenTheCrop();
    void aStripIsNotCutHigherThanItIs();
    void theHintHasTheWidthOfTheCrop();
    void returnOnCancelKeepsNothing();
    void theSquareIsSaidAsItMoves();
    void aPhotoThatIsTurnedMeanwhileIsCutByItsOwnShape();

private:
    /// A photo of 48 x 64 pixels that the camera noted as turned. @returns its path
    [[nodiscard]] QString turnedPhoto(int orientation) const;
    /// The names of its photos, which are numbers, in their order.
    [[nodiscard]] QString orderOf(int64_t subject) const;
    [[nodiscard]] static QRect cellOf(const ThumbnailGrid& grid, int row) {
        return grid.visualRect(grid.model()->index(row, 0));
    }
    [[nodiscard]] static ThumbnailGrid* gridOfFour(const SubjectsPage& page) {
        auto* grid = page.findChild<ThumbnailGrid*>();
        [grid] { QTRY_COMPARE(grid->model()->rowCount(), 4); }();
        return grid;
    }
    /// Drags what is chosen to a place.
    static void drop(ThumbnailGrid& grid, const QPoint& place);
    [[nodiscard]] core::Photo firstPhoto(int64_t subject) const {
        return m_services->subjects.find(subject)->photos.front();
    }
};

namespace {

/// Some of the nouns that say what a subject is, and nothing else.
class GermanNouns : public QTranslator {
public:
    using QTranslator::QTranslator;
    [[nodiscard]] QString translate(const char* context, const char* source, const char*,
                                    int) const override {
        if (QByteArray(context) != "homebooth::app::ClassNouns") return {};
        QString nouns = QString::fromLatin1(source);
        nouns.replace(u"dog"_s, u"Hund"_s);
        nouns.replace(u"boat"_s, u"Boot"_s);
        nouns.replace(u"camera"_s, u"Kamera"_s);
        return nouns.replace(u"plushie"_s, u"Kuscheltier/Stofftier"_s);
    }
};

} // namespace

QString PhotoDetailsTest::turnedPhoto(int orientation) const {
    const core::Picture seen = test::quadrants(48, 64);
    const std::string jpeg = test::withExif(test::encoded(test::storedAs(seen, orientation), ".jpg"),
                                            test::exifBlock(orientation, false));
    const QString path = m_place.path(u"turned %1/IMG_2041.jpg"_s.arg(orientation));
    writeBytes(path, QByteArray::fromStdString(jpeg));
    return path;
}

void PhotoDetailsTest::allThatWasFoundIsSaid() {
    PhotoInspector inspector;
    PhotoModel model(m_services->subjects, inspector);
    model.setModelPixels(128);
    model.setSubject(m_services->subjects.addFromPhotos({turnedPhoto(6)}));
    QTRY_COMPARE(model.verdict(0).word, u"Small"_s); // the most important one
    const QStringList said = model.sentences(0);
    QVERIFY(said.size() >= 2);
    QVERIFY(said.front().contains(u"it will be enlarged"_s));
    QVERIFY(said.contains(u"Set upright as the camera noted."_s));
    QCOMPARE(model.goodCount(), 0);
    SubjectDetails details(m_services->subjects, model);
    details.showPhoto(0);
    QCOMPARE(shownTexts(details).filter(said.join('\n')).size(), 1);
    QCOMPARE(model.index(0).data(Qt::ToolTipRole).toString(), said.join('\n'));
    core::Subject turned = *model.subject(); // by hand: the camera noted nothing of that
    turned.photos[0].edit.quarterTurns = 1;
    m_services->subjects.change(turned, u"turn"_s);
    QVERIFY(model.sentences(0).filter(u"Set upright"_s).isEmpty());
}

void PhotoDetailsTest::ofASmallPhotoTheSizeIsSaidAsItIsUsed() {
    PhotoInspector inspector;
    PhotoModel model(m_services->subjects, inspector);
    model.setModelPixels(512);
    const QString path = writeTestPicture(m_place.path("lying.png"), 1, {600, 400});
    const int64_t id = m_services->subjects.addFromPhotos({path});
    model.setSubject(id);
    const auto said = [&model](int width, int height) {
        return model.sentences(0).contains(
            u"%1 x %2. The model learns at 512: it will be enlarged."_s.arg(width).arg(height));
    };
    QTRY_VERIFY(said(600, 400));
    core::Subject turned = *m_services->subjects.find(id);
    turned.photos[0].edit.quarterTurns = 1;
    m_services->subjects.change(turned, u"turn"_s);
    QTRY_VERIFY(said(400, 600));
    turned.photos[0].edit.cropHeight = 2.0 / 3.0; // of the turned photo
    m_services->subjects.change(turned, u"crop"_s);
    QTRY_VERIFY(said(400, 400));
}

void PhotoDetailsTest::nameAndSizeAreSaid() {
    PhotoInspector inspector;
    PhotoModel model(m_services->subjects, inspector);
    SubjectDetails details(m_services->subjects, model);
    connect(&model, &PhotoModel::verdictsChanged, &details, &SubjectDetails::refresh);
    model.setSubject(m_services->subjects.addFromPhotos({turnedPhoto(6), m_place.path("no.png")}));
    details.showPhoto(0);
    QTRY_COMPARE(shownTexts(details).filter(u"IMG_2041.jpg, 48 x 64"_s).size(), 1);
    details.showPhoto(1);
    QTRY_COMPARE(model.verdict(1).word, u"Missing"_s);
    QCOMPARE(model.fileText(1), u"no.png"_s); // nobody knows its size
}

void PhotoDetailsTest::aNounOfTheWindowsLanguageIsLearnedInEnglish() {
    QVERIFY(betterNoun(u"Dackel"_s).isEmpty()); // English may begin so, too
    GermanNouns german;
    QCoreApplication::installTranslator(&german);
    QCOMPARE(guessClass(u"Unser Hund"_s).noun, u"dog"_s);
    QCOMPARE(guessClass(u"Kamera"_s).noun, u"camera"_s);
    QVERIFY(!guessClassOfFolder(u"Kamera"_s).known); // it is called so by itself
    QCOMPARE(betterNoun(u"brauner Hund"_s), u"dog"_s);
    for (const char* noun : {"corgi", "brown dog", "Toy"})
        QVERIFY2(betterNoun(QString::fromLatin1(noun)).isEmpty(), noun);
    const int64_t id = m_services->subjects.addEmpty();
    PageOfSubject page(*m_services, id);
    auto* field = page.findChild<QComboBox*>();
    QVERIFY(field->findText(u"dog (Hund)"_s) >= 0 && field->findText(u"toy"_s) >= 0);
    const auto say = [&](const char* word) {
        field->setEditText(QString::fromUtf8(word));
        QTest::keyClick(field->lineEdit(), Qt::Key_Return);
        const std::string noun = m_services->subjects.find(id)->classNoun;
        return field->currentText().toStdString() == noun ? noun : std::string("shown as another one");
    };
    const QString note = u"Models know English words best, such as dog."_s;
    QCOMPARE(say("Hund"), "dog");
    QCOMPARE(say("Stofftier"), "plushie");
    QCOMPARE(say("Boot"), "boat");
    QCOMPARE(say("boot"), "boot"); // English, too
    QCOMPARE(say("dog (Hund)"), "dog");
    QVERIFY(!shownTexts(page).contains(note));
    QCOMPARE(say("Hündin"), "Hündin");
    QVERIFY(shownTexts(page).contains(note));
    undoAll();
}

void PhotoDetailsTest::whatWasSetUprightIsTurnedBack() {
    for (const auto& [orientation, turns] : {std::pair{3, 2}, std::pair{6, 3}, std::pair{8, 1}}) {
        const int64_t id = m_services->subjects.addFromPhotos({turnedPhoto(orientation)});
        PageOfSubject page(*m_services, id);
        auto* details = page.findChild<SubjectDetails*>();
        QPushButton* back = buttonNamed(*details, u"Turn back"_s);
        QVERIFY(back != nullptr);
        QTRY_VERIFY(back->isVisible());
        back->click();
        QCOMPARE(firstPhoto(id).edit.quarterTurns, turns);
        QTRY_VERIFY(!back->isVisible());
        QVERIFY(shownTexts(*details).filter(u"Set upright"_s).isEmpty());
        m_services->undo.undo();
        QCOMPARE(firstPhoto(id).edit.quarterTurns, 0);
        QTRY_VERIFY(back->isVisible());
        m_services->undo.undo(); // the subject
    }
}

void PhotoDetailsTest::whatIsMirroredIsNotTurnedBack() {
    PhotoInspector inspector;
    PhotoModel model(m_services->subjects, inspector);
    model.setSubject(m_services->subjects.addFromPhotos({turnedPhoto(5)}));
    QTRY_VERIFY(model.sentences(0).contains(u"Set upright as the camera noted."_s));
    QCOMPARE(model.turnsBack(0), 0); // turning alone would not do it
}

void PhotoDetailsTest::whatWasLeftOutIsTakenBack() {
    const int64_t id = m_services->subjects.addFromPhotos(photos(1));
    PageOfSubject page(*m_services, id);
    auto* details = page.findChild<SubjectDetails*>();
    QPushButton* take = buttonNamed(*details, u"Take back"_s);
    QVERIFY(take != nullptr && !take->isVisible());
    core::Subject without = *m_services->subjects.find(id);
    without.photos[0].leftOut = true;
    m_services->subjects.change(without, u"leave out"_s);
    QVERIFY(take->isVisible());
    take->click();
    QVERIFY(!firstPhoto(id).leftOut);
    QVERIFY(!take->isVisible());
    m_services->undo.undo();
    QVERIFY(firstPhoto(id).leftOut);
}

QString PhotoDetailsTest::orderOf(int64_t subject) const {
    QString numbers;
    for (const core::Photo& photo : m_services->subjects.find(subject)->photos)
        numbers += QFileInfo(QString::fromStdString(photo.path)).baseName();
    return numbers;
}

void PhotoDetailsTest::drop(ThumbnailGrid& grid, const QPoint& place) {
    const std::unique_ptr<QMimeData> dragged(grid.dragged());
    QDragEnterEvent enter(place, Qt::CopyAction, dragged.get(), Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(grid.viewport(), &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent dropped(place, Qt::CopyAction, dragged.get(), Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(grid.viewport(), &dropped);
    QVERIFY(dropped.isAccepted());
}

void PhotoDetailsTest::photosAreDraggedToAnotherPlace() {
    const int64_t id = m_services->subjects.addFromPhotos(photos(4));
    const PageOfSubject page(*m_services, id, {1000, 700});
    auto* grid = gridOfFour(page);
    QCOMPARE(orderOf(id), u"0123"_s);
    const QItemSelection firstTwo(grid->model()->index(0, 0), grid->model()->index(1, 0));
    grid->selectionModel()->select(firstTwo, QItemSelectionModel::ClearAndSelect);
    const QPoint behind = cellOf(*grid, 2).center() + QPoint(10, 0);
    QCOMPARE(grid->dropRowAt(behind), 3);
    QCOMPARE(grid->dropRowAt(cellOf(*grid, 3).bottomRight() + QPoint(1, 40)), 4); // below all
    drop(*grid, behind);
    QCOMPARE(orderOf(id), u"2013"_s);
    QList<int> rows; // those that were moved are still the chosen ones
    for (const QModelIndex& index : grid->selectionModel()->selectedIndexes()) rows.append(index.row());
    std::sort(rows.begin(), rows.end());
    QCOMPARE(rows, (QList<int>{1, 2}));
    m_services->undo.undo();
    QCOMPARE(orderOf(id), u"0123"_s);
}

void PhotoDetailsTest::aPhotoIsDraggedToTheFront() {
    const int64_t id = m_services->subjects.addFromPhotos(photos(4));
    const PageOfSubject page(*m_services, id, {1000, 700});
    auto* grid = gridOfFour(page);
    const QPoint before = cellOf(*grid, 0).center() - QPoint(10, 0);
    QCOMPARE(grid->dropRowAt(before), 0);
    grid->setCurrentIndex(grid->model()->index(3, 0));
    drop(*grid, before);
    QCOMPARE(orderOf(id), u"3012"_s);
    const int steps = m_services->undo.index();
    drop(*grid, before); // where it is: nothing to be undone
    QCOMPARE(m_services->undo.index(), steps);
}

void PhotoDetailsTest::whatIsDraggedFromElsewhereIsLeftToTheWindow() {
    PageOfSubject page(*m_services, m_services->subjects.addFromPhotos(photos(2)));
    auto* grid = page.findChild<ThumbnailGrid*>();
    QMimeData files;
    files.setUrls({QUrl::fromLocalFile(m_place.path("robot_toy/0.png"))});
    QDragEnterEvent enter(QPoint(20, 20), Qt::CopyAction, &files, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(grid->viewport(), &enter);
    QVERIFY(!enter.isAccepted());
}

void PhotoDetailsTest::photosHaveAMenu() {
    const int64_t id = m_services->subjects.addFromPhotos(photos(2));
    PageOfSubject page(*m_services, id);
    auto* grid = page.findChild<ThumbnailGrid*>();
    grid->setCurrentIndex(grid->model()->index(0, 0));
    Q_EMIT grid->customContextMenuRequested(cellOf(*grid, 0).center());
    auto* menu = grid->findChild<QMenu*>();
    QVERIFY(menu != nullptr && menu->isVisible());
    QStringList texts;
    for (const QAction* one : menu->actions()) texts.append(one->text());
    QCOMPARE(texts.join(','), u"Crop,Turn,Leave out,Remove"_s);
    menu->actions().at(2)->trigger();
    QVERIFY(firstPhoto(id).leftOut);
    menu->actions().at(3)->trigger();
    QCOMPARE(m_services->subjects.find(id)->photos.size(), size_t{1});
    menu->close();
}

void PhotoDetailsTest::spaceAndReturnOpenTheCrop_data() {
    QTest::addColumn<int>("key");
    QTest::newRow("space") << int(Qt::Key_Space);
    QTest::newRow("return") << int(Qt::Key_Return);
}

void PhotoDetailsTest::spaceAndReturnOpenTheCrop() {
    QFETCH(int, key);
    const int64_t id = m_services->subjects.addFromPhotos(photos(2));
    PageOfSubject page(*m_services, id, {1000, 600});
    auto* grid = page.findChild<ThumbnailGrid*>();
    grid->setCurrentIndex(grid->model()->index(1, 0));
    const auto* crop = page.findChild<CropView*>();
    QVERIFY(!crop->isVisible());
    QTest::keyClick(grid, static_cast<Qt::Key>(key));
    QVERIFY(crop->isVisible());
    m_services->undo.undo();
}

void PhotoDetailsTest::aStripIsNotCutHigherThanItIs() {
    CropView view;
    view.resize(700, 500);
    view.show();
    std::optional<core::PhotoEdit> kept;
    connect(&view, &CropView::kept, this, [&kept](const core::PhotoEdit& edit) { kept = edit; });
    view.open(writeTestPicture(m_place.path("strip.png"), 1, {3000, 60}), {});
    const auto keep = [&view, &kept] {
        QTest::keyClick(&view, Qt::Key_Return);
        return kept.has_value();
    };
    QTRY_VERIFY(keep());
    QCOMPARE(kept->cropHeight, 1.0); // it is shown 14 pixels high: its square cannot be larger
    QVERIFY(qAbs(kept->cropWidth * 3000 - 60) < 1.0);
}

void PhotoDetailsTest::theHintHasTheWidthOfTheCrop() {
    CropView view;
    view.resize(320, 400);
    view.show();
    const auto* hint = view.findChild<QLabel*>();
    QCOMPARE(hint->width(), view.width());
    QVERIFY(hint->geometry().bottom() < buttonNamed(view, u"Keep"_s)->y());
}

void PhotoDetailsTest::returnOnCancelKeepsNothing() {
    CropView view;
    view.resize(700, 500);
    view.show();
    view.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&view));
    QSignalSpy kept(&view, &CropView::kept);
    QSignalSpy dropped(&view, &CropView::dropped);
    view.open(writeTestPicture(m_place.path("square.png"), 1, {400, 400}), {});
    QPushButton* keep = buttonNamed(view, u"Keep"_s);
    QTRY_VERIFY(keep->isEnabled());
    QPushButton* cancel = buttonNamed(view, u"Cancel"_s);
    cancel->setFocus(Qt::TabFocusReason);
    QTest::keyClick(cancel, Qt::Key_Return);
    QCOMPARE(kept.size(), 0);
    QCOMPARE(dropped.size(), 1);
    keep->setFocus(Qt::TabFocusReason);
    QTest::keyClick(keep, Qt::Key_Return);
    QCOMPARE(kept.size(), 1);
    QCOMPARE(dropped.size(), 1);
}

void PhotoDetailsTest::theSquareIsSaidAsItMoves() {
    CropView view;
    view.resize(700, 500);
    view.show();
    view.open(writeTestPicture(m_place.path("wide.png"), 1, {600, 300}), {});
    QTRY_VERIFY(view.accessibleDescription().contains(u"Arrows move it"_s));
    QVERIFY2(
        view.accessibleDescription().endsWith(u" 25 % from the left, 0 % from the top, 50 % of the width."_s),
        qPrintable(view.accessibleDescription()));
    QTest::keyClick(&view, Qt::Key_Left);
    QVERIFY2(view.accessibleDescription().startsWith(u"24 % from the left, 0 % from the top"_s),
             qPrintable(view.accessibleDescription()));
}

void PhotoDetailsTest::aPhotoThatIsTurnedMeanwhileIsCutByItsOwnShape() {
    const QString path = writeTestPicture(m_place.path("turned later.png"), 1, {600, 300});
    const int threads = workPool().maxThreadCount();
    workPool().setMaxThreadCount(1); // so that answers come in the order of the questions
    const auto restore = qScopeGuard([threads] { workPool().setMaxThreadCount(threads); });
    CropView view;
    view.resize(700, 500);
    view.show();
    core::PhotoEdit kept;
    connect(&view, &CropView::kept, this, [&kept](const core::PhotoEdit& edit) { kept = edit; });
    core::PhotoEdit turned;
    turned.quarterTurns = 1;
    {
        const Blocked disk(workPool());
        view.open(path, {});
        view.open(path, turned);
    }
    QPushButton* keep = buttonNamed(view, u"Keep"_s);
    QTRY_VERIFY(keep->isEnabled());
    QCoreApplication::processEvents();
    keep->click();
    QCOMPARE(kept.quarterTurns, 1);
    QVERIFY2(qAbs(kept.cropWidth * 300 - kept.cropHeight * 600) < 1.0,
             qPrintable(u"%1 x %2"_s.arg(kept.cropWidth).arg(kept.cropHeight)));
}

HOMEBOOTH_APP_TEST_MAIN(PhotoDetailsTest)
#include "tst_photo_details.moc"
