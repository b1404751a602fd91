// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The desktop's wishes for dark colours and for contrast while the program runs.
#include "app_fixture.h"

#include <QDBusVariant>

using namespace homebooth::app;

class DesktopWishTest : public QObject {
    Q_OBJECT
public:
    explicit DesktopWishTest(const TestPlace&) {}
private Q_SLOTS:
    void init() { failOnAnyWarning(); }
    void isFollowedAtOnce();
    void countsWhereTheUserLeavesItToTheDesktop();
    void contrastIsFollowedWhicheverColoursTheUserChose();
    void otherSettingsAreLeftAlone();
};

namespace {

/// What the portal's signal does: it finds the slot by its name.
bool tell(Theme& theme, const char* group, const char* key, const QVariant& value) {
    return QMetaObject::invokeMethod(&theme, "takeDesktopSetting", Q_ARG(QString, QLatin1String(group)),
                                     Q_ARG(QString, QLatin1String(key)),
                                     Q_ARG(QDBusVariant, QDBusVariant(value)));
}

bool wish(Theme& theme, uint value) {
    return tell(theme, "org.freedesktop.appearance", "color-scheme", value);
}

} // namespace

void DesktopWishTest::isFollowedAtOnce() {
    Theme theme;
    QVERIFY(theme.metaObject()->indexOfSlot("takeDesktopSetting(QString,QString,QDBusVariant)") >= 0);
    QVERIFY(wish(theme, 0));
    QVERIFY(!colours().dark);
    QSignalSpy changed(&theme, &Theme::changed);
    QVERIFY(wish(theme, 1));
    QVERIFY(colours().dark);
    QCOMPARE(changed.size(), 1);
    QVERIFY(wish(theme, 1)); // no news
    QCOMPARE(changed.size(), 1);
    QVERIFY(wish(theme, 2)); // for light
    QVERIFY(!colours().dark);
}

void DesktopWishTest::countsWhereTheUserLeavesItToTheDesktop() {
    Theme theme;
    QVERIFY(wish(theme, 0));
    theme.setScheme(ColourScheme::Light);
    QVERIFY(wish(theme, 1));
    QVERIFY(!colours().dark);
    theme.setScheme(ColourScheme::System);
    QVERIFY(colours().dark);
    theme.setScheme(ColourScheme::Dark);
    QVERIFY(wish(theme, 0));
    QVERIFY(colours().dark);
}

void DesktopWishTest::contrastIsFollowedWhicheverColoursTheUserChose() {
    Theme theme;
    const auto wishContrast = [&theme](uint value) {
        return tell(theme, "org.freedesktop.appearance", "contrast", value);
    };
    QVERIFY(!colours().strong);
    QSignalSpy changed(&theme, &Theme::changed);
    QVERIFY(wishContrast(1));
    QVERIFY(colours().strong);
    QVERIFY(wishContrast(1)); // no news
    QCOMPARE(changed.size(), 1);
    theme.setScheme(ColourScheme::Dark);
    QVERIFY(colours().strong && colours().dark);
    QVERIFY(wishContrast(0));
    QVERIFY(!colours().strong && colours().dark);
    theme.setHighContrast(true);
    QVERIFY(wishContrast(1) && wishContrast(0)); // the user's own wish stays
    QVERIFY(colours().strong);
    theme.setHighContrast(false);
}

void DesktopWishTest::otherSettingsAreLeftAlone() {
    Theme theme;
    QVERIFY(wish(theme, 0));
    QVERIFY(tell(theme, "org.freedesktop.appearance", "accent-color", 1U));
    QVERIFY(tell(theme, "org.gnome.desktop.a11y.interface", "contrast", 1U));
    QVERIFY(tell(theme, "org.gnome.desktop.interface", "color-scheme", u"prefer-dark"_s));
    QVERIFY(!colours().dark && !colours().strong);
}

HOMEBOOTH_APP_TEST_MAIN(DesktopWishTest)
#include "tst_desktop_wish.moc"
