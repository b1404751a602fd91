// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// One tier of memory as a small bar: what Homebooth uses, what others use (hatched), the limit (a mark); with
// its figures. Screen readers are told of these seldom, as long as nothing but they change.
// GUI thread.
#pragma once

#include <QElapsedTimer>
#include <QString>
#include <QWidget>

#include <cstdint>

class QPainter;

namespace homebooth::app {

class MemoryGauge : public QWidget {
    Q_OBJECT
public:
    explicit MemoryGauge(const QString& name, QWidget* parent = nullptr);

    /// @param ours, others  bytes; @param total  0: unknown, the gauge hides
    void set(int64_t ours, int64_t others, int64_t total);
    /// What the training that works may take. @param bytes  0: as much as there is
    void setLimit(int64_t bytes);
    /// What it shows was so a while ago: it is greyed and says so. @param seconds  since then; 0: it is so
    /// now
    void setStale(double seconds);
    void setCompact(bool compact);
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    [[nodiscard]] QString figures(int64_t usedBytes) const;
    void say();
    void tellReader(const QString& name);
    void paintBar(QPainter& painter, const QRectF& bar) const;

    /// What is told at once where it changes.
    struct Told {
        int64_t total = 0;
        int64_t limit = 0;
        bool stale = false;
        bool operator==(const Told&) const = default;
    };

    QString m_name;
    Told m_told;
    QElapsedTimer m_sinceTold;
    int64_t m_ours = 0;
    int64_t m_others = 0;
    int64_t m_total = 0;
    int64_t m_limit = 0;
    double m_staleSeconds = 0.0;
    bool m_compact = false;
};

} // namespace homebooth::app
