// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/train/setup/learn_choice.h"

#include "app/library/background.h"
#include "app/library/library_service.h"
#include "app/library/subject_book.h"
#include "app/library/trigger_words.h"
#include "app/theme/metrics.h"
#include "app/widgets/flow_layout.h"
#include "app/widgets/parts.h"

#include <QApplication>
#include <QBoxLayout>
#include <QFileInfo>
#include <QMenu>

#include <algorithm>
#include <utility>

namespace homebooth::app {
namespace {

constexpr int kDriveMs = 2000; // between looks for a drive that is away

bool isFolder(const QString& path) {
    return QFileInfo(path).isDir();
}

/// Those whose folders are there.
std::vector<core::DatasetRecord> usable(std::vector<core::DatasetRecord> datasets,
                                        const std::function<bool(const QString&)>& isThere) {
    std::erase_if(datasets, [&isThere](const core::DatasetRecord& one) {
        return !isThere(QString::fromStdString(one.folder));
    });
    return datasets;
}

/// A menu is as wide as its entries; a heading that is longer would be cut off.
void fitHeadings(QMenu& menu) {
    int widest = 0;
    for (const QAction* action : menu.actions())
        if (action->isSeparator())
            widest = qMax(widest, menu.fontMetrics().horizontalAdvance(action->text()));
    menu.setMinimumWidth(widest + 2 * kGapBlock);
}

} // namespace

LearnChoice::LearnChoice(SubjectBook& subjects, LibraryService& library, QWidget* parent)
    : QWidget(parent)
    , m_book(subjects)
    , m_library(library)
    , m_isThere(isFolder)
    , m_row(new FlowLayout(nullptr, kGapLabel))
    , m_add(makeButton(tr("Add one"), QStringLiteral("add"), "quiet"))
    , m_problem(makeLabel({}))
    , m_remedy(makeButton(tr("Give it another word")))
    , m_unknown(makeLabel({}))
    , m_say(makeButton(tr("Say what it is"))) {
    auto* column = new QVBoxLayout(this);
    tidy(column, 0, kGapInside);
    column->addWidget(new QLabel(tr("Learn")));
    column->addLayout(m_row);
    for (QLabel* label : {m_problem, m_unknown}) label->setWordWrap(true);
    m_problem->hide();
    for (QPushButton* button : {m_remedy, m_say}) button->hide();
    m_unknown->hide();
    column->addWidget(m_problem);
    column->addWidget(m_remedy, 0, Qt::AlignLeft);
    column->addWidget(m_unknown);
    column->addWidget(m_say, 0, Qt::AlignLeft);
    connect(m_say, &QPushButton::clicked, this, [this] { Q_EMIT classWanted(m_unsaid); });
    connect(m_add, &QPushButton::clicked, this, &LearnChoice::offer);
    connect(m_remedy, &QPushButton::clicked, this, [this] {
        if (const auto clash = triggerClash(this->subjects(), m_book.subjects(), m_book.tokenCount()))
            m_book.change(clash->changed, tr("change trigger word"));
    });
    for (const auto signal : {&SubjectBook::changed, &SubjectBook::inserted, &SubjectBook::removed})
        connect(&subjects, signal, this, &LearnChoice::fill);
    connect(&subjects, &SubjectBook::loadedAll, this, &LearnChoice::fill);
    m_later.setSingleShot(true);
    m_later.setInterval(kDriveMs);
    connect(&m_later, &QTimer::timeout, this, [this] {
        if (away() && isVisible()) look(); // else it is looked for when the form comes up again
    });
    askDatasets();
}

void LearnChoice::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    askDatasets(); // other pages add them and take them off
}

void LearnChoice::askDatasets() {
    m_library.ask<std::vector<core::DatasetRecord>>(this, core::loadDatasets,
                                                    [this](const std::vector<core::DatasetRecord>& known) {
                                                        m_known = known;
                                                        look();
                                                    });
}

void LearnChoice::look() {
    m_lookAgain = m_looking;
    if (std::exchange(m_looking, true)) return; // then once more, with what is known by then
    const auto find = [known = m_known, isThere = m_isThere] { return usable(known, isThere); };
    const auto take = [this, known = m_known](const std::vector<core::DatasetRecord>& there) {
        m_looking = false;
        if (m_lookAgain) return look();
        takeDatasets(known, there);
        waitForDrive();
    };
    inBackground(this, find, take, &lookPool());
}

