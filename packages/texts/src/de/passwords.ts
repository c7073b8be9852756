import type { PasswordsTexts } from '../en/passwords.ts'

export const passwords: PasswordsTexts = {
  lead: 'Geben Sie die E-Mail-Adresse Ihres Kontos ein. Sie bekommen eine E-Mail mit einem einmaligen Link, mit dem Sie ein neues Passwort wählen. Wenn Sie eingeladen wurden, benutzen Sie den Link der Einladung.',
  submit: 'Link schicken',
  tooMany: 'Es wurden zu viele E-Mails angefordert. Sie können {when} wieder eine anfordern.',
  operator:
    'Dieser Dienst kann Ihnen keinen Link mailen. Sein Betreiber kann Ihnen einen einmaligen Link geben, mit dem Sie ein neues Passwort wählen.',
  contact: 'Kontakt: {contact}',
  done: {
    passwordChanged: 'Ihr Passwort ist geändert, und alle anderen Sitzungen sind beendet.',
  },
}
