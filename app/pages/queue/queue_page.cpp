// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/queue/queue_page.h"

#include "app/engine/pictures/generator.h"
#include "app/engine/runs/run_centre.h"
#include "app/pages/models/in_use_message.h"
#include "app/pages/queue/queue_commands.h"
#include "app/theme/icons.h"
#include "app/theme/metrics.h"
#include "app/theme/theme.h"
#include "app/widgets/empty_state.h"
#include "app/widgets/flow_layout.h"
#include "app/widgets/parts.h"
#include "app/widgets/row_choice.h"

#include <QBoxLayout>
#include <QEvent>
#include <QItemSelectionModel>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QShortcut>
#include <QStackedWidget>
#include <QStyledItemDelegate>
#include <QUndoStack>

#include <algorithm>

namespace homebooth::app {
namespace {

constexpr int kRowHeight = 52; ///< the least
constexpr int kRowMargin = 6;  ///< above and below the two lines
constexpr int kProgressWidth = 140;

/// A job in a line: what it is, how far, and what became of it; beside the first of a part what that part is.
class JobRow : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const override {
        const int lines =
            option.fontMetrics.height() + QFontMetrics(Theme::instance().font(TypeRole::Caption)).height();
        return {0, std::max(kRowHeight, lines + 2 * kRowMargin + kGapInside)};
    }
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        const Colours& c = colours();
        const bool selected = option.state & QStyle::State_Selected;
        paintHeading(painter, option.rect, index.data(QueueModel::HeadingRole).toString());
        const QRectF box = QRectF(option.rect).adjusted(headingWidth() + 2, 2, -2, -2);
        const bool focused = option.state & QStyle::State_HasFocus; // by Ctrl and arrows: not chosen, too
        painter->setPen(focused    ? QPen(c.link, 2)
                        : selected ? QPen(c.strong ? c.link : mixed(c.link, c.window, 0.45), 1)
                                   : QPen(c.hairline, 1));
        painter->setBrush(selected ? mixed(c.accent, c.base, 0.12) : c.base);
        painter->drawRoundedRect(box, kRadius, kRadius);
        paintText(painter, box.toRect().adjusted(kGapBlock, 0, -kGapBlock, 0), option, index);
        painter->restore();
    }

private:
    static int headingWidth() {
        const QFontMetrics metrics(Theme::instance().font(TypeRole::Caption));
        int widest = 0;
        for (const auto kind : {QueueModel::Kind::Now, QueueModel::Kind::Waiting, QueueModel::Kind::Done})
            widest = std::max(widest, metrics.horizontalAdvance(QueueModel::headingOf(kind)));
        return widest + kGapBlock;
    }

    static void paintHeading(QPainter* painter, const QRect& row, const QString& heading) {
        painter->setFont(Theme::instance().font(TypeRole::Caption));
        painter->setPen(colours().muted);
        painter->drawText(row.adjusted(0, 2 + kRowMargin, 0, 0), Qt::AlignTop | Qt::AlignLeft, heading);
    }

    static void paintText(QPainter* painter, QRect room, const QStyleOptionViewItem& option,
                          const QModelIndex& index) {
        const Colours& c = colours();
        const bool selected = option.state & QStyle::State_Selected;
        const bool works =
            static_cast<QueueModel::Kind>(index.data(QueueModel::KindRole).toInt()) == QueueModel::Kind::Now;
        const bool problem = index.data(QueueModel::ProblemRole).toBool();
        painter->drawPixmap(room.left(), room.center().y() - kNavIconSize / 2,
                            iconPixmap(index.data(QueueModel::SignRole).toString(),
                                       works     ? c.link
                                       : problem ? c.caution
                                                 : c.muted,
                                       kNavIconSize, painter->device()->devicePixelRatioF()));
        room.setLeft(room.left() + kNavIconSize + kGapBlock);
        painter->setFont(option.font);
        painter->setPen(c.secondary(selected));
        const QString when = index.data(QueueModel::WhenRole).toString();
        painter->drawText(room, Qt::AlignVCenter | Qt::AlignRight, when);
        const int side = std::max(kProgressWidth, painter->fontMetrics().horizontalAdvance(when));
        const double progress = index.data(QueueModel::ProgressRole).toDouble();
        if (progress >= 0.0) paintProgress(painter, room, progress);
        paintWords(painter, room.adjusted(0, 0, -side - kGapBlock, 0), option, index);
    }

    static void paintProgress(QPainter* painter, const QRect& room, double progress) {
        const QRectF bar(room.right() - kProgressWidth, room.center().y() - 3, kProgressWidth, 6);
        painter->setPen(Qt::NoPen);
        painter->setBrush(colours().groove);
        painter->drawRoundedRect(bar, 3, 3);
        painter->setBrush(colours().link);
        painter->drawRoundedRect(QRectF(bar.left(), bar.top(), bar.width() * progress, 6), 3, 3);
    }

