// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Photos with transparent parts: what stands behind them is said, chosen, kept, shown and learned.
#include "app/engine/pictures/photo_folder.h"
#include "app/pages/subjects/subject_models.h"
#include "subject_fixture.h"

#include <QColorDialog>
#include <QPainter>

#include <algorithm>
#include <cstdlib>

using namespace homebooth;
using namespace homebooth::app;

namespace {
constexpr uint32_t kRed = 0xC81E28;
} // namespace

class SeeThroughTest : public SubjectPhotosTest {
    Q_OBJECT
public:
    using SubjectPhotosTest::SubjectPhotosTest;
private Q_SLOTS:
    void init() { beginAgain(); }
    void cleanup() { end(); }
    void anotherColourIsChosenAndTakenBack();
    void theColourIsKeptAndTurnsWithThePhoto();
    void theColourIsShownAndLearned();
    void opaquePhotosHaveNoColour();

private:
    /// A photo whose right half is transparent. @returns its path
    [[nodiscard]] QString halfPhoto() const {
        QImage image =
            QImage(writeTestPicture(m_place.path("whole.png"), 1)).convertToFormat(QImage::Format_ARGB32);
        QPainter painter(&image);
        painter.setCompositionMode(QPainter::CompositionMode_Clear);
        painter.fillRect(image.width() / 2, 0, image.width() / 2, image.height(), Qt::transparent);
        painter.end();
        const QString path = m_place.path("half.png");
        image.save(path);
        return path;
    }
    [[nodiscard]] core::PhotoEdit editOf(int64_t subject) const {
        return m_services->subjects.find(subject)->photos.front().edit;
    }
};

void SeeThroughTest::anotherColourIsChosenAndTakenBack() {
    SubjectsPage page(m_services->all());
    page.resize(1000, 700);
    page.show();
    const int64_t id = m_services->subjects.addFromPhotos({halfPhoto()});
    page.select(id);
    QPushButton* button = buttonNamed(page, u"Other colour"_s);
    QVERIFY(button != nullptr);
    QTRY_VERIFY(button->isVisible());
    const auto said = [&page](const QString& words) { return !shownTexts(page).filter(words).isEmpty(); };
    QTRY_VERIFY(said(u"Transparent parts become white."_s));
    button->click();
    auto* dialog = page.findChild<QColorDialog*>();
    QVERIFY(dialog != nullptr);
    QCOMPARE(dialog->currentColor().rgb(), QColor(Qt::white).rgb());
    dialog->setCurrentColor(QColor(kRed));
    dialog->accept();
    QCOMPARE(editOf(id).backgroundRgb, kRed);
    QTRY_VERIFY(said(u"Transparent parts become this colour: #c81e28."_s));
    QCOMPARE(m_services->undo.undoText(), u"colour behind photo 1"_s);
    m_services->undo.undo();
    QTRY_VERIFY(said(u"Transparent parts become white."_s));
    QVERIFY(editOf(id).empty());
}

void SeeThroughTest::theColourIsKeptAndTurnsWithThePhoto() {
    const int64_t id = m_services->subjects.addFromPhotos({halfPhoto()});
    core::Subject subject = *m_services->subjects.find(id);
    subject.photos.front().edit.backgroundRgb = kRed;
    m_services->subjects.change(subject, u"colour"_s);
    end();
    beginAgain(); // what the library has
    QVERIFY(m_services->subjects.find(id) != nullptr);
    QCOMPARE(editOf(id).backgroundRgb, kRed);
    QCOMPARE(core::turnedOnce(editOf(id)).backgroundRgb, kRed);
}

void SeeThroughTest::theColourIsShownAndLearned() {
    core::Subject subject = toyOf({halfPhoto()});
    core::Photo& photo = subject.photos.front();
    photo.edit.backgroundRgb = kRed;
    const QString folder = m_place.path("with a colour");
    const auto made = preparePhotos({subject}, folder, false);
    QVERIFY2(made, made ? "" : made.error().text().c_str());
    const QImage learned(folder + u"/001.png"_s);
    QVERIFY(!learned.hasAlphaChannel());
    QCOMPARE(learned.size(), QSize(600, 500));
    QCOMPARE(QColor(learned.pixel(500, 250)), QColor(kRed));
    QCOMPARE(learned.pixel(100, 250), QImage(m_place.path("whole.png")).pixel(100, 250));
    const ThumbnailKey coloured{QString::fromStdString(photo.path), photo.edit, 300};
    const ThumbnailKey white{QString::fromStdString(photo.path), {}, 300};
    QTRY_VERIFY(!m_services->thumbnails.find(coloured).isNull());
    QTRY_VERIFY(!m_services->thumbnails.find(white).isNull());
    // Shrinking may round.
    const auto differs = [this](const ThumbnailKey& key, const QColor& from) {
        const QColor shown(m_services->thumbnails.find(key).pixel(250, 125));
        return std::max({std::abs(shown.red() - from.red()), std::abs(shown.green() - from.green()),
                         std::abs(shown.blue() - from.blue())});
    };
    QVERIFY(differs(coloured, QColor(kRed)) <= 2);
    QVERIFY(differs(white, QColor(Qt::white)) <= 2);
}

void SeeThroughTest::opaquePhotosHaveNoColour() {
    PhotoInspector inspector;
    PhotoModel model(m_services->subjects, inspector);
    const int64_t id = m_services->subjects.addFromPhotos({photos(1).front(), halfPhoto()});
    model.setSubject(id);
    QTRY_VERIFY(model.seeThrough(1));
    QTRY_COMPARE(model.verdict(0).word, u"Good"_s);
    QVERIFY(!model.seeThrough(0));
    core::Subject subject = *m_services->subjects.find(id);
    subject.photos[1].leftOut = true; // nothing of it is learned
    m_services->subjects.change(subject, u"leave out"_s);
    QVERIFY(!model.seeThrough(1));
}

HOMEBOOTH_APP_TEST_MAIN(SeeThroughTest)
#include "tst_see_through.moc"
