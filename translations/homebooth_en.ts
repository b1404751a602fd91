<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>homebooth::app::CaptionPanel</name>
    <message numerus="yes">
        <source>The last training held %n of these pictures out: they were not learned.</source>
        <translation>
            <numerusform>The last training held %n of these pictures out: it was not learned.</numerusform>
            <numerusform>The last training held %n of these pictures out: they were not learned.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>homebooth::app::ChartBoard</name>
    <message numerus="yes">
        <source>%n value(s) of 0 or less cannot be shown on this axis.</source>
        <translation>
            <numerusform>%n value of 0 or less cannot be shown on this axis.</numerusform>
            <numerusform>%n values of 0 or less cannot be shown on this axis.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>homebooth::app::DatasetList</name>
    <message numerus="yes">
        <source>%1, %n picture(s)</source>
        <translation>
            <numerusform>%1, %n picture</numerusform>
            <numerusform>%1, %n pictures</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>homebooth::app::DatasetsPage</name>
    <message numerus="yes">
        <source>%n caption(s) changed.</source>
        <translation>
            <numerusform>%n caption changed.</numerusform>
            <numerusform>%n captions changed.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n picture(s) found and copied.</source>
        <translation>
            <numerusform>%n picture found and copied.</numerusform>
            <numerusform>%n pictures found and copied.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n picture(s)</source>
        <translation>
            <numerusform>%n picture</numerusform>
            <numerusform>%n pictures</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n without caption</source>
        <translation>
            <numerusform>%n without caption</numerusform>
            <numerusform>%n without caption</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n broken</source>
        <translation>
            <numerusform>%n broken</numerusform>
            <numerusform>%n broken</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n missing</source>
        <translation>
            <numerusform>%n missing</numerusform>
            <numerusform>%n missing</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n caption(s) were changed by another program since, and stay.</source>
        <translation>
            <numerusform>%n caption was changed by another program since, and stays.</numerusform>
            <numerusform>%n captions were changed by another program since, and stay.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>homebooth::app::EmbeddingWords</name>
    <message numerus="yes">
        <source>Stands for %n learned vector(s). Click to put it into the prompt.</source>
        <translation>
            <numerusform>Stands for %n learned vector. Click to put it into the prompt.</numerusform>
            <numerusform>Stands for %n learned vectors. Click to put it into the prompt.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more: search for their names.</source>
        <translation>
            <numerusform>%n more: search for its name.</numerusform>
            <numerusform>%n more: search for their names.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>homebooth::app::FiguresModel</name>
    <message numerus="yes">
        <source>%1, %2: %n picture(s), %3</source>
        <translation>
            <numerusform>%1, %2: %n picture, %3</numerusform>
            <numerusform>%1, %2: %n pictures, %3</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>homebooth::app::GalleryPage</name>
    <message numerus="yes">
        <source>%n picture(s) copied to %1.</source>
        <translation>
            <numerusform>%n picture copied to %1.</numerusform>
            <numerusform>%n pictures copied to %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n picture(s)</source>
        <translation>
            <numerusform>%n picture</numerusform>
            <numerusform>%n pictures</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The files of %n picture(s) are gone.</source>
        <translation>
            <numerusform>The file of %n picture is gone.</numerusform>
            <numerusform>The files of %n pictures are gone.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n picture(s) found again.</source>
        <translation>
            <numerusform>%n picture found again.</numerusform>
            <numerusform>%n pictures found again.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n picture(s) removed.</source>
        <translation>
            <numerusform>%n picture removed.</numerusform>
            <numerusform>%n pictures removed.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>homebooth::app::GeneratePage</name>
    <message numerus="yes">
        <source>%n job(s) wait for the end of the training.</source>
        <translation>
            <numerusform>%n job waits for the end of the training.</numerusform>
            <numerusform>%n jobs wait for the end of the training.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n job(s) wait: press Go on in the queue.</source>
        <translation>
            <numerusform>%n job waits: press Go on in the queue.</numerusform>
            <numerusform>%n jobs wait: press Go on in the queue.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>homebooth::app::JobBar</name>
    <message numerus="yes">
        <source>%n picture(s)</source>
        <translation>
            <numerusform>%n picture</numerusform>
            <numerusform>%n pictures</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>homebooth::app::LostFolder</name>
    <message numerus="yes">
        <source>The photos of %n subject(s) were found again.</source>
        <translation>
            <numerusform>The photos of %n subject were found again.</numerusform>
            <numerusform>The photos of %n subjects were found again.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>homebooth::app::MainWindow</name>
    <message numerus="yes">
        <source>Make a subject of %n photo(s)</source>
        <translation>
            <numerusform>Make a subject of %n photo</numerusform>
            <numerusform>Make a subject of %n photos</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n waiting</source>
        <translation>
            <numerusform>%n waiting</numerusform>
            <numerusform>%n waiting</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>New dataset, and a subject of %n photo(s)</source>
        <translation>
            <numerusform>New dataset, and a subject of %n photo</numerusform>
            <numerusform>New dataset, and a subject of %n photos</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>&lt;b&gt;%1 became a dataset&lt;/b&gt;, the other photos %n subject(s).</source>
        <translation>
            <numerusform>&lt;b&gt;%1 became a dataset&lt;/b&gt;, the other photos %n subject.</numerusform>
            <numerusform>&lt;b&gt;%1 became a dataset&lt;/b&gt;, the other photos %n subjects.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>New dataset, and %n subject(s)</source>
        <translation>
            <numerusform>New dataset, and %n subject</numerusform>
            <numerusform>New dataset, and %n subjects</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Make %n subject(s), one of each folder</source>
        <translation>
            <numerusform>Make %n subject, one of each folder</numerusform>
            <numerusform>Make %n subjects, one of each folder</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n model(s) and add-ons were imported. Their files stay where they are.</source>
        <translation>
            <numerusform>%n model or add-on was imported. Its files stay where they are.</numerusform>
            <numerusform>%n models and add-ons were imported. Their files stay where they are.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n file(s) could not be imported.</source>
        <translation>
            <numerusform>%n file could not be imported.</numerusform>
            <numerusform>%n files could not be imported.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>delete %n training(s)</source>
        <translation>
            <numerusform>delete %n training</numerusform>
            <numerusform>delete %n trainings</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n training(s) are in the trash.</source>
        <translation>
            <numerusform>%n training is in the trash.</numerusform>
            <numerusform>%n trainings are in the trash.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>&lt;b&gt;%n caption(s) beside the photos are left out.&lt;/b&gt; Expected text in UTF-8, found another encoding. Save the files as UTF-8 and add the photos again, or type what is to be learned.</source>
        <translation>
            <numerusform>&lt;b&gt;%n caption beside the photos is left out.&lt;/b&gt; Expected text in UTF-8, found another encoding. Save the file as UTF-8 and add the photos again, or type what is to be learned.</numerusform>
            <numerusform>&lt;b&gt;%n captions beside the photos are left out.&lt;/b&gt; Expected text in UTF-8, found another encoding. Save the files as UTF-8 and add the photos again, or type what is to be learned.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n subject(s) have these photos, too.</source>
        <translation>
            <numerusform>%n subject has these photos, too.</numerusform>
            <numerusform>%n subjects have these photos, too.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n picture(s) cannot be deleted: another user&apos;s, or on a drive that is read-only.</source>
        <translation>
            <numerusform>%n picture cannot be deleted: another user&apos;s, or on a drive that is read-only.</numerusform>
            <numerusform>%n pictures cannot be deleted: another user&apos;s, or on a drive that is read-only.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n training(s) are forgotten.</source>
        <translation>
            <numerusform>%n training is forgotten.</numerusform>
            <numerusform>%n trainings are forgotten.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>homebooth::app::MessageBar</name>
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>%n more</numerusform>
            <numerusform>%n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>homebooth::app::ModelsPage</name>
    <message numerus="yes">
        <source>%n older moment(s) will be deleted.</source>
        <translation>
            <numerusform>%n older moment will be deleted.</numerusform>
            <numerusform>%n older moments will be deleted.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 and %n more</source>
        <translation>
            <numerusform>%1 and %n more</numerusform>
            <numerusform>%1 and %n more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Trainings keep %1 in %n saved moment(s).</source>
        <translation>
            <numerusform>Trainings keep %1 in %n saved moment.</numerusform>
            <numerusform>Trainings keep %1 in %n saved moments.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Its training takes %1 of the disk, %2 of it in %n saved moment(s).</source>
        <translation>
            <numerusform>Its training takes %1 of the disk, %2 of it in %n saved moment.</numerusform>
            <numerusform>Its training takes %1 of the disk, %2 of it in %n saved moments.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>learned word of %n vector(s) for %1</source>
        <translation>
            <numerusform>learned word of %n vector for %1</numerusform>
            <numerusform>learned word of %n vectors for %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Delete %n training(s)?</source>
        <translation>
            <numerusform>Delete %n training?</numerusform>
            <numerusform>Delete %n trainings?</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Forget %n training(s)?</source>
        <translation>
            <numerusform>Forget %n training?</numerusform>
            <numerusform>Forget %n trainings?</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n model(s) chosen</source>
        <translation>
            <numerusform>%n model chosen</numerusform>
            <numerusform>%n models chosen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Forget %n model(s)?</source>
        <translation>
            <numerusform>Forget %n model?</numerusform>
            <numerusform>Forget %n models?</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Delete %n model(s)?</source>
        <translation>
            <numerusform>Delete %n model?</numerusform>
            <numerusform>Delete %n models?</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>delete %n model(s)</source>
        <translation>
            <numerusform>delete %n model</numerusform>
            <numerusform>delete %n models</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>take %n model(s) off the list</source>
        <translation>
            <numerusform>take %n model off the list</numerusform>
            <numerusform>take %n models off the list</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n model(s) are off the list. Their files stay.</source>
        <translation>
            <numerusform>%n model is off the list. Its files stay.</numerusform>
            <numerusform>%n models are off the list. Their files stay.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n model(s) are forgotten.</source>
        <translation>
            <numerusform>%n model is forgotten.</numerusform>
            <numerusform>%n models are forgotten.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n model(s) are in the trash.</source>
        <translation>
            <numerusform>%n model is in the trash.</numerusform>
            <numerusform>%n models are in the trash.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n training(s) go into the trash with what came out of them, their charts, previews, saved moments and any copies of photos that they made.</source>
        <translation>
            <numerusform>%n training goes into the trash with what came out of it, its charts, previews, saved moments and any copies of photos that it made.</numerusform>
            <numerusform>%n trainings go into the trash with what came out of them, their charts, previews, saved moments and any copies of photos that they made.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n model(s) go into the trash with their files: other programs lose them, too.</source>
        <translation>
            <numerusform>%n model goes into the trash with its files: other programs lose it, too.</numerusform>
            <numerusform>%n models go into the trash with their files: other programs lose them, too.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n of them leave the list alone: nothing of them is there any more.</source>
        <translation>
            <numerusform>%n of them leaves the list alone: nothing of it is there any more.</numerusform>
            <numerusform>%n of them leave the list alone: nothing of them is there any more.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>homebooth::app::Notices</name>
    <message numerus="yes">
        <source>%n in the last job</source>
        <translation>
            <numerusform>%n in the last job</numerusform>
            <numerusform>%n in the last job</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>homebooth::app::PhotoReading</name>
    <message numerus="yes">
        <source>Stopped. %n photo(s) were not added.</source>
        <translation>
            <numerusform>Stopped. %n photo was not added.</numerusform>
            <numerusform>Stopped. %n photos were not added.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>homebooth::app::PictureAlbum</name>
    <message numerus="yes">
        <source>delete %n picture(s)</source>
        <translation>
            <numerusform>delete %n picture</numerusform>
            <numerusform>delete %n pictures</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>mark %n picture(s) as favourite</source>
        <translation>
            <numerusform>mark %n picture as favourite</numerusform>
            <numerusform>mark %n pictures as favourite</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>unmark %n picture(s)</source>
        <translation>
            <numerusform>unmark %n picture</numerusform>
            <numerusform>unmark %n pictures</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n picture(s) in the trash.</source>
        <translation>
            <numerusform>%n picture in the trash.</numerusform>
            <numerusform>%n pictures in the trash.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>homebooth::app::PlanPanel</name>
    <message numerus="yes">
        <source>%n step(s); measured in the first ones</source>
        <translation>
            <numerusform>%n step; measured in the first ones</numerusform>
            <numerusform>%n steps; measured in the first ones</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>homebooth::app::PlanTime</name>
    <message numerus="yes">
        <source>%n step(s): %1</source>
        <translation>
            <numerusform>%n step: %1</numerusform>
            <numerusform>%n steps: %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n example picture(s): %1</source>
        <translation>
            <numerusform>%n example picture: %1</numerusform>
            <numerusform>%n example pictures: %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n preview(s): %1</source>
        <translation>
            <numerusform>%n preview: %1</numerusform>
            <numerusform>%n previews: %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>saving, %n time(s): %1</source>
        <translation>
            <numerusform>saving, once: %1</numerusform>
            <numerusform>saving, %n times: %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>homebooth::app::QueueModel</name>
    <message numerus="yes">
        <source>Make %n picture(s)</source>
        <translation>
            <numerusform>Make %n picture</numerusform>
            <numerusform>Make %n pictures</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>homebooth::app::ScratchDialog</name>
    <message numerus="yes">
        <source>This dataset has %n picture(s): few. &quot;Train on this&quot;, which lets a model learn further, will give more.</source>
        <translation>
            <numerusform>This dataset has %n picture: few. &quot;Train on this&quot;, which lets a model learn further, will give more.</numerusform>
            <numerusform>This dataset has %n pictures: few. &quot;Train on this&quot;, which lets a model learn further, will give more.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>homebooth::app::SubjectBook</name>
    <message numerus="yes">
        <source>add %n photo(s)</source>
        <translation>
            <numerusform>add %n photo</numerusform>
            <numerusform>add %n photos</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>make %n subject(s)</source>
        <translation>
            <numerusform>make %n subject</numerusform>
            <numerusform>make %n subjects</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>homebooth::app::SubjectDetails</name>
    <message numerus="yes">
        <source>Fine: %n tokens</source>
        <translation>
            <numerusform>Fine: %n token</numerusform>
            <numerusform>Fine: %n tokens</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Long: %n tokens. A short rare word learns better.</source>
        <translation>
            <numerusform>Long: %n token. A short rare word learns better.</numerusform>
            <numerusform>Long: %n tokens. A short rare word learns better.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>homebooth::app::SubjectListModel</name>
    <message numerus="yes">
        <source>%1, %n photo(s)</source>
        <translation>
            <numerusform>%1, %n photo</numerusform>
            <numerusform>%1, %n photos</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n photo(s)</source>
        <translation>
            <numerusform>%n photo</numerusform>
            <numerusform>%n photos</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>homebooth::app::SubjectsPage</name>
    <message numerus="yes">
        <source>%n photo(s) added to %1.</source>
        <translation>
            <numerusform>%n photo added to %1.</numerusform>
            <numerusform>%n photos added to %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n photo(s)</source>
        <translation>
            <numerusform>%n photo</numerusform>
            <numerusform>%n photos</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>remove %n photo(s)</source>
        <translation>
            <numerusform>remove %n photo</numerusform>
            <numerusform>remove %n photos</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n photo(s) removed from %1. The files stay.</source>
        <translation>
            <numerusform>%n photo removed from %1. The file stays.</numerusform>
            <numerusform>%n photos removed from %1. The files stay.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>move %n photo(s)</source>
        <translation>
            <numerusform>move %n photo</numerusform>
            <numerusform>move %n photos</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>homebooth::app::TrainPage</name>
    <message numerus="yes">
        <source>The training went on without %n file(s):</source>
        <translation>
            <numerusform>The training went on without %n file:</numerusform>
            <numerusform>The training went on without %n files:</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n example picture(s) are kept, and are not made again.</source>
        <translation>
            <numerusform>%n example picture is kept, and is not made again.</numerusform>
            <numerusform>%n example pictures are kept, and are not made again.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>homebooth::app::WarningLine</name>
    <message numerus="yes">
        <source>(%n more before)</source>
        <translation>
            <numerusform>(%n more before)</numerusform>
            <numerusform>(%n more before)</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n left out</source>
        <translation>
            <numerusform>%n left out</numerusform>
            <numerusform>%n left out</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>homebooth::app::WelcomePage</name>
    <message numerus="yes">
        <source>About %n training(s) of a whole model</source>
        <translation>
            <numerusform>About %n training of a whole model</numerusform>
            <numerusform>About %n trainings of a whole model</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>homebooth::app::WordListPanel</name>
    <message numerus="yes">
        <source>%n entries. The seed decides which.</source>
        <translation>
            <numerusform>%n entry. The seed decides which.</numerusform>
            <numerusform>%n entries. The seed decides which.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>homebooth::app::DropWords</name>
    <message numerus="yes">
        <source>%n photo(s) in folders within it were not taken: %1.</source>
        <translation>
            <numerusform>%n photo in folders within it was not taken: %1.</numerusform>
            <numerusform>%n photos in folders within it were not taken: %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n file(s) were not taken: %1.</source>
        <translation>
            <numerusform>%n file was not taken: %1.</numerusform>
            <numerusform>%n files were not taken: %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n model(s) were not imported: %1.</source>
        <translation>
            <numerusform>%n model was not imported: %1.</numerusform>
            <numerusform>%n models were not imported: %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n photo(s) were not taken: %1.</source>
        <translation>
            <numerusform>%n photo was not taken: %1.</numerusform>
            <numerusform>%n photos were not taken: %1.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>homebooth::app::LearnChoice</name>
    <message numerus="yes">
        <source>the %n subject(s)</source>
        <translation>
            <numerusform>the %n subject</numerusform>
            <numerusform>the %n subjects</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>homebooth::app::QueuePage</name>
    <message numerus="yes">
        <source>%n other chosen job(s) stay: what works or waits is not deleted.</source>
        <translation>
            <numerusform>%n other chosen job stays: what works or waits is not deleted.</numerusform>
            <numerusform>%n other chosen jobs stay: what works or waits is not deleted.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>take %n job(s) out of the queue</source>
        <translation>
            <numerusform>take %n job out of the queue</numerusform>
            <numerusform>take %n jobs out of the queue</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n job(s) are out of the queue.</source>
        <translation>
            <numerusform>%n job is out of the queue.</numerusform>
            <numerusform>%n jobs are out of the queue.</numerusform>
        </translation>
    </message>
</context>
</TS>
