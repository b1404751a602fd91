// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/generate/prompt/prompt_panel.h"

#include "app/library/library_service.h"
#include "app/theme/icons.h"
#include "app/theme/metrics.h"
#include "app/widgets/low_view.h"
#include "app/widgets/message_bar.h"
#include "app/widgets/parts.h"
#include "app/widgets/plain_tip.h"

#include <QBoxLayout>
#include <QLineEdit>
#include <QListView>
#include <QMessageBox>
#include <QPointer>
#include <QUndoStack>

namespace homebooth::app {
namespace {
constexpr int64_t kMostShown = 300;

/// A prompt as a row has it: of a long one how it begins and ends, which parts it from others.
QString shortened(const QString& text) {
    constexpr qsizetype kBegin = 90;
    constexpr qsizetype kEnd = 45;
    return text.size() <= kBegin + kEnd ? text : text.left(kBegin) + QChar(0x2026) + text.right(kEnd);
}

} // namespace

/// A change of the library that the list then shows.
class PromptPanel::Change : public QUndoCommand {
public:
    using Step = std::function<core::Result<void>(core::Library&)>;
    Change(PromptPanel& panel, const core::Prompt& prompt, const QString& text, Step redo, Step undo)
        : QUndoCommand(text)
        , m_panel(&panel)
        , m_words(wordsOf(prompt))
        , m_since(panel.m_times)
        , m_library(panel.m_services.library)
        , m_redo(std::move(redo))
        , m_undo(std::move(undo)) {}
    void redo() override { take(m_redo); }
    void undo() override { take(m_undo); }

private:
    void take(const Step& step) {
        if (m_panel && m_panel->forgottenSince(m_words, m_since)) return setObsolete(true);
        m_library.write(step);
        if (m_panel) m_panel->refresh();
    }
    QPointer<PromptPanel> m_panel;
    Words m_words; // not its key: of the same words another one may have been forgotten
    int m_since;
    LibraryService& m_library;
    Step m_redo;
    Step m_undo;
};

PromptModel::PromptModel(QObject* parent)
    : QAbstractListModel(parent) {}

void PromptModel::set(std::vector<core::Prompt> prompts) {
    if (prompts == m_prompts) return;
    beginResetModel();
    m_prompts = std::move(prompts);
    endResetModel();
}

int PromptModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_prompts.size());
}

QVariant PromptModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const core::Prompt& prompt = at(index.row());
    const QString text = QString::fromStdString(prompt.text);
    const QString whole =
        prompt.negative.empty()
            ? text
            : text + '\n' + tr("Leave out: %1").arg(QString::fromStdString(prompt.negative));
    switch (role) {
    case Qt::DisplayRole:
        return shortened(whole);
    case Qt::ToolTipRole:
        return plainTip(whole);
    case Qt::DecorationRole:
        return prompt.favourite ? icon(QStringLiteral("favourite"), true) : QIcon();
    case Qt::AccessibleTextRole:
        return prompt.favourite ? tr("Favourite: %1").arg(whole) : whole;
    default:
        return {};
    }
}

PromptPanel::PromptPanel(Services services, QWidget* parent)
    : QWidget(parent)
    , m_services(services)
    , m_search(new QLineEdit) {
    auto* column = new QVBoxLayout(this);
    tidy(column, kGapBlock, kGapLabel);
    m_search->setPlaceholderText(tr("Search"));
    m_search->setAccessibleName(tr("Search prompts"));
    m_search->setClearButtonEnabled(true);
    m_favourites = makeButton(tr("Favourites"), QStringLiteral("favourite"), "segment");
    auto* keep = makeButton(tr("Keep this prompt"), QStringLiteral("add"));
    keep->setToolTip(tr("Puts what stands in the form among the favourites, also before it was used."));
    column->addWidget(m_search);
    column->addWidget(m_favourites, 0, Qt::AlignLeft);
    m_nothing = new MutedLabel(tr("Prompts that were used or kept stand here."));
    column->addWidget(m_nothing);
    column->addWidget(makeList(), 1);
    column->addWidget(keep);
    column->addLayout(makeButtons());
    auto* forgetAll = makeButton(tr("Forget all prompts..."), {}, "quiet");
    connect(forgetAll, &QPushButton::clicked, this, [this] { askToForget(true); });
    column->addWidget(forgetAll, 0, Qt::AlignLeft);
    column->addWidget(new MutedLabel(
        tr("{subject} stands for your subject, {animal} for a line of the word list \"animal\"; "
           "of {red|blue} one is taken. The seed decides which. \\{ and \\} are braces.")));
    connect(m_search, &QLineEdit::textChanged, this, &PromptPanel::refresh);
    connect(m_favourites, &QPushButton::toggled, this, &PromptPanel::refresh);
    connect(keep, &QPushButton::clicked, this, &PromptPanel::keepWanted);
    connect(&services.library, &LibraryService::roomCame, this, &PromptPanel::refresh);
}

