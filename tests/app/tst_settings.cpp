// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/settings/settings_page.h"
#include "app_fixture.h"

#include <QCheckBox>
#include <QSpinBox>

using namespace homebooth::app;

class SettingsTest : public QObject {
    Q_OBJECT
public:
    explicit SettingsTest(const TestPlace& place)
        : m_place(place) {}
private Q_SLOTS:
    void init() { failOnAnyWarning(); }
    void everySettingIsDeclaredWhole();
    void survivesARestart();
    void keepsNumbersInTheirRange();
    void fallsBackFromWordsThatItDoesNotKnow();
    void pageFollowsAndChangesSettings();

private:
    const TestPlace& m_place;
};

void SettingsTest::everySettingIsDeclaredWhole() {
    const Settings settings(m_place.path(QStringLiteral("a.ini")));
    QSet<QString> keys;
    for (const Setting& setting : settings.list()) {
        QVERIFY2(!setting.label.isEmpty() && !setting.tooltip.isEmpty() && !setting.group.isEmpty(),
                 setting.key);
        QVERIFY2(setting.fallback.isValid(), setting.key);
        QVERIFY2(!keys.contains(QString::fromLatin1(setting.key)), setting.key);
        keys.insert(QString::fromLatin1(setting.key));
        if (setting.kind == SettingKind::Number)
            QVERIFY2(setting.fallback.toInt() >= setting.least && setting.fallback.toInt() <= setting.most,
                     setting.key);
        if (setting.kind == SettingKind::Choice) QVERIFY2(setting.choices.size() >= 2, setting.key);
    }
}

void SettingsTest::survivesARestart() {
    const QString file = m_place.path(QStringLiteral("b.ini"));
    {
        Settings settings(file);
        settings.set(keys::kTextSize, 120);
    }
    Settings again(file);
    QCOMPARE(again.number(keys::kTextSize), 120);
    QVERIFY(!again.isDefault(keys::kTextSize));
    again.reset(keys::kTextSize);
    QCOMPARE(again.number(keys::kTextSize), 100);
}

void SettingsTest::keepsNumbersInTheirRange() {
    Settings settings(m_place.path(QStringLiteral("c.ini")));
    settings.set(keys::kTextSize, 100000);
    QCOMPARE(settings.number(keys::kTextSize), 200);
    settings.set(keys::kTextSize, QStringLiteral("large"));
    QCOMPARE(settings.number(keys::kTextSize), 100);
}

void SettingsTest::fallsBackFromWordsThatItDoesNotKnow() {
    Settings settings(m_place.path(QStringLiteral("d.ini")));
    settings.set(keys::kColours, QStringLiteral("pink"));
    QCOMPARE(settings.text(keys::kColours), QStringLiteral("system"));
}

void SettingsTest::pageFollowsAndChangesSettings() {
    Theme theme;
    Settings settings(m_place.path(QStringLiteral("e.ini")));
    SettingsPage page(settings);
    auto* spin = page.findChildren<QSpinBox*>().constFirst();
    QCOMPARE(spin->value(), 100);
    settings.set(keys::kTextSize, 150);
    QCOMPARE(spin->value(), 150);
    auto* box = page.findChildren<QCheckBox*>().constFirst();
    box->click();
    QVERIFY(settings.flag(keys::kReduceMotion));
}

HOMEBOOTH_APP_TEST_MAIN(SettingsTest)
#include "tst_settings.moc"
