// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/models/model_check.h"

#include "app/engine/models/model_hash_cache.h"
#include "app/engine/models/model_words.h"
#include "app/library/background.h"
#include "app/library/drive_pools.h"
#include "app/pages/models/models_page.h"
#include "app/theme/metrics.h"
#include "app/widgets/parts.h"

#include <QBoxLayout>
#include <QClipboard>
#include <QDateTime>
#include <QGuiApplication>
#include <QLocale>

#include <utility>

namespace homebooth::app {

ModelCheck::ModelCheck(QWidget* parent)
    : QWidget(parent)
    , m_whole(new QLabel)
    , m_hash(new MutedLabel)
    , m_copy(makeButton(ModelsPage::tr("Copy"), QStringLiteral("copy"), "quiet")) {
    m_whole->setWordWrap(true);
    letCopy(m_hash);
    m_copy->setAccessibleName(ModelsPage::tr("Copy the SHA-256"));
    m_copy->setToolTip(ModelsPage::tr("Copies all 64 digits."));
    auto* column = new QVBoxLayout(this);
    tidy(column, 0, kGapInside);
    auto* row = new QHBoxLayout;
    row->setSpacing(kGapLabel);
    row->addWidget(m_hash, 1);
    row->addWidget(m_copy, 0, Qt::AlignTop);
    column->addWidget(m_whole);
    column->addLayout(row);
    m_whole->hide();
    m_copy->hide();
    connect(m_copy, &QPushButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(m_sha256); });
}

ModelCheck::~ModelCheck() {
    m_reading.request();
}

void ModelCheck::read(const QString& path) {
    m_reading.request(); // of the one that was shown before
    m_reading = core::CancelToken();
    m_done = false;
    m_sha256.clear();
    m_usable = false;
    m_copy->hide();
    sayWhetherWhole();
    m_hash->setText(ModelsPage::tr("SHA-256: working it out..."));
    const auto progressed = [this, cancel = m_reading](int percent) {
        if (!cancel.requested()) m_hash->setText(ModelsPage::tr("SHA-256: worked out to %1 %").arg(percent));
    };
    const auto work = [path, cancel = m_reading, back = WayBack(this), progressed] {
        int last = -1;
        const auto progress = [&](int64_t done, int64_t total) {
            const int percent = total > 0 ? static_cast<int>(100 * done / total) : 0;
            if (std::exchange(last, percent) == percent) return;
            back.call([progressed, percent] { progressed(percent); });
        };
        const auto found = knownModelHash(path, progress, cancel);
        return found && *found ? **found : ModelHash();
    };
    const auto taken = [this, path, cancel = m_reading](const ModelHash& hash) {
        if (cancel.requested()) return;
        m_done = true;
        take(hash);
        if (!m_sha256.isEmpty()) Q_EMIT worked(path, m_sha256);
    };
    inBackground(this, work, taken, modelDrives(), path);
}

void ModelCheck::take(const ModelHash& hash) {
    m_sha256 = QString::fromStdString(hash.sha256);
    m_readMs = hash.readMs;
    m_trouble = hash.trouble;
    // In groups, so that its line can break in large text.
    const QStringList groups{m_sha256.mid(0, 16), m_sha256.mid(16, 16), m_sha256.mid(32, 16),
                             m_sha256.mid(48)};
    m_hash->setText(m_sha256.isEmpty() ? QString() : ModelsPage::tr("SHA-256 %1").arg(groups.join(' ')));
    m_copy->setVisible(!m_sha256.isEmpty());
    sayWhetherWhole();
}

void ModelCheck::setUsable(bool usable, bool addOn) {
    m_usable = usable;
    m_addOn = addOn;
    sayWhetherWhole();
}

void ModelCheck::sayWhetherWhole() {
    const bool whole = m_usable && !m_sha256.isEmpty();
    m_whole->setVisible(whole);
    if (!whole) return;
    if (m_trouble.zeros && !m_addOn) return m_whole->setText(modelTrouble(core::ModelFault::Incomplete));
    if (m_trouble.notFinite) return m_whole->setText(modelTrouble(core::ModelFault::NotNumbers));
    if (m_trouble.zeros) return m_whole->hide(); // the remark on them says what they may be
    const QDate day = QDateTime::fromMSecsSinceEpoch(m_readMs).date();
    m_whole->setText(
        day == QDate::currentDate()
            ? ModelsPage::tr("Whole, checked today")
            : ModelsPage::tr("Whole, checked on %1").arg(QLocale().toString(day, QLocale::LongFormat)));
}

} // namespace homebooth::app
