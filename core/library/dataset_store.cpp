// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/library/dataset_store.h"

#include "core/library/statements.h"

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
    return execute(library,
                   "INSERT INTO datasets(id, name, folder, created_ms, background_rgb)"
                   " VALUES(?,?,?,?,?) ON CONFLICT(folder) DO UPDATE"
                   " SET name = excluded.name",
                   dataset.id, dataset.name, dataset.folder, dataset.createdMs,
                   static_cast<int64_t>(dataset.backgroundRgb));
}

Result<void> moveDataset(Library& library, const DatasetRecord& dataset) {
    return execute(library, "UPDATE datasets SET name = ?, folder = ? WHERE id = ?", dataset.name,
                   dataset.folder, dataset.id);
}

Result<void> setDatasetBackground(Library& library, int64_t id, uint32_t rgb) {
    return execute(library, "UPDATE datasets SET background_rgb = ? WHERE id = ?", static_cast<int64_t>(rgb),
                   id);
}

Result<void> removeDataset(Library& library, int64_t id) {
    return execute(library, "DELETE FROM datasets WHERE id = ?", id);
}

} // namespace homebooth::core
