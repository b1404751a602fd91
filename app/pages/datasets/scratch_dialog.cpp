// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/datasets/scratch_dialog.h"

#include "app/engine/models/model_shelf.h"
#include "app/theme/metrics.h"
#include "app/widgets/file_dialog.h"
#include "app/widgets/parts.h"
#include "app/widgets/plain_tip.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QFileInfo>
#include <QRadioButton>

#include <utility>

namespace homebooth::app {
namespace {
constexpr int kFewPictures = 500; // with fewer, fine-tuning gives more
} // namespace

ScratchDialog::ScratchDialog(ModelShelf& models, int pictures, QWidget* parent)
    : QDialog(parent)
    , m_models(models) {
    setWindowTitle(tr("Train from scratch"));
    setAttribute(Qt::WA_DeleteOnClose);
    setMinimumWidth(kFormWidth);
    auto* column = new QVBoxLayout(this);
    tidy(column, kPageMargin, kGapBlock);
    auto* what = makeLabel(tr("The new model begins knowing nothing and learns from this dataset alone. That "
                              "takes thousands of pictures and much time."));
    what->setWordWrap(true);
    column->addWidget(what);
    if (pictures != kUnknownCount && pictures < kFewPictures)
        column->addWidget(
            new MutedLabel(tr("This dataset has %n picture(s): few. \"Train on this\", which lets "
                              "a model learn further, will give more.",
                              nullptr, pictures)));
    column->addWidget(makePart());
    column->addWidget(makeChoice());
    column->addWidget(makeButtons());
    connect(&models, &ModelShelf::changed, this, &ScratchDialog::fill);
    connect(&models, &ModelShelf::refused, this, [this](const QString& message) {
        if (m_wanted.isEmpty()) return; // asked for by somebody else
        m_wanted.clear();
        m_problem->setText(message);
        m_problem->show();
    });
    fill();
}

QWidget* ScratchDialog::makePart() {
    auto* part = new QWidget;
    auto* column = new QVBoxLayout(part);
    tidy(column, 0, kGapLabel);
    column->addWidget(new QLabel(tr("What learns")));
    auto* pictures = new QRadioButton(tr("Pictures model"));
    m_autoencoder = new QRadioButton(tr("Autoencoder"));
    m_partNote = new MutedLabel;
    for (QWidget* one : std::initializer_list<QWidget*>{pictures, m_autoencoder, m_partNote})
        column->addWidget(one);
    pictures->setChecked(true);
    connect(m_autoencoder, &QRadioButton::toggled, this, &ScratchDialog::describe);
    return part;
}

QWidget* ScratchDialog::makeChoice() {
    auto* part = new QWidget;
    auto* column = new QVBoxLayout(part);
    tidy(column, 0, kGapLabel);
    m_model = makeNameList();
    m_note = new MutedLabel;
    m_problem = makeLabel({});
    m_problem->setWordWrap(true);
    m_problem->hide();
    auto* folder = makeButton(tr("As a model in a folder..."), QStringLiteral("folder"));
    column->addWidget(
        labelled(tr("Built like"), m_model,
                 tr("The architecture: how large the model is and which parts it has. Only that and, for a "
                    "pictures model, its autoencoder are taken over, nothing of what the other model knows "
                    "about words.")));
    column->addWidget(m_note);
    column->addWidget(folder, 0, Qt::AlignLeft);
    column->addWidget(m_problem);
    connect(m_model, &QComboBox::currentIndexChanged, this, &ScratchDialog::describe);
    connect(folder, &QPushButton::clicked, this, &ScratchDialog::chooseFolder);
    return part;
}

QWidget* ScratchDialog::makeButtons() {
    auto* part = new QWidget;
    auto* row = new QHBoxLayout(part);
    row->setContentsMargins(0, kGapLabel, 0, 0);
    row->setSpacing(kGapLabel);
    auto* cancel = makeButton(tr("Cancel"));
    m_go = makeButton(tr("Look at the plan"), {}, "primary");
    m_go->setDefault(true);
    row->addStretch();
    row->addWidget(cancel);
    row->addWidget(m_go);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_go, &QPushButton::clicked, this, [this] {
        Q_EMIT chosen(model(), autoencoder());
        accept();
    });
    return part;
}

QString ScratchDialog::model() const {
    return m_model->currentData().toString();
}

bool ScratchDialog::autoencoder() const {
    return m_autoencoder->isChecked();
}

void ScratchDialog::useFolder(const QString& path) {
    m_wanted = QFileInfo(path).absoluteFilePath();
    m_problem->hide();
    m_models.import(m_wanted, /*shapeSuffices=*/true);
    fill(); // it may be known already
}

void ScratchDialog::chooseFolder() {
    askForFile(this, {tr("A model's folder"), QFileDialog::Directory},
               [this](const QString& folder) { useFolder(folder); });
}

void ScratchDialog::fill() {
    const QString now = m_models.find(m_wanted) != nullptr ? std::exchange(m_wanted, {}) : model();
    {
        const QSignalBlocker quiet(m_model);
        m_model->clear();
        for (const ModelEntry& entry : m_models.entries())
            if (entry.isModel()) m_model->addItem(entry.name, entry.path);
        m_model->setCurrentIndex(qMax(0, m_model->findData(now)));
    }
    describe();
}

void ScratchDialog::describe() {
    const ModelEntry* entry = m_models.find(model());
    const bool lacks = entry != nullptr && !autoencoder() && !entry->facts.packsPictures;
    m_partNote->setText(
        autoencoder() ? tr("VAE: learns to pack pictures and to unpack them again. The pictures model is "
                           "trained on top of it afterwards.")
                      : tr("UNet and text encoder: learn to make pictures from words, packed by an "
                           "autoencoder that has learned already."));
    m_note->setText(entry == nullptr       ? tr("No model is here yet.")
                    : !entry->looked       ? tr("Looking at the model...")
                    : !entry->facts.usable ? tr("This model cannot be used.")
                    : lacks                ? tr("Its autoencoder has not learned yet: train that first.")
                                           : tr("Makes pictures of %1 px.").arg(entry->facts.pixels));
    setPlainTip(*m_note, entry == nullptr ? QString() : entry->facts.problem);
    m_go->setEnabled(entry != nullptr && entry->looked && entry->facts.usable && !lacks);
}

} // namespace homebooth::app
