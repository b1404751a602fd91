// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The window's menus: every action and every key stands in one of them, and only what does something now can
// be chosen.
#include "app/engine/pictures/generator.h"
#include "app/engine/runs/run_centre.h"
#include "app/engine/runs/run_session.h"
#include "app/pages/subjects/subjects_page.h"
#include "app/shell/help/help_dialogs.h"
#include "app/shell/job_bar.h"
#include "app/shell/main_window.h"
#include "app/shell/navigation.h"
#include "app/widgets/message_bar.h"
#include "app/widgets/parts.h"
#include "app/widgets/pictures/large_view.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QApplication>
#include <QMenuBar>
#include <QPushButton>
#include <QUndoStack>

#include <algorithm>

namespace homebooth::app {
namespace {

/// Adds what goes a step back, or on again, and says which; the list of keys has the word alone. Qt's own
/// entries take the & out of names.
QAction* addStep(QMenu& menu, const QString& word, QUndoStack& stack, bool back) {
    QAction* action = menu.addAction(word, &stack, back ? &QUndoStack::undo : &QUndoStack::redo);
    action->setIconText(QString(word).remove('&'));
    const auto refresh = [action, word, &stack, back] {
        const QString what = back ? stack.undoText() : stack.redoText();
        action->setText(what.isEmpty() ? word : QStringLiteral("%1: %2").arg(word, asButtonText(what)));
        action->setEnabled(back ? stack.canUndo() : stack.canRedo());
    };
    QObject::connect(&stack, back ? &QUndoStack::undoTextChanged : &QUndoStack::redoTextChanged, action,
                     refresh);
    QObject::connect(&stack, back ? &QUndoStack::canUndoChanged : &QUndoStack::canRedoChanged, action,
                     refresh);
    refresh();
    return action;
}

/// Gives the entries of a menu that have no letter of their own the first one that is free.
void giveLetters(const QMenu& menu) {
    QStringList taken;
    for (const QAction* one : menu.actions()) taken.append(QKeySequence::mnemonic(one->text()).toString());
    for (QAction* one : menu.actions()) {
        QString text = one->text();
        if (!QKeySequence::mnemonic(text).isEmpty()) continue;
        for (qsizetype i = 0; i < text.size() && text[i] != '\t'; ++i) {
            const QString letter = QKeySequence(Qt::ALT | Qt::Key(text[i].toUpper().unicode())).toString();
            if (!text[i].isLetterOrNumber() || taken.contains(letter)) continue;
            taken.append(letter);
            one->setText(text.insert(i, '&'));
            break;
        }
    }
}

/// Adds what the buttons for the chosen row do; with its key what one of the commands does, too.
/// @returns  whether the page has such buttons
bool addRowActions(QMenu& menu, const Page& page, const QList<QAction*>& commands) {
    const auto* part = page.findChild<QWidget*>(QStringLiteral("row actions"));
    if (part == nullptr) return false;
    const auto word = [](QString text) { return text.remove('&').remove(QStringLiteral("...")).trimmed(); };
    for (auto* button : part->findChildren<QAbstractButton*>()) {
        if (button->isHidden() || !button->isEnabled()) continue;
        const QString text = button->text().isEmpty() ? button->accessibleName() : button->text();
        const auto same = [&](const QAction* one) { return word(one->text()) == word(text); };
        const auto command = std::find_if(commands.begin(), commands.end(), same);
        const auto* push = qobject_cast<QPushButton*>(button);
        if (command != commands.end())
            menu.addAction(*command);
        else if (push != nullptr && push->menu() != nullptr)
            menu.addMenu(push->menu())->setText(text);
        else
            menu.addAction(button->icon(), text, button, &QAbstractButton::click);
    }
    return true;
}

/// Whether something on a page that had the focus has gone, and Qt hands it on beyond the page, or to the
/// words of a message: there the next key would do what nobody meant.
bool strays(const QWidget* before, const QWidget* now, const Page& page, const MessageBar& messages) {
    const bool went = before != nullptr && page.isVisible() && page.isAncestorOf(before) &&
                      !(before->isVisible() && before->isEnabled());
    if (!went || (now != nullptr && now->window() != page.window())) return false;
    return !page.isAncestorOf(now) || (messages.isAncestorOf(now) && !messages.isAncestorOf(before));
}

} // namespace

void MainWindow::addCommand(QMenu* menu, const QString& text, const QKeySequence& key,
                            Page::Command command) {
    QAction* action = menu->addAction(text, key, this, [this, command] { run(command); });
    m_commands.append({action, command});
}

void MainWindow::run(Page::Command command) {
    Page* now = page(currentPage());
    if (m_large->isVisible() && runLarge(command)) return;
    if (command != Page::Command::Search)
        (void)now->command(command);
    else if (QWidget* field = now->searchField())
        field->setFocus();
}

void MainWindow::refreshCommands() {
    for (const auto& [action, command] : std::as_const(m_commands)) action->setEnabled(offers(command));
}

bool MainWindow::offers(Page::Command command) const {
    const auto large = m_large->isVisible() ? largeOffers(command) : std::nullopt;
    return large.value_or(page(currentPage())->offers(command));
}

void MainWindow::makeMenus() {
    makeFileMenu();
    makeEditMenu();
    makeViewMenu();
    makePageMenu();
    makeJobMenu();
    QMenu* help = menuBar()->addMenu(tr("&Help"));
    help->addAction(tr("&Help on this page"), QKeySequence(Qt::Key_F1), this,
                    [this] { showHelp(*this, *page(currentPage())); });
    help->addAction(tr("All &keys"), QKeySequence(Qt::CTRL | Qt::Key_Question), this,
                    [this] { showKeys(*this); });
    help->addAction(tr("&Welcome"), this, [this] { showPage(PageId::Welcome); });
    help->addAction(tr("&About Homebooth"), this, [this] { showAbout(*this); });
    for (const auto& [id, one] : m_pages) {
        connect(one, &Page::commandsChanged, this, &MainWindow::refreshCommands);
        QAbstractItemView* list = one->menuList();
        if (list == nullptr) continue;
        list->setContextMenuPolicy(Qt::CustomContextMenu);
        connect(list, &QWidget::customContextMenuRequested, this,
                [this, list](const QPoint& place) { showMenu(*list, place); });
    }
    // Some commands mean the list that has the focus. In the menus it is kept for what had it before.
    connect(qApp, &QApplication::focusChanged, this, [this](const QWidget* before, const QWidget* now) {
        Page& shown = *page(currentPage());
        QWidget* entry = m_navigation->button(shown.id());
        if (entry != nullptr && strays(before, now, shown, shown.messages()))
            return entry->setFocus(Qt::OtherFocusReason);
        const bool ours = now != nullptr && now->window() == this;
        if (ours && qobject_cast<const QMenuBar*>(now) == nullptr) refreshCommands();
    });
}

void MainWindow::showMenu(QAbstractItemView& list, const QPoint& place) {
    if (!list.indexAt(place).isValid()) return;
    list.setFocus(); // deleting means the list with the focus
    refreshCommands();
    auto* menu = new QMenu(&list);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    QList<QAction*> ofRows;
    for (const auto& [action, command] : std::as_const(m_commands)) {
        const bool ofRow = command == Page::Command::Rename || command == Page::Command::Delete;
        if (ofRow && action->isEnabled()) ofRows.append(action);
    }
    if (!addRowActions(*menu, *page(currentPage()), ofRows)) menu->addActions(ofRows);
    if (menu->isEmpty()) return menu->deleteLater();
    connect(page(currentPage()), &Page::chosenGone, menu,
            &QWidget::close); // its buttons mean another one now
    menu->popup(list.viewport()->mapToGlobal(place));
}

void MainWindow::makeFileMenu() {
    QMenu* file = menuBar()->addMenu(tr("&File"));
    file->addAction(tr("&Import..."), QKeySequence(Qt::CTRL | Qt::Key_O), this, [this] {
        if (usable() && !page(currentPage())->command(Page::Command::Import)) {
            showPage(PageId::Subjects);
            m_subjects->chooseForNew();
        }
    });
    file->addAction(tr("&Paste photos"), QKeySequence(Qt::CTRL | Qt::Key_V), this, &MainWindow::paste);
    addCommand(file, tr("&Export..."), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_E), Page::Command::Export);
    file->addSeparator();
    file->addAction(tr("&Close"), QKeySequence(Qt::CTRL | Qt::Key_W), this, &QWidget::close);
    file->addAction(tr("&Quit"), QKeySequence(Qt::CTRL | Qt::Key_Q), this, &QWidget::close);
}

