// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Says why something cannot be deleted, for as long as that is so. Owned by its page; GUI thread.
#pragma once

#include "app/engine/models/model_shelf.h"
#include "app/shell/services.h"
#include "app/widgets/message_bar.h"

#include <optional>

namespace homebooth::app {

class InUseMessage : public QObject {
    Q_OBJECT
public:
    InUseMessage(Services services, MessageBar& messages, QObject* parent = nullptr);
    /// @param entry  that a job works with, or waits for
    void show(const ModelEntry& entry, const std::vector<Remedy>& remedies = {});

private:
    void look();

    Services m_services;
    MessageBar& m_messages;
    std::optional<ModelEntry> m_entry; ///< that it speaks of
};

} // namespace homebooth::app
