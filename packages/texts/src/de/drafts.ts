import type { DraftsTexts } from '../en/drafts.ts'

export const drafts: DraftsTexts = {
  title: 'Entwurf',
  lead: 'Kein Empfänger kann einen Entwurf lesen: Er bekommt einen Link, wenn Sie ihn teilen. Wer den Server kontrolliert, kann lesen, was über ihn läuft.',
  share: 'Teilen',
  shareHint: 'Speichert den Entwurf und erstellt seinen Link.',
  hidden:
    'Dieser Entwurf hat ein Passwort. Sein Text bleibt verborgen, bis Sie es eingeben. Alles andere können Sie ohne das Passwort ändern, und auch teilen können Sie ihn.',
  disabled:
    'Für diesen Entwurf wurde hundertmal ein falsches Passwort eingegeben. Sein Text kann nicht mehr angezeigt oder geteilt werden. Geben Sie den Text und ein Passwort neu ein, oder löschen Sie den Entwurf.',
  showNote: 'Text anzeigen',
  passwordAgain: 'Geben Sie das Passwort noch einmal ein, um den Text zu speichern, oder entfernen Sie es.',
  changed:
    'Dieser Entwurf wurde in einem anderen Fenster geändert, nachdem Sie ihn hier geöffnet hatten. Es wurde noch nichts gespeichert: Ihre Eingaben stehen weiterhin unten, und wenn Sie sie jetzt speichern, ersetzen sie die anderen Änderungen.',
  gone: 'Dieser Entwurf wurde in einem anderen Fenster gelöscht oder geteilt. Ihre Eingaben stehen weiterhin unten: Sie können sie als neuen Entwurf speichern oder teilen.',
  removePassword: 'Passwort entfernen',
  delete: 'Entwurf löschen',
  deleteHeading: 'Diesen Entwurf löschen?',
  deleteLead: 'Sein Inhalt wird sofort gelöscht. Das lässt sich nicht rückgängig machen.',
  list: {
    heading: 'Entwürfe',
    none: {
      heading: 'Hier gibt es keine Entwürfe',
      lead: 'Um einen zu schreiben, wählen Sie auf der Seite einer neuen Nachricht „Als Entwurf behalten“.',
    },
    more: 'Weitere Entwürfe',
  },
  done: {
    draftSaved: 'Der Entwurf ist gespeichert.',
    draftNotShared:
      'Der Entwurf ist gespeichert, konnte aber nicht geteilt werden. Bitte versuchen Sie es erneut.',
    draftDeleted: 'Der Entwurf ist gelöscht.',
  },
}
