// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/library/queue_store.h"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

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
        for (const QueuedRequest& one : queue) {
            insert.bind(1, one.id);
            insert.bind(2, ++position);
            insert.bind(3, one.kind);
            insert.bind(4, one.title);
            insert.bind(5, one.request);
            insert.bind(6, one.createdMs);
            insert.exec();
            insert.reset();
        }
    });
}

} // namespace homebooth::core