QWidget* PromptPanel::makeList() {
    m_list = new LowView<QListView>;
    m_list->setModel(&m_model);
    m_list->setAccessibleName(tr("Prompts"));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setMouseTracking(true);
    m_list->setWordWrap(true);
    m_list->setResizeMode(QListView::Adjust);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->viewport()->setAutoFillBackground(false);
    connect(m_list, &QAbstractItemView::clicked, this, [this](const QModelIndex& index) {
        const core::Prompt& prompt = m_model.at(index.row());
        Q_EMIT chosen(QString::fromStdString(prompt.text), QString::fromStdString(prompt.negative));
    });
    connect(m_list, &QAbstractItemView::activated, m_list, &QAbstractItemView::clicked);
    connect(m_list->selectionModel(), &QItemSelectionModel::currentChanged, this,
            &PromptPanel::refreshButtons);
    return m_list;
}

QLayout* PromptPanel::makeButtons() {
    auto* buttons = new QHBoxLayout;
    auto* favourite = makeIconButton(QStringLiteral("favourite"), tr("Favourite"));
    auto* remove = makeIconButton(QStringLiteral("trash"), tr("Delete the prompt"));
    buttons->addWidget(favourite);
    buttons->addWidget(remove);
    buttons->addStretch();
    m_forget = makeButton(tr("Forget..."), {}, "quiet");
    m_forget->setToolTip(tr("Deletes the prompt for good, from the library's backups, too."));
    buttons->addWidget(m_forget);
    connect(m_forget, &QPushButton::clicked, this, [this] { askToForget(false); });
    connect(favourite, &QToolButton::clicked, this, &PromptPanel::toggleFavourite);
    connect(remove, &QToolButton::clicked, this, &PromptPanel::removeChosen);
    m_buttons = {favourite, remove};
    refreshButtons();
    return buttons;
}

void PromptPanel::refreshButtons() {
    for (QToolButton* button : m_buttons) button->setEnabled(hasCurrent());
    m_forget->setEnabled(hasCurrent());
    Q_EMIT currentChanged();
}

void PromptPanel::refresh() {
    m_services.library.ask<std::vector<core::Prompt>>(
        this,
        [words = m_search->text().toStdString(), marked = m_favourites->isChecked()](core::Library& library) {
            return core::findPrompts(library, words, kMostShown, marked);
        },
        [this](const std::vector<core::Prompt>& prompts) { showPrompts(prompts); });
}

void PromptPanel::showPrompts(const std::vector<core::Prompt>& prompts) {
    const QModelIndex now = m_list->currentIndex();
    const int row = now.row();
    const int64_t id = now.isValid() ? m_model.at(row).id : 0;
    m_model.set(prompts);
    const bool all = m_search->text().isEmpty() && !m_favourites->isChecked();
    m_nothing->setText(all ? tr("Prompts that were used or kept stand here.") : tr("Nothing matches."));
    m_nothing->setVisible(prompts.empty());
    refreshButtons(); // a reset takes the current one without a word
    if (id == 0 || m_model.rowCount() == 0 || m_list->currentIndex().isValid()) return;
    // The same one, wherever it is now; of one that is gone its neighbour.
    int next = qMin(row, m_model.rowCount() - 1);
    for (int i = 0; i < m_model.rowCount(); ++i)
        if (m_model.at(i).id == id) next = i;
    m_list->setCurrentIndex(m_model.index(next));
}

PromptPanel::Words PromptPanel::wordsOf(const core::Prompt& prompt) {
    return {QString::fromStdString(prompt.text), QString::fromStdString(prompt.negative)};
}

bool PromptPanel::forgottenSince(const Words& prompt, int since) const {
    return m_allAt > since || m_forgotten.value(prompt) > since;
}

void PromptPanel::change(const core::Prompt& prompt, const QString& text, Change::Step redo,
                         Change::Step undo) {
    m_services.undo.push(new Change(*this, prompt, text, std::move(redo), std::move(undo)));
}

