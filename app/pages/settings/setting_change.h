// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// One step of undo: what a setting was before and after; what keys or arrows change in quick succession is
// one. Owned by the undo stack, which the settings outlive; GUI thread.
#pragma once

#include "app/settings/settings.h"

#include <QDateTime>
#include <QUndoCommand>

namespace homebooth::app {

class SettingChange : public QUndoCommand {
public:
    SettingChange(Settings& settings, const Setting& setting, const QVariant& value, const QString& text)
        : QUndoCommand(text)
        , m_settings(settings)
        , m_setting(setting)
        , m_before(settings.value(setting.key))
        , m_after(value)
        , m_timeMs(QDateTime::currentMSecsSinceEpoch()) {}

    void redo() override { put(m_after); }
    void undo() override { put(m_before); }
    [[nodiscard]] int id() const override { return 3; }
    bool mergeWith(const QUndoCommand* other) override {
        const auto* later = dynamic_cast<const SettingChange*>(other);
        if (later == nullptr || &later->m_setting != &m_setting || later->m_timeMs - m_timeMs >= kPauseMs)
            return false;
        m_after = later->m_after;
        m_timeMs = later->m_timeMs;
        setObsolete(m_after == m_before);
        return true;
    }

private:
    static constexpr qint64 kPauseMs = 1500; ///< between changes that are two steps

    void put(const QVariant& value) {
        if (value == m_setting.fallback)
            m_settings.reset(m_setting.key);
        else
            m_settings.set(m_setting.key, value);
    }

    Settings& m_settings;
    const Setting& m_setting; ///< of its list
    QVariant m_before;
    QVariant m_after;
    qint64 m_timeMs;
};

} // namespace homebooth::app
