// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/library/queue_store.h"

#include "core/library/statements.h"

namespace homebooth::core {

Result<std::vector<QueuedRequest>> loadQueue(const Library& library) {
    std::vector<QueuedRequest> queue;
    HOMEBOOTH_CHECK(library.read([&queue](SQLite::Database& database) {
        SQLite::Statement rows(database, "SELECT id, kind, title, request, created_ms FROM queue"
                                         " ORDER BY position, id");
        while (rows.executeStep())
            queue.push_back({rows.getColumn(0).getInt64(), rows.getColumn(1).getString(),
                             rows.getColumn(2).getString(), rows.getColumn(3).getString(),
                             rows.getColumn(4).getInt64()});
    }));
    return queue;
}

Result<void> saveQueue(Library& library, const std::vector<QueuedRequest>& queue) {
    return library.write([&queue](SQLite::Database& database) {
        database.exec("DELETE FROM queue");
        SQLite::Statement insert(database, "INSERT INTO queue(id, position, kind, title, folder, request,"
                                           " created_ms) VALUES(?,?,?,?,'',?,?)");
        int64_t position = 0;
        for (const QueuedRequest& one : queue)
            execute(insert, one.id, ++position, one.kind, one.title, one.request, one.createdMs);
    });
}

} // namespace homebooth::core