void PromptPanel::keep(const QString& text, const QString& negative) {
    if (text.isEmpty()) return;
    core::Prompt fresh;
    fresh.id = core::newRecordId();
    fresh.text = text.toStdString();
    fresh.negative = negative.toStdString();
    fresh.favourite = true;
    fresh.usedMs = core::nowMs();
    const auto take = [this, fresh](const std::optional<core::Prompt>& known) {
        if (known && known->favourite) return refresh();
        if (known)
            return change(
                *known, tr("keep a prompt"),
                [id = known->id](core::Library& library) {
                    return core::setPromptFavourite(library, id, true);
                },
                [id = known->id](core::Library& library) {
                    return core::setPromptFavourite(library, id, false);
                });
        change(
            fresh, tr("keep a prompt"),
            [fresh](core::Library& library) { return core::savePrompt(library, fresh); },
            [id = fresh.id](core::Library& library) { return core::removePrompt(library, id); });
    };
    m_services.library.ask<std::optional<core::Prompt>>(
        this,
        [fresh](core::Library& library) { return core::findPrompt(library, fresh.text, fresh.negative); },
        take);
}

void PromptPanel::toggleFavourite() {
    const QModelIndex now = m_list->currentIndex();
    if (!now.isValid()) return;
    const core::Prompt prompt = m_model.at(now.row());
    const bool marked = prompt.favourite;
    const auto mark = [id = prompt.id](bool favourite) {
        return [id, favourite](core::Library& library) {
            return core::setPromptFavourite(library, id, favourite);
        };
    };
    change(prompt, marked ? tr("no favourite prompt") : tr("favourite prompt"), mark(!marked), mark(marked));
}

void PromptPanel::removeChosen() {
    const QModelIndex now = m_list->currentIndex();
    if (!now.isValid()) return;
    const core::Prompt prompt = m_model.at(now.row());
    change(
        prompt, tr("delete prompt"),
        [id = prompt.id](core::Library& library) { return core::removePrompt(library, id); },
        [prompt](core::Library& library) { return core::savePrompt(library, prompt); });
    Q_EMIT toast(tr("The prompt was deleted."));
}

void PromptPanel::askToForget(bool all) {
    const QModelIndex now = m_list->currentIndex();
    if (!all && !now.isValid()) return;
    std::optional<core::Prompt> one;
    if (!all) one = m_model.at(now.row());
    const QString question =
        all ? tr("<b>Forget all prompts?</b> The favourites go, too.") : tr("<b>Forget this prompt?</b>");
    const QString words =
        tr("This cannot be undone. The library's backups are rewritten without it, also what they say of "
           "pictures that are gone. Pictures that are there, also in the trash, and trainings keep their "
           "prompts in their files, and so does what other programs have copied. What stands in the form "
           "stays.");
    auto* box = new QMessageBox(QMessageBox::Question, tr("Forget prompts"),
                                question + QStringLiteral("<br>") + words, QMessageBox::Cancel, this);
    QPushButton* go = box->addButton(tr("Forget"), QMessageBox::DestructiveRole);
    box->button(QMessageBox::Cancel)->setText(tr("Cancel"));
    box->setDefaultButton(QMessageBox::Cancel);
    connect(go, &QPushButton::clicked, this, [this, one] { forget(one); });
    openQuestion(*box);
}

void PromptPanel::forget(const std::optional<core::Prompt>& one) {
    ++m_times;
    if (one)
        m_forgotten.insert(wordsOf(*one), m_times);
    else
        m_allAt = m_times;
    m_services.library.work(
        this, [one](core::Library& library) { return core::forgetPrompts(library, one ? &*one : nullptr); },
        [this, all = !one](const core::Result<core::LeftFiles>& left) { tellForgotten(left, all); });
}

void PromptPanel::tellForgotten(const core::Result<core::LeftFiles>& left, bool all) {
    refresh();
    if (left && left->empty())
        return Q_EMIT toast(all ? tr("All prompts are forgotten.") : tr("The prompt is forgotten."));
    QString text;
    if (!left) {
        text = troubleText(tr("Not everything could be forgotten."),
                           QString::fromStdString(left.error().text()));
    } else {
        text = tr("<b>It is forgotten, but not in these older files of the library.</b> Delete them yourself "
                  "if you need them no more:");
        for (const std::string& file : *left)
            text += QStringLiteral("<br>") + QString::fromStdString(file).toHtmlEscaped();
    }
    openQuestion(
        *new QMessageBox(QMessageBox::Warning, tr("Forget prompts"), text, QMessageBox::Close, this));
}

bool PromptPanel::listHasFocus() const {
    return m_list->hasFocus();
}

bool PromptPanel::hasCurrent() const {
    return m_list->currentIndex().isValid();
}

} // namespace homebooth::app
