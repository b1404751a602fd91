// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/theme/theme.h"

#include "app/theme/style.h"

#include <QApplication>
#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QEvent>
#include <QStyle>
#include <QWidget>

#include <utility>

namespace homebooth::app {
namespace {

Theme* theTheme = nullptr;
constexpr const char* kRoleProperty = "typeRole";
constexpr int kMotionMs = 160;
constexpr const char* kDesktopGroup = "org.freedesktop.appearance";
constexpr const char* kSchemeKey = "color-scheme";
constexpr const char* kContrastKey = "contrast";
constexpr uint kWished = 1; // dark, or more contrast
constexpr const char* kService = "org.freedesktop.portal.Desktop";
constexpr const char* kPath = "/org/freedesktop/portal/desktop";
constexpr const char* kSettings = "org.freedesktop.portal.Settings";

double scaleOf(TypeRole role) {
    switch (role) {
    case TypeRole::Caption:
        return 0.9;
    case TypeRole::Section:
        return 1.15;
    case TypeRole::Title:
        return 1.5;
    case TypeRole::Body:
        break;
    }
    return 1.0;
}

/// The desktop's wish out of a portal's answer, which may be wrapped several times.
uint portalValue(QVariant value) {
    while (value.canConvert<QDBusVariant>()) value = value.value<QDBusVariant>().variant();
    return value.toUInt();
}

} // namespace

Theme::Theme(QObject* parent)
    : QObject(parent)
    , m_base(QApplication::font()) {
    theTheme = this;
    QApplication::setStyle(new Style);
    m_desktopDark = coloursOf(QApplication::palette()).dark;
    m_desktopStrong = isStrong(QApplication::palette());
    qApp->installEventFilter(this);
    apply();
    askDesktop();
}

Theme::~Theme() {
    theTheme = nullptr;
}

Theme& Theme::instance() {
    return *theTheme;
}

void Theme::setScheme(ColourScheme scheme) {
    m_scheme = scheme;
    apply();
}

void Theme::setHighContrast(bool strong) {
    if (std::exchange(m_strong, strong) != strong) apply();
}

void Theme::setTextSize(int percent) {
    QFont font = m_base;
    font.setPointSizeF(m_base.pointSizeF() * percent / 100.0);
    if (font == QApplication::font()) return;
    QApplication::setFont(font);
    // Qt tells windows alone, so that the filter does not hear of what lies in them.
    for (QWidget* widget : QApplication::allWidgets())
        if (const QVariant role = widget->property(kRoleProperty); role.isValid())
            widget->setFont(this->font(role.value<TypeRole>()));
    Q_EMIT changed();
}

QFont Theme::font(TypeRole role) const {
    QFont font = QApplication::font();
    font.setPointSizeF(font.pointSizeF() * scaleOf(role));
    if (role == TypeRole::Section || role == TypeRole::Title) font.setWeight(QFont::DemiBold);
    return font;
}

int Theme::motionMs() const {
    const bool none = m_reduceMotion || qApp->style()->styleHint(QStyle::SH_Widget_Animation_Duration) == 0;
    return none ? 0 : kMotionMs;
}

void Theme::apply() {
    const bool dark = m_scheme == ColourScheme::Dark || (m_scheme == ColourScheme::System && m_desktopDark);
    const bool strong = m_strong || m_desktopStrong;
    const QPalette palette = strong ? (dark ? strongDarkPalette() : strongLightPalette())
                                    : (dark ? darkPalette() : lightPalette());
    m_colours = coloursOf(palette);
    QApplication::setPalette(palette);
    Q_EMIT changed();
}

void Theme::askDesktop() {
    QDBusConnection bus = QDBusConnection::sessionBus();
    if (!bus.isConnected()) return;
    // Of no service: its owner would be asked for, and waited for.
    bus.connect({}, QLatin1String(kPath), QLatin1String(kSettings), QStringLiteral("SettingChanged"), this,
                SLOT(takeDesktopSetting(QString, QString, QDBusVariant)));
    for (const char* key : {kSchemeKey, kContrastKey}) askDesktopFor(QLatin1String(key));
}

void Theme::askDesktopFor(const QString& key) {
    QDBusMessage question = QDBusMessage::createMethodCall(QLatin1String(kService), QLatin1String(kPath),
                                                           QLatin1String(kSettings), QStringLiteral("Read"));
    question << QLatin1String(kDesktopGroup) << key;
    auto* watcher = new QDBusPendingCallWatcher(QDBusConnection::sessionBus().asyncCall(question), this);
    connect(watcher, &QDBusPendingCallWatcher::finished, this, [this, watcher, key] {
        watcher->deleteLater();
        const QDBusPendingReply<QDBusVariant> reply = *watcher;
        if (reply.isError()) return;
        takeDesktopWish(key, portalValue(reply.value().variant()));
    });
}

void Theme::takeDesktopSetting(const QString& group, const QString& key, const QDBusVariant& value) {
    if (group == QLatin1String(kDesktopGroup)) takeDesktopWish(key, portalValue(value.variant()));
}

void Theme::takeDesktopWish(const QString& key, uint wish) {
    const bool scheme = key == QLatin1String(kSchemeKey);
    if (!scheme && key != QLatin1String(kContrastKey)) return;
    const bool wished = wish == kWished;
    if (std::exchange(scheme ? m_desktopDark : m_desktopStrong, wished) == wished) return;
    if (m_scheme == ColourScheme::System || !scheme) apply();
}

bool Theme::eventFilter(QObject* watched, QEvent* event) {
    const bool fonts = event->type() == QEvent::ApplicationFontChange;
    if (fonts && watched->isWidgetType() && watched->property(kRoleProperty).isValid())
        static_cast<QWidget*>(watched)->setFont(font(watched->property(kRoleProperty).value<TypeRole>()));
    return false;
}

const Colours& colours() {
    return Theme::instance().colours();
}

void setTypeRole(QWidget* widget, TypeRole role) {
    widget->setProperty(kRoleProperty, QVariant::fromValue(role));
    widget->setFont(Theme::instance().font(role));
}

} // namespace homebooth::app