void MainWindow::makeEditMenu() {
    using Command = Page::Command;
    QMenu* edit = menuBar()->addMenu(tr("&Edit"));
    QAction* undo = addStep(*edit, tr("&Undo"), m_services.undo, true);
    undo->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_Z));
    QAction* redo = addStep(*edit, tr("&Redo"), m_services.undo, false);
    redo->setShortcuts({QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), QKeySequence(Qt::CTRL | Qt::Key_Y)});
    edit->addSeparator();
    addCommand(edit, tr("&Copy"), QKeySequence(Qt::CTRL | Qt::Key_C), Command::Copy);
    addCommand(edit, tr("Re&name"), QKeySequence(Qt::Key_F2), Command::Rename);
    addCommand(edit, tr("&Delete"), QKeySequence(Qt::Key_Delete), Command::Delete);
    addCommand(edit, tr("&Favourite"), QKeySequence(Qt::CTRL | Qt::Key_B), Command::Favourite);
    addCommand(edit, tr("Use these &settings"), QKeySequence(Qt::CTRL | Qt::Key_R), Command::UseSettings);
    addCommand(edit, tr("&Search"), QKeySequence(Qt::CTRL | Qt::Key_F), Command::Search);
}

void MainWindow::makeViewMenu() {
    using Command = Page::Command;
    QMenu* view = menuBar()->addMenu(tr("&View"));
    int number = 0;
    for (const PageId id : {PageId::Subjects, PageId::Train, PageId::Generate, PageId::Gallery,
                            PageId::Datasets, PageId::Models, PageId::Queue, PageId::Settings}) {
        ++number;
        if (page(id) == nullptr) continue;
        QAction* go =
            view->addAction(page(id)->accessibleName(), QKeySequence(Qt::CTRL | (Qt::Key_0 + number)), this,
                            [this, id] { showPage(id); });
        if (id == PageId::Settings)
            go->setShortcuts({go->shortcut(), QKeySequence(Qt::CTRL | Qt::Key_Comma)});
    }
    view->addSeparator();
    addCommand(view, tr("&Large view"), {}, Command::LargeView);
    addCommand(view, tr("Zoom &in"), QKeySequence(Qt::CTRL | Qt::Key_Plus), Command::ZoomIn);
    QAction* larger = m_commands.last().first; // where + needs Shift, the key beneath it will do
    larger->setShortcuts({larger->shortcut(), QKeySequence(Qt::CTRL | Qt::Key_Equal)});
    addCommand(view, tr("Zoom &out"), QKeySequence(Qt::CTRL | Qt::Key_Minus), Command::ZoomOut);
    addCommand(view, tr("&Usual size"), QKeySequence(Qt::CTRL | Qt::Key_0), Command::ZoomReset);
    addCommand(view, tr("&Expert settings"), QKeySequence(Qt::CTRL | Qt::Key_E), Command::Expert);
    addCommand(view, tr("&Prompts"), QKeySequence(Qt::CTRL | Qt::Key_L), Command::Prompts);
    view->addAction(tr("Next area"), QKeySequence(Qt::Key_F6), this, [this] { walkAreas(false); });
    view->addAction(tr("Previous area"), QKeySequence(Qt::SHIFT | Qt::Key_F6), this,
                    [this] { walkAreas(true); });
    view->addAction(tr("&Full screen"), QKeySequence(Qt::Key_F11), this,
                    [this] { setWindowState(windowState() ^ Qt::WindowFullScreen); });
    giveLetters(*view);
}

