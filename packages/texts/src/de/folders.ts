import type { FoldersTexts } from '../en/folders.ts'

export const folders: FoldersTexts = {
  newFolder: 'Neuer Ordner',
  create: 'Erstellen',
  labelHint: 'Empfänger sehen ihn nicht.',
  manage: 'Umbenennen oder löschen',
  rename: 'Umbenennen',
  delete: 'Ordner löschen',
  deleteHeading: 'Diesen Ordner löschen?',
  deleteEmpty: 'Der Ordner ist leer. Das lässt sich nicht rückgängig machen.',
  deleteFull:
    'Mit ihm werden gelöscht: {contents}. Links funktionieren sofort nicht mehr. Das lässt sich nicht rückgängig machen.',
  secrets: { one: '{count} Nachricht', other: '{count} Nachrichten' },
  drafts: { one: '{count} Entwurf', other: '{count} Entwürfe' },
  added: 'Seit der Frage ist etwas in den Ordner gekommen. Das enthält er jetzt.',
  dashboard: {
    heading: 'Nachrichten',
    folders: 'Ordner',
    allFolders: 'Alle Ordner',
    show: 'Anzeigen',
    statuses: { all: 'Alle', waiting: 'Wartend', opened: 'Geöffnet', finished: 'Beendet' },
    noneOfStatus: { heading: 'Nichts dieser Art', lead: 'Andere Nachrichten stehen unter „Alle“.' },
    older: 'Ältere Nachrichten',
    newest: 'Neueste Nachrichten',
    noFolders: {
      heading: 'Beginnen Sie mit einem Ordner',
      lead: 'Ordner halten Ihre Nachrichten auseinander, zum Beispiel je einer pro Kunde oder Projekt.',
    },
    noSecrets: {
      heading: 'Hier gibt es noch keine Nachrichten',
      lead: 'Schreiben Sie einen Text und schicken Sie den Link dazu der Person, die ihn lesen soll.',
      action: 'Nachricht schreiben',
    },
    corrupted:
      'Einige Nachrichten können nicht angezeigt werden, weil ihre Daten beschädigt sind. Fragen Sie den Betreiber dieses Dienstes.',
  },
  search: {
    heading: 'Suche',
    field: 'Alle Titel durchsuchen',
    submit: 'Suchen',
    found: { one: '{count} gefunden', other: '{count} gefunden' },
    stopped: {
      one: 'Die Suche hielt nach {count} Titel an.',
      other: 'Die Suche hielt nach {count} Titeln an.',
    },
    more: 'Weitersuchen',
    nothing: {
      heading: 'Nichts gefunden',
      lead: 'Kein Titel enthält alle diese Wörter. Texte werden nicht durchsucht.',
    },
    busy: 'Eine andere Suche von Ihnen läuft noch, darum wurde nichts durchsucht. Bitte versuchen Sie es gleich noch einmal.',
  },
  several: {
    deleteSelected: 'Ausgewählte löschen',
    heading: 'Ausgewähltes löschen?',
    lead: 'Links funktionieren nicht mehr, und Inhalte werden sofort gelöscht. Das lässt sich nicht rückgängig machen.',
    tooMany: {
      heading: 'Zu viele sind ausgewählt',
      lead: 'Auf einmal lassen sich höchstens {limit} löschen. Es wurde nichts gelöscht.',
    },
    deletedSecrets: { one: '{count} Nachricht gelöscht.', other: '{count} Nachrichten gelöscht.' },
    deletedDrafts: { one: '{count} Entwurf gelöscht.', other: '{count} Entwürfe gelöscht.' },
    removeFinished: 'Alle beendeten entfernen ({count})',
    finishedHeading: 'Alle beendeten Nachrichten entfernen?',
    finishedLead: {
      one: '{count} Nachricht verlässt die Liste. Niemand kann sie mehr öffnen. Der Text ist schon gelöscht, und der Rest wird jetzt gelöscht.',
      other:
        '{count} Nachrichten verlassen die Liste. Niemand kann sie mehr öffnen. Die Texte sind schon gelöscht, und der Rest wird jetzt gelöscht.',
    },
    remove: 'Entfernen',
    removed: { one: '{count} entfernt', other: '{count} entfernt' },
  },
  done: {
    noneSelected: 'Nichts ist ausgewählt. Kreuzen Sie an, was gelöscht werden soll.',
    folderCreated: 'Der Ordner ist bereit.',
    folderRenamed: 'Der Ordner hat seinen neuen Titel.',
    folderDeleted: 'Der Ordner ist gelöscht.',
  },
}
