// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/memory/trim_rule.h"

#include <algorithm>

namespace homebooth::core {

void TrimRule::passBegins(size_t points) {
    if (points != m_points.size()) {
        m_points.assign(points, {});
        m_learns = true;
    }
    m_running.reset();
    m_beganClean = false;
}

bool TrimRule::trims(size_t point, int64_t residentBytes) {
    look(residentBytes);
    m_running = point;
    m_beganClean = false;
    const Point& next = m_points.at(point);
    if (m_learns || residentBytes > limitBytes()) return true;
    return next.high && next.needBytes + residentBytes - next.cleanBytes > limitBytes();
}

void TrimRule::trimmed(int64_t residentBytes) {
    if (!m_running) return;
    Point& point = m_points[*m_running];
    m_beganClean = true;
    const int64_t grown = residentBytes - point.cleanBytes;
    if (m_learns || grown > 0) point.cleanBytes = residentBytes;
    if (m_learns || grown <= 0) return;
    point.needBytes += grown;
    m_floorBytes = std::max(m_floorBytes, point.needBytes);
}

/// What the process has come to behind the point that ran last.
void TrimRule::look(int64_t residentBytes) {
    if (!m_running) return;
    Point& point = m_points[*m_running];
    if (m_learns) {
        point.needBytes = std::max(residentBytes, point.cleanBytes);
    } else if (m_beganClean && residentBytes > point.needBytes) {
        point.needBytes = residentBytes;
        m_floorBytes = std::max(m_floorBytes, residentBytes);
    } else if (residentBytes > limitBytes()) {
        point.high = true;
    }
}

void TrimRule::learned() {
    m_floorBytes = 0;
    for (const Point& point : m_points) m_floorBytes = std::max(m_floorBytes, point.needBytes);
    for (Point& point : m_points) point.high = point.needBytes > m_floorBytes - m_toleratedBytes;
    m_learns = false;
}

void TrimRule::passEnds(int64_t residentBytes) {
    look(residentBytes);
    if (m_learns) learned();
    m_running.reset();
}

} // namespace homebooth::core
