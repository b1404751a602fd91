// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/gallery/gallery_page.h"

#include "app/engine/figures.h"
#include "app/engine/models/model_shelf.h"
#include "app/engine/places.h"
#include "app/library/library_service.h"
#include "app/library/picture_album.h"
#include "app/library/picture_facts.h"
#include "app/library/subject_book.h"
#include "app/settings/settings.h"
#include "app/theme/metrics.h"
#include "app/widgets/choice_name.h"
#include "app/widgets/details_drawer.h"
#include "app/widgets/empty_state.h"
#include "app/widgets/parts.h"
#include "app/widgets/pictures/scroll_memory.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QEvent>
#include <QLineEdit>
#include <QScrollArea>
#include <QSlider>
#include <QStackedWidget>

#include <algorithm>
#include <utility>

namespace homebooth::app {
namespace {
constexpr int kLeastSide = 96;
constexpr int kMostSide = 288;
constexpr int kUsualSide = 152;
constexpr int kSizeStep = 16;
constexpr int kTypingMs = 180;
constexpr int kFilterLetters = 10; // of a filter's choice that are seen at least

/// "30,000 pictures"
QString picturesText(int count) {
    const QString text = GalleryPage::tr("%n picture(s)", nullptr, count);
    return QString(text).replace(QString::number(count), countText(count));
}

} // namespace

GalleryPage::GalleryPage(Services services, QWidget* parent)
    : Page(PageId::Gallery, tr("Gallery"), parent)
    , m_services(services)
    , m_model(services) {
    auto* parts = new QWidget;
    auto* column = new QVBoxLayout(parts);
    tidy(column, 0, kGapBlock);
    column->addWidget(makeFilters());
    auto* row = new QHBoxLayout;
    row->setSpacing(kGapBlock);
    row->addWidget(makeWall(), 1);
    row->addWidget(m_details = new DetailsDrawer(makeDetails(), services.settings, "gallery"));
    column->addLayout(row, 1);
    m_stack = new QStackedWidget;
    auto* empty = new EmptyState(QStringLiteral("gallery"), tr("Every picture you make lands here."));
    connect(empty->addButton(tr("Make pictures")), &QPushButton::clicked, this,
            [this] { Q_EMIT wanted(PageId::Generate); });
    m_stack->addWidget(empty);
    m_stack->addWidget(parts);
    setContent(m_stack);
    setCommands({Command::Delete, Command::LargeView, Command::Favourite, Command::UseSettings,
                 Command::Search, Command::Copy, Command::Export, Command::ZoomIn, Command::ZoomOut,
                 Command::ZoomReset});
    m_typing.setSingleShot(true);
    m_typing.setInterval(kTypingMs);
    connect(&m_typing, &QTimer::timeout, this, &GalleryPage::applyFilter);
    connectPictures();
    showDetails();
}

void GalleryPage::connectPictures() {
    const auto open = [this](const QModelIndex& index) {
        if (!index.data(GoneRole).toBool()) openLarge(index.data(PathRole).toString());
    };
    connect(m_grid, &SectionGrid::opened, this, open);
    connect(m_grid, &SectionGrid::large, this, open);
    connect(m_grid->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &GalleryPage::showDetails);
    connect(m_grid->selectionModel(), &QItemSelectionModel::currentChanged, this,
            [this](const QModelIndex& now) {
                if (now.isValid()) m_services.settings.set(keys::kPicture, now.data(GalleryModel::IdRole));
            });
    connect(&m_model, &GalleryModel::reloaded, this, &GalleryPage::refresh);
    connect(&m_model, &GalleryModel::filesChanged, this, &GalleryPage::showDetails);
    connect(&m_model, &GalleryModel::filesGone, this, &GalleryPage::lookForGone);
    // Behind another page nobody sees it, and when this one comes up all is read (activated).
    const auto shown = [this] { return isVisibleTo(window()); };
    connect(&m_services.album, &PictureAlbum::changed, this, [this, shown](const std::vector<int64_t>& ids) {
        if (!shown()) return;
        m_model.reload(ids);
        fillModels();
    });
    connect(&m_model, &GalleryModel::foldersChanged, this, [this, shown](const QStringList& folders) {
        if (shown()) m_model.lookAtFilesIn(folders);
    });
    connect(&m_model, &GalleryModel::dayChanged, m_grid, &SectionGrid::doItemsLayout);
}

QWidget* GalleryPage::makeFilters() {
    auto* part = new QWidget;
    auto* row = new QHBoxLayout(part);
    tidy(row, 0, kGapLabel);
    m_search = new QLineEdit;
    m_search->setPlaceholderText(tr("Search prompts and models"));
    m_search->setAccessibleName(tr("Search pictures"));
    m_search->setClearButtonEnabled(true);
    m_search->setMaximumWidth(kFormWidth);
    m_models = makeNameList();
    nameChoice(*m_models, tr("Model"));
    m_models->addItem(tr("All models"), QString());
    m_subjects = makeNameList();
    nameChoice(*m_subjects, tr("Subject"));
    m_subjects->addItem(tr("All subjects"), 0LL);
    m_favourites = makeButton(tr("Favourites"), QStringLiteral("favourite"), "segment");
    for (QComboBox* box : {m_subjects, m_models}) box->setMinimumContentsLength(kFilterLetters);
    makeSize();
    row->addWidget(m_search, 1);
    row->addWidget(m_subjects);
    row->addWidget(m_models);
    row->addWidget(m_favourites);
    row->addStretch();
    row->addWidget(m_size);
    connect(m_search, &QLineEdit::textChanged, &m_typing, qOverload<>(&QTimer::start));
    connect(m_models, &QComboBox::currentIndexChanged, this, &GalleryPage::applyFilter);
    connect(m_favourites, &QPushButton::toggled, this, &GalleryPage::applyFilter);
    connect(m_subjects, &QComboBox::currentIndexChanged, this, &GalleryPage::applyFilter);
    return part;
}

QWidget* GalleryPage::makeWall() {
    auto* part = new QWidget;
    auto* column = new QVBoxLayout(part);
    tidy(column, 0, kGapLabel);
    m_grid = new SectionGrid(m_services.thumbnails);
    m_grid->setModel(&m_model);
    m_grid->setKeyRole(GalleryModel::IdRole);
    m_grid->setSections([this] { return m_model.sections(); });
    m_grid->setSide(m_size->value() / kSizeStep * kSizeStep);
    m_grid->setAccessibleName(tr("Pictures"));
    m_grid->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_grid, &QWidget::customContextMenuRequested, this,
            [this](QPoint at) { openMenu(m_grid->viewport()->mapToGlobal(at)); });
    new ScrollMemory(m_grid, m_services.settings, "gallery");
    m_everywhere = makeButton(tr("Search everywhere"), QStringLiteral("search"));
    m_everywhere->hide();
    connect(m_everywhere, &QPushButton::clicked, this, &GalleryPage::searchEverywhere);
    column->addWidget(m_grid, 1);
    column->addWidget(m_everywhere, 0, Qt::AlignHCenter);
    return part;
}

