<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
<context>
    <name>QAbstractSpinBox</name>
    <message>
        <source>&amp;Select All</source>
        <translation>Alles au&amp;swählen</translation>
    </message>
    <message>
        <source>&amp;Step up</source>
        <translation>Er&amp;höhen</translation>
    </message>
    <message>
        <source>Step &amp;down</source>
        <translation>&amp;Verringern</translation>
    </message>
</context>
<context>
    <name>QColorDialog</name>
    <message>
        <source>&amp;Basic colors</source>
        <translation>Gru&amp;ndfarben</translation>
    </message>
    <message>
        <source>&amp;Custom colors</source>
        <translation>&amp;Eigene Farben</translation>
    </message>
    <message>
        <source>&amp;Pick Screen Color</source>
        <translation>Farbe vom &amp;Bildschirm nehmen</translation>
    </message>
    <message>
        <source>&amp;Add to Custom Colors</source>
        <translation>Zu eigenen Farben hin&amp;zufügen</translation>
    </message>
    <message>
        <source>Hu&amp;e:</source>
        <translation>Farb&amp;ton:</translation>
    </message>
    <message>
        <source>&amp;Sat:</source>
        <translation>&amp;Sättigung:</translation>
    </message>
    <message>
        <source>&amp;Val:</source>
        <translation>He&amp;llwert:</translation>
    </message>
    <message>
        <source>&amp;Red:</source>
        <translation>&amp;Rot:</translation>
    </message>
    <message>
        <source>&amp;Green:</source>
        <translation>&amp;Grün:</translation>
    </message>
    <message>
        <source>Bl&amp;ue:</source>
        <translation>Bla&amp;u:</translation>
    </message>
    <message>
        <source>&amp;HTML:</source>
        <translation>&amp;HTML:</translation>
    </message>
</context>
<context>
    <name>QCommandLineParser</name>
    <message>
        <source>Usage: %1</source>
        <translation>Aufruf: %1</translation>
    </message>
    <message>
        <source>[options]</source>
        <translation>[Optionen]</translation>
    </message>
    <message>
        <source>Options:</source>
        <translation>Optionen:</translation>
    </message>
    <message>
        <source>Arguments:</source>
        <translation>Argumente:</translation>
    </message>
    <message>
        <source>Displays version information.</source>
        <translation>Zeigt die Version.</translation>
    </message>
    <message>
        <source>Displays help on commandline options.</source>
        <translation>Zeigt diese Hilfe.</translation>
    </message>
    <message>
        <source>Displays help including Qt specific options.</source>
        <translation>Zeigt die Hilfe mit den Optionen von Qt.</translation>
    </message>
    <message>
        <source>Displays help, including generic Qt options.</source>
        <translation>Zeigt die Hilfe mit den Optionen von Qt.</translation>
    </message>
    <message>
        <source>Unknown option &apos;%1&apos;.</source>
        <translation>Unbekannte Option „%1“.</translation>
    </message>
    <message>
        <source>Unknown options: %1.</source>
        <translation>Unbekannte Optionen: %1.</translation>
    </message>
    <message>
        <source>Unexpected value after &apos;%1&apos;.</source>
        <translation>Nach „%1“ wird kein Wert erwartet.</translation>
    </message>
    <message>
        <source>Missing value after &apos;%1&apos;.</source>
        <translation>Nach „%1“ fehlt der Wert.</translation>
    </message>
</context>
<context>
    <name>QDialogButtonBox</name>
    <message>
        <source>OK</source>
        <translation>OK</translation>
    </message>
</context>
<context>
    <name>QFileDialog</name>
    <message>
        <source>Look in:</source>
        <translation>Suchen in:</translation>
    </message>
    <message>
        <source>Directory:</source>
        <translation>Ordner:</translation>
    </message>
    <message>
        <source>File &amp;name:</source>
        <translation>Datei&amp;name:</translation>
    </message>
    <message>
        <source>Files of type:</source>
        <translation>Dateityp:</translation>
    </message>
    <message>
        <source>&amp;Open</source>
        <translation>Ö&amp;ffnen</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>&amp;Speichern</translation>
    </message>
    <message>
        <source>&amp;Choose</source>
        <translation>&amp;Auswählen</translation>
    </message>
    <message>
        <source>Save As</source>
        <translation>Speichern unter</translation>
    </message>
    <message>
        <source>All Files (*)</source>
        <translation>Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>Vor</translation>
    </message>
    <message>
        <source>Parent Directory</source>
        <translation>Übergeordneter Ordner</translation>
    </message>
    <message>
        <source>Create New Folder</source>
        <translation>Neuen Ordner anlegen</translation>
    </message>
    <message>
        <source>&amp;New Folder</source>
        <translation>&amp;Neuer Ordner</translation>
    </message>
    <message>
        <source>List View</source>
        <translation>Liste</translation>
    </message>
    <message>
        <source>Detail View</source>
        <translation>Einzelheiten</translation>
    </message>
    <message>
        <source>Sidebar</source>
        <translation>Seitenleiste</translation>
    </message>
    <message>
        <source>&amp;Rename</source>
        <translation>&amp;Umbenennen</translation>
    </message>
    <message>
        <source>&amp;Delete</source>
        <translation>&amp;Löschen</translation>
    </message>
    <message>
        <source>Show &amp;hidden files</source>
        <translation>&amp;Versteckte Dateien zeigen</translation>
    </message>
</context>
<context>
    <name>QFileSystemModel</name>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Date Modified</source>
        <translation>Geändert</translation>
    </message>
</context>
<context>
    <name>QLineEdit</name>
    <message>
        <source>&amp;Undo</source>
        <translation>&amp;Rückgängig</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>&amp;Wiederholen</translation>
    </message>
    <message>
        <source>Cu&amp;t</source>
        <translation>&amp;Ausschneiden</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>&amp;Kopieren</translation>
    </message>
    <message>
        <source>&amp;Paste</source>
        <translation>&amp;Einfügen</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>Select All</source>
        <translation>Alles auswählen</translation>
    </message>
</context>
<context>
    <name>QObject</name>
    <message>
        <source>Teaches an image model your own subject and makes pictures of it.</source>
        <translation>Bringt einem Bildmodell dein eigenes Motiv bei und macht Bilder davon.</translation>
    </message>
    <message>
        <source>Photos, a folder of them, a dataset&apos;s folder, or a model.</source>
        <translation>Fotos, ein Ordner mit Fotos, der Ordner eines Datensatzes oder ein Modell.</translation>
    </message>
</context>
<context>
    <name>QPlatformTheme</name>
    <message>
        <source>OK</source>
        <translation>OK</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>&amp;Yes</source>
        <translation>&amp;Ja</translation>
    </message>
    <message>
        <source>&amp;No</source>
        <translation>&amp;Nein</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>Verwerfen</translation>
    </message>
</context>
<context>
    <name>QShortcut</name>
    <message>
        <source>Ctrl</source>
        <translation>Strg</translation>
    </message>
    <message>
        <source>Shift</source>
        <translation>Umschalt</translation>
    </message>
    <message>
        <source>Del</source>
        <translation>Entf</translation>
    </message>
    <message>
        <source>Return</source>
        <translation>Eingabe</translation>
    </message>
</context>
<context>
    <name>QWidgetTextControl</name>
    <message>
        <source>&amp;Undo</source>
        <translation>&amp;Rückgängig</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>&amp;Wiederholen</translation>
    </message>
    <message>
        <source>Cu&amp;t</source>
        <translation>&amp;Ausschneiden</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>&amp;Kopieren</translation>
    </message>
    <message>
        <source>Copy &amp;Link Location</source>
        <translation>Adresse des &amp;Verweises kopieren</translation>
    </message>
    <message>
        <source>&amp;Paste</source>
        <translation>&amp;Einfügen</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>Select All</source>
        <translation>Alles auswählen</translation>
    </message>
</context>
<context>
    <name>homebooth::app::CaptionPanel</name>
    <message>
        <source>Caption</source>
        <translation>Beschriftung</translation>
    </message>
    <message>
        <source>Previous</source>
        <translation>Voriges</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>Nächstes</translation>
    </message>
    <message>
        <source>Figures</source>
        <translation>Zahlen</translation>
    </message>
    <message>
        <source>Shapes</source>
        <translation>Formate</translation>
    </message>
    <message>
        <source>Add a tag</source>
        <translation>Tag hinzufügen</translation>
    </message>
    <message>
        <source>Tags</source>
        <translation>Tags</translation>
    </message>
    <message>
        <source>Without the tag &quot;%1&quot;</source>
        <translation>Ohne das Tag „%1“</translation>
    </message>
    <message>
        <source>%1, %2 x %3</source>
        <translation>%1, %2 x %3</translation>
    </message>
    <message>
        <source>Show these pictures</source>
        <translation>Diese Bilder zeigen</translation>
    </message>
    <message>
        <source>Shorter side: %1 px at least, %2 px at the median</source>
        <translation>Kürzere Seite: mindestens %1 px, im Median %2 px</translation>
    </message>
    <message>
        <source>Words in a caption: %1 at the median, %2 at most</source>
        <translation>Wörter je Beschriftung: im Median %1, höchstens %2</translation>
    </message>
    <message>
        <source>%1 cannot be used as it is.</source>
        <translation>%1 lässt sich so nicht verwenden.</translation>
    </message>
    <message>
        <source>The last training held %1 % of these pictures out: they were not learned.</source>
        <translation>Das letzte Training hat %1 % dieser Bilder zurückgehalten: Sie wurden nicht gelernt.</translation>
    </message>
    <message numerus="yes">
        <source>The last training held %n of these pictures out: they were not learned.</source>
        <translation>
            <numerusform>Das letzte Training hat %n dieser Bilder zurückgehalten: Es wurde nicht gelernt.</numerusform>
            <numerusform>Das letzte Training hat %n dieser Bilder zurückgehalten: Sie wurden nicht gelernt.</numerusform>
        </translation>
    </message>
    <message>
        <source>Behind all pictures of this dataset.</source>
        <translation>Hinter allen Bildern dieses Datensatzes.</translation>
    </message>
    <message>
        <source>%1, caption from metadata.jsonl</source>
        <translation>%1, Beschriftung aus metadata.jsonl</translation>
    </message>
    <message>
        <source>%1, caption from .txt</source>
        <translation>%1, Beschriftung aus .txt</translation>
    </message>
    <message>
        <source>%1 pictures chosen</source>
        <translation>%1 Bilder gewählt</translation>
    </message>
    <message>
        <source>They have different captions.</source>
        <translation>Ihre Beschriftungen sind verschieden.</translation>
    </message>
    <message>
        <source>What is changed goes to all of them.</source>
        <translation>Was geändert wird, gilt für alle.</translation>
    </message>
    <message>
        <source>Use it so</source>
        <translation>So verwenden</translation>
    </message>
    <message>
        <source>Writes the caption as UTF-8.</source>
        <translation>Schreibt die Beschriftung als UTF-8.</translation>
    </message>
    <message>
        <source>The %1 in the folder&apos;s name (repeats) is not used: every picture is learned as often as the others.</source>
        <translation>Die %1 im Namen des Ordners (Wiederholungen) wird nicht verwendet: Jedes Bild wird so oft gelernt wie die anderen.</translation>
    </message>
</context>
<context>
    <name>homebooth::app::CardLine</name>
    <message>
        <source>Use the graphics card</source>
        <translation>Grafikkarte benutzen</translation>
    </message>
    <message>
        <source>The processor computes, far slower: an NVIDIA card is there, but its driver does not work. Install NVIDIA&apos;s driver %1 or newer; one that is installed may be kept from loading by Secure Boot or after an update of the system.</source>
        <translation>Der Prozessor rechnet, weit langsamer: Eine NVIDIA-Karte ist da, aber ihr Treiber arbeitet nicht. Installiere NVIDIAs Treiber %1 oder neuer; ist einer installiert, hält ihn vielleicht Secure Boot oder eine Aktualisierung des Systems vom Laden ab.</translation>
    </message>
    <message>
        <source>The processor computes, far slower: the graphics card is not used, as chosen in Settings.</source>
        <translation>Der Prozessor rechnet, weit langsamer: Die Grafikkarte wird nicht benutzt, wie in den Einstellungen gewählt.</translation>
    </message>
    <message>
        <source>The processor computes, as chosen in Settings: the graphics card&apos;s driver is too old.</source>
        <translation>Der Prozessor rechnet, wie in den Einstellungen gewählt: Der Treiber der Grafikkarte ist zu alt.</translation>
    </message>
    <message>
        <source>The processor computes, as chosen in Settings: the graphics card does not answer.</source>
        <translation>Der Prozessor rechnet, wie in den Einstellungen gewählt: Die Grafikkarte antwortet nicht.</translation>
    </message>
</context>
<context>
    <name>homebooth::app::Chart</name>
    <message>
        <source>Crosshair at step %1: %2</source>
        <translation>Fadenkreuz bei Schritt %1: %2</translation>
    </message>
    <message>
        <source>Crosshair at step %1: %2 %3 (%4 of %5)</source>
        <translation>Fadenkreuz bei Schritt %1: %2 %3 (%4 von %5)</translation>
    </message>
</context>
<context>
    <name>homebooth::app::ChartBoard</name>
    <message>
        <source>Learning rate</source>
        <translation>Lernrate</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>Tempo</translation>
    </message>
    <message>
        <source>pictures/s</source>
        <translation>Bilder/s</translation>
    </message>
    <message>
        <source>Export the chart</source>
        <translation>Diagramm exportieren</translation>
    </message>
    <message>
        <source>Logarithmic</source>
        <translation>Logarithmisch</translation>
    </message>
    <message>
        <source>Shows small differences at low loss.</source>
        <translation>Zeigt kleine Unterschiede bei niedrigem Loss.</translation>
    </message>
    <message>
        <source>Fit</source>
        <translation>Einpassen</translation>
    </message>
    <message>
        <source>Shows all steps again. Ctrl+wheel zooms, dragging pans.</source>
        <translation>Zeigt wieder alle Schritte. Strg+Mausrad zoomt, Ziehen verschiebt.</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>RAM</source>
        <translation>RAM</translation>
    </message>
    <message>
        <source>Swap</source>
        <translation>Auslagerung</translation>
    </message>
    <message>
        <source>Loss and memory</source>
        <translation>Loss und Speicher</translation>
    </message>
    <message>
        <source>Learning rate and speed</source>
        <translation>Lernrate und Tempo</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>Loss</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>saved</source>
        <translation>gesichert</translation>
    </message>
    <message>
        <source>Loss  now %1, trend %2</source>
        <translation>Loss  jetzt %1, Trend %2</translation>
    </message>
    <message>
        <source>Memory on the graphics card</source>
        <translation>Speicher der Grafikkarte</translation>
    </message>
    <message>
        <source>Memory in RAM</source>
        <translation>RAM</translation>
    </message>
    <message>
        <source>Memory in swap</source>
        <translation>Ausgelagerter Speicher</translation>
    </message>
    <message numerus="yes">
        <source>%n value(s) of 0 or less cannot be shown on this axis.</source>
        <translation>
            <numerusform>%n Wert von 0 oder weniger hat auf dieser Achse keinen Platz.</numerusform>
            <numerusform>%n Werte von 0 oder weniger haben auf dieser Achse keinen Platz.</numerusform>
        </translation>
    </message>
    <message>
        <source>Jumping is normal: judge by the previews.</source>
        <translation>Sprünge sind normal: Urteile nach den Vorschauen.</translation>
    </message>
    <message>
        <source>Picture (*.png);;Drawing (*.svg);;All values (*.csv)</source>
        <translation>Bild (*.png);;Zeichnung (*.svg);;Alle Werte (*.csv)</translation>
    </message>
    <message>
        <source>Other programs</source>
        <translation>Andere Programme</translation>
    </message>
    <message>
        <source>%1 % above the plan: what the program&apos;s libraries take can only be estimated.</source>
        <translation>%1 % über dem Plan: Was die Bibliotheken des Programms belegen, lässt sich nur schätzen.</translation>
    </message>
    <message>
        <source>%1 % above the plan: computing takes more room than was predicted. If memory runs short, a leaner plan follows.</source>
        <translation>%1 % über dem Plan: Das Rechnen braucht mehr Platz als vorhergesagt. Wird der Speicher knapp, folgt ein sparsamerer Plan.</translation>
    </message>
    <message>
        <source>Held out: pictures that are never learned. Where their loss rises while the trend falls, the others are copied.</source>
        <translation>Zurückgehalten: Bilder, die nie gelernt werden. Steigt ihr Loss, während der Trend fällt, werden die anderen nur noch kopiert.</translation>
    </message>
    <message>
        <source>%1, held out %2</source>
        <translation>%1, zurückgehalten %2</translation>
    </message>
    <message>
        <source>Trend</source>
        <translation>Trend</translation>
    </message>
    <message>
        <source>Held-out pictures</source>
        <translation>Zurückgehaltene Bilder</translation>
    </message>
    <message>
        <source>Waiting for pictures: %1 % of the time</source>
        <translation>Warten auf Bilder: %1 % der Zeit</translation>
    </message>
    <message>
        <source>preview</source>
        <translation>Vorschau</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>Pause</translation>
    </message>
    <message>
        <source>replanned</source>
        <translation>neu geplant</translation>
    </message>
    <message>
        <source>resumed</source>
        <translation>fortgesetzt</translation>
    </message>
    <message>
        <source>disk full</source>
        <translation>Datenträger voll</translation>
    </message>
    <message>
        <source>What the loss is the sum of, each with its weight: how far pixels are off (L1), edges and areas (in place of a perceptual loss), and how far packed pictures are from a spread of 1 around 0 (KL).</source>
        <translation>Woraus der Loss besteht, jeweils mit seinem Gewicht: wie weit Pixel danebenliegen (L1), Kanten und Flächen (anstelle eines Perceptual Loss) und wie weit verdichtete Bilder von einer Streuung von 1 um 0 abweichen (KL).</translation>
    </message>
    <message>
        <source>pixels %1</source>
        <translation>Pixel %1</translation>
    </message>
    <message>
        <source>edges %1</source>
        <translation>Kanten %1</translation>
    </message>
    <message>
        <source>areas %1</source>
        <translation>Flächen %1</translation>
    </message>
    <message>
        <source>spread %1</source>
        <translation>Streuung %1</translation>
    </message>
    <message>
        <source>Now %1</source>
        <translation>Jetzt %1</translation>
    </message>
</context>
<context>
    <name>homebooth::app::ChartCard</name>
    <message>
        <source>Show the numbers as a table</source>
        <translation>Die Zahlen als Tabelle zeigen</translation>
    </message>
    <message>
        <source>Show the numbers as a table: %1</source>
        <translation>Die Zahlen als Tabelle zeigen: %1</translation>
    </message>
    <message>
        <source>Export the chart</source>
        <translation>Diagramm exportieren</translation>
    </message>
    <message>
        <source>Export the chart: %1</source>
        <translation>Diagramm exportieren: %1</translation>
    </message>
    <message>
        <source>%1 as a table</source>
        <translation>%1 als Tabelle</translation>
    </message>
    <message>
        <source>One step in %1 is shown; the export has all of them.</source>
        <translation>Von je %1 Schritten ist einer zu sehen; der Export hat alle.</translation>
    </message>
</context>
<context>
    <name>homebooth::app::ClassNouns</name>
    <message>
        <source>backpack, bag, ball, bear, bicycle, bird, boat, book, boot, bottle, bowl, boy, building, bus, cake, camera, can, candle, car, cat, chair, child, clock, cup, dog, doll, dress, duck, elephant, face, fish, flower, glasses, girl, guitar, hat, horse, house, lamp, man, mug, object, painting, person, plant, plushie, rabbit, robot, shirt, shoe, sneaker, sofa, statue, style, sunglasses, table, teapot, toy, train, tree, truck, vase, watch, woman</source>
        <extracomment>The same nouns in the same order. Several words for one thing stand with / between them; the first is shown.</extracomment>
        <translation>Rucksack, Tasche, Ball, Bär, Fahrrad, Vogel, Boot, Buch, Stiefel, Flasche, Schüssel/Schale, Junge, Gebäude, Bus, Kuchen/Torte, Kamera, Dose, Kerze, Auto, Katze/Kater, Stuhl, Kind, Uhr/Wanduhr/Wecker, Tasse, Hund, Puppe, Kleid, Ente, Elefant, Gesicht, Fisch, Blume, Brille, Mädchen, Gitarre, Hut/Mütze, Pferd, Haus, Lampe, Mann, Becher, Gegenstand/Objekt/Ding, Gemälde, Person/Mensch, Pflanze, Kuscheltier/Stofftier/Plüschtier, Hase/Kaninchen, Roboter, Hemd, Schuh, Turnschuh, Sofa, Statue, Stil, Sonnenbrille, Tisch, Teekanne, Spielzeug, Zug, Baum, Lastwagen/LKW, Vase, Armbanduhr, Frau</translation>
    </message>
</context>
<context>
    <name>homebooth::app::ColourBehind</name>
    <message>
        <source>Transparent parts become white.</source>
        <translation>Durchsichtige Teile werden weiß.</translation>
    </message>
    <message>
        <source>Transparent parts become black.</source>
        <translation>Durchsichtige Teile werden schwarz.</translation>
    </message>
    <message>
        <source>Transparent parts become this colour: %1.</source>
        <translation>Durchsichtige Teile bekommen diese Farbe: %1.</translation>
    </message>
    <message>
        <source>See-through</source>
        <translation>Durchsichtig</translation>
    </message>
    <message>
        <source>Other colour</source>
        <translation>Andere Farbe</translation>
    </message>
    <message>
        <source>Now %1</source>
        <translation>Jetzt %1</translation>
    </message>
</context>
<context>
    <name>homebooth::app::CompareView</name>
    <message>
        <source>Pictures of %1</source>
        <translation>Bilder von %1</translation>
    </message>
</context>
<context>
    <name>homebooth::app::Component</name>
    <message>
        <source>Of OpenAI and the OpenCLIP authors.</source>
        <translation>Von OpenAI und den Autoren von OpenCLIP.</translation>
    </message>
    <message>
        <source>Weights of the default model</source>
        <translation>Gewichte des mitgelieferten Modells</translation>
    </message>
    <message>
        <source>Trained by this project&apos;s engine from random weights, on pictures of Noto Color Emoji (SIL OFL 1.1) and openclipart&apos;s public-domain drawings.</source>
        <translation>Von der Engine dieses Projekts aus zufälligen Gewichten trainiert, an Bildern von Noto Color Emoji (SIL OFL 1.1) und gemeinfreien Zeichnungen von openclipart.</translation>
    </message>
    <message>
        <source>Vocabulary of the default model</source>
        <translation>Vokabular des mitgelieferten Modells</translation>
    </message>
    <message>
        <source>Shortened.</source>
        <translation>Gekürzt.</translation>
    </message>
    <message>
        <source>CLIP&apos;s vocabulary (open_clip)</source>
        <translation>Vokabular von CLIP (open_clip)</translation>
    </message>
    <message>
        <source>Drawings of a blue dog</source>
        <translation>Zeichnungen eines blauen Hundes</translation>
    </message>
    <message>
        <source>(c) 2011 Massachusetts Institute of Technology, from Scratch 1.4. Changed: placed on white squares.</source>
        <translation>(c) 2011 Massachusetts Institute of Technology, aus Scratch 1.4. Verändert: auf weiße Quadrate gestellt.</translation>
    </message>
    <message>
        <source>The window</source>
        <translation>Das Fenster</translation>
    </message>
    <message>
        <source>The engine and all below it</source>
        <translation>Die Engine und alles darunter</translation>
    </message>
    <message>
        <source>The text lies at %1</source>
        <translation>Der Text steht unter %1</translation>
    </message>
</context>
<context>
    <name>homebooth::app::ComponentList</name>
    <message>
        <source>Homebooth</source>
        <translation>Homebooth</translation>
    </message>
    <message>
        <source>Libraries of the window</source>
        <translation>Bibliotheken des Fensters</translation>
    </message>
    <message>
        <source>Libraries of the engine</source>
        <translation>Bibliotheken der Engine</translation>
    </message>
    <message>
        <source>Models, words and pictures</source>
        <translation>Modelle, Wörter und Bilder</translation>
    </message>
</context>
<context>
    <name>homebooth::app::CropView</name>
    <message>
        <source>Crop the photo</source>
        <translation>Foto zuschneiden</translation>
    </message>
    <message>
        <source>Drag the square or its corners. Arrows move it, with Shift they size it.</source>
        <translation>Zieh das Quadrat oder seine Ecken. Pfeiltasten verschieben es, mit Umschalt ändern sie die Größe.</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>Übernehmen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Opening the photo...</source>
        <translation>Foto wird geöffnet ...</translation>
    </message>
    <message>
        <source>The photo cannot be read: its file is damaged, or of a kind that cannot be used. Esc goes back.</source>
        <translation>Das Foto lässt sich nicht lesen: Die Datei ist beschädigt oder von einer Art, die nicht verwendet werden kann. Esc führt zurück.</translation>
    </message>
    <message>
        <source>The photo&apos;s file is gone. Esc goes back.</source>
        <translation>Die Datei des Fotos ist weg. Esc führt zurück.</translation>
    </message>
    <message>
        <source>%1 % from the left, %2 % from the top, %3 % of the width.</source>
        <translation>%1 % von links, %2 % von oben, %3 % der Breite.</translation>
    </message>
</context>
<context>
    <name>homebooth::app::DatasetList</name>
    <message numerus="yes">
        <source>%1, %n picture(s)</source>
        <translation>
            <numerusform>%1, %n Bild</numerusform>
            <numerusform>%1, %n Bilder</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>homebooth::app::DatasetModel</name>
    <message>
        <source>caption of %1</source>
        <translation>Beschriftung von %1</translation>
    </message>
    <message>
        <source>replace in captions</source>
        <translation>in Beschriftungen ersetzen</translation>
    </message>
    <message>
        <source>No caption</source>
        <translation>Unbeschriftet</translation>
    </message>
    <message>
        <source>Broken</source>
        <translation>Beschädigt</translation>
    </message>
    <message>
        <source>Missing</source>
        <translation>Fehlt</translation>
    </message>
    <message>
        <source>The file is not there.</source>
        <translation>Die Datei ist nicht da.</translation>
    </message>
    <message>
        <source>The dataset could not be read.</source>
        <translation>Der Datensatz ließ sich nicht lesen.</translation>
    </message>
    <message>
        <source>The captions could not be written.</source>
        <translation>Die Beschriftungen ließen sich nicht schreiben.</translation>
    </message>
    <message>
        <source>take captions</source>
        <translation>Beschriftungen übernehmen</translation>
    </message>
    <message>
        <source>Animations and GIF cannot be learned, and this is a %1. Save one of its pictures as PNG.</source>
        <translation>Animationen und GIF lassen sich nicht lernen, und dies ist ein %1. Speichere eines der Bilder als PNG.</translation>
    </message>
    <message>
        <source>The folder holds WebDataset shards (.tar), no pictures that could be copied. Use it where it is, or unpack them into a folder.</source>
        <translation>Der Ordner enthält WebDataset-Teile (.tar), keine Bilder, die sich kopieren ließen. Benutze ihn dort, wo er ist, oder entpacke sie in einen Ordner.</translation>
    </message>
    <message>
        <source>The file is gone, or it is a link that leads nowhere.</source>
        <translation>Die Datei ist weg, oder sie ist ein Verweis, der ins Leere führt.</translation>
    </message>
    <message>
        <source>This is no file. Take it out.</source>
        <translation>Das ist keine Datei. Nimm es heraus.</translation>
    </message>
    <message>
        <source>The file cannot be read. Look at its permissions and its disk.</source>
        <translation>Die Datei ist nicht zu lesen. Prüfe ihre Zugriffsrechte und ihren Datenträger.</translation>
    </message>
    <message>
        <source>The file is empty. Copy it again.</source>
        <translation>Die Datei ist leer. Kopiere sie noch einmal.</translation>
    </message>
    <message>
        <source>This is no picture that can be read. Save it as JPEG or PNG.</source>
        <translation>Das ist kein Bild, das gelesen werden kann. Speichere es als JPEG oder PNG.</translation>
    </message>
    <message>
        <source>The picture is too large. Save it smaller.</source>
        <translation>Das Bild ist zu groß. Speichere es kleiner.</translation>
    </message>
    <message>
        <source>The picture is damaged. Copy it again.</source>
        <translation>Das Bild ist beschädigt. Kopiere es noch einmal.</translation>
    </message>
    <message>
        <source>Its caption cannot be read. Look at the file beside it.</source>
        <translation>Die Beschriftung ist nicht zu lesen. Prüfe die Datei daneben.</translation>
    </message>
    <message>
        <source>captions of %1 pictures</source>
        <translation>Beschriftungen von %1 Bildern</translation>
    </message>
    <message>
        <source>Caption?</source>
        <translation>Beschriftung?</translation>
    </message>
    <message>
        <source>Its caption is in another encoding. Save it as UTF-8.</source>
        <translation>Die Beschriftung hat eine andere Kodierung. Speichere sie als UTF-8.</translation>
    </message>
    <message>
        <source>Its name is in another encoding. Rename it.</source>
        <translation>Der Name hat eine andere Kodierung. Benenne es um.</translation>
    </message>
</context>
<context>
    <name>homebooth::app::DatasetTable</name>
    <message>
        <source>%1 x %2</source>
        <translation>%1 x %2</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Words</source>
        <comment>column: how long the caption is</comment>
        <translation>Wörter</translation>
    </message>
    <message>
        <source>Tags</source>
        <translation>Tags</translation>
    </message>
    <message>
        <source>Caption</source>
        <translation>Beschriftung</translation>
    </message>
</context>
<context>
    <name>homebooth::app::DatasetsPage</name>
    <message>
        <source>Datasets</source>
        <translation>Datensätze</translation>
    </message>
    <message>
        <source>Add folder...</source>
        <translation>Ordner hinzufügen ...</translation>
    </message>
    <message>
        <source>Train on this</source>
        <translation>Damit trainieren</translation>
    </message>
    <message>
        <source>Add folder</source>
        <translation>Ordner hinzufügen</translation>
    </message>
    <message>
        <source>Use it where it is...</source>
        <translation>An seinem Ort benutzen ...</translation>
    </message>
    <message>
        <source>Copy it into Homebooth...</source>
        <translation>Nach Homebooth kopieren ...</translation>
    </message>
    <message>
        <source>A dataset is a folder of pictures with captions, for teaching a style or much new material. For one thing or person make a subject instead.</source>
        <translation>Ein Datensatz ist ein Ordner mit beschrifteten Bildern, um einen Stil oder viel Neues zu lehren. Für eine Sache oder Person lege stattdessen ein Motiv an.</translation>
    </message>
    <message>
        <source>Go to Subjects</source>
        <translation>Zu den Motiven</translation>
    </message>
    <message>
        <source>Filter by words</source>
        <translation>Nach Wörtern filtern</translation>
    </message>
    <message>
        <source>Filter captions by words</source>
        <translation>Beschriftungen nach Wörtern filtern</translation>
    </message>
    <message>
        <source>Tag</source>
        <translation>Tag</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>Probleme</translation>
    </message>
    <message>
        <source>Pictures</source>
        <translation>Bilder</translation>
    </message>
    <message>
        <source>Nothing matches.</source>
        <translation>Keine Treffer.</translation>
    </message>
    <message>
        <source>Leave out</source>
        <translation>Weglassen</translation>
    </message>
    <message>
        <source>Find</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Find in captions</source>
        <translation>In Beschriftungen suchen</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>Ersetzen</translation>
    </message>
    <message>
        <source>Replace in captions</source>
        <translation>In Beschriftungen ersetzen</translation>
    </message>
    <message>
        <source>Replace in all shown</source>
        <translation>In allen gezeigten ersetzen</translation>
    </message>
    <message numerus="yes">
        <source>%n caption(s) changed.</source>
        <translation>
            <numerusform>%n Beschriftung geändert.</numerusform>
            <numerusform>%n Beschriftungen geändert.</numerusform>
        </translation>
    </message>
    <message>
        <source>All tags</source>
        <translation>Alle Tags</translation>
    </message>
    <message numerus="yes">
        <source>%n missing</source>
        <translation>
            <numerusform>%n fehlt</numerusform>
            <numerusform>%n fehlen</numerusform>
        </translation>
    </message>
    <message>
        <source>Add a folder of pictures</source>
        <translation>Bilderordner hinzufügen</translation>
    </message>
    <message numerus="yes">
        <source>%n picture(s) found and copied.</source>
        <translation>
            <numerusform>%n Bild gefunden und kopiert.</numerusform>
            <numerusform>%n Bilder gefunden und kopiert.</numerusform>
        </translation>
    </message>
    <message>
        <source>Every picture needs a caption first.</source>
        <translation>Erst braucht jedes Bild eine Beschriftung.</translation>
    </message>
    <message numerus="yes">
        <source>%n picture(s)</source>
        <translation>
            <numerusform>%n Bild</numerusform>
            <numerusform>%n Bilder</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n without caption</source>
        <translation>
            <numerusform>%n ohne Beschriftung</numerusform>
            <numerusform>%n ohne Beschriftung</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n broken</source>
        <translation>
            <numerusform>%n beschädigt</numerusform>
            <numerusform>%n beschädigt</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 is off the list. Its files stay.</source>
        <translation>%1 steht nicht mehr auf der Liste. Die Dateien bleiben.</translation>
    </message>
    <message>
        <source>Reading the pictures...</source>
        <translation>Die Bilder werden gelesen ...</translation>
    </message>
    <message>
        <source>The folder could not be copied.</source>
        <translation>Der Ordner ließ sich nicht kopieren.</translation>
    </message>
    <message>
        <source>Not everything could be left out.</source>
        <translation>Nicht alles ließ sich weglassen.</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>Tabelle</translation>
    </message>
    <message>
        <source>Pictures as a table</source>
        <translation>Bilder als Tabelle</translation>
    </message>
    <message>
        <source>take %1 off the list</source>
        <translation>%1 von der Liste nehmen</translation>
    </message>
    <message>
        <source>Where may whole copies of the pictures be?</source>
        <translation>Wo könnten unversehrte Kopien der Bilder sein?</translation>
    </message>
    <message>
        <source>None of these pictures lies there whole.</source>
        <translation>Keines dieser Bilder liegt dort unversehrt.</translation>
    </message>
    <message>
        <source>Find again...</source>
        <translation>Wiederfinden ...</translation>
    </message>
    <message>
        <source>Copies whole pictures of these names from another folder.</source>
        <translation>Kopiert unversehrte Bilder dieser Namen aus einem anderen Ordner.</translation>
    </message>
    <message>
        <source>&lt;b&gt;%1 became a dataset&lt;/b&gt;: a folder of many pictures, or of pictures with captions.</source>
        <translation>&lt;b&gt;%1 wurde ein Datensatz&lt;/b&gt;: ein Ordner mit vielen Bildern oder mit beschrifteten.</translation>
    </message>
    <message>
        <source>Make a subject instead</source>
        <translation>Lieber ein Motiv daraus machen</translation>
    </message>
    <message>
        <source>Train from scratch</source>
        <translation>Von Grund auf trainieren</translation>
    </message>
    <message>
        <source>There are no pictures in this folder.</source>
        <translation>In diesem Ordner sind keine Bilder.</translation>
    </message>
    <message>
        <source>Captions from</source>
        <translation>Beschriftungen aus</translation>
    </message>
    <message>
        <source>metadata.jsonl says something of these pictures, under other names than &quot;text&quot;.</source>
        <translation>metadata.jsonl sagt etwas zu diesen Bildern, unter anderen Namen als „text“.</translation>
    </message>
    <message>
        <source>find folder %1</source>
        <translation>Ordner %1 finden</translation>
    </message>
    <message>
        <source>&lt;b&gt;Folder &quot;%1&quot; is gone.&lt;/b&gt; Captions lie in it, and stay as they are. Connect the drive.</source>
        <translation>&lt;b&gt;Der Ordner „%1“ ist weg.&lt;/b&gt; Die Beschriftungen liegen in ihm und bleiben, wie sie sind. Schließe den Datenträger an.</translation>
    </message>
    <message>
        <source>Find folder</source>
        <translation>Ordner finden</translation>
    </message>
    <message>
        <source>Where is the folder now?</source>
        <translation>Wo ist der Ordner jetzt?</translation>
    </message>
    <message>
        <source>add dataset %1</source>
        <translation>Datensatz %1 hinzufügen</translation>
    </message>
    <message>
        <source>The pictures are packed.</source>
        <translation>Die Bilder sind verpackt.</translation>
    </message>
    <message>
        <source>&lt;b&gt;The pictures are packed in WebDataset shards (.tar).&lt;/b&gt; They can be trained on as they are. To see them and their captions here, unpack them into a folder.</source>
        <translation>&lt;b&gt;Die Bilder sind in WebDataset-Teilen (.tar) verpackt.&lt;/b&gt; Trainieren lässt sich mit ihnen, wie sie sind. Um sie und ihre Beschriftungen hier zu sehen, entpacke sie in einen Ordner.</translation>
    </message>
    <message>
        <source>%1 of %2 pictures</source>
        <translation>%1 von %2 Bildern</translation>
    </message>
    <message>
        <source>Stopped. Nothing was copied.</source>
        <translation>Angehalten. Nichts wurde kopiert.</translation>
    </message>
    <message>
        <source>Stopped. %1 of %2 pictures were copied, with their captions.</source>
        <translation>Angehalten. %1 von %2 Bildern wurden mit ihren Beschriftungen kopiert.</translation>
    </message>
    <message>
        <source>%1 of %2 pictures are copied.</source>
        <translation>%1 von %2 Bildern sind kopiert.</translation>
    </message>
    <message>
        <source>Nothing was copied.</source>
        <translation>Nichts wurde kopiert.</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>Weiter</translation>
    </message>
    <message>
        <source>Keep these</source>
        <translation>Diese behalten</translation>
    </message>
    <message>
        <source>Looking into the folder...</source>
        <translation>Der Ordner wird angesehen ...</translation>
    </message>
    <message>
        <source>Reading %1 of %2 pictures...</source>
        <translation>%1 von %2 Bildern gelesen ...</translation>
    </message>
    <message>
        <source>Stopped. %1 of %2 pictures are shown; a training learns all of them.</source>
        <translation>Angehalten. %1 von %2 Bildern werden gezeigt; ein Training lernt von allen.</translation>
    </message>
    <message>
        <source>Read the rest</source>
        <translation>Den Rest lesen</translation>
    </message>
    <message>
        <source>Looking through %1: %2 of %3 pictures found...</source>
        <translation>%1 wird durchsucht: %2 von %3 Bildern gefunden ...</translation>
    </message>
    <message>
        <source>Stopped. None of these pictures was found by then.</source>
        <translation>Angehalten. Bis dahin wurde keines dieser Bilder gefunden.</translation>
    </message>
    <message>
        <source>colour behind %1</source>
        <translation>Farbe hinter %1</translation>
    </message>
    <message>
        <source>Colour behind the pictures</source>
        <translation>Farbe hinter den Bildern</translation>
    </message>
    <message>
        <source>Colour behind transparent parts</source>
        <translation>Farbe hinter durchsichtigen Teilen</translation>
    </message>
    <message>
        <source>The pictures are packed: unpack them into a folder to have figures here.</source>
        <translation>Die Bilder sind verpackt: Entpacke sie in einen Ordner, dann stehen hier ihre Zahlen.</translation>
    </message>
    <message>
        <source>The folder cannot be read: find it again, or choose another one.</source>
        <translation>Der Ordner lässt sich nicht lesen: Suche ihn noch einmal oder wähle einen anderen.</translation>
    </message>
    <message>
        <source>Put pictures with captions into the folder: figures of them stand here then.</source>
        <translation>Lege beschriftete Bilder in den Ordner: Dann stehen hier ihre Zahlen.</translation>
    </message>
    <message>
        <source>Nothing matches. Clear the filter to see the figures of all pictures.</source>
        <translation>Keine Treffer. Ohne Filter stehen hier die Zahlen aller Bilder.</translation>
    </message>
    <message>
        <source>Figures of the dataset</source>
        <translation>Zahlen des Datensatzes</translation>
    </message>
    <message>
        <source>Figures</source>
        <translation>Zahlen</translation>
    </message>
    <message>
        <source>Replace in all %1</source>
        <translation>In allen %1 ersetzen</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Zeigen</translation>
    </message>
    <message>
        <source>Shows these pictures and no others.</source>
        <translation>Zeigt diese Bilder und keine anderen.</translation>
    </message>
    <message>
        <source>Copying %1 to %2...</source>
        <translation>%1 wird nach %2 kopiert ...</translation>
    </message>
    <message>
        <source>Find or leave out what is missing first.</source>
        <translation>Suche erst, was fehlt, oder lass es weg.</translation>
    </message>
    <message>
        <source>No picture can be read.</source>
        <translation>Kein Bild ist lesbar.</translation>
    </message>
    <message>
        <source>Broken pictures will be skipped.</source>
        <translation>Beschädigte Bilder werden übersprungen.</translation>
    </message>
    <message>
        <source>Not everything could be taken back.</source>
        <translation>Nicht alles ließ sich zurücknehmen.</translation>
    </message>
    <message>
        <source>Files and captions went into the folder &quot;left out&quot;.</source>
        <translation>Dateien und Beschriftungen sind jetzt im Ordner „left out“.</translation>
    </message>
    <message>
        <source>Broken files, and captions of what is broken or missing, go into the folder &quot;left out&quot; beside the pictures.</source>
        <translation>Beschädigte Dateien und die Beschriftungen von allem, was beschädigt ist oder fehlt, kommen in den Ordner „left out“ neben den Bildern.</translation>
    </message>
    <message>
        <source>leave out pictures</source>
        <translation>Bilder weglassen</translation>
    </message>
    <message>
        <source>No problem is left.</source>
        <translation>Keine Probleme mehr.</translation>
    </message>
    <message>
        <source>Show all pictures</source>
        <translation>Alle Bilder zeigen</translation>
    </message>
    <message numerus="yes">
        <source>%n caption(s) were changed by another program since, and stay.</source>
        <translation>
            <numerusform>%n Beschriftung wurde seither von einem anderen Programm geändert und bleibt.</numerusform>
            <numerusform>%n Beschriftungen wurden seither von einem anderen Programm geändert und bleiben.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>homebooth::app::DetailsDrawer</name>
    <message>
        <source>Show the details</source>
        <translation>Einzelheiten zeigen</translation>
    </message>
    <message>
        <source>Put the details away</source>
        <translation>Einzelheiten ausblenden</translation>
    </message>
</context>
<context>
    <name>homebooth::app::DiskLine</name>
    <message>
        <source>%1, %2 free</source>
        <translation>%1, %2 frei</translation>
    </message>
</context>
<context>
    <name>homebooth::app::DropWords</name>
    <message>
        <source>a raw photo: save it as JPEG</source>
        <translation>Rohfoto: als JPEG speichern</translation>
    </message>
    <message>
        <source>save it as JPEG or PNG</source>
        <translation>als JPEG oder PNG speichern</translation>
    </message>
    <message>
        <source>a film: save pictures of it</source>
        <translation>Film: Bilder daraus speichern</translation>
    </message>
    <message>
        <source>a mask, which is not used here</source>
        <translation>Maske, wird hier nicht verwendet</translation>
    </message>
    <message>
        <source>unpack it first</source>
        <translation>erst entpacken</translation>
    </message>
    <message>
        <source>not finished downloading</source>
        <translation>noch nicht fertig heruntergeladen</translation>
    </message>
    <message>
        <source>look for a .safetensors version</source>
        <translation>such eine Fassung als .safetensors</translation>
    </message>
    <message>
        <source>its name cannot be read: rename it</source>
        <translation>Name nicht lesbar: umbenennen</translation>
    </message>
    <message>
        <source>no picture</source>
        <translation>kein Bild</translation>
    </message>
    <message numerus="yes">
        <source>%n photo(s) in folders within it were not taken: %1.</source>
        <translation>
            <numerusform>%n Foto in Ordnern darin wurde nicht übernommen: %1.</numerusform>
            <numerusform>%n Fotos in Ordnern darin wurden nicht übernommen: %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n file(s) were not taken: %1.</source>
        <translation>
            <numerusform>%n Datei wurde nicht übernommen: %1.</numerusform>
            <numerusform>%n Dateien wurden nicht übernommen: %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n model(s) were not imported: %1.</source>
        <translation>
            <numerusform>%n Modell wurde nicht importiert: %1.</numerusform>
            <numerusform>%n Modelle wurden nicht importiert: %1.</numerusform>
        </translation>
    </message>
    <message>
        <source>The picture was made with ComfyUI: its settings cannot be read.</source>
        <translation>Das Bild wurde mit ComfyUI gemacht: Seine Einstellungen lassen sich nicht lesen.</translation>
    </message>
    <message>
        <source>copy it to this computer first</source>
        <translation>erst auf diesen Computer kopieren</translation>
    </message>
    <message numerus="yes">
        <source>%n photo(s) were not taken: %1.</source>
        <translation>
            <numerusform>%n Foto wurde nicht übernommen: %1.</numerusform>
            <numerusform>%n Fotos wurden nicht übernommen: %1.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>homebooth::app::EmbeddingWords</name>
    <message>
        <source>Click to put it into the prompt.</source>
        <translation>Ein Klick setzt es in den Prompt.</translation>
    </message>
    <message numerus="yes">
        <source>Stands for %n learned vector(s). Click to put it into the prompt.</source>
        <translation>
            <numerusform>Steht für %n gelernten Vektor. Ein Klick setzt es in den Prompt.</numerusform>
            <numerusform>Steht für %n gelernte Vektoren. Ein Klick setzt es in den Prompt.</numerusform>
        </translation>
    </message>
    <message>
        <source>Put %1 into the prompt</source>
        <translation>%1 in den Prompt setzen</translation>
    </message>
    <message>
        <source>Learned words</source>
        <translation>Gelernte Wörter</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Search learned words</source>
        <translation>Gelernte Wörter suchen</translation>
    </message>
    <message>
        <source>No learned word has this name.</source>
        <translation>Kein gelerntes Wort heißt so.</translation>
    </message>
    <message numerus="yes">
        <source>%n more: search for their names.</source>
        <translation>
            <numerusform>%n weiteres: Suche nach seinem Namen.</numerusform>
            <numerusform>%n weitere: Suche nach ihren Namen.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>homebooth::app::EngineCall</name>
    <message>
        <source>The engine could not be started (%1). Install Homebooth again.</source>
        <translation>Die Engine ließ sich nicht starten (%1). Installiere Homebooth neu.</translation>
    </message>
    <message>
        <source>The engine crashed.</source>
        <translation>Die Engine ist abgestürzt.</translation>
    </message>
    <message>
        <source>Homebooth was moved or replaced while it was open. Close it and start it again.</source>
        <translation>Homebooth wurde verschoben oder ersetzt, während es offen war. Schließ es und starte es neu.</translation>
    </message>
</context>
<context>
    <name>homebooth::app::EngineWords</name>
    <message>
        <source>A picture cannot be read. It was left out.</source>
        <translation>Ein Bild lässt sich nicht lesen. Es wurde weggelassen.</translation>
    </message>
    <message>
        <source>The charts could not be put into the run&apos;s folder.</source>
        <translation>Die Diagramme konnten nicht in den Ordner des Trainings gelegt werden.</translation>
    </message>
    <message>
        <source>What an earlier attempt left behind could not be removed.</source>
        <translation>Reste eines früheren Versuchs konnten nicht entfernt werden.</translation>
    </message>
    <message>
        <source>Something is missing in the model. The usual was taken instead.</source>
        <translation>Im Modell fehlt etwas. Stattdessen wurde das Übliche genommen.</translation>
    </message>
    <message>
        <source>A file was left out.</source>
        <translation>Eine Datei wurde weggelassen.</translation>
    </message>
    <message>
        <source>A preview could not be made. The training goes on.</source>
        <translation>Eine Vorschau konnte nicht gemacht werden. Das Training geht weiter.</translation>
    </message>
    <message>
        <source>A preview could not be saved. The training goes on.</source>
        <translation>Eine Vorschau konnte nicht gespeichert werden. Das Training geht weiter.</translation>
    </message>
    <message>
        <source>A text is too long for the model: its end is not read.</source>
        <translation>Ein Text ist zu lang für das Modell: Sein Ende wird nicht gelesen.</translation>
    </message>
    <message>
        <source>The training goes on under other conditions than before.</source>
        <translation>Das Training geht unter anderen Bedingungen weiter als zuvor.</translation>
    </message>
    <message>
        <source>The graphics card stopped answering. Restart the computer.</source>
        <translation>Die Grafikkarte antwortet nicht mehr. Starte den Computer neu.</translation>
    </message>
    <message>
        <source>A file or a setting cannot be used.</source>
        <translation>Eine Datei oder eine Einstellung lässt sich nicht verwenden.</translation>
    </message>
    <message>
        <source>The engine ended unexpectedly.</source>
        <translation>Die Engine endete unerwartet.</translation>
    </message>
    <message>
        <source>Memory or disk space ran out while the pictures were made.</source>
        <translation>Während die Bilder entstanden, ging der Speicher oder der Platz auf dem Datenträger aus.</translation>
    </message>
    <message>
        <source>The model, an add-on or a setting cannot be used.</source>
        <translation>Das Modell, ein Zusatz oder eine Einstellung lässt sich nicht verwenden.</translation>
    </message>
    <message>
        <source>The engine ended before the pictures were made.</source>
        <translation>Die Engine endete, bevor die Bilder fertig waren.</translation>
    </message>
    <message>
        <source>The engine has a remark.</source>
        <translation>Die Engine merkt etwas an.</translation>
    </message>
    <message>
        <source>photos</source>
        <translation>Fotos</translation>
    </message>
    <message>
        <source>checksum of the model</source>
        <translation>Prüfsumme des Modells</translation>
    </message>
    <message>
        <source>captions</source>
        <translation>Beschriftungen</translation>
    </message>
    <message>
        <source>Memory ran out. The training goes on with less, slower; nothing was lost.</source>
        <translation>Der Speicher reichte nicht. Das Training geht mit weniger weiter, langsamer; nichts ging verloren.</translation>
    </message>
    <message>
        <source>Swapping to the disk works in another way than usual, perhaps slower.</source>
        <translation>Das Auslagern auf den Datenträger läuft auf andere Weise als üblich, vielleicht langsamer.</translation>
    </message>
    <message>
        <source>Memory ran out.</source>
        <translation>Der Speicher ging aus.</translation>
    </message>
    <message>
        <source>Close other programs, or let it go on with less memory.</source>
        <translation>Schließe andere Programme oder lass das Training mit weniger Speicher weitergehen.</translation>
    </message>
    <message>
        <source>The system ended training: RAM ran out.</source>
        <translation>Das System hat das Training beendet: Der RAM ging aus.</translation>
    </message>
    <message>
        <source>The disk is full.</source>
        <translation>Der Datenträger ist voll.</translation>
    </message>
    <message>
        <source>Free room on it, then resume.</source>
        <translation>Schaffe dort Platz und setze das Training dann fort.</translation>
    </message>
    <message>
        <source>Another program or the system ended the training.</source>
        <translation>Ein anderes Programm oder das System hat das Training beendet.</translation>
    </message>
    <message>
        <source>Perhaps a guard against low memory: close other programs.</source>
        <translation>Vielleicht ein Wächter gegen knappen Speicher: Schließe andere Programme.</translation>
    </message>
    <message>
        <source>The engine crashed.</source>
        <translation>Die Engine ist abgestürzt.</translation>
    </message>
    <message>
        <source>A file that the engine was reading changed, or its disk failed.</source>
        <translation>Eine Datei, die die Engine las, hat sich verändert, oder ihr Datenträger hat versagt.</translation>
    </message>
    <message>
        <source>Check the disk and the model&apos;s files.</source>
        <translation>Prüfe den Datenträger und die Dateien des Modells.</translation>
    </message>
    <message>
        <source>A part of the engine is missing.</source>
        <translation>Ein Teil der Engine fehlt.</translation>
    </message>
    <message>
        <source>Install Homebooth again.</source>
        <translation>Installiere Homebooth neu.</translation>
    </message>
    <message>
        <source>Learning went astray: the loss is not a number.</source>
        <translation>Das Lernen ist entgleist: Der Loss ist keine Zahl.</translation>
    </message>
    <message>
        <source>A lower learning speed helps.</source>
        <translation>Ein niedrigeres Lerntempo hilft.</translation>
    </message>
    <message>
        <source>Other programs have taken memory that the training needs. It goes on; close some of them.</source>
        <translation>Andere Programme haben Speicher belegt, den das Training braucht. Es geht weiter; schließe einige davon.</translation>
    </message>
    <message>
        <source>Other programs have taken RAM that the training needs. It goes on, but may become slow; close some of them.</source>
        <translation>Andere Programme haben RAM belegt, den das Training braucht. Es geht weiter, kann aber langsam werden; schließe einige davon.</translation>
    </message>
    <message>
        <source>This is a fault in Homebooth or in the graphics driver; a newer version may help.</source>
        <translation>Das ist ein Fehler in Homebooth oder im Grafiktreiber; eine neuere Version hilft vielleicht.</translation>
    </message>
    <message>
        <source>Perhaps somebody or another program ended it.</source>
        <translation>Vielleicht hat sie jemand oder ein anderes Programm beendet.</translation>
    </message>
    <message>
        <source>The processes of the training lost each other.</source>
        <translation>Die Prozesse des Trainings haben die Verbindung zueinander verloren.</translation>
    </message>
    <message>
        <source>Resume; if it happens again, let one process train.</source>
        <translation>Setze das Training fort; passiert das wieder, lass einen Prozess allein trainieren.</translation>
    </message>
    <message>
        <source>The engine crashed (%1).</source>
        <translation>Die Engine ist abgestürzt (%1).</translation>
    </message>
    <message>
        <source>Learning went astray at step %1: the loss is not a number.</source>
        <translation>Das Lernen ist bei Schritt %1 entgleist: Der Loss ist keine Zahl.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; holds commands besides weights. None ran; nothing was imported. Look for a .safetensors version.</source>
        <translation>„%1“ enthält außer Gewichten auch Befehle. Keiner wurde ausgeführt, nichts importiert. Suche nach einer .safetensors-Fassung.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is incomplete. Nothing was imported. Download it again.</source>
        <translation>„%1“ ist unvollständig. Nichts wurde importiert. Lade es noch einmal herunter.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is a page or a pointer in place of the model. Nothing was imported. Download the file itself.</source>
        <translation>„%1“ ist eine Seite oder ein Verweis anstelle des Modells. Nichts wurde importiert. Lade die Datei selbst herunter.</translation>
    </message>
    <message>
        <source>Parts of &quot;%1&quot; are missing. Nothing was imported. Copy or download them, too.</source>
        <translation>Teile von „%1“ fehlen. Nichts wurde importiert. Kopiere auch sie oder lade sie herunter.</translation>
    </message>
    <message>
        <source>One process trains: it has nothing to share with others.</source>
        <translation>Ein Prozess trainiert: Er hat mit anderen nichts zu teilen.</translation>
    </message>
    <message>
        <source>The saved moments could not be brought into the other folder.</source>
        <translation>Die gesicherten Momente konnten nicht in den anderen Ordner gebracht werden.</translation>
    </message>
    <message>
        <source>It cannot be found or read. Connect its drive, or import it from where it is now.</source>
        <translation>Es ist nicht zu finden oder nicht zu lesen. Schließe den Datenträger an oder importiere es von dort, wo es jetzt ist.</translation>
    </message>
    <message>
        <source>The file is incomplete. Copy or download it again.</source>
        <translation>Die Datei ist unvollständig. Kopiere sie noch einmal oder lade sie neu herunter.</translation>
    </message>
    <message>
        <source>The file is damaged. Copy or download it again.</source>
        <translation>Die Datei ist beschädigt. Kopiere sie noch einmal oder lade sie neu herunter.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is damaged. Nothing was imported. Copy or download it again.</source>
        <translation>„%1“ ist beschädigt. Nichts wurde importiert. Kopiere es noch einmal oder lade es neu herunter.</translation>
    </message>
    <message>
        <source>This is a page or a pointer in place of the model. Download the file itself.</source>
        <translation>Das ist eine Seite oder ein Verweis anstelle des Modells. Lade die Datei selbst herunter.</translation>
    </message>
    <message>
        <source>Parts of the model are missing. Copy or download them, too.</source>
        <translation>Teile des Modells fehlen. Kopiere auch sie oder lade sie herunter.</translation>
    </message>
    <message>
        <source>This add-on is of a kind that cannot be used, or a part of it is missing.</source>
        <translation>Dieser Zusatz ist von einer Art, die sich nicht nutzen lässt, oder ein Teil von ihm fehlt.</translation>
    </message>
    <message>
        <source>Language model</source>
        <translation>Sprachmodell</translation>
    </message>
    <message>
        <source>This is a language model: it writes texts and makes no pictures. It is trained from the command line, with homebooth-engine train --text.</source>
        <translation>Das ist ein Sprachmodell: Es schreibt Texte und macht keine Bilder. Trainiert wird es auf der Befehlszeile, mit homebooth-engine train --text.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is a language model: it writes texts and makes no pictures. Nothing was imported. It is trained from the command line, with homebooth-engine train --text.</source>
        <translation>„%1“ ist ein Sprachmodell: Es schreibt Texte und macht keine Bilder. Nichts wurde importiert. Trainiert wird es auf der Befehlszeile, mit homebooth-engine train --text.</translation>
    </message>
    <message>
        <source>Some of its weights are no numbers. Copy or download it again.</source>
        <translation>Einige seiner Gewichte sind keine Zahlen. Kopiere es noch einmal oder lade es neu herunter.</translation>
    </message>
    <message>
        <source>This is neither a model nor an add-on.</source>
        <translation>Das ist weder ein Modell noch ein Zusatz.</translation>
    </message>
    <message>
        <source>Averaged weights (EMA) are left aside: %1.</source>
        <translation>Gemittelte Gewichte (EMA) werden beiseitegelassen: %1.</translation>
    </message>
    <message>
        <source>Weights that nothing needs are left aside: %1.</source>
        <translation>Gewichte, die nicht gebraucht werden, werden beiseitegelassen: %1.</translation>
    </message>
    <message>
        <source>Unknown parts are left aside: %1, such as %2.</source>
        <translation>Unbekannte Teile werden beiseitegelassen: %1, etwa %2.</translation>
    </message>
    <message>
        <source>The folder has no model_index.json. The usual one is assumed.</source>
        <translation>Der Ordner hat keine model_index.json. Die übliche wird angenommen.</translation>
    </message>
    <message>
        <source>The folder %1, which the model names, is missing.</source>
        <translation>Der Ordner %1, den das Modell nennt, fehlt.</translation>
    </message>
    <message>
        <source>The scheduler&apos;s settings are missing. The usual ones are taken (%1).</source>
        <translation>Die Einstellungen des Schedulers fehlen. Die üblichen werden genommen (%1).</translation>
    </message>
    <message>
        <source>The model brings no vocabulary. The published one is taken (CLIP).</source>
        <translation>Das Modell bringt kein Vokabular mit. Das veröffentlichte wird genommen (CLIP).</translation>
    </message>
    <message>
        <source>Without weights: %1.</source>
        <translation>Ohne Gewichte: %1.</translation>
    </message>
    <message>
        <source>%1: the variant %2 is taken.</source>
        <translation>%1: Die Variante %2 wird genommen.</translation>
    </message>
    <message>
        <source>The file does not say what it predicts; v is assumed. Grey noise in pictures means that it is noise (epsilon).</source>
        <translation>Die Datei sagt nicht, was sie vorhersagt; v wird angenommen. Graues Rauschen in Bildern heißt, dass sie Rauschen (epsilon) vorhersagt.</translation>
    </message>
    <message>
        <source>Text encoder</source>
        <translation>Textencoder</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <source>Some pictures or captions cannot be read.</source>
        <translation>Einige Bilder oder Beschriftungen sind nicht lesbar.</translation>
    </message>
    <message>
        <source>Mend them and resume, or go on with the others.</source>
        <translation>Bringe sie in Ordnung und setze das Training fort, oder mach mit den anderen weiter.</translation>
    </message>
    <message>
        <source>The file holds commands besides weights, so it is not opened. Look for a .safetensors version.</source>
        <translation>Die Datei enthält außer Gewichten auch Befehle und wird darum nicht geöffnet. Suche nach einer .safetensors-Fassung.</translation>
    </message>
    <message>
        <source>There are too few pictures to hold some out for the validation curve.</source>
        <translation>Es sind zu wenige Bilder, um einige für die Validierungskurve zurückzuhalten.</translation>
    </message>
    <message>
        <source>Pictures that are held out could not be looked at. The training goes on.</source>
        <translation>Die zurückgehaltenen Bilder konnten nicht angesehen werden. Das Training geht weiter.</translation>
    </message>
    <message>
        <source>This graphics card is slow in bf16. fp16 is what it is made for.</source>
        <translation>Diese Grafikkarte ist in bf16 langsam. Gemacht ist sie für fp16.</translation>
    </message>
    <message>
        <source>There are so many captions that the tags of each keep one order.</source>
        <translation>Es sind so viele Beschriftungen, dass die Tags jeder einzelnen in derselben Reihenfolge bleiben.</translation>
    </message>
    <message>
        <source>Its weights are in fp8 or another type that cannot be used here. Look for an fp16 version.</source>
        <translation>Die Gewichte liegen in fp8 oder einem anderen Format vor, das hier nicht genutzt werden kann. Suche nach einer fp16-Fassung.</translation>
    </message>
    <message>
        <source>A learned word is in no prompt: it does nothing.</source>
        <translation>Ein gelerntes Wort steht in keinem Prompt: Es bewirkt nichts.</translation>
    </message>
    <message>
        <source>There is no memory to prepare pictures while it learns: all are prepared first.</source>
        <translation>Es fehlt Speicher, um Bilder während des Lernens vorzubereiten: Alle werden vorher vorbereitet.</translation>
    </message>
    <message>
        <source>This is no whole model of Stable Diffusion 1.x, 2.x or XL. Others cannot be used.</source>
        <translation>Das ist kein ganzes Modell von Stable Diffusion 1.x, 2.x oder XL. Andere lassen sich nicht nutzen.</translation>
    </message>
    <message>
        <source>Second text encoder</source>
        <translation>Zweiter Textencoder</translation>
    </message>
    <message>
        <source>The model was made for larger pictures. After learning such small ones it draws worse.</source>
        <translation>Das Modell ist für größere Bilder gemacht. Lernt es so kleine, zeichnet es danach schlechter.</translation>
    </message>
    <message>
        <source>There is not enough memory to unpack a picture as a whole: it is done in overlapping parts.</source>
        <translation>Der Speicher reicht nicht, um ein Bild als Ganzes zu entpacken: Es geschieht in Teilen, die sich überlappen.</translation>
    </message>
    <message>
        <source>model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>There is no room for the whole model where it computes: parts of it come from RAM in each step, which takes longer.</source>
        <translation>Wo gerechnet wird, ist nicht genug Platz für das ganze Modell: Teile davon kommen in jedem Schritt aus dem RAM, das dauert länger.</translation>
    </message>
    <message>
        <source>There is not enough memory to unpack previews as a whole: it is done in overlapping parts.</source>
        <translation>Der Speicher reicht nicht, um Vorschauen als Ganzes zu entpacken: Es geschieht in Teilen, die sich überlappen.</translation>
    </message>
    <message>
        <source>There is not enough memory for previews: they will probably not be made. The training goes on without them.</source>
        <translation>Der Speicher reicht nicht für Vorschauen: Sie werden wahrscheinlich nicht gemacht. Das Training geht ohne sie weiter.</translation>
    </message>
    <message>
        <source>Put them back as they were, then resume.</source>
        <translation>Stelle sie wieder her, wie sie waren, und setze das Training dann fort.</translation>
    </message>
    <message>
        <source>The drive with the saved moments is not there.</source>
        <translation>Der Datenträger mit den gesicherten Momenten ist nicht da.</translation>
    </message>
    <message>
        <source>Connect it, then resume.</source>
        <translation>Schließe ihn an und setze das Training dann fort.</translation>
    </message>
    <message>
        <source>The model says that it predicts %1. %2 is taken, as was asked for.</source>
        <translation>Das Modell gibt an, dass es %1 vorhersagt. Wie verlangt wird %2 genommen.</translation>
    </message>
    <message>
        <source>adapter_config.json is missing beside the LoRA. It is added at the usual strength, which may be another than it was made for.</source>
        <translation>Neben dem LoRA fehlt adapter_config.json. Es wird in der üblichen Stärke hinzugefügt, die eine andere sein kann als die, für die es gemacht ist.</translation>
    </message>
    <message>
        <source>The graphics card does not answer.</source>
        <translation>Die Grafikkarte antwortet nicht.</translation>
    </message>
    <message>
        <source>Restart the computer, or install the card&apos;s driver again; then resume.</source>
        <translation>Starte den Computer neu oder installiere den Treiber der Karte noch einmal; setze das Training dann fort.</translation>
    </message>
    <message>
        <source>The training ended when the computer slept. It has started again by itself, from what was saved.</source>
        <translation>Das Training brach ab, als der Computer schlief. Es hat von selbst wieder begonnen, mit dem, was gesichert war.</translation>
    </message>
    <message>
        <source>fp16 does not hold the numbers of this model: its pictures are made in bf16.</source>
        <translation>fp16 fasst die Zahlen dieses Modells nicht: Seine Bilder entstehen in bf16.</translation>
    </message>
    <message>
        <source>This graphics card computes wrongly in fp16. Choose bf16, which takes as much memory.</source>
        <translation>Diese Grafikkarte rechnet in fp16 falsch. Wähle bf16, das ebenso viel Speicher braucht.</translation>
    </message>
    <message>
        <source>There is too little memory for this training.</source>
        <translation>Für dieses Training ist zu wenig Speicher da.</translation>
    </message>
    <message>
        <source>Close other programs, then resume. If its memory is limited, the limit may be too low.</source>
        <translation>Schließe andere Programme und setze es fort. Ist sein Speicher begrenzt, ist die Grenze vielleicht zu niedrig.</translation>
    </message>
    <message>
        <source>A file is too large for the drive.</source>
        <translation>Eine Datei ist zu groß für den Datenträger.</translation>
    </message>
    <message>
        <source>A drive with FAT32 takes no file of 4 GB or more: move the training to another drive, then resume.</source>
        <translation>Ein Datenträger mit FAT32 fasst keine Dateien ab 4 GB: Verschiebe das Training auf einen anderen und setze es dann fort.</translation>
    </message>
    <message>
        <source>More has to be swapped than is allowed.</source>
        <translation>Es muss mehr ausgelagert werden, als erlaubt ist.</translation>
    </message>
    <message>
        <source>Raise the limit of swapping in Settings, then let the training swap as they say.</source>
        <translation>Erhöhe in den Einstellungen die Grenze des Auslagerns und lass das Training dann wie eingestellt auslagern.</translation>
    </message>
    <message>
        <source>fp16 does not hold the numbers of this training.</source>
        <translation>fp16 fasst die Zahlen dieses Trainings nicht.</translation>
    </message>
    <message>
        <source>Train in bf16: it takes as much memory and holds them.</source>
        <translation>Trainiere in bf16: Das braucht ebenso viel Speicher und fasst sie.</translation>
    </message>
    <message>
        <source>The swap folder is not there.</source>
        <translation>Der Auslagerungsordner ist nicht da.</translation>
    </message>
    <message>
        <source>Connect its drive and resume, or name another folder in Settings and let the training swap as they say.</source>
        <translation>Schließe seinen Datenträger an und setze das Training fort, oder nenne in den Einstellungen einen anderen Ordner und lass es wie eingestellt auslagern.</translation>
    </message>
    <message>
        <source>Graphics cards that the training wants are not there.</source>
        <translation>Grafikkarten, die das Training braucht, sind nicht da.</translation>
    </message>
    <message>
        <source>The graphics card cannot be used.</source>
        <translation>Die Grafikkarte lässt sich nicht benutzen.</translation>
    </message>
    <message>
        <source>fp16 does not hold the numbers of this model and what is added to it: the pictures are made in bf16.</source>
        <translation>fp16 fasst die Zahlen dieses Modells und dessen, was hinzukommt, nicht: Die Bilder entstehen in bf16.</translation>
    </message>
    <message>
        <source>Earlier saved moments stay on the drive that is not there. The training goes on without them.</source>
        <translation>Früher gesicherte Momente bleiben auf dem Datenträger, der nicht da ist. Das Training geht ohne sie weiter.</translation>
    </message>
    <message>
        <source>Captions beside the photos lack words of the sentence: those words are learned from the other photos alone.</source>
        <translation>Den Beschriftungen neben den Fotos fehlen Wörter des Satzes: Diese Wörter werden nur aus den anderen Fotos gelernt.</translation>
    </message>
    <message>
        <source>Put back what is missing and resume, or let one process train.</source>
        <translation>Setze wieder ein, was fehlt, und setze das Training fort, oder lass einen Prozess allein trainieren.</translation>
    </message>
    <message>
        <source>A graphics card that the training wants is not there.</source>
        <translation>Eine Grafikkarte, die das Training braucht, ist nicht da.</translation>
    </message>
    <message>
        <source>This training is a copy. It saves its moments in a folder of its own.</source>
        <translation>Dieses Training ist eine Kopie. Es sichert seine Momente in einem eigenen Ordner.</translation>
    </message>
    <message>
        <source>The model&apos;s own dropout is not applied: it learns without.</source>
        <translation>Das Dropout des Modells wird nicht angewandt: Es lernt ohne.</translation>
    </message>
    <message>
        <source>The processor computes, far slower: the NVIDIA card&apos;s driver does not work.</source>
        <translation>Der Prozessor rechnet, weit langsamer: Der Treiber der NVIDIA-Karte arbeitet nicht.</translation>
    </message>
    <message>
        <source>The pictures of the class are drawn as of a model that predicts what was chosen. Where they are grey noise, say on Models first what it predicts.</source>
        <translation>Die Bilder der Klasse entstehen wie bei einem Modell, das vorhersagt, was gewählt wurde. Sind sie graues Rauschen, sag zuerst unter „Modelle“, was es vorhersagt.</translation>
    </message>
    <message>
        <source>Earlier saved moments stay where they were: other trainings may need them.</source>
        <translation>Frühere gesicherte Momente bleiben, wo sie waren: Andere Trainings brauchen sie vielleicht.</translation>
    </message>
    <message>
        <source>ComfyUI does not see that this model predicts v: put the node ModelSamplingDiscrete behind it there, with v_prediction. A1111 and Forge read it from the .yaml beside the .safetensors: keep the two together.</source>
        <translation>ComfyUI erkennt nicht, dass dieses Modell v vorhersagt: Setz dort den Knoten ModelSamplingDiscrete dahinter, mit v_prediction. A1111 und Forge lesen es aus der .yaml neben der .safetensors: Lass beide beisammen.</translation>
    </message>
    <message>
        <source>Other programs do not see all of how this model predicts. In ComfyUI, put the node ModelSamplingDiscrete behind it, with v_prediction and zsnr. In A1111, choose &quot;Zero Terminal SNR&quot; as the noise schedule for sampling (Settings, Sampler parameters), and keep the .yaml beside the .safetensors.</source>
        <translation>Andere Programme erkennen nicht ganz, wie dieses Modell vorhersagt. Setz in ComfyUI den Knoten ModelSamplingDiscrete dahinter, mit v_prediction und zsnr. Wähl in A1111 „Zero Terminal SNR“ als „Noise schedule for sampling“ (Settings, Sampler parameters), und lass die .yaml neben der .safetensors.</translation>
    </message>
    <message>
        <source>ComfyUI takes this model for one that predicts v: put the node ModelSamplingDiscrete behind it there, with eps.</source>
        <translation>ComfyUI hält dieses Modell für eines, das v vorhersagt: Setz dort den Knoten ModelSamplingDiscrete dahinter, mit eps.</translation>
    </message>
    <message>
        <source>What was learned lately could not be saved. The training goes on and tries it again later.</source>
        <translation>Das zuletzt Gelernte konnte nicht gesichert werden. Das Training läuft weiter und versucht es später noch einmal.</translation>
    </message>
    <message>
        <source>So few steps are for models that were made for them, and those need trailing spacing.</source>
        <translation>So wenige Schritte sind für Modelle, die dafür gemacht sind, und diese brauchen Abstände vom Ende her.</translation>
    </message>
    <message>
        <source>A setting that was named changes nothing beside the others.</source>
        <translation>Eine angegebene Einstellung bewirkt neben den anderen nichts.</translation>
    </message>
    <message>
        <source>The captions in metadata.jsonl are not read: it lies beside photos of one subject.</source>
        <translation>Die Beschriftungen in metadata.jsonl werden nicht gelesen: Sie liegt neben Fotos eines einzelnen Motivs.</translation>
    </message>
    <message>
        <source>Signs of other programs in a prompt are read as words.</source>
        <translation>Zeichen anderer Programme in einem Prompt werden als Wörter gelesen.</translation>
    </message>
    <message>
        <source>There are more pictures than the training sees in its steps: some are never learned.</source>
        <translation>Es gibt mehr Bilder, als das Training in seinen Schritten sieht: Manche werden nie gelernt.</translation>
    </message>
    <message>
        <source>The pictures of the class were made of another prompt, or by another model.</source>
        <translation>Die Bilder der Klasse entstanden mit einem anderen Prompt oder einem anderen Modell.</translation>
    </message>
    <message>
        <source>The model says that it predicts otherwise than was chosen. What was chosen counts.</source>
        <translation>Das Modell sagt, dass es anders vorhersagt als gewählt. Es gilt, was gewählt wurde.</translation>
    </message>
    <message>
        <source>Captions are learned, and not the prompt. It names the result.</source>
        <translation>Gelernt werden die Beschriftungen, nicht der Prompt. Er benennt das Ergebnis.</translation>
    </message>
    <message>
        <source>The folder of this training is not where it was.</source>
        <translation>Der Ordner dieses Trainings ist nicht mehr dort, wo er war.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is incomplete: %2 of %3. Nothing was imported. Download it again.</source>
        <translation>„%1“ ist unvollständig: %2 von %3. Nichts wurde importiert. Lade es noch einmal herunter.</translation>
    </message>
    <message>
        <source>No caption has tags that could change places: commas part them.</source>
        <translation>Keine Beschriftung hat Tags, die ihre Plätze tauschen könnten: Kommas trennen sie.</translation>
    </message>
    <message>
        <source>The disk is full. The picture that was finished could not be saved.</source>
        <translation>Der Datenträger ist voll. Das fertige Bild konnte nicht gespeichert werden.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is neither a model nor an add-on that can be used. Nothing was imported. Models are files or diffusers folders of Stable Diffusion 1.x, 2.x or XL.</source>
        <translation>„%1“ ist weder ein Modell noch ein Zusatz, der sich verwenden lässt. Es wurde nichts importiert. Modelle sind Dateien oder diffusers-Ordner von Stable Diffusion 1.x, 2.x oder XL.</translation>
    </message>
    <message>
        <source>From &quot;%1&quot; on there are only zeros: blocks that were switched off, or an unfinished download. If it does little, download it again.</source>
        <translation>Ab „%1“ stehen nur Nullen: abgeschaltete Blöcke oder ein unvollständiger Download. Wenn es wenig bewirkt, lade es neu herunter.</translation>
    </message>
    <message>
        <source>The training could not be brought into &quot;%1&quot;.</source>
        <translation>Das Training konnte nicht in „%1“ gebracht werden.</translation>
    </message>
    <message>
        <source>This training can be stopped from here, but not paused.</source>
        <translation>Dieses Training lässt sich von hier aus stoppen, aber nicht anhalten.</translation>
    </message>
    <message>
        <source>There are far more threads than the processor has cores: fewer are faster.</source>
        <translation>Es sind viel mehr Threads, als der Prozessor Kerne hat: Weniger sind schneller.</translation>
    </message>
    <message>
        <source>Some files of the model&apos;s folder are not taken along into the new model.</source>
        <translation>Einige Dateien aus dem Ordner des Modells kommen nicht mit in das neue Modell.</translation>
    </message>
    <message>
        <source>The administrator goes on with another user&apos;s training, who cannot remove what is saved from here on.</source>
        <translation>Der Systemverwalter setzt das Training eines anderen Benutzers fort. Was ab jetzt gesichert wird, kann dieser nicht entfernen.</translation>
    </message>
</context>
<context>
    <name>homebooth::app::ExampleFolder</name>
    <message>
        <source>The folder of your example pictures is not there: %1. Connect its drive, or name another one.</source>
        <translation>Der Ordner deiner Beispielbilder ist nicht da: %1. Schließe seinen Datenträger an oder nenne einen anderen.</translation>
    </message>
    <message>
        <source>Expected a folder of example pictures, found a file: %1. Name the folder that it is in.</source>
        <translation>Erwartet wurde ein Ordner mit Beispielbildern, gefunden eine Datei: %1. Nenne den Ordner, in dem sie liegt.</translation>
    </message>
    <message>
        <source>The folder of your example pictures cannot be read: %1. Look whether you may open it.</source>
        <translation>Der Ordner deiner Beispielbilder lässt sich nicht lesen: %1. Sieh nach, ob du ihn öffnen darfst.</translation>
    </message>
    <message>
        <source>Let the model make them</source>
        <translation>Lass sie das Modell machen</translation>
    </message>
</context>
<context>
    <name>homebooth::app::ExpertForm</name>
    <message>
        <source>Steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>optimizer steps</source>
        <translation>Optimiererschritte</translation>
    </message>
    <message>
        <source>More steps learn the subject closer, until it only copies the photos.</source>
        <translation>Mehr Schritte lernen das Motiv genauer, bis nur noch die Fotos kopiert werden.</translation>
    </message>
    <message>
        <source>Learning speed</source>
        <translation>Lerntempo</translation>
    </message>
    <message>
        <source>learning rate</source>
        <translation>Lernrate</translation>
    </message>
    <message>
        <source>Higher learns faster and goes astray sooner.</source>
        <translation>Ein höheres Tempo lernt schneller und entgleist eher.</translation>
    </message>
    <message>
        <source>Course of the speed</source>
        <translation>Verlauf des Tempos</translation>
    </message>
    <message>
        <source>schedule</source>
        <translation>Lernratenplan</translation>
    </message>
    <message>
        <source>Gentle start</source>
        <translation>Sanfter Beginn</translation>
    </message>
    <message>
        <source>warm-up steps</source>
        <translation>Aufwärmschritte</translation>
    </message>
    <message>
        <source>The speed rises over these steps instead of at once.</source>
        <translation>Das Tempo steigt über diese Schritte an, statt sofort voll zu sein.</translation>
    </message>
    <message>
        <source>Pictures at a time</source>
        <translation>Bilder auf einmal</translation>
    </message>
    <message>
        <source>batch size</source>
        <translation>Batchgröße</translation>
    </message>
    <message>
        <source>More are steadier and need more memory.</source>
        <translation>Mehr lernen ruhiger und brauchen mehr Speicher.</translation>
    </message>
    <message>
        <source>Batches in a step</source>
        <translation>Batches je Schritt</translation>
    </message>
    <message>
        <source>gradient accumulation</source>
        <translation>Gradientenakkumulation</translation>
    </message>
    <message>
        <source>As a larger batch, slower, with little more memory.</source>
        <translation>Wie ein größerer Batch, langsamer, mit kaum mehr Speicher.</translation>
    </message>
    <message>
        <source>Picture size</source>
        <translation>Bildgröße</translation>
    </message>
    <message>
        <source>resolution, px</source>
        <translation>Auflösung, px</translation>
    </message>
    <message>
        <source>Smaller is faster and needs less memory; details are lost.</source>
        <translation>Kleiner ist schneller und braucht weniger Speicher; Einzelheiten gehen verloren.</translation>
    </message>
    <message>
        <source>Shapes</source>
        <translation>Formate</translation>
    </message>
    <message>
        <source>framing</source>
        <translation>Zuschnitt</translation>
    </message>
    <message>
        <source>Also mirrored</source>
        <translation>Auch gespiegelt</translation>
    </message>
    <message>
        <source>flip</source>
        <translation>Spiegeln</translation>
    </message>
    <message>
        <source>More variety; wrong for faces, text and anything with a left and a right.</source>
        <translation>Mehr Abwechslung; falsch für Gesichter, Schrift und alles mit links und rechts.</translation>
    </message>
    <message>
        <source>Learn words, too</source>
        <translation>Auch Wörter lernen</translation>
    </message>
    <message>
        <source>train the text encoder</source>
        <translation>Textencoder trainieren</translation>
    </message>
    <message>
        <source>Follows the trigger word better, needs more memory.</source>
        <translation>Folgt dem Auslösewort besser, braucht mehr Speicher.</translation>
    </message>
    <message>
        <source>Number format</source>
        <translation>Zahlenformat</translation>
    </message>
    <message>
        <source>precision</source>
        <translation>Genauigkeit</translation>
    </message>
    <message>
        <source>Way of learning</source>
        <translation>Lernverfahren</translation>
    </message>
    <message>
        <source>optimizer</source>
        <translation>Optimierer</translation>
    </message>
    <message>
        <source>Forgetting</source>
        <translation>Vergessen</translation>
    </message>
    <message>
        <source>weight decay</source>
        <translation>Gewichtsverfall</translation>
    </message>
    <message>
        <source>Keeps weights small; rarely worth a change.</source>
        <translation>Hält Gewichte klein; selten eine Änderung wert.</translation>
    </message>
    <message>
        <source>Limit of a step</source>
        <translation>Grenze eines Schritts</translation>
    </message>
    <message>
        <source>gradient clipping</source>
        <translation>Gradientenbegrenzung</translation>
    </message>
    <message>
        <source>Stops single bad steps from doing harm. 0: none.</source>
        <translation>Verhindert, dass einzelne schlechte Schritte schaden. 0: keine.</translation>
    </message>
    <message>
        <source>Average of the past</source>
        <translation>Mittel der Vergangenheit</translation>
    </message>
    <message>
        <source>EMA decay</source>
        <translation>EMA-Abklingen</translation>
    </message>
    <message>
        <source>Smoother results from many steps; needs the weights once more. 0: none.</source>
        <translation>Ruhigere Ergebnisse bei vielen Schritten; braucht die Gewichte noch einmal. 0: keines.</translation>
    </message>
    <message>
        <source>Example pictures</source>
        <translation>Beispielbilder</translation>
    </message>
    <message>
        <source>class images</source>
        <translation>Klassenbilder</translation>
    </message>
    <message>
        <source>More keep the class varied, and take longer to make.</source>
        <translation>Mehr halten die Klasse vielfältig und dauern länger.</translation>
    </message>
    <message>
        <source>Weight of the examples</source>
        <translation>Gewicht der Beispiele</translation>
    </message>
    <message>
        <source>prior loss weight</source>
        <translation>Gewicht des Prior-Loss</translation>
    </message>
    <message>
        <source>Higher keeps others of the kind normal and learns the subject slower.</source>
        <translation>Höher hält andere dieser Art normal und lernt das Motiv langsamer.</translation>
    </message>
    <message>
        <source>Room of the add-on</source>
        <translation>Platz im Zusatz</translation>
    </message>
    <message>
        <source>LoRA rank</source>
        <translation>LoRA-Rang</translation>
    </message>
    <message>
        <source>Higher holds more detail in a larger file.</source>
        <translation>Höher fasst mehr Einzelheiten in einer größeren Datei.</translation>
    </message>
    <message>
        <source>Strength of the add-on</source>
        <translation>Stärke des Zusatzes</translation>
    </message>
    <message>
        <source>LoRA alpha</source>
        <translation>LoRA-Alpha</translation>
    </message>
    <message>
        <source>The learned change counts alpha / rank.</source>
        <translation>Die gelernte Änderung zählt mit Alpha / Rang.</translation>
    </message>
    <message>
        <source>Even out noise levels</source>
        <translation>Rauschstufen ausgleichen</translation>
    </message>
    <message>
        <source>min-SNR gamma</source>
        <translation>Min-SNR-Gamma</translation>
    </message>
    <message>
        <source>5 often learns faster; 0: off.</source>
        <translation>5 lernt oft schneller; 0: aus.</translation>
    </message>
    <message>
        <source>Darker darks</source>
        <translation>Dunkleres Dunkel</translation>
    </message>
    <message>
        <source>noise offset</source>
        <translation>Rauschversatz</translation>
    </message>
    <message>
        <source>Around 0.05 allows very dark and very bright pictures.</source>
        <translation>Um 0,05 erlaubt sehr dunkle und sehr helle Bilder.</translation>
    </message>
    <message>
        <source>Save every</source>
        <translation>Sichern alle</translation>
    </message>
    <message>
        <source>steps between checkpoints</source>
        <translation>Schritte zwischen Checkpoints</translation>
    </message>
    <message>
        <source>Each saved moment takes room on the disk.</source>
        <translation>Jeder gesicherte Moment braucht Platz auf dem Datenträger.</translation>
    </message>
    <message>
        <source>Preview every</source>
        <translation>Vorschau alle</translation>
    </message>
    <message>
        <source>steps between previews</source>
        <translation>Schritte zwischen Vorschauen</translation>
    </message>
    <message>
        <source>Each preview costs the time of a picture. 0: none.</source>
        <translation>Jede Vorschau kostet die Zeit eines Bildes. 0: keine.</translation>
    </message>
    <message>
        <source>Saved moments kept</source>
        <translation>Gesicherte Momente</translation>
    </message>
    <message>
        <source>checkpoints</source>
        <translation>Checkpoints</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Seed</translation>
    </message>
    <message>
        <source>seed</source>
        <translation>Seed</translation>
    </message>
    <message>
        <source>The same seed and settings give the same result.</source>
        <translation>Derselbe Seed und dieselben Einstellungen ergeben dasselbe.</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 bis %2</translation>
    </message>
    <message>
        <source>Default of %1</source>
        <translation>Vorgabe für %1</translation>
    </message>
    <message>
        <source>no</source>
        <translation>nein</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>ja</translation>
    </message>
    <message>
        <source>a whole number</source>
        <translation>eine ganze Zahl</translation>
    </message>
    <message>
        <source>a number</source>
        <translation>eine Zahl</translation>
    </message>
    <message>
        <source>This is not possible here.</source>
        <translation>Das ist hier nicht möglich.</translation>
    </message>
    <message>
        <source>AdamW in 8 bit needs a quarter of the optimizer&apos;s memory, Adafactor almost none.</source>
        <translation>AdamW mit 8 Bit braucht ein Viertel des Optimiererspeichers, Adafactor fast keinen.</translation>
    </message>
    <message>
        <source>stays</source>
        <translation>bleibt gleich</translation>
    </message>
    <message>
        <source>falls evenly</source>
        <translation>fällt gleichmäßig</translation>
    </message>
    <message>
        <source>falls in a curve</source>
        <translation>fällt im Bogen</translation>
    </message>
    <message>
        <source>cut square</source>
        <translation>Quadrate</translation>
    </message>
    <message>
        <source>keep shapes</source>
        <translation>Formate behalten</translation>
    </message>
    <message>
        <source>AdamW, 8 bit</source>
        <translation>AdamW, 8 Bit</translation>
    </message>
    <message>
        <source>from %1</source>
        <translation>ab %1</translation>
    </message>
    <message>
        <source>No setting has this name.</source>
        <translation>Keine Einstellung heißt so.</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Search expert settings</source>
        <translation>Experteneinstellungen durchsuchen</translation>
    </message>
    <message>
        <source>%1, default %2</source>
        <translation>%1, Vorgabe %2</translation>
    </message>
    <message>
        <source>Pictures without words</source>
        <translation>Bilder ohne Worte</translation>
    </message>
    <message>
        <source>caption dropout</source>
        <translation>Beschriftungen weglassen (caption dropout)</translation>
    </message>
    <message>
        <source>The part that is learned without its caption: looks are learned apart from words.</source>
        <translation>Der Anteil, der ohne seine Beschriftung gelernt wird: Das Aussehen wird unabhängig von Wörtern gelernt.</translation>
    </message>
    <message>
        <source>Learning speed of words</source>
        <translation>Lerntempo der Wörter</translation>
    </message>
    <message>
        <source>text encoder learning rate</source>
        <translation>Lernrate des Textencoders</translation>
    </message>
    <message>
        <source>Lower keeps the meaning of other words. 0: as fast as pictures.</source>
        <translation>Niedriger bewahrt die Bedeutung anderer Wörter. 0: so schnell wie Bilder.</translation>
    </message>
    <message>
        <source>Memory of its steps</source>
        <translation>Gedächtnis der Schritte</translation>
    </message>
    <message>
        <source>format of the optimizer&apos;s moments</source>
        <translation>Format der Momente des Optimierers</translation>
    </message>
    <message>
        <source>bf16 halves the optimizer&apos;s memory; fp32 is the most exact.</source>
        <translation>bf16 halbiert den Speicher des Optimierers; fp32 ist am genauesten.</translation>
    </message>
    <message>
        <source>Exact copy that learns</source>
        <translation>Genaue Kopie, die lernt</translation>
    </message>
    <message>
        <source>master weights</source>
        <translation>Master-Gewichte</translation>
    </message>
    <message>
        <source>An fp32 copy keeps steps that bf16 would round away, for twice the model&apos;s memory.</source>
        <translation>Eine fp32-Kopie behält Schritte, die bf16 wegrunden würde, für den doppelten Speicher des Modells.</translation>
    </message>
    <message>
        <source>Where the model waits</source>
        <translation>Wo das Modell wartet</translation>
    </message>
    <message>
        <source>placement</source>
        <translation>Platzierung</translation>
    </message>
    <message>
        <source>In RAM, a graphics card with little memory suffices and steps take longer.</source>
        <translation>Wartet es im RAM, reicht eine Grafikkarte mit wenig Speicher, und Schritte dauern länger.</translation>
    </message>
    <message>
        <source>Can be trained further</source>
        <translation>Lässt sich weiter trainieren</translation>
    </message>
    <message>
        <source>keep optimizer states</source>
        <translation>Zustände des Optimierers behalten</translation>
    </message>
    <message>
        <source>Keeps what a later training goes on from; takes room on the disk.</source>
        <translation>Behält, womit ein späteres Training weitermacht; braucht Platz auf dem Datenträger.</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>as it fits best</source>
        <translation>wie es am besten passt</translation>
    </message>
    <message>
        <source>where it computes</source>
        <translation>wo gerechnet wird</translation>
    </message>
    <message>
        <source>in RAM</source>
        <translation>im RAM</translation>
    </message>
    <message>
        <source>Picture size at first</source>
        <translation>Bildgröße am Anfang</translation>
    </message>
    <message>
        <source>start resolution, px</source>
        <translation>Startauflösung, px</translation>
    </message>
    <message>
        <source>Smaller pictures first: rough shapes are learned in less time, details afterwards. 0: off.</source>
        <translation>Erst kleinere Bilder: Grobe Formen sind schneller gelernt, Einzelheiten danach. 0: aus.</translation>
    </message>
    <message>
        <source>Steps at that size</source>
        <translation>Schritte in dieser Größe</translation>
    </message>
    <message>
        <source>start steps</source>
        <translation>Startschritte</translation>
    </message>
    <message>
        <source>More save more time; fewer steps are left for details.</source>
        <translation>Mehr sparen mehr Zeit; weniger Schritte bleiben für Einzelheiten.</translation>
    </message>
    <message>
        <source>Where captions stand</source>
        <translation>Wo die Beschriftungen stehen</translation>
    </message>
    <message>
        <source>caption columns</source>
        <translation>Beschriftungsspalten</translation>
    </message>
    <message>
        <source>Names in metadata.jsonl or in the JSON of shards, with commas between; one of them is learned at a time. Empty: texts, or else text.</source>
        <translation>Namen in metadata.jsonl oder im JSON der WebDataset-Teile, mit Kommas dazwischen; jedes Mal wird eine dieser Beschriftungen gelernt. Leer: texts, sonst text.</translation>
    </message>
    <message>
        <source>Tags in any order</source>
        <translation>Tags in beliebiger Reihenfolge</translation>
    </message>
    <message>
        <source>shuffle tags</source>
        <translation>Tags mischen</translation>
    </message>
    <message>
        <source>For captions that are lists with commas: each tag counts, wherever it stands.</source>
        <translation>Für Beschriftungen, die Listen mit Kommas sind: Jedes Tag zählt, wo es auch steht.</translation>
    </message>
    <message>
        <source>Tags that stay in front</source>
        <translation>Tags, die vorn bleiben</translation>
    </message>
    <message>
        <source>keep tags</source>
        <translation>feste Tags</translation>
    </message>
    <message>
        <source>So a trigger word keeps its place and its weight.</source>
        <translation>So behält ein Auslösewort seinen Platz und sein Gewicht.</translation>
    </message>
    <message>
        <source>Pictures held out</source>
        <translation>Zurückgehaltene Bilder</translation>
    </message>
    <message>
        <source>validation share</source>
        <translation>Validierungsanteil</translation>
    </message>
    <message>
        <source>This part is never learned. Its loss is a second curve, which rises when the others are copied. 0: none.</source>
        <translation>Dieser Teil wird nie gelernt. Sein Loss ist eine zweite Kurve; sie steigt, wenn die anderen nur noch kopiert werden. 0: keine.</translation>
    </message>
    <message>
        <source>Look at them every</source>
        <translation>Nachsehen alle</translation>
    </message>
    <message>
        <source>steps between validations</source>
        <translation>Schritte zwischen Validierungen</translation>
    </message>
    <message>
        <source>More often shows sooner when to stop, and takes time.</source>
        <translation>Öfter zeigt eher, wann Schluss sein sollte, und kostet Zeit.</translation>
    </message>
    <message>
        <source>Begin with noise alone</source>
        <translation>Mit reinem Rauschen beginnen</translation>
    </message>
    <message>
        <source>zero-terminal SNR</source>
        <translation>Zero-Terminal-SNR</translation>
    </message>
    <message>
        <source>When pictures are prepared</source>
        <translation>Wann Bilder vorbereitet werden</translation>
    </message>
    <message>
        <source>encode</source>
        <translation>Enkodieren</translation>
    </message>
    <message>
        <source>While it learns: training begins at once, and each picture is prepared shortly before it is learned. That takes some more memory. The result is the same.</source>
        <translation>Während des Lernens: Das Training beginnt sofort, und jedes Bild wird kurz vorher vorbereitet. Das braucht etwas mehr Speicher. Das Ergebnis ist dasselbe.</translation>
    </message>
    <message>
        <source>all before training</source>
        <translation>alle vor dem Training</translation>
    </message>
    <message>
        <source>while it learns</source>
        <translation>während des Lernens</translation>
    </message>
    <message>
        <source>Use %1</source>
        <translation>%1 nehmen</translation>
    </message>
    <message>
        <source>Processes</source>
        <translation>Prozesse</translation>
    </message>
    <message>
        <source>that train together</source>
        <translation>die zusammen trainieren</translation>
    </message>
    <message>
        <source>Several share each step and the computer&apos;s cores. That pays on computers with very many cores; each process needs memory of its own. The pictures at a time must be as many for each.</source>
        <translation>Mehrere teilen sich jeden Schritt und die Kerne des Computers. Das lohnt sich bei sehr vielen Kernen; jeder Prozess braucht eigenen Speicher. Von den Bildern auf einmal muss jeder gleich viele bekommen.</translation>
    </message>
    <message>
        <source>Shared among them</source>
        <translation>Unter ihnen aufgeteilt</translation>
    </message>
    <message>
        <source>ZeRO stage</source>
        <translation>ZeRO-Stufe</translation>
    </message>
    <message>
        <source>Of this each process keeps its part alone and borrows the rest from the others: less memory, slower steps, the same result. ZeRO 2 shares gradients and what the optimizer remembers, ZeRO 3 the model, too.</source>
        <translation>Davon behält jeder Prozess nur seinen Teil und leiht sich den Rest von den anderen: weniger Speicher, langsamere Schritte, dasselbe Ergebnis. ZeRO 2 teilt Gradienten und was der Optimierer sich merkt, ZeRO 3 auch das Modell.</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>nichts</translation>
    </message>
    <message>
        <source>also the model</source>
        <translation>auch das Modell</translation>
    </message>
    <message>
        <source>all but the model</source>
        <translation>alles außer dem Modell</translation>
    </message>
    <message>
        <source>%1, 1 to %2, default 1</source>
        <translation>%1, 1 bis %2, Vorgabe 1</translation>
    </message>
    <message>
        <source>Graphics cards</source>
        <translation>Grafikkarten</translation>
    </message>
    <message>
        <source>GPUs that train together</source>
        <translation>GPUs, die zusammen trainieren</translation>
    </message>
    <message>
        <source>Several share each step, which takes less time then; the pictures at a time must be as many for each. The training begins when all of them are free. By default it takes the fastest one, or another that is free.</source>
        <translation>Mehrere teilen sich jeden Schritt, der dann weniger Zeit braucht; auf jede müssen gleich viele der Bilder auf einmal kommen. Das Training beginnt, wenn alle frei sind. Ohne Auswahl nimmt es die schnellste oder eine andere freie.</translation>
    </message>
    <message>
        <source>Skip broken pictures</source>
        <translation>Beschädigte Bilder überspringen</translation>
    </message>
    <message>
        <source>go on without those that cannot be read</source>
        <translation>ohne unlesbare weitermachen</translation>
    </message>
    <message>
        <source>Pictures that cannot be read or have no caption are left out and listed beside the charts. Else they end the training.</source>
        <translation>Bilder, die sich nicht lesen lassen oder keine Beschriftung haben, werden weggelassen und bei den Diagrammen aufgelistet. Sonst beenden sie das Training.</translation>
    </message>
    <message>
        <source>What is predicted</source>
        <translation>Was vorhergesagt wird</translation>
    </message>
    <message>
        <source>prediction type</source>
        <translation>Vorhersageart</translation>
    </message>
    <message>
        <source>What the model tells in a noisy picture: the noise, as most do, or the velocity, which mixes noise and picture. Velocity keeps colours and brightness steadier, and can begin with noise alone. A model that has learned the one makes grey noise until it has learned the other: change it for new models only.</source>
        <translation>Was das Modell in einem verrauschten Bild erkennt: das Rauschen, wie die meisten, oder die Geschwindigkeit, die Rauschen und Bild mischt. Geschwindigkeit hält Farben und Helligkeit stabiler und kann mit reinem Rauschen beginnen. Ein Modell, das das eine gelernt hat, macht graues Rauschen, bis es das andere gelernt hat: Ändere dies nur bei neuen Modellen.</translation>
    </message>
    <message>
        <source>Allows very dark and very bright pictures, and shifts what the model knew. Only for models that predict velocity.</source>
        <translation>Erlaubt sehr dunkle und sehr helle Bilder und verschiebt, was das Modell konnte. Nur für Modelle, die Geschwindigkeit vorhersagen.</translation>
    </message>
    <message>
        <source>noise</source>
        <translation>Rauschen</translation>
    </message>
    <message>
        <source>velocity</source>
        <translation>Geschwindigkeit</translation>
    </message>
    <message>
        <source>as the model</source>
        <translation>wie das Modell</translation>
    </message>
    <message>
        <source>Follow the prompt in examples</source>
        <translation>Dem Prompt folgen, bei Beispielen</translation>
    </message>
    <message>
        <source>class image guidance</source>
        <translation>Guidance der Klassenbilder</translation>
    </message>
    <message>
        <source>Lower keeps the class more varied; higher makes clearer pictures that are more alike.</source>
        <translation>Niedriger erhält die Vielfalt der Klasse; höher macht klarere Bilder, die einander mehr gleichen.</translation>
    </message>
    <message>
        <source>bf16 and fp16 halve the memory of the model; fp32 is the most exact.</source>
        <translation>bf16 und fp16 halbieren den Speicher des Modells; fp32 ist am genauesten.</translation>
    </message>
    <message>
        <source>The text encoders of %1 cannot be trained here.</source>
        <translation>Die Textencoder von %1 können hier nicht trainiert werden.</translation>
    </message>
    <message>
        <source>Weights beside the add-on</source>
        <translation>Gewichte neben dem Zusatz</translation>
    </message>
    <message>
        <source>quantization</source>
        <translation>Quantisierung</translation>
    </message>
    <message>
        <source>in 8 bits</source>
        <translation>in 8 Bit</translation>
    </message>
    <message>
        <source>as they are</source>
        <translation>wie sie sind</translation>
    </message>
    <message>
        <source>Those of the model, which do not learn. In 8 bits they take half the memory of bf16, a quarter of fp32&apos;s, and results differ a little.</source>
        <translation>Die des Modells, die nicht lernen. In 8 Bit brauchen sie halb so viel Speicher wie in bf16, ein Viertel so viel wie in fp32, und die Ergebnisse weichen etwas ab.</translation>
    </message>
    <message>
        <source>%1, chosen earlier: %2</source>
        <translation>%1, früher gewählt: %2</translation>
    </message>
    <message>
        <source>Which ones there are is not known yet.</source>
        <translation>Welche es gibt, ist noch nicht bekannt.</translation>
    </message>
    <message>
        <source>Which ones there are could not be found out, and is asked again. %1</source>
        <translation>Welche es gibt, war nicht herauszufinden; es wird noch einmal gefragt. %1</translation>
    </message>
    <message>
        <source>%1 from %2 to %3</source>
        <comment>a number from 1 to 9</comment>
        <translation>%1 von %2 bis %3</translation>
    </message>
    <message>
        <source>, divisible by %1</source>
        <translation>, teilbar durch %1</translation>
    </message>
    <message>
        <source>Give %1.</source>
        <comment>a whole number from 1 to 9, divisible by 8</comment>
        <translation>Möglich: %1.</translation>
    </message>
    <message>
        <source>Preview prompts</source>
        <translation>Prompts der Vorschau</translation>
    </message>
    <message>
        <source>sample prompts, with | between them</source>
        <translation>Sample-Prompts, mit | dazwischen</translation>
    </message>
    <message>
        <source>A picture of each at every preview. Beside the sentence that is learned, what else the subject can be, and others of its kind show whether the photos are only copied. Empty: the sentence that is learned, or captions.</source>
        <translation>Bei jeder Vorschau ein Bild zu jedem. Neben dem Satz, der gelernt wird, zeigen das Motiv anderswo und andere seiner Art, ob nur die Fotos kopiert werden. Leer: der gelernte Satz oder Beschriftungen.</translation>
    </message>
    <message>
        <source>more than %1</source>
        <translation>mehr als %1</translation>
    </message>
    <message>
        <source>more than %1, less than %2</source>
        <translation>mehr als %1, weniger als %2</translation>
    </message>
    <message>
        <source>more than %1, at most %2</source>
        <translation>mehr als %1, höchstens %2</translation>
    </message>
    <message>
        <source>%1 to less than %2</source>
        <translation>%1 bis unter %2</translation>
    </message>
    <message>
        <source>Give %1: %2.</source>
        <comment>a number: 0 to less than 1</comment>
        <translation>Möglich: %1, %2.</translation>
    </message>
    <message>
        <source>Constant, linear or cosine: it stays, falls evenly, or falls in a curve. One that falls ends gently, which keeps details.</source>
        <translation>Constant, linear oder cosine: Es bleibt gleich, fällt gleichmäßig oder fällt im Bogen. Ein fallender Verlauf endet sanft, und das erhält Einzelheiten.</translation>
    </message>
    <message>
        <source>Crop or buckets: pictures are cut square, or keep their shapes and are grouped by them.</source>
        <translation>Crop oder Buckets: Bilder werden quadratisch zugeschnitten, oder sie behalten ihre Formate und werden danach gruppiert.</translation>
    </message>
    <message>
        <source>Choose folder...</source>
        <translation>Ordner wählen ...</translation>
    </message>
    <message>
        <source>Choose a folder: %1</source>
        <translation>Wähle einen Ordner: %1</translation>
    </message>
    <message>
        <source>Prompt of the examples</source>
        <translation>Prompt der Beispiele</translation>
    </message>
    <message>
        <source>class prompt</source>
        <translation>Klassen-Prompt</translation>
    </message>
    <message>
        <source>What example pictures show, and what they are learned as: the kind, without the trigger word. Empty: by what the subject is.</source>
        <translation>Was Beispielbilder zeigen und als was sie gelernt werden: die Art, ohne das Auslösewort. Leer: nach dem, was das Motiv ist.</translation>
    </message>
    <message>
        <source>Own example pictures</source>
        <translation>Eigene Beispielbilder</translation>
    </message>
    <message>
        <source>class folder</source>
        <translation>Klassenordner</translation>
    </message>
    <message>
        <source>A folder with pictures of others of the kind, in place of those that the model makes. All of them are learned; where you want more, the model makes the rest in that folder.</source>
        <translation>Ein Ordner mit Bildern von anderen dieser Art, anstelle derer, die das Modell macht. Alle werden gelernt; willst du mehr, macht das Modell den Rest in diesem Ordner.</translation>
    </message>
    <message>
        <source>Left out by chance</source>
        <translation>Zufällig ausgelassen</translation>
    </message>
    <message>
        <source>LoRA dropout</source>
        <translation>LoRA-Dropout</translation>
    </message>
    <message>
        <source>This part of what the add-on sees is left out at each step, always another: it copies the photos later, and learns slower. 0: nothing.</source>
        <translation>Dieser Teil dessen, was der Zusatz sieht, wird in jedem Schritt ausgelassen, immer ein anderer: Er kopiert die Fotos später und lernt langsamer. 0: nichts.</translation>
    </message>
    <message>
        <source>Add-on in more layers</source>
        <translation>Zusatz in mehr Schichten</translation>
    </message>
    <message>
        <source>LoRA of convolutions, LoCon</source>
        <translation>LoRA der Faltungen, LoCon</translation>
    </message>
    <message>
        <source>Shapes and textures are learned closer, in a larger file and with more memory. Other programs must know LoCon to use it.</source>
        <translation>Formen und Oberflächen werden genauer gelernt, in einer größeren Datei und mit mehr Speicher. Andere Programme müssen LoCon kennen, um ihn zu nutzen.</translation>
    </message>
    <message>
        <source>the model makes them</source>
        <translation>das Modell macht sie</translation>
    </message>
    <message>
        <source>Older ones are removed; favourites and at least two stay.</source>
        <translation>Ältere werden entfernt; Favoriten und mindestens zwei bleiben.</translation>
    </message>
</context>
<context>
    <name>homebooth::app::Figures</name>
    <message>
        <source>under a minute left</source>
        <translation>noch unter einer Minute</translation>
    </message>
    <message>
        <source>%1 left</source>
        <translation>noch %1</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>%1 min</source>
        <translation>%1 min</translation>
    </message>
    <message>
        <source>%1 h</source>
        <translation>%1 h</translation>
    </message>
    <message>
        <source>%1 h %2 min</source>
        <translation>%1 h %2 min</translation>
    </message>
    <message>
        <source>%1 GB</source>
        <translation>%1 GB</translation>
    </message>
    <message>
        <source>%1 MB</source>
        <translation>%1 MB</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>%1 kB</source>
        <translation>%1 kB</translation>
    </message>
    <message>
        <source>%1 days</source>
        <translation>%1 Tage</translation>
    </message>
    <message>
        <source>%1 days %2 h</source>
        <translation>%1 Tage %2 h</translation>
    </message>
</context>
<context>
    <name>homebooth::app::FiguresModel</name>
    <message>
        <source>Longer side</source>
        <translation>Längere Seite</translation>
    </message>
    <message>
        <source>Shapes at %1 px</source>
        <translation>Formate bei %1 px</translation>
    </message>
    <message>
        <source>Words in a caption</source>
        <translation>Wörter je Beschriftung</translation>
    </message>
    <message>
        <source>Most frequent tags</source>
        <translation>Häufigste Tags</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>Probleme</translation>
    </message>
    <message>
        <source>%1 px and more</source>
        <translation>%1 px und mehr</translation>
    </message>
    <message>
        <source>up to %1 px</source>
        <translation>bis %1 px</translation>
    </message>
    <message>
        <source>%1 to %2 px</source>
        <translation>%1 bis %2 px</translation>
    </message>
    <message>
        <source>%1 x %2</source>
        <translation>%1 x %2</translation>
    </message>
    <message>
        <source>%1 and more</source>
        <translation>%1 und mehr</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 bis %2</translation>
    </message>
    <message>
        <source>Missing</source>
        <translation>Fehlt</translation>
    </message>
    <message>
        <source>Broken</source>
        <translation>Beschädigt</translation>
    </message>
    <message>
        <source>No caption</source>
        <translation>Unbeschriftet</translation>
    </message>
    <message>
        <source>&lt; 1 %</source>
        <translation>&lt; 1 %</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message numerus="yes">
        <source>%1, %2: %n picture(s), %3</source>
        <translation>
            <numerusform>%1, %2: %n Bild, %3</numerusform>
            <numerusform>%1, %2: %n Bilder, %3</numerusform>
        </translation>
    </message>
    <message>
        <source>Training would crop every picture to a square of %1 px, as it is set now. With Shapes: keep shapes, among its expert settings, it learns these sizes.</source>
        <translation>So wie es eingestellt ist, schneidet das Training jedes Bild auf ein Quadrat von %1 px zu. Mit „Formate: Formate behalten“ unter seinen Experteneinstellungen lernt es diese Größen.</translation>
    </message>
    <message>
        <source>Training learns each picture at the size whose shape is nearest to its own.</source>
        <translation>Das Training lernt jedes Bild in der Größe, deren Format seinem eigenen am nächsten ist.</translation>
    </message>
    <message>
        <source>What is counted</source>
        <translation>Was gezählt wird</translation>
    </message>
    <message>
        <source>Pictures</source>
        <translation>Bilder</translation>
    </message>
    <message>
        <source>Part of all</source>
        <translation>Anteil</translation>
    </message>
    <message>
        <source>Shapes at %1 px, if kept</source>
        <translation>Formate bei %1 px, falls behalten</translation>
    </message>
</context>
<context>
    <name>homebooth::app::FurtherLine</name>
    <message>
        <source>More steps</source>
        <translation>Weitere Schritte</translation>
    </message>
    <message>
        <source>Learning speed</source>
        <translation>Lerntempo</translation>
    </message>
    <message>
        <source>half, %1</source>
        <translation>halb, %1</translation>
    </message>
    <message>
        <source>a quarter, %1</source>
        <translation>ein Viertel, %1</translation>
    </message>
    <message>
        <source>as before, %1</source>
        <translation>wie bisher, %1</translation>
    </message>
</context>
<context>
    <name>homebooth::app::GalleryModel</name>
    <message>
        <source>Today</source>
        <translation>Heute</translation>
    </message>
    <message>
        <source>Yesterday</source>
        <translation>Gestern</translation>
    </message>
    <message>
        <source>Last 7 days</source>
        <translation>Letzte 7 Tage</translation>
    </message>
    <message>
        <source>Favourite: %1</source>
        <translation>Favorit: %1</translation>
    </message>
    <message>
        <source>%1, the file is gone</source>
        <translation>%1, die Datei ist weg</translation>
    </message>
    <message>
        <source>The file is gone.</source>
        <translation>Die Datei ist weg.</translation>
    </message>
    <message>
        <source>The file cannot be opened.</source>
        <translation>Die Datei lässt sich nicht öffnen.</translation>
    </message>
    <message>
        <source>Dated in the future</source>
        <translation>Datum in der Zukunft</translation>
    </message>
    <message>
        <source>%1, seed %2</source>
        <translation>%1, Seed %2</translation>
    </message>
</context>
<context>
    <name>homebooth::app::GalleryPage</name>
    <message>
        <source>Gallery</source>
        <translation>Galerie</translation>
    </message>
    <message>
        <source>Pictures</source>
        <translation>Bilder</translation>
    </message>
    <message>
        <source>Every picture you make lands here.</source>
        <translation>Jedes Bild, das du machst, landet hier.</translation>
    </message>
    <message>
        <source>Make pictures</source>
        <translation>Bilder machen</translation>
    </message>
    <message>
        <source>Search prompts and models</source>
        <translation>Prompts und Modelle suchen</translation>
    </message>
    <message>
        <source>Search pictures</source>
        <translation>Bilder suchen</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>All models</source>
        <translation>Alle Modelle</translation>
    </message>
    <message>
        <source>Subject</source>
        <translation>Motiv</translation>
    </message>
    <message>
        <source>All subjects</source>
        <translation>Alle Motive</translation>
    </message>
    <message>
        <source>Favourites</source>
        <translation>Favoriten</translation>
    </message>
    <message>
        <source>Search everywhere</source>
        <translation>Überall suchen</translation>
    </message>
    <message>
        <source>Size of the pictures</source>
        <translation>Größe der Bilder</translation>
    </message>
    <message>
        <source>Nothing matches.</source>
        <translation>Keine Treffer.</translation>
    </message>
    <message>
        <source>Use settings</source>
        <translation>Einstellungen nehmen</translation>
    </message>
    <message>
        <source>Favourite</source>
        <translation>Favorit</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message numerus="yes">
        <source>%n picture(s)</source>
        <translation>
            <numerusform>%n Bild</numerusform>
            <numerusform>%n Bilder</numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing matches &quot;%1&quot;.</source>
        <translation>Keine Treffer für „%1“.</translation>
    </message>
    <message>
        <source>Chosen together: drag them out, delete them or make them favourites.</source>
        <translation>Zusammen gewählt: herausziehen, löschen oder zu Favoriten machen.</translation>
    </message>
    <message>
        <source>Find...</source>
        <translation>Suchen ...</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Looks for the file in another folder</source>
        <translation>Sucht die Datei in einem anderen Ordner</translation>
    </message>
    <message>
        <source>Takes the picture out of the gallery</source>
        <translation>Nimmt das Bild aus der Galerie</translation>
    </message>
    <message>
        <source>The file is gone.</source>
        <translation>Die Datei ist weg.</translation>
    </message>
    <message numerus="yes">
        <source>The files of %n picture(s) are gone.</source>
        <translation>
            <numerusform>Die Datei von %n Bild ist weg.</numerusform>
            <numerusform>Die Dateien von %n Bildern sind weg.</numerusform>
        </translation>
    </message>
    <message>
        <source>Find the folder with the pictures</source>
        <translation>Den Ordner mit den Bildern suchen</translation>
    </message>
    <message numerus="yes">
        <source>%n picture(s) found again.</source>
        <translation>
            <numerusform>%n Bild wiedergefunden.</numerusform>
            <numerusform>%n Bilder wiedergefunden.</numerusform>
        </translation>
    </message>
    <message>
        <source>None of them is in %1.</source>
        <translation>In %1 ist keines davon.</translation>
    </message>
    <message numerus="yes">
        <source>%n picture(s) removed.</source>
        <translation>
            <numerusform>%n Bild entfernt.</numerusform>
            <numerusform>%n Bilder entfernt.</numerusform>
        </translation>
    </message>
    <message>
        <source>The picture does not say how it was made.</source>
        <translation>Das Bild sagt nicht, wie es entstanden ist.</translation>
    </message>
    <message>
        <source>No favourite matches &quot;%1&quot;.</source>
        <translation>Kein Favorit passt zu „%1“.</translation>
    </message>
    <message>
        <source>Save a copy in</source>
        <translation>Kopie speichern in</translation>
    </message>
    <message numerus="yes">
        <source>%n picture(s) copied to %1.</source>
        <translation>
            <numerusform>%n Bild nach %1 kopiert.</numerusform>
            <numerusform>%n Bilder nach %1 kopiert.</numerusform>
        </translation>
    </message>
    <message>
        <source>Not all pictures could be copied. Choose another folder.</source>
        <translation>Nicht alle Bilder konnten kopiert werden. Wähle einen anderen Ordner.</translation>
    </message>
    <message>
        <source>Large view</source>
        <translation>Große Ansicht</translation>
    </message>
    <message>
        <source>Save a copy...</source>
        <translation>Kopie speichern ...</translation>
    </message>
    <message>
        <source>Start from this picture</source>
        <translation>Von diesem Bild ausgehen</translation>
    </message>
    <message>
        <source>Choose a picture.</source>
        <translation>Wähle ein Bild.</translation>
    </message>
    <message>
        <source>Enlarge</source>
        <translation>Vergrößern</translation>
    </message>
    <message>
        <source>Makes the picture once more, twice as wide and high, with finer details.</source>
        <translation>Macht das Bild noch einmal, doppelt so breit und hoch, mit feineren Einzelheiten.</translation>
    </message>
</context>
<context>
    <name>homebooth::app::GenerateForm</name>
    <message>
        <source>Prompt</source>
        <translation>Prompt</translation>
    </message>
    <message>
        <source>Describe the picture</source>
        <translation>Beschreibe das Bild</translation>
    </message>
    <message>
        <source>{subject} is</source>
        <translation>{subject} ist</translation>
    </message>
    <message>
        <source>Leave out</source>
        <translation>Weglassen</translation>
    </message>
    <message>
        <source>The negative prompt: what the picture should not show.</source>
        <translation>Der negative Prompt: was das Bild nicht zeigen soll.</translation>
    </message>
    <message>
        <source>Expert settings</source>
        <translation>Experteneinstellungen</translation>
    </message>
    <message>
        <source>Count</source>
        <translation>Anzahl</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Follow the prompt</source>
        <translation>Dem Prompt folgen</translation>
    </message>
    <message>
        <source>Guidance scale (CFG): low is free and varied, high is strict and can look burnt.</source>
        <translation>Guidance Scale (CFG): niedrig ist frei und vielfältig, hoch ist streng und kann verbrannt wirken.</translation>
    </message>
    <message>
        <source>The same seed and settings give the same picture.</source>
        <translation>Derselbe Seed und dieselben Einstellungen ergeben dasselbe Bild.</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>Behalten</translation>
    </message>
    <message>
        <source>Keeps the seed for the next pictures.</source>
        <translation>Behält den Seed für die nächsten Bilder.</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Seed</translation>
    </message>
    <message>
        <source>Choose or drop a picture</source>
        <translation>Bild wählen oder ablegen</translation>
    </message>
    <message>
        <source>Start from nothing again</source>
        <translation>Wieder bei null beginnen</translation>
    </message>
    <message>
        <source>Start from</source>
        <translation>Ausgehen von</translation>
    </message>
    <message>
        <source>How much may change</source>
        <translation>Wie viel sich ändern darf</translation>
    </message>
    <message>
        <source>Strength of img2img.</source>
        <translation>Stärke von img2img.</translation>
    </message>
    <message>
        <source>Start from a picture</source>
        <translation>Von einem Bild ausgehen</translation>
    </message>
    <message>
        <source>Method</source>
        <translation>Verfahren</translation>
    </message>
    <message>
        <source>The sampler: how noise becomes a picture.</source>
        <translation>Der Sampler: wie aus Rauschen ein Bild wird.</translation>
    </message>
    <message>
        <source>Refinement</source>
        <translation>Verfeinerung</translation>
    </message>
    <message>
        <source>Steps: more are finer and take longer; above 30 little changes.</source>
        <translation>Schritte: Mehr machen das Bild feiner und dauern länger; über 30 ändert sich wenig.</translation>
    </message>
    <message>
        <source>Clip skip</source>
        <translation>Clip Skip</translation>
    </message>
    <message>
        <source>The word list &quot;%1&quot; is empty. Write its words, one a line.</source>
        <translation>Die Wortliste „%1“ ist leer. Schreib ihre Wörter, eines je Zeile.</translation>
    </message>
    <message>
        <source>The word list &quot;%1&quot; takes from itself. Take {%1} out of its lines.</source>
        <translation>Die Wortliste „%1“ verwendet sich selbst. Nimm {%1} aus ihren Zeilen.</translation>
    </message>
    <message>
        <source>With this seed: %1</source>
        <translation>Mit diesem Seed: %1</translation>
    </message>
    <message>
        <source>Make the list</source>
        <translation>Liste anlegen</translation>
    </message>
    <message>
        <source>The prompt takes from lists within lists, more than %1 deep. Take places out of the lists&apos; lines.</source>
        <translation>Der Prompt verwendet Listen in Listen, mehr als %1 tief. Nimm Platzhalter aus den Zeilen der Listen.</translation>
    </message>
    <message>
        <source>With the words of its lists the prompt is longer than %1 characters. Shorten it, or take places out of the lists&apos; lines.</source>
        <translation>Mit den Wörtern seiner Listen ist der Prompt länger als %1 Zeichen. Kürze ihn oder nimm Platzhalter aus den Zeilen der Listen.</translation>
    </message>
    <message>
        <source>There is no word list &quot;%1&quot;: it stays in the prompt as it is.</source>
        <translation>Es gibt keine Wortliste „%1“: Der Name bleibt so im Prompt stehen.</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>%1 px does not suit the model: its sizes are multiples of %2 px. The nearest is %3 px.</source>
        <translation>%1 px passen nicht zum Modell: Seine Größen sind Vielfache von %2 px. Am nächsten liegen %3 px.</translation>
    </message>
    <message>
        <source>Width and height in pixels: choose them, or type others such as 768 x 512.</source>
        <translation>Breite und Höhe in Pixeln: Wähle sie aus, oder gib andere ein, etwa 768 x 512.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is no size. Expected width and height in pixels, such as 768 x 512.</source>
        <translation>„%1“ ist keine Größe. Erwartet werden Breite und Höhe in Pixeln, etwa 768 x 512.</translation>
    </message>
    <message>
        <source>random</source>
        <translation>zufällig</translation>
    </message>
    <message>
        <source>Karras spacing</source>
        <translation>Abstände nach Karras</translation>
    </message>
    <message>
        <source>Steps lie closer together towards the end, as many programs have it with DPM++.</source>
        <translation>Die Schritte liegen zum Ende hin enger beieinander, wie es viele Programme mit DPM++ halten.</translation>
    </message>
    <message>
        <source>Last layers of the text encoders that are left out, besides the one that SDXL never uses: 0 is what other programs call 2.</source>
        <translation>Letzte Schichten der Textencoder, die weggelassen werden, neben der einen, die SDXL nie benutzt: 0 heißt in anderen Programmen 2.</translation>
    </message>
    <message>
        <source>Last layers of the text encoder that are left out; some models want 1, which other programs call 2.</source>
        <translation>Letzte Schichten des Textencoders, die weggelassen werden; manche Modelle wollen 1, was in anderen Programmen 2 heißt.</translation>
    </message>
    <message>
        <source>Trailing spacing</source>
        <translation>Abstände vom Ende her</translation>
    </message>
    <message>
        <source>Steps are counted from the noisiest one, as models that were made for few steps need it (Turbo, Lightning, Hyper, DMD2).</source>
        <translation>Die Schritte werden vom verrauschtesten an gezählt, wie es Modelle für wenige Schritte brauchen (Turbo, Lightning, Hyper, DMD2).</translation>
    </message>
    <message>
        <source>So few steps are for models that were made for them (Turbo, Lightning, Hyper, DMD2). Those need trailing spacing.</source>
        <translation>So wenige Schritte sind für Modelle, die dafür gemacht sind (Turbo, Lightning, Hyper, DMD2). Diese brauchen Abstände vom Ende her.</translation>
    </message>
    <message>
        <source>Take trailing spacing</source>
        <translation>Abstände vom Ende her nehmen</translation>
    </message>
    <message>
        <source>Brackets weigh words: (hat) and (hat:1.3) count more, [hat] counts less. With a backslash before it a bracket is only a character: \(hat\).</source>
        <translation>Klammern gewichten Wörter: (hat) und (hat:1.3) zählen mehr, [hat] zählt weniger. Mit einem Backslash davor ist eine Klammer nur ein Zeichen: \(hat\).</translation>
    </message>
    <message>
        <source>Use settings</source>
        <translation>Einstellungen nehmen</translation>
    </message>
    <message>
        <source>Take over</source>
        <translation>Übernehmen</translation>
    </message>
    <message>
        <source>Fills the form with what the picture was made with.</source>
        <translation>Füllt das Formular mit dem, womit das Bild entstand.</translation>
    </message>
    <message>
        <source>Chooses the add-ons that the prompt calls, and takes such signs out.</source>
        <translation>Wählt die Zusätze, die der Prompt aufruft, und nimmt solche Zeichen heraus.</translation>
    </message>
    <message>
        <source>This is the text of a picture, with its settings.</source>
        <translation>Das ist der Text eines Bildes mit seinen Einstellungen.</translation>
    </message>
    <message>
        <source>No add-on is called here: &quot;%1&quot; is read as words.</source>
        <translation>Hier wird kein Zusatz aufgerufen: „%1“ wird als Wörter gelesen.</translation>
    </message>
    <message>
        <source>A prompt is not parted here: &quot;%1&quot; is read as a word.</source>
        <translation>Ein Prompt wird hier nicht geteilt: „%1“ wird als Wort gelesen.</translation>
    </message>
    <message>
        <source>&quot;Take over&quot; puts a comma in its place.</source>
        <translation>„Übernehmen“ setzt ein Komma an seine Stelle.</translation>
    </message>
    <message>
        <source>While a picture is made no words change here: &quot;%1&quot; is read as it stands, with its signs.</source>
        <translation>Während ein Bild entsteht, wechseln hier keine Wörter: „%1“ wird gelesen, wie es dasteht, samt Zeichen.</translation>
    </message>
    <message>
        <source>&quot;Take over&quot; makes it &quot;%1&quot;.</source>
        <translation>„Übernehmen“ macht daraus „%1“.</translation>
    </message>
    <message>
        <source>Puts commas where words would change or part: all of them count at once.</source>
        <translation>Setzt Kommas, wo Wörter wechseln oder sich teilen würden: Alle zählen zugleich.</translation>
    </message>
    <message>
        <source>%1 are too many: at most %2 at once.</source>
        <translation>%1 sind zu viele: höchstens %2 auf einmal.</translation>
    </message>
    <message>
        <source>The prompt has %1 tokens (parts of words), and the model reads %2: its end is not read.</source>
        <translation>Der Prompt hat %1 Tokens (Wortteile), das Modell liest %2: Sein Ende wird nicht gelesen.</translation>
    </message>
    <message>
        <source>What is left out has %1 tokens (parts of words), and the model reads %2: its end is not read.</source>
        <translation>Was wegbleiben soll, hat %1 Tokens (Wortteile), das Modell liest %2: Sein Ende wird nicht gelesen.</translation>
    </message>
    <message>
        <source>Wildcards are written otherwise here: &quot;%1&quot; is read with its signs.</source>
        <translation>Platzhalter schreibt man hier anders: „%1“ wird mit seinen Zeichen gelesen.</translation>
    </message>
    <message>
        <source>Writes wildcards as places in braces.</source>
        <translation>Schreibt Platzhalter als Stellen in geschweiften Klammern.</translation>
    </message>
    <message>
        <source>Learned: %1</source>
        <translation>Gelernt: %1</translation>
    </message>
    <message>
        <source>What was learned. Click to put it into the prompt.</source>
        <translation>Was gelernt wurde. Ein Klick setzt es in den Prompt.</translation>
    </message>
</context>
<context>
    <name>homebooth::app::GeneratePage</name>
    <message>
        <source>Generate</source>
        <translation>Erzeugen</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Prompts</source>
        <translation>Prompts</translation>
    </message>
    <message>
        <source>Make pictures</source>
        <translation>Bilder machen</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Noch einmal</translation>
    </message>
    <message>
        <source>Describe a picture and press Make pictures.</source>
        <translation>Beschreibe ein Bild und drücke „Bilder machen“.</translation>
    </message>
    <message>
        <source>A red apple</source>
        <translation>Ein roter Apfel</translation>
    </message>
    <message>
        <source>A rocket</source>
        <translation>Eine Rakete</translation>
    </message>
    <message>
        <source>Pictures</source>
        <translation>Bilder</translation>
    </message>
    <message>
        <source>Same seed</source>
        <translation>Gleicher Seed</translation>
    </message>
    <message>
        <source>Vary</source>
        <translation>Abwandeln</translation>
    </message>
    <message>
        <source>Make a picture</source>
        <translation>Ein Bild machen</translation>
    </message>
    <message>
        <source>Make %1 pictures</source>
        <translation>%1 Bilder machen</translation>
    </message>
    <message>
        <source>&lt;b&gt;A training is running.&lt;/b&gt; The pictures are made when it has ended. Both at once are slow, and memory may run out.</source>
        <translation>&lt;b&gt;Ein Training läuft.&lt;/b&gt; Die Bilder entstehen, wenn es zu Ende ist. Beides zugleich ist langsam, und der Speicher kann ausgehen.</translation>
    </message>
    <message>
        <source>Open the queue</source>
        <translation>Warteschlange öffnen</translation>
    </message>
    <message>
        <source>Make them now</source>
        <translation>Jetzt machen</translation>
    </message>
    <message numerus="yes">
        <source>%n job(s) wait for the end of the training.</source>
        <translation>
            <numerusform>%n Auftrag wartet auf das Ende des Trainings.</numerusform>
            <numerusform>%n Aufträge warten auf das Ende des Trainings.</numerusform>
        </translation>
    </message>
    <message>
        <source>A training is running: pictures wait for its end.</source>
        <translation>Ein Training läuft: Bilder warten auf sein Ende.</translation>
    </message>
    <message>
        <source>The saved moment cannot make pictures.</source>
        <translation>Mit diesem gesicherten Moment lassen sich keine Bilder machen.</translation>
    </message>
    <message>
        <source>Open the list</source>
        <translation>Liste öffnen</translation>
    </message>
    <message>
        <source>Favourite</source>
        <translation>Favorit</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>&lt;b&gt;&quot;%1&quot; was made for %2, this model is %3.&lt;/b&gt; Your prompt is kept.</source>
        <translation>&lt;b&gt;„%1“ wurde für %2 gemacht, dieses Modell ist %3.&lt;/b&gt; Dein Prompt bleibt erhalten.</translation>
    </message>
    <message>
        <source>&lt;b&gt;&quot;%1&quot; was made for another kind of model than &quot;%2&quot;.&lt;/b&gt; Your prompt is kept.</source>
        <translation>&lt;b&gt;„%1“ wurde für eine andere Art von Modell gemacht als „%2“.&lt;/b&gt; Dein Prompt bleibt erhalten.</translation>
    </message>
    <message>
        <source>Choose a model</source>
        <translation>Modell wählen</translation>
    </message>
    <message>
        <source>Make without the add-on</source>
        <translation>Ohne den Zusatz machen</translation>
    </message>
    <message>
        <source>Use settings</source>
        <translation>Einstellungen nehmen</translation>
    </message>
    <message>
        <source>This picture does not say how it was made.</source>
        <translation>Dieses Bild sagt nicht, wie es gemacht wurde.</translation>
    </message>
    <message>
        <source>The pictures need &quot;%1&quot;, which is not here. Import it again, or choose another model.</source>
        <translation>Die Bilder brauchen „%1“, das hier fehlt. Importiere es noch einmal, oder wähle ein anderes Modell.</translation>
    </message>
    <message>
        <source>&lt;b&gt;&quot;%1&quot; was made for %2.&lt;/b&gt; There is no such model here: import one.</source>
        <translation>&lt;b&gt;„%1“ wurde für %2 gemacht.&lt;/b&gt; Ein solches Modell ist nicht hier: Importiere eines.</translation>
    </message>
    <message>
        <source>&lt;b&gt;Another learned word is called &quot;%1&quot;, too.&lt;/b&gt; Prompts mean that one: take it off the list of models, or rename the file of this one and import it again.</source>
        <translation>&lt;b&gt;Ein anderes gelerntes Wort heißt auch „%1“.&lt;/b&gt; Prompts meinen jenes: Nimm es von der Liste der Modelle, oder benenne die Datei von diesem um und importiere sie noch einmal.</translation>
    </message>
    <message>
        <source>The picture was made with whole weights. With weights in 8 bits it differs a little.</source>
        <translation>Das Bild wurde mit ganzen Gewichten gemacht. Mit Gewichten in 8 Bit wird es etwas anders.</translation>
    </message>
    <message>
        <source>Use weights in 8 bits</source>
        <translation>Gewichte in 8 Bit nehmen</translation>
    </message>
    <message>
        <source>Use whole weights</source>
        <translation>Ganze Gewichte nehmen</translation>
    </message>
    <message>
        <source>The picture was made with weights in 8 bits. With the present settings it differs a little.</source>
        <translation>Das Bild wurde mit Gewichten in 8 Bit gemacht. Mit den jetzigen Einstellungen wird es etwas anders.</translation>
    </message>
    <message>
        <source>The picture was computed in 8 bits. With the present settings it differs a little.</source>
        <translation>Das Bild wurde in 8 Bit gerechnet. Mit den jetzigen Einstellungen wird es etwas anders.</translation>
    </message>
    <message>
        <source>Compute in 8 bits</source>
        <translation>In 8 Bit rechnen</translation>
    </message>
    <message>
        <source>The other pictures wait.</source>
        <translation>Die anderen Bilder warten.</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>Weitermachen</translation>
    </message>
    <message numerus="yes">
        <source>%n job(s) wait: press Go on in the queue.</source>
        <translation>
            <numerusform>%n Auftrag wartet: Drücke in der Warteschlange „Weitermachen“.</numerusform>
            <numerusform>%n Aufträge warten: Drücke in der Warteschlange „Weitermachen“.</numerusform>
        </translation>
    </message>
    <message>
        <source>The processor can make them, too, but takes far longer. &quot;Device&quot; in Settings changes that again.</source>
        <translation>Auch der Prozessor kann sie machen, braucht aber viel länger. Unter Einstellungen, Gerät änderst du das wieder.</translation>
    </message>
    <message>
        <source>Use the processor, slower</source>
        <translation>Den Prozessor nehmen, langsamer</translation>
    </message>
    <message>
        <source>%1 + %2</source>
        <comment>a model and its add-on</comment>
        <translation>%1 + %2</translation>
    </message>
    <message>
        <source>The picture was made with &quot;%1&quot;, which is not here.</source>
        <translation>Das Bild wurde mit „%1“ gemacht, das hier fehlt.</translation>
    </message>
    <message>
        <source>Something else here has the same name, but is another file.</source>
        <translation>Etwas anderes hier heißt ebenso, ist aber eine andere Datei.</translation>
    </message>
    <message>
        <source>Its other settings were taken.</source>
        <translation>Seine übrigen Einstellungen wurden übernommen.</translation>
    </message>
    <message>
        <source>Files are compared with what the picture was made with. You can go on meanwhile.</source>
        <translation>Dateien werden damit verglichen, womit das Bild gemacht wurde. Du kannst inzwischen weitermachen.</translation>
    </message>
    <message>
        <source>Stopped. Nothing was chosen for &quot;%1&quot;: do it yourself.</source>
        <translation>Angehalten. Für „%1“ wurde nichts gewählt: Wähl es selbst.</translation>
    </message>
    <message>
        <source>The model of that name here, which is another file, stays chosen.</source>
        <translation>Das Modell dieses Namens hier, das eine andere Datei ist, bleibt gewählt.</translation>
    </message>
    <message>
        <source>The saved moment is being prepared.</source>
        <translation>Der gesicherte Moment wird vorbereitet.</translation>
    </message>
    <message>
        <source>The model is being looked for.</source>
        <translation>Das Modell wird gesucht.</translation>
    </message>
    <message>
        <source>The form was changed before the picture&apos;s settings could be read: they were not taken.</source>
        <translation>Das Formular wurde geändert, bevor die Einstellungen des Bildes gelesen waren: Sie wurden nicht übernommen.</translation>
    </message>
    <message>
        <source>The prompt calls for &quot;%1&quot;, which is not here.</source>
        <translation>Der Prompt verlangt „%1“, was hier fehlt.</translation>
    </message>
    <message>
        <source>Pictures that were asked for earlier wait. New ones are made before them.</source>
        <translation>Früher bestellte Bilder warten. Neue werden vor ihnen gemacht.</translation>
    </message>
    <message>
        <source>Large view</source>
        <translation>Große Ansicht</translation>
    </message>
    <message>
        <source>&lt;b&gt;The model &quot;%1&quot; cannot be found or read.&lt;/b&gt; Connect its drive, import it from where it is now, or choose another one.</source>
        <translation>&lt;b&gt;Das Modell „%1“ ist nicht zu finden oder nicht zu lesen.&lt;/b&gt; Schließ seinen Datenträger an, importiere es von dort, wo es jetzt ist, oder wähle ein anderes.</translation>
    </message>
    <message>
        <source>&lt;b&gt;&quot;%1&quot; was trained on &quot;%2&quot;, which is not here.&lt;/b&gt; With &quot;%3&quot; the pictures may become others.</source>
        <translation>&lt;b&gt;„%1“ wurde auf „%2“ trainiert, das nicht hier ist.&lt;/b&gt; Mit „%3“ können die Bilder anders werden.</translation>
    </message>
    <message>
        <source>The pictures that wait appear here once they are made.</source>
        <translation>Die wartenden Bilder erscheinen hier, sobald sie gemacht sind.</translation>
    </message>
    <message>
        <source>The finished picture waits and is saved in %1 by itself once that is possible. What comes after it waits, too.</source>
        <translation>Das fertige Bild wartet und wird von selbst in %1 gespeichert, sobald das möglich ist. Was danach kommt, wartet ebenfalls.</translation>
    </message>
    <message>
        <source>Free room</source>
        <translation>Platz schaffen</translation>
    </message>
    <message>
        <source>Nothing can be written into &quot;%1&quot;.</source>
        <translation>In „%1“ kann nichts geschrieben werden.</translation>
    </message>
    <message>
        <source>The picture is made once more with %1 px: press Make a picture.</source>
        <translation>Das Bild wird noch einmal mit %1 px gemacht: Drücke „Ein Bild machen“.</translation>
    </message>
    <message>
        <source>The picture has %1 px. Larger ones are not made of it.</source>
        <translation>Das Bild hat %1 px. Größere werden daraus nicht gemacht.</translation>
    </message>
    <message>
        <source>Enlarge</source>
        <translation>Vergrößern</translation>
    </message>
    <message>
        <source>Makes the picture once more, twice as wide and high, with finer details.</source>
        <translation>Macht das Bild noch einmal, doppelt so breit und hoch, mit feineren Einzelheiten.</translation>
    </message>
</context>
<context>
    <name>homebooth::app::Generator</name>
    <message>
        <source>Ready</source>
        <translation>Bereit</translation>
    </message>
    <message>
        <source>Making picture %1 of %2</source>
        <translation>Bild %1 von %2 entsteht</translation>
    </message>
    <message>
        <source>Loading the model</source>
        <translation>Modell wird geladen</translation>
    </message>
    <message>
        <source>Starting</source>
        <translation>Beginnt</translation>
    </message>
    <message>
        <source>Stopping</source>
        <translation>Wird angehalten</translation>
    </message>
    <message>
        <source>The engine did not stop in time and was ended. It starts anew with the next pictures.</source>
        <translation>Die Engine hielt nicht rechtzeitig an und wurde beendet. Mit den nächsten Bildern startet sie neu.</translation>
    </message>
    <message>
        <source>The engine did not start in time and was ended. It starts anew with the next pictures.</source>
        <translation>Die Engine startete nicht rechtzeitig und wurde beendet. Mit den nächsten Bildern startet sie neu.</translation>
    </message>
    <message>
        <source>The graphics card was lost while the computer slept. The pictures that are missing are made once more.</source>
        <translation>Die Grafikkarte ging verloren, während der Computer schlief. Die fehlenden Bilder werden noch einmal gemacht.</translation>
    </message>
    <message>
        <source>The engine crashed after the computer had slept. The pictures that are missing are made once more.</source>
        <translation>Die Engine ist abgestürzt, nachdem der Computer geschlafen hatte. Die fehlenden Bilder werden noch einmal gemacht.</translation>
    </message>
    <message>
        <source>The disk is full: free some space, and the finished picture is saved.</source>
        <translation>Der Datenträger ist voll: Schaffe Platz, dann wird das fertige Bild gespeichert.</translation>
    </message>
</context>
<context>
    <name>homebooth::app::GpuAnswer</name>
    <message>
        <source>The graphics driver gave no answer. Restart the computer if it stays like that.</source>
        <translation>Der Grafiktreiber hat nicht geantwortet. Wenn das so bleibt, starte den Computer neu.</translation>
    </message>
    <message>
        <source>The engine&apos;s answer cannot be read. Install Homebooth again.</source>
        <translation>Die Antwort der Engine ist nicht lesbar. Installiere Homebooth neu.</translation>
    </message>
</context>
<context>
    <name>homebooth::app::GpuChoice</name>
    <message>
        <source>%1 free</source>
        <comment>5.9 of 8.0 GB free</comment>
        <translation>%1 frei</translation>
    </message>
    <message>
        <source>%1 °C</source>
        <translation>%1 °C</translation>
    </message>
    <message>
        <source>Trains on this card, together with the others that are checked. One at least stays checked.</source>
        <translation>Trainiert auf dieser Karte, zusammen mit den anderen, die angekreuzt sind. Mindestens eine bleibt angekreuzt.</translation>
    </message>
</context>
<context>
    <name>homebooth::app::Help</name>
    <message>
        <source>A subject is one thing or person that a model is to learn: 3 to 5 photos, what it is, and a rare word that will stand for it.</source>
        <translation>Ein Motiv ist eine Sache oder Person, die ein Modell lernen soll: 3 bis 5 Fotos, was es ist, und ein seltenes Wort, das dafür stehen wird.</translation>
    </message>
    <message>
        <source>Drop photos or a folder anywhere in the window, or paste them.</source>
        <translation>Zieh Fotos oder einen Ordner irgendwo ins Fenster, oder füge sie ein.</translation>
    </message>
    <message>
        <source>Look at the signs below the photos: an exclamation mark advises, only a cross keeps a photo out.</source>
        <translation>Achte auf die Zeichen unter den Fotos: Ein Ausrufezeichen ist nur ein Rat, erst ein Kreuz schließt ein Foto aus.</translation>
    </message>
    <message>
        <source>Crop, turn or leave out; write a caption where a photo shows something special.</source>
        <translation>Schneide Fotos zu, drehe sie oder lass sie weg; beschrifte ein Foto, das etwas Besonderes zeigt.</translation>
    </message>
    <message>
        <source>Press Train this subject.</source>
        <translation>Drücke „Dieses Motiv trainieren“.</translation>
    </message>
    <message>
        <source>Crop the photo</source>
        <translation>Foto zuschneiden</translation>
    </message>
    <message>
        <source>Return or Space</source>
        <translation>Eingabe oder Leertaste</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>Umbenennen</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Del</source>
        <translation>Entf</translation>
    </message>
    <message>
        <source>Here a model learns. The panel at the right says beforehand whether it fits, how long it takes and what it leaves on the disk.</source>
        <translation>Hier lernt ein Modell. Rechts steht vorher, ob es passt, wie lange es dauert und was es auf dem Datenträger hinterlässt.</translation>
    </message>
    <message>
        <source>Choose what to learn, the model to begin with, and how well.</source>
        <translation>Wähle, was gelernt werden soll, mit welchem Modell und wie gut.</translation>
    </message>
    <message>
        <source>A small add-on (LoRA) needs the least memory; a whole model learns closest.</source>
        <translation>Ein kleiner Zusatz (LoRA) braucht am wenigsten Speicher; ein ganzes Modell lernt am genauesten.</translation>
    </message>
    <message>
        <source>While it runs, judge by the previews: the loss jumps, and that is normal.</source>
        <translation>Urteile währenddessen nach den Vorschauen: Der Loss springt, und das ist normal.</translation>
    </message>
    <message>
        <source>Expert settings</source>
        <translation>Experteneinstellungen</translation>
    </message>
    <message>
        <source>Pause or continue</source>
        <translation>Pausieren oder fortsetzen</translation>
    </message>
    <message>
        <source>Save now</source>
        <translation>Jetzt sichern</translation>
    </message>
    <message>
        <source>Zoom a chart</source>
        <translation>Ein Diagramm zoomen</translation>
    </message>
    <message>
        <source>Ctrl+wheel, + - 0</source>
        <translation>Strg+Mausrad, + - 0</translation>
    </message>
    <message>
        <source>Here pictures are made from words. The same seed and settings give the same picture.</source>
        <translation>Hier werden aus Wörtern Bilder. Derselbe Seed und dieselben Einstellungen ergeben dasselbe Bild.</translation>
    </message>
    <message>
        <source>Choose a model, describe the picture, press Make pictures.</source>
        <translation>Wähle ein Modell, beschreibe das Bild, drücke „Bilder machen“.</translation>
    </message>
    <message>
        <source>Compare makes each picture with two models or saved moments, with the same seed.</source>
        <translation>„Vergleichen“ macht jedes Bild mit zwei Modellen oder gesicherten Momenten, mit demselben Seed.</translation>
    </message>
    <message>
        <source>Drop a picture here to start from it.</source>
        <translation>Zieh ein Bild hierher, um von ihm auszugehen.</translation>
    </message>
    <message>
        <source>Make pictures</source>
        <translation>Bilder machen</translation>
    </message>
    <message>
        <source>Ctrl+Return</source>
        <translation>Strg+Eingabe</translation>
    </message>
    <message>
        <source>Prompts</source>
        <translation>Prompts</translation>
    </message>
    <message>
        <source>Large view</source>
        <translation>Große Ansicht</translation>
    </message>
    <message>
        <source>Space</source>
        <translation>Leertaste</translation>
    </message>
    <message>
        <source>Every picture that was made, with its prompt, model and settings.</source>
        <translation>Jedes Bild, das gemacht wurde, mit Prompt, Modell und Einstellungen.</translation>
    </message>
    <message>
        <source>Search for words, or choose a subject or a model.</source>
        <translation>Suche nach Wörtern, oder wähle ein Motiv oder ein Modell.</translation>
    </message>
    <message>
        <source>Use settings fills the form of Generate with those of a picture.</source>
        <translation>„Einstellungen nehmen“ füllt das Formular von „Erzeugen“ mit denen eines Bildes.</translation>
    </message>
    <message>
        <source>Pictures drag out to other programs. What is deleted lies in the trash until the window closes.</source>
        <translation>Bilder lassen sich in andere Programme ziehen. Gelöschtes bleibt zurückholbar, bis das Fenster geschlossen wird.</translation>
    </message>
    <message>
        <source>Space or Return</source>
        <translation>Leertaste oder Eingabe</translation>
    </message>
    <message>
        <source>In the large view: walk, zoom, fit, pixel by pixel</source>
        <translation>In der großen Ansicht: blättern, zoomen, einpassen, Pixel für Pixel</translation>
    </message>
    <message>
        <source>Arrows, + -, 0, 1</source>
        <translation>Pfeile, + -, 0, 1</translation>
    </message>
    <message>
        <source>Favourite</source>
        <translation>Favorit</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>A dataset is a folder of pictures with captions, for a style or much new material.</source>
        <translation>Ein Datensatz ist ein Ordner beschrifteter Bilder, für einen Stil oder viel neues Material.</translation>
    </message>
    <message>
        <source>Add a folder where it is, or copy it into Homebooth.</source>
        <translation>Füge einen Ordner an seinem Ort hinzu, oder kopiere ihn nach Homebooth.</translation>
    </message>
    <message>
        <source>Tags are the parts of a caption between commas.</source>
        <translation>Tags sind die Teile einer Beschriftung zwischen Kommas.</translation>
    </message>
    <message>
        <source>Missing pictures are found again by their names; broken ones can be left out.</source>
        <translation>Fehlende Bilder werden am Namen wiedergefunden; beschädigte kann man weglassen.</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>Filtern</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>The models that you have: the built-in one, those you imported, and what trainings made.</source>
        <translation>Deine Modelle: das eingebaute, importierte und die Ergebnisse von Trainings.</translation>
    </message>
    <message>
        <source>Look the licence up where the model comes from, and note it.</source>
        <translation>Sieh an der Quelle des Modells nach seiner Lizenz, und notiere sie.</translation>
    </message>
    <message>
        <source>Before something is deleted, what depends on it is named.</source>
        <translation>Bevor etwas gelöscht wird, wird genannt, was davon abhängt.</translation>
    </message>
    <message>
        <source>Import</source>
        <translation>Importieren</translation>
    </message>
    <message>
        <source>What works, what waits for its turn, and what is done.</source>
        <translation>Was läuft, was wartet und was fertig ist.</translation>
    </message>
    <message>
        <source>Jobs that are started while one runs line up here, and survive a restart.</source>
        <translation>Aufträge, die währenddessen gestartet werden, reihen sich hier ein und überstehen einen Neustart.</translation>
    </message>
    <message>
        <source>Pause after this one lets the present job end and begins no other.</source>
        <translation>„Danach pausieren“ lässt den laufenden Auftrag enden und beginnt keinen neuen.</translation>
    </message>
    <message>
        <source>Open shows a training with its charts.</source>
        <translation>„Öffnen“ zeigt ein Training mit seinen Diagrammen.</translation>
    </message>
    <message>
        <source>Take out</source>
        <translation>Herausnehmen</translation>
    </message>
    <message>
        <source>Settings apply at once; changed ones carry a dot and can be taken back one by one.</source>
        <translation>Einstellungen gelten sofort; geänderte tragen einen Punkt und lassen sich einzeln zurücknehmen.</translation>
    </message>
    <message>
        <source>A limit of memory keeps room for other programs.</source>
        <translation>Eine Grenze für den Speicher lässt anderen Programmen Platz.</translation>
    </message>
    <message>
        <source>Pictures, runs and models go below one folder.</source>
        <translation>Bilder, Trainings und Modelle kommen in einen gemeinsamen Ordner.</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>What this computer can do, and the first steps.</source>
        <translation>Was dieser Computer kann, und die ersten Schritte.</translation>
    </message>
    <message>
        <source>Drop photos of one thing, and train on them.</source>
        <translation>Zieh Fotos einer Sache herein, und trainiere damit.</translation>
    </message>
    <message>
        <source>Or make a first picture with the built-in model.</source>
        <translation>Oder mach ein erstes Bild mit dem eingebauten Modell.</translation>
    </message>
    <message>
        <source>All keys</source>
        <translation>Alle Tasten</translation>
    </message>
    <message>
        <source>In the large view: the words beside the picture</source>
        <translation>In der großen Ansicht: die Worte neben dem Bild</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Drag what waits to another place: trainings and pictures have one order.</source>
        <translation>Ziehe, was wartet, an eine andere Stelle: Trainings und Bilder haben eine gemeinsame Reihenfolge.</translation>
    </message>
    <message>
        <source>Earlier, later</source>
        <translation>Früher, später</translation>
    </message>
    <message>
        <source>Alt+Up, Alt+Down</source>
        <translation>Alt+Auf, Alt+Ab</translation>
    </message>
    <message>
        <source>Ctrl+B; in the large view F</source>
        <translation>Strg+B; in der großen Ansicht F</translation>
    </message>
    <message>
        <source>{subject} in a prompt stands for your subject, {animal} for a line of your word list of that name; of {red|blue} one word is taken. The seed decides which. \{ and \} are braces.</source>
        <translation>{subject} steht in einem Prompt für dein Motiv, {animal} für eine Zeile deiner Wortliste dieses Namens; von {red|blue} wird ein Wort genommen. Der Seed entscheidet, welches. \{ und \} ergeben geschweifte Klammern.</translation>
    </message>
    <message>
        <source>Walk along a chart, to another of its curves</source>
        <translation>An einem Diagramm entlang, zu einer anderen Kurve</translation>
    </message>
    <message>
        <source>Left and Right, Up and Down</source>
        <translation>Links und Rechts, Auf und Ab</translation>
    </message>
    <message>
        <source>Larger, smaller and usual pictures</source>
        <translation>Bilder größer, kleiner, normal</translation>
    </message>
    <message>
        <source>Ctrl++, Ctrl+-, Ctrl+0</source>
        <translation>Strg++, Strg+-, Strg+0</translation>
    </message>
    <message>
        <source>Figures counts sizes, shapes in training, lengths of captions and tags of what is shown.</source>
        <translation>„Zahlen“ zählt Größen, Formate im Training, Längen der Beschriftungen und Tags dessen, was gezeigt wird.</translation>
    </message>
    <message>
        <source>A learned word (embedding, such as EasyNegative) is a small file that stands for a word: import it, then click on the word below the prompt or write it.</source>
        <translation>Ein gelerntes Wort (Embedding, etwa EasyNegative) ist eine kleine Datei, die für ein Wort steht: Importiere sie, dann klicke unter dem Prompt auf das Wort, oder schreibe es.</translation>
    </message>
    <message>
        <source>Closing the window does not stop a training. Closing the lid of a laptop does, until it is opened again.</source>
        <translation>Das Schließen des Fensters hält ein Training nicht an. Das Schließen des Deckels eines Laptops schon, bis er wieder geöffnet wird.</translation>
    </message>
    <message>
        <source>These fit: Stable Diffusion 1.x, 2.x and XL. Not: Stable Diffusion 3, Flux, inpainting.</source>
        <translation>Es passen: Stable Diffusion 1.x, 2.x und XL. Nicht: Stable Diffusion 3, Flux, Inpainting.</translation>
    </message>
    <message>
        <source>Privacy says how much is kept of your photos beside them, and empties it.</source>
        <translation>„Privatsphäre“ sagt, wie viel neben deinen Fotos von ihnen aufbewahrt wird, und leert es.</translation>
    </message>
    <message>
        <source>(hat) counts more, (hat:1.3) so much more, [hat] less. \( and \) are brackets.</source>
        <translation>(hat) zählt mehr, (hat:1.3) um so viel mehr, [hat] weniger. \( und \) sind Klammern.</translation>
    </message>
    <message>
        <source>Every picture needs a caption: in a .txt or .caption file beside it, in metadata.jsonl, or with it in a .tar shard.</source>
        <translation>Jedes Bild braucht eine Beschriftung: in einer .txt- oder .caption-Datei daneben, in metadata.jsonl oder mit ihm in einem .tar-Archiv.</translation>
    </message>
    <message>
        <source>Drop a .safetensors or .ckpt file or a diffusers folder into the window to import it; it stays where it is.</source>
        <translation>Zieh eine .safetensors- oder .ckpt-Datei oder einen diffusers-Ordner ins Fenster, um das Modell zu importieren; es bleibt, wo es ist.</translation>
    </message>
    <message>
        <source>Enlarge draws a finished picture once more at twice its size; how well that goes depends on the model.</source>
        <translation>„Vergrößern“ zeichnet ein fertiges Bild noch einmal, doppelt so groß; wie gut das geht, hängt vom Modell ab.</translation>
    </message>
</context>
<context>
    <name>homebooth::app::JobBar</name>
    <message>
        <source>Pause</source>
        <translation>Pause</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>RAM</source>
        <translation>RAM</translation>
    </message>
    <message>
        <source>Job</source>
        <translation>Auftrag</translation>
    </message>
    <message>
        <source>Progress of the job</source>
        <translation>Fortschritt des Auftrags</translation>
    </message>
    <message>
        <source>Training %1</source>
        <translation>Training %1</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>Weiter</translation>
    </message>
    <message>
        <source>Making pictures</source>
        <translation>Bilder entstehen</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>Bereit</translation>
    </message>
    <message>
        <source>%1 trainings running</source>
        <translation>%1 Trainings laufen</translation>
    </message>
    <message>
        <source>%1 % done</source>
        <translation>%1 % geschafft</translation>
    </message>
    <message>
        <source>saved at %1</source>
        <translation>gesichert bei %1</translation>
    </message>
    <message>
        <source>Saves this step and ends; Resume goes on from there. &quot;Stop and keep&quot; in the menu Job makes a model of it now.</source>
        <translation>Sichert diesen Schritt und endet; „Fortsetzen“ macht von dort weiter. „Anhalten und behalten“ im Menü „Auftrag“ macht jetzt ein Modell daraus.</translation>
    </message>
    <message>
        <source>What is finished is kept.</source>
        <translation>Was fertig ist, bleibt.</translation>
    </message>
    <message>
        <source>Finished</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <source>Not finished</source>
        <translation>Nicht fertig geworden</translation>
    </message>
    <message numerus="yes">
        <source>%n picture(s)</source>
        <translation>
            <numerusform>%n Bild</numerusform>
            <numerusform>%n Bilder</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>homebooth::app::KeptCopies</name>
    <message>
        <source>Copies of your photos</source>
        <translation>Kopien deiner Fotos</translation>
    </message>
    <message>
        <source>Small pictures, photos and captions as trainings prepare them, and example pictures. They stay when a subject or a training is deleted, and are made again when they are needed.</source>
        <translation>Kleine Bilder, Fotos und Beschriftungen, wie Trainings sie vorbereiten, und Beispielbilder. Sie bleiben, wenn du ein Motiv oder ein Training löschst, und entstehen neu, wenn sie gebraucht werden.</translation>
    </message>
    <message>
        <source>Looking how much that is...</source>
        <translation>Schaut nach, wie viel das ist ...</translation>
    </message>
    <message>
        <source>Empty</source>
        <translation>Leeren</translation>
    </message>
    <message>
        <source>Empty the copies of your photos</source>
        <translation>Kopien deiner Fotos leeren</translation>
    </message>
    <message>
        <source>There are none now.</source>
        <translation>Zurzeit gibt es keine.</translation>
    </message>
    <message>
        <source>Now: %1 of small pictures, %2 by trainings.</source>
        <translation>Zurzeit: %1 kleine Bilder, %2 von Trainings.</translation>
    </message>
    <message>
        <source>&lt;b&gt;Nothing was emptied.&lt;/b&gt; A training works with these copies. Empty them when it has ended.</source>
        <translation>&lt;b&gt;Nichts wurde geleert.&lt;/b&gt; Ein Training arbeitet mit diesen Kopien. Leere sie, wenn es beendet ist.</translation>
    </message>
    <message>
        <source>&lt;b&gt;Not all could be emptied.&lt;/b&gt; Look at the permissions of the folder %1.</source>
        <translation>&lt;b&gt;Nicht alles ließ sich leeren.&lt;/b&gt; Sieh dir die Rechte des Ordners %1 an.</translation>
    </message>
</context>
<context>
    <name>homebooth::app::KindBar</name>
    <message>
        <source>%1 needed, %2 used by other programs, of %3</source>
        <translation>%1 nötig, %2 von anderen Programmen belegt, insgesamt %3</translation>
    </message>
</context>
<context>
    <name>homebooth::app::LargeView</name>
    <message>
        <source>Picture %1</source>
        <translation>Bild %1</translation>
    </message>
    <message>
        <source>Opening...</source>
        <translation>Wird geöffnet ...</translation>
    </message>
    <message>
        <source>Large view</source>
        <translation>Große Ansicht</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>+ - 0 1: zoom</source>
        <translation>+ - 0 1: Zoom</translation>
    </message>
    <message>
        <source>F: no favourite</source>
        <translation>F: kein Favorit</translation>
    </message>
    <message>
        <source>F: favourite</source>
        <translation>F: Favorit</translation>
    </message>
    <message>
        <source>Del: delete</source>
        <translation>Entf: löschen</translation>
    </message>
    <message>
        <source>Esc: back</source>
        <translation>Esc: zurück</translation>
    </message>
    <message>
        <source>Previous picture</source>
        <translation>Voriges Bild</translation>
    </message>
    <message>
        <source>Next picture</source>
        <translation>Nächstes Bild</translation>
    </message>
    <message>
        <source>Favourite</source>
        <translation>Favorit</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>No favourite</source>
        <translation>Kein Favorit</translation>
    </message>
    <message>
        <source>The picture cannot be opened: its file is gone or damaged.</source>
        <translation>Das Bild lässt sich nicht öffnen: Seine Datei fehlt oder ist beschädigt.</translation>
    </message>
    <message>
        <source>Page Down: more words</source>
        <translation>Bild ab: mehr Text</translation>
    </message>
    <message>
        <source>Start from this picture</source>
        <translation>Von diesem Bild ausgehen</translation>
    </message>
</context>
<context>
    <name>homebooth::app::LearnChoice</name>
    <message>
        <source>Add one</source>
        <translation>Noch eines</translation>
    </message>
    <message>
        <source>Learn</source>
        <translation>Lernen</translation>
    </message>
    <message>
        <source>change trigger word</source>
        <translation>Auslösewort ändern</translation>
    </message>
    <message>
        <source>Make a subject</source>
        <translation>Motiv anlegen</translation>
    </message>
    <message>
        <source>Do not learn %1</source>
        <translation>%1 nicht lernen</translation>
    </message>
    <message>
        <source>%1 has no trigger word.</source>
        <translation>%1 hat kein Auslösewort.</translation>
    </message>
    <message>
        <source>%1 and %2 have the same trigger word, %3.</source>
        <translation>%1 und %2 haben dasselbe Auslösewort, %3.</translation>
    </message>
    <message>
        <source>Learned together, each needs one of its own.</source>
        <translation>Zusammen gelernt braucht jedes ein eigenes.</translation>
    </message>
    <message>
        <source>Give %1 the word %2</source>
        <translation>%1 das Wort %2 geben</translation>
    </message>
    <message>
        <source>Give it another word</source>
        <translation>Ein anderes Wort geben</translation>
    </message>
    <message>
        <source>Datasets</source>
        <translation>Datensätze</translation>
    </message>
    <message>
        <source>Say what it is</source>
        <translation>Sag, was es ist</translation>
    </message>
    <message>
        <source>What is %1? Without a word such as dog or toy the model learns it badly.</source>
        <translation>Was ist %1? Ohne ein Wort wie „dog“ (Hund) oder „toy“ (Spielzeug) lernt das Modell es schlecht.</translation>
    </message>
    <message>
        <source>Subjects, instead of %1</source>
        <translation>Motive, statt %1</translation>
    </message>
    <message>
        <source>Datasets, instead of %1</source>
        <translation>Datensätze, statt %1</translation>
    </message>
    <message numerus="yes">
        <source>the %n subject(s)</source>
        <translation>
            <numerusform>des einen Motivs</numerusform>
            <numerusform>der %n Motive</numerusform>
        </translation>
    </message>
    <message>
        <source>Choose another</source>
        <translation>Anderes wählen</translation>
    </message>
</context>
<context>
    <name>homebooth::app::LicenceView</name>
    <message>
        <source>Parts of Homebooth</source>
        <translation>Bestandteile von Homebooth</translation>
    </message>
    <message>
        <source>Text of the licence</source>
        <translation>Text der Lizenz</translation>
    </message>
</context>
<context>
    <name>homebooth::app::LighterWeights</name>
    <message>
        <source>With weights in 8 bits the model takes half the memory, and pictures differ a little.</source>
        <translation>Mit Gewichten in 8 Bit braucht das Modell den halben Speicher, und Bilder werden etwas anders.</translation>
    </message>
    <message>
        <source>Use weights in 8 bits</source>
        <translation>Gewichte in 8 Bit nehmen</translation>
    </message>
</context>
<context>
    <name>homebooth::app::LineChart</name>
    <message>
        <source>step %1
%2</source>
        <translation>Schritt %1
%2</translation>
    </message>
    <message>
        <source>%1: nothing yet</source>
        <translation>%1: noch nichts</translation>
    </message>
    <message>
        <source>%1 %2 at step %3</source>
        <translation>%1 %2 bei Schritt %3</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
</context>
<context>
    <name>homebooth::app::LoraRows</name>
    <message>
        <source>Add an add-on (LoRA)</source>
        <translation>Zusatz (LoRA) hinzufügen</translation>
    </message>
    <message>
        <source>Without this add-on</source>
        <translation>Ohne diesen Zusatz</translation>
    </message>
    <message>
        <source>Add-on %1</source>
        <translation>Zusatz %1</translation>
    </message>
    <message>
        <source>Weight of add-on %1</source>
        <translation>Gewicht von Zusatz %1</translation>
    </message>
    <message>
        <source>Gone: choose another one</source>
        <translation>Weg: Wähle einen anderen</translation>
    </message>
    <message>
        <source>Made for another kind of model than %1.</source>
        <translation>Für eine andere Art von Modell gemacht als %1.</translation>
    </message>
    <message>
        <source>All add-ons that are here are in use.</source>
        <translation>Alle Zusätze, die es hier gibt, werden schon verwendet.</translation>
    </message>
    <message>
        <source>All add-ons that are here are in use. Another saved moment of one is chosen in its row.</source>
        <translation>Alle Zusätze, die es hier gibt, werden schon verwendet. Einen anderen gesicherten Moment wählst du in der Zeile seines Zusatzes.</translation>
    </message>
</context>
<context>
    <name>homebooth::app::LossChart</name>
    <message>
        <source>Loss</source>
        <translation>Loss</translation>
    </message>
    <message>
        <source>step %1
loss %2, trend %3</source>
        <translation>Schritt %1
Loss %2, Trend %3</translation>
    </message>
    <message>
        <source>No loss yet</source>
        <translation>Noch kein Loss</translation>
    </message>
    <message>
        <source>falling</source>
        <translation>fallend</translation>
    </message>
    <message>
        <source>rising</source>
        <translation>steigend</translation>
    </message>
    <message>
        <source>steady</source>
        <translation>gleichbleibend</translation>
    </message>
    <message>
        <source>Loss %1 at step %2, %3</source>
        <translation>Loss %1 bei Schritt %2, %3</translation>
    </message>
    <message>
        <source>held out %1</source>
        <translation>zurückgehalten %1</translation>
    </message>
    <message>
        <source>held out %1 (step %2)</source>
        <translation>zurückgehalten %1 (Schritt %2)</translation>
    </message>
    <message>
        <source>%1; held out %2 at step %3, %4</source>
        <translation>%1; zurückgehalten %2 bei Schritt %3, %4</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Trend</source>
        <translation>Trend</translation>
    </message>
    <message>
        <source>Held out</source>
        <translation>Zurückgehalten</translation>
    </message>
</context>
<context>
    <name>homebooth::app::LostFolder</name>
    <message>
        <source>&lt;b&gt;Folder &quot;%1&quot; is gone.&lt;/b&gt; Crops and captions are kept. Connect the drive.</source>
        <translation>&lt;b&gt;Der Ordner „%1“ ist weg.&lt;/b&gt; Zuschnitte und Beschriftungen bleiben. Schließe den Datenträger an.</translation>
    </message>
    <message>
        <source>Find folder</source>
        <translation>Ordner finden</translation>
    </message>
    <message>
        <source>Where is the folder now?</source>
        <translation>Wo ist der Ordner jetzt?</translation>
    </message>
    <message>
        <source>find folder %1</source>
        <translation>Ordner %1 finden</translation>
    </message>
    <message>
        <source>None of the photos lies in &quot;%1&quot;.</source>
        <translation>Keines der Fotos liegt in „%1“.</translation>
    </message>
    <message numerus="yes">
        <source>The photos of %n subject(s) were found again.</source>
        <translation>
            <numerusform>Die Fotos von %n Motiv wurden wiedergefunden.</numerusform>
            <numerusform>Die Fotos von %n Motiven wurden wiedergefunden.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>homebooth::app::MainWindow</name>
    <message>
        <source>Keys</source>
        <translation>Tasten</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>Hilfe</translation>
    </message>
    <message>
        <source>Space</source>
        <translation>Leertaste</translation>
    </message>
    <message>
        <source>Charts: crosshair</source>
        <translation>Diagramme: Fadenkreuz</translation>
    </message>
    <message>
        <source>Arrows, Home, End</source>
        <translation>Pfeile, Pos1, Ende</translation>
    </message>
    <message>
        <source>Charts and pictures: zoom</source>
        <translation>Diagramme und Bilder: Zoom</translation>
    </message>
    <message>
        <source>All keys</source>
        <translation>Alle Tasten</translation>
    </message>
    <message>
        <source>Teaches an image model your own subject, on this computer alone. Homebooth sends nothing.

The window is under GPL-3.0-or-later, the engine under Apache-2.0. Homebooth is built on these:</source>
        <translation>Bringt einem Bildmodell dein eigenes Motiv bei, allein auf diesem Computer. Homebooth sendet nichts.

Das Fenster steht unter GPL-3.0-or-later, die Engine unter Apache-2.0. Homebooth baut auf diesen Teilen auf:</translation>
    </message>
    <message>
        <source>About Homebooth</source>
        <translation>Über Homebooth</translation>
    </message>
    <message>
        <source>Subjects</source>
        <translation>Motive</translation>
    </message>
    <message>
        <source>Train</source>
        <translation>Training</translation>
    </message>
    <message>
        <source>Generate</source>
        <translation>Erzeugen</translation>
    </message>
    <message>
        <source>Gallery</source>
        <translation>Galerie</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>Modelle</translation>
    </message>
    <message>
        <source>Queue</source>
        <translation>Warteschlange</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>There was no backup: the library begins anew.</source>
        <translation>Es gab keine Sicherung: Die Bibliothek beginnt neu.</translation>
    </message>
    <message>
        <source>Restored from the backup of %1; runs and pictures were found again. What was typed after that is missing.</source>
        <translation>Wiederhergestellt aus der Sicherung vom %1; Trainings und Bilder wurden wiedergefunden. Was danach eingegeben wurde, fehlt.</translation>
    </message>
    <message>
        <source>&lt;b&gt;The library was damaged.&lt;/b&gt; %1</source>
        <translation>&lt;b&gt;Die Bibliothek war beschädigt.&lt;/b&gt; %1</translation>
    </message>
    <message>
        <source>The model was imported. Its files stay where they are.</source>
        <translation>Das Modell wurde importiert. Seine Dateien bleiben, wo sie sind.</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Datei</translation>
    </message>
    <message>
        <source>&amp;Import...</source>
        <translation>&amp;Importieren ...</translation>
    </message>
    <message>
        <source>&amp;Paste photos</source>
        <translation>Fotos &amp;einfügen</translation>
    </message>
    <message>
        <source>&amp;Export...</source>
        <translation>E&amp;xportieren ...</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>&amp;Schließen</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>&amp;Beenden</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>&amp;Bearbeiten</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>&amp;Rückgängig</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>&amp;Wiederholen</translation>
    </message>
    <message>
        <source>Re&amp;name</source>
        <translation>&amp;Umbenennen</translation>
    </message>
    <message>
        <source>&amp;Delete</source>
        <translation>&amp;Löschen</translation>
    </message>
    <message>
        <source>&amp;Favourite</source>
        <translation>&amp;Favorit</translation>
    </message>
    <message>
        <source>Use these &amp;settings</source>
        <translation>Diese &amp;Einstellungen nehmen</translation>
    </message>
    <message>
        <source>&amp;Search</source>
        <translation>&amp;Suchen</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>&amp;Ansicht</translation>
    </message>
    <message>
        <source>&amp;Large view</source>
        <translation>&amp;Große Ansicht</translation>
    </message>
    <message>
        <source>&amp;Expert settings</source>
        <translation>&amp;Experteneinstellungen</translation>
    </message>
    <message>
        <source>&amp;Prompts</source>
        <translation>&amp;Prompts</translation>
    </message>
    <message>
        <source>Next area</source>
        <translation>Nächster Bereich</translation>
    </message>
    <message>
        <source>Previous area</source>
        <translation>Voriger Bereich</translation>
    </message>
    <message>
        <source>&amp;Full screen</source>
        <translation>&amp;Vollbild</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>&amp;Hilfe</translation>
    </message>
    <message>
        <source>All &amp;keys</source>
        <translation>Alle &amp;Tasten</translation>
    </message>
    <message>
        <source>&amp;About Homebooth</source>
        <translation>Ü&amp;ber Homebooth</translation>
    </message>
    <message>
        <source>&amp;Job</source>
        <translation>Auf&amp;trag</translation>
    </message>
    <message>
        <source>&amp;Pause or continue</source>
        <translation>&amp;Pausieren oder fortsetzen</translation>
    </message>
    <message>
        <source>&amp;Save now</source>
        <translation>Jetzt &amp;sichern</translation>
    </message>
    <message>
        <source>P&amp;review now</source>
        <translation>Jetzt &amp;Vorschau</translation>
    </message>
    <message>
        <source>S&amp;top and keep</source>
        <translation>&amp;Anhalten und behalten</translation>
    </message>
    <message numerus="yes">
        <source>Make a subject of %n photo(s)</source>
        <translation>
            <numerusform>Aus %n Foto ein Motiv machen</numerusform>
            <numerusform>Aus %n Fotos ein Motiv machen</numerusform>
        </translation>
    </message>
    <message>
        <source>Add to %1</source>
        <translation>Zu %1 hinzufügen</translation>
    </message>
    <message>
        <source>Start from this picture</source>
        <translation>Von diesem Bild ausgehen</translation>
    </message>
    <message>
        <source>Use its settings</source>
        <translation>Seine Einstellungen nehmen</translation>
    </message>
    <message>
        <source>Import model</source>
        <translation>Modell importieren</translation>
    </message>
    <message>
        <source>working</source>
        <translation>läuft</translation>
    </message>
    <message numerus="yes">
        <source>%n waiting</source>
        <translation>
            <numerusform>%n wartet</numerusform>
            <numerusform>%n warten</numerusform>
        </translation>
    </message>
    <message>
        <source>Training goes on.</source>
        <translation>Das Training läuft weiter.</translation>
    </message>
    <message>
        <source>Datasets</source>
        <translation>Datensätze</translation>
    </message>
    <message>
        <source>&amp;Welcome</source>
        <translation>&amp;Willkommen</translation>
    </message>
    <message>
        <source>New dataset</source>
        <translation>Neuer Datensatz</translation>
    </message>
    <message>
        <source>The library did not do this. The last change may not be kept.</source>
        <translation>Die Bibliothek hat das nicht getan. Die letzte Änderung ist vielleicht nicht gesichert.</translation>
    </message>
    <message>
        <source>New pictures could not be taken into the gallery.</source>
        <translation>Neue Bilder ließen sich nicht in die Galerie aufnehmen.</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>&amp;Kopieren</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>New word list</source>
        <translation>Neue Wortliste</translation>
    </message>
    <message>
        <source>&lt;b&gt;%1 became a dataset&lt;/b&gt;, the other photos a subject.</source>
        <translation>&lt;b&gt;%1 wurde ein Datensatz&lt;/b&gt;, die anderen Fotos ein Motiv.</translation>
    </message>
    <message numerus="yes">
        <source>New dataset, and a subject of %n photo(s)</source>
        <translation>
            <numerusform>Neuer Datensatz und ein Motiv aus %n Foto</numerusform>
            <numerusform>Neuer Datensatz und ein Motiv aus %n Fotos</numerusform>
        </translation>
    </message>
    <message>
        <source>New datasets</source>
        <translation>Neue Datensätze</translation>
    </message>
    <message numerus="yes">
        <source>&lt;b&gt;%1 became a dataset&lt;/b&gt;, the other photos %n subject(s).</source>
        <translation>
            <numerusform>&lt;b&gt;%1 wurde ein Datensatz&lt;/b&gt;, die anderen Fotos wurden %n Motiv.</numerusform>
            <numerusform>&lt;b&gt;%1 wurde ein Datensatz&lt;/b&gt;, die anderen Fotos wurden %n Motive.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>New dataset, and %n subject(s)</source>
        <translation>
            <numerusform>Neuer Datensatz und %n Motiv</numerusform>
            <numerusform>Neuer Datensatz und %n Motive</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Make %n subject(s), one of each folder</source>
        <translation>
            <numerusform>%n Motiv anlegen, aus jedem Ordner eines</numerusform>
            <numerusform>%n Motive anlegen, aus jedem Ordner eines</numerusform>
        </translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Zeigen</translation>
    </message>
    <message>
        <source>&lt;b&gt;%1 does not say what it predicts.&lt;/b&gt; It was imported, but the wrong answer gives grey noise instead of pictures.</source>
        <translation>&lt;b&gt;%1 sagt nicht, was es vorhersagt.&lt;/b&gt; Es wurde importiert, aber die falsche Antwort ergibt graues Rauschen statt Bildern.</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>Antworten</translation>
    </message>
    <message>
        <source>Charts: another curve</source>
        <translation>Diagramme: andere Kurve</translation>
    </message>
    <message>
        <source>Up, Down</source>
        <translation>Auf, Ab</translation>
    </message>
    <message>
        <source>The picture is not kept yet.</source>
        <translation>Das Bild ist noch nicht gesichert.</translation>
    </message>
    <message>
        <source>Import %1 models</source>
        <translation>%1 Modelle importieren</translation>
    </message>
    <message>
        <source>The disk has no room for the photos of a training. Nothing was started.</source>
        <translation>Auf dem Datenträger ist kein Platz für die Fotos eines Trainings. Nichts wurde gestartet.</translation>
    </message>
    <message>
        <source>Zoom &amp;in</source>
        <translation>Ve&amp;rgrößern</translation>
    </message>
    <message>
        <source>Zoom &amp;out</source>
        <translation>Ver&amp;kleinern</translation>
    </message>
    <message>
        <source>&amp;Usual size</source>
        <translation>&amp;Normale Größe</translation>
    </message>
    <message>
        <source>&amp;Page</source>
        <translation>&amp;Seite</translation>
    </message>
    <message>
        <source>This page has no actions</source>
        <translation>Diese Seite hat keine Aktionen</translation>
    </message>
    <message>
        <source>Nothing of this can be used: expected pictures, folders of pictures, a model or an add-on (.safetensors, .ckpt, .pt, .bin or a diffusers folder) or a text file of words.</source>
        <translation>Nichts davon lässt sich verwenden: Erwartet werden Bilder, Ordner mit Bildern, ein Modell oder ein Zusatz (.safetensors, .ckpt, .pt, .bin oder ein Ordner von diffusers) oder eine Textdatei mit Wörtern.</translation>
    </message>
    <message>
        <source>&lt;b&gt;The library was missing.&lt;/b&gt; %1</source>
        <translation>&lt;b&gt;Die Bibliothek fehlte.&lt;/b&gt; %1</translation>
    </message>
    <message>
        <source>The add-on was imported. Its file stays where it is.</source>
        <translation>Der Zusatz wurde importiert. Seine Datei bleibt, wo sie ist.</translation>
    </message>
    <message>
        <source>&lt;b&gt;Settings are kept until the window closes, no longer.&lt;/b&gt; %1 cannot be written. Free room on its disk, or allow writing there.</source>
        <translation>&lt;b&gt;Einstellungen gelten nur, bis das Fenster geschlossen wird.&lt;/b&gt; %1 lässt sich nicht schreiben. Schaffe Platz auf dem Datenträger, oder erlaube das Schreiben dort.</translation>
    </message>
    <message>
        <source>The training begins once its photos are copied.</source>
        <translation>Das Training beginnt, sobald seine Fotos kopiert sind.</translation>
    </message>
    <message>
        <source>Training goes on while the lid is open.</source>
        <translation>Das Training läuft weiter, solange der Deckel offen ist.</translation>
    </message>
    <message>
        <source>These are still on the phone or on a web page. Copy them to this computer first, then drop them here.</source>
        <translation>Das liegt noch auf dem Telefon oder auf einer Webseite. Kopiere es zuerst auf diesen Computer und lege es dann hier ab.</translation>
    </message>
    <message>
        <source>&lt;b&gt;Saved moments stay in %1.&lt;/b&gt; Copies of the deleted training, or the one that it was a copy of, may need them. If no training does, delete them yourself.</source>
        <translation>&lt;b&gt;Gesicherte Momente bleiben in %1.&lt;/b&gt; Kopien des gelöschten Trainings, oder das, von dem es eine Kopie war, brauchen sie vielleicht. Wenn kein Training sie braucht, lösche sie selbst.</translation>
    </message>
    <message>
        <source>Pictures: choose several that lie apart</source>
        <translation>Bilder: mehrere wählen, die auseinander liegen</translation>
    </message>
    <message>
        <source>Ctrl+arrows, Ctrl+Space</source>
        <translation>Strg+Pfeile, Strg+Leertaste</translation>
    </message>
    <message>
        <source>Large view: pixel by pixel, words, favourite</source>
        <translation>Große Ansicht: Pixel für Pixel, Worte, Favorit</translation>
    </message>
    <message>
        <source>Crop: move, size</source>
        <translation>Zuschneiden: verschieben, Größe ändern</translation>
    </message>
    <message>
        <source>Arrows, Shift+arrows</source>
        <translation>Pfeile, Umschalt+Pfeile</translation>
    </message>
    <message>
        <source>Queue: earlier, later</source>
        <translation>Warteschlange: früher, später</translation>
    </message>
    <message>
        <source>Alt+Up, Alt+Down</source>
        <translation>Alt+Auf, Alt+Ab</translation>
    </message>
    <message>
        <source>Charts: crosshair, ten times as far</source>
        <translation>Diagramme: Fadenkreuz, zehnmal so weit</translation>
    </message>
    <message>
        <source>Shift+arrows</source>
        <translation>Umschalt+Pfeile</translation>
    </message>
    <message>
        <source>Charts: fix the crosshair, let it go</source>
        <translation>Diagramme: Fadenkreuz festhalten, loslassen</translation>
    </message>
    <message>
        <source>Return</source>
        <translation>Eingabe</translation>
    </message>
    <message>
        <source>In lists, pictures and charts</source>
        <translation>In Listen, Bildern und Diagrammen</translation>
    </message>
    <message>
        <source>delete %1</source>
        <translation>%1 löschen</translation>
    </message>
    <message>
        <source>%1 is in the trash.</source>
        <translation>%1 liegt im Papierkorb.</translation>
    </message>
    <message>
        <source>&lt;b&gt;The settings were damaged.&lt;/b&gt; What could not be read begins anew, also the folder for trainings and pictures; look through the page Settings. The damaged file is kept as %1.</source>
        <translation>&lt;b&gt;Die Einstellungen waren beschädigt.&lt;/b&gt; Was nicht zu lesen war, beginnt neu, auch der Ordner für Trainings und Bilder; sieh die Seite Einstellungen durch. Die beschädigte Datei liegt noch als %1 da.</translation>
    </message>
    <message>
        <source>&amp;Main action</source>
        <translation>&amp;Hauptaktion</translation>
    </message>
    <message>
        <source>Large view; of a subject&apos;s photo: crop</source>
        <translation>Große Ansicht; beim Foto eines Motivs: zuschneiden</translation>
    </message>
    <message>
        <source>Open what is chosen, press a button</source>
        <translation>Gewähltes öffnen, Knopf drücken</translation>
    </message>
    <message>
        <source>Back, close, keep as it was</source>
        <translation>Zurück, schließen, lassen, wie es war</translation>
    </message>
    <message>
        <source>Esc</source>
        <translation>Esc</translation>
    </message>
    <message>
        <source>What can be done with what is chosen</source>
        <translation>Was sich mit dem Gewählten tun lässt</translation>
    </message>
    <message>
        <source>Menu key, Shift+F10</source>
        <translation>Menütaste, Umschalt+F10</translation>
    </message>
    <message>
        <source>Choose all</source>
        <translation>Alles wählen</translation>
    </message>
    <message numerus="yes">
        <source>%n model(s) and add-ons were imported. Their files stay where they are.</source>
        <translation>
            <numerusform>%n Modell oder Zusatz wurde importiert. Die Dateien bleiben, wo sie sind.</numerusform>
            <numerusform>%n Modelle und Zusätze wurden importiert. Ihre Dateien bleiben, wo sie sind.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n file(s) could not be imported.</source>
        <translation>
            <numerusform>%n Datei konnte nicht importiert werden.</numerusform>
            <numerusform>%n Dateien konnten nicht importiert werden.</numerusform>
        </translation>
    </message>
    <message>
        <source>Imported: %1. Their files stay where they are.</source>
        <translation>Importiert: %1. Ihre Dateien bleiben, wo sie sind.</translation>
    </message>
    <message>
        <source>Show which</source>
        <translation>Zeigen, welche</translation>
    </message>
    <message>
        <source>Not imported</source>
        <translation>Nicht importiert</translation>
    </message>
    <message>
        <source>Add them too</source>
        <translation>Auch hinzufügen</translation>
    </message>
    <message>
        <source>The disk of the library is full. Changes are kept until the window closes, and written once there is room.</source>
        <translation>Der Datenträger der Bibliothek ist voll. Änderungen bleiben bis zum Schließen des Fensters erhalten und werden gespeichert, sobald Platz ist.</translation>
    </message>
    <message>
        <source>Import models</source>
        <translation>Modelle importieren</translation>
    </message>
    <message numerus="yes">
        <source>delete %n training(s)</source>
        <translation>
            <numerusform>%n Training löschen</numerusform>
            <numerusform>%n Trainings löschen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n training(s) are in the trash.</source>
        <translation>
            <numerusform>%n Training liegt im Papierkorb.</numerusform>
            <numerusform>%n Trainings liegen im Papierkorb.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>&lt;b&gt;%n caption(s) beside the photos are left out.&lt;/b&gt; Expected text in UTF-8, found another encoding. Save the files as UTF-8 and add the photos again, or type what is to be learned.</source>
        <translation>
            <numerusform>&lt;b&gt;%n Beschriftung neben den Fotos ist ausgelassen.&lt;/b&gt; Erwartet wurde Text in UTF-8, gefunden eine andere Kodierung. Speichere die Datei als UTF-8 und füge die Fotos noch einmal hinzu, oder tippe, was gelernt werden soll.</numerusform>
            <numerusform>&lt;b&gt;%n Beschriftungen neben den Fotos sind ausgelassen.&lt;/b&gt; Erwartet wurde Text in UTF-8, gefunden eine andere Kodierung. Speichere die Dateien als UTF-8 und füge die Fotos noch einmal hinzu, oder tippe, was gelernt werden soll.</numerusform>
        </translation>
    </message>
    <message>
        <source>Close Homebooth</source>
        <translation>Homebooth schließen</translation>
    </message>
    <message>
        <source>&lt;b&gt;Close and lose changes?&lt;/b&gt; The disk of the library is full, and changes wait for room. To keep them, free some space first.</source>
        <translation>&lt;b&gt;Schließen und Änderungen verlieren?&lt;/b&gt; Der Datenträger der Bibliothek ist voll, und Änderungen warten auf Platz. Um sie zu behalten, schaffe zuerst Platz.</translation>
    </message>
    <message>
        <source>Close anyway</source>
        <translation>Trotzdem schließen</translation>
    </message>
    <message>
        <source>Keep open</source>
        <translation>Geöffnet lassen</translation>
    </message>
    <message>
        <source>The learned word (embedding) was imported. Its file stays where it is.</source>
        <translation>Das gelernte Wort (Embedding) wurde importiert. Seine Datei bleibt, wo sie ist.</translation>
    </message>
    <message>
        <source>%1 has these photos, too.</source>
        <translation>%1 hat diese Fotos auch.</translation>
    </message>
    <message numerus="yes">
        <source>%n subject(s) have these photos, too.</source>
        <translation>
            <numerusform>%n Motiv hat diese Fotos auch.</numerusform>
            <numerusform>%n Motive haben diese Fotos auch.</numerusform>
        </translation>
    </message>
    <message>
        <source>&lt;b&gt;%1 is back under another name.&lt;/b&gt; Another training has its folder&apos;s; it lies in %2.</source>
        <translation>&lt;b&gt;%1 ist unter anderem Namen zurück.&lt;/b&gt; Den seines Ordners hat jetzt ein anderes Training; es liegt in %2.</translation>
    </message>
    <message numerus="yes">
        <source>%n picture(s) cannot be deleted: another user&apos;s, or on a drive that is read-only.</source>
        <translation>
            <numerusform>%n Bild lässt sich nicht löschen: Es gehört einem anderen Benutzer oder liegt auf einem Datenträger, der nur gelesen werden kann.</numerusform>
            <numerusform>%n Bilder lassen sich nicht löschen: Sie gehören einem anderen Benutzer oder liegen auf einem Datenträger, der nur gelesen werden kann.</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 is forgotten.</source>
        <translation>%1 ist vergessen.</translation>
    </message>
    <message numerus="yes">
        <source>%n training(s) are forgotten.</source>
        <translation>
            <numerusform>%n Training ist vergessen.</numerusform>
            <numerusform>%n Trainings sind vergessen.</numerusform>
        </translation>
    </message>
    <message>
        <source>&amp;Help on this page</source>
        <translation>&amp;Hilfe zu dieser Seite</translation>
    </message>
    <message>
        <source>Learn as example pictures</source>
        <translation>Als Beispielbilder lernen</translation>
    </message>
</context>
<context>
    <name>homebooth::app::MemoryChart</name>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation>Optimierer</translation>
    </message>
    <message>
        <source>Gradients</source>
        <translation>Gradienten</translation>
    </message>
    <message>
        <source>Activations</source>
        <translation>Aktivierungen</translation>
    </message>
    <message>
        <source>Workspace</source>
        <translation>Arbeitsbereich</translation>
    </message>
    <message>
        <source>Cache</source>
        <translation>Cache</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>No memory figures yet</source>
        <translation>Noch keine Speicherzahlen</translation>
    </message>
    <message>
        <source>Other programs %1</source>
        <translation>Andere Programme %1</translation>
    </message>
    <message>
        <source>Other programs</source>
        <translation>Andere Programme</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>All, GB</source>
        <translation>Alles, GB</translation>
    </message>
    <message>
        <source>Memory %1</source>
        <translation>Speicher %1</translation>
    </message>
    <message>
        <source>Memory %1, planned %2</source>
        <translation>Speicher %1, geplant %2</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Alles</translation>
    </message>
    <message>
        <source>step %1, %2</source>
        <translation>Schritt %1, %2</translation>
    </message>
    <message>
        <source>planned %1</source>
        <translation>geplant %1</translation>
    </message>
    <message>
        <source>full at %1</source>
        <translation>voll bei %1</translation>
    </message>
    <message>
        <source>limit %1</source>
        <translation>Grenze %1</translation>
    </message>
</context>
<context>
    <name>homebooth::app::MemoryGauge</name>
    <message>
        <source>%1 of %2 GB</source>
        <translation>%1 von %2 GB</translation>
    </message>
    <message>
        <source>%1: %2 used by Homebooth, %3 by other programs, %4 in all</source>
        <translation>%1: %2 von Homebooth belegt, %3 von anderen Programmen, %4 insgesamt</translation>
    </message>
    <message>
        <source>%1 ago</source>
        <translation>%1 her</translation>
    </message>
    <message>
        <source>limit %1</source>
        <translation>Grenze %1</translation>
    </message>
</context>
<context>
    <name>homebooth::app::MessageBar</name>
    <message>
        <source>Close this message</source>
        <translation>Meldung schließen</translation>
    </message>
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>%n weitere</numerusform>
            <numerusform>%n weitere</numerusform>
        </translation>
    </message>
    <message>
        <source>Last lines</source>
        <translation>Letzte Zeilen</translation>
    </message>
</context>
<context>
    <name>homebooth::app::ModelChoice</name>
    <message>
        <source>Base of %1</source>
        <translation>Grundlage von %1</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleichen</translation>
    </message>
    <message>
        <source>Makes each picture with two models or saved moments, with the same seed.</source>
        <translation>Macht jedes Bild mit zwei Modellen oder gesicherten Momenten, mit demselben Seed.</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Compare with</source>
        <translation>Vergleichen mit</translation>
    </message>
    <message>
        <source>%1 + %2</source>
        <comment>a model and its add-on</comment>
        <translation>%1 + %2</translation>
    </message>
    <message>
        <source>Both are the same: each picture would be made twice.</source>
        <translation>Beides ist dasselbe: Jedes Bild würde zweimal gemacht.</translation>
    </message>
    <message>
        <source>&quot;%1&quot;, which was chosen, is not there. Pictures are made with &quot;%2&quot; until you choose another model.</source>
        <translation>Das gewählte „%1“ ist nicht da. Bilder werden mit „%2“ gemacht, bis du ein anderes Modell wählst.</translation>
    </message>
</context>
<context>
    <name>homebooth::app::ModelList</name>
    <message>
        <source>Add-on</source>
        <translation>Zusatz</translation>
    </message>
    <message>
        <source>Built in</source>
        <translation>Eingebaut</translation>
    </message>
    <message>
        <source>Imported</source>
        <translation>Importiert</translation>
    </message>
    <message>
        <source>Trained here</source>
        <translation>Hier trainiert</translation>
    </message>
    <message>
        <source>Add-ons</source>
        <translation>Zusätze</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>Modelle</translation>
    </message>
    <message>
        <source>Learned word</source>
        <translation>Gelerntes Wort</translation>
    </message>
    <message>
        <source>gone</source>
        <translation>fehlt</translation>
    </message>
</context>
<context>
    <name>homebooth::app::ModelShelf</name>
    <message>
        <source>%1, step %2</source>
        <translation>%1, Schritt %2</translation>
    </message>
    <message>
        <source>Sketch (built in)</source>
        <translation>Sketch (eingebaut)</translation>
    </message>
</context>
<context>
    <name>homebooth::app::ModelsPage</name>
    <message>
        <source>noise (epsilon)</source>
        <translation>Rauschen (epsilon)</translation>
    </message>
    <message>
        <source>v</source>
        <translation>v</translation>
    </message>
    <message>
        <source>%1, but the file does not say it</source>
        <translation>%1, doch die Datei sagt es nicht</translation>
    </message>
    <message>
        <source>Problem</source>
        <translation>Problem</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>language model (%1)</source>
        <translation>Sprachmodell (%1)</translation>
    </message>
    <message>
        <source>add-on of rank %1 with %2 parts</source>
        <translation>Zusatz vom Rang %1 mit %2 Teilen</translation>
    </message>
    <message>
        <source>Pictures</source>
        <translation>Bilder</translation>
    </message>
    <message>
        <source>Predicts</source>
        <translation>Sagt voraus</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>%1: %2 million weights, %3</source>
        <translation>%1: %2 Millionen Gewichte, %3</translation>
    </message>
    <message>
        <source>Parts</source>
        <translation>Teile</translation>
    </message>
    <message>
        <source>Trigger</source>
        <translation>Auslöser</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Hinweis</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>Modelle</translation>
    </message>
    <message>
        <source>Import folder...</source>
        <translation>Ordner importieren ...</translation>
    </message>
    <message>
        <source>Import...</source>
        <translation>Importieren ...</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Search models</source>
        <translation>Modelle suchen</translation>
    </message>
    <message>
        <source>Name of the model</source>
        <translation>Name des Modells</translation>
    </message>
    <message>
        <source>Not said by the file: note it here</source>
        <translation>Die Datei sagt es nicht: Notiere es hier</translation>
    </message>
    <message>
        <source>Licence</source>
        <translation>Lizenz</translation>
    </message>
    <message>
        <source>What its makers allow. Look it up where the model comes from.</source>
        <translation>Was die Urheber erlauben. Sieh an der Quelle des Modells nach.</translation>
    </message>
    <message>
        <source>Noise (epsilon)</source>
        <translation>Rauschen (epsilon)</translation>
    </message>
    <message>
        <source>v (most SD 2.x of 768 px)</source>
        <translation>v (die meisten SD 2.x mit 768 px)</translation>
    </message>
    <message>
        <source>Make pictures</source>
        <translation>Bilder machen</translation>
    </message>
    <message>
        <source>Train with it</source>
        <translation>Damit trainieren</translation>
    </message>
    <message>
        <source>Show the training</source>
        <translation>Training zeigen</translation>
    </message>
    <message>
        <source>Export as</source>
        <translation>Exportieren als</translation>
    </message>
    <message>
        <source>Take off the list</source>
        <translation>Von der Liste nehmen</translation>
    </message>
    <message>
        <source>Delete...</source>
        <translation>Löschen ...</translation>
    </message>
    <message>
        <source>diffusers folder...</source>
        <translation>diffusers-Ordner ...</translation>
    </message>
    <message>
        <source>One .safetensors file...</source>
        <translation>Eine .safetensors-Datei ...</translation>
    </message>
    <message>
        <source>Nothing matches.</source>
        <translation>Keine Treffer.</translation>
    </message>
    <message>
        <source>Learned: &quot;%1&quot;</source>
        <translation>Gelernt: „%1“</translation>
    </message>
    <message>
        <source>Made from it: %1</source>
        <translation>Daraus entstanden: %1</translation>
    </message>
    <message>
        <source>Looking at the model...</source>
        <translation>Das Modell wird angesehen ...</translation>
    </message>
    <message>
        <source>Place</source>
        <translation>Ort</translation>
    </message>
    <message>
        <source>SHA-256: working it out...</source>
        <translation>SHA-256 wird berechnet ...</translation>
    </message>
    <message>
        <source>SHA-256 %1</source>
        <translation>SHA-256 %1</translation>
    </message>
    <message>
        <source>Writing the model anew with what you said, to %1. The file itself stays as it is.</source>
        <translation>Das Modell wird mit deiner Angabe neu geschrieben, nach %1. Die Datei selbst bleibt, wie sie ist.</translation>
    </message>
    <message numerus="yes">
        <source>Trainings keep %1 in %n saved moment(s).</source>
        <translation>
            <numerusform>Trainings belegen %1 mit %n gesicherten Moment.</numerusform>
            <numerusform>Trainings belegen %1 mit %n gesicherten Momenten.</numerusform>
        </translation>
    </message>
    <message>
        <source>Free %1...</source>
        <translation>%1 freigeben ...</translation>
    </message>
    <message>
        <source>Free room</source>
        <translation>Platz schaffen</translation>
    </message>
    <message>
        <source>Free %1</source>
        <translation>%1 freigeben</translation>
    </message>
    <message>
        <source>Export %1</source>
        <translation>%1 exportieren</translation>
    </message>
    <message>
        <source>Exported to %1.</source>
        <translation>Nach %1 exportiert.</translation>
    </message>
    <message>
        <source>%1 is off the list. Its files stay.</source>
        <translation>%1 steht nicht mehr auf der Liste. Die Dateien bleiben.</translation>
    </message>
    <message>
        <source>Open the queue</source>
        <translation>Warteschlange öffnen</translation>
    </message>
    <message>
        <source>Delete a model</source>
        <translation>Ein Modell löschen</translation>
    </message>
    <message>
        <source>Move to the trash</source>
        <translation>In den Papierkorb</translation>
    </message>
    <message>
        <source>%1 could not be moved into the trash.</source>
        <translation>%1 ließ sich nicht in den Papierkorb legen.</translation>
    </message>
    <message>
        <source>training of %1</source>
        <translation>Training von %1</translation>
    </message>
    <message>
        <source>pictures of &quot;%1&quot;</source>
        <translation>Bilder zu „%1“</translation>
    </message>
    <message>
        <source>%1 is in use.</source>
        <translation>%1 wird gerade benutzt.</translation>
    </message>
    <message>
        <source>Wait for these, or take them out of the queue: %1.</source>
        <translation>Warte, bis diese fertig sind, oder nimm sie aus der Warteschlange: %1.</translation>
    </message>
    <message>
        <source>Delete %1?</source>
        <translation>%1 löschen?</translation>
    </message>
    <message>
        <source>Made from it: %1. They go on working, but cannot be trained further from it.</source>
        <translation>Daraus gemacht: %1. Sie funktionieren weiter, lassen sich aber nicht mehr von ihm aus weitertrainieren.</translation>
    </message>
    <message>
        <source>The model could not be written anew.</source>
        <translation>Das Modell ließ sich nicht neu schreiben.</translation>
    </message>
    <message>
        <source>Not all room could be freed.</source>
        <translation>Nicht der ganze Platz ließ sich freigeben.</translation>
    </message>
    <message>
        <source>The model could not be exported.</source>
        <translation>Das Modell ließ sich nicht exportieren.</translation>
    </message>
    <message>
        <source>Stopped. Nothing was written.</source>
        <translation>Angehalten. Es wurde nichts geschrieben.</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>%1 of %2 written</source>
        <translation>%1 von %2 geschrieben</translation>
    </message>
    <message>
        <source>Add-on for A1111 and ComfyUI (kohya)...</source>
        <translation>Zusatz für A1111 und ComfyUI (kohya) ...</translation>
    </message>
    <message>
        <source>Add-on for diffusers...</source>
        <translation>Zusatz für diffusers ...</translation>
    </message>
    <message>
        <source>Exporting to %1.</source>
        <translation>Export nach %1.</translation>
    </message>
    <message>
        <source>take %1 off the list</source>
        <translation>%1 von der Liste nehmen</translation>
    </message>
    <message>
        <source>rename %1</source>
        <translation>%1 umbenennen</translation>
    </message>
    <message>
        <source>licence of %1</source>
        <translation>Lizenz von %1</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>Umbenennen</translation>
    </message>
    <message>
        <source>Its training takes %1 of the disk.</source>
        <translation>Das Training dazu belegt %1.</translation>
    </message>
    <message numerus="yes">
        <source>Its training takes %1 of the disk, %2 of it in %n saved moment(s).</source>
        <translation>
            <numerusform>Das Training dazu belegt %1, davon %2 in %n gesicherten Moment.</numerusform>
            <numerusform>Das Training dazu belegt %1, davon %2 in %n gesicherten Momenten.</numerusform>
        </translation>
    </message>
    <message>
        <source>SHA-256: worked out to %1 %</source>
        <translation>SHA-256: zu %1 % berechnet</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Add-ons that need it: %1. They can make no pictures without it.</source>
        <translation>Zusätze, die es brauchen: %1. Ohne es können sie keine Bilder machen.</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Copy the SHA-256</source>
        <translation>SHA-256 kopieren</translation>
    </message>
    <message>
        <source>Copies all 64 digits.</source>
        <translation>Kopiert alle 64 Ziffern.</translation>
    </message>
    <message>
        <source>Whole, checked today</source>
        <translation>Unversehrt, heute geprüft</translation>
    </message>
    <message>
        <source>Whole, checked on %1</source>
        <translation>Unversehrt, geprüft am %1</translation>
    </message>
    <message>
        <source>Read the licence</source>
        <translation>Lizenz lesen</translation>
    </message>
    <message>
        <source>The file does not say what it predicts. The wrong answer gives grey noise.</source>
        <translation>Die Datei sagt nicht, was sie vorhersagt. Die falsche Antwort ergibt graues Rauschen.</translation>
    </message>
    <message>
        <source>Make a picture both ways, I choose</source>
        <translation>Ein Bild auf beide Arten machen, ich wähle</translation>
    </message>
    <message>
        <source>This picture is right: %1</source>
        <translation>Dieses Bild ist richtig: %1</translation>
    </message>
    <message>
        <source>The pictures are made when what runs has ended.</source>
        <translation>Die Bilder werden gemacht, wenn fertig ist, was läuft.</translation>
    </message>
    <message>
        <source>Click on the picture that is not grey noise.</source>
        <translation>Klick auf das Bild, das kein graues Rauschen ist.</translation>
    </message>
    <message>
        <source>Nothing was written.</source>
        <translation>Nichts wurde geschrieben.</translation>
    </message>
    <message>
        <source>The built-in model is small. Drop a .safetensors file or a diffusers folder here for better pictures.</source>
        <translation>Das eingebaute Modell ist klein. Leg eine .safetensors-Datei oder einen diffusers-Ordner hier ab, dann werden die Bilder besser.</translation>
    </message>
    <message>
        <source>In detail</source>
        <translation>Im Einzelnen</translation>
    </message>
    <message>
        <source>It has learned no pictures yet. New models can begin with it.</source>
        <translation>Es hat noch keine Bilder gelernt. Neue Modelle können damit beginnen.</translation>
    </message>
    <message numerus="yes">
        <source>learned word of %n vector(s) for %1</source>
        <translation>
            <numerusform>gelerntes Wort aus %n Vektor für %1</numerusform>
            <numerusform>gelerntes Wort aus %n Vektoren für %1</numerusform>
        </translation>
    </message>
    <message>
        <source>In prompts</source>
        <translation>In Prompts</translation>
    </message>
    <message>
        <source>Models and add-ons (*.safetensors *.ckpt *.pt *.bin)</source>
        <translation>Modelle und Zusätze (*.safetensors *.ckpt *.pt *.bin)</translation>
    </message>
    <message numerus="yes">
        <source>%1 and %n more</source>
        <translation>
            <numerusform>%1 und %n weiteres</numerusform>
            <numerusform>%1 und %n weitere</numerusform>
        </translation>
    </message>
    <message>
        <source>The training goes into the trash with its charts, previews, saved moments and any copies of photos that it made. Pictures made with it stay.</source>
        <translation>Das Training kommt mit seinen Diagrammen, Vorschauen, gesicherten Momenten und allen Kopien von Fotos, die es angelegt hat, in den Papierkorb. Damit gemachte Bilder bleiben.</translation>
    </message>
    <message>
        <source>These fit: Stable Diffusion 1.x (2 to 4 GB; also for graphics cards of 8 GB), 2.x, and XL (about 7 GB). Not: Stable Diffusion 3, Flux, inpainting.</source>
        <translation>Es passen: Stable Diffusion 1.x (2 bis 4 GB; auch für Grafikkarten mit 8 GB), 2.x und XL (etwa 7 GB). Nicht: Stable Diffusion 3, Flux, Inpainting.</translation>
    </message>
    <message>
        <source>Import a model: Stable Diffusion 1.x, 2.x or XL</source>
        <translation>Modell importieren: Stable Diffusion 1.x, 2.x oder XL</translation>
    </message>
    <message>
        <source>Are its pictures grey noise?</source>
        <translation>Sind seine Bilder graues Rauschen?</translation>
    </message>
    <message>
        <source>The file does not say what it predicts. A picture each way shows it.</source>
        <translation>Die Datei sagt nicht, was sie vorhersagt. Je ein Bild zeigt es.</translation>
    </message>
    <message>
        <source>v, from noise alone (most SDXL of v)</source>
        <translation>v, von reinem Rauschen an (die meisten SDXL mit v)</translation>
    </message>
    <message>
        <source>%1, as is usual</source>
        <translation>%1, wie üblich</translation>
    </message>
    <message>
        <source>v, from noise alone</source>
        <translation>v, von reinem Rauschen an</translation>
    </message>
    <message>
        <source>Make a picture each way, I choose</source>
        <translation>Je ein Bild machen, ich wähle</translation>
    </message>
    <message>
        <source>Picture %1 of %2: %3</source>
        <translation>Bild %1 von %2: %3</translation>
    </message>
    <message>
        <source>Click on the best picture. Grey noise is wrong.</source>
        <translation>Klick auf das beste Bild. Graues Rauschen ist falsch.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; exists already. Choose another name.</source>
        <translation>„%1“ gibt es schon. Wähle einen anderen Namen.</translation>
    </message>
    <message>
        <source>velocity (v)</source>
        <translation>Geschwindigkeit (v)</translation>
    </message>
    <message>
        <source>Stable Diffusion of its own size</source>
        <translation>Stable Diffusion in eigener Größe</translation>
    </message>
    <message>
        <source>The training goes into the trash with the model that came out of it, its charts, previews, saved moments and any copies of photos that it made. Pictures made with it stay.</source>
        <translation>Das Training kommt mit dem Modell, das daraus wurde, seinen Diagrammen, Vorschauen, gesicherten Momenten und allen Kopien von Fotos, die es angelegt hat, in den Papierkorb. Damit gemachte Bilder bleiben.</translation>
    </message>
    <message>
        <source>The training goes into the trash with the add-on that came out of it, its charts, previews, saved moments and any copies of photos that it made. Pictures made with it stay.</source>
        <translation>Das Training kommt mit dem Zusatz, der daraus wurde, seinen Diagrammen, Vorschauen, gesicherten Momenten und allen Kopien von Fotos, die es angelegt hat, in den Papierkorb. Damit gemachte Bilder bleiben.</translation>
    </message>
    <message numerus="yes">
        <source>%n older moment(s) will be deleted.</source>
        <translation>
            <numerusform>%n älterer Moment wird gelöscht.</numerusform>
            <numerusform>%n ältere Momente werden gelöscht.</numerusform>
        </translation>
    </message>
    <message>
        <source>A training can then go on from its newest moment alone; the other one can still make pictures. This cannot be undone.</source>
        <translation>Weitergehen kann ein Training danach nur von seinem neuesten Moment aus; der andere kann noch Bilder machen. Das lässt sich nicht rückgängig machen.</translation>
    </message>
    <message>
        <source>add-on of rank %1 with %2 parts, for %3</source>
        <translation>Zusatz vom Rang %1 mit %2 Teilen, für %3</translation>
    </message>
    <message>
        <source>%1 jobs: %2</source>
        <translation>%1 Aufträge: %2</translation>
    </message>
    <message numerus="yes">
        <source>Delete %n training(s)?</source>
        <translation>
            <numerusform>%n Training löschen?</numerusform>
            <numerusform>%n Trainings löschen?</numerusform>
        </translation>
    </message>
    <message>
        <source>They go into the trash with what came out of them, their charts, previews, saved moments and any copies of photos that they made. Pictures made with them stay.</source>
        <translation>Sie kommen mit dem, was dabei herauskam, ihren Diagrammen, Vorschauen, gesicherten Momenten und allen Kopien von Fotos, die sie angelegt haben, in den Papierkorb. Damit gemachte Bilder bleiben.</translation>
    </message>
    <message>
        <source>Add-ons that were trained on it: %1.</source>
        <translation>Zusätze, die darauf trainiert wurden: %1.</translation>
    </message>
    <message>
        <source>Find the file...</source>
        <translation>Datei suchen ...</translation>
    </message>
    <message>
        <source>Trained on: %1</source>
        <translation>Trainiert auf: %1</translation>
    </message>
    <message>
        <source>Trained on: %1, which is not on the list</source>
        <translation>Trainiert auf: %1, das nicht in der Liste ist</translation>
    </message>
    <message>
        <source>&lt;b&gt;The file of &quot;%1&quot; is another one than before.&lt;/b&gt; Its name and what you noted of its licence were kept: look whether they still fit.</source>
        <translation>&lt;b&gt;Die Datei von „%1“ ist eine andere als zuvor.&lt;/b&gt; Ihr Name und deine Lizenznotiz sind geblieben: Sieh nach, ob sie noch passen.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is a file&apos;s name, but a folder is written. Choose another name.</source>
        <translation>„%1“ ist der Name einer Datei, geschrieben wird aber ein Ordner. Wähle einen anderen Namen.</translation>
    </message>
    <message>
        <source>%1 on &quot;%2&quot;...</source>
        <translation>%1 auf „%2“ ...</translation>
    </message>
    <message>
        <source>&lt;b&gt;There is nothing to free here for &quot;%1&quot;.&lt;/b&gt; No training keeps older moments on that disk. Delete trainings in the queue that lie there, or choose another folder.</source>
        <translation>&lt;b&gt;Für „%1“ lässt sich hier nichts freigeben.&lt;/b&gt; Kein Training hat ältere gesicherte Momente auf diesem Datenträger. Lösche in der Warteschlange Trainings, die dort liegen, oder wähle einen anderen Ordner.</translation>
    </message>
    <message>
        <source>&lt;b&gt;&quot;%1&quot; is full.&lt;/b&gt; Trainings keep %2 there in older moments, which can go.</source>
        <translation>&lt;b&gt;„%1“ ist voll.&lt;/b&gt; Trainings haben dort %2 in älteren gesicherten Momenten, die weg können.</translation>
    </message>
    <message>
        <source>&lt;b&gt;Free %1 on &quot;%2&quot;?&lt;/b&gt; The newest two saved moments of each training stay, and what came out of it.</source>
        <translation>&lt;b&gt;%1 auf „%2“ freigeben?&lt;/b&gt; Die neuesten zwei gesicherten Momente jedes Trainings bleiben, und was herauskam.</translation>
    </message>
    <message>
        <source>%1 were freed on &quot;%2&quot;.</source>
        <translation>%1 wurden auf „%2“ freigegeben.</translation>
    </message>
    <message>
        <source>Nothing was freed: these trainings are being worked on, or pictures wait for their moments.</source>
        <translation>Nichts wurde freigegeben: An diesen Trainings wird gearbeitet, oder Bilder warten auf ihre gesicherten Momente.</translation>
    </message>
    <message>
        <source>%1 could not be taken out of the trash: it is not there any more, or something else has its place.</source>
        <translation>%1 ließ sich nicht aus dem Papierkorb holen: Es ist nicht mehr dort, oder etwas anderes hat seinen Platz.</translation>
    </message>
    <message>
        <source>Its folder is gone: nothing goes into the trash. Pictures made with it stay.</source>
        <translation>Sein Ordner ist weg: Nichts kommt in den Papierkorb. Damit gemachte Bilder bleiben.</translation>
    </message>
    <message>
        <source>Its files are gone: nothing goes into the trash.</source>
        <translation>Seine Dateien sind weg: Nichts kommt in den Papierkorb.</translation>
    </message>
    <message>
        <source>It goes into the trash: other programs lose it, too.</source>
        <translation>Es kommt in den Papierkorb: Auch andere Programme verlieren es.</translation>
    </message>
    <message>
        <source>Forget %1?</source>
        <translation>%1 vergessen?</translation>
    </message>
    <message numerus="yes">
        <source>Forget %n training(s)?</source>
        <translation>
            <numerusform>%n Training vergessen?</numerusform>
            <numerusform>%n Trainings vergessen?</numerusform>
        </translation>
    </message>
    <message>
        <source>Their folders are gone: nothing goes into the trash. Pictures made with them stay.</source>
        <translation>Ihre Ordner sind weg: Nichts kommt in den Papierkorb. Damit gemachte Bilder bleiben.</translation>
    </message>
    <message>
        <source>Forget</source>
        <translation>Vergessen</translation>
    </message>
    <message>
        <source>delete %1</source>
        <translation>%1 löschen</translation>
    </message>
    <message>
        <source>%1 is forgotten.</source>
        <translation>%1 ist vergessen.</translation>
    </message>
    <message>
        <source>%1 is in the trash.</source>
        <translation>%1 liegt im Papierkorb.</translation>
    </message>
    <message numerus="yes">
        <source>Forget %n model(s)?</source>
        <translation>
            <numerusform>%n Modell vergessen?</numerusform>
            <numerusform>%n Modelle vergessen?</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Delete %n model(s)?</source>
        <translation>
            <numerusform>%n Modell löschen?</numerusform>
            <numerusform>%n Modelle löschen?</numerusform>
        </translation>
    </message>
    <message>
        <source>Their files are gone: nothing goes into the trash.</source>
        <translation>Ihre Dateien sind weg: Nichts kommt in den Papierkorb.</translation>
    </message>
    <message>
        <source>They go into the trash: other programs lose them, too.</source>
        <translation>Sie kommen in den Papierkorb: Auch andere Programme verlieren sie.</translation>
    </message>
    <message numerus="yes">
        <source>%n training(s) go into the trash with what came out of them, their charts, previews, saved moments and any copies of photos that they made.</source>
        <translation>
            <numerusform>%n Training kommt in den Papierkorb, mit dem, was daraus wurde, seinen Kurven, Vorschauen, gesicherten Momenten und Kopien von Fotos, die es angelegt hat.</numerusform>
            <numerusform>%n Trainings kommen in den Papierkorb, mit dem, was daraus wurde, ihren Kurven, Vorschauen, gesicherten Momenten und Kopien von Fotos, die sie angelegt haben.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n model(s) go into the trash with their files: other programs lose them, too.</source>
        <translation>
            <numerusform>%n Modell kommt mit seinen Dateien in den Papierkorb: Auch andere Programme verlieren es.</numerusform>
            <numerusform>%n Modelle kommen mit ihren Dateien in den Papierkorb: Auch andere Programme verlieren sie.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n of them leave the list alone: nothing of them is there any more.</source>
        <translation>
            <numerusform>%n davon verlässt nur die Liste: Von ihm ist nichts mehr da.</numerusform>
            <numerusform>%n davon verlassen nur die Liste: Von ihnen ist nichts mehr da.</numerusform>
        </translation>
    </message>
    <message>
        <source>Pictures made with them stay.</source>
        <translation>Bilder, die damit gemacht wurden, bleiben.</translation>
    </message>
    <message numerus="yes">
        <source>%n model(s) chosen</source>
        <translation>
            <numerusform>%n Modell gewählt</numerusform>
            <numerusform>%n Modelle gewählt</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n model(s) are off the list. Their files stay.</source>
        <translation>
            <numerusform>%n Modell ist von der Liste genommen. Seine Dateien bleiben.</numerusform>
            <numerusform>%n Modelle sind von der Liste genommen. Ihre Dateien bleiben.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>take %n model(s) off the list</source>
        <translation>
            <numerusform>%n Modell von der Liste nehmen</numerusform>
            <numerusform>%n Modelle von der Liste nehmen</numerusform>
        </translation>
    </message>
    <message>
        <source>The built-in model stays.</source>
        <translation>Das mitgelieferte Modell bleibt.</translation>
    </message>
    <message>
        <source>Delete models</source>
        <translation>Modelle löschen</translation>
    </message>
    <message numerus="yes">
        <source>delete %n model(s)</source>
        <translation>
            <numerusform>%n Modell löschen</numerusform>
            <numerusform>%n Modelle löschen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n model(s) are forgotten.</source>
        <translation>
            <numerusform>%n Modell ist vergessen.</numerusform>
            <numerusform>%n Modelle sind vergessen.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n model(s) are in the trash.</source>
        <translation>
            <numerusform>%n Modell liegt im Papierkorb.</numerusform>
            <numerusform>%n Modelle liegen im Papierkorb.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>homebooth::app::MomentModel</name>
    <message>
        <source>step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>%1, not saved</source>
        <translation>%1, nicht gesichert</translation>
    </message>
    <message>
        <source>The end of the training</source>
        <translation>Das Ende des Trainings</translation>
    </message>
    <message>
        <source>Saved: can make pictures, and be trained further</source>
        <translation>Gesichert: kann Bilder machen und weiter trainiert werden</translation>
    </message>
    <message>
        <source>Only this picture is left of it: the training did not keep the model of this step.</source>
        <translation>Nur dieses Bild ist davon übrig: Das Training hat das Modell dieses Schritts nicht behalten.</translation>
    </message>
    <message>
        <source>no preview</source>
        <translation>keine Vorschau</translation>
    </message>
    <message>
        <source>Favourite: %1</source>
        <translation>Favorit: %1</translation>
    </message>
</context>
<context>
    <name>homebooth::app::MomentRow</name>
    <message>
        <source>Peak %1, planned %2</source>
        <translation>Spitze %1, geplant %2</translation>
    </message>
    <message>
        <source>Peak %1</source>
        <translation>Spitze %1</translation>
    </message>
    <message>
        <source>Which moment is best?</source>
        <translation>Welcher Moment ist der beste?</translation>
    </message>
    <message>
        <source>Moments of the training</source>
        <translation>Momente des Trainings</translation>
    </message>
    <message>
        <source>Copies the photos too closely? Choose an earlier one.</source>
        <translation>Kopiert er die Fotos zu genau? Wähle einen früheren.</translation>
    </message>
    <message>
        <source>Of %1 only the picture is left. The bright ones can make more.</source>
        <translation>Von %1 ist nur das Bild übrig. Die hellen können weitere Bilder machen.</translation>
    </message>
    <message>
        <source>%1, in one of %2 processes</source>
        <translation>%1, in einem von %2 Prozessen</translation>
    </message>
    <message>
        <source>Other settings</source>
        <translation>Andere Einstellungen</translation>
    </message>
    <message>
        <source>Opens the form for a new training. This one stays.</source>
        <translation>Öffnet das Formular für ein neues Training. Dieses bleibt.</translation>
    </message>
    <message>
        <source>Not like it yet? Train further, or with other settings.</source>
        <translation>Noch nicht ähnlich? Trainiere weiter, oder mit anderen Einstellungen.</translation>
    </message>
    <message>
        <source>Enlarge one: the picture after it is on a beach.</source>
        <translation>Vergrößern: Das Bild danach ist am Strand.</translation>
    </message>
    <message>
        <source>Enlarge one: its pictures of the other prompts come after it.</source>
        <translation>Vergrößere eines: Danach kommen seine Bilder zu den anderen Prompts.</translation>
    </message>
    <message>
        <source>Favourite</source>
        <translation>Favorit</translation>
    </message>
</context>
<context>
    <name>homebooth::app::MomentWords</name>
    <message>
        <source>Keeps this moment when older ones go: as the training goes on, or to make room.</source>
        <translation>Behält diesen Moment, wenn ältere gehen: beim Weitertrainieren oder um Platz zu schaffen.</translation>
    </message>
    <message>
        <source>Large view</source>
        <translation>Große Ansicht</translation>
    </message>
    <message>
        <source>No favourite</source>
        <translation>Kein Favorit</translation>
    </message>
    <message>
        <source>Favourite</source>
        <translation>Favorit</translation>
    </message>
</context>
<context>
    <name>homebooth::app::Navigation</name>
    <message>
        <source>Pages</source>
        <translation>Seiten</translation>
    </message>
</context>
<context>
    <name>homebooth::app::Notices</name>
    <message>
        <source>Pictures need you</source>
        <translation>Die Bilder brauchen dich</translation>
    </message>
    <message>
        <source>%1 of %2 steps</source>
        <translation>%1 von %2 Schritten</translation>
    </message>
    <message>
        <source>%1 is ready</source>
        <translation>%1 ist fertig</translation>
    </message>
    <message>
        <source>%1 needs you</source>
        <translation>%1 braucht dich</translation>
    </message>
    <message>
        <source>Pictures are ready</source>
        <translation>Die Bilder sind fertig</translation>
    </message>
    <message numerus="yes">
        <source>%n in the last job</source>
        <translation>
            <numerusform>%n im letzten Auftrag</numerusform>
            <numerusform>%n im letzten Auftrag</numerusform>
        </translation>
    </message>
    <message>
        <source>While the window was closed: %1 is ready.</source>
        <translation>Während das Fenster zu war: %1 ist fertig.</translation>
    </message>
    <message>
        <source>While the window was closed: %1 ended early.</source>
        <translation>Während das Fenster zu war: %1 endete vorzeitig.</translation>
    </message>
    <message>
        <source>%1 was cut off, perhaps as the power failed. Open it and resume: it goes on after its last saved moment.</source>
        <translation>%1 wurde unterbrochen, vielleicht durch einen Stromausfall. Öffne es und setze es fort: Es geht nach dem letzten gesicherten Moment weiter.</translation>
    </message>
    <message>
        <source>%1 was cut off, perhaps as the power failed. It goes on with the queue.</source>
        <translation>%1 wurde unterbrochen, vielleicht durch einen Stromausfall. Es geht mit der Warteschlange weiter.</translation>
    </message>
</context>
<context>
    <name>homebooth::app::PhotoModel</name>
    <message>
        <source>Left out</source>
        <translation>Weggelassen</translation>
    </message>
    <message>
        <source>You left this out.</source>
        <translation>Das hast du weggelassen.</translation>
    </message>
    <message>
        <source>Checking</source>
        <translation>Wird geprüft</translation>
    </message>
    <message>
        <source>Looking at the photo.</source>
        <translation>Das Foto wird angesehen.</translation>
    </message>
    <message>
        <source>Missing</source>
        <translation>Fehlt</translation>
    </message>
    <message>
        <source>The file is gone.</source>
        <translation>Die Datei ist weg.</translation>
    </message>
    <message>
        <source>Unreadable</source>
        <translation>Unlesbar</translation>
    </message>
    <message>
        <source>The file is damaged. It is left out.</source>
        <translation>Die Datei ist beschädigt. Sie wird weggelassen.</translation>
    </message>
    <message>
        <source>Small</source>
        <translation>Klein</translation>
    </message>
    <message>
        <source>%1 x %2. The model learns at %3: it will be enlarged.</source>
        <translation>%1 x %2. Das Modell lernt mit %3: Es wird vergrößert.</translation>
    </message>
    <message>
        <source>Blurred</source>
        <translation>Unscharf</translation>
    </message>
    <message>
        <source>Looks blurred. A sharper photo teaches more.</source>
        <translation>Wirkt unscharf. Ein schärferes Foto lehrt mehr.</translation>
    </message>
    <message>
        <source>Like %1</source>
        <translation>Wie %1</translation>
    </message>
    <message>
        <source>Almost the same as photo %1. Another side teaches more.</source>
        <translation>Fast dasselbe wie Foto %1. Eine andere Seite lehrt mehr.</translation>
    </message>
    <message>
        <source>Turned</source>
        <translation>Gedreht</translation>
    </message>
    <message>
        <source>Set upright as the camera noted.</source>
        <translation>Aufgerichtet, wie die Kamera es vermerkt hat.</translation>
    </message>
    <message>
        <source>Good</source>
        <translation>Gut</translation>
    </message>
    <message>
        <source>Photo %1</source>
        <translation>Foto %1</translation>
    </message>
    <message>
        <source>Photo %1, %2, %3 by %4</source>
        <translation>Foto %1, %2, %3 mal %4</translation>
    </message>
    <message>
        <source>Too small</source>
        <translation>Zu klein</translation>
    </message>
    <message>
        <source>Nothing can be seen in so few pixels. It is left out.</source>
        <translation>In so wenigen Pixeln ist nichts zu sehen. Es wird weggelassen.</translation>
    </message>
    <message>
        <source>Animated</source>
        <translation>Animiert</translation>
    </message>
    <message>
        <source>An animated %1 cannot be read. Save one of its pictures as PNG. It is left out.</source>
        <translation>Ein animiertes %1 lässt sich nicht lesen. Speichere eines der Bilder als PNG. Es wird weggelassen.</translation>
    </message>
    <message>
        <source>A %1 cannot be read. Save it as PNG. It is left out.</source>
        <translation>Ein %1 lässt sich nicht lesen. Speichere es als PNG. Es wird weggelassen.</translation>
    </message>
    <message>
        <source>Animated: only its first picture is learned.</source>
        <translation>Animiert: Nur das erste Bild wird gelernt.</translation>
    </message>
    <message>
        <source>This is no file. It is left out.</source>
        <translation>Das ist keine Datei. Es wird weggelassen.</translation>
    </message>
    <message>
        <source>The file cannot be read. Look at its permissions and its disk. It is left out.</source>
        <translation>Die Datei ist nicht zu lesen. Prüfe ihre Zugriffsrechte und ihren Datenträger. Sie wird weggelassen.</translation>
    </message>
    <message>
        <source>The file is empty. Copy it again. It is left out.</source>
        <translation>Die Datei ist leer. Kopiere sie noch einmal. Sie wird weggelassen.</translation>
    </message>
    <message>
        <source>This is no picture that can be read. Save it as JPEG or PNG. It is left out.</source>
        <translation>Das ist kein Bild, das gelesen werden kann. Speichere es als JPEG oder PNG. Es wird weggelassen.</translation>
    </message>
    <message>
        <source>The picture is too large. Save it smaller. It is left out.</source>
        <translation>Das Bild ist zu groß. Speichere es kleiner. Es wird weggelassen.</translation>
    </message>
    <message>
        <source>Photo %1, %2</source>
        <translation>Foto %1, %2</translation>
    </message>
    <message>
        <source>Much less sharp than the other photos: shaken or out of focus? A sharper photo teaches more.</source>
        <translation>Viel unschärfer als die anderen Fotos: verwackelt oder falsch scharfgestellt? Ein schärferes Foto lehrt mehr.</translation>
    </message>
    <message>
        <source>Only the middle square is learned: %1 % of the photo is cut off. Crop it so that the subject is inside.</source>
        <translation>Gelernt wird nur das mittlere Quadrat: %1 % des Fotos fallen weg. Schneide es so zu, dass das Motiv darin liegt.</translation>
    </message>
    <message>
        <source>Cut</source>
        <translation>Beschnitten</translation>
    </message>
</context>
<context>
    <name>homebooth::app::PhotoReading</name>
    <message>
        <source>Looking at the photos: %1 of %2</source>
        <translation>Fotos werden angesehen: %1 von %2</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>stop adding photos</source>
        <translation>Hinzufügen von Fotos anhalten</translation>
    </message>
    <message numerus="yes">
        <source>Stopped. %n photo(s) were not added.</source>
        <translation>
            <numerusform>Angehalten. %n Foto wurde nicht hinzugefügt.</numerusform>
            <numerusform>Angehalten. %n Fotos wurden nicht hinzugefügt.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>homebooth::app::PictureAlbum</name>
    <message numerus="yes">
        <source>delete %n picture(s)</source>
        <translation>
            <numerusform>%n Bild löschen</numerusform>
            <numerusform>%n Bilder löschen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>mark %n picture(s) as favourite</source>
        <translation>
            <numerusform>%n Bild als Favorit merken</numerusform>
            <numerusform>%n Bilder als Favoriten merken</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>unmark %n picture(s)</source>
        <translation>
            <numerusform>%n Bild nicht mehr merken</numerusform>
            <numerusform>%n Bilder nicht mehr merken</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n picture(s) in the trash.</source>
        <translation>
            <numerusform>%n Bild im Papierkorb.</numerusform>
            <numerusform>%n Bilder im Papierkorb.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>homebooth::app::PictureFacts</name>
    <message>
        <source>%1 x %2</source>
        <translation>%1 x %2</translation>
    </message>
    <message>
        <source>seed %1, %2</source>
        <translation>Seed %1, %2</translation>
    </message>
    <message>
        <source>%1, %2 steps, guidance %3</source>
        <translation>%1, %2 Schritte, Guidance %3</translation>
    </message>
    <message>
        <source>Leave out: %1</source>
        <translation>Weglassen: %1</translation>
    </message>
    <message>
        <source>weights in 8 bits</source>
        <translation>Gewichte in 8 Bit</translation>
    </message>
    <message>
        <source>computed in 8 bits</source>
        <translation>in 8 Bit gerechnet</translation>
    </message>
    <message>
        <source>Add-on: %1 %2</source>
        <translation>Zusatz: %1 %2</translation>
    </message>
    <message>
        <source>Add-on: %1</source>
        <translation>Zusatz: %1</translation>
    </message>
    <message>
        <source>Karras spacing</source>
        <translation>Abstände nach Karras</translation>
    </message>
    <message>
        <source>trailing spacing</source>
        <translation>Abstände vom Ende her</translation>
    </message>
    <message>
        <source>clip skip %1</source>
        <translation>Clip Skip %1</translation>
    </message>
    <message>
        <source>a picture</source>
        <translation>einem Bild</translation>
    </message>
    <message>
        <source>Started from %1, %2 % may change</source>
        <translation>Ausgegangen von %1, %2 % durften sich ändern</translation>
    </message>
</context>
<context>
    <name>homebooth::app::PlanAsker</name>
    <message>
        <source>%1 cannot be written: %2. Free room there.</source>
        <translation>%1 kann nicht geschrieben werden: %2. Schaffe dort Platz.</translation>
    </message>
    <message>
        <source>The folder %1 cannot be made. Look whether something else has its name and whether you may write beside it.</source>
        <translation>Der Ordner %1 lässt sich nicht anlegen. Sieh nach, ob etwas anderes so heißt und ob du daneben schreiben darfst.</translation>
    </message>
</context>
<context>
    <name>homebooth::app::PlanPanel</name>
    <message>
        <source>Disk</source>
        <translation>Datenträger</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Choose what to learn.</source>
        <translation>Wähle, was gelernt wird.</translation>
    </message>
    <message>
        <source>Working it out...</source>
        <translation>Wird ausgerechnet ...</translation>
    </message>
    <message>
        <source>Does not fit</source>
        <translation>Passt nicht</translation>
    </message>
    <message>
        <source>Cannot work like this</source>
        <translation>So geht es nicht</translation>
    </message>
    <message>
        <source>This will fit</source>
        <translation>Das passt</translation>
    </message>
    <message>
        <source>, %1 swap</source>
        <translation>, %1 Auslagerung</translation>
    </message>
    <message>
        <source>Other programs use %1 of %2.</source>
        <translation>Andere Programme benutzen %1 von %2.</translation>
    </message>
    <message numerus="yes">
        <source>%n step(s); measured in the first ones</source>
        <translation>
            <numerusform>%n Schritt; wird in den ersten gemessen</numerusform>
            <numerusform>%n Schritte; wird in den ersten gemessen</numerusform>
        </translation>
    </message>
    <message>
        <source>What the engine says</source>
        <translation>Was die Engine sagt</translation>
    </message>
    <message>
        <source>The model, the pictures or a setting are not as they must be.</source>
        <translation>Das Modell, die Bilder oder eine Einstellung sind nicht, wie sie sein müssen.</translation>
    </message>
    <message>
        <source>All decisions</source>
        <translation>Alle Entscheidungen</translation>
    </message>
    <message>
        <source>It needs more room on the disk than is free. Nothing was started.</source>
        <translation>Es braucht mehr Platz auf dem Datenträger, als frei ist. Nichts wurde gestartet.</translation>
    </message>
    <message>
        <source>It needs more memory than is free. Nothing was started.</source>
        <translation>Es braucht mehr Speicher, als frei ist. Nichts wurde gestartet.</translation>
    </message>
    <message>
        <source>It needs %1 on the disk, and %2 are free. Nothing was started.</source>
        <translation>Es braucht %1 auf dem Datenträger, und %2 sind frei. Nichts wurde gestartet.</translation>
    </message>
    <message>
        <source>Trying what would make it fit...</source>
        <translation>Was passen würde, wird ausprobiert ...</translation>
    </message>
    <message>
        <source>Fits, but slowly: parts live on the disk</source>
        <translation>Passt, aber langsam: Teile liegen auf dem Datenträger</translation>
    </message>
    <message>
        <source>Fits, but slowly: parts live in RAM</source>
        <translation>Passt, aber langsam: Teile liegen im RAM</translation>
    </message>
    <message>
        <source>Graphics card</source>
        <translation>Grafikkarte</translation>
    </message>
    <message>
        <source>RAM</source>
        <translation>RAM</translation>
    </message>
    <message>
        <source>%1 allowed</source>
        <comment>5.9 of 7.2 GB allowed</comment>
        <translation>%1 erlaubt</translation>
    </message>
    <message>
        <source>%1 free</source>
        <comment>5.9 of 7.2 GB free</comment>
        <translation>%1 frei</translation>
    </message>
    <message>
        <source>From what trainings like this one took here.</source>
        <translation>Nach dem, was solche Trainings hier gedauert haben.</translation>
    </message>
    <message>
        <source>An estimate: no training like this one was finished here yet.</source>
        <translation>Eine Schätzung: Noch kein solches Training wurde hier beendet.</translation>
    </message>
    <message>
        <source>%1 processes, %2 each</source>
        <translation>%1 Prozesse, je %2</translation>
    </message>
    <message>
        <source>To make it fit:</source>
        <translation>Damit es passt:</translation>
    </message>
    <message>
        <source>each of %1 cards</source>
        <translation>jede von %1 Karten</translation>
    </message>
    <message>
        <source>Swap:</source>
        <translation>Auslagerung:</translation>
    </message>
    <message>
        <source>The graphics card cannot be used</source>
        <translation>Die Grafikkarte lässt sich nicht benutzen</translation>
    </message>
    <message>
        <source>What is wrong with it stands below. The processor can compute instead, which takes far longer. &quot;Device&quot; in Settings changes that again.</source>
        <translation>Was mit ihr nicht stimmt, steht darunter. Statt ihrer kann der Prozessor rechnen, was viel länger dauert. Unter Einstellungen, Gerät änderst du das wieder.</translation>
    </message>
    <message>
        <source>Memory is too small without swapping, and the swap folder is not there. Connect its drive, or name another one in Settings, Device.</source>
        <translation>Ohne Auslagern ist der Speicher zu klein, und der Auslagerungsordner ist nicht da. Schließe seinen Datenträger an, oder nenne unter Einstellungen, Gerät einen anderen.</translation>
    </message>
    <message>
        <source>It writes a file that is larger than the drive takes. Nothing was started.</source>
        <translation>Es schreibt eine Datei, die größer ist, als der Datenträger erlaubt. Nichts wurde gestartet.</translation>
    </message>
    <message>
        <source>It writes a file of %1, and the drive takes none above %2. Nothing was started.</source>
        <translation>Es schreibt eine Datei von %1, und der Datenträger nimmt keine über %2. Nichts wurde gestartet.</translation>
    </message>
    <message>
        <source>It needs %1 more on the disk than are free. Nothing was started.</source>
        <translation>Es braucht auf dem Datenträger %1 mehr, als frei sind. Nichts wurde gestartet.</translation>
    </message>
    <message>
        <source>%1 in the swap folder</source>
        <translation>%1 im Auslagerungsordner</translation>
    </message>
    <message>
        <source>%1 of memory</source>
        <translation>%1 Speicher</translation>
    </message>
    <message>
        <source>%1 of RAM</source>
        <translation>%1 RAM</translation>
    </message>
    <message>
        <source>%1 of graphics memory and %2 of RAM</source>
        <translation>%1 Grafikspeicher und %2 RAM</translation>
    </message>
    <message>
        <source>%1 and %2</source>
        <comment>5.9 GB and 12.0 GB, of memory</comment>
        <translation>%1 und %2</translation>
    </message>
    <message>
        <source>Each of %1 processes needs %2 more than it may use. Nothing was started.</source>
        <translation>Jeder von %1 Prozessen braucht %2 mehr, als er nutzen darf. Nichts wurde gestartet.</translation>
    </message>
    <message>
        <source>Each of %1 processes needs %2, and it may use %3. Nothing was started.</source>
        <translation>Jeder von %1 Prozessen braucht %2 und darf %3 nutzen. Nichts wurde gestartet.</translation>
    </message>
    <message>
        <source>It needs %1 more than it may use. Nothing was started.</source>
        <translation>Es braucht %1 mehr, als es nutzen darf. Nichts wurde gestartet.</translation>
    </message>
    <message>
        <source>It needs %1, and it may use %2. Nothing was started.</source>
        <translation>Es braucht %1 und darf %2 nutzen. Nichts wurde gestartet.</translation>
    </message>
    <message>
        <source>The limit is your own, in Settings, Device.</source>
        <translation>Die Grenze ist deine eigene, unter Einstellungen, Gerät.</translation>
    </message>
    <message>
        <source>Planned for its turn: what works now has given its memory back by then.</source>
        <translation>Für den Zeitpunkt geplant, zu dem es an der Reihe ist: Was jetzt läuft, hat seinen Speicher bis dahin freigegeben.</translation>
    </message>
    <message>
        <source>On battery: connect the charger before you start.</source>
        <translation>Akkubetrieb: Schließ vor dem Start das Ladegerät an.</translation>
    </message>
    <message>
        <source>Folder &quot;%1&quot; is gone</source>
        <translation>Der Ordner „%1“ ist weg</translation>
    </message>
    <message>
        <source>Crops and captions are kept. Connect the drive, or say where the folder is now.</source>
        <translation>Zuschnitte und Beschriftungen bleiben. Schließe den Datenträger an, oder sage, wo der Ordner jetzt ist.</translation>
    </message>
    <message>
        <source>Connect the drive, or choose another dataset.</source>
        <translation>Schließe den Datenträger an, oder wähle einen anderen Datensatz.</translation>
    </message>
    <message>
        <source>A photo is gone</source>
        <translation>Ein Foto fehlt</translation>
    </message>
    <message>
        <source>%1 is not where it was. Leave it out, or find it again.</source>
        <translation>%1 ist nicht mehr da, wo es war. Lass es weg oder such es.</translation>
    </message>
    <message>
        <source>The engine gave no answer</source>
        <translation>Die Engine gab keine Antwort</translation>
    </message>
    <message>
        <source>Other programs use the processor now: while they do, it takes longer.</source>
        <translation>Andere Programme benutzen gerade den Prozessor: Solange sie das tun, dauert es länger.</translation>
    </message>
</context>
<context>
    <name>homebooth::app::PlanSavings</name>
    <message>
        <source>Learn one picture at a time</source>
        <translation>Ein Bild auf einmal lernen</translation>
    </message>
    <message>
        <source>Learn a small add-on instead</source>
        <translation>Stattdessen einen kleinen Zusatz lernen</translation>
    </message>
    <message>
        <source>Use %1 px</source>
        <translation>%1 px nehmen</translation>
    </message>
    <message>
        <source>Save memory wherever possible</source>
        <translation>Überall Speicher sparen</translation>
    </message>
    <message>
        <source>Keep two saved moments</source>
        <translation>Zwei gesicherte Momente behalten</translation>
    </message>
    <message>
        <source>Take back the expert settings</source>
        <translation>Experteneinstellungen zurücknehmen</translation>
    </message>
    <message>
        <source>Share the model among the processes</source>
        <translation>Das Modell unter den Prozessen aufteilen</translation>
    </message>
    <message>
        <source>Let one process train</source>
        <translation>Einen Prozess allein trainieren lassen</translation>
    </message>
    <message>
        <source>Share the model among the graphics cards</source>
        <translation>Das Modell unter den Grafikkarten aufteilen</translation>
    </message>
    <message>
        <source>Use the number format %1</source>
        <translation>Zahlenformat %1 nehmen</translation>
    </message>
    <message>
        <source>Keep the optimizer in 8 bits</source>
        <translation>Optimierer in 8 Bit halten</translation>
    </message>
    <message>
        <source>Keep the model&apos;s weights in 8 bits</source>
        <translation>Gewichte des Modells in 8 Bit halten</translation>
    </message>
</context>
<context>
    <name>homebooth::app::PlanTime</name>
    <message>
        <source>%1 (%2 to %3)</source>
        <translation>%1 (%2 bis %3)</translation>
    </message>
    <message numerus="yes">
        <source>%n step(s): %1</source>
        <translation>
            <numerusform>%n Schritt: %1</numerusform>
            <numerusform>%n Schritte: %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n example picture(s): %1</source>
        <translation>
            <numerusform>%n Beispielbild: %1</numerusform>
            <numerusform>%n Beispielbilder: %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n preview(s): %1</source>
        <translation>
            <numerusform>%n Vorschau: %1</numerusform>
            <numerusform>%n Vorschauen: %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>saving, %n time(s): %1</source>
        <translation>
            <numerusform>%n-mal sichern: %1</numerusform>
            <numerusform>%n-mal sichern: %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>homebooth::app::PlanWords</name>
    <message>
        <source>The whole model stays in memory: {parameterBytes}. It fits.</source>
        <translation>Das ganze Modell bleibt im Speicher: {parameterBytes}. Es passt.</translation>
    </message>
    <message>
        <source>The model waits in RAM and is fetched in parts, {parameterBytes} at a time: as a whole it would not fit.</source>
        <translation>Das Modell wartet im RAM und wird in Teilen geholt, je {parameterBytes}: Als Ganzes würde es nicht passen.</translation>
    </message>
    <message>
        <source>The model waits in RAM and is fetched in parts, {parameterBytes} at a time: the settings ask for it.</source>
        <translation>Das Modell wartet im RAM und wird in Teilen geholt, je {parameterBytes}: So ist es eingestellt.</translation>
    </message>
    <message>
        <source>The model waits on the disk and is fetched in parts, {parameterBytes} at a time: as a whole it would not fit.</source>
        <translation>Das Modell wartet auf dem Datenträger und wird in Teilen geholt, je {parameterBytes}: Als Ganzes würde es nicht passen.</translation>
    </message>
    <message>
        <source>The model waits on the disk and is fetched in parts, {parameterBytes} at a time: the settings ask for it.</source>
        <translation>Das Modell wartet auf dem Datenträger und wird in Teilen geholt, je {parameterBytes}: So ist es eingestellt.</translation>
    </message>
    <message>
        <source>Each step fetches {fetchedBytes} of the model and brings {returnedBytes} of gradients back.</source>
        <translation>Jeder Schritt holt {fetchedBytes} des Modells und bringt {returnedBytes} Gradienten zurück.</translation>
    </message>
    <message>
        <source>Nothing has to be fetched in a step.</source>
        <translation>In einem Schritt muss nichts geholt werden.</translation>
    </message>
    <message>
        <source>What the optimizer remembers lies beside the model: {stateBytes}.</source>
        <translation>Was sich der Optimierer merkt, liegt neben dem Modell: {stateBytes}.</translation>
    </message>
    <message>
        <source>What the optimizer remembers lies in RAM: {stateBytes}.</source>
        <translation>Was sich der Optimierer merkt, liegt im RAM: {stateBytes}.</translation>
    </message>
    <message>
        <source>What the optimizer remembers lies on the disk: {stateBytes}. It is read ahead and written afterwards.</source>
        <translation>Was sich der Optimierer merkt, liegt auf dem Datenträger: {stateBytes}. Es wird im Voraus gelesen und danach geschrieben.</translation>
    </message>
    <message>
        <source>Gradients go to RAM part by part and are used there meanwhile.</source>
        <translation>Gradienten gehen Teil für Teil in den RAM und werden dort währenddessen verrechnet.</translation>
    </message>
    <message>
        <source>Gradients are used at once, so that there are never all of them.</source>
        <translation>Gradienten werden sofort verrechnet, so dass nie alle zugleich da sind.</translation>
    </message>
    <message>
        <source>Gradients rest until the end of a step, {gradientBytes}: the limit of a step needs all of them.</source>
        <translation>Gradienten ruhen bis zum Ende eines Schritts, {gradientBytes}: Die Grenze eines Schritts braucht sie alle.</translation>
    </message>
    <message>
        <source>Gradients rest until the end of a step, {gradientBytes}: they are summed up over several batches.</source>
        <translation>Gradienten ruhen bis zum Ende eines Schritts, {gradientBytes}: Sie werden über mehrere Batches summiert.</translation>
    </message>
    <message>
        <source>Gradients rest until the end of a step, {gradientBytes}: fp16 needs all of them for a check.</source>
        <translation>Gradienten ruhen bis zum Ende eines Schritts, {gradientBytes}: Bei fp16 werden sie vorher alle geprüft.</translation>
    </message>
    <message>
        <source>Gradients rest on the disk until the end of a step, {gradientBytes}: memory has no room for them.</source>
        <translation>Gradienten ruhen bis zum Ende eines Schritts auf dem Datenträger, {gradientBytes}: Im Speicher ist kein Platz für sie.</translation>
    </message>
    <message>
        <source>Of {blocks} parts, {wholeBlocks} keep everything for the way back, {productBlocks} keep what is costly, and {recomputedBlocks} are computed twice. Nothing that fits is faster.</source>
        <translation>Von {blocks} Teilen behalten {wholeBlocks} alles für den Rückweg, {productBlocks} das Aufwendige, und {recomputedBlocks} werden zweimal berechnet. Nichts, was passt, ist schneller.</translation>
    </message>
    <message>
        <source>A step takes {stepSeconds}, as measured in the first ones.</source>
        <translation>Ein Schritt dauert {stepSeconds}, gemessen in den ersten.</translation>
    </message>
    <message>
        <source>A step takes roughly {stepSeconds}. The first ones will be measured.</source>
        <translation>Ein Schritt dauert ungefähr {stepSeconds}. Die ersten werden gemessen.</translation>
    </message>
    <message>
        <source>{heldBytes} lie on the disk; each step writes {stepBytes}.</source>
        <translation>{heldBytes} liegen auf dem Datenträger; jeder Schritt schreibt {stepBytes}.</translation>
    </message>
    <message>
        <source>{heldBytes} lie on the disk; each step writes {stepBytes}. A day of training uses {lifePercent} of the life of a typical 1 TB drive, which lasts {lifeDays} such days.</source>
        <translation>{heldBytes} liegen auf dem Datenträger; jeder Schritt schreibt {stepBytes}. Ein Tag Training verbraucht {lifePercent} von der Lebensdauer eines üblichen Datenträgers mit 1 TB, der {lifeDays} solche Tage hält.</translation>
    </message>
    <message>
        <source>Before it learns, photos and captions take up to {preparationBytes} for a while.</source>
        <translation>Bevor es lernt, brauchen Fotos und Beschriftungen eine Weile bis zu {preparationBytes}.</translation>
    </message>
    <message>
        <source>Planned again: the first steps were measured.</source>
        <translation>Neu geplant: Die ersten Schritte wurden gemessen.</translation>
    </message>
    <message>
        <source>Planned again: steps take longer or shorter than expected.</source>
        <translation>Neu geplant: Schritte dauern länger oder kürzer als erwartet.</translation>
    </message>
    <message>
        <source>Planned again: less memory is free than before.</source>
        <translation>Neu geplant: Es ist weniger Speicher frei als zuvor.</translation>
    </message>
    <message>
        <source>Planned again: more memory is free than before.</source>
        <translation>Neu geplant: Es ist mehr Speicher frei als zuvor.</translation>
    </message>
    <message>
        <source>Planned again: memory ran out in step {step}.</source>
        <translation>Neu geplant: In Schritt {step} reichte der Speicher nicht.</translation>
    </message>
    <message>
        <source>All {blocks} parts keep everything for the way back: nothing is faster.</source>
        <translation>Alle {blocks} Teile behalten alles für den Rückweg: Schneller geht es nicht.</translation>
    </message>
    <message>
        <source>What parts do not read soon waits in RAM: {valueBytes} there and back in each step.</source>
        <translation>Was Teile nicht bald lesen, wartet im RAM: {valueBytes} hin und zurück in jedem Schritt.</translation>
    </message>
    <message>
        <source>Planned for the memory that is free as the training begins.</source>
        <translation>Geplant für den Speicher, der zu Beginn des Trainings frei ist.</translation>
    </message>
    <message>
        <source>It may use {ramBytes} of RAM.</source>
        <translation>Es darf {ramBytes} RAM nutzen.</translation>
    </message>
    <message>
        <source>It may use {deviceBytes} of graphics memory and {ramBytes} of RAM.</source>
        <translation>Es darf {deviceBytes} Grafikspeicher und {ramBytes} RAM nutzen.</translation>
    </message>
    <message>
        <source>{parameterBytes} of the model stay in memory, as much as fits. The rest waits in RAM and is fetched in parts, {streamedThroughBytes} at a time.</source>
        <translation>{parameterBytes} des Modells bleiben im Speicher, so viel hineinpasst. Der Rest wartet im RAM und wird in Teilen geholt, je {streamedThroughBytes}.</translation>
    </message>
    <message>
        <source>{parameterBytes} of the model stay in memory, as much as fits. The rest waits on the disk and is fetched in parts, {streamedThroughBytes} at a time.</source>
        <translation>{parameterBytes} des Modells bleiben im Speicher, so viel hineinpasst. Der Rest wartet auf dem Datenträger und wird in Teilen geholt, je {streamedThroughBytes}.</translation>
    </message>
    <message>
        <source>What the optimizer remembers takes {stateBytes}, {ramStateBytes} of it in RAM.</source>
        <translation>Was sich der Optimierer merkt, braucht {stateBytes}, davon {ramStateBytes} im RAM.</translation>
    </message>
    <message>
        <source>Planned again: less RAM is free than before.</source>
        <translation>Neu geplant: Es ist weniger RAM frei als zuvor.</translation>
    </message>
    <message>
        <source>While it learns, photos and captions are prepared beside it, which takes up to {preparationBytes}.</source>
        <translation>Während des Lernens werden nebenher Fotos und Beschriftungen vorbereitet, was bis zu {preparationBytes} braucht.</translation>
    </message>
    <message>
        <source>Each of {processes} processes keeps {parameterBytes} of the model&apos;s {allBytes}. It borrows the rest of a part, up to {blockBytes}, while it computes with it.</source>
        <translation>Jeder der {processes} Prozesse behält {parameterBytes} von {allBytes} des Modells. Den Rest eines Teils, bis zu {blockBytes}, leiht er sich, während er damit rechnet.</translation>
    </message>
    <message>
        <source>Each of {processes} processes keeps {ramBytes} of the model&apos;s {allBytes} in RAM. For its turn a part is put together from all of them, {parameterBytes} at a time.</source>
        <translation>Jeder der {processes} Prozesse behält {ramBytes} von {allBytes} des Modells im RAM. Ein Teil wird von allen zusammengesetzt, wenn er an der Reihe ist, {parameterBytes} auf einmal.</translation>
    </message>
    <message>
        <source>The model waits in RAM</source>
        <translation>Das Modell wartet im RAM</translation>
    </message>
    <message>
        <source>The model waits on the disk</source>
        <translation>Das Modell wartet auf dem Datenträger</translation>
    </message>
    <message>
        <source>A part of the model waits in RAM</source>
        <translation>Ein Teil des Modells wartet im RAM</translation>
    </message>
    <message>
        <source>A part of the model waits on the disk</source>
        <translation>Ein Teil des Modells wartet auf dem Datenträger</translation>
    </message>
    <message>
        <source>{stateBytes} that the optimizer remembers lie in RAM</source>
        <translation>{stateBytes}, die sich der Optimierer merkt, liegen im RAM</translation>
    </message>
    <message>
        <source>{ramStateBytes} that the optimizer remembers lie in RAM</source>
        <translation>{ramStateBytes}, die sich der Optimierer merkt, liegen im RAM</translation>
    </message>
    <message>
        <source>{stateBytes} that the optimizer remembers lie on the disk</source>
        <translation>{stateBytes}, die sich der Optimierer merkt, liegen auf dem Datenträger</translation>
    </message>
    <message>
        <source>{recomputedBlocks} of {blocks} parts are computed twice</source>
        <translation>{recomputedBlocks} von {blocks} Teilen werden zweimal berechnet</translation>
    </message>
    <message>
        <source>{valueBytes} go to RAM and back in each step</source>
        <translation>{valueBytes} gehen in jedem Schritt in den RAM und zurück</translation>
    </message>
    <message>
        <source>Each of {processes} processes keeps {diskBytes} of the model&apos;s {allBytes} on the disk. For its turn a part is put together from all of them, {parameterBytes} at a time.</source>
        <translation>Jeder der {processes} Prozesse behält {diskBytes} von {allBytes} des Modells auf dem Datenträger. Ein Teil wird von allen zusammengesetzt, wenn er an der Reihe ist, {parameterBytes} auf einmal.</translation>
    </message>
    <message>
        <source>Gradients rest until the end of a step, {gradientBytes}: the limit of a step needs all of them. For that a step writes and reads {movedBytes}.</source>
        <translation>Gradienten ruhen bis zum Ende eines Schritts, {gradientBytes}: Die Grenze eines Schritts braucht sie alle. Dafür schreibt und liest ein Schritt {movedBytes}.</translation>
    </message>
    <message>
        <source>Gradients rest until the end of a step, {gradientBytes}: they are summed up over several batches. For that a step writes and reads {movedBytes}.</source>
        <translation>Gradienten ruhen bis zum Ende eines Schritts, {gradientBytes}: Sie werden über mehrere Batches summiert. Dafür schreibt und liest ein Schritt {movedBytes}.</translation>
    </message>
    <message>
        <source>Gradients rest until the end of a step, {gradientBytes}: fp16 needs all of them for a check. For that a step writes and reads {movedBytes}.</source>
        <translation>Gradienten ruhen bis zum Ende eines Schritts, {gradientBytes}: Bei fp16 werden sie vorher alle geprüft. Dafür schreibt und liest ein Schritt {movedBytes}.</translation>
    </message>
    <message>
        <source>Gradients rest until the end of a step, {gradientBytes}, {diskBytes} of them on the disk: memory has no room for them. For that a step writes and reads {movedBytes}.</source>
        <translation>Gradienten ruhen bis zum Ende eines Schritts, {gradientBytes}, davon {diskBytes} auf dem Datenträger: Im Speicher ist kein Platz für sie. Dafür schreibt und liest ein Schritt {movedBytes}.</translation>
    </message>
    <message>
        <source>{heldBytes} lie on the disk; each step reads {stepReadBytes} and writes {stepBytes}.</source>
        <translation>{heldBytes} liegen auf dem Datenträger; jeder Schritt liest {stepReadBytes} und schreibt {stepBytes}.</translation>
    </message>
    <message>
        <source>{heldBytes} lie on the disk; each step reads {stepReadBytes} and writes {stepBytes}. A day of training uses {lifePercent} of the life of a typical 1 TB drive, which lasts {lifeDays} such days.</source>
        <translation>{heldBytes} liegen auf dem Datenträger; jeder Schritt liest {stepReadBytes} und schreibt {stepBytes}. Ein Tag Training verbraucht {lifePercent} von der Lebensdauer eines üblichen Datenträgers mit 1 TB, der {lifeDays} solche Tage hält.</translation>
    </message>
    <message>
        <source>Of {blocks} parts, {productBlocks} keep what is costly for the way back, and {recomputedBlocks} are computed twice: the model is not there in between.</source>
        <translation>Von {blocks} Teilen behalten {productBlocks} für den Rückweg, was teuer ist, und {recomputedBlocks} werden zweimal berechnet: Das Modell ist dazwischen nicht da.</translation>
    </message>
    <message>
        <source>For each of {processes} processes {heldBytes} lie on the disk; each step reads {stepReadBytes} and writes {stepBytes}.</source>
        <translation>Für jeden von {processes} Prozessen liegen {heldBytes} auf dem Datenträger; jeder Schritt liest {stepReadBytes} und schreibt {stepBytes}.</translation>
    </message>
    <message>
        <source>For each of {processes} processes {heldBytes} lie on the disk; each step reads {stepReadBytes} and writes {stepBytes}. A day of training uses {lifePercent} of the life of a typical 1 TB drive, and {processes} times as much where they share it.</source>
        <translation>Für jeden von {processes} Prozessen liegen {heldBytes} auf dem Datenträger; jeder Schritt liest {stepReadBytes} und schreibt {stepBytes}. Ein Tag Training verbraucht {lifePercent} von der Lebensdauer eines üblichen Datenträgers mit 1 TB, und {processes}-mal so viel, wo sie ihn sich teilen.</translation>
    </message>
    <message>
        <source>Each process sends the others {sentBytes} in a step, and waits {waitedSeconds} for what they send.</source>
        <translation>Jeder Prozess schickt den anderen {sentBytes} je Schritt und wartet {waitedSeconds} auf das, was sie schicken.</translation>
    </message>
    <message>
        <source>ZeRO {zero}: {deviceBytes} for each process, roughly {stepSeconds} a step; each sends {sentBytes}.</source>
        <translation>ZeRO {zero}: {deviceBytes} für jeden Prozess, etwa {stepSeconds} je Schritt; jeder schickt {sentBytes}.</translation>
    </message>
    <message>
        <source>ZeRO {zero} does not go with this memory or these settings.</source>
        <translation>ZeRO {zero} geht mit diesem Speicher oder diesen Einstellungen nicht.</translation>
    </message>
    <message>
        <source>Proposed: ZeRO {zero}, with roughly {stepSeconds} a step.</source>
        <translation>Vorschlag: ZeRO {zero}, mit etwa {stepSeconds} je Schritt.</translation>
    </message>
    <message>
        <source>{processes} processes train together; the sizes named here are those of one.</source>
        <translation>{processes} Prozesse trainieren zusammen; die Größen hier sind die eines von ihnen.</translation>
    </message>
    <message>
        <source>Each step fetches {fetchedBytes} of the model and of what the optimizer remembers, and brings {returnedBytes} back.</source>
        <translation>Jeder Schritt holt {fetchedBytes} des Modells und dessen, was sich der Optimierer merkt, und bringt {returnedBytes} zurück.</translation>
    </message>
    <message>
        <source>The model was made for larger pictures. After learning such small ones it draws worse: take a larger picture size.</source>
        <translation>Das Modell ist für größere Bilder gemacht. Lernt es so kleine, zeichnet es danach schlechter: Nimm eine größere Bildgröße.</translation>
    </message>
    <message>
        <source>The weights beside the add-on are kept in 8 bits: {weightBytes} instead of {wholeWeightBytes}. Each is made whole while it is computed with.</source>
        <translation>Die Gewichte neben dem Zusatz werden in 8 Bit gehalten: {weightBytes} statt {wholeWeightBytes}. Ganz ist jedes nur, solange mit ihm gerechnet wird.</translation>
    </message>
    <message>
        <source>Proposed: keep the weights beside the add-on in 8 bits, under Expert settings. They take {weightBytes} instead of {wholeWeightBytes}, and results differ a little.</source>
        <translation>Vorschlag: die Gewichte neben dem Zusatz in 8 Bit halten, unter „Experteneinstellungen“. Sie brauchen {weightBytes} statt {wholeWeightBytes}, und die Ergebnisse weichen etwas ab.</translation>
    </message>
    <message>
        <source>Up to {previewBytes} are in use while a preview is made.</source>
        <translation>Während eine Vorschau entsteht, sind bis zu {previewBytes} in Gebrauch.</translation>
    </message>
    <message>
        <source>There is not enough memory to unpack previews as a whole: it is done in overlapping parts.</source>
        <translation>Der Speicher reicht nicht, um Vorschauen als Ganzes zu entpacken: Es geschieht in Teilen, die sich überlappen.</translation>
    </message>
    <message>
        <source>There is not enough memory for previews: they will probably not be made. The training goes on without them.</source>
        <translation>Der Speicher reicht nicht für Vorschauen: Sie werden wahrscheinlich nicht gemacht. Das Training geht ohne sie weiter.</translation>
    </message>
    <message>
        <source>Photos and captions lie in RAM while it learns, as the model takes them in: up to {heldBytes}.</source>
        <translation>Fotos und Beschriftungen liegen während des Lernens so im RAM, wie das Modell sie aufnimmt: bis zu {heldBytes}.</translation>
    </message>
    <message>
        <source>There is no memory to prepare photos and captions while it learns: all are prepared first.</source>
        <translation>Um Fotos und Beschriftungen während des Lernens vorzubereiten, reicht der Speicher nicht: Alle werden vorher vorbereitet.</translation>
    </message>
    <message>
        <source>There is too little RAM for all photos and captions as the model takes them in: {heldBytes} of {allBytes} lie there while it learns, the rest is read again each time. The result stays the same.</source>
        <translation>Der RAM reicht nicht für alle Fotos und Beschriftungen in der Form, in der das Modell sie aufnimmt: {heldBytes} von {allBytes} liegen dort, während es lernt, der Rest wird jedes Mal neu gelesen. Das Ergebnis bleibt gleich.</translation>
    </message>
    <message>
        <source>Planned for its turn: {heldBytes} of RAM that are in use for trainings or pictures now are free by then.</source>
        <translation>Für den Zeitpunkt geplant, zu dem es an der Reihe ist: {heldBytes} RAM, die Trainings oder Bilder jetzt belegen, sind dann frei.</translation>
    </message>
    <message>
        <source>Placed automatically, a step would take roughly {stepSeconds}, with {deviceBytes} in the memory where it computes.</source>
        <translation>Automatisch verteilt würde ein Schritt ungefähr {stepSeconds} dauern, mit {deviceBytes} im Speicher, in dem gerechnet wird.</translation>
    </message>
</context>
<context>
    <name>homebooth::app::PreviewModel</name>
    <message>
        <source>step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>step %1, picture %2</source>
        <translation>Schritt %1, Bild %2</translation>
    </message>
</context>
<context>
    <name>homebooth::app::ProgressMessage</name>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
</context>
<context>
    <name>homebooth::app::PromptCard</name>
    <message>
        <source>Prompts</source>
        <translation>Prompts</translation>
    </message>
    <message>
        <source>Word lists</source>
        <translation>Wortlisten</translation>
    </message>
</context>
<context>
    <name>homebooth::app::PromptModel</name>
    <message>
        <source>Leave out: %1</source>
        <translation>Weglassen: %1</translation>
    </message>
    <message>
        <source>Favourite: %1</source>
        <translation>Favorit: %1</translation>
    </message>
</context>
<context>
    <name>homebooth::app::PromptPanel</name>
    <message>
        <source>delete prompt</source>
        <translation>Prompt löschen</translation>
    </message>
    <message>
        <source>Prompts</source>
        <translation>Prompts</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Search prompts</source>
        <translation>Prompts suchen</translation>
    </message>
    <message>
        <source>Favourite</source>
        <translation>Favorit</translation>
    </message>
    <message>
        <source>Delete the prompt</source>
        <translation>Prompt löschen</translation>
    </message>
    <message>
        <source>Favourites</source>
        <translation>Favoriten</translation>
    </message>
    <message>
        <source>Keep this prompt</source>
        <translation>Diesen Prompt merken</translation>
    </message>
    <message>
        <source>Puts what stands in the form among the favourites, also before it was used.</source>
        <translation>Nimmt, was im Formular steht, unter die Favoriten auf, auch bevor es benutzt wurde.</translation>
    </message>
    <message>
        <source>keep a prompt</source>
        <translation>Prompt merken</translation>
    </message>
    <message>
        <source>no favourite prompt</source>
        <translation>Prompt nicht mehr merken</translation>
    </message>
    <message>
        <source>favourite prompt</source>
        <translation>Prompt als Favorit merken</translation>
    </message>
    <message>
        <source>The prompt was deleted.</source>
        <translation>Der Prompt wurde gelöscht.</translation>
    </message>
    <message>
        <source>Prompts that were used or kept stand here.</source>
        <translation>Hier stehen Prompts, die benutzt oder gemerkt wurden.</translation>
    </message>
    <message>
        <source>Nothing matches.</source>
        <translation>Keine Treffer.</translation>
    </message>
    <message>
        <source>{subject} stands for your subject, {animal} for a line of the word list &quot;animal&quot;; of {red|blue} one is taken. The seed decides which. \{ and \} are braces.</source>
        <translation>{subject} steht für dein Motiv, {animal} für eine Zeile der Wortliste „animal“; von {red|blue} wird eines genommen. Der Seed entscheidet, welches. \{ und \} ergeben geschweifte Klammern.</translation>
    </message>
    <message>
        <source>Forget all prompts...</source>
        <translation>Alle Prompts vergessen ...</translation>
    </message>
    <message>
        <source>Forget...</source>
        <translation>Vergessen ...</translation>
    </message>
    <message>
        <source>Deletes the prompt for good, from the library&apos;s backups, too.</source>
        <translation>Löscht den Prompt endgültig, auch aus den Sicherungen der Bibliothek.</translation>
    </message>
    <message>
        <source>&lt;b&gt;Forget all prompts?&lt;/b&gt; The favourites go, too.</source>
        <translation>&lt;b&gt;Alle Prompts vergessen?&lt;/b&gt; Auch die Favoriten gehen.</translation>
    </message>
    <message>
        <source>&lt;b&gt;Forget this prompt?&lt;/b&gt;</source>
        <translation>&lt;b&gt;Diesen Prompt vergessen?&lt;/b&gt;</translation>
    </message>
    <message>
        <source>This cannot be undone. The library&apos;s backups are rewritten without it, also what they say of pictures that are gone. Pictures that are there, also in the trash, and trainings keep their prompts in their files, and so does what other programs have copied. What stands in the form stays.</source>
        <translation>Das lässt sich nicht rückgängig machen. Die Sicherungen der Bibliothek werden ohne ihn neu geschrieben, auch was sie von gelöschten Bildern sagen. Vorhandene Bilder, auch im Papierkorb, und Trainings behalten ihre Prompts in ihren Dateien, ebenso was andere Programme kopiert haben. Was im Formular steht, bleibt.</translation>
    </message>
    <message>
        <source>Forget prompts</source>
        <translation>Prompts vergessen</translation>
    </message>
    <message>
        <source>Forget</source>
        <translation>Vergessen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>All prompts are forgotten.</source>
        <translation>Alle Prompts sind vergessen.</translation>
    </message>
    <message>
        <source>The prompt is forgotten.</source>
        <translation>Der Prompt ist vergessen.</translation>
    </message>
    <message>
        <source>Not everything could be forgotten.</source>
        <translation>Nicht alles ließ sich vergessen.</translation>
    </message>
    <message>
        <source>&lt;b&gt;It is forgotten, but not in these older files of the library.&lt;/b&gt; Delete them yourself if you need them no more:</source>
        <translation>&lt;b&gt;Vergessen, aber nicht in diesen älteren Dateien der Bibliothek.&lt;/b&gt; Lösche sie selbst, wenn du sie nicht mehr brauchst:</translation>
    </message>
</context>
<context>
    <name>homebooth::app::QueueModel</name>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>Train %1</source>
        <translation>%1 trainieren</translation>
    </message>
    <message numerus="yes">
        <source>Make %n picture(s)</source>
        <translation>
            <numerusform>%n Bild machen</numerusform>
            <numerusform>%n Bilder machen</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 steps</source>
        <translation>%1 Schritte</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>wartet</translation>
    </message>
    <message>
        <source>done</source>
        <translation>fertig</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>angehalten</translation>
    </message>
    <message>
        <source>needs you</source>
        <translation>braucht dich</translation>
    </message>
    <message>
        <source>not finished</source>
        <translation>nicht fertig</translation>
    </message>
    <message>
        <source>%1 of %2 steps</source>
        <translation>%1 von %2 Schritten</translation>
    </message>
    <message>
        <source>waits for the training</source>
        <translation>wartet auf das Training</translation>
    </message>
    <message>
        <source>not begun</source>
        <translation>nicht begonnen</translation>
    </message>
    <message>
        <source>%1 processes</source>
        <translation>%1 Prozesse</translation>
    </message>
    <message>
        <source>waits for %1</source>
        <comment>%1 is such as GPU 0 and 1</comment>
        <translation>wartet auf %1</translation>
    </message>
    <message>
        <source>needs %1 more</source>
        <translation>braucht noch %1</translation>
    </message>
    <message>
        <source>waits for room</source>
        <translation>wartet auf Platz</translation>
    </message>
    <message>
        <source>about %1</source>
        <translation>etwa %1</translation>
    </message>
    <message>
        <source>waits for room, will use less memory</source>
        <translation>wartet auf Platz, wird weniger Speicher nehmen</translation>
    </message>
    <message>
        <source>change the order of the queue</source>
        <translation>Reihenfolge der Warteschlange ändern</translation>
    </message>
    <message>
        <source>folder gone</source>
        <translation>Ordner weg</translation>
    </message>
    <message>
        <source>goes on with the queue</source>
        <translation>geht mit der Warteschlange weiter</translation>
    </message>
    <message>
        <source>when its turn came there was no training in %1. Put it back there, or press Open and find its folder: then it waits again</source>
        <translation>als es an der Reihe war, lag in %1 kein Training. Lege es dorthin zurück oder drücke „Öffnen“ und finde seinen Ordner: Dann wartet es wieder</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>Jetzt</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>Wartend</translation>
    </message>
    <message>
        <source>Ended</source>
        <translation>Beendet</translation>
    </message>
</context>
<context>
    <name>homebooth::app::QueuePage</name>
    <message>
        <source>Queue</source>
        <translation>Warteschlange</translation>
    </message>
    <message>
        <source>Pause after this one</source>
        <translation>Danach pausieren</translation>
    </message>
    <message>
        <source>Nothing waits. Jobs started while one runs line up here.</source>
        <translation>Nichts wartet. Aufträge, die während eines anderen beginnen, reihen sich hier ein.</translation>
    </message>
    <message>
        <source>Jobs</source>
        <translation>Aufträge</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Earlier</source>
        <translation>Früher</translation>
    </message>
    <message>
        <source>Later</source>
        <translation>Später</translation>
    </message>
    <message>
        <source>Take out</source>
        <translation>Herausnehmen</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>Weitermachen</translation>
    </message>
    <message>
        <source>What works is finished; nothing new begins.</source>
        <translation>Was läuft, wird fertig; Neues beginnt nicht.</translation>
    </message>
    <message>
        <source>Paused: nothing begins.</source>
        <translation>Pausiert: Nichts beginnt.</translation>
    </message>
    <message>
        <source>Queue again</source>
        <translation>Wieder einreihen</translation>
    </message>
    <message>
        <source>It goes on after its last saved moment when it is its turn.</source>
        <translation>Geht nach dem letzten gesicherten Moment weiter, wenn es an der Reihe ist.</translation>
    </message>
    <message>
        <source>Start the queue</source>
        <translation>Warteschlange starten</translation>
    </message>
    <message>
        <source>Nothing works: the queue waits to be started.</source>
        <translation>Nichts läuft: Die Warteschlange wartet auf ihren Start.</translation>
    </message>
    <message>
        <source>Delete a training</source>
        <translation>Training löschen</translation>
    </message>
    <message>
        <source>Move to the trash</source>
        <translation>In den Papierkorb</translation>
    </message>
    <message>
        <source>It takes %1, which are free once the trash is emptied.</source>
        <translation>Es belegt %1; sie sind frei, sobald der Papierkorb geleert ist.</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Delete...</source>
        <translation>Löschen ...</translation>
    </message>
    <message>
        <source>Pause after these</source>
        <translation>Danach pausieren</translation>
    </message>
    <message>
        <source>Fit it</source>
        <translation>Passend machen</translation>
    </message>
    <message>
        <source>Plans it with a fifth less memory: slower, with the same result.</source>
        <translation>Plant es mit einem Fünftel weniger Speicher: langsamer, mit demselben Ergebnis.</translation>
    </message>
    <message>
        <source>take pictures out of the queue</source>
        <translation>Bilder aus der Warteschlange nehmen</translation>
    </message>
    <message>
        <source>The pictures are out of the queue.</source>
        <translation>Die Bilder sind nicht mehr in der Warteschlange.</translation>
    </message>
    <message>
        <source>take a training out of the queue</source>
        <translation>Training aus der Warteschlange nehmen</translation>
    </message>
    <message>
        <source>The training is out of the queue.</source>
        <translation>Das Training ist nicht mehr in der Warteschlange.</translation>
    </message>
    <message>
        <source>Delete trainings</source>
        <translation>Trainings löschen</translation>
    </message>
    <message>
        <source>They take %1, which are free once the trash is emptied.</source>
        <translation>Sie belegen %1; sie sind frei, sobald der Papierkorb geleert ist.</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Search jobs</source>
        <translation>Aufträge suchen</translation>
    </message>
    <message>
        <source>Nothing matches.</source>
        <translation>Keine Treffer.</translation>
    </message>
    <message>
        <source>Pictures are paused.</source>
        <translation>Bilder sind pausiert.</translation>
    </message>
    <message>
        <source>Trainings are paused.</source>
        <translation>Trainings sind pausiert.</translation>
    </message>
    <message>
        <source>Goes on after its last saved moment, now or when what works is done. Trainings that wait in the queue follow unless they are paused.</source>
        <translation>Geht nach dem letzten gesicherten Moment weiter, jetzt oder wenn fertig ist, was gerade läuft. Trainings, die in der Warteschlange warten, folgen, wenn sie nicht pausiert sind.</translation>
    </message>
    <message numerus="yes">
        <source>%n other chosen job(s) stay: what works or waits is not deleted.</source>
        <translation>
            <numerusform>%n anderer gewählter Auftrag bleibt: Was arbeitet oder wartet, wird nicht gelöscht.</numerusform>
            <numerusform>%n andere gewählte Aufträge bleiben: Was arbeitet oder wartet, wird nicht gelöscht.</numerusform>
        </translation>
    </message>
    <message>
        <source>Forget</source>
        <translation>Vergessen</translation>
    </message>
    <message numerus="yes">
        <source>take %n job(s) out of the queue</source>
        <translation>
            <numerusform>%n Auftrag aus der Warteschlange nehmen</numerusform>
            <numerusform>%n Aufträge aus der Warteschlange nehmen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n job(s) are out of the queue.</source>
        <translation>
            <numerusform>%n Auftrag ist aus der Warteschlange.</numerusform>
            <numerusform>%n Aufträge sind aus der Warteschlange.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>homebooth::app::RankLine</name>
    <message>
        <source>%1 processes: %2 to %3 each.</source>
        <translation>%1 Prozesse: je %2 bis %3.</translation>
    </message>
    <message>
        <source>Process %1: %2</source>
        <translation>Prozess %1: %2</translation>
    </message>
    <message>
        <source>Process %1 takes the most.</source>
        <translation>Prozess %1 braucht am meisten.</translation>
    </message>
    <message>
        <source>The chart shows process 1.</source>
        <translation>Das Diagramm zeigt Prozess 1.</translation>
    </message>
</context>
<context>
    <name>homebooth::app::ResultModel</name>
    <message>
        <source>waiting</source>
        <translation>wartet</translation>
    </message>
    <message>
        <source>step %1 of %2</source>
        <translation>Schritt %1 von %2</translation>
    </message>
    <message>
        <source>seed %1</source>
        <translation>Seed %1</translation>
    </message>
    <message>
        <source>Picture, seed %1</source>
        <translation>Bild, Seed %1</translation>
    </message>
    <message>
        <source>Picture, %1</source>
        <translation>Bild, %1</translation>
    </message>
    <message>
        <source>Favourite: picture, seed %1</source>
        <translation>Favorit: Bild, Seed %1</translation>
    </message>
</context>
<context>
    <name>homebooth::app::RoomMessage</name>
    <message>
        <source>%1 are needed.</source>
        <translation>%1 werden gebraucht.</translation>
    </message>
    <message>
        <source>%1 are needed, %2 are free.</source>
        <translation>%1 werden gebraucht, %2 sind frei.</translation>
    </message>
    <message>
        <source>The disk of &quot;%1&quot; is full.</source>
        <translation>Der Datenträger von „%1“ ist voll.</translation>
    </message>
    <message>
        <source>Nothing more can be written into &quot;%1&quot;.</source>
        <translation>In „%1“ kann nichts mehr geschrieben werden.</translation>
    </message>
    <message>
        <source>Another folder, on a disk with room</source>
        <translation>Ein anderer Ordner, auf einem Datenträger mit Platz</translation>
    </message>
    <message>
        <source>Other folder</source>
        <translation>Anderer Ordner</translation>
    </message>
    <message>
        <source>%1 are free.</source>
        <translation>%1 sind frei.</translation>
    </message>
</context>
<context>
    <name>homebooth::app::RunCards</name>
    <message>
        <source>GPU %1</source>
        <translation>GPU %1</translation>
    </message>
    <message>
        <source>GPU %1 and %2</source>
        <comment>GPU 0, 1 and 2</comment>
        <translation>GPU %1 und %2</translation>
    </message>
</context>
<context>
    <name>homebooth::app::RunCentre</name>
    <message>
        <source>%1 could not be moved into the trash.</source>
        <translation>%1 ließ sich nicht in den Papierkorb legen.</translation>
    </message>
    <message>
        <source>The queue could not be changed.</source>
        <translation>Die Warteschlange konnte nicht geändert werden.</translation>
    </message>
    <message>
        <source>Not all trainings could be found.</source>
        <translation>Nicht alle Trainings wurden gefunden.</translation>
    </message>
    <message>
        <source>The training could not be prepared. Nothing was started.</source>
        <translation>Das Training konnte nicht vorbereitet werden. Nichts wurde gestartet.</translation>
    </message>
    <message>
        <source>The training&apos;s settings could not be changed.</source>
        <translation>Die Einstellungen des Trainings konnten nicht geändert werden.</translation>
    </message>
    <message>
        <source>This is not the folder of this training.</source>
        <translation>Das ist nicht der Ordner dieses Trainings.</translation>
    </message>
    <message>
        <source>%1 could not be taken out of the trash: look there for its folder.</source>
        <translation>%1 konnte nicht aus dem Papierkorb geholt werden: Sieh dort nach dem Ordner.</translation>
    </message>
    <message>
        <source>This training is being moved into the trash.</source>
        <translation>Dieses Training wird gerade in den Papierkorb verschoben.</translation>
    </message>
    <message>
        <source>The training could not be brought into the other folder.</source>
        <translation>Das Training konnte nicht in den anderen Ordner gebracht werden.</translation>
    </message>
    <message>
        <source>Still at work: %1. Stop it first.</source>
        <translation>Läuft noch: %1. Halte es zuerst an.</translation>
    </message>
    <message>
        <source>%1 stays forgotten: in its folder&apos;s place there is a training again.</source>
        <translation>%1 bleibt vergessen: An der Stelle seines Ordners ist wieder ein Training.</translation>
    </message>
</context>
<context>
    <name>homebooth::app::RunEnd</name>
    <message>
        <source>The computer was switched off or restarted while it learned.</source>
        <translation>Der Computer wurde während des Lernens ausgeschaltet oder neu gestartet.</translation>
    </message>
    <message>
        <source>The engine ended without a word.</source>
        <translation>Die Engine endete ohne ein Wort.</translation>
    </message>
    <message>
        <source>Perhaps it was ended from outside, or the power failed.</source>
        <translation>Vielleicht wurde sie von außen beendet, oder der Strom fiel aus.</translation>
    </message>
    <message>
        <source>It was process %1 of %2 (rank %3); the others ended with it.</source>
        <translation>Es war Prozess %1 von %2 (Rang %3); die anderen endeten mit ihm.</translation>
    </message>
    <message>
        <source>Put it back, then resume.</source>
        <translation>Leg ihn zurück und setze dann fort.</translation>
    </message>
</context>
<context>
    <name>homebooth::app::RunLog</name>
    <message>
        <source>Loading</source>
        <translation>Lädt</translation>
    </message>
    <message>
        <source>Making example pictures</source>
        <translation>Macht Beispielbilder</translation>
    </message>
    <message>
        <source>Reading photos and captions</source>
        <translation>Liest Fotos und Beschriftungen</translation>
    </message>
    <message>
        <source>Learning</source>
        <translation>Lernt</translation>
    </message>
    <message>
        <source>Previewing</source>
        <translation>Vorschau</translation>
    </message>
    <message>
        <source>Saving</source>
        <translation>Sichert</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>Pausiert</translation>
    </message>
    <message>
        <source>Finished</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>Angehalten</translation>
    </message>
    <message>
        <source>Plan: %1</source>
        <translation>Plan: %1</translation>
    </message>
    <message>
        <source>Saved at step %1</source>
        <translation>Gesichert bei Schritt %1</translation>
    </message>
    <message>
        <source>Resumed after step %1</source>
        <translation>Fortgesetzt nach Schritt %1</translation>
    </message>
    <message>
        <source>Warning: %1</source>
        <translation>Warnung: %1</translation>
    </message>
    <message>
        <source>%1

The engine&apos;s own words:
%2</source>
        <translation>%1

Die Worte der Engine:
%2</translation>
    </message>
    <message>
        <source>Ended early (code %1)</source>
        <translation>Vorzeitig beendet (Code %1)</translation>
    </message>
    <message>
        <source>Waiting for room on the disk</source>
        <translation>Wartet auf Platz auf dem Datenträger</translation>
    </message>
    <message>
        <source>Waiting for the drive</source>
        <translation>Wartet auf den Datenträger</translation>
    </message>
    <message>
        <source>Waiting for another folder</source>
        <translation>Wartet auf einen anderen Ordner</translation>
    </message>
    <message>
        <source>Battery low, paused until it is at %1 %</source>
        <translation>Akku fast leer, pausiert bis %1 %</translation>
    </message>
    <message>
        <source>Waiting for its folder</source>
        <translation>Wartet auf seinen Ordner</translation>
    </message>
</context>
<context>
    <name>homebooth::app::RunSession</name>
    <message>
        <source> %1 of %2</source>
        <translation>: %1 von %2</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>Wartet</translation>
    </message>
    <message>
        <source>Starting</source>
        <translation>Beginnt</translation>
    </message>
    <message>
        <source>Making example pictures%1</source>
        <translation>Beispielbilder entstehen%1</translation>
    </message>
    <message>
        <source>Reading captions%1</source>
        <translation>Beschriftungen werden gelesen%1</translation>
    </message>
    <message>
        <source>Reading photos%1</source>
        <translation>Fotos werden gelesen%1</translation>
    </message>
    <message>
        <source>Learning</source>
        <translation>Lernt</translation>
    </message>
    <message>
        <source>Previewing</source>
        <translation>Vorschau</translation>
    </message>
    <message>
        <source>Saving</source>
        <translation>Sichert</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>Pausiert</translation>
    </message>
    <message>
        <source>Finished</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>Angehalten</translation>
    </message>
    <message>
        <source>Needs you</source>
        <translation>Braucht dich</translation>
    </message>
    <message>
        <source>Stopping</source>
        <translation>Wird angehalten</translation>
    </message>
    <message>
        <source>What the training reports cannot be read.</source>
        <translation>Was das Training meldet, lässt sich nicht lesen.</translation>
    </message>
    <message>
        <source>The training could not do this.</source>
        <translation>Das Training konnte das nicht tun.</translation>
    </message>
    <message>
        <source>Waiting for room on the disk</source>
        <translation>Wartet auf Platz auf dem Datenträger</translation>
    </message>
    <message>
        <source>Loading the model</source>
        <translation>Modell wird geladen</translation>
    </message>
    <message>
        <source>Waiting for the drive</source>
        <translation>Wartet auf den Datenträger</translation>
    </message>
    <message>
        <source>Waiting for another folder</source>
        <translation>Wartet auf einen anderen Ordner</translation>
    </message>
    <message>
        <source>Battery low, paused until it is at %1 %</source>
        <translation>Akku fast leer, pausiert bis %1 %</translation>
    </message>
    <message>
        <source>Pausing after this step</source>
        <translation>Pausiert nach diesem Schritt</translation>
    </message>
    <message>
        <source>Waiting for its folder</source>
        <translation>Wartet auf seinen Ordner</translation>
    </message>
    <message>
        <source>Reading its records</source>
        <translation>Liest die Aufzeichnungen</translation>
    </message>
    <message>
        <source>The moment could not be marked.</source>
        <translation>Der Moment konnte nicht markiert werden.</translation>
    </message>
</context>
<context>
    <name>homebooth::app::ScratchDialog</name>
    <message>
        <source>Train from scratch</source>
        <translation>Von Grund auf trainieren</translation>
    </message>
    <message>
        <source>The new model begins knowing nothing and learns from this dataset alone. That takes thousands of pictures and much time.</source>
        <translation>Das neue Modell weiß am Anfang nichts und lernt allein aus diesem Datensatz. Das braucht Tausende von Bildern und viel Zeit.</translation>
    </message>
    <message numerus="yes">
        <source>This dataset has %n picture(s): few. &quot;Train on this&quot;, which lets a model learn further, will give more.</source>
        <translation>
            <numerusform>Dieser Datensatz hat %n Bild: wenig. „Damit trainieren“, womit ein Modell weiterlernt, bringt mehr.</numerusform>
            <numerusform>Dieser Datensatz hat %n Bilder: wenige. „Damit trainieren“, womit ein Modell weiterlernt, bringt mehr.</numerusform>
        </translation>
    </message>
    <message>
        <source>As a model in a folder...</source>
        <translation>Wie ein Modell in einem Ordner ...</translation>
    </message>
    <message>
        <source>Built like</source>
        <translation>Gebaut wie</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Look at the plan</source>
        <translation>Zum Plan</translation>
    </message>
    <message>
        <source>A model&apos;s folder</source>
        <translation>Ordner eines Modells</translation>
    </message>
    <message>
        <source>No model is here yet.</source>
        <translation>Noch ist kein Modell da.</translation>
    </message>
    <message>
        <source>Looking at the model...</source>
        <translation>Das Modell wird angesehen ...</translation>
    </message>
    <message>
        <source>This model cannot be used.</source>
        <translation>Dieses Modell lässt sich nicht verwenden.</translation>
    </message>
    <message>
        <source>Makes pictures of %1 px.</source>
        <translation>Macht Bilder von %1 px.</translation>
    </message>
    <message>
        <source>What learns</source>
        <translation>Was lernt</translation>
    </message>
    <message>
        <source>Pictures model</source>
        <translation>Bildmodell</translation>
    </message>
    <message>
        <source>Autoencoder</source>
        <translation>Autoencoder</translation>
    </message>
    <message>
        <source>The architecture: how large the model is and which parts it has. Only that and, for a pictures model, its autoencoder are taken over, nothing of what the other model knows about words.</source>
        <translation>Die Architektur: wie groß das Modell ist und welche Teile es hat. Nur sie und, bei einem Bildmodell, der Autoencoder werden übernommen, nichts von dem, was das andere Modell über Wörter weiß.</translation>
    </message>
    <message>
        <source>VAE: learns to pack pictures and to unpack them again. The pictures model is trained on top of it afterwards.</source>
        <translation>VAE: lernt, Bilder zu verdichten und wieder zu entpacken. Das Bildmodell wird danach darauf trainiert.</translation>
    </message>
    <message>
        <source>UNet and text encoder: learn to make pictures from words, packed by an autoencoder that has learned already.</source>
        <translation>UNet und Textencoder: lernen, aus Wörtern Bilder zu machen, verdichtet von einem Autoencoder, der schon gelernt hat.</translation>
    </message>
    <message>
        <source>Its autoencoder has not learned yet: train that first.</source>
        <translation>Sein Autoencoder hat noch nichts gelernt: Trainiere zuerst diesen.</translation>
    </message>
</context>
<context>
    <name>homebooth::app::SettingClashes</name>
    <message>
        <source>The picture size at first is larger than the picture size, %1 px.</source>
        <translation>Die Bildgröße am Anfang ist größer als die Bildgröße, %1 px.</translation>
    </message>
    <message>
        <source>Begin with %1 px</source>
        <translation>Mit %1 px beginnen</translation>
    </message>
    <message>
        <source>The gentle start is longer than the training, %1 steps.</source>
        <translation>Der sanfte Beginn ist länger als das Training, %1 Schritte.</translation>
    </message>
    <message>
        <source>Start gently for %1 steps</source>
        <translation>%1 Schritte lang sanft beginnen</translation>
    </message>
    <message>
        <source>%1 px</source>
        <translation>%1 px</translation>
    </message>
    <message>
        <source>Use %1 px</source>
        <translation>%1 px nehmen</translation>
    </message>
    <message>
        <source>The picture size must be a multiple of %1 px for this model. Nearest: %2.</source>
        <translation>Die Bildgröße muss bei diesem Modell ein Vielfaches von %1 px sein. Am nächsten: %2.</translation>
    </message>
    <message>
        <source>The picture size at first must be a multiple of %1 px for this model. Nearest: %2.</source>
        <translation>Die Bildgröße am Anfang muss bei diesem Modell ein Vielfaches von %1 px sein. Am nächsten: %2.</translation>
    </message>
    <message>
        <source>%1 processes cannot share the pictures at a time, %2, equally.</source>
        <translation>%1 Prozesse können sich die Bilder auf einmal, %2, nicht gleichmäßig teilen.</translation>
    </message>
    <message>
        <source>Learn %1 pictures at a time</source>
        <translation>%1 Bilder auf einmal lernen</translation>
    </message>
    <message>
        <source>Processes cannot share what Adafactor remembers.</source>
        <translation>Was Adafactor sich merkt, können Prozesse nicht aufteilen.</translation>
    </message>
    <message>
        <source>Share nothing</source>
        <translation>Nichts aufteilen</translation>
    </message>
    <message>
        <source>%1 graphics cards cannot share the pictures at a time, %2, equally.</source>
        <translation>%1 Grafikkarten können sich die Bilder auf einmal, %2, nicht gleichmäßig teilen.</translation>
    </message>
    <message>
        <source>Processes cannot share an autoencoder as a whole.</source>
        <translation>Prozesse können sich einen Autoencoder nicht als Ganzes teilen.</translation>
    </message>
    <message>
        <source>Share all but the model</source>
        <translation>Alles außer dem Modell teilen</translation>
    </message>
    <message>
        <source>Predict velocity</source>
        <translation>Geschwindigkeit vorhersagen</translation>
    </message>
    <message>
        <source>Do not begin with noise alone</source>
        <translation>Nicht mit reinem Rauschen beginnen</translation>
    </message>
    <message>
        <source>Only a model that predicts velocity can begin with noise alone: where all is noise, telling the noise teaches nothing.</source>
        <translation>Nur ein Modell, das Geschwindigkeit vorhersagt, kann mit reinem Rauschen beginnen: Wo alles Rauschen ist, lehrt es nichts, das Rauschen zu erkennen.</translation>
    </message>
</context>
<context>
    <name>homebooth::app::Settings</name>
    <message>
        <source>Look</source>
        <translation>Aussehen</translation>
    </message>
    <message>
        <source>Colours</source>
        <translation>Farben</translation>
    </message>
    <message>
        <source>Light or dark, or what the desktop says.</source>
        <translation>Hell oder dunkel, oder wie die Arbeitsumgebung es will.</translation>
    </message>
    <message>
        <source>As the desktop</source>
        <translation>Wie die Arbeitsumgebung</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Hell</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Dunkel</translation>
    </message>
    <message>
        <source>Text size</source>
        <translation>Schriftgröße</translation>
    </message>
    <message>
        <source>Of all words in the window, beside the desktop&apos;s own size.</source>
        <translation>Aller Wörter im Fenster, zusätzlich zur Größe der Arbeitsumgebung.</translation>
    </message>
    <message>
        <source>Reduce motion</source>
        <translation>Weniger Bewegung</translation>
    </message>
    <message>
        <source>Nothing slides or fades.</source>
        <translation>Nichts gleitet oder blendet über.</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Sprache</translation>
    </message>
    <message>
        <source>Takes effect when Homebooth is started again.</source>
        <translation>Gilt nach dem nächsten Start von Homebooth.</translation>
    </message>
    <message>
        <source>As the system</source>
        <translation>Wie das System</translation>
    </message>
    <message>
        <source>Folders</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <source>Pictures and models</source>
        <translation>Bilder und Modelle</translation>
    </message>
    <message>
        <source>Runs and pictures go below this folder. What is there already stays where it is.</source>
        <translation>Trainings und Bilder kommen in diesen Ordner. Was schon da ist, bleibt, wo es ist.</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>Limit of graphics memory</source>
        <translation>Grenze des Grafikspeichers</translation>
    </message>
    <message>
        <source>Training takes no more than this. 0: all that is free.</source>
        <translation>Das Training nimmt nicht mehr als dies. 0: alles, was frei ist.</translation>
    </message>
    <message>
        <source>Limit of RAM</source>
        <translation>Grenze des RAM</translation>
    </message>
    <message>
        <source>Pictures</source>
        <translation>Bilder</translation>
    </message>
    <message>
        <source>Pictures at a time</source>
        <translation>Bilder auf einmal</translation>
    </message>
    <message>
        <source>How many pictures one click makes.</source>
        <translation>Wie viele Bilder ein Klick macht.</translation>
    </message>
    <message>
        <source>Show pictures as they form</source>
        <translation>Bilder beim Entstehen zeigen</translation>
    </message>
    <message>
        <source>Rough views between the steps; costs a little time.</source>
        <translation>Grobe Ansichten zwischen den Schritten; kostet etwas Zeit.</translation>
    </message>
    <message>
        <source>Notices</source>
        <translation>Hinweise</translation>
    </message>
    <message>
        <source>Tell me when a job has ended</source>
        <translation>Melden, wenn ein Auftrag zu Ende ist</translation>
    </message>
    <message>
        <source>A notification of the desktop.</source>
        <translation>Eine Benachrichtigung der Arbeitsumgebung.</translation>
    </message>
    <message>
        <source>Swap folder</source>
        <translation>Auslagerungsordner</translation>
    </message>
    <message>
        <source>On a fast disk. Only where memory is too small: parts of a training then wait there, which wears the disk; the plan says how much. Empty: never.</source>
        <translation>Auf einem schnellen Datenträger. Nur wo der Speicher nicht reicht: Teile eines Trainings warten dann dort, was den Datenträger abnutzt; der Plan sagt, wie sehr. Leer: nie.</translation>
    </message>
    <message>
        <source>Limit of swapping</source>
        <translation>Grenze des Auslagerns</translation>
    </message>
    <message>
        <source>No more than this lies in the swap folder. 0: what is needed.</source>
        <translation>Mehr als das liegt nicht im Auslagerungsordner. 0: was nötig ist.</translation>
    </message>
    <message>
        <source>Room for small pictures</source>
        <translation>Platz für kleine Bilder</translation>
    </message>
    <message>
        <source>They are kept so that pages show your pictures at once. Those that were not seen for longest go first.</source>
        <translation>Sie werden aufgehoben, damit die Seiten deine Bilder sofort zeigen. Was am längsten nicht zu sehen war, geht zuerst.</translation>
    </message>
    <message>
        <source>all that is free</source>
        <translation>alles Freie</translation>
    </message>
    <message>
        <source>what is needed</source>
        <translation>was nötig ist</translation>
    </message>
    <message>
        <source>Use the processor</source>
        <translation>Den Prozessor nehmen</translation>
    </message>
    <message>
        <source>Also where there is a graphics card, as when its driver is too old. Slower.</source>
        <translation>Auch wo eine Grafikkarte da ist, etwa wenn ihr Treiber zu alt ist. Langsamer.</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>Training</translation>
    </message>
    <message>
        <source>Saved moments kept</source>
        <translation>Gesicherte Momente</translation>
    </message>
    <message>
        <source>Training takes no more than this; making pictures keeps to it where it can. 0: all that is free.</source>
        <translation>Das Training nimmt nicht mehr als dies; auch Bilder halten sich daran, wo es geht. 0: alles, was frei ist.</translation>
    </message>
    <message>
        <source>Weights of large models</source>
        <translation>Gewichte großer Modelle</translation>
    </message>
    <message>
        <source>As they are</source>
        <translation>Wie sie sind</translation>
    </message>
    <message>
        <source>In 8 bits</source>
        <translation>In 8 Bit</translation>
    </message>
    <message>
        <source>In 8 bits, computed in 8 bits</source>
        <translation>In 8 Bit, gerechnet in 8 Bit</translation>
    </message>
    <message>
        <source>While pictures are made. In 8 bits they take half the memory, and pictures differ a little. Computed in 8 bits, too, pictures may come faster where no graphics card makes them.</source>
        <translation>Beim Erzeugen von Bildern. In 8 Bit brauchen sie halb so viel Speicher, und Bilder werden etwas anders. Wird auch in 8 Bit gerechnet, können Bilder schneller kommen, wo keine Grafikkarte sie macht.</translation>
    </message>
    <message>
        <source>The newest checkpoints of each training that begins. Each takes room on the disk, and can be chosen when the training has ended. Add-ons keep one for each preview: 64 at most, of large models 16.</source>
        <translation>Die neuesten Checkpoints jedes Trainings, das beginnt. Jeder braucht Platz auf dem Datenträger und ist nach dem Training wählbar. Zusätze behalten einen je Vorschau: höchstens 64, von großen Modellen 16.</translation>
    </message>
    <message>
        <source>High contrast</source>
        <translation>Hoher Kontrast</translation>
    </message>
    <message>
        <source>Black and white, with stronger lines. Also where the desktop asks for it.</source>
        <translation>Schwarz und Weiß, mit kräftigeren Linien. Auch wenn der Desktop es wünscht.</translation>
    </message>
</context>
<context>
    <name>homebooth::app::SettingsPage</name>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Search settings</source>
        <translation>Einstellungen suchen</translation>
    </message>
    <message>
        <source>Groups of settings</source>
        <translation>Gruppen von Einstellungen</translation>
    </message>
    <message>
        <source>Privacy</source>
        <translation>Privatsphäre</translation>
    </message>
    <message>
        <source>Homebooth sends nothing.</source>
        <translation>Homebooth sendet nichts.</translation>
    </message>
    <message>
        <source>Default</source>
        <translation>Vorgabe</translation>
    </message>
    <message>
        <source>Default of %1</source>
        <translation>Vorgabe für %1</translation>
    </message>
    <message>
        <source>None</source>
        <translation>Keiner</translation>
    </message>
    <message>
        <source>%1 free on that disk.</source>
        <translation>%1 frei auf diesem Datenträger.</translation>
    </message>
    <message>
        <source>Nothing matches.</source>
        <translation>Keine Treffer.</translation>
    </message>
    <message>
        <source>change %1</source>
        <translation>%1 ändern</translation>
    </message>
</context>
<context>
    <name>homebooth::app::SingleInstance</name>
    <message>
        <source>Homebooth is open already and does not answer.</source>
        <translation>Homebooth ist schon offen und antwortet nicht.</translation>
    </message>
    <message>
        <source>It may still be writing after its window was closed, e.g. copying the photos of a training. Start Homebooth again in a moment.</source>
        <translation>Vielleicht schreibt es noch, nachdem sein Fenster geschlossen wurde, etwa die Fotos eines Trainings. Starte Homebooth gleich noch einmal.</translation>
    </message>
    <message>
        <source>The user %1 has this library open.</source>
        <translation>Der Benutzer %1 hat diese Bibliothek geöffnet.</translation>
    </message>
    <message>
        <source>One window at a time can work with the library in %1. Close Homebooth there first, or use a library of your own: it lies in your home folder where XDG_DATA_HOME is not set.</source>
        <translation>Mit der Bibliothek in %1 kann nur ein Fenster zugleich arbeiten. Schließe Homebooth dort zuerst, oder nimm eine eigene Bibliothek: Sie liegt in deinem persönlichen Ordner, wenn XDG_DATA_HOME nicht gesetzt ist.</translation>
    </message>
    <message>
        <source>Another program has locked your library.</source>
        <translation>Ein anderes Programm hat deine Bibliothek gesperrt.</translation>
    </message>
    <message>
        <source>It is process %1 and none of Homebooth&apos;s. End it, or delete the file %2, which is made anew, and start Homebooth again.</source>
        <translation>Es ist der Prozess %1 und gehört nicht zu Homebooth. Beende ihn, oder lösch die Datei %2, die neu angelegt wird, und starte Homebooth noch einmal.</translation>
    </message>
</context>
<context>
    <name>homebooth::app::SleepLock</name>
    <message>
        <source>Making pictures</source>
        <translation>Macht Bilder</translation>
    </message>
</context>
<context>
    <name>homebooth::app::SubjectBook</name>
    <message>
        <source>New subject</source>
        <translation>Neues Motiv</translation>
    </message>
    <message>
        <source>make subject %1</source>
        <translation>Motiv %1 anlegen</translation>
    </message>
    <message>
        <source>make a subject</source>
        <translation>Motiv anlegen</translation>
    </message>
    <message numerus="yes">
        <source>add %n photo(s)</source>
        <translation>
            <numerusform>%n Foto hinzufügen</numerusform>
            <numerusform>%n Fotos hinzufügen</numerusform>
        </translation>
    </message>
    <message>
        <source>remove subject %1</source>
        <translation>Motiv %1 entfernen</translation>
    </message>
    <message numerus="yes">
        <source>make %n subject(s)</source>
        <translation>
            <numerusform>%n Motiv anlegen</numerusform>
            <numerusform>%n Motive anlegen</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>homebooth::app::SubjectDetails</name>
    <message>
        <source>Find...</source>
        <translation>Suchen ...</translation>
    </message>
    <message>
        <source>Use it so</source>
        <translation>So verwenden</translation>
    </message>
    <message>
        <source>as the subject&apos;s sentence</source>
        <translation>wie der Satz des Motivs</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>What is it?</source>
        <translation>Was ist es?</translation>
    </message>
    <message>
        <source>Trigger word</source>
        <translation>Auslösewort</translation>
    </message>
    <message>
        <source>The identifier token: a rare word that will stand for exactly this one.</source>
        <translation>Das Erkennungswort: ein seltenes Wort, das für genau dieses eine steht.</translation>
    </message>
    <message>
        <source>Use it so:</source>
        <translation>So verwenden:</translation>
    </message>
    <message>
        <source>Caption</source>
        <translation>Beschriftung</translation>
    </message>
    <message>
        <source>What this photo shows, if the sentence does not say it.</source>
        <translation>Was dieses Foto zeigt, falls der Satz es nicht sagt.</translation>
    </message>
    <message>
        <source>not known yet: say what it is</source>
        <translation>noch unbekannt: Sag, was es ist</translation>
    </message>
    <message>
        <source>Photo %1</source>
        <translation>Foto %1</translation>
    </message>
    <message>
        <source>Good for training.</source>
        <translation>Gut fürs Training.</translation>
    </message>
    <message>
        <source>Without one the whole class changes.</source>
        <translation>Ohne eines ändert sich die ganze Klasse.</translation>
    </message>
    <message>
        <source>A common word: its own meaning will fade. Take a rare one.</source>
        <translation>Ein häufiges Wort: Seine Bedeutung würde verblassen. Nimm ein seltenes.</translation>
    </message>
    <message>
        <source>Good: one token</source>
        <translation>Gut: ein Token</translation>
    </message>
    <message numerus="yes">
        <source>Fine: %n tokens</source>
        <translation>
            <numerusform>Geht: %n Token</numerusform>
            <numerusform>Geht: %n Tokens</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Long: %n tokens. A short rare word learns better.</source>
        <translation>
            <numerusform>Lang: %n Token. Ein kurzes seltenes Wort lernt besser.</numerusform>
            <numerusform>Lang: %n Tokens. Ein kurzes seltenes Wort lernt besser.</numerusform>
        </translation>
    </message>
    <message>
        <source>rename subject</source>
        <translation>Motiv umbenennen</translation>
    </message>
    <message>
        <source>change what it is</source>
        <translation>ändern, was es ist</translation>
    </message>
    <message>
        <source>change trigger word</source>
        <translation>Auslösewort ändern</translation>
    </message>
    <message>
        <source>caption of photo %1</source>
        <translation>Beschriftung von Foto %1</translation>
    </message>
    <message>
        <source>%1 has this word, too: in one training the two would be mixed.</source>
        <translation>%1 hat dieses Wort auch: In einem Training würden beide vermischt.</translation>
    </message>
    <message>
        <source>Take %1</source>
        <translation>%1 nehmen</translation>
    </message>
    <message>
        <source>Take another word</source>
        <translation>Ein anderes Wort nehmen</translation>
    </message>
    <message>
        <source>Turn back</source>
        <translation>Zurückdrehen</translation>
    </message>
    <message>
        <source>Take back</source>
        <translation>Zurücknehmen</translation>
    </message>
    <message>
        <source>turn back photo %1</source>
        <translation>Foto %1 zurückdrehen</translation>
    </message>
    <message>
        <source>take back photo %1</source>
        <translation>Foto %1 zurücknehmen</translation>
    </message>
    <message>
        <source>Move the photo forward</source>
        <translation>Foto nach vorn</translation>
    </message>
    <message>
        <source>Move the photo back</source>
        <translation>Foto nach hinten</translation>
    </message>
    <message>
        <source>guessed from the name</source>
        <translation>aus dem Namen geraten</translation>
    </message>
    <message>
        <source>The class noun: the kind of thing it is, in one English word.</source>
        <translation>Das Klassenwort: was für ein Ding es ist, in einem englischen Wort.</translation>
    </message>
    <message>
        <source>Models know English words best, such as %1.</source>
        <translation>Englische Wörter kennen Modelle am besten, etwa %1.</translation>
    </message>
    <message>
        <source>guessed from the folder&apos;s name</source>
        <translation>aus dem Namen des Ordners geraten</translation>
    </message>
</context>
<context>
    <name>homebooth::app::SubjectListModel</name>
    <message numerus="yes">
        <source>%1, %n photo(s)</source>
        <translation>
            <numerusform>%1, %n Foto</numerusform>
            <numerusform>%1, %n Fotos</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n photo(s)</source>
        <translation>
            <numerusform>%n Foto</numerusform>
            <numerusform>%n Fotos</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, trained</source>
        <translation>%1, trainiert</translation>
    </message>
</context>
<context>
    <name>homebooth::app::SubjectsPage</name>
    <message>
        <source>Pictures</source>
        <translation>Bilder</translation>
    </message>
    <message>
        <source>Subjects</source>
        <translation>Motive</translation>
    </message>
    <message>
        <source>Add photos...</source>
        <translation>Fotos hinzufügen ...</translation>
    </message>
    <message>
        <source>Train this subject</source>
        <translation>Dieses Motiv trainieren</translation>
    </message>
    <message>
        <source>Drop 3 to 5 photos of one thing here. Different sides and backgrounds teach most.</source>
        <translation>Leg hier 3 bis 5 Fotos einer Sache ab. Verschiedene Seiten und Hintergründe lehren am meisten.</translation>
    </message>
    <message>
        <source>Choose photos...</source>
        <translation>Fotos wählen ...</translation>
    </message>
    <message>
        <source>Try the example</source>
        <translation>Das Beispiel ausprobieren</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Search subjects</source>
        <translation>Motive suchen</translation>
    </message>
    <message>
        <source>New</source>
        <translation>Neu</translation>
    </message>
    <message>
        <source>Photos</source>
        <translation>Fotos</translation>
    </message>
    <message>
        <source>Drop photos of this one here: different sides and backgrounds teach most.</source>
        <translation>Leg hier Fotos davon ab: Verschiedene Seiten und Hintergründe lehren am meisten.</translation>
    </message>
    <message>
        <source>Crop</source>
        <translation>Zuschneiden</translation>
    </message>
    <message>
        <source>Turn</source>
        <translation>Drehen</translation>
    </message>
    <message>
        <source>Leave out</source>
        <translation>Weglassen</translation>
    </message>
    <message numerus="yes">
        <source>%n photo(s)</source>
        <translation>
            <numerusform>%n Foto</numerusform>
            <numerusform>%n Fotos</numerusform>
        </translation>
    </message>
    <message>
        <source>%1: %2, %3 good</source>
        <translation>%1: %2, %3 gut</translation>
    </message>
    <message>
        <source>Take back</source>
        <translation>Zurücknehmen</translation>
    </message>
    <message>
        <source>%1 photo %2</source>
        <translation>%1 Foto %2</translation>
    </message>
    <message>
        <source>%1 %2 photos</source>
        <translation>%1 %2 Fotos</translation>
    </message>
    <message>
        <source>turn</source>
        <translation>drehen:</translation>
    </message>
    <message>
        <source>leave out</source>
        <translation>weglassen:</translation>
    </message>
    <message>
        <source>take back</source>
        <translation>zurücknehmen:</translation>
    </message>
    <message>
        <source>move photo %1</source>
        <translation>Foto %1 verschieben</translation>
    </message>
    <message numerus="yes">
        <source>remove %n photo(s)</source>
        <translation>
            <numerusform>%n Foto entfernen</numerusform>
            <numerusform>%n Fotos entfernen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n photo(s) removed from %1. The files stay.</source>
        <translation>
            <numerusform>%n Foto aus %1 entfernt. Die Datei bleibt.</numerusform>
            <numerusform>%n Fotos aus %1 entfernt. Die Dateien bleiben.</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 removed. The photos&apos; files stay.</source>
        <translation>%1 entfernt. Die Fotodateien bleiben.</translation>
    </message>
    <message>
        <source>Choose photos</source>
        <translation>Fotos wählen</translation>
    </message>
    <message>
        <source>Find the photo</source>
        <translation>Foto suchen</translation>
    </message>
    <message>
        <source>find photo %1</source>
        <translation>Foto %1 suchen</translation>
    </message>
    <message>
        <source>crop photo %1</source>
        <translation>Foto %1 zuschneiden</translation>
    </message>
    <message numerus="yes">
        <source>move %n photo(s)</source>
        <translation>
            <numerusform>%n Foto verschieben</numerusform>
            <numerusform>%n Fotos verschieben</numerusform>
        </translation>
    </message>
    <message>
        <source>Colour behind the photo</source>
        <translation>Farbe hinter dem Foto</translation>
    </message>
    <message>
        <source>colour behind photo %1</source>
        <translation>Farbe hinter Foto %1</translation>
    </message>
    <message>
        <source>Nothing matches.</source>
        <translation>Keine Treffer.</translation>
    </message>
    <message numerus="yes">
        <source>%n photo(s) added to %1.</source>
        <translation>
            <numerusform>%n Foto zu %1 hinzugefügt.</numerusform>
            <numerusform>%n Fotos zu %1 hinzugefügt.</numerusform>
        </translation>
    </message>
    <message>
        <source>None of the photos can be learned.</source>
        <translation>Keines der Fotos lässt sich lernen.</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
</context>
<context>
    <name>homebooth::app::Toast</name>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
</context>
<context>
    <name>homebooth::app::TrainPage</name>
    <message>
        <source>Train</source>
        <translation>Training</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Mehr</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Pause</translation>
    </message>
    <message>
        <source>Start training</source>
        <translation>Training beginnen</translation>
    </message>
    <message>
        <source>The chart could not be written to %1. Choose another folder.</source>
        <translation>Das Diagramm ließ sich nicht nach %1 schreiben. Wähle einen anderen Ordner.</translation>
    </message>
    <message>
        <source>It waits: another training works. It begins by itself.</source>
        <translation>Es wartet: Ein anderes Training läuft. Es beginnt von selbst.</translation>
    </message>
    <message>
        <source>Open the queue</source>
        <translation>Warteschlange öffnen</translation>
    </message>
    <message>
        <source>Preview now</source>
        <translation>Jetzt Vorschau</translation>
    </message>
    <message>
        <source>Save now</source>
        <translation>Jetzt sichern</translation>
    </message>
    <message>
        <source>Export the chart...</source>
        <translation>Diagramm exportieren ...</translation>
    </message>
    <message>
        <source>Open the run&apos;s folder</source>
        <translation>Ordner des Trainings öffnen</translation>
    </message>
    <message>
        <source>New training</source>
        <translation>Neues Training</translation>
    </message>
    <message>
        <source>Show the running one</source>
        <translation>Das laufende zeigen</translation>
    </message>
    <message>
        <source>Show the last one</source>
        <translation>Das letzte zeigen</translation>
    </message>
    <message>
        <source>Add to the queue</source>
        <translation>In die Warteschlange</translation>
    </message>
    <message>
        <source>Training %1</source>
        <translation>Training %1</translation>
    </message>
    <message>
        <source>%1: step %2 of %3, %4 s a step</source>
        <translation>%1, Schritt %2 von %3, %4 s je Schritt</translation>
    </message>
    <message>
        <source>, saved at %1</source>
        <translation>, gesichert bei %1</translation>
    </message>
    <message>
        <source>, last sign of life %1 ago</source>
        <translation>, letztes Lebenszeichen %1 her</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>Weiter</translation>
    </message>
    <message>
        <source>Stop and keep</source>
        <translation>Anhalten und behalten</translation>
    </message>
    <message>
        <source>Train further</source>
        <translation>Weitertrainieren</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Make pictures</source>
        <translation>Bilder machen</translation>
    </message>
    <message>
        <source>%1 is ready</source>
        <translation>%1 ist fertig</translation>
    </message>
    <message>
        <source>%1 steps in %2.</source>
        <translation>%1 Schritte, Dauer %2.</translation>
    </message>
    <message>
        <source>Nothing was saved yet.</source>
        <translation>Noch ist nichts gesichert.</translation>
    </message>
    <message>
        <source>Step %1 is saved.</source>
        <translation>Schritt %1 ist gesichert.</translation>
    </message>
    <message>
        <source>%1 was stopped</source>
        <translation>%1 wurde angehalten</translation>
    </message>
    <message>
        <source>Stopped by you at step %1. %2</source>
        <translation>Von dir bei Schritt %1 angehalten. %2</translation>
    </message>
    <message>
        <source>%1 waits</source>
        <translation>%1 wartet</translation>
    </message>
    <message>
        <source>It has not begun yet.</source>
        <translation>Es hat noch nicht begonnen.</translation>
    </message>
    <message>
        <source>%1 needs you</source>
        <translation>%1 braucht dich</translation>
    </message>
    <message>
        <source>Resume with less memory (%1)</source>
        <translation>Mit weniger Speicher fortsetzen (%1)</translation>
    </message>
    <message>
        <source>Log of %1</source>
        <translation>Protokoll von %1</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>Protokoll</translation>
    </message>
    <message>
        <source>Copy all</source>
        <translation>Alles kopieren</translation>
    </message>
    <message>
        <source>It waits: pictures are being made. It begins by itself.</source>
        <translation>Es wartet: Gerade entstehen Bilder. Es beginnt von selbst.</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>Starten</translation>
    </message>
    <message>
        <source>Resume at half the learning speed</source>
        <translation>Mit halbem Lerntempo fortsetzen</translation>
    </message>
    <message>
        <source>Free room</source>
        <translation>Platz schaffen</translation>
    </message>
    <message>
        <source>Whole log</source>
        <translation>Ganzes Protokoll</translation>
    </message>
    <message>
        <source>Exported to %1.</source>
        <translation>Nach %1 exportiert.</translation>
    </message>
    <message>
        <source>Ends the training here and makes a model of what was learned so far</source>
        <translation>Beendet das Training hier und macht aus dem bisher Gelernten ein Modell</translation>
    </message>
    <message>
        <source>%1 is out of reach</source>
        <translation>%1 ist nicht erreichbar</translation>
    </message>
    <message>
        <source>Find the folder of the training</source>
        <translation>Den Ordner des Trainings suchen</translation>
    </message>
    <message>
        <source>&lt;b&gt;Folder &quot;%1&quot; is gone.&lt;/b&gt; It was in %2. What was seen of it is kept. Put it back, connect its drive, or say where it is now.</source>
        <translation>&lt;b&gt;Der Ordner „%1“ ist weg.&lt;/b&gt; Er war in %2. Was davon zu sehen war, bleibt. Lege ihn zurück, schließe seinen Datenträger an oder sage, wo er jetzt ist.</translation>
    </message>
    <message>
        <source>Find folder</source>
        <translation>Ordner finden</translation>
    </message>
    <message>
        <source>An add-on is trained further from its last step only.</source>
        <translation>Ein Zusatz lernt nur vom letzten Schritt aus weiter.</translation>
    </message>
    <message>
        <source>A new training begins with the model of step %1.</source>
        <translation>Ein neues Training beginnt mit dem Modell von Schritt %1.</translation>
    </message>
    <message>
        <source>The saved moment cannot be trained further.</source>
        <translation>Dieser gesicherte Moment lässt sich nicht weiter trainieren.</translation>
    </message>
    <message>
        <source>%1 processes trained it together.</source>
        <translation>%1 Prozesse haben es zusammen trainiert.</translation>
    </message>
    <message>
        <source>Plan of %1</source>
        <translation>Plan von %1</translation>
    </message>
    <message>
        <source>Plan</source>
        <translation>Plan</translation>
    </message>
    <message>
        <source>Nothing is saved yet.</source>
        <translation>Noch ist nichts gesichert.</translation>
    </message>
    <message>
        <source>&lt;b&gt;No step for %1&lt;/b&gt;, usually %2 s; perhaps another program holds the card. %3</source>
        <translation>&lt;b&gt;%1 lang kein Schritt&lt;/b&gt;, sonst %2 s; vielleicht belegt ein anderes Programm die Karte. %3</translation>
    </message>
    <message>
        <source>Wait</source>
        <translation>Warten</translation>
    </message>
    <message>
        <source>Copying the photos: %1 of %2</source>
        <translation>Fotos werden kopiert: %1 von %2</translation>
    </message>
    <message>
        <source>Stopped. Nothing was started.</source>
        <translation>Angehalten. Nichts wurde gestartet.</translation>
    </message>
    <message>
        <source>Nothing was started.</source>
        <translation>Nichts wurde gestartet.</translation>
    </message>
    <message>
        <source>Another program took %1.</source>
        <translation>Ein anderes Programm hat %1 belegt.</translation>
    </message>
    <message>
        <source>Another program took a part of it.</source>
        <translation>Ein anderes Programm hat einen Teil davon belegt.</translation>
    </message>
    <message>
        <source>Nothing was lost; steps take %1 s, not %2.</source>
        <translation>Nichts ging verloren; Schritte dauern %1 s statt %2.</translation>
    </message>
    <message>
        <source>Nothing was lost.</source>
        <translation>Nichts ging verloren.</translation>
    </message>
    <message>
        <source>&lt;b&gt;Now using less graphics memory.&lt;/b&gt; %1 %2</source>
        <translation>&lt;b&gt;Jetzt mit weniger Grafikspeicher.&lt;/b&gt; %1 %2</translation>
    </message>
    <message>
        <source>&lt;b&gt;Now using less RAM.&lt;/b&gt; %1 %2</source>
        <translation>&lt;b&gt;Jetzt mit weniger RAM.&lt;/b&gt; %1 %2</translation>
    </message>
    <message>
        <source>Show plan</source>
        <translation>Plan zeigen</translation>
    </message>
    <message>
        <source>Training waits; nothing is lost. It goes on by itself when there is room.</source>
        <translation>Das Training wartet; nichts ist verloren. Es geht von selbst weiter, sobald Platz ist.</translation>
    </message>
    <message>
        <source>Open the list</source>
        <translation>Liste öffnen</translation>
    </message>
    <message>
        <source>Left out of %1</source>
        <translation>Weggelassen bei %1</translation>
    </message>
    <message numerus="yes">
        <source>The training went on without %n file(s):</source>
        <translation>
            <numerusform>Das Training ging ohne %n Datei weiter:</numerusform>
            <numerusform>Das Training ging ohne %n Dateien weiter:</numerusform>
        </translation>
    </message>
    <message>
        <source>Left out</source>
        <translation>Weggelassen</translation>
    </message>
    <message>
        <source>Train a pictures model</source>
        <translation>Bildmodell trainieren</translation>
    </message>
    <message>
        <source>From scratch, on the same dataset, packed by this autoencoder.</source>
        <translation>Von Grund auf, am selben Datensatz, verdichtet von diesem Autoencoder.</translation>
    </message>
    <message>
        <source>An autoencoder, in Models as &quot;%1&quot;. A pictures model can learn on top of it.</source>
        <translation>Ein Autoencoder, unter Modelle als „%1“. Ein Bildmodell kann darauf lernen.</translation>
    </message>
    <message>
        <source>An add-on, in Models as &quot;%1&quot;.</source>
        <translation>Ein Zusatz, unter Modelle als „%1“.</translation>
    </message>
    <message>
        <source>A whole model, in Models as &quot;%1&quot;.</source>
        <translation>Ein ganzes Modell, unter Modelle als „%1“.</translation>
    </message>
    <message>
        <source>An add-on, %1, in Models as &quot;%2&quot;.</source>
        <translation>Ein Zusatz, %1, unter Modelle als „%2“.</translation>
    </message>
    <message>
        <source>A whole model, %1, in Models as &quot;%2&quot;.</source>
        <translation>Ein ganzes Modell, %1, unter Modelle als „%2“.</translation>
    </message>
    <message>
        <source>Nothing was written yet.</source>
        <translation>Bisher wurde nichts geschrieben.</translation>
    </message>
    <message>
        <source>Nothing was written of what was decided.</source>
        <translation>Von den Entscheidungen wurde nichts aufgeschrieben.</translation>
    </message>
    <message>
        <source>Skip broken pictures</source>
        <translation>Beschädigte Bilder überspringen</translation>
    </message>
    <message>
        <source>The subject of this training is no longer here. Choose what to learn.</source>
        <translation>Das Motiv dieses Trainings ist nicht mehr da. Wähle, was gelernt wird.</translation>
    </message>
    <message>
        <source>It waits: the queue is paused. Press Go on there.</source>
        <translation>Es wartet: Die Warteschlange ist pausiert. Drücke dort „Weitermachen“.</translation>
    </message>
    <message>
        <source>Training waits; nothing is lost. It goes on by itself when the drive is connected.</source>
        <translation>Das Training wartet; nichts ist verloren. Es geht von selbst weiter, wenn der Datenträger angeschlossen ist.</translation>
    </message>
    <message>
        <source>Resume without a limit of memory</source>
        <translation>Ohne Speichergrenze fortsetzen</translation>
    </message>
    <message>
        <source>Resume with one process</source>
        <translation>Mit einem Prozess fortsetzen</translation>
    </message>
    <message>
        <source>Resume on another card</source>
        <translation>Auf einer anderen Karte fortsetzen</translation>
    </message>
    <message>
        <source>Train in bf16</source>
        <translation>In bf16 trainieren</translation>
    </message>
    <message>
        <source>Go on with the processor</source>
        <translation>Mit dem Prozessor weitermachen</translation>
    </message>
    <message>
        <source>Swap as the settings say</source>
        <translation>Auslagern wie eingestellt</translation>
    </message>
    <message>
        <source>Open Settings</source>
        <translation>Einstellungen öffnen</translation>
    </message>
    <message>
        <source>Training waits; nothing is lost. It goes on in a folder on another drive.</source>
        <translation>Das Training wartet; nichts ist verloren. Es geht in einem Ordner auf einem anderen Datenträger weiter.</translation>
    </message>
    <message>
        <source>What is saved is in fp16, too: begin a new training. The number format bf16, under Expert settings, takes as much memory and holds them.</source>
        <translation>Auch das Gesicherte ist in fp16: Beginne ein neues Training. Das Zahlenformat bf16, unter „Experteneinstellungen“, braucht ebenso viel Speicher und fasst sie.</translation>
    </message>
    <message>
        <source>Put it back and resume, or resume on another card.</source>
        <translation>Setze sie wieder ein und setze das Training fort, oder setze es auf einer anderen Karte fort.</translation>
    </message>
    <message>
        <source>A drive with FAT32 takes no file of 4 GB or more: name a folder on another drive in Settings, then let the training swap as they say.</source>
        <translation>Ein Datenträger mit FAT32 fasst keine Dateien ab 4 GB: Nenne in den Einstellungen einen Ordner auf einem anderen Datenträger und lass das Training dann wie eingestellt auslagern.</translation>
    </message>
    <message>
        <source>In another folder it goes on without the moments that lie on that drive; they stay there.</source>
        <translation>In einem anderen Ordner geht es ohne die Momente weiter, die auf diesem Datenträger liegen; sie bleiben dort.</translation>
    </message>
    <message>
        <source>%1 more steps with the same settings</source>
        <translation>%1 weitere Schritte mit denselben Einstellungen</translation>
    </message>
    <message>
        <source>, the computer slept %1</source>
        <translation>, der Computer schlief %1</translation>
    </message>
    <message>
        <source>%1 more steps, each at half the learning speed</source>
        <translation>%1 weitere Schritte, jeder mit halbem Lerntempo</translation>
    </message>
    <message>
        <source>Waits already</source>
        <translation>Wartet schon</translation>
    </message>
    <message>
        <source>Runs already</source>
        <translation>Läuft schon</translation>
    </message>
    <message>
        <source>Change something here to train another time.</source>
        <translation>Ändere hier etwas, um noch einmal zu trainieren.</translation>
    </message>
    <message>
        <source>%1: goes on from step %2 of %3</source>
        <translation>%1, weiter ab Schritt %2 von %3</translation>
    </message>
    <message>
        <source>Training waits; what it has learned is not lost. It goes on by itself when its folder, or a copy of it, is back where it was.</source>
        <translation>Das Training wartet; was es gelernt hat, ist nicht verloren. Es geht von selbst weiter, sobald sein Ordner oder eine Kopie davon wieder dort ist, wo er war.</translation>
    </message>
    <message>
        <source>&lt;b&gt;Folder &quot;%1&quot; is gone.&lt;/b&gt; It was in %2. Put it back, connect its drive, or say where it is now.</source>
        <translation>&lt;b&gt;Der Ordner „%1“ ist weg.&lt;/b&gt; Er war in %2. Leg ihn zurück, schließ seinen Datenträger an oder sag, wo er jetzt ist.</translation>
    </message>
    <message>
        <source>&lt;b&gt;No step for %1&lt;/b&gt;, usually %2 s; perhaps other programs keep the processor or the memory busy. %3</source>
        <translation>&lt;b&gt;Seit %1 kein Schritt&lt;/b&gt;, sonst %2 s; vielleicht belegen andere Programme den Prozessor oder den Speicher. %3</translation>
    </message>
    <message>
        <source>The model that it learns from is not where it was. Connect its drive and resume, or say where the model is now.</source>
        <translation>Das Modell, von dem es lernt, ist nicht mehr an seinem Platz. Schließ seinen Datenträger an und setze fort, oder sag, wo das Modell jetzt ist.</translation>
    </message>
    <message>
        <source>Find the model...</source>
        <translation>Modell suchen ...</translation>
    </message>
    <message>
        <source>Find the model</source>
        <translation>Modell suchen</translation>
    </message>
    <message>
        <source>Models (*.safetensors *.ckpt)</source>
        <translation>Modelle (*.safetensors *.ckpt)</translation>
    </message>
    <message>
        <source>%1 more steps, each at a quarter of the learning speed</source>
        <translation>%1 weitere Schritte, jeder mit einem Viertel des Lerntempos</translation>
    </message>
    <message numerus="yes">
        <source>%n example picture(s) are kept, and are not made again.</source>
        <translation>
            <numerusform>%n Beispielbild bleibt und wird nicht noch einmal gemacht.</numerusform>
            <numerusform>%n Beispielbilder bleiben und werden nicht noch einmal gemacht.</numerusform>
        </translation>
    </message>
    <message>
        <source>It waits: a finished picture finds no room on its disk. Generate says what helps.</source>
        <translation>Es wartet: Ein fertiges Bild findet keinen Platz auf seinem Datenträger. Die Seite Erzeugen sagt, was hilft.</translation>
    </message>
    <message>
        <source>It can be paused once it learns.</source>
        <translation>Anhalten geht, sobald gelernt wird.</translation>
    </message>
</context>
<context>
    <name>homebooth::app::TrainProgress</name>
    <message>
        <source>The first preview comes soon.</source>
        <translation>Die erste Vorschau kommt bald.</translation>
    </message>
    <message>
        <source>Previews</source>
        <translation>Vorschauen</translation>
    </message>
    <message>
        <source>Same prompt, same seed.</source>
        <translation>Gleicher Prompt, gleicher Seed.</translation>
    </message>
    <message>
        <source>No preview was made.</source>
        <translation>Es wurde keine Vorschau gemacht.</translation>
    </message>
    <message>
        <source>Larger</source>
        <translation>Größer</translation>
    </message>
    <message>
        <source>Left a picture, right what comes back of it.</source>
        <translation>Links ein Bild, rechts, was davon zurückkommt.</translation>
    </message>
    <message>
        <source>No preview is due. &quot;More&quot; makes one at any time.</source>
        <translation>Es ist keine Vorschau vorgesehen. „Mehr“ macht jederzeit eine.</translation>
    </message>
    <message>
        <source>Sketch draws small, simple pictures. For photos train with another model, such as Stable Diffusion 1.5.</source>
        <translation>Sketch zeichnet kleine, einfache Bilder. Für Fotos trainiere mit einem anderen Modell, etwa Stable Diffusion 1.5.</translation>
    </message>
    <message>
        <source>Train with another model</source>
        <translation>Mit anderem Modell trainieren</translation>
    </message>
    <message>
        <source>Opens the form for a new training. This one stays.</source>
        <translation>Öffnet das Formular für ein neues Training. Dieses bleibt.</translation>
    </message>
    <message>
        <source>Same prompts, same seeds. The second one: on a beach.</source>
        <translation>Gleiche Prompts, gleiche Seeds. Der zweite: am Strand.</translation>
    </message>
    <message>
        <source>Once there is no beach in it, the model does little but copy the photos: an earlier moment is better then.</source>
        <translation>Sobald darin kein Strand mehr ist, kopiert das Modell fast nur noch die Fotos: Dann ist ein früherer Moment besser.</translation>
    </message>
    <message>
        <source>No preview is at hand.</source>
        <translation>Es ist keine Vorschau zur Hand.</translation>
    </message>
    <message>
        <source>Same prompts, same seeds.</source>
        <translation>Gleiche Prompts, gleiche Seeds.</translation>
    </message>
    <message>
        <source>Preview at step %1</source>
        <translation>Vorschau bei Schritt %1</translation>
    </message>
</context>
<context>
    <name>homebooth::app::TrainSetup</name>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>The model that learns. It is not changed: the result is a new one.</source>
        <translation>Das Modell, das lernt. Es wird nicht verändert: Das Ergebnis ist ein neues.</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <source>Small add-on (LoRA)</source>
        <translation>Kleiner Zusatz (LoRA)</translation>
    </message>
    <message>
        <source>A small file that works together with the model; needs the least memory.</source>
        <translation>Eine kleine Datei, die mit dem Modell zusammenarbeitet; braucht am wenigsten Speicher.</translation>
    </message>
    <message>
        <source>Whole model</source>
        <translation>Ganzes Modell</translation>
    </message>
    <message>
        <source>Full fine-tuning: learns closest, and the result is as large as the model.</source>
        <translation>Volles Fine-Tuning: lernt am genauesten, das Ergebnis ist so groß wie das Modell.</translation>
    </message>
    <message>
        <source>Quality</source>
        <translation>Qualität</translation>
    </message>
    <message>
        <source>Quick</source>
        <translation>Schnell</translation>
    </message>
    <message>
        <source>Balanced</source>
        <translation>Ausgewogen</translation>
    </message>
    <message>
        <source>Best</source>
        <translation>Beste</translation>
    </message>
    <message>
        <source>Prior preservation: makes example pictures of the kind first and learns them along, so that not everything of the kind begins to look like yours.</source>
        <translation>Prior Preservation: macht zuerst Beispielbilder dieser Art und lernt sie mit, damit nicht alles dieser Art wie deines aussieht.</translation>
    </message>
    <message>
        <source>Expert settings (%1 changed)</source>
        <translation>Experteneinstellungen (%1 geändert)</translation>
    </message>
    <message>
        <source>Expert settings</source>
        <translation>Experteneinstellungen</translation>
    </message>
    <message>
        <source>Looking at the model...</source>
        <translation>Das Modell wird angesehen ...</translation>
    </message>
    <message>
        <source>Makes pictures of %1 px.</source>
        <translation>Macht Bilder von %1 px.</translation>
    </message>
    <message>
        <source>first look</source>
        <translation>erster Eindruck</translation>
    </message>
    <message>
        <source>good</source>
        <translation>gut</translation>
    </message>
    <message>
        <source>closest</source>
        <translation>am genauesten</translation>
    </message>
    <message>
        <source>%1 steps, %2</source>
        <translation>%1 Schritte, %2</translation>
    </message>
    <message>
        <source>things</source>
        <translation>Dinge</translation>
    </message>
    <message>
        <source>Keep other %1 normal</source>
        <comment>%1 is a class noun such as toy</comment>
        <translation>Andere „%1“ normal halten</translation>
    </message>
    <message>
        <source>This model cannot be used.</source>
        <translation>Dieses Modell lässt sich nicht verwenden.</translation>
    </message>
    <message>
        <source>A new model from scratch</source>
        <translation>Ein neues Modell von Grund auf</translation>
    </message>
    <message>
        <source>Begins with weights that know nothing, in the shape of the model above: takes thousands of pictures and much time.</source>
        <translation>Beginnt mit Gewichten, die nichts wissen, in der Form des Modells oben: braucht Tausende Bilder und viel Zeit.</translation>
    </message>
    <message>
        <source>Give each a trigger word of its own.</source>
        <translation>Gib jedem ein eigenes Auslösewort.</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Free room</source>
        <translation>Platz schaffen</translation>
    </message>
    <message>
        <source>Other folder</source>
        <translation>Anderer Ordner</translation>
    </message>
    <message>
        <source>about %1, %2 steps, %3</source>
        <translation>etwa %1, %2 Schritte, %3</translation>
    </message>
    <message>
        <source>Pictures model</source>
        <translation>Bildmodell</translation>
    </message>
    <message>
        <source>UNet and text encoder: learn to make pictures from words. The autoencoder of the model above packs them.</source>
        <translation>UNet und Textencoder: lernen, aus Wörtern Bilder zu machen. Der Autoencoder des Modells oben verdichtet sie.</translation>
    </message>
    <message>
        <source>Autoencoder</source>
        <translation>Autoencoder</translation>
    </message>
    <message>
        <source>VAE: learns to pack pictures and to unpack them again. A pictures model is trained on top of it afterwards.</source>
        <translation>VAE: lernt, Bilder zu verdichten und wieder zu entpacken. Ein Bildmodell wird danach darauf trainiert.</translation>
    </message>
    <message>
        <source>Only the shape of its autoencoder is taken over.</source>
        <translation>Nur der Bau seines Autoencoders wird übernommen.</translation>
    </message>
    <message>
        <source>Its autoencoder has not learned yet: train that first, or choose another model.</source>
        <translation>Sein Autoencoder hat noch nichts gelernt: Trainiere zuerst diesen, oder wähle ein anderes Modell.</translation>
    </message>
    <message>
        <source>It has learned no pictures yet: only a new model from scratch can begin with it.</source>
        <translation>Es hat noch keine Bilder gelernt: Nur ein neues Modell von Grund auf kann damit beginnen.</translation>
    </message>
    <message>
        <source>Train the autoencoder</source>
        <translation>Den Autoencoder trainieren</translation>
    </message>
    <message>
        <source>Train a new model from scratch</source>
        <translation>Ein neues Modell von Grund auf trainieren</translation>
    </message>
    <message>
        <source>Only its shape and its autoencoder are taken over: the new model begins knowing nothing.</source>
        <translation>Nur sein Bau und sein Autoencoder werden übernommen: Das neue Modell weiß am Anfang nichts.</translation>
    </message>
    <message>
        <source>A new model of this kind cannot be trained here: its text encoders cannot learn. Choose another model for its shape.</source>
        <translation>Ein neues Modell dieser Art kann hier nicht trainiert werden: Seine Textencoder können nicht lernen. Wähle ein anderes Modell, dessen Bau es haben soll.</translation>
    </message>
    <message>
        <source>Use %1 px</source>
        <translation>%1 px nehmen</translation>
    </message>
    <message>
        <source>Keep the model&apos;s weights in 8 bits</source>
        <translation>Gewichte des Modells in 8 Bit halten</translation>
    </message>
    <message>
        <source>%1 has no photos to learn.</source>
        <translation>%1 hat keine Fotos zum Lernen.</translation>
    </message>
    <message>
        <source>Go to Subjects</source>
        <translation>Zu den Motiven</translation>
    </message>
    <message>
        <source>Raise the limit of swapping</source>
        <translation>Grenze des Auslagerns erhöhen</translation>
    </message>
    <message>
        <source>Raise the limit of memory</source>
        <translation>Speichergrenze erhöhen</translation>
    </message>
    <message>
        <source>Use the processor, slower</source>
        <translation>Den Prozessor nehmen, langsamer</translation>
    </message>
    <message>
        <source>Folder &quot;%1&quot; is gone. Connect the drive.</source>
        <translation>Der Ordner „%1“ ist weg. Schließe den Datenträger an.</translation>
    </message>
    <message>
        <source>Import a model...</source>
        <translation>Modell importieren ...</translation>
    </message>
    <message>
        <source>Small, for trying out: it makes sketches of %1 px.</source>
        <translation>Klein, zum Ausprobieren: Es macht Skizzen von %1 px.</translation>
    </message>
    <message>
        <source>%1 For photos, import a model such as Stable Diffusion 1.5 (.safetensors).</source>
        <translation>%1 Für Fotos importiere ein Modell wie Stable Diffusion 1.5 (.safetensors).</translation>
    </message>
    <message>
        <source>%1, only %2 of %3 pictures</source>
        <translation>%1, nur %2 von %3 Bildern</translation>
    </message>
    <message>
        <source>%1, each picture about once</source>
        <translation>%1, jedes Bild etwa einmal</translation>
    </message>
    <message>
        <source>%1, each picture about %2 times</source>
        <translation>%1, jedes Bild etwa %2-mal</translation>
    </message>
    <message>
        <source>set by hand</source>
        <translation>von Hand eingestellt</translation>
    </message>
    <message>
        <source>%1 example pictures</source>
        <translation>%1 Beispielbilder</translation>
    </message>
    <message>
        <source>learning speed %1</source>
        <translation>Lerntempo %1</translation>
    </message>
    <message>
        <source>learning speed falling to 0</source>
        <translation>Lerntempo sinkt auf 0</translation>
    </message>
    <message>
        <source>%1, %2 steps, %3</source>
        <translation>%1, %2 Schritte, %3</translation>
    </message>
    <message>
        <source>Show photos</source>
        <translation>Fotos zeigen</translation>
    </message>
    <message>
        <source>Leave it out</source>
        <translation>Weglassen</translation>
    </message>
    <message>
        <source>leave out a photo that is gone</source>
        <translation>fehlendes Foto weglassen</translation>
    </message>
    <message>
        <source>Learned together, others of their kinds are not kept normal: that is done with one subject only.</source>
        <translation>Werden mehrere zusammen gelernt, bleiben andere ihrer Art nicht normal: Das geht nur mit einem Motiv.</translation>
    </message>
    <message>
        <source>learns example pictures of your folder along</source>
        <translation>lernt Beispielbilder deines Ordners mit</translation>
    </message>
    <message>
        <source>learns %1 example pictures of your folder along</source>
        <translation>lernt %1 Beispielbilder deines Ordners mit</translation>
    </message>
    <message>
        <source>makes %1 example pictures first, in your folder</source>
        <translation>macht zuerst %1 Beispielbilder, in deinem Ordner</translation>
    </message>
    <message>
        <source>learns %1 example pictures of your folder along; makes %2 more first, in that folder</source>
        <translation>lernt %1 Beispielbilder deines Ordners mit; macht zuerst %2 weitere, in diesem Ordner</translation>
    </message>
    <message>
        <source>Looking at the folder of your example pictures...</source>
        <translation>Sieht den Ordner deiner Beispielbilder an ...</translation>
    </message>
    <message>
        <source>learns %1 example pictures along; the model makes those that are not there yet</source>
        <translation>lernt %1 Beispielbilder mit; das Modell macht die, die noch nicht da sind</translation>
    </message>
</context>
<context>
    <name>homebooth::app::TroublePage</name>
    <message>
        <source>The library cannot be opened</source>
        <translation>Die Bibliothek lässt sich nicht öffnen</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Noch einmal versuchen</translation>
    </message>
    <message>
        <source>Open its folder</source>
        <translation>Ordner der Bibliothek öffnen</translation>
    </message>
    <message>
        <source>Subjects, captions and prompts are kept in the library. Nothing could be kept now, so nothing can be changed. Trainings that work go on; your photos and pictures are where they were.</source>
        <translation>In der Bibliothek stehen Motive, Beschriftungen und Prompts. Jetzt ließe sich nichts sichern, darum lässt sich nichts ändern. Laufende Trainings gehen weiter; deine Fotos und Bilder sind, wo sie waren.</translation>
    </message>
    <message>
        <source>For another place, start Homebooth with the variable XDG_DATA_HOME, which names a folder that can be written.</source>
        <translation>Für einen anderen Ort starte Homebooth mit der Variablen XDG_DATA_HOME, die einen beschreibbaren Ordner nennt.</translation>
    </message>
    <message>
        <source>%1 is not a file. Move or rename what is there, then try again.</source>
        <translation>%1 ist keine Datei. Verschieb, was dort liegt, oder benenn es um, und versuch es dann noch einmal.</translation>
    </message>
</context>
<context>
    <name>homebooth::app::UsedSettings</name>
    <message>
        <source>The sampler &quot;%1&quot; is not known here: &quot;%2&quot; stays chosen.</source>
        <translation>Das Verfahren „%1“ ist hier unbekannt: „%2“ bleibt gewählt.</translation>
    </message>
    <message>
        <source>Several here are called &quot;%1&quot;, and nothing says which one is meant: choose it yourself.</source>
        <translation>Mehrere heißen hier „%1“, und nichts sagt, welches gemeint ist: Wähl es selbst.</translation>
    </message>
    <message>
        <source>The picture&apos;s steps were spaced as &quot;%1&quot; has it, which is not done here: the usual spacing is taken.</source>
        <translation>Die Schritte des Bildes waren nach „%1“ verteilt, was hier nicht geht: Sie werden wie üblich verteilt.</translation>
    </message>
    <message>
        <source>The picture was enlarged afterwards, which is not done here: the size that it had before is taken.</source>
        <translation>Das Bild wurde danach vergrößert, was hier nicht geschieht: Seine Größe davor wird genommen.</translation>
    </message>
    <message>
        <source>Brackets weighed its words as &quot;%1&quot; has it, which is not done here: they weigh in the original way.</source>
        <translation>Klammern gewichteten die Wörter nach „%1“, was hier nicht geht: Sie gewichten auf die ursprüngliche Art.</translation>
    </message>
    <message>
        <source>The picture was unpacked by the autoencoder (VAE) &quot;%1&quot;: here the model&apos;s own does that.</source>
        <translation>Das Bild entpackte der Autoencoder (VAE) „%1“: Hier tut das der des Modells.</translation>
    </message>
    <message>
        <source>More was done with the picture, which is not done here: %1.</source>
        <translation>Mit dem Bild geschah mehr, was hier nicht geschieht: %1.</translation>
    </message>
    <message>
        <source>Parts of the add-on &quot;%1&quot; had weights of their own, which is not done here: one counts for all of it.</source>
        <translation>Teile des Zusatzes „%1“ hatten eigene Gewichte, was hier nicht geht: Eines zählt für das Ganze.</translation>
    </message>
    <message>
        <source>Some of its words changed while the picture was made, or stood apart, which is not done here: all of them count at once.</source>
        <translation>Manche Wörter wechselten beim Entstehen des Bildes oder standen getrennt, was hier nicht geht: Alle zählen zugleich.</translation>
    </message>
</context>
<context>
    <name>homebooth::app::WarningLine</name>
    <message>
        <source>Log</source>
        <translation>Protokoll</translation>
    </message>
    <message>
        <source>Log with all warnings</source>
        <translation>Protokoll mit allen Warnungen</translation>
    </message>
    <message numerus="yes">
        <source>(%n more before)</source>
        <translation>
            <numerusform>(davor %n weitere)</numerusform>
            <numerusform>(davor %n weitere)</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n left out</source>
        <translation>
            <numerusform>%n weggelassen</numerusform>
            <numerusform>%n weggelassen</numerusform>
        </translation>
    </message>
    <message>
        <source>List of what was left out</source>
        <translation>Liste dessen, was weggelassen wurde</translation>
    </message>
</context>
<context>
    <name>homebooth::app::WelcomePage</name>
    <message>
        <source>Graphics card</source>
        <translation>Grafikkarte</translation>
    </message>
    <message>
        <source>%1, %2, driver %3</source>
        <translation>%1, %2, Treiber %3</translation>
    </message>
    <message>
        <source>Small add-ons; whole models with parts in RAM</source>
        <translation>Kleine Zusätze; ganze Modelle mit Teilen im RAM</translation>
    </message>
    <message>
        <source>No usable graphics card</source>
        <translation>Keine brauchbare Grafikkarte</translation>
    </message>
    <message>
        <source>RAM</source>
        <translation>RAM</translation>
    </message>
    <message>
        <source>%1, %2 free</source>
        <translation>%1, %2 frei</translation>
    </message>
    <message>
        <source>Enough</source>
        <translation>Genug</translation>
    </message>
    <message>
        <source>Enough for small add-ons</source>
        <translation>Genug für kleine Zusätze</translation>
    </message>
    <message>
        <source>Enough for the built-in model only</source>
        <translation>Genug nur für das eingebaute Modell</translation>
    </message>
    <message>
        <source>Disk</source>
        <translation>Datenträger</translation>
    </message>
    <message>
        <source>%1 free</source>
        <translation>%1 frei</translation>
    </message>
    <message numerus="yes">
        <source>About %n training(s) of a whole model</source>
        <translation>
            <numerusform>Etwa %n Training eines ganzen Modells</numerusform>
            <numerusform>Etwa %n Trainings eines ganzen Modells</numerusform>
        </translation>
    </message>
    <message>
        <source>Engine</source>
        <translation>Engine</translation>
    </message>
    <message>
        <source>A part is missing</source>
        <translation>Ein Teil fehlt</translation>
    </message>
    <message>
        <source>Nothing will train. Install Homebooth again.</source>
        <translation>So lässt sich nichts trainieren. Installiere Homebooth neu.</translation>
    </message>
    <message>
        <source>Welcome</source>
        <translation>Willkommen</translation>
    </message>
    <message>
        <source>Homebooth teaches an image model your own subject, on this computer alone.</source>
        <translation>Homebooth bringt einem Bildmodell dein eigenes Motiv bei, allein auf diesem Computer.</translation>
    </message>
    <message>
        <source>Start with my photos</source>
        <translation>Mit meinen Fotos beginnen</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>Ändern</translation>
    </message>
    <message>
        <source>Your pictures and models go to</source>
        <translation>Deine Bilder und Modelle kommen nach</translation>
    </message>
    <message>
        <source>Make a first picture</source>
        <translation>Ein erstes Bild machen</translation>
    </message>
    <message>
        <source>Drop photos anywhere in this window, or:</source>
        <translation>Leg Fotos irgendwo in diesem Fenster ab, oder:</translation>
    </message>
    <message>
        <source>Pictures and models</source>
        <translation>Bilder und Modelle</translation>
    </message>
    <message>
        <source>Nobody knows what is free</source>
        <translation>Niemand weiß, was frei ist</translation>
    </message>
    <message>
        <source>The folder cannot be reached. Choose another one.</source>
        <translation>Der Ordner ist nicht erreichbar. Wähle einen anderen.</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Noch einmal versuchen</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>driver %1</source>
        <translation>Treiber %1</translation>
    </message>
    <message>
        <source>The driver is too old: %1, needed %2</source>
        <translation>Der Treiber ist zu alt: %1, nötig ist %2</translation>
    </message>
    <message>
        <source>Your files are untouched.</source>
        <translation>Deine Dateien sind unberührt.</translation>
    </message>
    <message>
        <source>The graphics card does not answer</source>
        <translation>Die Grafikkarte antwortet nicht</translation>
    </message>
    <message>
        <source>Restart the computer. If that does not help, install its driver anew.</source>
        <translation>Starte den Computer neu. Hilft das nicht, installiere ihren Treiber neu.</translation>
    </message>
    <message>
        <source>How to update</source>
        <translation>So geht das Update</translation>
    </message>
    <message>
        <source>Use the processor, slower</source>
        <translation>Den Prozessor nehmen, langsamer</translation>
    </message>
    <message>
        <source>What would help</source>
        <translation>Was helfen würde</translation>
    </message>
    <message>
        <source>&lt;b&gt;How to update:&lt;/b&gt; install NVIDIA&apos;s driver %1 or newer with your system&apos;s tool for drivers or from nvidia.com, then restart the computer. Your files are untouched.</source>
        <translation>&lt;b&gt;So geht das Update:&lt;/b&gt; Installiere NVIDIAs Treiber %1 oder neuer mit dem Treiberwerkzeug deines Systems oder von nvidia.com und starte den Computer neu. Deine Dateien sind unberührt.</translation>
    </message>
    <message>
        <source>&lt;b&gt;The processor computes from now on.&lt;/b&gt; &quot;Device&quot; in Settings changes that again.</source>
        <translation>&lt;b&gt;Ab jetzt rechnet der Prozessor.&lt;/b&gt; Unter Einstellungen, Gerät änderst du das wieder.</translation>
    </message>
    <message>
        <source>Choose another disk</source>
        <translation>Anderen Datenträger wählen</translation>
    </message>
    <message>
        <source>Whole models up to SDXL</source>
        <translation>Ganze Modelle bis SDXL</translation>
    </message>
    <message>
        <source>Whole models up to SD 2.1; SDXL with parts in RAM</source>
        <translation>Ganze Modelle bis SD 2.1; SDXL mit Teilen im RAM</translation>
    </message>
    <message>
        <source>The built-in model trains in minutes here; Stable Diffusion takes hours, SDXL days.</source>
        <translation>Das eingebaute Modell trainiert hier in Minuten; Stable Diffusion braucht Stunden, SDXL Tage.</translation>
    </message>
    <message>
        <source>No usable graphics card; too old: %1</source>
        <translation>Keine brauchbare Grafikkarte; zu alt: %1</translation>
    </message>
    <message>
        <source>Not used, as chosen: the processor computes, far slower.</source>
        <translation>Nicht benutzt, wie gewählt: Der Prozessor rechnet, weit langsamer.</translation>
    </message>
    <message>
        <source>The processor computes, far slower.</source>
        <translation>Der Prozessor rechnet, weit langsamer.</translation>
    </message>
    <message>
        <source>NVIDIA card found, its driver does not work</source>
        <translation>NVIDIA-Karte gefunden, ihr Treiber arbeitet nicht</translation>
    </message>
    <message>
        <source>For photos import a model: Stable Diffusion 1.x (2 to 4 GB), 2.x or XL (about 7 GB); not 3, Flux or inpainting.</source>
        <translation>Für Fotos importiere ein Modell: Stable Diffusion 1.x (2 bis 4 GB), 2.x oder XL (etwa 7 GB); nicht 3, Flux oder Inpainting.</translation>
    </message>
    <message>
        <source>Which graphics card this computer has could not be found out.</source>
        <translation>Welche Grafikkarte dieser Computer hat, war nicht herauszufinden.</translation>
    </message>
    <message>
        <source>Looking for a graphics card...</source>
        <translation>Sucht nach einer Grafikkarte ...</translation>
    </message>
    <message>
        <source>What to do</source>
        <translation>Was zu tun ist</translation>
    </message>
    <message>
        <source>Use the graphics card</source>
        <translation>Grafikkarte benutzen</translation>
    </message>
    <message>
        <source>&lt;b&gt;What to do:&lt;/b&gt; install NVIDIA&apos;s driver %1 or newer with your system&apos;s tool for drivers, then restart the computer. If it is installed, it was not loaded: with Secure Boot, confirm its key when the computer starts; after an update of the system, install it again.</source>
        <translation>&lt;b&gt;Was zu tun ist:&lt;/b&gt; Installiere NVIDIAs Treiber %1 oder neuer mit dem Treiberwerkzeug deines Systems, dann starte den Computer neu. Ist er installiert, wurde er nicht geladen: Bei Secure Boot bestätige seinen Schlüssel beim Start des Computers; nach einer Aktualisierung des Systems installiere ihn neu.</translation>
    </message>
    <message>
        <source>&lt;b&gt;What would help:&lt;/b&gt; a graphics card by NVIDIA of the GTX 16 or RTX 20 series or newer, with its driver %1 or newer. 8 GB are enough for whole models up to SD 2.1, and for SDXL with parts in RAM.</source>
        <translation>&lt;b&gt;Was helfen würde:&lt;/b&gt; eine Grafikkarte von NVIDIA ab der Reihe GTX 16 oder RTX 20 mit dem Treiber %1 oder neuer. 8 GB reichen für ganze Modelle bis SD 2.1 und für SDXL mit Teilen im RAM.</translation>
    </message>
    <message>
        <source>Enough for small add-ons, and for whole models up to SD 2.1</source>
        <translation>Genug für kleine Zusätze und für ganze Modelle bis SD 2.1</translation>
    </message>
</context>
<context>
    <name>homebooth::app::WordListPanel</name>
    <message>
        <source>A list holds words or phrases, one a line. In a prompt {animal} takes one of the list &quot;animal&quot;. Make one, or drop a text file here.</source>
        <translation>Eine Liste enthält Wörter oder Wendungen, eine je Zeile. In einem Prompt nimmt {animal} eine aus der Liste „animal“. Leg eine an, oder zieh eine Textdatei hierher.</translation>
    </message>
    <message>
        <source>Word list</source>
        <translation>Wortliste</translation>
    </message>
    <message>
        <source>New list</source>
        <translation>Neue Liste</translation>
    </message>
    <message>
        <source>List from a text file...</source>
        <translation>Liste aus einer Textdatei ...</translation>
    </message>
    <message>
        <source>Delete the list</source>
        <translation>Liste löschen</translation>
    </message>
    <message>
        <source>Words</source>
        <translation>Wörter</translation>
    </message>
    <message>
        <source>one word or phrase a line</source>
        <translation>ein Wort oder eine Wendung je Zeile</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>No words yet.</source>
        <translation>Noch keine Wörter.</translation>
    </message>
    <message numerus="yes">
        <source>%n entries. The seed decides which.</source>
        <translation>
            <numerusform>%n Eintrag. Der Seed entscheidet.</numerusform>
            <numerusform>%n Einträge. Der Seed entscheidet.</numerusform>
        </translation>
    </message>
    <message>
        <source>The list was deleted.</source>
        <translation>Die Liste wurde gelöscht.</translation>
    </message>
    <message>
        <source>List from a text file</source>
        <translation>Liste aus einer Textdatei</translation>
    </message>
    <message>
        <source>Text files</source>
        <translation>Textdateien</translation>
    </message>
    <message>
        <source>Put into the prompt</source>
        <translation>In den Prompt setzen</translation>
    </message>
</context>
<context>
    <name>homebooth::app::WordLists</name>
    <message>
        <source>%1 cannot be read: %2</source>
        <translation>%1 ist nicht zu lesen: %2</translation>
    </message>
    <message>
        <source>%1 is larger than 1 MB. A list has one word or phrase a line.</source>
        <translation>%1 ist größer als 1 MB. Eine Liste hat ein Wort oder eine Wendung je Zeile.</translation>
    </message>
    <message>
        <source>%1 is no text in UTF-8. Save it as such.</source>
        <translation>%1 ist kein Text in UTF-8. Speichere die Datei so.</translation>
    </message>
    <message>
        <source>%1 has no words. A list has one word or phrase a line.</source>
        <translation>%1 hat keine Wörter. Eine Liste hat ein Wort oder eine Wendung je Zeile.</translation>
    </message>
    <message>
        <source>A list needs a name.</source>
        <translation>Eine Liste braucht einen Namen.</translation>
    </message>
    <message>
        <source>{subject} stands for your subject. Take another name.</source>
        <translation>{subject} steht für dein Motiv. Nimm einen anderen Namen.</translation>
    </message>
    <message>
        <source>There is a list of this name.</source>
        <translation>Es gibt eine Liste dieses Namens.</translation>
    </message>
    <message>
        <source>list</source>
        <translation>Liste</translation>
    </message>
    <message>
        <source>make the list %1</source>
        <translation>Liste %1 anlegen</translation>
    </message>
    <message>
        <source>change the list %1</source>
        <translation>Liste %1 ändern</translation>
    </message>
    <message>
        <source>delete the list %1</source>
        <translation>Liste %1 löschen</translation>
    </message>
</context>
</TS>
