// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/models/in_use_message.h"

#include "app/engine/pictures/generator.h"
#include "app/engine/runs/run_centre.h"
#include "app/pages/models/model_removal.h"

namespace homebooth::app {
namespace {
constexpr const char* kKey = "in use";
} // namespace

InUseMessage::InUseMessage(Services services, MessageBar& messages, QObject* parent)
    : QObject(parent)
    , m_services(services)
    , m_messages(messages) {
    connect(&services.generator, &Generator::jobsChanged, this, &InUseMessage::look);
    for (const auto signal : {&RunCentre::workChanged, &RunCentre::queueChanged})
        connect(&services.runs, signal, this, &InUseMessage::look);
    connect(&services.models, &ModelShelf::changed, this, &InUseMessage::look);
}

void InUseMessage::show(const ModelEntry& entry, const std::vector<Remedy>& remedies) {
    m_entry = entry;
    m_messages.show({MessageKind::Caution, removalText(removalOf(m_services, entry), entry.name), remedies,
                     QLatin1String(kKey)});
}

void InUseMessage::look() {
    if (!m_entry) return;
    if (const ModelEntry* now = m_services.models.find(m_entry->path)) m_entry->name = now->name;
    const ModelRemoval removal = removalOf(m_services, *m_entry);
    if (!removal.usedBy.isEmpty())
        return m_messages.setText(QLatin1String(kKey), removalText(removal, m_entry->name));
    m_entry.reset();
    m_messages.drop(QLatin1String(kKey));
}

} // namespace homebooth::app