void MainWindow::makePageMenu() {
    QMenu* menu = menuBar()->addMenu(tr("&Page"));
    menu->setObjectName(QStringLiteral("page"));
    connect(menu, &QMenu::aboutToShow, this, [this, menu] { fillPageMenu(*menu); });
    fillPageMenu(*menu);
}

void MainWindow::fillPageMenu(QMenu& menu) {
    menu.clear();
    const Page* now = page(currentPage());
    // Under the large view the page is covered.
    const auto buttons = m_large->isVisible() ? QList<QPushButton*>() : now->actionButtons();
    for (QPushButton* button : buttons) {
        QAction* action = nullptr;
        if (button->menu() != nullptr) {
            action = menu.addMenu(button->menu());
            action->setText(button->text());
        } else {
            action = menu.addAction(button->text(), button, &QPushButton::click);
            // A key of its own would be one too many: it is told, and pressed elsewhere.
            if (button == now->mainButton())
                action->setText(button->text() + QLatin1Char('\t') +
                                QKeySequence(Qt::CTRL | Qt::Key_Return).toString(QKeySequence::NativeText));
        }
        action->setIcon(button->icon());
        action->setEnabled(button->isEnabled());
        if (!button->isCheckable()) continue;
        action->setCheckable(true);
        action->setChecked(button->isChecked());
    }
    giveLetters(menu);
    if (menu.isEmpty()) menu.addAction(tr("This page has no actions"))->setEnabled(false);
}