void GalleryPage::makeSize() {
    m_size = new QSlider(Qt::Horizontal);
    m_size->setRange(kLeastSide, kMostSide);
    const int last = m_services.settings.value(keys::kGallerySide).toInt();
    m_size->setValue(last > 0 ? last : kUsualSide);
    m_size->setMinimumWidth(80);
    m_size->setMaximumWidth(110);
    m_size->setAccessibleName(tr("Size of the pictures"));
    m_size->setToolTip(tr("Size of the pictures"));
    connect(m_size, &QSlider::valueChanged, this, [this](int side) {
        m_grid->setSide(side / kSizeStep * kSizeStep);
        m_services.settings.set(keys::kGallerySide, side);
    });
}

void GalleryPage::zoom(Command command) {
    constexpr int kZoomStep = 2 * kSizeStep;
    if (command == Command::ZoomReset)
        m_size->setValue(kUsualSide);
    else
        m_size->setValue(m_size->value() + (command == Command::ZoomIn ? kZoomStep : -kZoomStep));
}

QWidget* GalleryPage::makeDetails() {
    m_words = new QWidget;
    auto* column = new QVBoxLayout(m_words);
    tidy(column, kGapBlock - 1, kGapBlock);
    m_prompt = makeLabel({}, TypeRole::Section);
    m_facts = new QLabel;
    for (QLabel* label : {m_prompt, m_facts}) {
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText); // a prompt is no markup
        letCopyByTab(label);                 // long ones are scrolled through by keys, too
    }
    m_counted = new MutedLabel;
    for (QLabel* label : {m_prompt, m_facts, m_counted}) { // what they say does not make the card wider
        QSizePolicy policy = label->sizePolicy();
        policy.setHorizontalPolicy(QSizePolicy::Ignored);
        label->setSizePolicy(policy);
        column->addWidget(label);
    }
    column->addWidget(m_gonePart = makeGone());
    column->addWidget(m_actions = makeActions());
    column->addStretch();
    m_card = new Card;
    auto* inside = new QVBoxLayout(m_card);
    tidy(inside, 1, 0);
    inside->addWidget(makeScroll(m_words)); // a prompt may be longer than the page is high
    m_words->installEventFilter(this);
    fitDetails();
    return m_card;
}

