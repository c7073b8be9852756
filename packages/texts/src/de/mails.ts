import type { MailTexts } from '../en/mails.ts'
import { requestMails } from './requests.ts'

export const mails: MailTexts = {
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
    lead: 'Niemand hat sie rechtzeitig geöffnet. Ihr Inhalt ist gelöscht, und der Link funktioniert nicht mehr.',
  },
  requests: requestMails,
  facts: {
    label: 'Titel',
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
  invitation: {
    once: 'Der Link funktioniert ein einziges Mal. Wer ihn hat, kann das Passwort wählen. Geben Sie ihn darum nicht weiter.',
    validUntil: 'Gültig bis',
  },
  invite: {
    subject: 'Eine Einladung von {name}',
    heading: 'Sie sind eingeladen',
    lead: '{name} lädt Sie zu {host} ein. Dort geben Sie Passwörter und andere vertrauliche Texte weiter, mit Links, die nur so oft und so lange funktionieren, wie Sie es wählen. Es gibt ein Konto für Sie: Wählen Sie ein Passwort, um es zu benutzen.',
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
  confirm: {
    subject: 'Ihre E-Mail-Adresse bei {name} bestätigen',
    heading: 'Neue E-Mail-Adresse bestätigen',
    lead: 'Für ein Konto bei {name} soll ab jetzt diese E-Mail-Adresse gelten. Sie gilt, sobald Sie sie bestätigen.',
    action: 'Adresse bestätigen',
    ignore: 'Wenn Sie diese E-Mail nicht angefordert haben, ignorieren Sie sie: Dann ändert sich nichts.',
  },
  notices: {
    password_changed: {
      subject: 'Ihr Passwort bei {name} wurde geändert',
      heading: 'Ihr Passwort wurde geändert',
      lead: 'Ihr Konto bei {name} hat ein neues Passwort, und seine anderen Sitzungen sind beendet.',
      next: 'Wenn Sie das nicht waren, wählen Sie jetzt ein neues Passwort und sagen Sie es dem Betreiber des Dienstes.',
    },
    email_changed: {
      subject: 'Ihre E-Mail-Adresse bei {name} wurde geändert',
      heading: 'Ihre E-Mail-Adresse wurde geändert',
      lead: 'Ihr Konto bei {name} hat jetzt eine andere E-Mail-Adresse. Mit ihr melden Sie sich an. An diese Adresse kommen keine E-Mails über das Konto mehr.',
      next: 'Wenn Sie das nicht waren, sagen Sie es sofort dem Betreiber des Dienstes: Nur er kann Ihnen das Konto zurückgeben.',
    },
    mails_off: {
      subject: 'E-Mails von {name} sind abgeschaltet',
      heading: 'E-Mails über Ihre Nachrichten sind abgeschaltet',
      lead: 'In den Einstellungen Ihres Kontos bei {name} wurden E-Mails über Ihre Nachrichten abgeschaltet. Das ist die letzte.',
      next: 'Wenn Sie das nicht waren, ändern Sie Ihr Passwort und schalten Sie sie wieder ein.',
    },
    email_taken: {
      subject: 'Ihre E-Mail-Adresse bei {name}',
      heading: 'Zu dieser Adresse gibt es schon ein Konto',
      lead: 'Jemand möchte diese E-Mail-Adresse für ein anderes Konto bei {name} verwenden. Sie gehört zu Ihrem Konto, darum hat sich nichts geändert.',
      next: 'Wenn Sie das waren: Melden Sie sich mit dieser Adresse an, um das Konto zu benutzen, zu dem sie gehört. Wenn nicht, müssen Sie nichts tun.',
    },
  },
  test: { heading: 'Test-E-Mail', lead: 'Das ist ein Test: E-Mails von {name} kommen hier an.' },
}
