// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/settings/settings_page.h"

#include "app/engine/figures.h"
#include "app/engine/runs/disk_use.h"
#include "app/library/background.h"
#include "app/library/search.h"
#include "app/pages/settings/kept_copies.h"
#include "app/pages/settings/setting_change.h"
#include "app/shell/event_rules.h"
#include "app/theme/metrics.h"
#include "app/theme/theme.h"
#include "app/widgets/file_dialog.h"
#include "app/widgets/message_bar.h"
#include "app/widgets/parts.h"
#include "app/widgets/pictures/scroll_memory.h"
#include "app/widgets/plain_tip.h"
#include "app/widgets/row_choice.h"

#include <QApplication>
#include <QBoxLayout>
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFontMetrics>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QScrollArea>
#include <QSpinBox>
#include <QUndoStack>

#include <memory>

namespace homebooth::app {
namespace {

constexpr int kFieldWidth = 190;
constexpr int kPathLetters = 26; // of a folder that are seen
constexpr int kWordLetters = 26; // in a line beside a field; where there is no room for them it goes below
constexpr int kFormLetters = 76; // in the widest line
constexpr int kDotSide = 8;
constexpr int kArrows = 48;   // beside the number of a field
constexpr double kStep = 0.5; // of the arrows where numbers have decimals

/// The dot of a changed setting.
class Dot : public QWidget {
public:
    Dot() { setFixedSize(kDotSide, kDotSide); }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(colours().link);
        painter.drawEllipse(rect());
    }
};

/// What fields of whole numbers and of those with decimals have in common.
template <class Spin>
Spin* makeSpin(const Setting& setting) {
    auto* spin = new Spin;
    spin->setRange(setting.least, setting.most);
    if (!setting.unit.isEmpty()) spin->setSuffix(' ' + setting.unit);
    spin->setSpecialValueText(setting.nothing);
    spin->setMinimumWidth(setting.nothing.isEmpty() ? kFieldWidth / 2 : kFieldWidth);
    spin->setKeyboardTracking(false);
    return spin;
}

void keepPlace(QWidget* widget) {
    QSizePolicy policy = widget->sizePolicy();
    policy.setRetainSizeWhenHidden(true);
    widget->setSizePolicy(policy);
}

/// What stands beside a field; by it screen readers know what a choice is for.
QLabel* makeName(const Setting& setting, QWidget* field) {
    auto* name = new QLabel(setting.label);
    name->setWordWrap(true);
    name->setBuddy(field);
    return name;
}

} // namespace

SettingsPage::SettingsPage(Settings& settings, KeptCopies* copies, QUndoStack* undo, QWidget* parent)
    : Page(PageId::Settings, tr("Settings"), parent)
    , m_settings(settings)
    , m_copies(copies)
    , m_undo(undo)
    , m_search(new QLineEdit)
    , m_groups(new QListView) {
    auto* parts = new QWidget;
    auto* row = new QHBoxLayout(parts);
    tidy(row, 0, kGapSection);
    row->addLayout(makeSide());
    m_scroll = makeScroll(makeForm());
    new ScrollMemory(m_scroll, settings, "settings");
    row->addWidget(m_scroll, 1);
    setContent(parts);
    connect(&Theme::instance(), &Theme::changed, this, [this] {
        for (const Row& one : m_rows) show(one); // larger letters elide elsewhere
        arrange();
    });
    setCommands({Command::Search});
    connect(m_search, &QLineEdit::textChanged, this, &SettingsPage::filter);
    QStringList names;
    for (const auto& [name, title] : m_titles) names.append(name);
    m_groupNames.setStringList(names);
    connect(m_groups->selectionModel(), &QItemSelectionModel::currentChanged, this,
            [this](const QModelIndex& now) {
                if (now.isValid())
                    m_scroll->ensureWidgetVisible(m_titles[static_cast<size_t>(now.row())].second, 0,
                                                  m_scroll->height() - 80);
            });
    connect(&m_settings, &Settings::changed, this, [this](const QByteArray& key) {
        for (const Row& one : m_rows)
            if (key == one.setting->key) show(one);
    });
}

QLayout* SettingsPage::makeSide() {
    auto* side = new QVBoxLayout;
    side->setSpacing(kGapLabel);
    m_search->setPlaceholderText(tr("Search"));
    m_search->setAccessibleName(tr("Search settings"));
    m_search->setClearButtonEnabled(true);
    m_search->setFixedWidth(kListWidth);
    m_groups->setModel(&m_groupNames);
    m_groups->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_groups->setFixedWidth(kListWidth);
    m_groups->setFrameShape(QFrame::NoFrame);
    m_groups->viewport()->setAutoFillBackground(false);
    m_groups->setAccessibleName(tr("Groups of settings"));
    m_groups->setMouseTracking(true);
    chooseByKeyboard(*m_groups);
    side->addWidget(m_search);
    side->addWidget(m_groups, 1);
    return side;
}