void GalleryPage::fitDetails() {
    constexpr int kFrame = 2; // the card's lines
    const int bar = style()->pixelMetric(QStyle::PM_ScrollBarExtent, nullptr, this);
    m_card->setFixedWidth(qMax(kDetailsWidth, m_words->minimumSizeHint().width() + bar + kFrame));
}

bool GalleryPage::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_words && event->type() == QEvent::LayoutRequest) fitDetails(); // larger text needs more
    return Page::eventFilter(watched, event);
}

QStringList GalleryPage::paths() const {
    QStringList paths;
    for (int row = 0; row < m_model.rowCount(); ++row) {
        const QString path = m_model.index(row).data(PathRole).toString();
        if (!m_model.gone(row) && (m_walked.isEmpty() || m_walked.contains(path))) paths.append(path);
    }
    return paths;
}

void GalleryPage::activated() {
    fillModels();
    fillSubjects();
    applyFilter();           // a subject may have other words by now
    m_grid->doItemsLayout(); // midnight may have passed: yesterday's pictures are not of today
    lookForGone();
    refresh();
}

void GalleryPage::applyFilter() {
    core::PictureFilter filter{m_search->text().toStdString(),
                               m_models->currentData().toString().toStdString(),
                               m_favourites->isChecked(),
                               m_subjects->currentData().toLongLong(),
                               {}};
    if (m_models->currentData() == builtInModel()) {
        filter.model = m_builtIn.front();
        filter.otherNames = m_builtIn;
    }
    if (const core::Subject* subject = m_services.subjects.find(filter.subject))
        filter.subjectWords =
            subjectSentence(*subject).section(QStringLiteral("a photo of "), 1).toStdString();
    m_model.setFilter(filter);
}

void GalleryPage::searchEverywhere() {
    const QSignalBlocker first(m_subjects);
    const QSignalBlocker second(m_models);
    const QSignalBlocker third(m_favourites);
    m_subjects->setCurrentIndex(0);
    m_models->setCurrentIndex(0);
    m_favourites->setChecked(false);
    applyFilter();
}

void GalleryPage::fillSubjects() {
    const QVariant chosen = m_subjects->currentData();
    const QSignalBlocker quiet(m_subjects);
    m_subjects->clear();
    m_subjects->addItem(tr("All subjects"), 0LL);
    for (const core::Subject& subject : m_services.subjects.subjects())
        m_subjects->addItem(QString::fromStdString(subject.name), QVariant::fromValue<qlonglong>(subject.id));
    m_subjects->setCurrentIndex(qMax(0, m_subjects->findData(chosen))); // it may be gone
}

std::string GalleryPage::shownModel(const std::string& name) const {
    const bool builtIn = std::find(m_builtIn.begin(), m_builtIn.end(), name) != m_builtIn.end();
    return builtIn ? m_services.models.nameOf(builtInModel()).toStdString() : name;
}

bool GalleryPage::takeBuiltIn(const std::vector<std::string>& names) {
    std::vector<std::string> all = names; // in all languages
    // Pictures of the command line know the name of its folder alone, which another model may have, too.
    const QString own = modelNameOf(builtInModel());
    const std::vector<ModelEntry>& known = m_services.models.entries();
    if (std::none_of(known.begin(), known.end(), [&own](const ModelEntry& one) { return one.name == own; }))
        all.push_back(own.toStdString());
    return std::exchange(m_builtIn, all) != all;
}

