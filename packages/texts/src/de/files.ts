import type { FilesTexts } from '../en/files.ts'

export const files: FilesTexts = {
  heading: 'Dateien',
  counted: { one: '{count} Datei', other: '{count} Dateien' },
  help: 'Eine Nachricht kann Dateien jeder Art mitbringen: höchstens {count} mit je bis zu {each}. Alle Ihre Dateien zusammen dürfen {all} groß sein.',
  neverShown: 'Keine Seite zeigt den Inhalt einer Datei: Empfänger speichern sie.',
  limits: 'Höchstens {count} Dateien mit je bis zu {each}. Für Dateien haben Sie noch {left}.',
  drop: 'Sie können Dateien auch irgendwo auf diese Seite ziehen.',
  add: 'Dateien hinzufügen',
  save: 'Speichern',
  remove: 'Entfernen',
  textOrFile: 'Schreiben Sie einen Text, oder fügen Sie eine Datei hinzu.',
  room: 'Ihre Dateien belegen {used} von {all}: {left} sind noch frei.',
  shown: 'Empfänger sehen Namen und Größen, bevor sie den Link öffnen',
  hidden: 'Um Dateien hinzuzufügen oder zu entfernen, zeigen Sie zuerst den Text an.',
  unreadable:
    'Auch die Dateien dieses Entwurfs lassen sich nicht mehr lesen. Sie werden beim Speichern entfernt.',
  tooLargeNamed: '{name} ist größer als {limit}.',
  tooLargeTogether: '{name} passt nicht mehr dazu: Sie haben noch {left}.',
  wrongName:
    '{name} hat im Namen ein Zeichen, das nicht erlaubt ist, hier als \uFFFD gezeigt. Bitte benennen Sie die Datei um.',
  folder: '{name} ist ein Ordner. Packen Sie ihn zuerst in eine Datei, zum Beispiel als ZIP.',
  tooLarge: 'Eine Datei ist größer als {limit}.',
  full: 'Mit diesen Dateien wären alle Ihre Dateien zusammen größer als {limit}.',
  diskFull: 'Auf diesem Server ist gerade kein Platz für Dateien. Ohne sie lässt sich der Text senden.',
  longName: 'Der Name einer Datei ist zu lang.',
  broken: 'Die Dateien sind nicht vollständig angekommen.',
  again: 'Bitte wählen Sie die Dateien noch einmal. Keine Seite schickt sie zurück.',
  sending: 'Die Dateien werden gesendet …',
  sent: '{sent} von {all}',
  unsendable:
    '{name} wurde seit der Auswahl geändert oder lässt sich nicht lesen. Entfernen Sie die Datei und wählen Sie sie noch einmal aus.',
  lost: 'Die Verbindung brach ab. Ihre Eingaben sind noch da: Bitte versuchen Sie es noch einmal.',
  refusedOnTheWay: 'Ein Server auf dem Weg nimmt so große Dateien nicht an.',
  deleted:
    'Sie werden mit dem Text gelöscht. Wer den Link öffnet, kann sie danach noch eine Stunde lang speichern.',
}