QWidget* SettingsPage::makeForm() {
    auto* form = new QWidget;
    auto* column = new QVBoxLayout(form);
    column->setContentsMargins(0, 0, kPageMargin, kGapSection);
    column->setSpacing(kGapBlock);
    m_column = column;
    m_nothing = new MutedLabel(tr("Nothing matches."));
    m_nothing->hide();
    column->addWidget(m_nothing);
    QString group;
    for (const Setting& setting : m_settings.list()) {
        if (setting.group != group) addGroup(group = setting.group);
        addRow(setting);
    }
    addGroup(tr("Privacy"));
    column->addWidget(m_privacy = new QLabel(tr("Homebooth sends nothing.")));
    if (m_copies != nullptr) {
        const QString key = QStringLiteral("copies");
        column->addWidget(m_copies);
        connect(m_copies, &KeptCopies::refused, this, [this, key](const QString& text) {
            messages().show({MessageKind::Caution, text, {}, key});
        });
        connect(m_copies, &KeptCopies::emptied, this, [this, key] { messages().drop(key); });
    }
    column->addStretch(1); // rows that are left by a search stay together
    return form;
}

void SettingsPage::addGroup(const QString& name) {
    auto* title = makeLabel(name, TypeRole::Section);
    if (!m_titles.empty()) title->setContentsMargins(0, kGapBlock, 0, 0);
    m_column->addWidget(title);
    m_titles.emplace_back(name, title);
}

void SettingsPage::addRow(const Setting& setting) {
    Row row;
    row.setting = &setting;
    row.whole = new QWidget;
    row.parts = new QBoxLayout(QBoxLayout::LeftToRight, row.whole);
    tidy(row.parts, 0, kGapLabel);
    row.mark = new Dot;
    row.field = makeField(setting);
    row.field->setAccessibleName(setting.label);
    row.field->setToolTip(setting.tooltip);
    auto* reset = makeButton(tr("Default"), {}, "quiet");
    reset->setAccessibleName(tr("Default of %1").arg(setting.label));
    connect(reset, &QPushButton::clicked, this, [this, &setting] { change(setting.key, setting.fallback); });
    row.reset = reset;
    keepPlace(row.mark);
    keepPlace(row.reset);
    auto* words = new QVBoxLayout;
    tidy(words, 0, kGapInside / 2);
    words->addStretch(); // beside a higher field the lines stay together
    words->addWidget(makeName(setting, row.field));
    words->addWidget(new MutedLabel(setting.tooltip));
    if (setting.kind == SettingKind::Folder) words->addWidget(row.room = new MutedLabel);
    words->addStretch();
    auto* head = new QHBoxLayout;
    head->setSpacing(kGapLabel);
    head->addWidget(row.mark);
    head->addLayout(words, 1);
    row.tail = new QHBoxLayout;
    row.tail->setSpacing(kGapLabel);
    row.tail->addWidget(row.field);
    row.tail->addWidget(row.reset);
    row.tail->addStretch();
    row.parts->addLayout(head, 1);
    row.parts->addLayout(row.tail);
    m_column->addWidget(row.whole);
    m_rows.push_back(row);
    show(row);
}

QWidget* SettingsPage::makeNumberField(const Setting& setting) {
    if (setting.decimals == 0) {
        auto* spin = makeSpin<QSpinBox>(setting);
        connect(spin, &QSpinBox::valueChanged, this,
                [this, key = setting.key](int value) { change(key, value); });
        return spin;
    }
    auto* spin = makeSpin<QDoubleSpinBox>(setting);
    spin->setDecimals(setting.decimals);
    spin->setSingleStep(kStep);
    connect(spin, &QDoubleSpinBox::valueChanged, this,
            [this, key = setting.key](double value) { change(key, value); });
    return spin;
}

QWidget* SettingsPage::makeField(const Setting& setting) {
    const char* key = setting.key;
    switch (setting.kind) {
    case SettingKind::Flag: {
        auto* box = new QCheckBox;
        connect(box, &QCheckBox::toggled, this, [this, key](bool on) { change(key, on); });
        return box;
    }
    case SettingKind::Number:
        return makeNumberField(setting);
    case SettingKind::Choice: {
        auto* combo = new QComboBox;
        combo->setMinimumWidth(kFieldWidth);
        for (const SettingChoice& choice : setting.choices) combo->addItem(choice.label, choice.value);
        connect(combo, &QComboBox::currentIndexChanged, this,
                [this, key, combo] { change(key, combo->currentData()); });
        return combo;
    }
    case SettingKind::Folder:
        return makeFolderField(setting);
    case SettingKind::Text:
        break;
    }
    auto* line = new QLineEdit;
    line->setMinimumWidth(kFieldWidth);
    line->setProperty(kWindowUndoProperty, true);
    connect(line, &QLineEdit::textEdited, this, [this, key](const QString& text) { change(key, text); });
    return line;
}

QWidget* SettingsPage::makeFolderField(const Setting& setting) {
    auto* button = makeButton({}, QStringLiteral("folder"));
    connect(button, &QPushButton::clicked, this, [this, key = setting.key, label = setting.label] {
        askForFile(this, {label, QFileDialog::Directory, {}, m_settings.text(key)},
                   [this, key](const QString& path) { change(key, path); });
    });
    return button;
}