    static void paintWords(QPainter* painter, const QRect& words, const QStyleOptionViewItem& option,
                           const QModelIndex& index) {
        painter->setPen(colours().text);
        painter->setFont(option.font);
        painter->drawText(
            words.adjusted(0, kRowMargin, 0, 0), Qt::AlignTop | Qt::AlignLeft,
            painter->fontMetrics().elidedText(index.data().toString(), Qt::ElideRight, words.width()));
        painter->setFont(Theme::instance().font(TypeRole::Caption));
        painter->setPen(colours().secondary(option.state & QStyle::State_Selected));
        QStringList parts{index.data(QueueModel::StateRole).toString(),
                          index.data(QueueModel::DetailRole).toString()};
        parts.removeAll(QString());
        painter->drawText(words.adjusted(0, 0, 0, -kRowMargin), Qt::AlignBottom | Qt::AlignLeft,
                          painter->fontMetrics().elidedText(parts.join(QStringLiteral(", ")), Qt::ElideRight,
                                                            words.width()));
    }
};

/// What does not begin. Pictures that were left from an earlier session are paused without the trainings.
QString pausedWords(const RunCentre& runs, const Generator& generator) {
    if (!runs.held()) return QueuePage::tr("Pictures are paused.");
    if (!generator.held()) return QueuePage::tr("Trainings are paused.");
    return runs.busy() || generator.busy() ? QueuePage::tr("What works is finished; nothing new begins.")
                                           : QueuePage::tr("Paused: nothing begins.");
}

} // namespace

QueuePage::QueuePage(Services services, QWidget* parent)
    : Page(PageId::Queue, tr("Queue"), parent)
    , m_services(services)
    , m_model(services)
    , m_stack(new QStackedWidget)
    , m_list(new QListView) {
    setCommands({Command::Delete, Command::Search});
    m_hold = addButton(tr("Pause after this one"), QStringLiteral("pause"));
    connect(m_hold, &QPushButton::clicked, this, &QueuePage::pressHold);
    m_stack->addWidget(new EmptyState(QStringLiteral("queue"),
                                      tr("Nothing waits. Jobs started while one runs line up here.")));
    m_stack->addWidget(makeJobs());
    setContent(m_stack);
    setMenuList(*m_list);
    m_inUse = new InUseMessage(services, messages(), this);
    connect(m_list, &QAbstractItemView::activated, this, &QueuePage::openChosen);
    connect(m_list->selectionModel(), &QItemSelectionModel::selectionChanged, this, &QueuePage::refresh);
    keepChosen();
    connect(&m_model, &QAbstractItemModel::dataChanged, this, &QueuePage::refresh);
    connect(&services.runs, &RunCentre::queueChanged, this, &QueuePage::refresh);
    connect(&services.runs, &RunCentre::workChanged, this, &QueuePage::refresh);
    connect(&services.generator, &Generator::changed, this, &QueuePage::refresh);
    refresh();
}

QWidget* QueuePage::makeJobs() {
    auto* part = new QWidget;
    auto* column = new QVBoxLayout(part);
    tidy(column, 0, kGapLabel);
    m_search = new QLineEdit;
    m_search->setPlaceholderText(tr("Search"));
    m_search->setAccessibleName(tr("Search jobs"));
    m_search->setClearButtonEnabled(true);
    m_search->setMaximumWidth(kListWidth);
    m_nothing = new MutedLabel(tr("Nothing matches."));
    m_nothing->hide();
    makeList();
    column->addWidget(m_search);
    column->addWidget(m_nothing);
    column->addWidget(m_list, 1);
    column->addWidget(makeActions());
    connect(m_search, &QLineEdit::textChanged, this, [this](const QString& words) {
        m_model.setFilter(words);
        refresh();
    });
    return part;
}

void QueuePage::makeList() {
    m_list->setModel(&m_model);
    m_list->setItemDelegate(new JobRow(m_list));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setUniformItemSizes(true);
    m_list->setAccessibleName(tr("Jobs"));
    chooseByKeyboard(*m_list);
    m_list->setSelectionMode(QAbstractItemView::ExtendedSelection); // a year's go with one question
    m_list->setDragDropMode(QAbstractItemView::InternalMove);
    m_list->viewport()->setAutoFillBackground(false);
}

