// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The look of the whole window in one place: palette, colours by role, fonts by role, motion.
// One instance, owned by main, alive as long as the application; GUI thread.
#pragma once

#include "app/theme/colours.h"

#include <QDBusVariant>
#include <QFont>
#include <QObject>

namespace homebooth::app {

enum class ColourScheme { System, Light, Dark };
enum class TypeRole { Caption, Body, Section, Title };

class Theme : public QObject {
    Q_OBJECT
public:
    explicit Theme(QObject* parent = nullptr);
    ~Theme() override;

    [[nodiscard]] static Theme& instance();

    /// Applies style and palette to the application. System: what the desktop says, light if it says nothing.
    void setScheme(ColourScheme scheme);
    /// @param percent  of the desktop's own text size, 80 to 200
    void setTextSize(int percent);
    /// Black and white with stronger lines, whether or not the desktop asks for it.
    void setHighContrast(bool strong);
    void setReduceMotion(bool reduce) { m_reduceMotion = reduce; }

    [[nodiscard]] const Colours& colours() const { return m_colours; }
    [[nodiscard]] QFont font(TypeRole role) const;
    /// Of animations, in milliseconds; 0 where motion is not wanted.
    [[nodiscard]] int motionMs() const;

public Q_SLOTS:
    /// The desktop changed one of its settings: the wishes for dark and for contrast are followed at once.
    void takeDesktopSetting(const QString& group, const QString& key, const QDBusVariant& value);

Q_SIGNALS:
    void changed(); ///< colours or fonts

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void apply();
    void askDesktop();
    void askDesktopFor(const QString& key);
    void takeDesktopWish(const QString& key, uint wish);

    Colours m_colours;
    QFont m_base;
    ColourScheme m_scheme = ColourScheme::System;
    bool m_desktopDark = false;
    bool m_desktopStrong = false;
    bool m_strong = false;
    bool m_reduceMotion = false;
};

/// Short for Theme::instance().colours().
[[nodiscard]] const Colours& colours();

/// A widget's font for a role. @param widget  follows later changes of the theme
void setTypeRole(QWidget* widget, TypeRole role);

} // namespace homebooth::app