void SettingsPage::change(const char* key, const QVariant& value) {
    if (m_settings.value(key) == value) return;
    const Setting& setting = *m_settings.find(key);
    auto step =
        std::make_unique<SettingChange>(m_settings, setting, value, tr("change %1").arg(setting.label));
    if (m_undo != nullptr)
        m_undo->push(step.release());
    else
        step->redo();
}

void SettingsPage::show(const Row& row) {
    const char* key = row.setting->key;
    const QSignalBlocker quiet(row.field);
    if (auto* box = qobject_cast<QCheckBox*>(row.field)) box->setChecked(m_settings.flag(key));
    if (auto* spin = qobject_cast<QSpinBox*>(row.field)) spin->setValue(m_settings.number(key));
    if (auto* spin = qobject_cast<QDoubleSpinBox*>(row.field))
        spin->setValue(m_settings.value(key).toDouble());
    if (auto* combo = qobject_cast<QComboBox*>(row.field))
        combo->setCurrentIndex(combo->findData(m_settings.value(key)));
    if (auto* line = qobject_cast<QLineEdit*>(row.field)) line->setText(m_settings.text(key));
    if (auto* folder = qobject_cast<QPushButton*>(row.field)) {
        const int room = kPathLetters * folder->fontMetrics().averageCharWidth();
        const QString path = m_settings.text(key);
        folder->setText(path.isEmpty()
                            ? tr("None")
                            : asButtonText(folder->fontMetrics().elidedText(path, Qt::ElideMiddle, room)));
        setPlainTip(*folder, path);
        measure(row);
    }
    const bool own = !m_settings.isDefault(key);
    row.mark->setVisible(own);
    row.reset->setVisible(own);
}

void SettingsPage::measure(const Row& row) {
    const QString folder = m_settings.text(row.setting->key);
    inBackground(
        this, [folder] { return freeBytesAt(folder); },
        [this, row, folder](qint64 free) {
            if (m_settings.text(row.setting->key) != folder) return;
            row.room->setText(free < 0 ? QString() : tr("%1 free on that disk.").arg(diskText(free)));
            row.room->setVisible(free >= 0);
        });
}

void SettingsPage::arrange() {
    for (const Row& row : m_rows)
        if (auto* spin = qobject_cast<QSpinBox*>(row.field); spin && spin->specialValueText().isEmpty()) {
            const QString longest = QString::number(spin->maximum()) + spin->suffix();
            spin->setMinimumWidth(
                qMax(kFieldWidth / 2, spin->fontMetrics().horizontalAdvance(longest) + kArrows));
        }
    const int letter = QFontMetrics(QApplication::font()).averageCharWidth(); // the page may not know it yet
    const int most = qMax(kFormWidth + 160, kFormLetters * letter);
    m_scroll->widget()->setMaximumWidth(most);
    const int room = qMin(m_scroll->viewport()->width(), most) - kPageMargin;
    int widest = 0;
    for (const Row& row : m_rows) widest = qMax(widest, row.tail->sizeHint().width());
    const bool below = room - widest < kWordLetters * fontMetrics().averageCharWidth();
    for (const Row& row : m_rows) {
        row.parts->setDirection(below ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
        row.tail->setContentsMargins(below ? kDotSide + kGapLabel : 0, 0, 0, 0); // below the words
    }
}

void SettingsPage::resizeEvent(QResizeEvent* event) {
    Page::resizeEvent(event);
    arrange();
}

void SettingsPage::showEvent(QShowEvent* event) {
    Page::showEvent(event);
    arrange();
}

void SettingsPage::filter(const QString& typed) {
    const std::vector<std::string> words = core::searchWords(typed.toStdString());
    for (const Row& row : m_rows) {
        const QString text = row.setting->label + ' ' + row.setting->tooltip + ' ' + row.setting->group;
        row.whole->setVisible(holdsWords(text, words));
    }
    const bool privacy = filterPrivacy(words);
    bool found = false;
    for (const auto& [name, title] : m_titles) {
        bool any = title == m_titles.back().second && privacy;
        for (const Row& row : m_rows) any = any || (row.setting->group == name && !row.whole->isHidden());
        title->setVisible(any);
        title->setContentsMargins(0, found ? kGapBlock : 0, 0, 0);
        found = found || any;
    }
    m_nothing->setVisible(!found);
    if (!words.empty()) m_groups->selectionModel()->clear(); // what is found may be of others
}

bool SettingsPage::filterPrivacy(const std::vector<std::string>& words) {
    const QString group = ' ' + m_titles.back().first;
    const bool sentence = holdsWords(m_privacy->text() + group, words);
    const bool copies = m_copies != nullptr && holdsWords(m_copies->words() + group, words);
    m_privacy->setVisible(sentence);
    if (m_copies != nullptr) m_copies->setVisible(copies);
    return sentence || copies;
}

QWidget* SettingsPage::searchField() {
    return m_search;
}

} // namespace homebooth::app
