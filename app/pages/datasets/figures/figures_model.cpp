// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/datasets/figures/figures_model.h"

#include "app/widgets/plain_tip.h"

#include <QLocale>

#include <algorithm>
#include <utility>

namespace homebooth::app {
namespace {

/// Numbers stand one below the other.
QVariant alignmentOf(int column) {
    const bool isNumber = column == FiguresModel::Pictures || column == FiguresModel::Share;
    return QVariant::fromValue<int>((isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
}

/// Kinds of one group stand under one heading.
FigureKind groupOf(FigureKind kind) {
    return kind == FigureKind::Broken || kind == FigureKind::NoCaption ? FigureKind::Missing : kind;
}

QString numberOf(qint64 number) {
    return QLocale().toString(number);
}

} // namespace

void FiguresModel::set(const std::vector<Figure>& figures, int pictures, const LearnedSizes& sizes) {
    const bool sameSizes = std::exchange(m_sizes, sizes) == sizes;
    const bool sameSum = std::exchange(m_pictures, pictures) == pictures;
    std::vector<Row> rows;
    for (auto first = figures.begin(); first != figures.end();) {
        const FigureKind group = groupOf(first->kind);
        const auto isOther = [group](const Figure& figure) { return groupOf(figure.kind) != group; };
        const auto beyond = std::find_if(first, figures.end(), isOther);
        rows.push_back({true, *first});
        for (; first != beyond; ++first) rows.push_back({false, *first});
    }
    if (rows != m_rows || !sameSizes || !sameSum) take(std::move(rows));
}

void FiguresModel::take(std::vector<Row> rows) {
    const auto same = [](const Row& a, const Row& b) {
        return a.heading == b.heading && a.figure.kind == b.figure.kind;
    };
    const bool allSame = std::equal(rows.begin(), rows.end(), m_rows.begin(), m_rows.end(), same);
    if (allSame && !rows.empty()) { // whoever reads a row stays at it
        m_rows = std::move(rows);
        return Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
    }
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
}

int FiguresModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int FiguresModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QString FiguresModel::headingOf(FigureKind kind) const {
    switch (groupOf(kind)) {
    case FigureKind::Side:
        return tr("Longer side");
    case FigureKind::Learned:
        return m_sizes.framing == core::FramingMode::Crop ? tr("Shapes at %1 px, if kept").arg(m_sizes.pixels)
                                                          : tr("Shapes at %1 px").arg(m_sizes.pixels);
    case FigureKind::Words:
        return tr("Words in a caption");
    case FigureKind::Tag:
        return tr("Most frequent tags");
    default:
        return tr("Problems");
    }
}

QString FiguresModel::nameOf(const Figure& figure) const {
    switch (figure.kind) {
    case FigureKind::Side:
        if (figure.last == 0) return tr("%1 px and more").arg(figure.first);
        return figure.first <= 1 ? tr("up to %1 px").arg(figure.last)
                                 : tr("%1 to %2 px").arg(figure.first).arg(figure.last);
    case FigureKind::Learned:
        return tr("%1 x %2").arg(figure.first).arg(figure.last);
    case FigureKind::Words:
        return figure.last == 0 ? tr("%1 and more").arg(figure.first)
                                : tr("%1 to %2").arg(figure.first).arg(figure.last);
    case FigureKind::Tag:
        return figure.tag;
    case FigureKind::Missing:
        return tr("Missing");
    case FigureKind::Broken:
        return tr("Broken");
    case FigureKind::NoCaption:
        break;
    }
    return tr("No caption");
}

QString FiguresModel::shareOf(const Figure& figure) const {
    if (m_pictures == 0) return {};
    const double percent = 100.0 * figure.pictures / m_pictures;
    if (figure.pictures > 0 && percent < 1.0) return tr("< 1 %");
    return tr("%1 %").arg(QLocale().toString(percent, 'f', 0));
}

QString FiguresModel::textOf(const Row& row, int column) const {
    if (row.heading) return column == What ? headingOf(row.figure.kind) : QString();
    switch (column) {
    case What:
        return nameOf(row.figure);
    case Pictures:
        return numberOf(row.figure.pictures);
    case Share:
        return shareOf(row.figure);
    default:
        return {};
    }
}

QString FiguresModel::sentenceOf(const Row& row) const {
    const QString heading = headingOf(row.figure.kind);
    if (row.heading) return heading;
    return tr("%1, %2: %n picture(s), %3", nullptr, row.figure.pictures)
        .arg(heading, nameOf(row.figure), shareOf(row.figure));
}

QString FiguresModel::toolTipOf(const Row& row) const {
    if (groupOf(row.figure.kind) == FigureKind::Learned && m_sizes.framing == core::FramingMode::Crop)
        return tr("Training would crop every picture to a square of %1 px, as it is set now. With Shapes: "
                  "keep shapes, among its expert settings, it learns these sizes.")
            .arg(m_sizes.pixels);
    if (groupOf(row.figure.kind) == FigureKind::Learned)
        return tr("Training learns each picture at the size whose shape is nearest to its own.");
    return plainTip(textOf(row, What));
}

QVariant FiguresModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const Row& row = m_rows[static_cast<size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return textOf(row, index.column());
    case Qt::AccessibleTextRole:
        return index.column() == What ? sentenceOf(row) : textOf(row, index.column());
    case Qt::ToolTipRole:
        return toolTipOf(row);
    case Qt::TextAlignmentRole:
        return alignmentOf(index.column());
    case HeadingRole:
        return row.heading;
    case BarRole:
        if (row.heading) return {};
        return m_pictures > 0 ? double(row.figure.pictures) / m_pictures : 0.0;
    default:
        return {};
    }
}

QVariant FiguresModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return QAbstractTableModel::headerData(section, orientation, role);
    if (role == Qt::TextAlignmentRole) return alignmentOf(section);
    if (role != Qt::DisplayRole) return {};
    switch (section) {
    case What:
        return tr("What is counted");
    case Pictures:
        return tr("Pictures");
    case Share:
        return tr("Part of all");
    default:
        return {};
    }
}

} // namespace homebooth::app
