// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The contrast of every colour by its role on what it lies on, in all four palettes: WCAG AA, and more where
// colours are strong.
#include "app_fixture.h"

#include <QStyleOption>

#include <utility>

using namespace homebooth::app;

class ContrastTest : public QObject {
    Q_OBJECT
public:
    explicit ContrastTest(const TestPlace&) {}
private Q_SLOTS:
    void init() { failOnAnyWarning(); }
    void wordsOnEveryGround_data() { addPalettes(); }
    void wordsOnEveryGround();
    void linesAndMarksOnEveryGround_data() { addPalettes(); }
    void linesAndMarksOnEveryGround();
    void whatIsFilledStandsOutFromItsGroove_data() { addPalettes(); }
    void whatIsFilledStandsOutFromItsGroove();
    void curvesOnTheirGround_data() { addPalettes(); }
    void curvesOnTheirGround();
    void strongColoursLeaveNothingFaint_data();
    void strongColoursLeaveNothingFaint();
    void aDesktopOfBlackAndWhiteIsKnown();
    void theSettingTurnsItOnAndOff();

private:
    static void addPalettes();
    using Named = std::pair<const char*, QColor>;
    /// What does not stand out enough from one of these; empty: all does.
    [[nodiscard]] static QString faint(const std::vector<Named>& marks, const std::vector<QColor>& grounds,
                                       double least);
    [[nodiscard]] static Colours rows();
};

namespace {

constexpr double kText = 4.5;
constexpr double kShape = 3.0;
constexpr double kStrongText = 7.0;
constexpr double kStrongShape = 4.5;

QPalette paletteNamed(const QByteArray& name) {
    return name == "light"          ? lightPalette()
           : name == "dark"         ? darkPalette()
           : name == "strong light" ? strongLightPalette()
                                    : strongDarkPalette();
}

} // namespace

void ContrastTest::addPalettes() {
    QTest::addColumn<QByteArray>("palette");
    for (const char* name : {"light", "dark", "strong light", "strong dark"})
        QTest::newRow(name) << QByteArray(name);
}

QString ContrastTest::faint(const std::vector<Named>& marks, const std::vector<QColor>& grounds,
                            double least) {
    QStringList problems;
    for (const auto& [name, colour] : marks)
        for (const QColor& ground : grounds)
            if (const double found = contrast(colour, ground); found < least)
                problems.append(u"%1 on %2: %3 of %4"_s.arg(QLatin1String(name), ground.name())
                                    .arg(found, 0, 'f', 2)
                                    .arg(least));
    return problems.join('\n');
}

Colours ContrastTest::rows() {
    QFETCH(QByteArray, palette);
    const Colours colours = coloursOf(paletteNamed(palette));
    [&] {
        QCOMPARE(colours.dark, palette.endsWith("dark"));
        QCOMPARE(colours.strong, palette.startsWith("strong"));
    }();
    return colours;
}

void ContrastTest::wordsOnEveryGround() {
    const Colours c = rows();
    QFETCH(QByteArray, palette);
    const QString problems = faint({{"text", c.text},
                                    {"muted", c.muted},
                                    {"link", c.link},
                                    {"error", c.error},
                                    {"caution", c.caution},
                                    {"good", c.good}},
                                   {c.window, c.base, c.side}, c.strong ? kStrongText : kText);
    QVERIFY2(problems.isEmpty(), qPrintable(problems));
    const QPalette drawn = paletteNamed(palette);
    QVERIFY(contrast(c.onAccent, c.accent) >= kText);
    QVERIFY(contrast(drawn.color(QPalette::PlaceholderText), c.base) >= kText);
    QVERIFY(contrast(drawn.color(QPalette::HighlightedText), drawn.color(QPalette::Highlight)) >= kText);
    QVERIFY(contrast(drawn.color(QPalette::Link), c.window) >= kText);
}

void ContrastTest::linesAndMarksOnEveryGround() {
    const Colours c = rows();
    const QString problems = faint({{"outline", c.outline}, {"accent", c.accent}, {"focus", c.link}},
                                   {c.window, c.base, c.side}, c.strong ? kStrongShape : kShape);
    QVERIFY2(problems.isEmpty(), qPrintable(problems));
    // The ring of the focus lies on tints, too.
    const std::vector<QColor> tints{mixed(c.accent, c.base, c.dark ? 0.42 : 0.16),
                                    mixed(c.accent, c.window, c.dark ? 0.34 : 0.13), c.hover};
    const QString rings = faint({{"focus", c.link}}, tints, kShape);
    QVERIFY2(rings.isEmpty(), qPrintable(rings));
}

