// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is seen without colours, and by weak eyes: switches that are on, words on tinted rows, the names
// of the pages in large text.
#include "app/pages/subjects/subject_models.h"
#include "app/pages/subjects/subject_row.h"
#include "app/shell/main_window.h"
#include "app/shell/navigation.h"
#include "app/theme/metrics.h"
#include "app/widgets/message_bar.h"
#include "app/widgets/name_row.h"
#include "app/widgets/parts.h"
#include "subject_fixture.h"

#include <QListView>
#include <QPainter>
#include <QScrollBar>
#include <QStandardItemModel>
#include <QStyleOptionViewItem>
#include <QStyledItemDelegate>

#include <algorithm>
#include <memory>

using namespace homebooth;
using namespace homebooth::app;

class ToldApartTest : public SubjectPhotosTest {
    Q_OBJECT
public:
    using SubjectPhotosTest::SubjectPhotosTest;
private Q_SLOTS:
    void init() { beginAgain(); }
    void cleanup();
    void switchesInGrey_data();
    void switchesInGrey();
    void aToolThatIsOn_data() { addSchemes(); }
    void aToolThatIsOn();
    void secondaryWordsOnEveryTint_data() { addSchemes(); }
    void secondaryWordsOnEveryTint();
    void theNoteOfAChosenName_data() { addSchemes(); }
    void theNoteOfAChosenName();
    void whatIsBelowAChosenSubject_data() { addSchemes(); }
    void whatIsBelowAChosenSubject();
    void theBadgeOfThePageInView_data() { addSchemes(); }
    void theBadgeOfThePageInView();
    void theRingOfARowThatIsNotChosen_data() { addSchemes(); }
    void theRingOfARowThatIsNotChosen();
    void theThumbOfAScrollBar_data() { addSchemes(); }
    void theThumbOfAScrollBar();
    void howManyMoreMessagesThereAre_data() { addSchemes(); }
    void howManyMoreMessagesThereAre();
    void namesOfPagesInLargeText();
    void pagesInLargeTextAreNoHigherThanASmallScreen_data();
    void pagesInLargeTextAreNoHigherThanASmallScreen();
    void aNameThatIsNotSeenIsATooltip();

private:
    static void addSchemes();
    /// The scheme of the row, and text in which strokes are whole pixels wide.
    void useScheme();
};

namespace {

constexpr double kText = 4.5;
constexpr double kShape = 3.0;

QColor greyOf(const QColor& colour) {
    const int grey = qGray(colour.rgb());
    return {grey, grey, grey};
}

/// How many pixels of two pictures differ clearly without their hue.
int clearlyOther(const QImage& a, const QImage& b) {
    int count = 0;
    for (int y = 0; y < a.height(); ++y)
        for (int x = 0; x < a.width(); ++x)
            if (contrast(greyOf(a.pixelColor(x, y)), greyOf(b.pixelColor(x, y))) >= kShape) ++count;
    return count;
}

int changedByPressing(QAbstractButton& button) {
    button.setCheckable(true);
    const QImage off = button.grab().toImage();
    button.setChecked(true);
    return clearlyOther(off, button.grab().toImage());
}

/// The most that anything in a part of a picture stands out from what it lies on.
double strongest(const QImage& drawn, const QRect& part, const QPoint& ground) {
    double most = 0.0;
    for (int y = part.top(); y <= part.bottom(); ++y)
        for (int x = part.left(); x <= part.right(); ++x)
            most = std::max(most, contrast(drawn.pixelColor(x, y), drawn.pixelColor(ground)));
    return most;
}

/// A row of a list as it is drawn. @param state  besides being in use
QImage drawnRow(const QAbstractItemDelegate& delegate, const QModelIndex& index, const QSize& size,
                QStyle::State state) {
    const QListView view;
    QStyleOptionViewItem option;
    option.initFrom(&view);
    option.widget = &view;
    option.font = view.font();
    option.rect = QRect(QPoint(), size);
    option.state = QStyle::State_Enabled | QStyle::State_Active | state;
    QImage drawn(size, QImage::Format_RGB32);
    drawn.fill(colours().base);
    QPainter painter(&drawn);
    delegate.paint(&painter, option, index);
    painter.end();
    return drawn;
}

QImage chosenRow(const QAbstractItemDelegate& delegate, const QModelIndex& index, const QSize& size) {
    return drawnRow(delegate, index, size, QStyle::State_Selected);
}

} // namespace

void ToldApartTest::cleanup() {
    m_services->theme.setTextSize(100);
    m_services->theme.setScheme(ColourScheme::System);
    end();
}

void ToldApartTest::addSchemes() {
    QTest::addColumn<int>("scheme");
    QTest::newRow("light") << int(ColourScheme::Light);
    QTest::newRow("dark") << int(ColourScheme::Dark);
}