void MainWindow::makeJobMenu() {
    QMenu* job = menuBar()->addMenu(tr("&Job"));
    const auto send = [this](core::ControlVerb verb) {
        if (RunSession* run = m_services.runs.working()) run->send(verb);
    };
    QAction* next = job->addAction(tr("&Main action"), QKeySequence(Qt::CTRL | Qt::Key_Return), this,
                                   &MainWindow::pressMain);
    next->setAutoRepeat(false); // a key that is held begins one job
    // Only while the menu is seen: the key itself looks at the button when it is pressed.
    connect(job, &QMenu::aboutToShow, this, [this, next] { next->setEnabled(nextStep() != nullptr); });
    connect(job, &QMenu::aboutToHide, next, [next] { next->setEnabled(true); });
    QAction* pause =
        job->addAction(tr("&Pause or continue"), QKeySequence(Qt::CTRL | Qt::Key_P), this, [this] {
            if (RunSession* run = m_services.runs.working()) run->pauseOrContinue();
        });
    QAction* save = job->addAction(tr("&Save now"), QKeySequence(Qt::CTRL | Qt::Key_S), this,
                                   [send] { send(core::ControlVerb::SaveNow); });
    QAction* preview =
        job->addAction(tr("P&review now"), this, [send] { send(core::ControlVerb::SampleNow); });
    // What the bar below names, and that alone.
    QAction* stop = job->addAction(tr("S&top and keep"), this, [this] {
        if (m_services.runs.busy())
            m_services.runs.working()->finish();
        else
            m_services.generator.stop();
    });
    const auto refresh = [this, pause, save, preview, stop] {
        const bool trains = m_services.runs.busy();
        for (QAction* action : {pause, save, preview}) action->setEnabled(trains);
        stop->setEnabled(trains || m_services.generator.busy());
    };
    for (const auto signal : {&RunCentre::workChanged, &RunCentre::phaseChanged})
        connect(&m_services.runs, signal, this, refresh);
    connect(&m_services.generator, &Generator::changed, this, refresh);
    refresh();
}

} // namespace homebooth::app
