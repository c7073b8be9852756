import type { PasswordsTexts } from '../en/passwords.ts'

export const passwords: PasswordsTexts = {
  lead: 'Entrez l’adresse e-mail de votre compte. Vous recevrez un e-mail avec un lien à usage unique pour choisir un nouveau mot de passe. Si vous avez reçu une invitation, utilisez son lien.',
  submit: 'Envoyer le lien',
  tooMany: 'Trop d’e-mails ont été demandés. Vous pourrez en demander un autre {when}.',
  operator:
    'Ce service ne peut pas vous envoyer de lien par e-mail. Son administrateur peut vous donner un lien à usage unique pour choisir un nouveau mot de passe.',
  contact: 'Contact\u00a0: {contact}',
  done: {
    passwordChanged: 'Votre mot de passe est modifié et toutes les autres sessions sont fermées.',
  },
}
