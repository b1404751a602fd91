// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The large view on a screen of twice the density: every pixel of a picture is one of the screen at 100 %,
// zooming keeps what lies under the pointer, and how the picture was made stands beside it where there is
// room.
#include "app/widgets/pictures/large_view.h"
#include "app_fixture.h"
#include "core/base/text/generation_parameters.h"
#include "core/media/picture_io.h"

#include <QClipboard>
#include <QMimeData>
#include <QScopeGuard>
#include <QUrl>
#include <QWheelEvent>

using namespace homebooth;
using namespace homebooth::app;

class LargeViewTest : public QObject {
    Q_OBJECT
public:
    explicit LargeViewTest(const TestPlace& place)
        : m_place(place) {}
private Q_SLOTS:
    void init();
    void cleanup() { m_parent.reset(); }
    void showsEveryPixelAtHundredPercent();
    void zoomKeepsWhatLiesUnderThePointer();
    void smallTurnsOfAWheelZoomLittle();
    void commandsZoomIt();
    void aLargePictureIsReadWholeWhereItIsZoomedInto();
    void somethingOfThePictureStaysInSight();
    void saysHowItWasMadeWhereThereIsRoom();
    void longWordsAreMovedByKeysAndWheel_data();
    void longWordsAreMovedByKeysAndWheel();
    void shortWordsLeaveTheWheelToThePicture();
    void theModelHasTheNameOfTheLibrary();
    void copiesWithTheKeyboard();
    void opensWithoutThePictureOfLastTime();
    void saysThatAFileCannotBeOpened();
    void whatLiesBeneathDoesNotShineThrough();

private:
    /// A view over a window of this size, with the picture read.
    LargeView& open(const QString& path, QSize size);
    const TestPlace& m_place;
    std::unique_ptr<QWidget> m_parent;
};

