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

namespace homebooth::app {
namespace {

Theme* theTheme = nullptr;
constexpr const char* kRoleProperty = "typeRole";
constexpr int kMotionMs = 160;
constexpr const char* kDesktopGroup = "org.freedesktop.appearance";
constexpr const char* kDesktopKey = "color-scheme";
constexpr uint kWishForDark = 1;

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
    const QPalette palette = dark ? darkPalette() : lightPalette();
    m_colours = coloursOf(palette);
    QApplication::setPalette(palette);
    Q_EMIT changed();
}

void Theme::askDesktop() {
    QDBusConnection bus = QDBusConnection::sessionBus();
    if (!bus.isConnected()) return;
    const QString service = QStringLiteral("org.freedesktop.portal.Desktop");
    const QString path = QStringLiteral("/org/freedesktop/portal/desktop");
    const QString settings = QStringLiteral("org.freedesktop.portal.Settings");
    // Of no service: its owner would be asked for, and waited for.
    bus.connect({}, path, settings, QStringLiteral("SettingChanged"), this,
                SLOT(takeDesktopSetting(QString, QString, QDBusVariant)));
    QDBusMessage question = QDBusMessage::createMethodCall(service, path, settings, QStringLiteral("Read"));
    question << QLatin1String(kDesktopGroup) << QLatin1String(kDesktopKey);
    auto* watcher = new QDBusPendingCallWatcher(bus.asyncCall(question), this);
    connect(watcher, &QDBusPendingCallWatcher::finished, this, [this, watcher] {
        watcher->deleteLater();
        const QDBusPendingReply<QDBusVariant> reply = *watcher;
        if (reply.isError()) return;
        takeDesktopWish(portalValue(reply.value().variant()));
    });
}

void Theme::takeDesktopSetting(const QString& group, const QString& key, const QDBusVariant& value) {
    if (group == QLatin1String(kDesktopGroup) && key == QLatin1String(kDesktopKey))
        takeDesktopWish(portalValue(value.variant()));
}

void Theme::takeDesktopWish(uint wish) {
    const bool dark = wish == kWishForDark;
    if (dark == m_desktopDark) return;
    m_desktopDark = dark;
    if (m_scheme == ColourScheme::System) apply();
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
