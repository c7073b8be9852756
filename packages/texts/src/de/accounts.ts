import type { AccountsTexts } from '../en/accounts.ts'

export const accounts: AccountsTexts = {
  confirm: {
    heading: 'E-Mail-Adresse bestätigen',
    lead: 'Ihr Konto bekommt die E-Mail-Adresse {email}. Von da an melden Sie sich mit ihr an.',
    submit: 'Adresse bestätigen',
    done: {
      heading: 'Ihre E-Mail-Adresse ist geändert',
      lead: 'Melden Sie sich von nun an mit der neuen an.',
    },
    gone: {
      heading: 'Dieser Link kann nicht benutzt werden',
      lead: 'Er wurde schon benutzt, ist abgelaufen oder wurde durch einen neueren ersetzt, oder die Adresse gehört inzwischen zu einem anderen Konto. Es wurde nichts geändert.',
    },
  },
  yourName: { field: 'Ihr Name', hint: 'Wer einen Link von Ihnen bekommt, sieht ihn.' },
  settings: {
    heading: 'Einstellungen',
    account: 'Konto',
    reauthenticationHint: 'Noch einmal nötig, weil Ihre Anmeldung mehr als 10 Minuten her ist.',
    email: {
      heading: 'E-Mail-Adresse',
      change: 'E-Mail ändern',
      hint: 'Damit melden Sie sich an. Eine neue Adresse muss bestätigt werden: Sie bekommen dort eine E-Mail mit einem Link.',
      operator:
        'Sie melden sich mit {email} an. Dieser Dienst verschickt keine E-Mails, darum kann nur sein Betreiber die Adresse ändern.',
      notSent:
        'An diese Adresse konnte keine E-Mail geschickt werden. Prüfen Sie sie, oder versuchen Sie es später noch einmal.',
    },
    password: {
      current: 'Aktuelles Passwort',
      field: 'Neues Passwort',
      change: 'Passwort ändern',
    },
    displayName: {
      heading: 'Anzeigename',
      hint: 'Freiwillig. Empfänger sehen ihn über Ihren Nachrichten: „Von …“. Lassen Sie das Feld leer, um keinen Namen zu zeigen.',
      save: 'Namen speichern',
    },
    language: {
      heading: 'Sprache',
      field: 'Sprache Ihrer Seiten',
      browser: 'Wie im Browser eingestellt',
      save: 'Sprache speichern',
    },
    download: {
      heading: 'Ihre Daten',
      lead: 'Alles, was zu Ihrem Konto gehört, als JSON: mit den Texten Ihrer Entwürfe, wenn diese kein Passwort haben und nicht im Browser verschlüsselt sind, aber nie mit denen von Nachrichten.',
      button: 'Herunterladen',
    },
    deletion: {
      heading: 'Konto löschen',
      lead: 'Löscht Ihr Konto mit allen Ordnern, Entwürfen, Nachrichten und Zugriffstoken. Alle Links funktionieren dann nicht mehr.',
      question: 'Ihr Konto löschen?',
      questionLead:
        'Alle Ihre Ordner, Entwürfe und Nachrichten werden gelöscht, und ihre Links funktionieren nicht mehr. Das lässt sich nicht rückgängig machen.',
    },
  },
  done: {
    emailAsked:
      'Eine E-Mail an die neue Adresse ist unterwegs. Ihre Adresse ändert sich, wenn Sie innerhalb von 24 Stunden den Link darin öffnen.',
    nameSaved: 'Der Anzeigename ist gespeichert.',
    nameErased: 'Der Anzeigename ist gelöscht.',
    languageSaved: 'Die Sprache ist gespeichert.',
  },
}
