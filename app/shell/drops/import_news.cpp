// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/drops/import_news.h"

#include "app/theme/metrics.h"
#include "app/widgets/parts.h"

#include <QBoxLayout>
#include <QDialog>
#include <QDialogButtonBox>
#include <QPlainTextEdit>

#include <utility>

namespace homebooth::app {
namespace {

constexpr int kMostApart = 3; // messages, each to be closed by itself
constexpr QSize kDialogSize{640, 400};

QString importKey() {
    return QStringLiteral("import");
}

QString allKey() {
    return QStringLiteral("imports");
}

} // namespace

ImportNews::ImportNews(std::function<MessageBar&()> messages, std::function<void(const QString&)> unsay,
                       std::chrono::milliseconds patience)
    : m_messages(std::move(messages))
    , m_unsay(std::move(unsay))
    , m_patience(patience) {}

bool ImportNews::waits() const {
    return m_taken + m_refused.size() < m_asked && !m_last.hasExpired(m_patience.count());
}

void ImportNews::begin(int count) {
    if (count == 0) return;
    if (count > 1) m_unsay(importKey()); // of one before
    const bool more = waits();
    m_last.start();
    if (more) {
        m_asked += count;
        return;
    }
    m_unsay(allKey());
    m_asked = count;
    m_taken = 0;
    m_refused.clear();
    m_apart.clear();
}

void ImportNews::countLone() {
    if (!waits()) begin(1);
    m_last.start();
}

void ImportNews::taken(bool addOn, bool word) {
    countLone();
    ++m_taken;
    if (m_refused.size() > kMostApart) return tellAll();
    const QString text = m_taken > 1
                             ? tr("%n model(s) and add-ons were imported. Their files stay where they "
                                  "are.",
                                  nullptr, m_taken)
                         : word ? tr("The learned word (embedding) was imported. Its file stays where it is.")
                         : addOn ? tr("The add-on was imported. Its file stays where it is.")
                                 : tr("The model was imported. Its files stay where they are.");
    tell({MessageKind::Good, text, {}, importKey()});
}

void ImportNews::refused(const QString& headline, const QString& detail) {
    countLone();
    m_refused.append(detail.isEmpty() ? headline : headline + '\n' + detail);
    if (m_refused.size() > kMostApart) return tellAll();
    // Of several, the success of another one does not take it away.
    const QString own = importKey() + ' ' + headline;
    m_unsay(own); // as it was said before
    m_apart.append(own);
    tell({MessageKind::Error, troubleText(headline, detail), {}, m_asked > 1 ? own : importKey()});
}

void ImportNews::tell(const Message& message) {
    m_unsay(message.key);
    m_messages().show(message);
}

void ImportNews::tellAll() {
    m_unsay(importKey());
    for (const QString& key : std::exchange(m_apart, {})) m_unsay(key);
    const auto files = static_cast<int>(m_refused.size());
    const QString refused = tr("%n file(s) could not be imported.", nullptr, files).toHtmlEscaped();
    const QString taken = tr("Imported: %1. Their files stay where they are.").arg(m_taken).toHtmlEscaped();
    const QString why = m_refused.join(QStringLiteral("\n\n"));
    tell({MessageKind::Caution,
          QStringLiteral("<b>%1</b> %2").arg(refused, taken),
          {{tr("Show which"), [this, why] { showRefused(why); }}},
          allKey()});
}

void ImportNews::showRefused(const QString& why) const {
    auto* dialog = new QDialog(m_messages().window());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Not imported"));
    auto* column = new QVBoxLayout(dialog);
    tidy(column, kPageMargin, kGapBlock);
    auto* field = new QPlainTextEdit(why);
    field->setReadOnly(true);
    field->setObjectName(QStringLiteral("why"));
    field->setAccessibleName(tr("Not imported"));
    column->addWidget(field, 1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    column->addWidget(buttons);
    dialog->resize(kDialogSize);
    dialog->open();
}

} // namespace homebooth::app
