// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/library/dataset_store.h"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

namespace homebooth::core {

Result<std::vector<DatasetRecord>> loadDatasets(const Library& library) {
    std::vector<DatasetRecord> datasets;
    HOMEBOOTH_CHECK(library.read([&datasets](SQLite::Database& database) {
        SQLite::Statement rows(database, "SELECT id, name, folder, created_ms, background_rgb FROM datasets"
                                         " ORDER BY name COLLATE NOCASE, id");
        while (rows.executeStep())
            datasets.push_back({rows.getColumn(0).getInt64(), rows.getColumn(1).getString(),
                                rows.getColumn(2).getString(), rows.getColumn(3).getInt64(),
                                static_cast<uint32_t>(rows.getColumn(4).getInt64())});
    }));
    return datasets;
}

Result<void> saveDataset(Library& library, const DatasetRecord& dataset) {
    return library.write([&dataset](SQLite::Database& database) {
        SQLite::Statement upsert(database,
                                 "INSERT INTO datasets(id, name, folder, created_ms, background_rgb)"
                                 " VALUES(?,?,?,?,?) ON CONFLICT(folder) DO UPDATE"
                                 " SET name = excluded.name");
        upsert.bind(1, dataset.id);
        upsert.bind(2, dataset.name);
        upsert.bind(3, dataset.folder);
        upsert.bind(4, dataset.createdMs);
        upsert.bind(5, static_cast<int64_t>(dataset.backgroundRgb));
        upsert.exec();
    });
}

Result<void> moveDataset(Library& library, const DatasetRecord& dataset) {
    return library.write([&dataset](SQLite::Database& database) {
        SQLite::Statement update(database, "UPDATE datasets SET name = ?, folder = ? WHERE id = ?");
        update.bind(1, dataset.name);
        update.bind(2, dataset.folder);
        update.bind(3, dataset.id);
        update.exec();
    });
}

Result<void> setDatasetBackground(Library& library, int64_t id, uint32_t rgb) {
    return library.write([=](SQLite::Database& database) {
        SQLite::Statement update(database, "UPDATE datasets SET background_rgb = ? WHERE id = ?");
        update.bind(1, static_cast<int64_t>(rgb));
        update.bind(2, id);
        update.exec();
    });
}

Result<void> removeDataset(Library& library, int64_t id) {
    return library.write([id](SQLite::Database& database) {
        SQLite::Statement remove(database, "DELETE FROM datasets WHERE id = ?");
        remove.bind(1, id);
        remove.exec();
    });
}

} // namespace homebooth::core