QWidget* QueuePage::makeActions() {
    auto* part = new QWidget;
    part->setObjectName(QStringLiteral("row actions"));
    auto* row = new FlowLayout(part, kGapLabel); // large text takes two lines
    m_open = makeButton(tr("Open"));
    auto* up = makeIconButton(QStringLiteral("up"), tr("Earlier"));
    auto* down = makeIconButton(QStringLiteral("down"), tr("Later"));
    m_resume = makeButton(tr("Resume"), QStringLiteral("play"));
    m_resume->setToolTip(tr("Goes on after its last saved moment, now or when what works is done. Trainings "
                            "that wait in the queue follow unless they are paused."));
    m_fit = makeButton(tr("Fit it"));
    m_fit->setToolTip(tr("Plans it with a fifth less memory: slower, with the same result."));
    m_again = makeButton(tr("Queue again"), QStringLiteral("clock"));
    m_again->setToolTip(tr("It goes on after its last saved moment when it is its turn."));
    m_remove = makeButton(tr("Take out"), QStringLiteral("close"));
    m_remove->installEventFilter(this);
    m_delete = makeButton(tr("Delete..."), QStringLiteral("trash"));
    m_up = up;
    m_down = down;
    for (QWidget* button :
         std::initializer_list<QWidget*>{m_open, up, down, m_fit, m_resume, m_again, m_remove, m_delete})
        row->addWidget(button);
    connect(m_open, &QPushButton::clicked, this, &QueuePage::openChosen);
    connect(up, &QToolButton::clicked, this, [this] { move(-1); });
    connect(down, &QToolButton::clicked, this, [this] { move(1); });
    // Not the buttons' own keys: the last press disables one, and the next would move something else.
    for (const int by : {-1, 1}) {
        auto* key = new QShortcut(Qt::ALT | (by < 0 ? Qt::Key_Up : Qt::Key_Down), m_list);
        key->setContext(Qt::WidgetShortcut);
        connect(key, &QShortcut::activated, this, [this, by] { move(by); });
    }
    connect(m_again, &QPushButton::clicked, this,
            [this] { m_services.runs.enqueue(chosen().data(QueueModel::FolderRole).toString()); });
    connect(m_remove, &QPushButton::clicked, this, &QueuePage::removeChosen);
    connect(m_resume, &QPushButton::clicked, this, &QueuePage::resumeChosen);
    connect(m_fit, &QPushButton::clicked, this, &QueuePage::fitChosen);
    connect(m_delete, &QPushButton::clicked, this, &QueuePage::askToDelete);
    return part;
}

void QueuePage::activated() {
    m_model.lookAgain();
    m_services.runs.lookForLost();
    m_model.refresh();
    refresh();
}

QueuePage::Flow QueuePage::flow() const {
    const RunCentre& runs = m_services.runs;
    const Generator& generator = m_services.generator;
    if (runs.held() || generator.held()) return Flow::Held;
    if (runs.busy() || runs.supervised() || runs.startWanted() || generator.busy()) return Flow::Works;
    return runs.queue().isEmpty() && generator.jobs().empty() ? Flow::Empty : Flow::Rests;
}

void QueuePage::refresh() {
    const bool none = m_model.rowCount() == 0;
    m_stack->setCurrentIndex(none && m_model.whole() ? 0 : 1);
    m_nothing->setVisible(none && !m_model.whole());
    allowActions();
    Q_EMIT commandsChanged();
    const Flow flow = this->flow();
    const bool begins = flow == Flow::Held || flow == Flow::Rests;
    const bool several = m_services.runs.allWorking().size() > 1;
    m_hold->setText(flow == Flow::Held    ? tr("Go on")
                    : flow == Flow::Rests ? tr("Start the queue")
                    : several             ? tr("Pause after these")
                                          : tr("Pause after this one"));
    m_hold->setIcon(icon(begins ? QStringLiteral("play") : QStringLiteral("pause")));
    m_hold->setEnabled(flow != Flow::Empty);
    setSubtitle(flow == Flow::Rests  ? tr("Nothing works: the queue waits to be started.")
                : flow == Flow::Held ? pausedWords(m_services.runs, m_services.generator)
                                     : QString());
}

void QueuePage::allowActions() {
    // Qt gives the focus of a button that can be pressed no more to the next one, and the same key there
    // takes the row out, or pauses what works.
    const auto keepFocus = [this](const QWidget* button, bool possible) {
        if (!possible && window()->focusWidget() == button) m_list->setFocus();
        return possible;
    };
    const auto allow = [&keepFocus](QWidget* button, bool possible) {
        button->setEnabled(keepFocus(button, possible));
    };
    const int row = chosen().row();
    const int place = m_model.waitingPlace(row);
    allow(m_open, row >= 0);
    allow(m_up, m_model.whole() && place > 0);
    allow(m_down, m_model.whole() && place >= 0 && place + 1 < m_model.waitingCount());
    allow(m_again, m_model.canWaitAgain(row));
    allow(m_resume, m_model.canWaitAgain(row));
    allow(m_remove, !chosenWaiting().isEmpty());
    allow(m_delete, !chosenToDelete().isEmpty());
    m_fit->setVisible(keepFocus(m_fit, m_model.canFit(row)));
}

