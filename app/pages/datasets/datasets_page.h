// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Datasets: folders of captioned pictures, for teaching a style or much new material. Owned by the main
// window; GUI thread.
#pragma once

#include "app/engine/queue/dataset_order.h"
#include "app/pages/datasets/dataset_copy.h"
#include "app/pages/datasets/dataset_list.h"
#include "app/pages/datasets/dataset_model.h"
#include "app/pages/datasets/dataset_table.h"
#include "app/pages/datasets/figures/figures_model.h"
#include "app/shell/page.h"
#include "app/shell/services.h"
#include "app/widgets/details_drawer.h"

#include <QPointer>
#include <QTimer>

#include <functional>

class QButtonGroup;
class QComboBox;
class QLabel;
class QLineEdit;
class QListView;
class QPushButton;
class QStackedWidget;
class QTableView;

namespace homebooth::app {

class CaptionPanel;
class FiguresView;
class ProgressMessage;
struct DatasetFigures;

class DatasetsPage : public Page {
    Q_OBJECT
public:
    explicit DatasetsPage(Services services, QWidget* parent = nullptr);

    void addFolder(const QString& folder);
    /// Takes up a folder that was dropped or opened, and says so, with the way to a subject instead.
    void takeFolder(const QString& folder, const QStringList& photos);
    /// What is chosen for a training: figures tell what it makes of the pictures.
    void setLearnedSizes(const LearnedSizes& sizes);
    void activated() override;
    bool command(Command command) override;
    [[nodiscard]] QWidget* searchField() override;
    void setCompact(bool compact) override;

Q_SIGNALS:
    void trainWanted(const homebooth::app::DatasetOrder& order);
    /// Its pictures are photos of one thing after all.
    void subjectWanted(const QStringList& photos);

protected:
    [[nodiscard]] bool ready(Command command) const override;

private:
    void connectModel();
    [[nodiscard]] QWidget* makeEmpty();
    [[nodiscard]] QWidget* makeList();
    [[nodiscard]] QWidget* makeContent();
    [[nodiscard]] QWidget* makeFilters();
    [[nodiscard]] QWidget* makeViews();
    [[nodiscard]] QWidget* makeViewChoice();
    [[nodiscard]] QWidget* makeTable();
    void showView(int view);
    /// Shows what is broken, missing or without caption, whatever else was filtered; where nothing is, all.
    void showProblems();
    void step(int by);
    [[nodiscard]] QWidget* makeDetails();
    void load();
    void fillList();
    /// Has the pictures of all datasets counted.
    void countAll();
    void chooseFolder(bool copy);
    void train(const QString& shapeOf, bool autoencoder = false);
    void askForShape();
    void refresh();
    void chooseWanted();
    /// Has the panel show the pictures that are chosen.
    void showChosen();
    /// Replaces words in all captions that are shown; the button rests meanwhile.
    void replaceAll();
    /// Has the captions counted that hold the words to find.
    void takeFind();
    void refreshReplace();
    /// Has everything counted that the page tells of the dataset.
    void countCaptions();
    [[nodiscard]] QString whyNoFigures() const;
    /// Offers the tags that there are; what is none of them filters no longer, nor does a shape that is gone.
    void fillTags(const DatasetFigures& figures);
    void applyFilter(const QString& shape);
    void copyFolder(const QString& folder);
    void copyOn(const DatasetCopy& copy);
    void tellCopied(const DatasetCopy& copy, const DatasetCopied& copied);
    void tellFull(const DatasetCopy& copy, const DatasetCopied& copied);
    /// Makes a dataset of what a copy that met a full disk has by now.
    void keepCopied(const DatasetCopy& copy);
    /// Counts the pictures of a large folder while it is read, with a way to stop that.
    void connectReading();
    /// What follows when a folder went onto the list or off it.
    [[nodiscard]] std::function<void()> afterListing(const QString& folder);
    void chooseMissing();
    void findBelow(const QString& search);
    void leaveOut();
    void offerCaptions();
    /// Asks what the last training on the dataset held out.
    void askHeldOut();
    /// The folder that should be shown is gone: says so, with the way to where it is now.
    void tellGone();
    /// Its pictures are packed: says what can be done with them.
    void tellShards();
    /// Has the colour of the dataset that is shown stand behind its pictures.
    void takeColour();
    void chooseColour();
    void moveTo(const core::DatasetRecord& record, const QString& folder);
    void tellTrouble(const QString& headline, const core::Error& error, const QString& key);
    [[nodiscard]] QWidget* makeRepair();
    [[nodiscard]] QWidget* makeReplace();

    Services m_services;
    DatasetModel m_model;
    DatasetList m_datasets;
    int m_row = 0;           ///< of the one that is open
    QString m_heldOutOf;     ///< the dataset whose trainings were looked at
    int m_heldOutAsked = 0;  ///< how often
    QString m_wanted;        ///< folder to choose once the list is there
    QString m_wantedPicture; ///< to choose once it was read
    QPushButton* m_scratch = nullptr;
    QStackedWidget* m_stack = nullptr;
    DetailsDrawer* m_drawer = nullptr;
    QListView* m_list = nullptr;
    QLineEdit* m_filter = nullptr;
    QPushButton* m_problems = nullptr;
    ThumbnailGrid* m_grid = nullptr;
    DatasetTable m_rows;
    QTableView* m_table = nullptr;
    enum View { kPictures, kTable, kFigures };
    QStackedWidget* m_views = nullptr; ///< one for each
    QButtonGroup* m_viewChoice = nullptr;
    FiguresModel m_figures;
    FiguresView* m_figuresView = nullptr;
    LearnedSizes m_sizes;
    bool m_unreadable = false; ///< the folder that should be shown
    QLabel* m_state = nullptr;
    QPushButton* m_show = nullptr; ///< the pictures that it counts
    QLineEdit* m_find = nullptr;
    QLineEdit* m_replace = nullptr;
    QPushButton* m_replaceAll = nullptr;
    bool m_replacing = false; ///< words, in captions
    CaptionPanel* m_panel = nullptr;
    QTimer m_counting;
    int m_counts = 0;                    ///< how often it was counted: the latest counts
    QPointer<ProgressMessage> m_reading; ///< while a folder is read that was not shown before
    QComboBox* m_tag = nullptr;
    QWidget* m_repair = nullptr;
    QPushButton* m_findMissing = nullptr;
    QPushButton* m_leave = nullptr;
    QPushButton* m_takeCaptions = nullptr; ///< with a menu of keys
};

} // namespace homebooth::app