void LearnChoice::waitForDrive() {
    if (away() && !m_later.isActive()) m_later.start();
}

void LearnChoice::takeDatasets(const std::vector<core::DatasetRecord>& known,
                               const std::vector<core::DatasetRecord>& there) {
    const auto asked = [this] { return std::pair(datasetBackground(), away()); }; // what a plan depends on
    const auto before = asked();
    m_datasets = there;
    m_away.clear();
    for (const core::DatasetRecord& one : known) m_away.append(QString::fromStdString(one.folder));
    const bool listed = m_away.contains(m_datasetFolder);
    for (const core::DatasetRecord& one : there) m_away.removeAll(QString::fromStdString(one.folder));
    if (asked() != before) Q_EMIT changed();
    if (!std::exchange(m_restored, false) || listed || m_datasetFolder.isEmpty()) return nameButton();
    m_datasetFolder.clear();
    fill();
}

void LearnChoice::restore(const QList<qlonglong>& subjects, const QString& datasetName,
                          const QString& datasetFolder) {
    m_open = false;
    m_learn = subjects;
    m_background = core::kWhite;
    m_datasetName = datasetName;
    m_datasetFolder = datasetFolder;
    m_restored = true;
    fill();
}

void LearnChoice::setNothing() {
    m_open = true;
    m_learn.clear();
    m_datasetFolder.clear();
    fill();
}

void LearnChoice::setSubject(int64_t subject) {
    m_open = false;
    m_learn = {subject};
    m_datasetFolder.clear();
    fill();
}

void LearnChoice::addSubject(int64_t subject) {
    m_open = false;
    if (!m_learn.contains(subject)) m_learn.append(subject);
    m_datasetFolder.clear();
    fill();
}

void LearnChoice::setDataset(const QString& name, const QString& folder, uint32_t background) {
    m_open = false;
    m_background = background;
    m_learn.clear();
    m_datasetName = name;
    m_datasetFolder = folder;
    m_away.removeAll(folder); // whoever names it has seen it
    m_restored = false;
    fill();
}

std::vector<const core::Subject*> LearnChoice::subjects() const {
    std::vector<const core::Subject*> found;
    for (const qlonglong id : m_learn)
        if (const core::Subject* subject = m_book.find(id)) found.push_back(subject);
    return found;
}

uint32_t LearnChoice::datasetBackground() const {
    for (const core::DatasetRecord& one : m_datasets)
        if (QString::fromStdString(one.folder) == m_datasetFolder) return one.backgroundRgb;
    return m_background;
}

bool LearnChoice::clashes() const {
    return triggerClash(subjects(), m_book.subjects(), m_book.tokenCount()).has_value();
}

void LearnChoice::offer() {
    if (m_book.subjects().empty() && m_datasets.empty()) return Q_EMIT subjectWanted();
    auto* menu = new QMenu(m_add);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const QString gone = replaced(/*byDataset=*/false);
    bool offered = false;
    for (const core::Subject& subject : m_book.subjects()) {
        if (m_learn.contains(subject.id)) continue;
        if (!std::exchange(offered, true) && !gone.isEmpty())
            menu->addSection(tr("Subjects, instead of %1").arg(gone)); // whose text has no marked key
        menu->addAction(asButtonText(QString::fromStdString(subject.name)), this,
                        [this, id = subject.id] { addSubject(id); });
    }
    if (!offered) menu->addAction(tr("Make a subject"), this, &LearnChoice::subjectWanted);
    offerDatasets(*menu);
    fitHeadings(*menu);
    menu->popup(m_add->mapToGlobal(QPoint(0, m_add->height())));
}

void LearnChoice::offerDatasets(QMenu& menu) {
    const QString gone = replaced(/*byDataset=*/true);
    bool first = true;
    for (const core::DatasetRecord& dataset : m_datasets) {
        const QString folder = QString::fromStdString(dataset.folder);
        if (folder == m_datasetFolder) continue;
        if (std::exchange(first, false))
            menu.addSection(gone.isEmpty() ? tr("Datasets") : tr("Datasets, instead of %1").arg(gone));
        const QString name = QFileInfo(folder).fileName();
        menu.addAction(asButtonText(name), this,
                       [this, name, folder] { Q_EMIT datasetWanted(name, folder); });
    }
}