void QueuePage::pressHold() {
    const Flow flow = this->flow();
    if (flow == Flow::Rests) {
        m_services.runs.startQueue();
    } else {
        m_services.runs.setHeld(flow == Flow::Works);
        if (flow == Flow::Held) m_services.runs.startQueue();
        m_services.generator.setHeld(flow == Flow::Works);
    }
    refresh();
}

void QueuePage::move(int by) {
    const int row = chosen().row();
    m_model.moveRow({}, row, {}, by > 0 ? row + by + 1 : row + by);
    refresh();
}

void QueuePage::keepChosen() {
    const auto nameOf = [](const QModelIndex& one) {
        const QString folder = one.data(QueueModel::FolderRole).toString();
        return folder.isEmpty() ? one.data(QueueModel::JobRole).toString() : folder;
    };
    // Rows come and go while somebody looks at some of them.
    connect(&m_model, &QAbstractItemModel::modelAboutToBeReset, this, [this, nameOf] {
        m_chosenJobs.clear();
        for (const QModelIndex& one : m_list->selectionModel()->selectedRows())
            m_chosenJobs.insert(nameOf(one));
        m_currentJob = nameOf(m_list->currentIndex());
        m_currentRow = m_list->currentIndex().row();
    });
    connect(&m_model, &QAbstractItemModel::modelReset, this, [this, nameOf] {
        const int last = m_model.rowCount() - 1;
        int current = std::min(m_currentRow, last); // of one that is gone its neighbour
        QItemSelection found;
        for (int row = 0; m_currentRow >= 0 && row <= last; ++row) {
            const QModelIndex one = m_model.index(row);
            if (nameOf(one) == m_currentJob) current = row;
            if (m_chosenJobs.contains(nameOf(one))) found.select(one, one);
        }
        const bool gone = found.isEmpty() && !m_chosenJobs.isEmpty();
        QItemSelectionModel& rows = *m_list->selectionModel();
        if (current >= 0)
            rows.setCurrentIndex(m_model.index(current),
                                 gone ? QItemSelectionModel::ClearAndSelect : QItemSelectionModel::NoUpdate);
        rows.select(found, QItemSelectionModel::Select);
        if (gone) Q_EMIT chosenGone();
        refresh();
    });
}

void QueuePage::removeChosen() {
    if (const QModelIndexList rows = chosenWaiting(); !rows.isEmpty()) takeOut(rows);
}

bool QueuePage::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_remove && event->type() == QEvent::MouseButtonDblClick) return true;
    return Page::eventFilter(watched, event);
}

QUndoCommand* QueuePage::removalOfRow(const QModelIndex& row, QUndoCommand* parent) {
    if (const qlonglong job = row.data(QueueModel::JobRole).toLongLong(); job != 0)
        return new PicturesRemoval(m_services.runs, m_services.generator, job,
                                   tr("take pictures out of the queue"), parent);
    return new TrainingRemoval(m_services.runs, m_services.generator,
                               row.data(QueueModel::FolderRole).toString(),
                               tr("take a training out of the queue"), parent);
}

void QueuePage::takeOut(const QModelIndexList& rows) {
    const auto count = static_cast<int>(rows.size());
    const bool pictures = rows.front().data(QueueModel::JobRole).toLongLong() != 0;
    QUndoCommand* whole =
        count == 1 ? nullptr : new QUndoCommand(tr("take %n job(s) out of the queue", nullptr, count));
    QUndoCommand* one = nullptr;
    for (const QModelIndex& row : rows) one = removalOfRow(row, whole); // rows go as soon as it is done
    m_services.undo.push(whole != nullptr ? whole : one);
    Q_EMIT toast(count > 1  ? tr("%n job(s) are out of the queue.", nullptr, count)
                 : pictures ? tr("The pictures are out of the queue.")
                            : tr("The training is out of the queue."));
}

void QueuePage::openChosen() {
    const QModelIndex now = chosen();
    if (!now.isValid()) return;
    const QString folder = now.data(QueueModel::FolderRole).toString();
    if (folder.isEmpty()) return Q_EMIT wanted(PageId::Generate);
    Q_EMIT runWanted(folder);
}

bool QueuePage::ready(Command command) const {
    if (command == Command::Search) return m_stack->currentIndex() > 0;
    return !chosenToDelete().isEmpty() || !chosenWaiting().isEmpty();
}

bool QueuePage::command(Command command) {
    if (command != Command::Delete || !offers(command)) return false;
    if (chosenToDelete().isEmpty())
        removeChosen();
    else
        askToDelete();
    return true;
}

QWidget* QueuePage::searchField() {
    return m_stack->currentIndex() > 0 ? m_search : nullptr; // there are jobs
}

} // namespace homebooth::app