void ToldApartTest::useScheme() {
    QFETCH(int, scheme);
    m_services->theme.setScheme(static_cast<ColourScheme>(scheme));
    m_services->theme.setTextSize(200);
}

void ToldApartTest::switchesInGrey_data() {
    QTest::addColumn<int>("scheme");
    QTest::addColumn<QByteArray>("look");
    for (const auto& [name, scheme] : {std::pair("light", ColourScheme::Light), {"dark", ColourScheme::Dark}})
        for (const char* look : {"", "segment", "quiet"})
            QTest::addRow("%s %s", name, look) << int(scheme) << QByteArray(look);
}

void ToldApartTest::switchesInGrey() {
    QFETCH(QByteArray, look);
    useScheme();
    const std::unique_ptr<QPushButton> button(makeButton(u"Problems"_s, {}, look.constData()));
    button->resize(button->sizeHint());
    const int changed = changedByPressing(*button);
    QVERIFY2(changed >= button->width(), qPrintable(QString::number(changed)));
}

void ToldApartTest::aToolThatIsOn() {
    useScheme();
    const std::unique_ptr<QToolButton> button(makeIconButton(u"favourite"_s, u"Favourite"_s));
    button->resize(button->sizeHint());
    const int changed = changedByPressing(*button);
    QVERIFY2(changed >= button->width(), qPrintable(QString::number(changed)));
}

void ToldApartTest::secondaryWordsOnEveryTint() {
    useScheme();
    const Colours& c = colours();
    const QColor grounds[] = {c.hover, mixed(c.accent, c.base, c.dark ? 0.42 : 0.16), // names
                              mixed(c.accent, c.window, c.dark ? 0.34 : 0.13), // subjects, the page in view
                              mixed(c.accent, c.window, c.dark ? 0.30 : 0.12), // thumbnails
                              mixed(c.accent, c.base, 0.12)};                  // jobs
    for (const QColor& ground : grounds) {
        const double found = contrast(c.secondary(true), ground);
        QVERIFY2(found >= kText, qPrintable(u"%1: %2"_s.arg(ground.name()).arg(found)));
    }
    for (const QColor& ground : {c.window, c.base}) QVERIFY(contrast(c.secondary(false), ground) >= kText);
}

void ToldApartTest::theNoteOfAChosenName() {
    constexpr int kNote = Qt::UserRole + 1;
    useScheme();
    QStandardItemModel model;
    auto* item = new QStandardItem(u"a"_s);
    item->setData(u"1,204"_s, kNote);
    model.appendRow(item);
    const NameRow row(kNote, kNote + 1, nullptr);
    const QImage drawn = chosenRow(row, model.index(0, 0), {300, 48});
    QVERIFY(drawn.pixelColor(150, 24) != colours().base); // it is tinted
    const double found = strongest(drawn, {200, 8, 90, 32}, {150, 24});
    QVERIFY2(found >= kText, qPrintable(QString::number(found)));
}

void ToldApartTest::whatIsBelowAChosenSubject() {
    useScheme();
    m_services->subjects.addFromPhotos(photos(3), u"robot"_s);
    const SubjectListModel model(m_services->subjects);
    const SubjectRow row(m_services->thumbnails, m_services->runs, m_services->models, nullptr);
    const QImage drawn = chosenRow(row, model.index(0, 0), {400, 120});
    const double found = strongest(drawn, {64, 62, 200, 30}, {380, 60}); // the lower line
    QVERIFY2(found >= kText, qPrintable(QString::number(found)));
    QVERIFY(SubjectRow::wordsIn({0, 0, 164, 56}).width() >= 108); // beside a scroll bar
    m_services->undo.undo();
}

void ToldApartTest::theRingOfARowThatIsNotChosen() {
    useScheme();
    m_services->subjects.addFromPhotos(photos(3), u"robot"_s);
    const SubjectListModel model(m_services->subjects);
    const SubjectRow subject(m_services->thumbnails, m_services->runs, m_services->models, nullptr);
    const QStyledItemDelegate plain;
    for (const QAbstractItemDelegate* row :
         std::initializer_list<const QAbstractItemDelegate*>{&subject, &plain}) {
        const QImage drawn = drawnRow(*row, model.index(0, 0), {400, 120}, QStyle::State_HasFocus);
        QCOMPARE(drawn.pixel(380, 60), colours().base.rgb()); // it is not tinted
        const double found = strongest(drawn, {100, 0, 200, 4}, {380, 60});
        QVERIFY2(found >= kShape, qPrintable(QString::number(found)));
    }
    m_services->undo.undo();
}