QString LearnChoice::replaced(bool byDataset) const {
    if (!m_datasetFolder.isEmpty()) return m_datasetName;
    const auto learned = subjects();
    if (!byDataset || learned.empty()) return {};
    return learned.size() == 1 ? QString::fromStdString(learned.front()->name)
                               : tr("the %n subject(s)", nullptr, static_cast<int>(learned.size()));
}

void LearnChoice::nameButton() {
    const bool none = m_book.subjects().empty() && m_datasets.empty();
    m_add->setText(none                        ? tr("Make a subject")
                   : m_datasetFolder.isEmpty() ? tr("Add one")
                                               : tr("Choose another"));
}

void LearnChoice::addChip(const QString& name, const std::function<void()>& drop) {
    auto* chip = makeChip(name, tr("Do not learn %1").arg(name));
    connect(chip, &QPushButton::clicked, this, drop);
    m_row->addWidget(chip);
    m_chips.append(chip);
}

void LearnChoice::dropSubject(qlonglong subject) {
    if (m_learn.size() < 2) return Q_EMIT subjectWanted(); // one has to stay
    m_learn.removeAll(subject);
    fill();
}

void LearnChoice::fill() {
    if (m_book.loaded()) m_learn.removeIf([this](qlonglong id) { return m_book.find(id) == nullptr; });
    if (m_learn.isEmpty() && m_datasetFolder.isEmpty() && !m_open && !m_book.subjects().empty())
        m_learn.append(m_book.subjects().front().id);
    fillChips();
    showClash();
    showUnknown();
    waitForDrive();
    Q_EMIT changed();
}

void LearnChoice::fillChips() {
    const qsizetype focused = m_chips.indexOf(QApplication::focusWidget());
    if (focused >= 0) m_add->setFocus(Qt::OtherFocusReason);
    while (QLayoutItem* item = m_row->takeAt(0)) {
        if (item->widget() != nullptr && item->widget() != m_add) retire(item->widget());
        delete item;
    }
    m_chips.clear();
    for (const core::Subject* subject : subjects())
        addChip(QString::fromStdString(subject->name), [this, id = subject->id] { dropSubject(id); });
    if (!m_datasetFolder.isEmpty())
        addChip(m_datasetName, [this] {
            m_datasetFolder.clear();
            fill();
        });
    nameButton();
    m_row->addWidget(m_add);
    m_row->invalidate();
    if (m_next != nullptr) putIntoTabOrder(m_chips + QList<QWidget*>{m_add, m_remedy, m_say}, *m_next);
    if (focused >= 0 && !m_chips.isEmpty()) focusNew(*m_chips[std::min(focused, m_chips.size() - 1)]);
}

void LearnChoice::showUnknown() {
    const auto learned = subjects();
    const auto found = std::find_if(learned.begin(), learned.end(),
                                    [](const core::Subject* subject) { return lacksClass(*subject); });
    const bool unknown = found != learned.end();
    m_unknown->setVisible(unknown);
    m_say->setVisible(unknown);
    m_unsaid = unknown ? (*found)->id : 0;
    if (unknown)
        m_unknown->setText(tr("What is %1? Without a word such as dog or toy the model learns it badly.")
                               .arg(shortName(**found)));
}

void LearnChoice::showClash() {
    const auto clash = triggerClash(subjects(), m_book.subjects(), m_book.tokenCount());
    m_problem->setVisible(clash.has_value());
    m_remedy->setVisible(clash.has_value() && !clash->changed.triggerWord.empty());
    if (!clash) return;
    const QString name = shortName(clash->changed);
    const QString why = clash->other == nullptr ? tr("%1 has no trigger word.").arg(name)
                                                : tr("%1 and %2 have the same trigger word, %3.")
                                                      .arg(shortName(*clash->other), name, clash->word);
    m_problem->setText(why + ' ' + tr("Learned together, each needs one of its own."));
    m_remedy->setText(tr("Give %1 the word %2")
                          .arg(asButtonText(name), QString::fromStdString(clash->changed.triggerWord)));
}

} // namespace homebooth::app
