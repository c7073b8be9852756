import type { MailTexts } from './texts.ts'

export const de: MailTexts = {
  locale: 'de',
  direction: 'ltr',
  opened: {
    heading: {
      one: 'Ihre Nachricht wurde geöffnet',
      other: 'Ihre Nachricht wurde {count} Mal geöffnet',
    },
    usedUp:
      'Sie wurde zum letzten Mal geöffnet, und ihr Text wurde dabei gelöscht. Der Link funktioniert nicht mehr.',
  },
  locked: {
    heading: 'Ihre Nachricht ist gesperrt',
    lead: 'Am Link wurden zu viele falsche Passwörter eingegeben. Die Seite der Nachricht zeigt, bis wann sie gesperrt ist oder ob sie deaktiviert ist.',
  },
  expired: {
    heading: 'Ihre Nachricht ist ungeöffnet abgelaufen',
    lead: 'Niemand hat sie rechtzeitig geöffnet. Ihr Text ist gelöscht, und der Link funktioniert nicht mehr.',
  },
  facts: {
    label: 'Bezeichnung',
    time: 'Zeitpunkt',
    latest: 'Zuletzt geöffnet am',
    expired: 'Abgelaufen am',
    opens: 'Öffnungen bisher',
    opensLeft: 'Noch mögliche Öffnungen',
    unlimited: 'Unbegrenzt',
    expires: 'Läuft ab am',
    page: 'Ihre Seite war',
  },
  seeSecret: 'Nachricht ansehen',
  why: 'Sie bekommen diese E-Mail, weil für die Nachricht „Beim Öffnen benachrichtigen“ gewählt ist.',
  settings: 'In den Einstellungen wählen Sie, welche E-Mails Sie bekommen: {url}',
  welcome: {
    once: 'Der Link funktioniert ein einziges Mal. Wer ihn hat, kann das Passwort wählen. Geben Sie ihn darum nicht weiter.',
    validUntil: 'Gültig bis',
  },
  invite: {
    subject: 'Ihr Konto bei {name}',
    heading: 'Willkommen',
    lead: 'Bei {name} gibt es ein Konto für Sie. Wählen Sie ein Passwort, um es zu benutzen.',
    action: 'Passwort wählen',
    ignore: 'Wenn Sie diese E-Mail nicht erwartet haben, ignorieren Sie sie.',
  },
  reset: {
    subject: 'Ein neues Passwort bei {name}',
    heading: 'Neues Passwort wählen',
    lead: 'Jemand hat um ein neues Passwort für Ihr Konto bei {name} gebeten.',
    action: 'Neues Passwort wählen',
    ignore: 'Wenn Sie diese E-Mail nicht angefordert haben, ignorieren Sie sie.',
  },
  test: { heading: 'Test-E-Mail', lead: 'Das ist ein Test: E-Mails von {name} kommen hier an.' },
}
