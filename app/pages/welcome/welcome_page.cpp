// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/welcome/welcome_page.h"

#include "app/engine/figures.h"
#include "app/engine/gpu_answer.h"
#include "app/engine/pictures/generator.h"
#include "app/engine/places.h"
#include "app/engine/runs/disk_use.h"
#include "app/library/background.h"
#include "app/pages/welcome/machine_facts.h"
#include "app/settings/settings.h"
#include "app/theme/icons.h"
#include "app/theme/metrics.h"
#include "app/widgets/file_dialog.h"
#include "app/widgets/flow_layout.h"
#include "app/widgets/message_bar.h"
#include "app/widgets/parts.h"
#include "core/base/system/gpu_facts.h"
#include "core/base/system/memory_facts.h"

#include <QApplication>
#include <QBoxLayout>
#include <QGridLayout>
#include <QScrollArea>

#include <algorithm>
#include <utility>

namespace homebooth::app {

WelcomePage::WelcomePage(Services services, QWidget* parent)
    : Page(PageId::Welcome, tr("Welcome"), parent)
    , m_services(services)
    , m_facts(new QGridLayout)
    , m_folder(new ElidedLabel(services.settings.text(keys::kHome))) {
    setSubtitle(tr("Homebooth teaches an image model your own subject, on this computer alone."));
    connect(addMainButton(tr("Start with my photos")), &QPushButton::clicked, this,
            &WelcomePage::photosWanted);
    auto* content = new QWidget;
    content->setMaximumWidth(880);
    auto* column = new QVBoxLayout(content);
    tidy(column, 0, kGapSection);
    column->addWidget(makeMachine());
    showFacts();
    column->addWidget(makeFirst());
    column->addWidget(new MutedLabel(tr("For photos import a model: Stable Diffusion 1.x (2 to 4 GB), 2.x or "
                                        "XL (about 7 GB); not 3, Flux or inpainting.")));
    column->addStretch();
    setContent(makeScroll(content)); // long or large words need more height than small screens have
    followPictures();
    showPictureTime();
    connect(&Theme::instance(), &Theme::changed, this, [this] {
        m_shown.reset(); // signs have its colours
        showFacts();
    });
    connect(&services.gpus, &GpuAnswer::changed, this, &WelcomePage::takeCards);
    connect(&services.settings, &Settings::changed, this, [this](const QByteArray& key) {
        if (key == keys::kProcessorOnly) showFacts();
        if (key != keys::kHome) return;
        m_folder->setFullText(m_services.settings.text(keys::kHome));
        measureDisk();
    });
}

QWidget* WelcomePage::makeFirst() {
    auto* first = new QWidget;
    auto* flow = new FlowLayout(first, kGapBlock); // in long languages the button takes a line of its own
    auto* picture = makeButton(tr("Make a first picture"), QStringLiteral("generate"));
    auto* drop = new QLabel(tr("Drop photos anywhere in this window, or:"));
    drop->setMinimumHeight(kControlHeight);
    flow->addWidget(drop);
    connect(picture, &QPushButton::clicked, this, &WelcomePage::firstPictureWanted);
    flow->addWidget(picture);
    m_pictureTime = new QLabel;
    m_pictureTime->setMinimumHeight(kControlHeight);
    flow->addWidget(m_pictureTime);
    return first;
}

QWidget* WelcomePage::makeMachine() {
    auto* card = new Card;
    auto* inside = new QVBoxLayout(card);
    tidy(inside, kGapSection, kGapSection);
    m_facts->setHorizontalSpacing(kPageMargin);
    m_facts->setVerticalSpacing(kGapBlock);
    m_facts->setColumnStretch(3, 1);
    inside->addLayout(m_facts);
    inside->addWidget(makeRule(Qt::Horizontal));
    auto* folder = new QHBoxLayout;
    folder->setSpacing(kGapBlock);
    m_change = makeButton(tr("Change"), QStringLiteral("folder"));
    folder->addWidget(new QLabel(tr("Your pictures and models go to")));
    folder->addWidget(m_folder, 1);
    folder->addWidget(m_change);
    inside->addLayout(folder);
    connect(m_change, &QPushButton::clicked, this, &WelcomePage::chooseFolder);
    return card;
}

void WelcomePage::followPictures() {
    const Generator& generator = m_services.generator;
    connect(&generator, &Generator::begun, this, [this, &generator](const core::SampleConfig& config) {
        m_measured.invalidate();
        const bool plain = QString::fromStdString(config.model) == builtInModel() && config.loras.empty() &&
                           config.initImage.empty();
        if (plain && generator.free()) m_measured.start(); // else the model is in memory already
    });
    connect(&generator, &Generator::made, this, [this] {
        if (!m_measured.isValid()) return;
        m_services.settings.set(keys::kFirstPictureMs, m_measured.elapsed());
        m_measured.invalidate();
        showPictureTime();
    });
    connect(&m_services.settings, &Settings::changed, this, [this](const QByteArray& key) {
        if (key != keys::kProcessorOnly) return;
        m_measured.invalidate();
        m_services.settings.reset(keys::kFirstPictureMs); // it was another one that computed
        showPictureTime();
    });
}

void WelcomePage::showPictureTime() {
    const double seconds = m_services.settings.value(keys::kFirstPictureMs).toDouble() / 1000.0;
    m_pictureTime->setVisible(seconds > 0.0);
    m_pictureTime->setText(QStringLiteral("(%1)").arg(durationText(std::max(1.0, seconds))));
}

void WelcomePage::activated() {
    m_services.gpus.want();
    look();
    measureDisk();
}

void WelcomePage::look() {
    const auto find = [] {
        std::vector<MachineFact> found{memoryFactOf(core::memoryFacts())};
        if (!engineIsWhole()) found.push_back(missingEngineFact());
        return found;
    };
    inBackground(this, find, [this](const std::vector<MachineFact>& found) {
        m_machine = found;
        showFacts();
    });
}

void WelcomePage::takeCards() {
    const QString key = QStringLiteral("machine");
    const GpuAnswer& gpus = m_services.gpus;
    const QString problem = gpus.driverSilent() ? QString() : gpus.problem(); // that has a row of its own
    if (problem.isEmpty()) {
        messages().drop(key);
    } else if (problem != m_told) { // it is asked again and again: whoever closed the message has read it
        const auto again = [this, key] {
            m_told.clear();
            m_services.gpus.want();
            showFacts();
            messages().drop(key);
        };
        messages().show(
            {MessageKind::Error,
             troubleText(tr("Which graphics card this computer has could not be found out."), problem),
             {{tr("Try again"), again}},
             key});
    }
    m_told = problem;
    showFacts();
}

void WelcomePage::measureDisk() {
    const QString folder = m_services.settings.text(keys::kHome);
    inBackground(
        this, [folder] { return freeBytesAt(folder); },
        [this, folder](qint64 free) {
            if (m_services.settings.text(keys::kHome) != folder) return;
            m_disk = diskFactOf(free);
            showFacts();
        });
}

std::vector<MachineFact> WelcomePage::facts() const {
    std::vector<MachineFact> all;
    const GpuAnswer& gpus = m_services.gpus;
    const bool processor = m_services.settings.flag(keys::kProcessorOnly);
    if (gpus.facts() != nullptr)
        all.push_back(cardFactOf(*gpus.facts(), processor));
    else if (gpus.driverSilent())
        all.push_back(silentDriverFact(processor));
    all.insert(all.end(), m_machine.begin(), m_machine.end());
    if (m_disk) all.push_back(*m_disk);
    return all;
}

void WelcomePage::showFacts() {
    // Nobody knows of cards, and neither a row nor a message says why.
    const GpuAnswer& gpus = m_services.gpus;
    const bool looking = gpus.facts() == nullptr && !gpus.driverSilent() && m_told.isEmpty();
    Shown now{looking, facts()};
    if (m_shown && m_shown->looking == looking && m_shown->facts == now.facts) return;
    m_shown = std::move(now);
    const qsizetype focused = m_helps.indexOf(QApplication::focusWidget());
    if (focused >= 0) m_change->setFocus(Qt::OtherFocusReason);
    while (QLayoutItem* item = m_facts->takeAt(0)) {
        retire(item->widget());
        delete item;
    }
    int row = 0;
    m_helps.clear();
    if (looking) m_facts->addWidget(new MutedLabel(tr("Looking for a graphics card...")), row++, 0, 1, 4);
    for (const MachineFact& fact : m_shown->facts) row = addFact(fact, row);
    putIntoTabOrder(m_helps, *m_change);
    if (focused < 0 || m_helps.isEmpty()) return;
    QWidget* next = m_helps[std::min(focused, m_helps.size() - 1)]; // in place of the one that was pressed
    next->parentWidget()->show();
    focusNew(*next);
}

int WelcomePage::addFact(const MachineFact& fact, int row) {
    const bool good = fact.state == FactState::Good;
    const bool bad = fact.state == FactState::Bad;
    auto* sign = new QLabel;
    sign->setPixmap(iconPixmap(good  ? QStringLiteral("ok")
                               : bad ? QStringLiteral("error")
                                     : QStringLiteral("caution"),
                               good  ? colours().good
                               : bad ? colours().error
                                     : colours().caution,
                               kNavIconSize, devicePixelRatioF()));
    auto* found = makeLabel(fact.found);
    auto* meaning = new MutedLabel(fact.meaning);
    auto* name = makeLabel(fact.name, TypeRole::Body);
    m_facts->addWidget(sign, row, 0, Qt::AlignTop);
    int column = 1;
    for (QLabel* words : {name, found, static_cast<QLabel*>(meaning)}) {
        // The first line stands at the height of the sign.
        const int lower = qMax(0, (kNavIconSize - words->fontMetrics().height()) / 2);
        words->setContentsMargins(0, lower, 0, 0);
        m_facts->addWidget(words, row, column++, Qt::AlignTop);
    }
    ++row;
    if (fact.help.empty()) return row;
    QWidget* help = makeHelp(fact);
    m_facts->addWidget(help, row++, 1, 1, 3);
    for (auto* button : help->findChildren<QPushButton*>()) m_helps.append(button);
    return row;
}

QWidget* WelcomePage::makeHelp(const MachineFact& fact) {
    auto* part = new QWidget;
    auto* flow = new FlowLayout(part, kGapLabel);
    for (const FactHelp way : fact.help) {
        auto* button = makeButton(wordsOf(way));
        flow->addWidget(button);
        connect(button, &QPushButton::clicked, this, [this, way] { help(way); });
    }
    return part;
}

QString WelcomePage::wordsOf(FactHelp way) {
    switch (way) {
    case FactHelp::UpdateDriver:
        return tr("How to update");
    case FactHelp::MendDriver:
        return tr("What to do");
    case FactHelp::UseProcessor:
        return tr("Use the processor, slower");
    case FactHelp::UseCard:
        return tr("Use the graphics card");
    case FactHelp::AnotherDisk:
        return tr("Choose another disk");
    case FactHelp::WhatWouldHelp:
        break;
    }
    return tr("What would help");
}

void WelcomePage::help(FactHelp way) {
    QString text;
    switch (way) {
    case FactHelp::AnotherDisk:
        return chooseFolder();
    case FactHelp::UpdateDriver:
        text = tr("<b>How to update:</b> install NVIDIA's driver %1 or newer with your system's tool for "
                  "drivers or from nvidia.com, then restart the computer. Your files are untouched.")
                   .arg(core::kOldestDriver);
        break;
    case FactHelp::MendDriver:
        text =
            tr("<b>What to do:</b> install NVIDIA's driver %1 or newer with your system's tool for drivers, "
               "then restart the computer. If it is installed, it was not loaded: with Secure Boot, confirm "
               "its key when the computer starts; after an update of the system, install it again.")
                .arg(core::kOldestDriver);
        break;
    case FactHelp::UseCard:
        m_services.settings.set(keys::kProcessorOnly, false);
        return messages().drop(QStringLiteral("help")); // its words are true no more
    case FactHelp::UseProcessor:
        m_services.settings.set(keys::kProcessorOnly, true);
        text = tr("<b>The processor computes from now on.</b> \"Device\" in Settings changes that again.");
        break;
    case FactHelp::WhatWouldHelp:
        text = tr("<b>What would help:</b> a graphics card by NVIDIA of the GTX 16 or RTX 20 series or "
                  "newer, with its driver %1 or newer. 8 GB are enough for whole models up to SD 2.1, and "
                  "for SDXL with "
                  "parts in RAM.")
                   .arg(core::kOldestDriver);
        break;
    }
    messages().show({MessageKind::Note, text, {}, QStringLiteral("help")});
}

void WelcomePage::chooseFolder() {
    askForFile(this,
               {tr("Pictures and models"), QFileDialog::Directory, {}, m_services.settings.text(keys::kHome)},
               [this](const QString& path) { m_services.settings.set(keys::kHome, path); });
}

} // namespace homebooth::app