namespace {

/// Every pixel differs from its neighbours.
QImage chequered(QSize size) {
    QImage image(size, QImage::Format_RGB32);
    for (int y = 0; y < size.height(); ++y)
        for (int x = 0; x < size.width(); ++x)
            image.setPixel(x, y, (x + y) % 2 ? qRgb(x % 256, y % 256, 250) : qRgb(250, 255 - x % 256, 5));
    return image;
}

core::Result<void> writeMade(const QString& path, const std::string& prompt = "a red apple",
                             const std::string& leftOut = {}) {
    core::GenerationParameters facts;
    facts.prompt = prompt;
    facts.negativePrompt = leftOut;
    facts.model = "sketch";
    facts.steps = 20;
    facts.sampler = "Euler";
    facts.guidanceScale = 3.0;
    facts.seed = 12;
    facts.widthPixels = facts.heightPixels = 64;
    const core::Picture pixels{64, 64, std::vector<uint8_t>(64 * 64 * 3, 120)};
    return core::writePng(path.toStdString(), pixels,
                          {{"parameters", core::writeGenerationParameters(facts)}});
}

/// @param angle  in eighths of a degree; 120 is one notch, away from the hand
void turnWheel(LargeView& view, QPoint place, int angle) {
    QWheelEvent wheel(place, view.mapToGlobal(place), {}, {0, angle}, Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(&view, &wheel);
}

} // namespace

void LargeViewTest::init() {
    failOnAnyWarning();
}

LargeView& LargeViewTest::open(const QString& path, QSize size) {
    m_parent = std::make_unique<QWidget>();
    m_parent->resize(size);
    m_parent->show();
    auto* view = new LargeView(m_parent.get());
    view->open(path, {path});
    [view] { QTRY_VERIFY(!view->pictureRect().isEmpty()); }();
    return *view;
}

void LargeViewTest::showsEveryPixelAtHundredPercent() {
    const QImage picture = chequered({201, 149}); // odd: its middle lies between two pixels
    const QString path = m_place.path(u"chequered.png"_s);
    QVERIFY(picture.save(path));
    LargeView& view = open(path, {640, 480});
    QCOMPARE(view.devicePixelRatioF(), 2.0);
    QTest::keyClick(&view, Qt::Key_1);
    QCOMPARE(view.zoomFactor(), 1.0);
    QCOMPARE(view.pictureRect().width(), 100.5); // two pixels of the screen each
    const QImage seen = view.grab().toImage().convertToFormat(QImage::Format_RGB32);
    const QPoint corner = (view.pictureRect().topLeft() * 2.0).toPoint();
    for (const QPoint& at : {QPoint(0, 0), QPoint(100, 74), QPoint(101, 74), QPoint(200, 148)})
        QCOMPARE(seen.pixel(corner + at), picture.pixel(at));
}

void LargeViewTest::zoomKeepsWhatLiesUnderThePointer() {
    const QString path = m_place.path(u"zoomed.png"_s);
    QVERIFY(chequered({400, 300}).save(path));
    LargeView& view = open(path, {640, 480});
    const QPointF pointer(500, 120);
    const auto under = [&view, &pointer] {
        const QRectF place = view.pictureRect();
        return QPointF((pointer.x() - place.left()) / place.width(),
                       (pointer.y() - place.top()) / place.height());
    };
    const QPointF before = under();
    for (int turn = 0; turn < 3; ++turn) {
        QWheelEvent wheel(pointer, view.mapToGlobal(pointer.toPoint()), {}, {0, 120}, Qt::NoButton,
                          Qt::NoModifier, Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(&view, &wheel);
    }
    const QPointF moved = under() - before;
    QVERIFY2(moved.manhattanLength() < 0.005, qPrintable(QString::number(moved.manhattanLength())));
}

void LargeViewTest::smallTurnsOfAWheelZoomLittle() {
    const QString path = m_place.path(u"turned.png"_s);
    QVERIFY(chequered({400, 300}).save(path));
    LargeView& view = open(path, {640, 480});
    const double before = view.zoomFactor();
    const auto turn = [&view](QPoint angle) {
        const QPointF place(320, 240);
        QWheelEvent wheel(place, view.mapToGlobal(place), {}, angle, Qt::NoButton, Qt::NoModifier,
                          Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(&view, &wheel);
    };
    turn({}); // as where fingers leave a touchpad
    m_parent->resize(800, 600);
    const double larger = view.zoomFactor();
    QVERIFY(larger > before); // it still fits
    m_parent->resize(640, 480);
    QCOMPARE(view.zoomFactor(), before);
    for (int part = 0; part < 8; ++part) turn({0, 15}); // as a touchpad tells of one notch
    const double once = view.zoomFactor();
    QVERIFY2(qAbs(once / before - 1.25) < 0.001, qPrintable(QString::number(once / before)));
    turn({120, 0}); // to the side
    QCOMPARE(view.zoomFactor(), once);
}

void LargeViewTest::commandsZoomIt() {
    const QString path = m_place.path(u"commands.png"_s);
    QVERIFY(chequered({400, 300}).save(path));
    LargeView& view = open(path, {640, 480});
    const double fits = view.zoomFactor();
    view.zoomBy(1);
    view.zoomBy(1);
    const double most = view.zoomFactor();
    QVERIFY(most > fits);
    view.zoomBy(-1);
    QVERIFY(view.zoomFactor() > fits && view.zoomFactor() < most);
    view.zoomBy(0);
    QCOMPARE(view.zoomFactor(), fits);
}

void LargeViewTest::aLargePictureIsReadWholeWhereItIsZoomedInto() {
    QImage picture(5000, 400, QImage::Format_RGB32);
    picture.fill(Qt::white);
    for (int x = 0; x < picture.width(); x += 2)
        for (int y = 0; y < picture.height(); ++y) picture.setPixel(x, y, qRgb(0, 0, 0));
    const QString path = m_place.path(u"wide.png"_s);
    QVERIFY(picture.save(path));
    LargeView& view = open(path, {640, 480});
    QTest::keyClick(&view, Qt::Key_1);
    QCOMPARE(view.pictureRect().width(), 2500.0); // its own pixels, not those of what was read first
    const auto sharp = [&view] {
        const QImage seen = view.grab().toImage().convertToFormat(QImage::Format_RGB32);
        const int left = qGray(seen.pixel(600, 480));
        const int right = qGray(seen.pixel(601, 480));
        return qAbs(left - right) == 255;
    };
    QTRY_VERIFY(sharp());
}

void LargeViewTest::somethingOfThePictureStaysInSight() {
    const QString path = m_place.path(u"kept.png"_s);
    QVERIFY(chequered({100, 100}).save(path));
    LargeView& view = open(path, {640, 480});
    for (int i = 0; i < 60; ++i) QTest::keyClick(&view, Qt::Key_Left, Qt::ShiftModifier);
    QVERIFY(view.pictureRect().intersects(QRectF(view.rect())));
}

void LargeViewTest::saysHowItWasMadeWhereThereIsRoom() {
    const QString path = m_place.path(u"made.png"_s);
    QVERIFY(writeMade(path));
    LargeView& narrow = open(path, {640, 480});
    QTRY_VERIFY(narrow.accessibleDescription().contains(u"a red apple"_s));
    QVERIFY(!narrow.showsFacts());
    LargeView& view = open(path, {1200, 700});
    QTRY_VERIFY(view.showsFacts());
    QVERIFY(view.accessibleDescription().contains(u"seed 12"_s));
    const double right = view.pictureRect().right();
    QVERIFY2(right < 1200 - 280, "the words lie over the picture");
    QTest::keyClick(&view, Qt::Key_I);
    QVERIFY(!view.showsFacts());
    QVERIFY(view.pictureRect().center().x() > 590);
}

void LargeViewTest::longWordsAreMovedByKeysAndWheel_data() {
    QTest::addColumn<int>("textSize");
    for (const int size : {100, 200}) QTest::addRow("text of %d %%", size) << size;
}

void LargeViewTest::longWordsAreMovedByKeysAndWheel() {
    QFETCH(int, textSize);
    Theme theme;
    theme.setTextSize(textSize);
    const auto back = qScopeGuard([&theme] { theme.setTextSize(100); });
    const QString path = m_place.path(u"long words.png"_s);
    std::string words;
    while (words.size() < 600) words += "a red apple on a wooden table, ";
    QVERIFY(writeMade(path, words, words));
    LargeView& view = open(path, {1180, 640});
    QTRY_VERIFY(view.showsFacts());
    QVERIFY(view.factsRange() > 0);
    const double zoom = view.zoomFactor();
    const QRect part = QRect(QPoint(int(view.width() * 2 / 3), 0), view.rect().bottomRight());
    const auto seen = [&view, &part] { return view.grab(part).toImage(); };
    const QImage begin = seen();
    QTest::keyClick(&view, Qt::Key_PageDown);
    QVERIFY(seen() != begin);
    for (int page = 0; page < 20; ++page) QTest::keyClick(&view, Qt::Key_PageDown);
    const QImage end = seen();
    QTest::keyClick(&view, Qt::Key_PageDown);
    QCOMPARE(seen(), end); // all of it was seen
    for (int page = 0; page < 20; ++page) QTest::keyClick(&view, Qt::Key_PageUp);
    QCOMPARE(seen(), begin);
    turnWheel(view, view.rect().center() + QPoint(view.width() / 2 - 20, 0), -120);
    QVERIFY(seen() != begin);
    QCOMPARE(view.zoomFactor(), zoom);
    QCOMPARE(view.path(), path);
}

void LargeViewTest::shortWordsLeaveTheWheelToThePicture() {
    const Theme theme;
    const QString path = m_place.path(u"short words.png"_s);
    QVERIFY(writeMade(path));
    LargeView& view = open(path, {1200, 700});
    QTRY_VERIFY(view.showsFacts());
    QCOMPARE(view.factsRange(), 0);
    const double zoom = view.zoomFactor();
    turnWheel(view, {view.width() - 20, 300}, 120);
    QVERIFY(view.zoomFactor() > zoom);
}

void LargeViewTest::theModelHasTheNameOfTheLibrary() {
    const QString first = m_place.path(u"first.png"_s);
    const QString second = m_place.path(u"second.png"_s);
    QVERIFY(writeMade(first) && writeMade(second));
    const auto says = [this](const char* name) {
        const auto* view = m_parent->findChild<LargeView*>();
        return view->accessibleDescription().contains(QLatin1String(name));
    };
    LargeView& view = open(first, {640, 480});
    QVERIFY(says("sketch"));
    view.setState({1, false, false, "robot toy, step 200"}); // after it was read
    QVERIFY(says("robot toy, step 200") && !says("sketch"));
    view.open(second, {first, second});
    view.setState({2, false, false, "robot toy, step 400"}); // before
    QVERIFY(!says("robot toy, step 400"));                   // the words are still those of the first one
    QTRY_VERIFY(says("robot toy, step 400"));
    view.open(first, {first, second}); // one that the library does not have
    QTRY_VERIFY(says("sketch"));
}

void LargeViewTest::copiesWithTheKeyboard() {
    const QString path = m_place.path(u"copied.png"_s);
    QVERIFY(chequered({40, 30}).save(path));
    LargeView& view = open(path, {640, 480});
    QGuiApplication::clipboard()->setText(u"before"_s);
    QTest::keyClick(&view, Qt::Key_C, Qt::ControlModifier);
    QTRY_VERIFY(QGuiApplication::clipboard()->mimeData()->hasUrls());
    QCOMPARE(QGuiApplication::clipboard()->mimeData()->urls(), QList<QUrl>{QUrl::fromLocalFile(path)});
    QCOMPARE(QGuiApplication::clipboard()->image().size(), QSize(40, 30));
}

void LargeViewTest::opensWithoutThePictureOfLastTime() {
    const QString first = m_place.path(u"seen.png"_s);
    const QString second = m_place.path(u"wanted.png"_s);
    QVERIFY(chequered({40, 30}).save(first) && chequered({30, 40}).save(second));
    LargeView& view = open(first, {640, 480});
    view.leave();
    view.open(second, {first, second});
    QVERIFY(view.pictureRect().isEmpty()); // it is being read
    QTRY_VERIFY(view.pictureRect().height() > view.pictureRect().width());
}

void LargeViewTest::saysThatAFileCannotBeOpened() {
    const QString damaged = m_place.path(u"damaged.png"_s);
    QFile file(damaged);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write("no picture") > 0);
    file.close();
    const QString fine = m_place.path(u"fine.png"_s);
    QVERIFY(chequered({40, 30}).save(fine));
    LargeView& view = open(fine, {640, 480});
    QVERIFY(!view.accessibleDescription().contains(u"cannot be opened"_s));
    for (const QString& path : {damaged, m_place.path(u"nowhere.png"_s)}) {
        view.open(path, {path, fine});
        QTRY_VERIFY(view.accessibleDescription().contains(u"cannot be opened"_s));
        view.open(fine, {path, fine}); // the next one is shown
        QTRY_VERIFY(!view.accessibleDescription().contains(u"cannot be opened"_s));
    }
}

void LargeViewTest::whatLiesBeneathDoesNotShineThrough() {
    const QString path = m_place.path(u"over.png"_s);
    QVERIFY(chequered({64, 48}).save(path));
    (void)open(path, {640, 480});
    QList<QColor> seen;
    for (const QColor& beneath : {QColor(Qt::white), QColor(Qt::black)}) {
        QPalette palette = m_parent->palette();
        palette.setColor(QPalette::Window, beneath);
        m_parent->setPalette(palette);
        seen.append(m_parent->grab().toImage().pixelColor(3, 3));
    }
    QCOMPARE(seen[0], seen[1]);
}

int main(int argc, char** argv) {
    qputenv("QT_SCALE_FACTOR", "2");
    TestPlace place;
    QApplication application(argc, argv);
    const Theme theme; // its fonts are painted with
    LargeViewTest test(place);
    return QTest::qExec(&test, argc, argv);
}
#include "tst_large_view.moc"
