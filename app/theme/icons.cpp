// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/theme/icons.h"

#include "app/theme/theme.h"

#include <QFile>
#include <QIconEngine>
#include <QPainter>
#include <QPixmapCache>
#include <QSvgRenderer>

/// Resources of a static library are linked only when they are asked for, which works in no namespace.
static void ensureResources() {
    Q_INIT_RESOURCE(resources);
}

namespace homebooth::app {
namespace {

QByteArray source(const QString& name) {
    ensureResources();
    QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

class OutlineEngine : public QIconEngine {
public:
    OutlineEngine(QString name, bool filled)
        : m_name(std::move(name))
        , m_filled(filled) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) override {
        const double ratio = painter->device()->devicePixelRatioF();
        painter->drawPixmap(rect, pixmapFor(rect.size() * ratio, mode, state, ratio));
    }
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
        return pixmapFor(size, mode, state, 1.0);
    }
    QPixmap scaledPixmap(const QSize& size, QIcon::Mode mode, QIcon::State state, qreal ratio) override {
        return pixmapFor(size, mode, state, ratio);
    }
    [[nodiscard]] QIconEngine* clone() const override { return new OutlineEngine(m_name, m_filled); }

private:
    QPixmap pixmapFor(const QSize& size, QIcon::Mode mode, QIcon::State, double ratio) {
        QColor colour = colours().text;
        if (mode == QIcon::Disabled) colour = colours().off;
        const int side = qMin(size.width(), size.height());
        return iconPixmap(m_name, colour, qRound(side / ratio), ratio, m_filled);
    }
    QString m_name;
    bool m_filled;
};

} // namespace

QIcon icon(const QString& name, bool filled) {
    return QIcon(new OutlineEngine(name, filled));
}

QPixmap iconPixmap(const QString& name, const QColor& colour, int size, double ratio, bool filled) {
    const QString key =
        QStringLiteral("%1|%2|%3|%4|%5").arg(name, colour.name()).arg(size).arg(ratio).arg(filled);
    QPixmap pixmap;
    if (QPixmapCache::find(key, &pixmap)) return pixmap;
    QByteArray svg = source(name);
    if (filled) svg.replace("fill=\"none\"", "fill=\"currentColor\"");
    svg.replace("currentColor", colour.name().toLatin1());
    QImage image(qRound(size * ratio), qRound(size * ratio), QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    QSvgRenderer(svg).render(&painter);
    painter.end();
    pixmap = QPixmap::fromImage(image);
    pixmap.setDevicePixelRatio(ratio);
    QPixmapCache::insert(key, pixmap);
    return pixmap;
}

QPixmap favouriteMark(int size, double ratio) {
    constexpr int kEdge = 2;
    const QString name = QStringLiteral("favourite");
    QPixmap mark = iconPixmap(name, QColor(0x202326), size, ratio, true);
    QPainter(&mark).drawPixmap(kEdge, kEdge,
                               iconPixmap(name, QColor(0xF2B84B), size - 2 * kEdge, ratio, true));
    return mark;
}

} // namespace homebooth::app
