import type { NotificationsTexts } from '../en/notifications.ts'

export const notifications: NotificationsTexts = {
  heading: 'Benachrichtigungen',
  lead: 'Zu jeder Nachricht mit „Beim Öffnen benachrichtigen“: wenn sie geöffnet wird, wenn falsche Passwörter sie sperren und wenn sie ungeöffnet abläuft.',
  tooManyTests:
    'Es wurde kein Test geschickt, denn es waren zu viele. Sie können den nächsten {when} schicken.',
  mails: {
    heading: 'E-Mails',
    lead: 'Sie gehen an {email} und enthalten nie den Text, den Link oder das Passwort einer Nachricht.',
    enabled: 'E-Mails schicken, wenn eine Nachricht geöffnet oder gesperrt wird oder ungeöffnet abläuft',
    nameLabels: 'Darin den Titel der Nachricht nennen',
    save: 'Speichern',
    test: 'Test-E-Mail schicken',
    testFailed: 'Die Test-E-Mail konnte nicht geschickt werden: {reason}.',
    unavailable: 'Dieser Dienst verschickt keine E-Mails: Sein Betreiber hat keinen Mailserver eingerichtet.',
    noEmail: 'Ihr Konto hat keine E-Mail-Adresse. Darum bekommen Sie keine E-Mails.',
  },
  done: {
    mailsSaved: 'Ihre Auswahl ist gespeichert.',
    mailTested: 'Der Mailserver hat die Test-E-Mail angenommen. Sie sollte bald bei Ihnen sein.',
  },
}