void GalleryPage::fillModels() {
    struct Names {
        std::vector<std::string> all;
        std::vector<std::string> builtIn;
    };
    const auto ask = [path = builtInModel().toStdString()](core::Library& library) -> core::Result<Names> {
        HOMEBOOTH_ASSIGN(const std::vector<std::string> all, core::pictureModels(library));
        HOMEBOOTH_ASSIGN(const std::vector<std::string> builtIn, core::pictureModels(library, path));
        return Names{all, builtIn};
    };
    m_services.library.ask<Names>(this, ask, [this](const Names& names) {
        const QString chosenModel = m_models->currentData().toString();
        const QSignalBlocker quiet(m_models);
        m_models->clear();
        m_models->addItem(tr("All models"), QString());
        const bool others = takeBuiltIn(names.builtIn);
        if (others) showDetails();
        const QString builtIn = builtInModel();
        for (const std::string& name : names.all)
            if (std::find(m_builtIn.begin(), m_builtIn.end(), name) == m_builtIn.end())
                m_models->addItem(QString::fromStdString(name), QString::fromStdString(name));
            else if (m_models->findData(builtIn) < 0)
                m_models->addItem(m_services.models.nameOf(builtIn), builtIn);
        m_models->setCurrentIndex(qMax(0, m_models->findData(chosenModel)));
        // The last picture of the model may be gone, and with it the choice.
        const QString now = m_models->currentData().toString();
        if (now != chosenModel || (others && now == builtIn)) applyFilter();
    });
}

void GalleryPage::refresh() {
    const core::PictureFilter& filter = m_model.filter();
    const bool narrowed = !filter.model.empty() || filter.favourites || filter.subject != 0;
    const bool filtered = !filter.words.empty() || narrowed;
    m_stack->setCurrentIndex(m_model.rowCount() == 0 && !filtered ? 0 : 1);
    setSubtitle(m_model.rowCount() > 0 ? picturesText(m_model.rowCount()) : QString());
    const QString words = QString::fromStdString(filter.words);
    m_grid->setEmptyText(filter.words.empty() ? tr("Nothing matches.")
                         : filter.favourites  ? tr("No favourite matches \"%1\".").arg(words)
                                              : tr("Nothing matches \"%1\".").arg(words));
    m_everywhere->setVisible(m_model.rowCount() == 0 && narrowed);
    // Out of sight nothing is chosen yet: later pictures come before the first one.
    if (isVisible() && m_model.rowCount() > 0 && !m_grid->currentIndex().isValid()) chooseLast();
    showDetails();
}

void GalleryPage::chooseLast() {
    const int64_t last = m_services.settings.value(keys::kPicture).toLongLong();
    int chosen = 0;
    for (int row = 0; row < m_model.rowCount() && last != 0; ++row)
        if (m_model.at(row).id == last) chosen = row;
    m_grid->setCurrentIndex(m_model.index(chosen));
}

QModelIndexList GalleryPage::chosen() const {
    return m_grid->selectionModel()->selectedIndexes();
}

void GalleryPage::showDetails() {
    Q_EMIT commandsChanged();
    const QModelIndexList all = chosen();
    // The wall stays under the pointer: of a double click the second one meets the same picture.
    m_details->setVisible(m_model.rowCount() > 0);
    const bool none = all.isEmpty();
    m_prompt->setVisible(!none);
    m_actions->setVisible(!none);
    m_facts->setVisible(all.size() == 1);
    m_counted->setVisible(all.size() != 1);
    if (none) {
        m_gonePart->hide();
        return m_counted->setText(tr("Choose a picture."));
    }
    for (QWidget* button : m_files) button->setEnabled(true);
    for (QWidget* button : m_single) button->setEnabled(all.size() == 1);
    m_save->setEnabled(!chosenFiles().isEmpty());
    showGone();
    if (all.size() > 1) {
        m_prompt->setText(picturesText(static_cast<int>(all.size())));
        m_counted->setText(tr("Chosen together: drag them out, delete them or make them favourites."));
        return;
    }
    core::PictureRecord picture = m_model.at(all.front().row());
    picture.model = shownModel(picture.model);
    const PictureFacts facts = PictureFacts::of(picture);
    m_prompt->setText(facts.headline);
    m_facts->setText(facts.lines.join('\n'));
}

void GalleryPage::chooseRow(int row) {
    // Not by the view: with Ctrl held, as for undo, it would take the picture out of the choice.
    m_grid->selectionModel()->setCurrentIndex(m_model.index(row), QItemSelectionModel::ClearAndSelect);
}

void GalleryPage::choose(const QString& path) {
    for (int row = 0; row < m_model.rowCount(); ++row)
        if (m_model.at(row).path == path.toStdString()) return chooseRow(row);
}

QWidget* GalleryPage::searchField() {
    return m_search;
}

void GalleryPage::setCompact(bool compact) {
    m_details->setCompact(compact);
}

} // namespace homebooth::app
