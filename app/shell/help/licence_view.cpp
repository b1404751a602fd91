// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/help/licence_view.h"

#include "app/library/background.h"
#include "app/theme/metrics.h"
#include "app/widgets/name_row.h"
#include "app/widgets/parts.h"

#include <QBoxLayout>
#include <QFontDatabase>
#include <QListView>
#include <QPlainTextEdit>

namespace homebooth::app {
namespace {

constexpr int kLeastHeight = 220; // some lines of a text are seen
constexpr int kListLetters = 48;  // a name, its version and its licence

QString headingOf(Component::Part part) {
    switch (part) {
    case Component::Part::Own:
        return ComponentList::tr("Homebooth");
    case Component::Part::Window:
        return ComponentList::tr("Libraries of the window");
    case Component::Part::Engine:
        return ComponentList::tr("Libraries of the engine");
    case Component::Part::Data:
        return ComponentList::tr("Models, words and pictures");
    }
    return {};
}

QString titleOf(const Component& component) {
    return component.version.isEmpty() ? component.name : component.name + ' ' + component.version;
}

} // namespace

ComponentList::ComponentList(QObject* parent)
    : QAbstractListModel(parent)
    , m_components(components()) {}

int ComponentList::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_components.size());
}

QVariant ComponentList::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const Component& component = at(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return titleOf(component);
    case Qt::ToolTipRole:
    case Qt::AccessibleTextRole:
        return QStringLiteral("%1: %2").arg(titleOf(component), component.licence);
    case LicenceRole:
        return component.licence;
    case HeadingRole:
        return index.row() > 0 && at(index.row() - 1).part == component.part ? QString()
                                                                             : headingOf(component.part);
    default:
        return {};
    }
}

LicenceView::LicenceView(QWidget* parent)
    : QWidget(parent)
    , m_list(new QListView)
    , m_about(new QLabel)
    , m_text(new QPlainTextEdit) {
    auto* row = new QHBoxLayout(this);
    tidy(row, 0, kGapBlock);
    m_list->setModel(&m_components);
    m_list->setItemDelegate(new NameRow(ComponentList::LicenceRole, ComponentList::HeadingRole, m_list));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setFixedWidth(kListLetters * fontMetrics().averageCharWidth());
    m_list->setMinimumHeight(kLeastHeight);
    m_list->setAccessibleName(tr("Parts of Homebooth"));
    m_list->setMouseTracking(true);
    m_list->viewport()->setAutoFillBackground(false);
    row->addWidget(m_list);
    auto* column = new QVBoxLayout;
    column->setSpacing(kGapLabel);
    m_about->setWordWrap(true);
    m_about->setTextFormat(Qt::RichText);
    m_about->setTextInteractionFlags(Qt::TextBrowserInteraction);
    m_about->setOpenExternalLinks(true);
    column->addWidget(m_about);
    m_text->setReadOnly(true);
    m_text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont)); // texts have columns and indents
    m_text->setTabChangesFocus(true);
    m_text->setMinimumHeight(kLeastHeight / 2);
    m_text->setAccessibleName(tr("Text of the licence"));
    column->addWidget(m_text, 1);
    row->addLayout(column, 1);
    connect(m_list->selectionModel(), &QItemSelectionModel::currentChanged, this,
            [this](const QModelIndex& now) { showLicence(now.row()); });
    m_list->setCurrentIndex(m_components.index(0));
}

void LicenceView::showLicence(int row) {
    m_shown = row;
    if (row < 0) return;
    const Component& component = m_components.at(row);
    QString about = QStringLiteral("<b>%1</b><br>%2")
                        .arg(titleOf(component).toHtmlEscaped(), component.licence.toHtmlEscaped());
    if (!component.address.isEmpty())
        about += QStringLiteral("<br><a href=\"%1\">%1</a>").arg(component.address.toHtmlEscaped());
    m_about->setText(about);
    m_text->clear();
    inBackground(
        this, [component] { return licenceTextOf(component); },
        [this, row](const LicenceText& read) {
            if (row == m_shown) m_text->setPlainText(read.text);
        });
}

} // namespace homebooth::app