void ToldApartTest::theThumbOfAScrollBar() {
    useScheme();
    QScrollBar bar(Qt::Vertical);
    bar.setRange(0, 100);
    bar.setPageStep(50);
    bar.resize(bar.sizeHint().width(), 400);
    QImage drawn(bar.size(), QImage::Format_RGB32);
    drawn.fill(colours().window);
    bar.render(&drawn, {}, {}, QWidget::DrawChildren);
    const double found =
        contrast(drawn.pixelColor(drawn.width() / 2, 100), drawn.pixelColor(drawn.width() / 2, 350));
    QVERIFY2(found >= kShape, qPrintable(QString::number(found)));
}

void ToldApartTest::theBadgeOfThePageInView() {
    useScheme();
    NavigationButton button(u"queue"_s, u"Queue"_s);
    button.setBadge(u"37"_s, u"37 waiting"_s);
    button.setChecked(true);
    button.resize(300, 48);
    const QImage drawn = button.grab().toImage();
    const double found = strongest(drawn, {230, 8, 60, 32}, {215, 24});
    QVERIFY2(found >= kText, qPrintable(QString::number(found)));
}

void ToldApartTest::howManyMoreMessagesThereAre() {
    useScheme();
    const Colours& c = colours();
    MessageBar bar;
    bar.show({MessageKind::Error, u"One."_s, {}, u"one"_s});
    bar.show({MessageKind::Error, u"Two."_s, {}, u"two"_s});
    const QLabel* more = nullptr;
    for (const auto* label : bar.findChildren<QLabel*>())
        if (label->text() == QLatin1String("1 more")) more = label;
    QVERIFY(more != nullptr);
    for (const QColor& role : {c.error, c.caution, c.good, c.link}) {
        const double found = contrast(more->palette().color(QPalette::WindowText), mixed(role, c.base, 0.12));
        QVERIFY2(found >= kText, qPrintable(QString::number(found)));
    }
}

void ToldApartTest::namesOfPagesInLargeText() {
    MainWindow window(m_services->all());
    window.resize(1920, 1000);
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    const QList<NavigationButton*> pages = window.findChildren<NavigationButton*>();
    QVERIFY(pages.size() >= 8);
    m_services->theme.setTextSize(200);
    for (const NavigationButton* page : pages) {
        QTRY_VERIFY2(page->width() >= page->wholeWidth(), qPrintable(page->accessibleName()));
        QVERIFY(page->toolTip().isEmpty());
    }
    Navigation narrow;
    const auto* one = narrow.add(PageId::Queue, u"queue"_s, u"Einstellungen"_s);
    narrow.show();
    for (const int percent : {150, 100}) {
        m_services->theme.setTextSize(percent);
        QTRY_VERIFY(one->width() >= one->wholeWidth());
        QCOMPARE(narrow.width(), kSidebarWidth);
        const double usual = Theme::instance().font(TypeRole::Body).pointSizeF() * 100 / percent;
        QVERIFY(one->font().pointSizeF() > usual - 0.1);
    }
}

void ToldApartTest::pagesInLargeTextAreNoHigherThanASmallScreen_data() {
    QTest::addColumn<int>("percent"); // what 144 and 192 dpi make of text
    for (const int percent : {100, 150, 200}) QTest::addRow("%d %%", percent) << percent;
}

void ToldApartTest::pagesInLargeTextAreNoHigherThanASmallScreen() {
    QFETCH(int, percent);
    constexpr QSize kRoom(1024, 700);
    m_services->subjects.addFromPhotos(photos(3), u"robot"_s);
    MainWindow window(m_services->all());
    window.resize(kRoom);
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    m_services->theme.setTextSize(percent);
    for (const PageId id : kPages) {
        window.showPage(id);
        QTest::qWait(200); // its contents come from other threads
        const Page& page = *window.page(id);
        const int around = window.height() - page.height(); // menus and the bar below
        const int high = page.minimumSizeHint().height();
        QVERIFY2(high + around <= kRoom.height(),
                 qPrintable(u"%1: %2 and %3"_s.arg(page.accessibleName()).arg(high).arg(around)));
    }
    QVERIFY(window.minimumSizeHint().height() <= kRoom.height());
    m_services->undo.undo();
}

void ToldApartTest::aNameThatIsNotSeenIsATooltip() {
    const QString name = u"A long name of a page"_s;
    NavigationButton button(u"queue"_s, name);
    button.show();
    for (const auto& [width, tip] : {std::pair(80, name), {600, QString()}, {80, name}}) {
        button.resize(width, 48);
        QTRY_COMPARE(button.toolTip(), tip);
    }
    button.resize(button.wholeWidth(), 48);
    QTRY_VERIFY(button.toolTip().isEmpty());
    button.setBadge(u"37"_s, u"37 waiting"_s); // it takes room
    QCOMPARE(button.toolTip(), name);
}

HOMEBOOTH_APP_TEST_MAIN(ToldApartTest)
#include "tst_told_apart.moc"
