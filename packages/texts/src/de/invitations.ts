import type { InvitationsTexts } from '../en/invitations.ts'

export const invitations: InvitationsTexts = {
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
  done: {
    invitation: 'Ihr Passwort ist gespeichert, und Sie sind angemeldet.',
    invitationWithoutWebhooks:
      'Ihr Passwort ist gespeichert, und Sie sind angemeldet. Die bisherigen Webhooks des Kontos sind gelöscht; Sie können sie in den Einstellungen wieder hinzufügen.',
  },
}