void ContrastTest::whatIsFilledStandsOutFromItsGroove() {
    const Colours c = rows();
    QVERIFY2(contrast(c.link, c.groove) >= kShape, qPrintable(QString::number(contrast(c.link, c.groove))));
    Theme theme;
    theme.setHighContrast(c.strong);
    theme.setScheme(c.dark ? ColourScheme::Dark : ColourScheme::Light);
    QStyleOptionProgressBar bar;
    bar.rect = QRect(0, 0, 100, 20);
    bar.state = QStyle::State_Enabled | QStyle::State_Horizontal;
    bar.maximum = 100;
    bar.progress = 50;
    QImage drawn(bar.rect.size(), QImage::Format_RGB32);
    drawn.fill(colours().window);
    QPainter painter(&drawn);
    for (const auto part : {QStyle::CE_ProgressBarGroove, QStyle::CE_ProgressBarContents})
        qApp->style()->drawControl(part, &bar, &painter);
    painter.end();
    const double found = contrast(drawn.pixelColor(25, 10), drawn.pixelColor(75, 10));
    theme.setHighContrast(false);
    theme.setScheme(ColourScheme::Light);
    QVERIFY2(found >= kShape, qPrintable(QString::number(found)));
}

void ContrastTest::curvesOnTheirGround() {
    const Colours c = rows();
    std::vector<Named> curves{{"loss", c.lossRaw}, {"trend", c.lossSmooth}, {"held out", c.heldOut}};
    for (const QColor& kind : c.memory) curves.emplace_back("memory", kind);
    const QString problems = faint(curves, {c.base}, kShape);
    QVERIFY2(problems.isEmpty(), qPrintable(problems));
}

void ContrastTest::strongColoursLeaveNothingFaint_data() {
    QTest::addColumn<QByteArray>("palette");
    for (const char* name : {"strong light", "strong dark"}) QTest::newRow(name) << QByteArray(name);
}

void ContrastTest::strongColoursLeaveNothingFaint() {
    const Colours c = rows();
    QFETCH(QByteArray, palette);
    const QString off = faint({{"what cannot be used", c.off}}, {c.window, c.base}, kText);
    QVERIFY2(off.isEmpty(), qPrintable(off));
    const QString lines = faint({{"hairline", c.hairline}}, {c.window, c.base, c.side}, kShape);
    QVERIFY2(lines.isEmpty(), qPrintable(lines));
    const QColor chosen = mixed(c.accent, c.base, c.dark ? 0.42 : 0.16);
    QVERIFY(contrast(c.text, chosen) >= kStrongText);
    // The frame of a field that cannot be used.
    Theme theme;
    theme.setHighContrast(true);
    theme.setScheme(c.dark ? ColourScheme::Dark : ColourScheme::Light);
    QStyleOptionFrame field;
    field.rect = QRect(0, 0, 100, 32);
    field.state = QStyle::State_None;
    QImage drawn(field.rect.size(), QImage::Format_RGB32);
    drawn.fill(colours().window);
    QPainter painter(&drawn);
    qApp->style()->drawPrimitive(QStyle::PE_PanelLineEdit, &field, &painter);
    painter.end();
    const double found = contrast(drawn.pixelColor(50, 0), colours().window);
    theme.setHighContrast(false);
    theme.setScheme(ColourScheme::Light);
    QVERIFY2(found >= kShape, qPrintable(QString::number(found)));
}

void ContrastTest::aDesktopOfBlackAndWhiteIsKnown() {
    QVERIFY(isStrong(strongLightPalette()) && isStrong(strongDarkPalette()));
    QVERIFY(!isStrong(lightPalette()) && !isStrong(darkPalette()));
    QPalette grey(QColor(0xEFEFEF), QColor(0xEFEFEF)); // as Qt's own style has it
    grey.setColor(QPalette::Base, Qt::white);
    QVERIFY(!isStrong(grey));
    const QPalette usual = QApplication::palette();
    QPalette desktop(Qt::black, Qt::black);
    desktop.setColor(QPalette::Base, Qt::black);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        desktop.setColor(role, Qt::white);
    QApplication::setPalette(desktop);
    {
        Theme theme;
        QVERIFY(colours().strong && colours().dark);
        theme.setScheme(ColourScheme::Light);
        QVERIFY(colours().strong && !colours().dark); // contrast is a wish of its own
    }
    QApplication::setPalette(usual);
    const Theme theme;
    QVERIFY(!colours().strong);
}

void ContrastTest::theSettingTurnsItOnAndOff() {
    Theme theme;
    QVERIFY(!colours().strong);
    QSignalSpy changed(&theme, &Theme::changed);
    theme.setHighContrast(true);
    QVERIFY(colours().strong);
    QCOMPARE(QApplication::palette().color(QPalette::Window), colours().window);
    theme.setHighContrast(true); // no news
    QCOMPARE(changed.size(), 1);
    theme.setHighContrast(false);
    QVERIFY(!colours().strong);
    Settings settings;
    QVERIFY(settings.find(keys::kHighContrast) != nullptr && !settings.flag(keys::kHighContrast));
}

HOMEBOOTH_APP_TEST_MAIN(ContrastTest)
#include "tst_contrast.moc"
