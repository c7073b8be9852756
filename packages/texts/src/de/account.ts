import type { AccountTexts } from '../en/account.ts'

export const account: AccountTexts = {
  signIn: {
    heading: 'Anmelden',
    email: 'E-Mail',
    password: 'Passwort',
    submit: 'Anmelden',
    wrong:
      'E-Mail und Passwort passen zu keinem Konto. Bitte prüfen Sie beide und versuchen Sie es noch einmal.',
    locked: 'Es gab zu viele Fehlversuche. Sie können es {when} wieder versuchen.',
    crowded: 'Andere Versuche werden noch geprüft. Bitte versuchen Sie es gleich noch einmal.',
    forgot: 'Noch kein Passwort, oder vergessen?',
    resetAsked:
      'Wenn es ein Konto mit dieser E-Mail-Adresse gibt, ist eine E-Mail mit einem einmaligen Link unterwegs. Der Link funktioniert eine Stunde lang.',
    signedOut: 'Sie sind abgemeldet.',
    accountDeleted: 'Ihr Konto ist gelöscht, mit allem, was darin war.',
    toContinue: 'Bitte melden Sie sich an, um diese Seite zu sehen.',
    api: 'Diese Adresse gehört zur API, die Programme mit einem Zugriffstoken benutzen. Melden Sie sich an, um eines zu erstellen.',
  },
  invitation: {
    inviteHeading: 'Willkommen',
    resetHeading: 'Neues Passwort wählen',
    invited:
      '{name} lädt Sie ein, Passwörter und andere vertrauliche Texte weiterzugeben, mit Links, die nur so oft und so lange funktionieren, wie Sie es wählen.',
    forAccount: 'Wählen Sie ein Passwort für {email}.',
    passwordHint: {
      one: 'Mindestens {count} Zeichen. Ein paar Wörter hintereinander kann man sich gut merken.',
      other: 'Mindestens {count} Zeichen. Ein paar Wörter hintereinander kann man sich gut merken.',
    },
    passwordWord: 'Lassen Sie das Wort „{word}“ aus Ihrer E-Mail-Adresse weg.',
    submit: 'Passwort speichern und anmelden',
    endsSessions: 'Ein neues Passwort beendet alle anderen Sitzungen Ihres Kontos.',
    removesWebhooks:
      'Beim Speichern des Passworts werden diese Webhooks des Kontos gelöscht, denn jemand anderes könnte sie angelegt haben. Sie können sie in den Einstellungen wieder hinzufügen.',
    gone: {
      heading: 'Dieser Link kann nicht benutzt werden',
      lead: 'Er wurde schon benutzt, ist abgelaufen oder wurde durch einen neueren ersetzt. Der Betreiber dieses Dienstes kann Ihnen einen neuen schicken.',
    },
  },
  reset: {
    lead: 'Geben Sie die E-Mail-Adresse Ihres Kontos ein. Sie bekommen eine E-Mail mit einem einmaligen Link, mit dem Sie ein neues Passwort wählen. Wenn Sie eingeladen wurden, benutzen Sie den Link der Einladung.',
    submit: 'Link schicken',
    tooMany: 'Es wurden zu viele E-Mails angefordert. Sie können {when} wieder eine anfordern.',
    operator:
      'Dieser Dienst kann Ihnen keinen Link mailen. Sein Betreiber kann Ihnen einen einmaligen Link geben, mit dem Sie ein neues Passwort wählen.',
    contact: 'Kontakt: {contact}',
  },
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
      lead: 'Alles, was zu Ihrem Konto gehört, als JSON: mit den Texten Ihrer Entwürfe, wenn diese kein Passwort haben, aber nie mit denen von Nachrichten.',
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
  accessTokens: {
    heading: 'Zugriffstoken',
    lead: 'Programme benutzen die API mit einem Zugriffstoken. Wer ein Token hat, kann alles tun, was es erlaubt. Behandeln Sie es darum wie ein Passwort.',
    none: {
      heading: 'Keine Zugriffstoken',
      lead: 'Erstellen Sie eines, um die API aus einem Programm oder einem Terminal zu benutzen.',
    },
    newHeading: 'Neues Zugriffstoken',
    create: 'Neues Token',
    name: 'Name',
    nameHint: 'Wofür es ist, zum Beispiel der Name des Programms.',
    scopes: 'Berechtigungen',
    read: 'Ordner und Nachrichten auflisten und abrufen (read)',
    write: 'Nachrichten erstellen und löschen (write)',
    expires: 'Läuft ab',
    never: 'Nie',
    afterDays: { one: 'Nach {count} Tag', other: 'Nach {count} Tagen' },
    revoke: 'Löschen',
    revokeHeading: 'Dieses Zugriffstoken löschen?',
    revokeLead:
      'Programme, die es benutzen, werden von nun an abgewiesen. Das lässt sich nicht rückgängig machen.',
    createdAt: 'Erstellt am {time}',
    expiresAt: 'läuft am {time} ab',
    expiredAt: 'abgelaufen am {time}',
    revokedAt: 'gelöscht am {time}',
    lastUsedAt: 'zuletzt benutzt am {time}',
    unused: 'nie benutzt',
    shownOnce:
      'Das ist Ihr neues Zugriffstoken. Es wird nur jetzt angezeigt: Kopieren Sie es und bewahren Sie es sicher auf.',
    copy: 'Token kopieren',
    copyFailed: 'Das Kopieren hat nicht geklappt. Bitte markieren Sie das Token und kopieren Sie es selbst.',
    tryIt: 'Im Terminal ausprobieren',
    done: 'Fertig',
  },
  sessions: {
    heading: 'Sitzungen',
    lead: 'Die Browser, in denen Sie angemeldet sind. Eine Sitzung endet von selbst nach 12 Stunden ohne Benutzung und nach 14 Tagen. Ein Name hilft, sie zu unterscheiden.',
    thisOne: 'Diese Sitzung',
    other: 'Andere Sitzung',
    startedAt: 'Angemeldet am {time}',
    end: 'Sitzung beenden',
    rename: 'Sitzung benennen',
  },
  done: {
    invitation: 'Ihr Passwort ist gespeichert, und Sie sind angemeldet.',
    invitationWithoutWebhooks:
      'Ihr Passwort ist gespeichert, und Sie sind angemeldet. Die bisherigen Webhooks des Kontos sind gelöscht; Sie können sie in den Einstellungen wieder hinzufügen.',
    passwordChanged: 'Ihr Passwort ist geändert, und alle anderen Sitzungen sind beendet.',
    emailAsked:
      'Eine E-Mail an die neue Adresse ist unterwegs. Ihre Adresse ändert sich, wenn Sie innerhalb von 24 Stunden den Link darin öffnen.',
    nameSaved: 'Der Anzeigename ist gespeichert.',
    nameErased: 'Der Anzeigename ist gelöscht.',
    languageSaved: 'Die Sprache ist gespeichert.',
    tokenRevoked: 'Das Zugriffstoken ist gelöscht.',
    sessionNamed: 'Der Name der Sitzung ist gespeichert.',
    sessionEnded: 'Die Sitzung ist beendet.',
  },
}
